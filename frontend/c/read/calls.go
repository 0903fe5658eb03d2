package read

import (
	"cmp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// call reads a function call.
func (r *reader) call(n *cc.PostfixExpression) operand {
	pos := r.pos(n)
	if v := r.builtinCall(n, pos); v != nil {
		return operand{value: v, pos: pos}
	}
	if name := r.unknownBuiltin(n.PostfixExpression); name != "" {
		for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
			r.rvalueOrVoid(l.AssignmentExpression)
		}
		return operand{value: &tree.UnsupportedValue{At: tree.At{Position: pos}, T: r.types.int, What: "the function " + name}, pos: pos}
	}
	callee := r.callee(n.PostfixExpression)
	if f, ok := callee.value.(*tree.FunctionAddress); ok {
		callee.function = f.Function // (&f)(...)
	}
	c := &tree.Call{At: tree.At{Position: pos}, Closing: r.pos(n.Token2), Function: callee.function}
	var t *tree.FunctionType
	if callee.function != nil {
		t = callee.function.Type
	} else {
		c.Callee = r.valueOf(callee)
		if p, ok := c.Callee.Type().(*tree.Pointer); ok {
			t, _ = p.Elem.(*tree.FunctionType)
		}
		if t == nil {
			r.Fail(pos, "a value of type %s is called", c.Callee.Type())
		}
	}
	if c.Function != nil && t.Unspecified && !r.bodies[c.Function.Name] && r.builtins[c.Function.Name] != nil {
		// A library function that is declared without a prototype takes what it takes.
		t = &tree.FunctionType{Result: t.Result, Params: r.builtins[c.Function.Name].Type.Params, Variadic: true}
	}
	c.T = t.Result
	if !tree.IsVoid(c.T) && !complete(c.T) {
		r.Fail(pos, "a call has the incomplete type %s", c.T)
	}
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		v := r.rvalue(l.AssignmentExpression)
		if i := len(c.Arguments); i < len(t.Params) {
			v = r.convertFor(v, t.Params[i], v.Pos(), "passed")
		} else {
			v = r.promoteArgument(v)
		}
		if tree.IsVoid(v.Type()) {
			r.Fail(v.Pos(), "an argument has type void")
		}
		c.Arguments = append(c.Arguments, v)
	}
	if len(c.Arguments) < len(t.Params) {
		r.Fail(pos, "a call has %d arguments for %d parameters", len(c.Arguments), len(t.Params))
	}
	if len(c.Arguments) > len(t.Params) && !t.Variadic && !t.Unspecified {
		r.Fail(pos, "a call has %d arguments for %d parameters", len(c.Arguments), len(t.Params))
	}
	if c.Function != nil && !r.bodies[c.Function.Name] {
		if what := unsupportedFunctions[c.Function.Name]; what != "" {
			return operand{value: &tree.UnsupportedValue{At: c.At, T: c.T, What: what}, pos: pos}
		}
	}
	return operand{value: c, pos: pos}
}

// callee reads what is called: a name that is not declared is a function without a prototype.
func (r *reader) callee(n cc.ExpressionNode) operand {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return r.expression(n)
	}
	name := p.Token.SrcStr()
	if _, known := r.lookup(name); known {
		return r.expression(n)
	}
	pos := r.pos(p)
	if f := r.builtinFunction(name, pos); f != nil {
		return operand{function: f, pos: pos}
	}
	f := r.functions[name]
	if f == nil {
		f = r.functionNamed(name, &tree.FunctionType{Result: r.types.int, Unspecified: true}, pos)
		f.Implicit = true
	}
	return operand{function: f, pos: pos}
}

// unknownBuiltin is the name that a call has of a function which compilers know without a declaration, and this front end does
// not; else it is empty. What such a function does, and which type its result has, is not known.
func (r *reader) unknownBuiltin(n cc.ExpressionNode) string {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return ""
	}
	name := p.Token.SrcStr()
	if !strings.HasPrefix(name, "__builtin_") || lib.Lookup(name, false).Kind != lib.Ordinary || r.builtins[name] != nil {
		return ""
	}
	if plain := strings.TrimPrefix(name, "__builtin_"); r.builtins[plain] != nil || r.functions[plain] != nil {
		return ""
	}
	if m, ok := r.lookup(name); ok && (m.function == nil || !m.function.Implicit) {
		return ""
	}
	return name
}

