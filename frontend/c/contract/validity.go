package contract

import "hornbeam/frontend/c/tree"

// Valid is the function that conditions about valid pointers call.
const Valid = "__hornbeam_valid"

// tracked is another name of it, for what may be taken for true of the objects that are not tracked where memory is checked.
const tracked = Valid + "_tracked"

// validities are the questions in a condition about valid pointers.
func (w *instrumenter) validities(condition tree.Node) []*tree.Call {
	var out []*tree.Call
	tree.Inspect(condition, func(n tree.Node) bool {
		if call, ok := n.(*tree.Call); ok && call.Function != nil && (call.Function.Name == Valid || call.Function.Name == tracked) {
			out = append(out, call)
		}
		return true
	})
	return out
}

// aboutValidity tells whether a condition asks which pointers are valid.
func (w *instrumenter) aboutValidity(condition tree.Node) bool {
	return len(w.validities(condition)) > 0
}

// track finds the questions of which an object that is not tracked says nothing: those that support what is assumed, and those of what
// is asserted that are the only ones of a condition that has to hold by itself. An assertion with several fails because of several objects
// at once, which no run tracks.
func (w *instrumenter) track(name string, condition tree.Value) {
	var visit func(v tree.Value, positive bool)
	visit = func(v tree.Value, positive bool) {
		switch v := v.(type) {
		case *tree.Call:
			if positive && v.Function != nil && v.Function.Name == Valid {
				pos := v.Pos()
				f := w.Function(tracked, v.Function.Type, pos)
				f.Instrumented = true
				v.Function = f
			}
		case *tree.Logical:
			visit(v.X, positive)
			visit(v.Y, positive)
		case *tree.Conditional:
			if v.Then != nil {
				visit(v.Then, positive)
				visit(v.Else, positive)
			}
		case *tree.Convert:
			if i, ok := v.T.(*tree.Integer); ok && (i.Bool || i.Bits >= 32) {
				visit(v.X, positive)
			}
		case *tree.Unary:
			if v.Op == tree.Not {
				visit(v.X, !positive)
			}
		case *tree.StatementValue:
			universal, ok := w.Quantifiers[v]
			if ok && (name == assuming || universal == positive) {
				visit(v.Result, positive)
			}
		}
	}
	if name == assuming {
		visit(condition, true)
		return
	}
	var divide func(v tree.Value)
	divide = func(v tree.Value) {
		switch v := v.(type) {
		case *tree.Logical:
			if !v.Or {
				divide(v.X)
				divide(v.Y)
				return
			}
		case *tree.Convert:
			divide(v.X)
			return
		}
		if len(w.validities(v)) == 1 {
			visit(v, true)
		}
	}
	divide(condition)
}
