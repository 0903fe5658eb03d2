package contract

import "hornbeam/frontend/c/tree"

// What old(...) stands for is kept when a function begins. Where it names the variable of a quantified condition it is kept for each
// value that the condition is tried with.

// place is where a function begins, for what is kept there of an expression about a quantifier's variable.
type place struct {
	old   *tree.Declare
	block *tree.Block
}

// tried is a value that a quantified condition is tried with, and what was kept for it.
type tried struct {
	value tree.Value
	// old are objects with what each of places was for the value.
	places, old []*tree.Object
}

// findOld finds what is kept that names variables of quantifiers.
func (w *instrumenter) findOld() {
	w.old = map[*tree.Object][]*tree.Declare{}
	variables := map[*tree.Object]bool{}
	for v := range w.Quantifiers {
		variables[bound(v).Object] = true
	}
	for _, f := range w.Program.Functions {
		for c := w.Functions[f]; c != nil; c = c.Again {
			for _, d := range c.Saved {
				seen := map[*tree.Object]bool{}
				tree.Inspect(d.Init[0].Value, func(n tree.Node) bool {
					if u, ok := n.(*tree.Use); ok && variables[u.Object] && !seen[u.Object] {
						seen[u.Object] = true
						w.old[u.Object] = append(w.old[u.Object], d)
					}
					return true
				})
			}
		}
	}
}

// variableIn is the only variable of a quantifier that an expression to keep names; nil if there is none, or several.
func (w *instrumenter) variableIn(d *tree.Declare) *tree.Object {
	var found []*tree.Object
	tree.Inspect(d.Init[0].Value, func(n tree.Node) bool {
		if u, ok := n.(*tree.Use); ok && len(w.old[u.Object]) > 0 && (len(found) == 0 || found[0] != u.Object) {
			found = append(found, u.Object)
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// replace puts an object in the place of another one.
func replace(n tree.Node, o, by *tree.Object) {
	tree.Inspect(n, func(n tree.Node) bool {
		if u, ok := n.(*tree.Use); ok && u.Object == o {
			u.Object = by
		}
		return true
	})
}

// kept keeps what a weakened condition needs of the beginning for each value that it is tried with. The values are kept, too, since
// objects may have others by then.
func (w *instrumenter) kept(q *weakened, values []tree.Value) []tried {
	at := q.value.At
	k := bound(q.value).Object
	out := make([]tried, len(values))
	for i, v := range values {
		out[i] = tried{value: v}
	}
	var mine []*place
	for _, p := range w.places {
		if w.variableIn(p.old) == k {
			mine = append(mine, p)
		}
	}
	if len(mine) == 0 || q.asserted {
		return out
	}
	f := mine[0].old.Object.Function
	local := func(t tree.Type) *tree.Object {
		o := &tree.Object{Type: t, Storage: tree.Automatic, Function: f, Pos: at.Position}
		f.Locals = append(f.Locals, o)
		f.Body.Statements = append([]tree.Statement{&tree.Declare{At: at, Object: o}}, f.Body.Statements...)
		return o
	}
	assign := func(o *tree.Object, v tree.Value) tree.Statement {
		return evaluate(&tree.Assign{At: at, Place: &tree.Use{At: at, Object: o}, Value: v})
	}
	variable := local(k.Type)
	for i, v := range values {
		value := local(k.Type)
		out[i].value = tree.Read(value, at.Position)
		for n, p := range mine {
			if n == 0 {
				p.block.Statements = append(p.block.Statements, assign(value, &tree.Convert{At: at, T: k.Type, X: v, Explicit: true}))
			}
			old := local(p.old.Object.Type)
			out[i].places, out[i].old = append(out[i].places, p.old.Object), append(out[i].old, old)
			p.block.Statements = append(p.block.Statements, assign(variable, tree.Read(value, at.Position)), assign(old, p.old.Init[0].Value))
		}
	}
	for _, p := range mine {
		replace(p.old.Init[0].Value, k, variable)
		p.block.Statements = append(p.block.Statements, &tree.Empty{At: at})
	}
	return out
}
