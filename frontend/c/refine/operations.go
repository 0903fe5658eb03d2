package refine

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// mostNodes is how many nodes a program has at most for which bit-vectors come early: of larger ones, most of which are machines with many
// states, encoding alone takes seconds.
const mostNodes = 500

// wraps reports whether a small program adds or multiplies unsigned numbers, which may wrap around.
func wraps(p *tree.Program) bool { return computes(p, wrapsAround) }

// computesBits reports whether a small program has operations on bits.
func computesBits(p *tree.Program) bool { return computes(p, ofBits) }

// computes reports whether a small program has such an operation.
func computes(p *tree.Program, such func(tree.BinaryOp, tree.Type) bool) bool {
	found, nodes := false, 0
	var look func(n tree.Node)
	look = func(n tree.Node) {
		nodes++
		switch n := n.(type) {
		case *tree.Binary:
			found = found || such(n.Op, n.T)
		case *tree.Update:
			found = found || such(n.Op, n.Compute)
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

func ofBits(op tree.BinaryOp, _ tree.Type) bool {
	return slices.Contains([]tree.BinaryOp{tree.And, tree.Or, tree.Xor, tree.Shl, tree.Shr}, op)
}
