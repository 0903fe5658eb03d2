package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// candidates returns the congruences of variables at the head of a loop as assertions. They are marked {:candidate}: engines may use
// them as lemmas once they have proved them.
func (l *lowering) candidates(at *ast.Label) []ast.Stmt {
	b := builder{at.Pos}
	var out []ast.Stmt
	for _, f := range l.ranges.CongruentAt(l.procedure.name, at.Name) {
		v, c := f.Variable, f.Congruence
		var holds ast.Expr
		switch k := c.Low(machine.SortOf(v.Syntax).Word.Bits); {
		case !l.classes.vectorVariable(v):
			holds = b.equal(b.modulo(b.name(v.Name), c.Modulus), b.number(c.Remainder))
		case k > 0:
			holds = b.equal(&ast.Extract{Node: b.node(), X: b.name(v.Name), High: k, Low: 0}, b.vector(new(big.Int).Mod(c.Remainder, machine.Power(k)), k))
		default:
			continue
		}
		out = append(out, &ast.Assert{Pos: at.Pos, Attributes: ast.Attributes{{Name: "candidate"}}, Cond: holds})
	}
	return out
}