// fitCalls converts the arguments of calls that were read before the type of the called function was known, or that it has
// no prototype for, to what its definition takes.
func (r *reader) fitCalls() {
	for _, f := range r.out.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			dropResult(n)
			c, ok := n.(*tree.Call)
			if !ok || c.Function == nil || c.Function.Body == nil {
				return true
			}
			r.fitResult(c)
			for i, p := range c.Function.Params {
				if i >= len(c.Arguments) {
					missing := &tree.UnsupportedValue{At: tree.At{Position: c.Closing}, T: p.Type, What: "a missing argument"}
					c.Arguments = append(c.Arguments, missing)
					continue
				}
				a := c.Arguments[i]
				if tree.Same(a.Type(), p.Type) {
					continue
				}
				report.Recovering(func() { c.Arguments[i] = r.convertFor(a, p.Type, a.Pos(), "passed") })
			}
			return true
		})
	}
}

// dropResult makes a call whose value is dropped one without a value, if the function turned out to have none.
func dropResult(n tree.Node) {
	var dropped tree.Value
	switch n := n.(type) {
	case *tree.Evaluate:
		dropped = n.Value
	case *tree.For:
		dropped = n.Step
	case *tree.Comma:
		dropped = n.First
	case *tree.Convert:
		if tree.IsVoid(n.T) {
			dropped = n.X
		}
	}
	if c, ok := dropped.(*tree.Call); ok && c.Function != nil && tree.IsVoid(c.Function.Type.Result) {
		c.T = c.Function.Type.Result
	}
}

// fitResult checks that a call that was read before the type of the function was known has the result that it was read with.
// A result that is not there at all is one that the call must not use.
func (r *reader) fitResult(c *tree.Call) {
	if t := c.Function.Type.Result; !sameClass(c.T, t) {
		r.Report(&report.Error{Pos: c.Position, Msg: "a call of " + c.Function.Name + ", which returns " + t.String() + ", before its declaration", Unsupported: true})
	}
}

// slot is how many bytes the place of a variable argument is a multiple of.
const slot = 8

// slotOf is the size of the place that an argument of the size has.
func slotOf(size int64) int64 { return max((size+slot-1)/slot*slot, slot) }

// rest is the parameter of a variadic function that points to its variable arguments: they lie one behind the other, each in
// whole slots, in an object of the caller's. Only functions that ask for their variable arguments have it.
func (r *reader) rest(pos tree.Pos) *tree.Object {
	f := r.function
	if f == nil || !f.Type.Variadic {
		r.Fail(pos, "va_start in a function without variable arguments")
	}
	o := r.variadic[f.Function]
	if o == nil {
		o = &tree.Object{Type: r.types.voidPointer, Storage: tree.Parameter, Function: f.Function, Pos: f.Pos}
		r.variadic[f.Function] = o
	}
	return o
}

// argumentList is the place of a va_list.
func (r *reader) argumentList(n cc.ExpressionNode, pos tree.Pos) tree.Place {
	p := r.placeOf(r.expression(n), "a list of arguments")
	if !tree.IsPointer(p.Type()) {
		r.Fail(pos, "a list of arguments has type %s", p.Type())
	}
	return p
}

// variadicCall reads va_start, va_arg, va_end and va_copy: a va_list is a pointer to the next argument.
func (r *reader) variadicCall(name string, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	set := func(to tree.Place, from tree.Place) tree.Value {
		return &tree.Convert{At: at, T: r.types.void, X: &tree.Assign{At: at, Place: to, Value: r.convert(&tree.Load{At: at, Place: from}, to.Type(), pos)}}
	}
	list := r.argumentList(arguments[0], pos)
	switch name {
	case "__builtin_va_start":
		return set(list, &tree.Use{At: at, Object: r.rest(pos)})
	case "__builtin_va_copy":
		return set(list, r.argumentList(arguments[1], pos))
	case "__builtin_va_end":
		return &tree.Convert{At: at, T: r.types.void, X: &tree.Load{At: at, Place: list}}
	}
	size := r.constantExpression(arguments[1], "the size of an argument").Int64()
	return r.convert(&tree.Update{
		At: at, Place: list, Op: tree.Add, Compute: list.Type(), Operand: constantOf(pos, r.types.difference, slotOf(size)), Post: true, Spelled: "+=",
	}, r.types.voidPointer, pos)
}

