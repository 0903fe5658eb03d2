package transform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// ErrSpurious is wrapped by the error of a Translator's Refutation when a pass approximated the clauses and the refutation
// has no counterpart on the clauses before the pass that could be found.
var ErrSpurious = errors.New("the refutation is one of clauses that a pass approximated, and none of the clauses as they were read (--passes none works on these)")

// ErrGaveUp is wrapped by the error of a Translator that could not carry a witness back although nothing is wrong with it: a
// value is not determined (selectors of the wrong constructor, division by zero) or too large to be written, or the solver
// gave up.
var ErrGaveUp = errors.New("the witness of the preprocessed clauses has no counterpart that could be found on the clauses as they were read (--passes none works on these)")

// GaveUp reports whether the error of a Translator makes an honest unknown.
func GaveUp(err error) bool { return errors.Is(err, ErrSpurious) || errors.Is(err, ErrGaveUp) }

// Translator carries the witnesses of a transformed system back to the system before the pass.
type Translator interface {
	// Model turns a model of the transformed system into one of the original system.
	Model(context.Context, *witness.Model) (*witness.Model, error)
	// Refutation turns a refutation of the transformed system into one of the original system.
	Refutation(context.Context, *witness.Refutation) (*witness.Refutation, error)
}

// Environment is what passes are handed beside the system.
type Environment struct {
	// Open opens solver contexts for the passes that need one; without it they do what they can without.
	Open smt.Opener
	// memos holds what Memo returns, by type; nil outside of a Pipeline.
	memos memos
}

// Solver opens a solver for terms of pool, each check of which has the limit; close closes it. Open must not be nil.
func (e Environment) Solver(pool *term.Pool, limit smt.Limit) (solver smt.Solver, close func(), err error) {
	opened, err := e.Open(pool, smt.Config{})
	if err != nil {
		return nil, nil, fmt.Errorf("opening a solver: %w", err)
	}
	if solver, err = opened.NewSolver(smt.Params{}); err != nil {
		opened.Close()
		return nil, nil, fmt.Errorf("opening a solver: %w", err)
	}
	solver.SetLimit(limit)
	return solver, opened.Close, nil
}

// memos holds a pointer to one value of each type.
type memos map[reflect.Type]any

// close closes the values that are closers.
func (m memos) close() {
	for _, v := range m {
		if c, ok := v.(io.Closer); ok {
			c.Close()
		}
	}
}

// Memo returns the T that the passes of one Pipeline share, so that repeating a pass costs little where nothing changed: the
// zero T at first, the same pointer later. It is nil outside of a Pipeline. A *T that is an io.Closer is closed at the end.
func Memo[T any](env Environment) *T {
	if env.memos == nil {
		return nil
	}
	key := reflect.TypeFor[T]()
	if env.memos[key] == nil {
		env.memos[key] = new(T)
	}
	return env.memos[key].(*T)
}

// Pass is one transformation, as data. Run must not change the system that it is given; when it has nothing to do it
// returns the very same system and a nil Translator.
type Pass struct {
	Name string
	// Doc is one sentence on what the pass does.
	Doc string
	// Repeat marks the passes that feed each other: Pipeline repeats a run of such neighbours until nothing changes.
	Repeat bool
	Run    func(context.Context, Environment, *chc.System) (*chc.System, Translator, error)
}
