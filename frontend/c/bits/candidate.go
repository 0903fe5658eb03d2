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
	if known == nil {
		return nil
	}
	var facts []*fact
	known.facts.each(func(_ int, f *fact) {
		if f.congruence.known() && sortOf(f.variable.Syntax).shape == word {
			facts = append(facts, f)
		}
	})
	slices.SortFunc(facts, func(f, g *fact) int { return strings.Compare(f.variable.Name, g.variable.Name) })
	b := builder{at.Pos}
	var out []ast.Stmt
	for _, f := range facts {
		v, c := f.variable, f.congruence
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
