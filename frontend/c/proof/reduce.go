package proof

import (
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/tree"
)

// reduced is a claim in fewer words, given the ranges of C's types; as it is where there is no time for that.
func (v *inventor) reduced(c *boogie.Claim, x *expresser) *boogie.Claim {
	out := *c
	err := v.expressions.Reduce(v.ctx, &out, boogie.Reduction{
		Open: v.Open, Known: v.ranges,
		Sayable: func(e ast.Expr) bool {
			_, err := x.condition(e)
			return err == nil
		},
	})
	if err != nil {
		return c
	}
	return &out
}

// ranges says that variables, and the elements of maps that formulas mention, are in the ranges of their types.
func (v *inventor) ranges(c *boogie.Claim, parts []*term.Term) []*term.Term {
	pool := v.Encoding.System.Pool
	types := map[*term.Term]*tree.Integer{}
	for _, n := range c.Names {
		if n.Argument.Variable == nil {
			continue
		}
		if o := v.Translation.Origins.Named(c.Procedure.Name, n.Argument.Variable.Name); o != nil {
			if t, ok := o.Type.(*tree.Integer); ok {
				types[n.Variable] = t
			}
		}
	}
	var out []*term.Term
	add := func(t *term.Term, typ *tree.Integer) {
		if t.Sort() == term.Int && typ != nil {
			out = append(out, pool.Ge(t, pool.IntNum(term.NumFromBig(typ.Min()))), pool.Le(t, pool.IntNum(term.NumFromBig(typ.Max()))))
		}
	}
	for _, n := range c.Names {
		add(n.Variable, types[n.Variable])
	}
	bound := map[*term.Term]bool{}
	elements := map[*term.Term]bool{}
	for _, part := range parts {
		term.Walk(part, func(t *term.Term) bool {
			if t.IsQuantifier() {
				for _, b := range t.Bound() {
					bound[b] = true
				}
			}
			return true
		})
		term.Walk(part, func(t *term.Term) bool {
			if t.Op() == term.Select && t.Arg(0).IsVar() && !elements[t] && !term.HasAny(t, bound) {
				elements[t] = true
				add(t, types[t.Arg(0)])
			}
			return true
		})
	}
	return out
}
