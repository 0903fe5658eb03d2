package catamorphism

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
)

// Inner decides a system without datatypes: Sat with a model of it, Unsat with a refutation of it, or Unknown, when ctx
// is done or for another reason. The system is marked as an approximation; what is asked for is the answer to it as it
// stands. A refutation may also come with Unknown.
type Inner func(context.Context, *chc.System) (engine.Answer, error)

// options are the engine's settings.
type options struct {
	slice, firstSlice time.Duration
	queryLimit        time.Duration
	inductionLimit    time.Duration
	induction         bool
}

// Options are the engine's settings, by name.
func Options() []engine.Option {
	return []engine.Option{
		{Name: "catamorphism.slice", Kind: "duration", Default: "2s", Doc: "the time for the first attempt on the clauses over an encoding; it doubles when all encodings were tried"},
		{Name: "catamorphism.first-slice", Kind: "duration", Default: "500ms", Doc: "the time for the clauses over an encoding before invariants of them are looked for among templates"},
		{Name: "catamorphism.induction", Kind: "bool", Default: "true", Doc: "read predicates as recursive functions and prove clauses by induction, beside folds; of 17 safe development tasks over recursive datatypes, 6 need it"},
		{Name: "catamorphism.induction-limit", Kind: "duration", Default: "400ms", Doc: "the longest that one query may take when clauses are proved by induction over recognised functions"},
		{Name: "catamorphism.query-limit", Kind: "duration", Default: "2s", Doc: "the longest that one query about folds and derivations may take"},
	}
}

func newOptions(s engine.Settings) (options, error) {
	v, err := engine.NewValues(Options(), s.Options)
	if err != nil {
		return options{}, err
	}
	return options{
		slice: v.Duration("catamorphism.slice"), firstSlice: v.Duration("catamorphism.first-slice"),
		queryLimit: v.Duration("catamorphism.query-limit"),
		induction:  v.Bool("catamorphism.induction"), inductionLimit: v.Duration("catamorphism.induction-limit"),
	}, nil
}

// Engine returns the engine with an inner solver for the clauses over components.
func Engine(inner func(engine.Settings) Inner) engine.Engine {
	return engine.Engine{
		Name: "catamorphism",
		Doc: "Replaces recursive datatypes by integers that folds compute from them, such as lengths and sums, solves the " +
			"clauses over these with the prover, and refines the folds by derivations that do not hold on the datatypes. Before " +
			"that, and where no folds help, it reads predicates as recursive functions and proves the rest by induction.",
		Options:  Options(),
		Fragment: fragment,
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			o, err := newOptions(s)
			if err != nil {
				return engine.Answer{}, err
			}
			l, err := newLoop(sys, s, o, inner(s))
			if err != nil {
				return engine.Answer{}, err
			}
			defer l.close()
			return l.run(ctx)
		},
	}
}

// fragment accepts systems with recursive datatypes whose other sorts can stay as they are.
func fragment(sys *chc.System) error {
	s, err := survey(sys)
	if err != nil {
		return fmt.Errorf("catamorphism: %w", err)
	}
	if !s.anyRecursive() {
		return errors.New("catamorphism: the clauses have no recursive datatypes")
	}
	return nil
}
