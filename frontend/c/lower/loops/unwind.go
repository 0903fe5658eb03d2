package loops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/ranges"
	"hornbeam/frontend/c/machine"
)

// Unwind copies the iterations of all loops, nested ones too, and with tails what follows a loop once for each iteration that may be its
// last, so that loop counters are constants everywhere. It reports whether ranges bound all loops; otherwise the result is of no use.
func Unwind(ctx context.Context, p *ast.Program, pointerBits int, tails bool) (*Unrolled, bool, error) {
	return unwind(ctx, &Unrolled{Program: p, Origin: map[ast.Stmt]ast.Stmt{}}, pointerBits, tails, nil)
}

// Counts are how many iterations of a loop, and how many calls of a recursive procedure inside one another, are copied where ranges do
// not tell: by the place of the loop or procedure, and Other for all that have no entry.
type Counts struct {
	At    map[chc.Position]int
	Other int
	// Fixed says that ranges tell a number only where it is no more than the one here, and Ended are places where runs that go beyond
	// the copies end silently: of them nothing is proved.
	Fixed bool
	Ended map[chc.Position]bool
}

// Of is the number for a place.
func (c Counts) Of(pos chc.Position) int {
	if n, ok := c.At[pos]; ok {
		return n
	}
	return c.Other
}

// Cut is Unwind for all programs: it copies calls of recursive procedures too, and where ranges do not tell the number of copies, counts
// does. In the place of what is left of a loop, or of a call, there is an assertion that no run comes there. So what is
// proved of the result holds for the program, and a run of the result that fails is one of the program, or one that goes beyond the
// copies. It reports false when the result would be too large.
func Cut(ctx context.Context, p *ast.Program, pointerBits int, tails bool, counts Counts) (*Unrolled, bool, error) {
	u, err := cutRecursion(p, counts)
	if err != nil {
		return nil, false, err
	}
	return unwind(ctx, u, pointerBits, tails, &counts)
}

// unwind copies iterations of the loops of a program that may have copies already; without counts, only where ranges bound all loops.
func unwind(ctx context.Context, out *Unrolled, pointerBits int, tails bool, counts *Counts) (*Unrolled, bool, error) {
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
		copies, ends := map[string]int{}, map[string]behind{}
		for _, l := range open {
			done[l.Key()] = true
			most := min(unwindIterations, budget/(l.Size+1))
			n, bounded, err := r.Iterations(l.Procedure, l.Label.Name, most)
			switch {
			case err != nil && !errors.Is(err, ranges.ErrTooLarge):
				return nil, false, err
			case err == nil && bounded && (counts == nil || !counts.Fixed || n <= counts.Of(l.Label.Pos)):
				ends[l.Key()] = nothing
			case counts == nil || counts.Of(l.Label.Pos) > most:
				return out, false, nil
			default:
				n, ends[l.Key()] = counts.Of(l.Label.Pos), aCut
				if counts.Ended[l.Label.Pos] {
					ends[l.Key()] = anEnd
				}
			}
			copies[l.Key()] = n
			budget -= n * l.Size
		}
		var forTails *int
		if tails {
			forTails = &budget
		}
		next, err := expand(out.Program, copies, forTails, ends)
		if err != nil {
			return nil, false, err
		}
		for _, l := range next.Residual {
			// Residual loops are not unwound again.
			for _, procedure := range next.Program.Procedures {
				done[procedure.Name+" "+l.Name] = true
			}
		}
		next.add(out)
		out = next
	}
	return out, false, nil
}

// add adds what is known of the program that u was made from.
func (u *Unrolled) add(before *Unrolled) {
	for n, s := range u.Origin {
		if first, ok := before.Origin[s]; ok {
			u.Origin[n] = first
		}
	}
	maps.Copy(u.Origin, before.Origin)
	u.Residual = append(before.Residual, u.Residual...)
	if u.Cuts != nil {
		maps.Copy(u.Cuts, before.Cuts)
	}
	u.Procedures = before.Procedures
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

// Multiplies reports whether a program multiplies or divides by what is no literal.
func Multiplies(p *ast.Program) bool {
	found := false
	for _, procedure := range p.Procedures {
		if procedure.Body == nil {
			continue
		}
		ast.WalkStatements(procedure.Body.Stmts, func(ast.Stmt) bool { return !found }, func(e ast.Expr) bool {
			o, operands, ok := machine.Recognise(e)
			found = found || ok && slices.Contains(products, o.Op) && !slices.ContainsFunc(operands, isLiteral)
			return !found
		})
	}
	return found
}

var products = []machine.Op{machine.Mul, machine.Div, machine.Rem}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.IntLiteral)
	return ok
}
