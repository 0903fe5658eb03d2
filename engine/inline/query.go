package inline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// hunter is one run of an engine on one system.
type hunter struct {
	*tree
	// sys is the system that is inlined, and asked the one that is to be decided: they have the same predicates, and clauses at the
	// same places.
	sys, asked *chc.System
	// reversed says that the clauses of sys are those of asked with heads and bodies exchanged.
	reversed bool
	// assumed carries refutations back from the clauses with what a method assumes; nil where that is nothing.
	assumed transform.Translator
	// opposite is inlined from the other end, for k-induction; nil where there is none.
	opposite *hunter
	settings engine.Settings
	options  options
	// measured are the nodes of the formulas that the solver was given.
	measured map[*term.Term]struct{}
	smt      smt.Context
	solver   smt.Solver
	// tuning is the index of the solver's settings among tunings.
	tuning int
	// start is when the engine began, and begun is that as far as budgets go: by work where that is counted.
	start time.Time
	begun time.Duration
	// undecided says that the solver left a first query open: a refutation may have been missed.
	undecided bool
	// refiner finds what to track when a counterexample of a variable abstraction is spurious.
	refiner refiner
	// exchange is where lemmas are posted and read, nil where nothing is shared.
	exchange *engine.Participant
}

// errNoDerivation ends a run whose solver gave a model that does not choose a rule where it must.
var errNoDerivation = &engine.Incomplete{Reason: engine.Unfounded("the solver's model satisfies no clause for a predicate that it derives")}

// leftOpen ends a run that cannot go on without the answer to the last query.
func (h *hunter) leftOpen() error {
	return &engine.Incomplete{Reason: "the solver could not decide whether a query is reached: " + h.solver.ReasonUnknown() + "; simplify the clauses' arithmetic, or try another --engine"}
}

