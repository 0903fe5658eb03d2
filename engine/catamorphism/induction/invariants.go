package induction

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Invariants are formulas over a predicate's canonical parameters that hold in each of its derivations, by predicate ID.
type Invariants [][]*term.Term

// FindInvariants recognises library predicates that say what components cannot: of the equalities and disequalities
// between arguments of one datatype, those that hold by induction over the clauses, such as x != y for a predicate "diseq"
// that clauses define. Folds forget that two values differ, so these are kept as formulas over the datatypes.
func FindInvariants(ctx context.Context, check Check, sys *chc.System) (Invariants, error) {
	p := sys.Pool
	inv := make(Invariants, len(sys.Predicates))
	n := 0
	for i, pred := range sys.Predicates {
		params := witness.CanonicalParams(p, pred)
		for k, x := range params {
			for _, y := range params[:k] {
				if x.Sort() == y.Sort() && x.Sort().Data != nil && n < mostInvariantCandidates {
					inv[i] = append(inv[i], p.Eq(y, x), p.Ne(y, x))
					n += 2
				}
			}
		}
	}
	for changed := n > 0; changed; {
		changed = false
		for _, c := range sys.Clauses {
			if c.Head == nil || len(inv[c.Head.Pred.ID]) == 0 {
				continue
			}
			id := c.Head.Pred.ID
			premises := []*term.Term{c.Constraint}
			for _, b := range c.Body {
				premises = append(premises, inv.Of(p, b)...)
			}
			goals := inv.Of(p, *c.Head)
			var kept []*term.Term
			for k, f := range inv[id] {
				status, err := check(ctx, append(slices.Clip(premises), p.Not(goals[k]))...)
				if err != nil {
					return nil, fmt.Errorf("looking for invariants of %s: %w", term.QuoteSymbol(c.Head.Pred.Name), err)
				}
				if status == smt.Unsat {
					kept = append(kept, f)
				}
			}
			changed = changed || len(kept) < len(inv[id])
			inv[id] = kept
		}
	}
	return inv, nil
}

// Of returns the invariants of an atom.
func (inv Invariants) Of(p *term.Pool, a chc.App) []*term.Term {
	params := witness.CanonicalParams(p, a.Pred)
	out := make([]*term.Term, len(inv[a.Pred.ID]))
	for i, f := range inv[a.Pred.ID] {
		out[i] = witness.Interpretation{Params: params, Body: f}.Apply(p, a.Args)
	}
	return out
}

// Facts returns, for each clause, the invariants of its body.
func (inv Invariants) Facts(sys *chc.System) [][]*term.Term {
	out := make([][]*term.Term, len(sys.Clauses))
	for i, c := range sys.Clauses {
		for _, b := range c.Body {
			out[i] = append(out[i], inv.Of(sys.Pool, b)...)
		}
	}
	return out
}

// Count is the number of invariants of all predicates.
func (inv Invariants) Count() int {
	n := 0
	for _, fs := range inv {
		n += len(fs)
	}
	return n
}
