package catamorphism

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine/catamorphism/induction"
	"hornbeam/internal/smt"
)

// findTemplates finds invariants of a system over numbers, the clauses over an encoding: recursive definitions of addition,
// order or minimum say these in a way that the prover has to rediscover step by step. Of a fixed set of candidates, bounds
// and sums of up to three arguments and disjunctions of two such, it returns those that hold by induction over the
// clauses (Houdini), over the predicates' canonical parameters.
func findTemplates(ctx context.Context, q *querier, sys *chc.System, o *options) (induction.Invariants, error) {
	inv := make(induction.Invariants, len(sys.Predicates))
	for i, p := range sys.Predicates {
		inv[i] = templates(sys.Pool, witness.CanonicalParams(sys.Pool, p), o)
	}
	// Facts first: they falsify most candidates at the least cost.
	clauses := slices.DeleteFunc(slices.Clone(sys.Clauses), func(c *chc.Clause) bool { return c.Head == nil })
	slices.SortStableFunc(clauses, func(a, b *chc.Clause) int { return len(a.Body) - len(b.Body) })
	for changed := true; changed; {
		changed = false
		for _, c := range clauses {
			n := len(inv[c.Head.Pred.ID])
			if err := weaken(ctx, inv, q, sys.Pool, c); err != nil {
				return nil, fmt.Errorf("looking for invariants of %s: %w", term.QuoteSymbol(c.Head.Pred.Name), err)
			}
			changed = changed || len(inv[c.Head.Pred.ID]) < n
		}
	}
	for i := range inv {
		var err error
		if inv[i], err = independent(ctx, q, sys.Pool, strongest(inv[i])); err != nil {
			return nil, fmt.Errorf("looking for invariants: %w", err)
		}
	}
	return inv, nil
}

// independent returns a part of the formulas, the first ones by preference, that implies all of them.
func independent(ctx context.Context, q *querier, p *term.Pool, fs []*term.Term) ([]*term.Term, error) {
	implied := func(by []*term.Term, f *term.Term) (bool, error) {
		status, err := q.check(ctx, append(slices.Clip(by), p.Not(f))...)
		return status == smt.Unsat, err
	}
	var kept []*term.Term
	for _, f := range fs {
		if ok, err := implied(kept, f); err != nil {
			return nil, err
		} else if !ok {
			kept = append(kept, f)
		}
	}
	for i := len(kept) - 1; i >= 0; i-- {
		others := slices.Delete(slices.Clone(kept), i, i+1)
		if ok, err := implied(others, kept[i]); err != nil {
			return nil, err
		} else if ok {
			kept = others
		}
	}
	return kept, nil
}

// weaken drops the invariants of a clause's head that the clause does not preserve, those at once that are false in one
// counterexample.
func weaken(ctx context.Context, inv induction.Invariants, q *querier, p *term.Pool, c *chc.Clause) error {
	id := c.Head.Pred.ID
	if len(inv[id]) == 0 {
		return nil
	}
	if err := q.solver.Push(); err != nil {
		return err
	}
	defer q.solver.Pop()
	premises := []*term.Term{c.Constraint}
	for _, b := range c.Body {
		premises = append(premises, strongest(inv.Of(p, b))...)
	}
	if err := q.solver.Assert(premises...); err != nil {
		return err
	}
	goals := inv.Of(p, *c.Head)
	known := map[*term.Term]bool{}
	for _, t := range premises {
		known[t] = true
	}
	for len(inv[id]) > 0 {
		open := false
		var negated []*term.Term
		for _, g := range goals {
			if !g.IsTrue() && !known[g] {
				negated = append(negated, p.Not(g))
				open = true
			}
		}
		if !open {
			return nil
		}
		var status smt.Status
		var m *smt.Model
		err := smt.Within(q.solver, []*term.Term{p.Or(negated...)}, func() (err error) {
			if status, err = q.solver.Check(ctx); err == nil && status == smt.Sat {
				m, err = q.solver.Model()
			}
			return err
		})
		if err != nil || status == smt.Unsat {
			return err
		}
		if m == nil {
			// Undecided: nothing is known to be preserved.
			inv[id] = nil
			return nil
		}
		e := term.NewEvaluator(p, term.Complete(p, m))
		var kept, keptGoals []*term.Term
		for k, g := range goals {
			if known[g] || !e.False(g) {
				kept, keptGoals = append(kept, inv[id][k]), append(keptGoals, g)
			}
		}
		if len(kept) == len(goals) {
			inv[id] = nil
			return nil
		}
		inv[id], goals = kept, keptGoals
	}
	return nil
}

