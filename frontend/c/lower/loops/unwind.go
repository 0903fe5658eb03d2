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

// Unwind writes out the turns of all loops, those of loops in loops too, and what follows a loop once for each turn that may
// be its last, so that what counts turns is a constant everywhere. It reports whether ranges bound all loops; else the result
// is of no use. Like Unroll it keeps all runs, whatever the ranges say.
func Unwind(ctx context.Context, p *ast.Program, pointerBits int) (*Unrolled, bool, error) {
	out := &Unrolled{Program: p, Origin: map[ast.Stmt]ast.Stmt{}}
	done := map[string]bool{}
	room := unwindStatements
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
			return nil, false, fmt.Errorf("find the turns of loops: %w", err)
		}
		turns := map[string]int{}
		for _, l := range open {
			done[l.Key()] = true
			n, ends, err := r.Iterations(l.Procedure, l.Label.Name, min(unwindTurns, room/(l.Size+1)))
			switch {
			case errors.Is(err, ranges.ErrTooLarge), err == nil && !ends:
				return out, false, nil
			case err != nil:
				return nil, false, err
			case n > 0:
				turns[l.Key()] = n
				room -= n * l.Size
			}
		}
		if len(turns) == 0 {
			continue
		}
		next, err := Expand(out.Program, turns, &room)
		if err != nil {
			return nil, false, err
		}
		for n, s := range next.Origin {
			if first, ok := out.Origin[s]; ok {
				next.Origin[n] = first
			}
		}
		maps.Copy(next.Origin, out.Origin)
		for _, l := range next.Behind {
			// What is left of a loop is no loop that is to be unwound.
			for _, procedure := range next.Program.Procedures {
				done[procedure.Name+" "+l.Name] = true
			}
		}
		next.Behind = append(out.Behind, next.Behind...)
		out = next
	}
	return out, false, nil
}

// tail copies what follows a loop for one of its turns, if the labels in there are reached from nowhere but the loop and what
// follows it, and there is room.
type tail struct {
	stmts []ast.Stmt
	// labels are those in stmts.
	labels map[string]string
}

// tailOf is what follows a loop of so many turns at the end of a procedure; ok is false where it is not to be copied.
func (u unrolling) tailOf(l Loop, rest []ast.Stmt, turns int) (t tail, ok bool) {
	if u.room == nil || !u.outermost {
		return t, false
	}
	size := 0
	ast.WalkStatements(rest, func(ast.Stmt) bool { size++; return true }, skip)
	if size*turns > *u.room {
		return t, false
	}
	both := slices.Concat(l.stmts, rest)
	if !Closed(both, u.jumps) {
		return t, false
	}
	*u.room -= size * turns
	return tail{stmts: rest, labels: jumpTargets(rest)}, true
}
