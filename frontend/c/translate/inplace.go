package translate

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// guard is a function that only looks at its argument and then, perhaps, fails or ends the run, as the assumptions and
// assertions that programs define for themselves do: `void f(p) { if (test of p) { ... } }`. A call of it is translated in
// place: what is known of the argument is then known in the caller, and a program with thousands of calls has no procedure
// to be resolved as often.
type guard struct {
	parameter *tree.Object
	branch    *tree.If
	then      []tree.Statement
	// hangs says that a run does not come out of the branch.
	hangs bool
}

// guardOf returns the guard that a function is, nil if it is none.
func (t *translator) guardOf(fn *tree.Function) *guard {
	g, known := t.guards[fn]
	if !known {
		g = t.findGuard(fn)
		t.guards[fn] = g
	}
	return g
}

func (t *translator) findGuard(fn *tree.Function) *guard {
	if !tree.IsVoid(fn.Type.Result) || fn.Body == nil || len(fn.Params) != 1 {
		return nil
	}
	p := fn.Params[0]
	if !tree.Scalar(p.Type) || t.bound.Params[p] || t.usage.Written[p] || t.inMemory(p) {
		return nil
	}
	body := withoutReturn(plainStatements(fn.Body))
	if len(body) != 1 {
		return nil
	}
	branch, ok := body[0].(*tree.If)
	if !ok || branch.Else != nil && len(plainStatements(branch.Else)) > 0 || !looksAt(branch.Test, p) {
		return nil
	}
	g := &guard{parameter: p, branch: branch}
	if !t.collect(g, withoutReturn(plainStatements(branch.Then))) {
		return nil
	}
	return g
}

// collect takes up what is done where the test holds; it tells whether that is no more than a guard does.
func (t *translator) collect(g *guard, list []tree.Statement) bool {
	for _, s := range list {
		if endless(s) {
			g.hangs = true
			return true
		}
		switch s := s.(type) {
		case *tree.Label:
			// A goto to it would be a statement that no guard has.
			if s.Name == t.options.ErrorLabel || !t.collect(g, withoutReturn(plainStatements(s.Statement))) {
				return false
			}
		case *tree.Evaluate:
			if !t.endsOrFails(s.Value, g.parameter) {
				return false
			}
			g.then = append(g.then, s)
		default:
			return false
		}
	}
	return true
}

// endsOrFails tells whether a value is the call of a function that means something by its name, without the parameter.
func (t *translator) endsOrFails(v tree.Value, p *tree.Object) bool {
	call, ok := v.(*tree.Call)
	if !ok || call.Function == nil {
		return false
	}
	switch usage.Meaning(call.Function, t.options.Faults).Kind {
	case lib.Error, lib.Stop, lib.Output, lib.Ignore:
	default:
		return false
	}
	plain := true
	for _, a := range call.Arguments {
		tree.Inspect(a, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Use:
				plain = plain && n.Object != p
			case *tree.Call, *tree.Assign, *tree.Update, *tree.StatementValue:
				plain = false
			}
			return plain
		})
	}
	return plain
}

// plainStatements are the statements of blocks inside each other, without those that do nothing.
func plainStatements(s tree.Statement) []tree.Statement {
	switch s := s.(type) {
	case nil, *tree.Empty:
		return nil
	case *tree.Block:
		var out []tree.Statement
		for _, inner := range s.Statements {
			out = append(out, plainStatements(inner)...)
		}
		return out
	}
	return []tree.Statement{s}
}

// withoutReturn leaves out a return without a value at the end.
func withoutReturn(list []tree.Statement) []tree.Statement {
	if n := len(list); n > 0 {
		if r, ok := list[n-1].(*tree.Return); ok && r.Value == nil {
			return list[:n-1]
		}
	}
	return list
}

// endless tells whether a statement goes on for ever and does nothing.
func endless(s tree.Statement) bool {
	always := func(v tree.Value) bool {
		c, ok := v.(*tree.Constant)
		return v == nil || ok && c.Int.Sign() != 0
	}
	switch s := s.(type) {
	case *tree.While:
		return always(s.Test) && len(plainStatements(s.Body)) == 0
	case *tree.For:
		return len(s.Init) == 0 && s.Step == nil && always(s.Test) && len(plainStatements(s.Body)) == 0
	case *tree.Label:
		inner := plainStatements(s.Statement)
		if len(inner) == 1 {
			g, ok := inner[0].(*tree.Goto)
			return ok && g.Target == s
		}
	}
	return false
}

// looksAt tells whether a test looks at an object once, whatever happens, and at nothing else.
func looksAt(test tree.Value, o *tree.Object) bool {
	return replaceUse(test, o, nil) != nil
}

