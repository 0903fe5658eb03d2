package inline

import (
	"context"
	"slices"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// stratified is the loop of Fig. 2, with the core of query 1 before query 2: an empty core proves, a core of sites
// beyond the bound raises it, since query 2 is unsatisfiable too then, and a small core is inlined as it is. Query 2 is
// asked where the core says too little, and now and then for the proof's sake.
func (h *hunter) stratified(ctx context.Context) (engine.Answer, error) {
	bound := 1
	h.raised(bound)
	for round := 1; ; round++ {
		status, core, err := h.ask(ctx, under, h.open, false)
		switch {
		case err != nil:
			return engine.Answer{}, err
		case status == smt.Sat:
			return h.found(ctx)
		case status == smt.Unsat && len(core) == 0:
			return h.safe(ctx)
		case status == smt.Unsat:
			h.learn(core)
		default:
			h.undecided = true
		}
		// Raising the bound changes nothing about query 1; so the round goes on until something is inlined.
		for inlined := false; !inlined; {
			near := slices.DeleteFunc(slices.Clone(core), func(s *site) bool { return s.cost > bound })
			if len(core) > 0 && len(near) == 0 {
				if bound = leastCost(core); h.exceeded(bound) {
					return h.noBug(h.options.bound), nil
				}
				h.raised(bound)
				continue
			}
			within, beyond := h.beyond(bound)
			if len(near) > 0 && h.trust(near, within, round) {
				h.count("inline.rounds.core", 1)
				h.expand(near)
				break
			}
			status, overCore, err := h.ask(ctx, over, beyond, len(near) > 0 && h.options.policy == "mixed")
			switch {
			case err != nil:
				return engine.Answer{}, err
			case status == smt.Unknown && len(near) > 0:
				// Any site of the core will do, since every derivation calls one.
				h.count("inline.rounds.core", 1)
				h.expand(near)
				inlined = true
				continue
			case status == smt.Unknown:
				return engine.Answer{}, &incomplete{"the solver left the query open: " + h.solver.ReasonUnknown()}
			case status == smt.Unsat && len(overCore) == 0:
				return h.safe(ctx)
			case status == smt.Unsat:
				if bound = leastCost(overCore); h.exceeded(bound) {
					return h.noBug(h.options.bound), nil
				}
				h.raised(bound)
				continue
			}
			m, err := h.solver.Model()
			if err != nil {
				return engine.Answer{}, err
			}
			d := h.cheapest(m)
			switch {
			case d.costs[h.root] == 0:
				return h.unsafe(ctx, d, m)
			case d.costs[h.root] >= impassable:
				return engine.Answer{}, &incomplete{"the solver's model has no derivation"}
			}
			h.count("inline.rounds.trace", 1)
			h.expand(h.stingy(d.openSites(h.root), core))
			inlined = true
		}
	}
}

// found is the answer for the model that the solver has: the refutation that is in it.
func (h *hunter) found(ctx context.Context) (engine.Answer, error) {
	m, err := h.solver.Model()
	if err != nil {
		return engine.Answer{}, err
	}
	d := h.cheapest(m)
	if d.costs[h.root] > 0 {
		return engine.Answer{}, &incomplete{"the solver's model has no derivation"}
	}
	return h.unsafe(ctx, d, m)
}

// exceeded reports whether a bound is more than the user's.
func (h *hunter) exceeded(bound int) bool { return h.options.bound > 0 && bound > h.options.bound }

// learn asserts what query 1 has shown: every derivation calls one of the core's sites. The solver would find it again.
func (h *hunter) learn(core []*site) {
	clause := h.pool.False()
	for _, s := range core {
		clause = h.pool.Or(clause, s.edge)
	}
	h.assert(clause)
}

// trust reports whether to inline the core's sites without asking query 2.
func (h *hunter) trust(near, within []*site, round int) bool {
	switch h.options.policy {
	case "core":
		return true
	case "trace":
		return false
	}
	if h.options.overEvery > 0 && round%h.options.overEvery == 0 {
		return false
	}
	return len(within) == 1 || 100*len(near) <= h.options.share*len(within)
}

// stingy returns the sites of a long counterexample that are also in the core: each counterexample has one.
func (h *hunter) stingy(trace, core []*site) []*site {
	if len(trace) <= h.options.stingy {
		return trace
	}
	both := slices.DeleteFunc(slices.Clone(trace), func(s *site) bool { return !slices.Contains(core, s) })
	if len(both) == 0 {
		return trace
	}
	return both
}