func newHunter(asked, sys *chc.System, settings engine.Settings, o options) (*hunter, error) {
	c, err := settings.Open(sys.Pool, smt.Config{Seed: settings.Seed})
	if err != nil {
		return nil, fmt.Errorf("open a solver context: %w", err)
	}
	h := &hunter{sys: sys, asked: asked, settings: settings, options: o, smt: c, start: time.Now(), exchange: settings.Exchange.Join(asked)}
	if h.solver, err = c.NewSolver(h.tunings()[0]); err != nil {
		c.Close()
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	pr := newProgram(sys)
	pr.constants = o.constants
	h.tree = &tree{program: pr}
	// Lemmas are read first, so that they are asserted of the first calls and an abstraction keeps their arguments.
	h.readLemmas()
	pr.abstract(sys, o.track)
	withRoot(h.tree)
	if pr.tracking != nil {
		h.refiner = refiners(o.refineCore)[o.refine]
		h.set("inline.groups", int64(len(pr.tracking.on)))
		h.set("inline.tracked", int64(pr.tracking.count()))
	}
	return h, nil
}

func (h *hunter) close() {
	h.set("inline.instances", int64(h.nodes))
	h.set("inline.open", int64(len(h.open)))
	if h.sharing != nil {
		h.set("inline.shared", int64(h.sharing.merges))
	}
	h.smt.Close()
}

// tunings are the settings that the solver goes through when it leaves a query open.
func (h *hunter) tunings() []smt.Params {
	if h.options.finite {
		return []smt.Params{{Finite: true}}
	}
	return []smt.Params{{ArithSolver: h.options.arithSolver}, {ArithSolver: 8 - h.options.arithSolver}, {Auto: true}}
}

// A query is one check of the tree: under-approximated, with every open site blocked, or over-approximated, with only
// the sites beyond the bound blocked.
type query string

const (
	under query = "under"
	over  query = "over"
)

// ask checks the tree with the sites blocked. After unsat the second result has those of them that the proof used. A
// query that is dispensable has its work limited, and an unknown may be the answer.
func (h *hunter) ask(ctx context.Context, q query, blocked []*site, dispensable bool) (smt.Status, []*site, error) {
	h.readLemmas()
	assumptions := h.block(blocked)
	limit := h.options.checkLimit()
	if dispensable {
		limit.Resources = uint64(h.options.overWork)
	}
	for {
		status, err := h.askOnce(ctx, q, assumptions, limit)
		switch {
		case err != nil:
			return smt.Unknown, nil, fmt.Errorf("check the %s-approximation: %w", q, err)
		case ctx.Err() != nil:
			return smt.Unknown, nil, ctx.Err()
		case status == smt.Unsat:
			return status, h.sitesOf(h.solver.Core()), nil
		case status == smt.Sat:
			return status, nil, nil
		}
		if dispensable || h.tuning+1 == len(h.tunings()) {
			return smt.Unknown, nil, nil
		}
		if err := h.retune(); err != nil {
			return smt.Unknown, nil, fmt.Errorf("open a solver with other settings: %w", err)
		}
	}
}

// measure counts the nodes of formulas that the solver is given: of those that share, each once.
func (h *hunter) measure(formulas []*term.Term) {
	if h.measured == nil {
		h.measured = map[*term.Term]struct{}{}
	}
	for _, f := range formulas {
		term.Walk(f, func(t *term.Term) bool {
			_, known := h.measured[t]
			h.measured[t] = struct{}{}
			return !known
		})
	}
	h.set("inline.nodes", int64(len(h.measured)))
}

func (h *hunter) askOnce(ctx context.Context, q query, assumptions []*term.Term, limit smt.Limit) (smt.Status, error) {
	if err := h.solver.Assert(h.asserted[h.sent:]...); err != nil {
		return smt.Unknown, err
	}
	h.measure(h.asserted[h.sent:])
	h.sent = len(h.asserted)
	h.solver.SetLimit(limit)
	h.count("checks", 1)
	h.count("inline."+string(q), 1)
	begin := time.Now()
	status, err := h.solver.Check(ctx, assumptions...)
	h.settings.Stats.AddTime("time.inline."+string(q), time.Since(begin))
	if h.tracing() {
		h.emit("query", engine.Field{Name: "kind", Value: string(q)}, engine.Field{Name: "result", Value: status.String()},
			engine.Field{Name: "milliseconds", Value: float64(time.Since(begin).Microseconds()) / 1000},
			engine.Field{Name: "blocked", Value: len(assumptions)}, engine.Field{Name: "open", Value: len(h.open)},
			engine.Field{Name: "core", Value: len(h.solver.Core())})
	}
	return status, err
}

// retune opens a solver with the next settings; everything is asserted in it again.
func (h *hunter) retune() error {
	h.count("solver.retuned", 1)
	h.tuning++
	h.solver.Close()
	h.sent = 0
	var err error
	h.solver, err = h.smt.NewSolver(h.tunings()[h.tuning])
	return err
}

// expand inlines the sites that are still open. It stops when ctx is done.
func (h *hunter) expand(ctx context.Context, sites []*site) error {
	for chunk := range slices.Chunk(sites, sitesPerEvent) {
		if err := ctx.Err(); err != nil {
			return err
		}
		h.inline(chunk...)
		if h.tracing() {
			for _, s := range chunk {
				h.emit("inline", engine.Field{Name: "predicate", Value: s.pred.Name}, engine.Field{Name: "cost", Value: s.cost},
					engine.Field{Name: "depth", Value: s.child.depth})
			}
		}
		h.set("inline.instances", int64(h.nodes))
		h.set("inline.open", int64(len(h.open)))
	}
	return nil
}

// raised reports the bound.
func (h *hunter) raised(bound int) {
	h.set("level", int64(bound))
	if h.tracing() {
		h.emit("level", engine.Field{Name: "bound", Value: bound})
	}
}

// noBug is the answer when the user's bound is reached.
func (h *hunter) noBug(bound int) engine.Answer {
	return h.withoutWitness(fmt.Sprintf("up to recursion bound %d", bound))
}

// noBugAtAll is the answer for a tree that has no counterexample although no site is blocked, when no model of the clauses
// is made of that.
func (h *hunter) noBugAtAll() engine.Answer { return h.withoutWitness("at any recursion bound") }

// withoutWitness is an answer that is the solver's word alone, so that what sharing has assumed is checked.
func (h *hunter) withoutWitness(where string) engine.Answer {
	if h.sharing != nil && h.sharing.merges > 0 {
		if err := h.exclusive(); err != nil {
			return engine.Answer{Reason: "internal error: " + err.Error(), Internal: true}
		}
	}
	reason := "no bug " + where
	if h.undecided {
		reason = fmt.Sprintf("no bug was found %s, but the solver left queries open", where)
	}
	return engine.Answer{Reason: reason}
}

func (h *hunter) count(name string, n int64) { h.settings.Stats.Add(name, n) }
func (h *hunter) set(name string, n int64)   { h.settings.Stats.Set(name, n) }

func (h *hunter) tracing() bool { return h.settings.Events != nil && h.settings.Events.Enabled() }

func (h *hunter) emit(kind string, fields ...engine.Field) {
	h.settings.Events.Emit(engine.Event{At: time.Since(h.start), Kind: kind, Fields: fields})
}
