package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// mostGuesses bounds the indices that are guessed for a function.
const mostGuesses = 12

// suggestReads has quantified conditions tried at the indices at which a function, and what checks it when it returns, read elements.
// An index that is computed after a condition is assumed is guessed: an object has any value from the beginning, and runs go on
// where the guess turns out right. That leaves out no run if there is one place for an object and runs come there at most once.
func (w *instrumenter) suggestReads(f *tree.Function) {
	g := &readGuesser{instrumenter: w, again: w.entersAgain(f)}
	g.visit(f.Body)
	if ensures := w.Program.Function(f.Name + ".ensures"); ensures != nil {
		g.visit(ensures.Body)
	}
}

// entersAgain reports whether a run may come to a statement of the function twice, but for loops: by a call of it, or a jump in it.
func (w *instrumenter) entersAgain(f *tree.Function) bool {
	again := false
	for _, g := range w.Program.Functions {
		if g.Body == nil {
			continue
		}
		tree.Inspect(g.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				again = again || n.Function == f
			case *tree.FunctionAddress:
				again = again || n.Function == f
			case *tree.Label:
				again = again || g == f
			}
			return !again
		})
	}
	return again
}

// readGuesser inserts guesses of the indices at which a function reads elements.
type readGuesser struct {
	*instrumenter
	// again forbids guesses, since a run may come to a statement twice.
	again   bool
	guesses int
}

// before returns the statements to be inserted before a statement with the parts: guesses of the indices in these.
func (g *readGuesser) before(parts ...tree.Node) []tree.Statement {
	var out []tree.Statement
	declared := map[*tree.Object]bool{}
	var indices []tree.Value
	for _, part := range parts {
		tree.Inspect(part, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Declare:
				declared[n.Object] = true
			case *tree.Element:
				indices = append(indices, n.Index)
			case *tree.PointerSum:
				if !n.Minus {
					indices = append(indices, n.Count)
				}
			}
			return true
		})
	}
	for _, index := range indices {
		x, ok := g.sum(index, declared)
		if !ok {
			continue
		}
		if c, ok := x.(*tree.Constant); ok {
			if c.Int.IsInt64() && c.Int.Int64() == int64(int32(c.Int.Int64())) && !slices.Contains(g.constants, c.Int.Int64()) {
				g.constants = append(g.constants, c.Int.Int64())
			}
			continue
		}
		if g.again || g.guesses == mostGuesses {
			continue
		}
		g.guesses++
		at := tree.At{Position: index.Pos()}
		o := g.skolem(&tree.Object{Name: "index", Type: wide(), Pos: at.Position})
		// Runs are not guessed.
		out = append(out, &tree.Havoc{At: at, Only: true, Body: &tree.Empty{At: at}}, evaluate(g.check(assuming, &tree.Binary{
			At: at, T: g.Program.Int, Op: tree.Eq, X: tree.Read(o, at.Position), Y: &tree.Convert{At: at, T: o.Type, X: x, Explicit: true},
		})))
	}
	return out
}

// visit inserts the guesses into a statement, except in loops whose bodies may be executed more than once.
func (g *readGuesser) visit(s tree.Statement) {
	switch s := s.(type) {
	case *tree.Block:
		var all []tree.Statement
		for _, inner := range s.Statements {
			switch inner := inner.(type) {
			case *tree.Evaluate:
				all = append(all, g.before(inner)...)
			case *tree.Declare:
				all = append(all, g.before(inner)...)
			case *tree.Return:
				all = append(all, g.before(inner)...)
			case *tree.If:
				all = append(all, g.before(inner.Test)...)
			}
			g.visit(inner)
			all = append(all, inner)
		}
		s.Statements = all
	case *tree.If:
		g.visit(s.Then)
		g.visit(s.Else)
	case *tree.Havoc:
		if !s.Only {
			g.visit(s.Body)
		}
	case *tree.DoWhile:
		if g.once[s] {
			g.visit(s.Body)
		}
	case *tree.Switch:
		g.visit(s.Body)
	case *tree.Case:
		g.visit(s.Statement)
	}
}
