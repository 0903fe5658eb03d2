package translate

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// callInto calls and puts the scalar result into a variable.
func (f *function) callInto(v *tree.Call, into *ast.Variable) {
	r := f.call(v, into)
	if len(r) != 1 {
		return
	}
	if i, ok := r[0].(*ast.Identifier); ok && i.Decl == into {
		return
	}
	f.assign(at(v), use(into), r[0])
}

// call evaluates a call, and returns the scalars of its result. A scalar one may be put into a variable right away.
func (f *function) call(v *tree.Call, into *ast.Variable) []ast.Expr {
	if v.Known != nil {
		return []ast.Expr{f.value(v.Known)}
	}
	fn := v.Function
	if fn == nil {
		return f.indirect(v)
	}
	meaning := usage.Meaning(fn, f.options.Faults)
	if v.Target() == fn && meaning.Kind != lib.Expect && (meaning.Kind != lib.Ordinary || fn.Body == nil) {
		f.hands(v)
	}
	if meaning.Kind != lib.Ordinary || v.Target() != fn {
		return f.special(v, meaning)
	}
	if fn.Body == nil {
		return f.external(v, fn, into)
	}
	if g := f.guardOf(fn); g != nil && len(v.Arguments) == 1 {
		f.inPlace(v, g)
		return nil
	}
	args, bound, ok := f.arguments(v, fn)
	if !ok {
		return f.results(v)
	}
	return f.run(v, fn, args, bound, into)
}

// results are any values for the result of a call that can't be handled, or whose result nobody sees.
func (f *function) results(v *tree.Call) []ast.Expr {
	if tree.IsVoid(v.T) {
		return nil
	}
	return f.unknowns(v, v.T)
}

// returned are any values for the result of a call, which a run is asked for.
func (f *function) returned(v *tree.Call) []ast.Expr {
	if tree.IsVoid(v.T) {
		return nil
	}
	r := f.tempRoot(v, v.T)
	f.havocResult(v, r)
	return r.uses()
}

func (f *function) havocResult(v *tree.Call, r *root) {
	r.each(func(s *storage) {
		f.havoc(at(v), &origin.Event{Kind: origin.Returned, Node: v, Path: s.path()}, s.typ, s.variable)
	})
}

