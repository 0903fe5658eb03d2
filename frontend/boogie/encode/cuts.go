package encode

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// chooseFewCuts makes cut points where loops are left, and where runs meet that have made too many different calls.
func (b *body) chooseFewCuts() {
	// A number stands for what made the atoms of a run: a cut point, or a call after what another number stands for.
	type call struct {
		before  int
		command *flow.Command
	}
	numbers := map[call]int{}
	next := 0
	fresh := func() int { next++; return next }
	begins := make([][]int, len(b.graph.Blocks))
	for i, block := range b.graph.Blocks {
		b.cut[i] = i > 0 && (block.Loop || len(begins[i]) > maxCalls)
		at := begins[i]
		if i == 0 || b.cut[i] || len(at) == 0 {
			at = []int{fresh()}
		}
		at = slices.Clone(at)
		for _, c := range block.Commands {
			if s, ok := c.Source.(*ast.Call); ok && !b.byContract(s.Procedure) {
				for k, n := range at {
					if numbers[call{n, c}] == 0 {
						numbers[call{n, c}] = fresh()
					}
					at[k] = numbers[call{n, c}]
				}
			}
		}
		for _, n := range block.Next {
			for _, a := range at {
				if n.Index > i && !slices.Contains(begins[n.Index], a) {
					begins[n.Index] = append(begins[n.Index], a)
				}
			}
		}
	}
}

// sameAtoms reports whether two states were derived from the same, so that one clause may be about both.
func sameAtoms(s, t *state) bool {
	return slices.EqualFunc(s.atoms, t.atoms, func(a, b chc.App) bool {
		return a.Pred == b.Pred && slices.EqualFunc(a.Args, b.Args, func(x, y *term.Term) bool { return x == y })
	})
}
