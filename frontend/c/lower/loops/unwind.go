package loops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/ranges"
)

// Unwind copies the iterations of all loops, nested ones too, and what follows a loop once for each iteration that may be its last, so
// that loop counters are constants everywhere. It reports whether ranges bound all loops; otherwise the result is of no use.
func Unwind(ctx context.Context, p *ast.Program, pointerBits int) (*Unrolled, bool, error) {
	out := &Unrolled{Program: p, Origin: map[ast.Stmt]ast.Stmt{}}
	done := map[string]bool{}
	budget := unwindStatements
	for range unwindRounds {
		var open []Loop
		for _, l := range Of(out.Program) {
			if !done[l.Key()] {
				open = append(open, l)
			}
		}
		if len(open) == 0 {
			return out, true, nil
		}
		r, err := ranges.Analyse(ctx, out.Program, ranges.Options{PointerBits: pointerBits, Bounded: true})
		if err != nil {
			return nil, false, fmt.Errorf("bound the iterations of loops: %w", err)
		}
		counts := map[string]int{}
		for _, l := range open {
			done[l.Key()] = true
			n, ends, err := r.Iterations(l.Procedure, l.Label.Name, min(unwindIterations, budget/(l.Size+1)))
			switch {
			case errors.Is(err, ranges.ErrTooLarge), err == nil && !ends:
				return out, false, nil
			case err != nil:
				return nil, false, err
			case n > 0:
				counts[l.Key()] = n
				budget -= n * l.Size
			}
		}
		if len(counts) == 0 {
			continue
		}
		next, err := Expand(out.Program, counts, &budget)
		if err != nil {
			return nil, false, err
		}
		for n, s := range next.Origin {
			if first, ok := out.Origin[s]; ok {
				next.Origin[n] = first
			}
		}
		maps.Copy(next.Origin, out.Origin)
		for _, l := range next.Residual {
			// Residual loops are not unwound again.
			for _, procedure := range next.Program.Procedures {
				done[procedure.Name+" "+l.Name] = true
			}
		}
		next.Residual = append(out.Residual, next.Residual...)
		out = next
	}
	return out, false, nil
}

// tail is what follows a loop at the end of a procedure.
type tail struct {
	stmts []ast.Stmt
	// labels are the labels in stmts.
	labels map[string]string
}

// tailOf returns what follows a loop at the end of a procedure, for a number of iterations. It is copied (ok) if its labels are reached
// from the loop and from itself only, and the budget allows for the copies.
func (u unrolling) tailOf(l Loop, rest []ast.Stmt, iterations int) (t tail, ok bool) {
	if u.budget == nil || !u.outermost {
		return t, false
	}
	size := 0
	ast.WalkStatements(rest, func(ast.Stmt) bool { size++; return true }, skip)
	if size*iterations > *u.budget {
		return t, false
	}
	both := slices.Concat(l.stmts, rest)
	if !Closed(both, u.jumps) {
		return t, false
	}
	*u.budget -= size * iterations
	return tail{stmts: rest, labels: jumpTargets(rest)}, true
}
