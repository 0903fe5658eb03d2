package bits

import (
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// candidates offers, at the head of a loop, what is known of the divisibility of variables there, which is hard to find for
// those who prove. It is marked {:candidate}: nobody takes it to hold without a proof.
func (l *lowering) candidates(at *ast.Label) []ast.Stmt {
	known := l.ranges.heads[head{l.procedure.name, at.Name}]
	var vs []*ast.Variable
	for v, in := range known {
		if in.congruence.known() && sortOf(v.Syntax).shape == word {
			vs = append(vs, v)
		}
	}
	slices.SortFunc(vs, func(v, w *ast.Variable) int { return strings.Compare(v.Name, w.Name) })
	b := builder{at.Pos}
	var out []ast.Stmt
	for _, v := range vs {
		c := known[v].congruence
		var holds ast.Expr
		switch k := c.low(sortOf(v.Syntax).word.Bits); {
		case !l.classes.vectorVariable(v):
			holds = b.equal(b.modulo(b.name(v.Name), c.step), b.number(c.rest))
		case k > 0:
			holds = b.equal(&ast.Extract{Node: b.node(), X: b.name(v.Name), High: k, Low: 0}, b.vector(new(big.Int).Mod(c.rest, power(k)), k))
		default:
			continue
		}
		out = append(out, &ast.Assert{Pos: at.Pos, Attributes: ast.Attributes{{Name: "candidate"}}, Cond: holds})
	}
	return out
}
