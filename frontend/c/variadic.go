package c

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

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
	if !isPointer(p.Type()) {
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
