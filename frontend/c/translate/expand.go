package translate

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

// expansion is a call of C's library whose definition is translated in place of the call, so that its loops are the caller's and
// need no summary.
type expansion struct {
	// end is where the definition returns to, and result what it returns; nil for none.
	end    *ast.Label
	result *ast.Variable
}

// expand translates a call by the definition that it has in C's library.
func (f *function) expand(v *tree.Call) []ast.Expr {
	fn, pos := v.Library, at(v)
	for n, a := range v.Arguments {
		if n >= len(fn.Params) {
			f.effect(a)
			continue
		}
		p := fn.Params[n]
		switch {
		case f.bound.params[p]:
			pl := f.pointee(a)
			pl.index = slices.Clone(pl.index)
			for k, e := range pl.index {
				if !isLiteral(e, 0) {
					pl.index[k] = f.settle(pos, e, machine.TypeNamed(pos, machine.Int))
				}
			}
			f.instance.bound[p] = pl
		case f.hidden(p):
			f.effect(a)
		default:
			x := f.convert(a, a.Type(), p.Type, f.value(a))
			if f.inMemory(p) {
				r := f.local(p)
				f.assign(pos, use(r.variable), x)
				f.parameter(p, r)
				continue
			}
			f.assign(pos, use(f.local(p).variable), x)
		}
	}
	e := &expansion{end: f.newLabel(v, "end")}
	if _, void := fn.Type.Result.(*tree.Void); !void {
		e.result = f.tempOf(pos, machine.TypeNamed(pos, scalarName(fn.Type.Result)), fn.Type.Result)
	}
	// The call may be translated several times: its labels are not the same ones then.
	outer := *f
	f.expanded, f.breaks, f.continues = e, map[tree.Statement]*ast.Label{}, map[tree.Statement]*ast.Label{}
	f.statement(fn.Body)
	f.expanded, f.breaks, f.continues = outer.expanded, outer.breaks, outer.continues
	f.add(e.end)
	if _, void := v.T.(*tree.Void); void {
		return nil
	}
	return []ast.Expr{f.convert(v, fn.Type.Result, v.T, use(e.result))}
}
