package c

import (
	"cmp"
	"slices"

	"hornbeam/frontend/c/tree"
)

// latest is the priority of constructors that are given none: they run behind those with one.
const latest = 1 << 16

// construct has main begin with calls of the functions that have the attribute constructor: by their priorities, and else in
// the order of their definitions.
func (r *reader) construct() {
	var all []*tree.Function
	for _, f := range r.definitions {
		if r.constructors[f] > 0 {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return
	}
	main := r.out.Function("main")
	switch {
	case main == nil || main.Body == nil:
		r.Unsupported(all[0].Pos, "the attribute constructor without main")
	case r.called()[main]:
		r.Unsupported(all[0].Pos, "the attribute constructor where main is called")
	}
	slices.SortStableFunc(all, func(f, g *tree.Function) int { return cmp.Compare(r.constructors[f], r.constructors[g]) })
	var calls []tree.Statement
	for _, f := range all {
		if len(f.Params) > 0 {
			r.Unsupported(f.Pos, "a constructor with parameters")
		}
		at := tree.At{Position: f.Pos}
		call := &tree.Call{At: at, T: f.Type.Result, Function: f, Closing: f.Pos}
		calls = append(calls, &tree.Evaluate{At: at, Value: &tree.Convert{At: at, T: r.types.void, X: call}})
	}
	main.Body.Statements = append(calls, main.Body.Statements...)
}