// fitVariadic gives the functions that ask for their variable arguments the parameter for them, and all calls the argument.
func (r *reader) fitVariadic() {
	if len(r.variadic) == 0 {
		return
	}
	fixed := map[*tree.Function]int{}
	for _, f := range slices.Concat(r.out.Functions, r.out.Copies) {
		if rest := r.variadic[f]; rest != nil && f.Body != nil && rest.Function == f {
			fixed[f] = len(f.Params)
			f.Params = append(f.Params, rest)
		}
	}
	taken := r.takenVariadic(fixed)
	for _, f := range r.out.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			c, ok := n.(*tree.Call)
			if !ok {
				return true
			}
			callee := cmp.Or(c.Library, c.Function)
			if count, ok := fixed[callee]; ok {
				c.Arguments = append(c.Arguments[:count:count], r.pack(f, callee, c.Arguments[count:], c.Closing))
			} else if taken && c.Callee != nil && callsVariadic(c.Callee) {
				c.Callee = &tree.UnsupportedValue{At: tree.At{Position: c.Callee.Pos()}, T: c.Callee.Type(), What: "a call through a pointer that may be one of a function with variable arguments"}
			}
			return true
		})
	}
}

// takenVariadic tells whether the address of one of the functions is used.
func (r *reader) takenVariadic(fixed map[*tree.Function]int) bool {
	found := false
	r.inspect(func(n tree.Node) bool {
		if a, ok := n.(*tree.FunctionAddress); ok {
			if _, ok := fixed[a.Function]; ok {
				found = true
			}
		}
		return !found
	})
	return found
}

// callsVariadic tells whether a pointer's type allows that it points to a function with variable arguments.
func callsVariadic(v tree.Value) bool {
	p, ok := v.Type().(*tree.Pointer)
	if !ok {
		return false
	}
	f, ok := p.Elem.(*tree.FunctionType)
	return ok && (f.Variadic || f.Unspecified)
}

// spare is how many slots there are behind the variable arguments: functions that ask for more than they are given find any
// values there.
const spare = 4

// pack puts the variable arguments of a call in a function into an object, which is the callee's if that is the library's, and is its
// address.
func (r *reader) pack(f, callee *tree.Function, arguments []tree.Value, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	t := &tree.Struct{Complete: true}
	o := &tree.Object{Type: t, Storage: tree.Automatic, Function: f, Pos: pos}
	if callee.Library {
		o.Function = callee
	}
	address := func(p tree.Place) tree.Value {
		return &tree.Convert{At: at, T: r.types.voidPointer, X: &tree.Address{At: at, T: r.types.pointer(t), Place: p}}
	}
	then := address(&tree.Use{At: at, Object: o})
	offset := int64(0)
	for i, v := range arguments {
		t.Fields = append(t.Fields, &tree.Field{Type: v.Type(), Offset: offset, Parent: t, Index: i})
		offset += slotOf(v.Type().Size())
	}
	t.Layout(offset+spare*slot, slot)
	for i := len(arguments) - 1; i >= 0; i-- {
		place := &tree.Member{At: at, Struct: &tree.Use{At: at, Object: o}, Field: t.Fields[i]}
		then = &tree.Comma{At: at, First: &tree.Assign{At: at, Place: place, Value: arguments[i]}, Second: then}
	}
	f.Locals = append(f.Locals, o)
	r.out.Structs = append(r.out.Structs, t)
	made := &tree.CompoundLiteral{At: at, Declaration: &tree.Declare{At: at, Object: o}}
	return &tree.Comma{At: at, First: &tree.Convert{At: at, T: r.types.void, X: address(made)}, Second: then}
}
