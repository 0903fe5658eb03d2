package refine

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// congruencesEngine is what finds sums modulo 2^width, and congruencesOptions have it look for no others, and no longer than they are likely to
// take.
const congruencesEngine = "affine"

var congruencesOptions = map[string]string{"affine.degree": "1", "affine.congruences": "true", "affine.limit": "500ms"}

// mostNodes is how many nodes a program has at most for which there are congruences: of larger ones, most of which are machines with many
// states, encoding alone takes seconds.
const mostNodes = 500

// wraps reports whether a small program adds or multiplies unsigned numbers, which may wrap around.
func wraps(p *tree.Program) bool {
	found, nodes := false, 0
	var look func(n tree.Node)
	look = func(n tree.Node) {
		nodes++
		switch n := n.(type) {
		case *tree.Binary:
			found = found || wrapsAround(n.Op, n.T)
		case *tree.Update:
			found = found || wrapsAround(n.Op, n.Compute)
		}
		if nodes <= mostNodes {
			tree.EachChild(n, look)
		}
	}
	for _, f := range p.Functions {
		if f.Body != nil {
			look(f.Body)
		}
	}
	return found && nodes <= mostNodes
}

func wrapsAround(op tree.BinaryOp, t tree.Type) bool {
	i, ok := t.(*tree.Integer)
	return ok && !i.Signed && slices.Contains([]tree.BinaryOp{tree.Add, tree.Sub, tree.Mul}, op)
}
