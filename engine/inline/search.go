package inline

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// search is the state of stratified inlining, apart from the tree.
type search struct {
	*hunter
	// bound is the present recursion bound: sites that cost more are blocked in query 2.
	bound int
	// round counts the first queries.
	round int
	// due is the round in which query 2 is asked whatever the core.
	due int
	// resume is the round before which query 2 is not asked, since it was too hard; pause is what the next such makes it.
	resume, pause int
	// openTracesFrom is the size of the tree from which a counterexample of an abstraction is checked although sites on it
	// are open.
	openTracesFrom int
	labels         bounded
}

// stratified is the loop of Fig. 2, with the core of query 1 before query 2: an empty core proves, a core of sites
// beyond the bound raises it, since query 2 is unsatisfiable too then, and a small core is inlined as it is. Query 2 is
// asked where the core says too little, and now and then for the proof's sake.
func (h *hunter) stratified(ctx context.Context) (engine.Answer, error) {
	s := &search{hunter: h, bound: h.options.firstBound(), due: h.options.overEvery, pause: 1}
	h.raised(s.bound)
	for {
		if answer, err := s.step(ctx); err != nil || answer != nil {
			return deref(answer), err
		}
	}
}

func deref(a *engine.Answer) engine.Answer {
	if a == nil {
		return engine.Answer{}
	}
	return *a
}

// step asks query 1, and inlines some sites or has the answer.
func (s *search) step(ctx context.Context) (*engine.Answer, error) {
	s.round++
	status, core, err := s.ask(ctx, under, s.open, false)
	switch {
	case err != nil:
		return nil, err
	case status == smt.Sat:
		return s.found(ctx)
	case status == smt.Unsat && len(core) == 0:
		return answered(s.safe(ctx))
	case status == smt.Unsat:
		s.learn(core)
	default:
		s.undecided = true
	}
	return s.refine(ctx, core)
}

func answered(a engine.Answer, err error) (*engine.Answer, error) { return &a, err }

// refine inlines sites after a first query without model: those of its core, or those on a counterexample of query 2.
// The bound rises as often as it must, since that changes nothing about query 1.
func (s *search) refine(ctx context.Context, core []*site) (*engine.Answer, error) {
	for {
		near := slices.DeleteFunc(slices.Clone(core), func(o *site) bool { return o.cost > s.bound })
		if len(core) > 0 && len(near) == 0 {
			if answer, err := s.raise(ctx, core); answer != nil || err != nil {
				return answer, err
			}
			continue
		}
		within, beyond := s.beyond(s.bound)
		if len(near) > 0 && !s.checksOpenTraces() && s.trust(near, within) {
			return nil, s.inlineCore(ctx, near)
		}
		status, blocked, err := s.ask(ctx, over, beyond, len(near) > 0 && s.options.choice == "mixed")
		switch {
		case err != nil:
			return nil, err
		case status == smt.Sat:
			return s.follow(ctx, core)
		case status == smt.Unknown && len(near) > 0:
			s.pause *= 2
			s.resume = s.round + s.pause
			return nil, s.inlineCore(ctx, near)
		case status == smt.Unknown:
			return nil, s.leftOpen()
		case len(blocked) == 0:
			return answered(s.safe(ctx))
		}
		if answer, err := s.raise(ctx, blocked); answer != nil || err != nil {
			return answer, err
		}
	}
}

// checksOpenTraces reports whether a counterexample with open sites is checked on the clauses now.
func (s *search) checksOpenTraces() bool {
	return s.tracking != nil && s.nodes >= max(s.openTracesFrom, firstOpenTraces)
}

// raise lifts the bound to where the first of the sites, all beyond it, is within. There is no counterexample without
// these sites: it returns an answer when that is made a proof, or when the bound would be more than the user's.
func (s *search) raise(ctx context.Context, beyond []*site) (*engine.Answer, error) {
	s.explored(leastCost(beyond) - 1)
	if answer, err := s.prove(ctx, beyond); answer != nil || err != nil {
		return answer, err
	}
	bound := leastCost(beyond)
	if s.exceeded(bound) {
		answer := s.noBug(s.options.bound)
		return &answer, nil
	}
	s.bound = bound
	s.raised(bound)
	return nil, nil
}

// inlineCore inlines sites of a core of query 1: every derivation calls one of the core's.
func (s *search) inlineCore(ctx context.Context, near []*site) error {
	s.count("inline.rounds.core", 1)
	return s.expand(ctx, near)
}

// follow inlines the open sites on the counterexample in the model of query 2; if it has none it is a refutation.
func (s *search) follow(ctx context.Context, core []*site) (*engine.Answer, error) {
	m, err := s.solver.Model()
	if err != nil {
		return nil, err
	}
	d := s.cheapest(m)
	switch {
	case d.costs[s.root] == 0:
		return s.refuted(ctx, d, m)
	case d.costs[s.root] >= impassable:
		return nil, errNoDerivation
	}
	if s.checksOpenTraces() {
		if spurious, err := s.spurious(ctx, d); err != nil || spurious {
			return nil, err
		}
		s.openTracesFrom = openTracesGrowth * s.nodes
	}
	s.count("inline.rounds.trace", 1)
	return nil, s.expand(ctx, s.shortened(d.openSites(s.root), core))
}

// found is the answer for the model of a first query: the refutation that is in it, none when it was spurious.
func (h *hunter) found(ctx context.Context) (*engine.Answer, error) {
	m, err := h.solver.Model()
	if err != nil {
		return nil, err
	}
	d := h.cheapest(m)
	if d.costs[h.root] > 0 {
		return nil, errNoDerivation
	}
	return h.refuted(ctx, d, m)
}

// exceeded reports whether a bound is more than the user's.
func (h *hunter) exceeded(bound int) bool { return h.options.bound > 0 && bound > h.options.bound }

// explored notes that the solver has excluded every counterexample whose call sites cost at most bound: what is known
// when the search is stopped, or begun anew on the same clauses.
func (h *hunter) explored(bound int) {
	if n := int64(bound); n > h.settings.Stats.Get("inline.explored") {
		h.set("inline.explored", n)
	}
}

// learn asserts what query 1 has shown: every derivation calls one of the core's sites. The solver would find it again.
func (h *hunter) learn(core []*site) {
	calls := make([]*term.Term, len(core))
	for i, s := range core {
		calls[i] = s.edge
	}
	h.assert(h.pool.Or(calls...))
}

// trust reports whether to inline the core's sites without asking query 2.
func (s *search) trust(near, within []*site) bool {
	switch s.options.choice {
	case "core":
		return true
	case "trace":
		return false
	}
	if s.round < s.resume {
		return true
	}
	if s.options.overEvery > 0 && s.round >= s.due {
		s.due = s.round + s.options.overEvery
		return false
	}
	return len(within) == 1 || 100*len(near) <= s.options.coreShare*len(within)
}

// shortened returns the sites of a long counterexample that are also in the core: each counterexample has one.
func (s *search) shortened(trace, core []*site) []*site {
	if len(trace) <= s.options.sitesAtOnce {
		return trace
	}
	both := slices.DeleteFunc(slices.Clone(trace), func(o *site) bool { return !slices.Contains(core, o) })
	if len(both) == 0 {
		return trace
	}
	return both
}
