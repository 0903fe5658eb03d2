package bits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// Bounds of Unwind: rounds, turns of one loop, and statements that a program may gain.
const (
	unwindRounds     = 12
	unwindTurns      = 256
	unwindStatements = 20_000
)

// Unwind writes out the turns of all loops, those of loops in loops too, and what follows a loop once for each turn that may
// be its last, so that what counts turns is a constant everywhere. It reports whether ranges bound all loops; else the result
// is of no use. Like Unroll it keeps all runs, whatever the ranges say.
func Unwind(ctx context.Context, p *ast.Program, o Options) (*Unrolled, bool, error) {
	out := &Unrolled{Program: p, Origin: map[ast.Stmt]ast.Stmt{}}
	o.Mode, o.Plan, o.Checked = Ranged, nil, false
	done := map[string]bool{}
	room := unwindStatements
	for range unwindRounds {
		var open []loop
		for _, l := range loopsOf(out.Program) {
			if !done[l.key()] {
				open = append(open, l)
			}
		}
		if len(open) == 0 {
			return out, true, nil
		}
		o.Copies = out.Origin
		ranges, err := analyse(ctx, out.Program, o)
		if err != nil {
			return nil, false, fmt.Errorf("find the turns of loops: %w", err)
		}
		turns := map[string]int{}
		for _, l := range open {
			done[l.key()] = true
			body := ranges.body(l.procedure)
			if body == nil {
				return out, false, nil
			}
			n, ends, err := ranges.turns(body, l.label.Name, min(unwindTurns, room/(l.size+1)))
			switch {
			case errors.Is(err, errTooMuch), err == nil && !ends:
				return out, false, nil
			case err != nil:
				return nil, false, err
			case n > 0:
				turns[l.key()] = n
				room -= n * l.size
			}
		}
		if len(turns) == 0 {
			continue
		}
		u := unrolling{turns: turns, origin: map[ast.Stmt]ast.Stmt{}, duplicate: true, room: &room}
		q, err := u.program(out.Program)
		if err != nil {
			return nil, false, err
		}
		for n, s := range u.origin {
			if first, ok := out.Origin[s]; ok {
				u.origin[n] = first
			}
		}
		maps.Copy(u.origin, out.Origin)
		behind := u.behind(open)
		for _, l := range behind {
			// What is left of a loop is no loop that is to be unwound.
			for _, procedure := range q.Procedures {
				done[procedure.Name+" "+l.Name] = true
			}
		}
		out = &Unrolled{Program: q, Origin: u.origin, Behind: append(out.Behind, behind...)}
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
func (u unrolling) tailOf(l loop, rest []ast.Stmt, turns int) (t tail, ok bool) {
	if !u.duplicate || !u.outermost {
		return t, false
	}
	size := 0
	ast.WalkStatements(rest, func(ast.Stmt) bool { size++; return true }, skip)
	if size*turns > *u.room {
		return t, false
	}
	both := slices.Concat(l.stmts, rest)
	if !closed(both, u.jumps) {
		return t, false
	}
	*u.room -= size * turns
	return tail{stmts: rest, labels: jumpTargets(rest)}, true
}
