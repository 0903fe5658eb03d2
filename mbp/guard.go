package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// Guarded adds to a cube the testers without which a selector in it may be one of the wrong constructor: the literal
// would have no value of its own then, and neither evaluation nor projection could do anything with it. Rules are free
// of such selectors; cubes lose their guards where projection or generalisation drops them.
func Guarded(p *term.Pool, cube []*term.Term) []*term.Term {
	var guards []*term.Term
	for _, t := range cube {
		term.Walk(t, func(u *term.Term) bool {
			if u.Op() == term.Field && len(u.Sel().Ctor.Data.Constructors) > 1 {
				guards = append(guards, p.Is(u.Sel().Ctor, u.Arg(0)))
			}
			return !u.IsQuantifier()
		})
	}
	cube = slices.Clip(cube)
	// Walk meets a term before its parts; the guards of the parts come first.
	for _, g := range slices.Backward(guards) {
		if !g.IsTrue() && !slices.Contains(cube, g) {
			cube = append(cube, g)
		}
	}
	return cube
}
