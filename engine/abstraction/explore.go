package abstraction

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
)

// explorer is one run of a configuration on one system.
type explorer struct {
	*graph
	configuration
	settings engine.Settings
	options  options
	pool     *term.Pool
	copies   *rule.Renamer
	smt      smt.Context
	// posts has the solver of each rule, by rule.Rule.ID, and plain one that knows no rule; nil before their first use.
	posts        map[int]*asker
	plain        *asker
	interpolator *itp.Interpolator
	// precision has the predicates that are tracked of each predicate, by rule.Predicate.ID, over its parameters.
	precision []precision
	// exchange is where lemmas of other engines are read, nil where nothing is shared, and lemmas has those of each predicate, by
	// rule.Predicate.ID.
	exchange *engine.Participant
	lemmas   [][]*term.Term
	start    time.Time
}

func newExplorer(sys *chc.System, c configuration, s engine.Settings, o options) (*explorer, error) {
	solvers, err := s.Open(sys.Pool, smt.Config{Seed: s.Seed})
	if err != nil {
		return nil, fmt.Errorf("open a solver context: %w", err)
	}
	interpolator, err := itp.New(sys.Pool, s.Open, itp.Options{Solver: o.solver(), Rounds: o.rounds})
	if err != nil {
		solvers.Close()
		return nil, err
	}
	system := rule.New(sys)
	return &explorer{
		graph: newGraph(system), configuration: c, settings: s, options: o, pool: sys.Pool, copies: rule.NewRenamer(system), smt: solvers,
		posts: map[int]*asker{}, interpolator: interpolator, precision: make([]precision, len(system.Predicates)),
		exchange: s.Exchange.Join(sys), lemmas: make([][]*term.Term, len(system.Predicates)), start: time.Now(),
	}, nil
}

func (x *explorer) close() {
	x.interpolator.Close()
	x.smt.Close()
}

// run explores hyperedges until none waits, which makes a model, or a query is derived.
func (x *explorer) run(ctx context.Context) (engine.Answer, error) {
	for {
		if err := ctx.Err(); err != nil {
			return engine.Answer{}, err
		}
		x.readLemmas()
		e, ok := x.next()
		if !ok {
			return engine.Answer{Verdict: engine.Sat, Model: x.model()}, nil
		}
		begin := time.Now()
		label, feasible, err := x.abstract(x, ctx, e)
		x.spent("abstract", begin)
		if err != nil {
			return engine.Answer{}, fmt.Errorf("abstract: %w", err)
		}
		if !feasible {
			continue
		}
		n := x.add(e, label)
		x.set("nodes", int64(x.nodes))
		if x.tracing() {
			x.emit("node", engine.Field{Name: "predicate", Value: n.pred.Name}, engine.Field{Name: "depth", Value: n.depth},
				engine.Field{Name: "formula", Value: x.pool.And(label...).String()})
		}
		if n.pred == x.system.Goal {
			refutation, err := x.derived(ctx, n)
			if err != nil {
				return engine.Answer{}, fmt.Errorf("refine: %w", err)
			}
			if refutation != nil {
				return engine.Answer{Verdict: engine.Unsat, Refutation: refutation}, nil
			}
		} else if err := x.settle(ctx, n); err != nil {
			return engine.Answer{}, err
		}
		for len(x.uncovered) > 0 {
			n := x.uncovered[0]
			x.uncovered = x.uncovered[1:]
			if err := x.settle(ctx, n); err != nil {
				return engine.Answer{}, err
			}
		}
	}
}

// readLemmas takes over what others have learned for good. All that is asked of tuples from then on is asked of those only that
// have the lemmas, and the model says them too.
func (x *explorer) readLemmas() {
	for _, l := range x.exchange.Lemmas() {
		x.lemmas[l.Predicate.ID] = append(x.lemmas[l.Predicate.ID], l.Formula)
		x.count("exchange.lemmas.read", 1)
	}
}

// settle covers a node, or lets hyperedges go on from it.
func (x *explorer) settle(ctx context.Context, n *node) error {
	if n.removed || n.cover != nil || !n.edge.active() {
		return nil
	}
	begin := time.Now()
	covered, err := x.cover(x, ctx, n)
	x.spent("cover", begin)
	if err != nil {
		return fmt.Errorf("cover: %w", err)
	}
	if !covered {
		x.activate(n)
	}
	return nil
}

func (x *explorer) count(name string, n int64) { x.settings.Stats.Add(name, n) }
func (x *explorer) set(name string, n int64)   { x.settings.Stats.Set(name, n) }

// spent adds the time since begin to that of an operation.
func (x *explorer) spent(operation string, begin time.Time) {
	x.settings.Stats.AddTime("time."+operation, time.Since(begin))
}

func (x *explorer) tracing() bool { return x.settings.Events != nil && x.settings.Events.Enabled() }

func (x *explorer) emit(kind string, fields ...engine.Field) {
	x.settings.Events.Emit(engine.Event{At: time.Since(x.start), Kind: kind, Fields: fields})
}