// nodes are values as nodes.
func nodes(values []tree.Value) []tree.Node {
	out := make([]tree.Node, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// arguments evaluates the arguments for a function, from left to right: the scalars of those that are values, and what
// the bound parameters stand for.
func (f *function) arguments(v *tree.Call, fn *tree.Function) ([]ast.Expr, []argument, bool) {
	var bound []argument
	var out []ast.Expr
	ok := true
	passing := map[*tree.Object][]ast.Expr{}
	defer func() { f.passing = passing }()
	for n, a := range v.Arguments {
		later := nodes(v.Arguments[n+1:])
		if n >= len(fn.Params) {
			f.effect(a)
			continue
		}
		p := fn.Params[n]
		if f.bound.Params[p] {
			pl := f.pointee(a)
			for _, l := range later {
				pl = f.settlePlace(a, pl, l)
			}
			if pl.storage == nil {
				ok = false
			}
			bound = append(bound, argument{p, pl})
			continue
		}
		if f.hidden(p) {
			f.effect(a)
			continue
		}
		values, parts := f.valuesFrom(a)
		passing[p] = parts
		if !tree.Same(a.Type(), p.Type) {
			if !tree.Scalar(a.Type()) || !tree.Scalar(p.Type) {
				f.refuse(a.Pos(), "an argument of type %s for a parameter of type %s", a.Type(), p.Type)
				ok = false
				continue
			}
			values[0] = f.convert(a, a.Type(), p.Type, values[0])
		}
		syntax := f.syntaxOf(a, p.Type)
		for k, e := range values {
			if f.changes(e, later...) {
				values[k] = f.settle(at(a), e, syntax[k])
			}
		}
		out = append(out, values...)
	}
	for n := len(v.Arguments); n < len(fn.Params); n++ {
		if p := fn.Params[n]; !f.hidden(p) {
			out = append(out, f.unknowns(v, p.Type)...)
		}
	}
	return out, bound, ok
}

// syntaxOf has the dialect's types of the scalars of a type.
func (f *function) syntaxOf(n tree.Node, t tree.Type) []ast.TypeSyntax {
	var out []ast.TypeSyntax
	r := newRoot(nil, t, "", shape{pos: at(n), name: func(string) string { return "" }})
	r.each(func(s *storage) { out = append(out, s.variable.Syntax) })
	return out
}

// run calls the procedure of a function that has a body.
func (f *function) run(v *tree.Call, fn *tree.Function, args []ast.Expr, bound []argument, into *ast.Variable) []ast.Expr {
	pos, passing := at(v), f.passing
	f.passing = nil
	i := f.translator.instance(fn, bound)
	s := &ast.Call{Pos: pos, Name: i.procedure.Name, Args: args}
	f.result.Origins.Calls[s] = v
	for _, a := range bound {
		for _, e := range a.place.index {
			if !isLiteral(e, 0) {
				s.Args = append(s.Args, e)
			}
		}
	}
	var locals []*root
	seen := map[*root]bool{}
	for _, a := range bound {
		if r := a.place.storage.root; !r.global && !seen[r] {
			seen[r] = true
			locals = append(locals, r)
		}
	}
	outgoing := map[*ast.Variable]bool{}
	for n, r := range locals {
		r.each(func(st *storage) {
			s.Args = append(s.Args, use(st.variable))
			if i.slots[n].out {
				outgoing[st.variable] = true
			}
		})
	}
	var out []ast.Expr
	if i.result != nil {
		i.result.each(func(st *storage) {
			target := into
			if target == nil || outgoing[target] || i.result.variable == nil || !tree.Same(st.typ, v.T) {
				target = f.tempOf(pos, st.variable.Syntax, st.typ)
			}
			s.Results = append(s.Results, use(target))
			out = append(out, use(target))
		})
	}
	for n, r := range locals {
		if i.slots[n].out {
			r.each(func(st *storage) { s.Results = append(s.Results, use(st.variable)) })
		}
	}
	for _, p := range fn.Params {
		f.carry(pos, f.carried(p), p.Type, passing[p])
	}
	f.add(s)
	f.arrived(v, fn)
	if tree.IsVoid(v.T) {
		return nil
	}
	if len(out) == 0 && tree.Scalar(v.T) {
		return f.results(v)
	}
	return out
}

// undefinedMeaning is what functions without a body are taken to do, uncalled that they do not call what they are given.
const (
	undefinedMeaning = "functions without a body return any value and change what their arguments reach"
	uncalled         = "functions without a body do not call the functions that they are given"
)

// external calls a function that has no body: it gives what its arguments reach any values, and returns any value.
func (f *function) external(v *tree.Call, fn *tree.Function, into *ast.Variable) []ast.Expr {
	f.evaluate(v)
	if !fn.Instrumented {
		f.absent(v, fn.Name)
	}
	if tree.IsVoid(v.T) {
		return nil
	}
	if tree.IsPointer(v.T) && v.Function == fn {
		if p, ok := f.externalPointer(v); ok {
			return []ast.Expr{p}
		}
	}
	if into != nil && tree.Scalar(v.T) {
		f.havoc(at(v), &origin.Event{Kind: origin.Returned, Node: v}, v.T, into)
		return []ast.Expr{use(into)}
	}
	return f.returned(v)
}

// absent is what a function does that is not there, but for its result.
func (f *function) absent(v *tree.Call, name string) {
	f.undefined.add(undefinedMeaning, name)
	f.overwrite(v, usage.PassesMemory(v))
	if usage.PassesMemory(v) && f.memory().regions != nil && f.memory().regions.GivesFunction(v) {
		f.undefined.add(uncalled, name)
	}
}

// evaluate evaluates all arguments for their effects.
func (f *function) evaluate(v *tree.Call) {
	for _, a := range v.Arguments {
		f.effect(a)
	}
}

// indirect calls what a pointer points to: any function whose address is used and whose type fits.
func (f *function) indirect(v *tree.Call) []ast.Expr {
	pos := at(v)
	t, ok := v.Callee.Type().(*tree.Pointer)
	if !ok {
		f.refuse(v.Pos(), "this call")
		return f.results(v)
	}
	want, ok := t.Elem.(*tree.FunctionType)
	if !ok {
		f.refuse(v.Pos(), "this call")
		return f.results(v)
	}
	later := nodes(v.Arguments)
	var callee ast.Expr
	f.decides(v.Callee, func() { callee = f.before(pos, f.value(v.Callee), machine.Ref, later...) })
	var parts [][]ast.Expr
	var values [][]ast.Expr
	for n, a := range v.Arguments {
		vs, ps := f.valuesFrom(a)
		parts = append(parts, ps)
		syntax := f.syntaxOf(a, a.Type())
		for k, e := range vs {
			if f.changes(e, later[n+1:]...) {
				vs[k] = f.settle(at(a), e, syntax[k])
			}
		}
		values = append(values, vs)
	}
	var result *root
	if !tree.IsVoid(v.T) {
		result = f.tempRoot(v, v.T)
	}
	// The last way is no function of the program. It is not gone where all that the pointer may hold is known: what is not
	// an address of a function is not called. Elsewhere the call is one of an undefined function.
	candidates, complete := f.callees(v, want)
	rest := f.within(func() {
		f.check(v, fault.Dereference, truthLiteral(pos, false), "call")
		f.assume(pos, truthLiteral(pos, false))
	})
	if !complete {
		rest = f.within(func() {
			f.check(v, fault.Dereference, not(isNull(pos, callee)), "call")
			f.handsOver(v, parts)
			f.absent(v, "behind a pointer")
			if result != nil {
				f.havocResult(v, result)
			}
		})
	}
	for _, fn := range f.unfit(v) {
		then := f.within(func() { f.refuse(v.Pos(), "a call of %s as if it were of another type", fn.Name) })
		rest = []ast.Stmt{&ast.If{Pos: pos, Guard: equal(pos, machine.Ref, callee, f.functionAddress(pos, fn)), Then: then, Else: rest}}
	}
	for n := len(candidates) - 1; n >= 0; n-- {
		fn := candidates[n]
		then := f.within(func() { f.runAs(v, fn, values, parts, result) })
		rest = []ast.Stmt{&ast.If{
			Pos: pos, Guard: equal(pos, machine.Ref, callee, f.functionAddress(pos, fn)), Then: then, Else: rest,
		}}
	}
	f.add(rest...)
	if result == nil {
		return nil
	}
	return result.uses()
}

// runAs calls one of the functions that a pointer may point to.
func (f *function) runAs(v *tree.Call, fn *tree.Function, values, parts [][]ast.Expr, result *root) {
	pos := at(v)
	call := &tree.Call{At: v.At, T: fn.Type.Result, Function: fn, Closing: v.Closing}
	var out []ast.Expr
	switch meaning := usage.Meaning(fn, f.options.Faults); {
	case meaning.Kind != lib.Ordinary:
		// The arguments are evaluated once more, which must not show.
		for _, x := range v.Arguments {
			if f.effects.Of(x).Writes() {
				f.refuse(v.Pos(), "a call of %s through a pointer with an argument that has effects", fn.Name)
				return
			}
		}
		f.handsOver(v, parts)
		call.Arguments = v.Arguments
		if r := f.memory().regions; r != nil {
			r.Stand(call, v)
		}
		out = f.special(call, meaning)
	case fn.Body == nil:
		f.handsOver(v, parts)
		f.absent(v, fn.Name)
		out = f.external(call, fn, nil)
	default:
		var args []ast.Expr
		for n, p := range fn.Params {
			switch {
			case f.hidden(p):
			case n < len(values):
				if a := v.Arguments[n].Type(); tree.Scalar(a) && tree.Scalar(p.Type) && !tree.Same(a, p.Type) {
					args = append(args, f.convert(v.Arguments[n], a, p.Type, values[n][0]))
					continue
				}
				args = append(args, values[n]...)
			default:
				args = append(args, f.unknowns(v, p.Type)...)
			}
		}
		f.passing = map[*tree.Object][]ast.Expr{}
		for n, p := range fn.Params {
			if n < len(parts) {
				f.passing[p] = parts[n]
			}
		}
		if f.bare.Result(fn) {
			f.refuse(v.Pos(), "a result that may come from an object without a value, of a call through a pointer,")
		}
		out = f.run(call, fn, args, nil, nil)
	}
	if result != nil && len(out) > 0 {
		if tree.Scalar(v.T) && !tree.Same(fn.Type.Result, v.T) {
			out[0] = f.convert(v, fn.Type.Result, v.T, out[0])
		}
		f.copyAll(pos, result.storage, out)
	}
}

// callees are the functions that a call through a pointer may call, and whether there are no others: the pointer comes
// neither from outside nor from nowhere.
func (f *function) callees(v *tree.Call, want *tree.FunctionType) (functions []*tree.Function, complete bool) {
	if r := f.memory().regions; r != nil {
		if g := r.Target(v.Callee); g != nil {
			return r.Callees(v), len(g.Functions) > 0 && !g.Unknown && !g.Heap
		}
	}
	return f.candidates(want, v.Arguments), false
}

// unfit are functions whose addresses the pointer of a call may hold, but which are called in another way.
func (f *function) unfit(v *tree.Call) []*tree.Function {
	if r := f.memory().regions; r != nil {
		return r.Unfit(v)
	}
	return nil
}

// candidates are the functions whose address is used and that a call through a pointer of the type can mean.
func (f *function) candidates(want *tree.FunctionType, args []tree.Value) []*tree.Function {
	var out []*tree.Function
	for _, fn := range f.reached.AddressTaken {
		if compatible(fn, want, args) {
			out = append(out, fn)
		}
	}
	return out
}

// compatible tells whether a function can be called with a type.
func compatible(fn *tree.Function, want *tree.FunctionType, args []tree.Value) bool {
	if !same(fn.Type.Result, want.Result) {
		return false
	}
	params := fn.Type.Params
	if len(params) == 0 && fn.Body != nil {
		for _, p := range fn.Params {
			params = append(params, p.Type)
		}
	}
	if fn.Type.Unspecified && fn.Body == nil {
		return true
	}
	if want.Unspecified || len(want.Params) == 0 {
		want = &tree.FunctionType{Result: want.Result, Variadic: want.Variadic}
		for _, a := range args {
			want.Params = append(want.Params, a.Type())
		}
	}
	if len(params) > len(want.Params) || len(params) < len(want.Params) && !fn.Type.Variadic {
		return false
	}
	for n := range params {
		if !same(params[n], want.Params[n]) {
			return false
		}
	}
	return true
}

// same tells whether types are passed alike: all pointers are.
func same(a, b tree.Type) bool {
	return tree.Same(a, b) || tree.IsPointer(a) && tree.IsPointer(b)
}
