package inline

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/assume"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/work"
)

// method is what tells the engines apart.
type method struct {
	name, doc string
	// options makes the method's table of the common one; nil leaves that.
	options func(*options, []engine.Option)
	// search decides the system of a hunter.
	search func(*hunter, context.Context) (engine.Answer, error)
	// inductive says that bodies assume that no query is violated there.
	inductive bool
}

// Engine is stratified inlining.
func Engine() engine.Engine {
	return method{
		name: "inline",
		doc: "Stratified inlining: looks for refutations of growing recursion depth and inlines a call only when an abstract " +
			"counterexample, or the proof that there is none so far, needs it. Finds bugs, and proves what needs no invariant.",
		search: (*hunter).stratified,
	}.engine()
}

// BMC is static inlining.
func BMC() engine.Engine {
	return method{
		name:   "bmc",
		doc:    "Static inlining, a plain bounded model checker for comparison: inlines everything up to a growing recursion bound.",
		search: (*hunter).static,
	}.engine()
}

// KInduction is static inlining of clauses that assume that no query is violated in a body. What is asked at a bound k without
// blocked sites is the inductive step of k-induction then, and what is asked with them the base. A linear system is inlined from its
// facts too, where the step says that every run of k steps comes to a fact again. Lemmas of other engines are read between the bounds.
// Tree interpolants of the step are inductive together, which makes an ordinary model of the proof for k.
func KInduction() engine.Engine {
	return method{
		name: "kinduction",
		doc: "k-induction: static inlining that assumes that no query is violated before the last step, which proves what k steps show; " +
			"linear clauses from both ends. It reads lemmas between the bounds: --engine kinduction,houdini,affine has auxiliary " +
			"invariants that are refined all the time.",
		options:   kinductionOptions,
		search:    (*hunter).static,
		inductive: true,
	}.engine()
}

func (m method) engine() engine.Engine {
	return engine.Engine{
		Name: m.name, Doc: m.doc, Options: m.table(new(options)), Fragment: func(*chc.System) error { return nil }, Solve: m.solve,
	}
}

// table is the table of the method's options.
func (m method) table(o *options) []engine.Option {
	table := o.table()
	if m.options != nil {
		m.options(o, table)
	}
	return table
}

func (m method) solve(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	var o options
	if err := engine.Bind(m.table(&o), s.Options); err != nil {
		return engine.Answer{}, err
	}
	answer, err := m.decide(ctx, sys, s, o)
	return engine.Ended(ctx, m.name, answer, err)
}

func (m method) decide(ctx context.Context, sys *chc.System, s engine.Settings, o options) (engine.Answer, error) {
	h, err := m.newHunter(ctx, sys, s, o, o.direction == "forward" && sys.Linear())
	if err != nil {
		return engine.Answer{}, err
	}
	defer h.close()
	if o.direction == "both" && m.inductive && sys.Linear() {
		if h.opposite, err = m.newHunter(ctx, sys, s, o, true); err != nil {
			return engine.Answer{}, err
		}
		defer h.opposite.close()
	}
	answer, err := m.search(h, ctx)
	if err == nil && answer.Verdict == engine.Unsat {
		answer.Refutation, err = h.carryBack(ctx, answer.Refutation)
	}
	return answer, err
}

// newHunter returns a hunter for the system, from its facts on when it is reversed, with what the method assumes.
func (m method) newHunter(ctx context.Context, sys *chc.System, s engine.Settings, o options, reverse bool) (*hunter, error) {
	inlined := sys
	if reverse {
		inlined = reversed(sys)
	}
	var assumed transform.Translator
	if m.inductive {
		var err error
		if inlined, assumed, err = assume.Pass().Run(ctx, transform.Environment{Open: s.Open}, inlined); err != nil {
			return nil, err
		}
	}
	h, err := newHunter(sys, inlined, s, o)
	if err != nil {
		return nil, err
	}
	h.begun, h.reversed, h.assumed = work.Now(ctx), reverse, assumed
	if o.share == "first" {
		h.startSharing()
	}
	return h, nil
}

// carryBack makes of a refutation of the system that is inlined one of the system that is asked about. Models are of that one
// already.
func (h *hunter) carryBack(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	if h.assumed != nil {
		var err error
		r, err = h.assumed.Refutation(ctx, r)
		switch {
		case transform.GaveUp(err):
			return nil, &engine.Incomplete{Reason: err.Error()}
		case err != nil:
			return nil, err
		}
	}
	if h.reversed {
		r = refutationBack(h.asked, r)
	}
	return r, nil
}

// reversed returns a linear system read from the other end: heads and bodies change places, so that facts become queries
// and queries facts, and a predicate means what leads to a query. Its clauses have the places of the system's.
func reversed(sys *chc.System) *chc.System {
	out := *sys
	out.Clauses = make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		r := *c
		r.Head, r.Body = nil, nil
		if len(c.Body) > 0 {
			r.Head = &c.Body[0]
		}
		if c.Head != nil {
			r.Body = []chc.App{*c.Head}
		}
		out.Clauses[i] = &r
	}
	return &out
}

// refutationBack is the refutation of a system that one of the reversed one is: the same chain from its other end.
func refutationBack(sys *chc.System, r *witness.Refutation) *witness.Refutation {
	chain := []witness.Step{r.Steps[len(r.Steps)-1]}
	for len(chain[len(chain)-1].Premises) > 0 {
		chain = append(chain, r.Steps[chain[len(chain)-1].Premises[0]])
	}
	b := witness.NewRefutationBuilder(sys.Pool)
	last := 0
	for i, s := range chain {
		var premises []int
		if i > 0 {
			premises = []int{last}
		}
		last = b.Add(sys.Clauses[s.Clause.ID], s.Values, premises)
	}
	return b.Refutation(last)
}
