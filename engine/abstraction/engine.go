package abstraction

import (
	"context"

	"hornbeam/chc"
	"hornbeam/engine"
)

// Impact is lazy abstraction with interpolants: IMPACT of McMillan, over clauses.
func Impact() engine.Engine {
	return newEngine("impact", "Lazy abstraction with interpolants (IMPACT): unwinds the clauses without abstraction, labels the unwinding "+
		"with tree interpolants of spurious derivations of queries, and stops where labels cover others.", (*options).impact,
		func(o *options) string {
			if o.forcedCovering {
				return "forced"
			}
			return "plain"
		})
}

// Predicates is predicate abstraction with lazy refinement by interpolants.
func Predicates() engine.Engine {
	return newEngine("predicates", "Predicate abstraction with lazy refinement: labels abstract states with the tracked predicates that hold of "+
		"them, and tracks the atoms of tree interpolants of spurious derivations of queries.", (*options).predicates,
		func(o *options) string { return o.abstraction })
}

func newEngine(name, doc string, table func(*options) []engine.Option, variant func(*options) string) engine.Engine {
	return engine.Engine{
		Name: name, Doc: doc, Options: table(new(options)), Fragment: func(*chc.System) error { return nil },
		Solve: engine.Solver(name, table, func(ctx context.Context, sys *chc.System, s engine.Settings, o options) (engine.Answer, error) {
			x, err := newExplorer(sys, configurationOf(name, variant(&o)), s, o)
			if err != nil {
				return engine.Answer{}, err
			}
			defer x.close()
			return x.run(ctx)
		}),
	}
}
