package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// suggestReads has quantified conditions tried at the indices at which a function, and what checks it when it returns, read elements.
// An index that is computed after a condition is assumed is guessed: an object has any value from the beginning, and runs go on
// where the guess turns out right. That leaves out no run if there is one place for an object and runs come there at most once.
func (w *instrumenter) suggestReads(f *tree.Function) {
	const guessed = 12
	again := false // whether something comes to the function's body again
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
	guesses := 0
	// before are the statements in front of one that guess the indices in it.
	before := func(parts ...tree.Node) []tree.Statement {
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
			x, ok := w.sum(index, declared)
			if !ok {
				continue
			}
			if c, ok := x.(*tree.Constant); ok {
				if c.Int.IsInt64() && c.Int.Int64() == int64(int32(c.Int.Int64())) && !slices.Contains(w.constants, c.Int.Int64()) {
					w.constants = append(w.constants, c.Int.Int64())
				}
				continue
			}
			if again || guesses == guessed {
				continue
			}
			guesses++
			at := tree.At{Position: index.Pos()}
			o := w.skolem(&tree.Object{Name: "index", Type: wide(), Pos: at.Position})
			// Runs are not guessed.
			out = append(out, &tree.Havoc{At: at, Only: true, Body: &tree.Empty{At: at}}, evaluate(w.check(assuming, &tree.Binary{
				At: at, T: w.Program.Int, Op: tree.Eq, X: tree.Read(o, at.Position), Y: &tree.Convert{At: at, T: o.Type, X: x, Explicit: true},
			})))
		}
		return out
	}
	var visit func(s tree.Statement)
	visit = func(s tree.Statement) {
		switch s := s.(type) {
		case *tree.Block:
			var all []tree.Statement
			for _, inner := range s.Statements {
				switch inner := inner.(type) {
				case *tree.Evaluate:
					all = append(all, before(inner)...)
				case *tree.Declare:
					all = append(all, before(inner)...)
				case *tree.Return:
					all = append(all, before(inner)...)
				case *tree.If:
					all = append(all, before(inner.Test)...)
				}
				visit(inner)
				all = append(all, inner)
			}
			s.Statements = all
		case *tree.If:
			visit(s.Then)
			visit(s.Else)
		case *tree.Havoc:
			if !s.Only {
				visit(s.Body)
			}
		case *tree.DoWhile:
			if w.once[s] {
				visit(s.Body)
			}
		case *tree.Switch:
			visit(s.Body)
		case *tree.Case:
			visit(s.Statement)
		}
	}
	visit(f.Body)
	if g := w.Program.Function(f.Name + ".ensures"); g != nil {
		visit(g.Body)
	}
}
