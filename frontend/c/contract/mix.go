package contract

import "hornbeam/frontend/c/tree"

// mixer makes assignments after which any pointer that is open may lead wherever another one does. They are never executed: who
// divides memory by what leads where has them in the same part.
type mixer struct {
	w    *instrumenter
	at   tree.At
	any  *tree.Object
	seen map[string]bool
	out  []tree.Statement
}

func (m *mixer) assign(p tree.Place, v tree.Value) {
	m.out = append(m.out, evaluate(&tree.Assign{At: m.at, Place: p, Value: v}))
}

// takes has pointers lead where a value leads.
func (m *mixer) takes(v tree.Value) {
	m.assign(&tree.Use{At: m.at, Object: m.any}, &tree.Convert{At: m.at, T: m.any.Type, X: v})
}

// mix does that for the pointers in a place, and in what they lead to.
func (m *mixer) mix(p tree.Place, depth int) {
	const deep = 6
	switch t := p.Type().(type) {
	case *tree.Pointer:
		m.takes(&tree.Load{At: m.at, Place: p})
		m.assign(p, &tree.Convert{At: m.at, T: t, X: tree.Read(m.any, m.at.Position)})
		if _, function := t.Elem.(*tree.FunctionType); function || tree.IsVoid(t.Elem) || m.seen[t.Elem.String()] || depth == deep {
			return
		}
		m.seen[t.Elem.String()] = true
		m.mix(&tree.Dereference{At: m.at, Pointer: &tree.Load{At: m.at, Place: p}}, depth+1)
	case *tree.Array:
		m.mix(&tree.Element{At: m.at, Array: p, Index: constant(m.at.Position, m.w.Program.Int, 0)}, depth)
	case *tree.Struct:
		for _, field := range t.Fields {
			m.mix(&tree.Member{At: m.at, Struct: p, Field: field}, depth)
		}
	}
}

// addressed are the objects whose address the program takes, in functions or in initialisers, for more than to use a part of it.
func (w *instrumenter) addressed() map[*tree.Object]bool {
	out := map[*tree.Object]bool{}
	w.Inspect(func(n tree.Node) bool {
		if a, ok := n.(*tree.Address); ok {
			if o := tree.RootObject(a.Place); o != nil {
				out[o] = true
			}
		}
		return true
	})
	return out
}

// readsOf are statements that read the scalars of a place, of arrays the first.
func (w *instrumenter) readsOf(p tree.Place) []tree.Statement {
	at := tree.At{Position: p.Pos()}
	switch t := p.Type().(type) {
	case *tree.Array:
		return w.readsOf(&tree.Element{At: at, Array: p, Index: constant(at.Position, w.Program.Int, 0)})
	case *tree.Struct:
		var out []tree.Statement
		for _, field := range t.Fields {
			out = append(out, w.readsOf(&tree.Member{At: at, Struct: p, Field: field})...)
		}
		return out
	}
	if !tree.Scalar(p.Type()) {
		return nil
	}
	return []tree.Statement{&tree.If{At: at, Test: &tree.Load{At: at, Place: p}, Then: &tree.Empty{At: at}}}
}
