package c

import (
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
	if !isVoid(c.T) && !complete(c.T) {
		r.Fail(pos, "a call has the incomplete type %s", c.T)
	}
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		v := r.rvalue(l.AssignmentExpression)
		if i := len(c.Arguments); i < len(t.Params) {
			v = r.convertFor(v, t.Params[i], v.Pos(), "passed")
		} else {
			v = r.promoteArgument(v)
		}
		if isVoid(v.Type()) {
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
		if isVoid(n.T) {
			dropped = n.X
		}
	}
	if c, ok := dropped.(*tree.Call); ok && c.Function != nil && isVoid(c.Function.Type.Result) {
		c.T = c.Function.Type.Result
	}
}

// fitResult checks that a call that was read before the type of the function was known has the result that it was read with.
// A result that is not there at all is one that the call must not use.
func (r *reader) fitResult(c *tree.Call) {
	if t := c.Function.Type.Result; !sameClass(c.T, t) {
		r.Report(&Error{Pos: c.Position, Msg: "a call of " + c.Function.Name + ", which returns " + t.String() + ", before its declaration", Unsupported: true})
	}
}