// strongest drops disjunctions with a disjunct that is there by itself.
func strongest(fs []*term.Term) []*term.Term {
	has := map[*term.Term]bool{}
	for _, f := range fs {
		has[f] = true
	}
	return slices.DeleteFunc(slices.Clone(fs), func(f *term.Term) bool {
		return f.IsOr() && slices.ContainsFunc(f.Args(), func(d *term.Term) bool { return has[d] })
	})
}

// templates are the candidates over the parameters of a predicate.
func templates(p *term.Pool, params []*term.Term, o *options) []*term.Term {
	atoms := templateAtoms(p, params, o)
	out := slices.Clone(atoms)
	seen := map[*term.Term]bool{}
	for _, a := range atoms {
		seen[a] = true
	}
	paired := atoms[:min(len(atoms), o.templatePairs)]
	for i, a := range paired {
		for _, b := range paired[:i] {
			if d := p.Or(b, a); d.IsOr() && len(d.Args()) == 2 && !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}

// templateAtoms are relations between up to three numbers, and the truth of Booleans; simple ones first.
func templateAtoms(p *term.Pool, params []*term.Term, o *options) []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	add := func(ts ...*term.Term) {
		for _, t := range ts {
			if !t.IsTrue() && !t.IsFalse() && !seen[t] && len(out) < o.templateAtoms {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	var xs []*term.Term
	zero, one := p.Int(0), p.Int(1)
	for _, x := range params {
		switch x.Sort() {
		case term.Bool:
			add(x, p.Not(x))
		case term.Int:
			xs = append(xs, x)
			add(p.Eq(x, zero), p.Ge(x, one))
		}
	}
	for i, x := range xs {
		for _, y := range xs[:i] {
			add(p.Eq(x, y), p.Le(x, y), p.Le(y, x))
		}
	}
	sums := func(relate func(x, y, z *term.Term)) {
		for _, x := range xs {
			for j, y := range xs {
				for _, z := range xs[:j] {
					if x != y && x != z {
						relate(x, y, z)
					}
				}
			}
		}
	}
	sums(func(x, y, z *term.Term) { add(p.Eq(x, p.Add(y, z))) })
	for i, x := range xs {
		for _, y := range xs[:i] {
			add(p.Lt(x, y), p.Lt(y, x))
		}
	}
	for _, x := range xs {
		add(p.Ge(x, zero), p.Le(x, zero), p.Eq(x, one), p.Le(x, one))
	}
	for i, x := range xs {
		for _, y := range xs[:i] {
			add(p.Eq(x, p.Add(y, one)), p.Eq(y, p.Add(x, one)))
		}
	}
	two := term.NewInt(2)
	parity := func(t *term.Term) { add(p.Divides(two, t), p.Not(p.Divides(two, t))) }
	for i, x := range xs {
		parity(x)
		for _, y := range xs[:i] {
			parity(p.Add(x, y))
		}
	}
	sums(func(x, y, z *term.Term) {
		parity(p.Add(x, y, z))
		s := p.Add(y, z)
		add(p.Le(x, s), p.Le(s, x), p.Eq(x, p.Add(s, one)))
	})
	return out
}
