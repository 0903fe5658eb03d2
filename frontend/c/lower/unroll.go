package lower

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/lower/ranges"
	"hornbeam/frontend/c/machine"
)

// Unroll copies the iterations of loops with operations that the mode Ranged does not lower exactly, where ranges bound the
// number of iterations: masks and shifts by the counter are exact then. The runs stay the same. The program is one that
// machine.Declare has resolved, and so is the result.
func Unroll(ctx context.Context, p *ast.Program, o Options) (*loops.Unrolled, error) {
	same := &loops.Unrolled{Program: p, Origin: map[ast.Stmt]ast.Stmt{}}
	all := loops.Of(p)
	if len(all) == 0 || !hasBits(p) {
		return same, nil
	}
	o.Mode, o.Plan, o.Checked = Ranged, nil, false
	l, err := newLowering(ctx, p, o)
	if err == nil {
		err = l.lower(ctx, p)
	}
	if err != nil {
		return nil, fmt.Errorf("find loops to unroll: %w", err)
	}
	same.Known = l.ranges
	inexact := map[ast.Stmt]bool{}
	for _, occurrence := range l.out.Occurrences {
		inexact[occurrence.Statement] = true
	}
	room := maxStatements
	counts := map[string]int{}
	for _, loop := range all {
		if !loop.Contains(inexact) {
			continue
		}
		most := min(maxIterations, room/(loop.Size+1)) - 1
		if most < 0 {
			continue
		}
		n, ends, err := l.ranges.Iterations(loop.Procedure, loop.Label.Name, most)
		if errors.Is(err, ranges.ErrTooLarge) {
			break
		}
		switch {
		case err != nil:
			return nil, err
		case ends && n > 0:
			counts[loop.Key()] = n
			room -= n * loop.Size
		}
	}
	if len(counts) == 0 {
		return same, nil
	}
	return loops.Expand(p, counts, nil)
}

// hasBits reports whether a program has operations that constants can make exact.
func hasBits(p *ast.Program) bool {
	found := false
	machine.EachExpression(p, func(e ast.Expr) {
		if o, _, ok := machine.Recognise(e); ok {
			switch o.Op {
			case machine.And, machine.Or, machine.Xor, machine.Shl, machine.Shr, machine.Div, machine.Rem:
				found = true
			}
			found = found || o.Op.Floats()
		}
	})
	return found
}