// replaceUse is a test of an object, of a value in its place; nil if the test is not as looksAt says.
func replaceUse(test tree.Value, o *tree.Object, value tree.Value) tree.Value {
	switch v := test.(type) {
	case *tree.Load:
		if u, ok := v.Place.(*tree.Use); !ok || u.Object != o {
			return nil
		}
		if value == nil {
			return v
		}
		return value
	case *tree.Unary:
		x := replaceUse(v.X, o, value)
		if v.Op != tree.Not || x == nil {
			return nil
		}
		return &tree.Unary{At: v.At, Op: v.Op, X: x, T: v.T}
	case *tree.Convert:
		x := replaceUse(v.X, o, value)
		if x == nil {
			return nil
		}
		return &tree.Convert{At: v.At, X: x, T: v.T}
	case *tree.Binary:
		if !v.Op.Comparison() {
			return nil
		}
		c := *v
		if _, ok := v.Y.(*tree.Constant); ok {
			c.X = replaceUse(v.X, o, value)
			if c.X == nil {
				return nil
			}
			return &c
		}
		if _, ok := v.X.(*tree.Constant); ok {
			c.Y = replaceUse(v.Y, o, value)
			if c.Y == nil {
				return nil
			}
			return &c
		}
	}
	return nil
}

// inPlace translates a call of a guard.
func (f *function) inPlace(v *tree.Call, g *guard) {
	x := v.Arguments[0]
	if !tree.Same(x.Type(), g.parameter.Type) {
		x = &tree.Convert{At: tree.At{Position: x.Pos()}, X: x, T: g.parameter.Type}
	}
	var test ast.Expr
	f.decides(g.branch.Test, func() { test = f.truth(replaceUse(g.branch.Test, g.parameter, x)) })
	then := f.within(func() {
		for _, s := range g.then {
			f.statement(s)
		}
		if g.hangs {
			f.assume(at(g.branch), truthLiteral(at(g.branch), false))
		}
	})
	switch b, literal := test.(*ast.BoolLiteral); {
	case len(then) == 0 || literal && !b.Value:
	case literal:
		f.add(then...)
	case len(then) == 1 && isFalse(then[0]):
		f.assume(at(g.branch), not(test))
	default:
		f.add(&ast.If{Pos: at(g.branch), Guard: test, Then: then})
	}
}

// isFalse tells whether a statement ends the run.
func isFalse(s ast.Stmt) bool {
	a, ok := s.(*ast.Assume)
	if !ok {
		return false
	}
	b, ok := a.Cond.(*ast.BoolLiteral)
	return ok && !b.Value
}

// expansion is a call of C's library whose definition is translated in place of the call, so that its loops are the caller's and
// need no summary.
type expansion struct {
	// end is where the definition returns to, and result what it returns; nil for none.
	end    *ast.Label
	result *ast.Variable
	// call is the call by the program: what goes wrong in the definition goes wrong there.
	call *tree.Call
	// comes says that the result comes from an object without a value; nil if that is never so.
	comes *ast.Variable
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
		case f.bound.Params[p]:
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
			var x ast.Expr
			comes := f.from(func() { x = f.convert(a, a.Type(), p.Type, f.value(a)) })
			if f.inMemory(p) {
				r := f.local(p)
				f.assign(pos, use(r.variable), x)
				f.parts = []ast.Expr{comes}
				f.parameter(p, r)
				continue
			}
			f.assign(pos, use(f.local(p).variable), x)
			f.shade(v, place{typ: p.Type}, f.local(p).storage, comes)
		}
	}
	e := &expansion{end: f.newLabel(v, "end"), call: v}
	if f.expanded != nil {
		e.call = f.expanded.call
	}
	if !tree.IsVoid(fn.Type.Result) {
		e.result = f.tempOf(pos, machine.TypeNamed(pos, scalarName(fn.Type.Result)), fn.Type.Result)
	}
	if f.bare.Result(fn) {
		e.comes = f.temp(pos, machine.Bool)
		f.assign(pos, use(e.comes), truthLiteral(pos, false))
	}
	// The call may be translated several times: its labels are not the same ones then.
	outer := *f
	f.expanded, f.breaks, f.continues = e, map[tree.Statement]*ast.Label{}, map[tree.Statement]*ast.Label{}
	f.statement(fn.Body)
	f.expanded, f.breaks, f.continues = outer.expanded, outer.breaks, outer.continues
	f.add(e.end)
	if e.comes != nil {
		delete(f.temporary, e.comes)
		f.meet(pos, use(e.comes))
	}
	if tree.IsVoid(v.T) {
		return nil
	}
	return []ast.Expr{f.convert(v, fn.Type.Result, v.T, use(e.result))}
}
