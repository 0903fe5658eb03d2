package proof

import (
	"context"
	"slices"

	"hornbeam/chc/reduce"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/smt"
)

// Reduction says how claims are reduced.
type Reduction struct {
	Open smt.Opener
	// Known holds of the values that a claim's formula is about anyway, by their types; it may be nil.
	Known func(c *Claim, parts []*term.Term) []*term.Term
	// Sayable reports whether there are words for a condition, beside Boogie's own; it may be nil. What is unsayable makes nothing
	// else superfluous.
	Sayable func(ast.Expr) bool
}

// Reduce makes the parts of a claim shorter and fewer: they say the same where what is known holds. Errors are those of solvers, and
// that ctx is over; the claim is as it was then.
func (x *Expressions) Reduce(ctx context.Context, c *Claim, o Reduction) error {
	parts := c.Parts(x.pool)
	sayable := func(t *term.Term) bool {
		e, err := x.condition(c, t)
		return err == nil && (o.Sayable == nil || o.Sayable(e))
	}
	said := slices.DeleteFunc(slices.Clone(parts), func(t *term.Term) bool { return !sayable(t) })
	unsaid := slices.DeleteFunc(slices.Clone(parts), func(t *term.Term) bool { return slices.Contains(said, t) })
	options := reduce.Options{Open: o.Open, Case: c.cases()}
	if o.Known != nil {
		options.Known = o.Known(c, parts)
	}
	reduced, err := reduce.Conjunction(ctx, x.pool, said, options)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(reduced, func(t *term.Term) bool { return !sayable(t) }) {
		reduced = said
	}
	implied, err := reduce.Implied(ctx, x.pool, reduced, unsaid, options)
	if err != nil {
		return err
	}
	unsaid = slices.DeleteFunc(unsaid, func(t *term.Term) bool { return slices.Contains(implied, t) })
	c.reduced, c.isReduced = append(slices.Clone(reduced), unsaid...), true
	return nil
}

// cases are the atoms of what is ensured that are about what was when the procedure was entered.
func (c *Claim) cases() func(*term.Term) bool {
	if c.Kind != Ensures {
		return nil
	}
	changing := map[*term.Term]bool{}
	for _, n := range c.Names {
		if n.Argument.When == encode.Now {
			changing[n.Variable] = true
		}
	}
	return func(t *term.Term) bool { return !term.HasAny(t, changing) }
}

// Reduce makes the claims about an encoded program shorter. Where it fails, or ctx is over, the claims that are left are as they were.
func Reduce(ctx context.Context, e *encode.Encoding, claims []*Claim, open smt.Opener) error {
	x := NewExpressions(e)
	for _, c := range claims {
		if err := x.Reduce(ctx, c, Reduction{Open: open}); err != nil {
			return err
		}
	}
	return nil
}
