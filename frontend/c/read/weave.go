package read

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// weave makes plain C of contracts. What a function requires is asserted where it begins, or assumed if nothing in the program
// calls it; what it ensures is asserted where it returns, by a function of its own that gets what it is about; invariants are
// asserted whenever the head of their loop is reached. A quantifier whose variable may be chosen against the condition is one
// over a variable with any value.
func (r *reader) weave() {
	if len(r.contracts) == 0 {
		return
	}
	called := r.called()
	for _, f := range r.out.Functions[:len(r.out.Functions):len(r.out.Functions)] {
		c := r.contracts[f]
		if c == nil || f.Body == nil {
			continue
		}
		r.out.Contracts = true
		r.weaveInvariants(f, c)
		begin := r.requirement(f, c, called[f])
		begin = append(begin, r.ensured(f, c)...)
		f.Body.Statements = append(begin, f.Body.Statements...)
	}
	if !r.bodies["main"] {
		r.library()
	}
}

// called are the functions that something in the program may call.
func (r *reader) called() map[*tree.Function]bool {
	out := map[*tree.Function]bool{}
	visit := func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Call:
			if n.Function != nil {
				out[n.Function] = true
			}
		case *tree.FunctionAddress:
			out[n.Function] = true
		}
		return true
	}
	r.inspect(visit)
	for _, f := range r.out.Functions {
		if c := r.contracts[f]; c != nil {
			for _, condition := range slices.Concat(c.requires, c.ensures) {
				tree.Inspect(condition, visit)
			}
			for _, i := range c.invariants {
				tree.Inspect(i.condition, visit)
			}
		}
	}
	return out
}

// check is a call of one of the functions that assert or assume.
func (r *reader) check(name string, condition tree.Value) tree.Value {
	pos := condition.Pos()
	f := r.functionNamed(name, &tree.FunctionType{Result: r.types.void, Params: []tree.Type{r.types.int}}, pos)
	truth := r.converted(r.converted(condition, r.types.boolean, false, pos), r.types.int, false, pos)
	return &tree.Call{At: tree.At{Position: pos}, T: r.types.void, Function: f, Arguments: []tree.Value{truth}, Closing: pos}
}

const (
	asserting = "__hornbeam_assert"
	assuming  = "__hornbeam_assume"
)

// obligation asserts or assumes a condition: quantifiers in it are made variables with any value where that means the same, and
// are unsupported elsewhere.
func (r *reader) obligation(name string, condition tree.Value) tree.Value {
	good := map[*tree.StatementValue]bool{}
	var visit func(v tree.Value, positive bool)
	visit = func(v tree.Value, positive bool) {
		switch v := v.(type) {
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
			if q := r.quantifiers[v]; q != nil {
				// An assertion fails if there is a value against it, an assumption holds if there is one for it.
				good[v] = q.universal == (positive == (name == asserting))
				visit(v.Result, positive)
			}
		}
	}
	visit(condition, true)
	tree.Inspect(condition, func(n tree.Node) bool {
		if v, ok := n.(*tree.StatementValue); ok && r.quantifiers[v] != nil && !good[v] {
			v.Block.Statements = append(v.Block.Statements, &tree.Unsupported{At: v.At, What: undecided})
		}
		return true
	})
	return r.check(name, condition)
}

// foreign is an object of the function that a condition is about, which is not known at the function's beginning and end: a
// local variable.
func foreign(condition tree.Value, known map[*tree.Object]bool) *tree.Object {
	own := map[*tree.Object]bool{}
	var found *tree.Object
	tree.Inspect(condition, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Declare:
			own[n.Object] = true
		case *tree.Use:
			if o := n.Object; o.Storage == tree.Automatic && !own[o] && !known[o] {
				found = o
			}
		}
		return found == nil
	})
	return found
}

// stop is what stands for a contract that can't be handled.
func (r *reader) stop(condition tree.Value, what string) tree.Statement {
	return &tree.Unsupported{At: tree.At{Position: condition.Pos()}, What: what}
}

const (
	aboutLocals = "a contract about a local variable"
	undecided   = "a quantifier that a search for a value does not decide"
)

// requirement is what comes first in a function: what it requires.
func (r *reader) requirement(f *tree.Function, c *contract, called bool) []tree.Statement {
	var out []tree.Statement
	for _, condition := range c.requires {
		switch {
		case foreign(condition, nil) != nil:
			out = append(out, r.stop(condition, aboutLocals))
		case called:
			out = append(out, &tree.Evaluate{At: tree.At{Position: condition.Pos()}, Value: r.obligation(asserting, condition)})
		default:
			out = append(out, &tree.Evaluate{At: tree.At{Position: condition.Pos()}, Value: r.obligation(assuming, condition)})
		}
	}
	for _, d := range c.saved {
		if v := d.Init[0].Value; foreign(v, nil) != nil {
			out = append(out, r.stop(v, aboutLocals))
			continue
		}
		out = append(out, d)
	}
	return out
}

// ensured makes all returns of a function check what it ensures, and is what has to come first for that.
func (r *reader) ensured(f *tree.Function, c *contract) []tree.Statement {
	if len(c.ensures) == 0 {
		return nil
	}
	known := map[*tree.Object]bool{c.result: true}
	for _, d := range c.saved {
		known[d.Object] = true
	}
	var first []tree.Statement
	g := &tree.Function{
		Name: f.Name + ".ensures", Type: &tree.FunctionType{Result: r.types.void}, Pos: f.Pos, End: f.End,
		Body: &tree.Block{At: tree.At{Position: f.Pos}, End: f.End},
	}
	changed := changes(f)
	var arguments []*tree.Object // of the function, for the parameters of the check
	as := map[*tree.Object]*tree.Object{}
	for _, condition := range c.ensures {
		if foreign(condition, known) != nil {
			first = append(first, r.stop(condition, aboutLocals))
			continue
		}
		tree.Inspect(condition, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Declare:
				n.Object.Function = g
				g.Locals = append(g.Locals, n.Object)
				f.Locals = without(f.Locals, n.Object)
			case *tree.Use:
				o := n.Object
				if o.Function != f || o.Storage != tree.Automatic && o.Storage != tree.Parameter {
					return true
				}
				if as[o] == nil {
					as[o] = &tree.Object{Name: o.Name, Type: o.Type, Storage: tree.Parameter, Function: g, Pos: o.Pos}
					arguments = append(arguments, o)
				}
				n.Object = as[o]
			}
			return true
		})
		g.Body.Statements = append(g.Body.Statements, &tree.Evaluate{At: tree.At{Position: condition.Pos()}, Value: r.obligation(asserting, condition)})
	}
	// A parameter is what it was when the function was called.
	for i, o := range arguments {
		p := as[o]
		g.Params = append(g.Params, p)
		g.Type.Params = append(g.Type.Params, p.Type)
		if o.Storage != tree.Parameter || !changed[o] {
			continue
		}
		at := tree.At{Position: o.Pos}
		saved := &tree.Object{Type: o.Type, Storage: tree.Automatic, Function: f, Pos: o.Pos}
		f.Locals = append(f.Locals, saved)
		arguments[i] = saved
		first = append(first, &tree.Declare{At: at, Object: saved, Initialized: true, Init: []tree.Initial{{
			Type: o.Type, Value: &tree.Load{At: at, Place: &tree.Use{At: at, Object: o}}, Repeat: 1,
		}}})
	}
	if c.result != nil {
		f.Locals = without(f.Locals, c.result)
	}
	r.functions[g.Name] = g
	r.out.Functions = append(r.out.Functions, g)
	r.checkReturns(f, func(pos tree.Pos, result *tree.Object) tree.Value {
		at := tree.At{Position: pos}
		call := &tree.Call{At: at, T: r.types.void, Function: g, Closing: pos}
		for _, o := range arguments {
			if o == c.result {
				o = result
			}
			call.Arguments = append(call.Arguments, &tree.Load{At: at, Place: &tree.Use{At: at, Object: o}})
		}
		return call
	})
	return first
}

// checkReturns has a function evaluate something when it returns, with the object that holds its result.
func (r *reader) checkReturns(f *tree.Function, check func(tree.Pos, *tree.Object) tree.Value) {
	void := isVoid(f.Type.Result)
	var returns []*tree.Return
	tree.Inspect(f.Body, func(n tree.Node) bool {
		if s, ok := n.(*tree.Return); ok {
			returns = append(returns, s)
		}
		return true
	})
	if n := len(f.Body.Statements); n == 0 || !isReturn(f.Body.Statements[n-1]) {
		s := &tree.Return{At: tree.At{Position: f.End}}
		if f.Name == "main" && !void {
			s.Value = constantOf(f.End, f.Type.Result, 0)
		}
		f.Body.Statements = append(f.Body.Statements, s)
		returns = append(returns, s)
	}
	for _, s := range returns {
		at := s.At
		v := &tree.StatementValue{At: at, T: r.types.void, Block: &tree.Block{At: at, End: at.Position}}
		add := func(s tree.Statement) { v.Block.Statements = append(v.Block.Statements, s) }
		var result *tree.Object
		if void {
			if s.Value != nil {
				add(&tree.Evaluate{At: at, Value: s.Value})
			}
		} else {
			result = &tree.Object{Type: f.Type.Result, Storage: tree.Automatic, Function: f, Pos: at.Position}
			f.Locals = append(f.Locals, result)
			d := &tree.Declare{At: at, Object: result}
			if s.Value != nil {
				d.Initialized, d.Init = true, []tree.Initial{{Type: result.Type, Value: s.Value, Repeat: 1}}
			}
			add(d)
			v.T, v.Result = result.Type, &tree.Load{At: at, Place: &tree.Use{At: at, Object: result}}
		}
		add(&tree.Evaluate{At: at, Value: check(at.Position, result)})
		s.Value = v
	}
}

func isReturn(s tree.Statement) bool { _, ok := s.(*tree.Return); return ok }

func without(all []*tree.Object, o *tree.Object) []*tree.Object {
	var out []*tree.Object
	for _, p := range all {
		if p != o {
			out = append(out, p)
		}
	}
	return out
}

// changes are the objects that a function assigns to, or takes the address of.
func changes(f *tree.Function) map[*tree.Object]bool {
	out := map[*tree.Object]bool{}
	tree.Inspect(f.Body, func(n tree.Node) bool {
		var p tree.Place
		switch n := n.(type) {
		case *tree.Assign:
			p = n.Place
		case *tree.Update:
			p = n.Place
		case *tree.Address:
			p = n.Place
		case *tree.Assembly:
			for _, o := range n.Outputs {
				out[root(o)] = true
			}
		}
		if p != nil {
			out[root(p)] = true
		}
		return true
	})
	return out
}

// weaveInvariants asserts invariants at the heads of their loops; one that is about what the loop's body declares is asserted
// in its place.
func (r *reader) weaveInvariants(f *tree.Function, c *contract) {
	heads := map[tree.Statement]tree.Value{}
	var order []tree.Statement
	for _, i := range c.invariants {
		check := r.obligation(asserting, i.condition)
		if inside(i) {
			i.place.First = check
			continue
		}
		if heads[i.loop] == nil {
			order = append(order, i.loop)
			heads[i.loop] = check
			continue
		}
		heads[i.loop] = &tree.Comma{At: tree.At{Position: i.condition.Pos()}, First: heads[i.loop], Second: check}
	}
	for _, s := range order {
		check := heads[s]
		before := func(test tree.Value, pos tree.Pos) tree.Value {
			if test == nil {
				test = constantOf(pos, r.types.int, 1)
			}
			return &tree.Comma{At: tree.At{Position: test.Pos()}, First: check, Second: test}
		}
		switch s := s.(type) {
		case *tree.While:
			s.Test = before(s.Test, s.Position)
		case *tree.For:
			s.Test = before(s.Test, s.Position)
		case *tree.DoWhile:
			s.Body = &tree.Block{At: s.At, End: s.TestPos, Statements: []tree.Statement{&tree.Evaluate{At: s.At, Value: check}, s.Body}}
		}
	}
}

// inside tells whether an invariant is about what the body of its loop declares.
func inside(i *invariant) bool {
	var body tree.Statement
	switch s := i.loop.(type) {
	case *tree.While:
		body = s.Body
	case *tree.For:
		body = s.Body
	case *tree.DoWhile:
		body = s.Body
	}
	declared := map[*tree.Object]bool{}
	tree.Inspect(body, func(n tree.Node) bool {
		if d, ok := n.(*tree.Declare); ok {
			declared[d.Object] = true
		}
		return true
	})
	found := false
	tree.Inspect(i.condition, func(n tree.Node) bool {
		if u, ok := n.(*tree.Use); ok && declared[u.Object] {
			found = true
		}
		return !found
	})
	return found
}

// library gives a program that has contracts but no main one that calls any one of its functions with contracts, with any
// arguments and any contents of its objects: what the function requires is all that it may count on.
func (r *reader) library() {
	at := tree.At{Position: tree.Pos{File: r.source.Name, Line: 1, Column: 1}}
	r.out.Library = true
	main := r.functionNamed("main", &tree.FunctionType{Result: r.types.int}, at.Position)
	main.Pos, main.End = at.Position, at.Position
	automatic := func(t tree.Type) (*tree.Object, tree.Value) {
		o := &tree.Object{Type: t, Storage: tree.Automatic, Function: main, Pos: at.Position}
		main.Locals = append(main.Locals, o)
		main.Body.Statements = append(main.Body.Statements, &tree.Declare{At: at, Object: o})
		return o, &tree.Load{At: at, Place: &tree.Use{At: at, Object: o}}
	}
	main.Body = &tree.Block{At: at, End: at.Position}
	which, _ := automatic(r.types.int)
	var first *tree.Object
	var calls []tree.Statement
	called := r.called()
	for _, f := range r.out.Functions {
		if c := r.contracts[f]; c == nil || f.Body == nil {
			continue
		}
		call := &tree.Call{At: tree.At{Position: f.Pos}, T: f.Type.Result, Function: f, Closing: f.Pos}
		for _, p := range f.Params {
			_, v := automatic(p.Type)
			call.Arguments = append(call.Arguments, v)
		}
		block := &tree.Block{At: call.At, End: f.Pos}
		if called[f] && len(r.contracts[f].requires) > 0 {
			if first == nil {
				first = &tree.Object{Name: "", Type: r.types.int, Storage: tree.Global, Pos: at.Position, Written: true}
				r.mentioned = append(r.mentioned, first)
			}
			r.requireOnce(f, first)
			block.Statements = append(block.Statements, &tree.Evaluate{At: call.At, Value: &tree.Assign{
				At: call.At, Place: &tree.Use{At: call.At, Object: first}, Value: constantOf(f.Pos, r.types.int, 1),
			}})
		}
		block.Statements = append(block.Statements, &tree.Evaluate{At: call.At, Value: &tree.Convert{At: call.At, T: r.types.void, X: call}})
		test := &tree.Binary{
			At: call.At, T: r.types.int, Op: tree.Eq, X: &tree.Load{At: call.At, Place: &tree.Use{At: call.At, Object: which}},
			Y: constantOf(f.Pos, r.types.int, int64(len(calls))),
		}
		calls = append(calls, &tree.If{At: call.At, Test: test, Then: block})
	}
	main.Body.Statements = append(main.Body.Statements, calls...)
	main.Body.Statements = append(main.Body.Statements, &tree.Return{At: at, Value: constantOf(at.Position, r.types.int, 0)})
	for _, o := range r.mentioned {
		if o != first && !o.Const && (o.Storage == tree.Global || o.Storage == tree.Static) {
			o.External, o.Init = true, nil
		}
	}
}

// requireOnce changes what a function requires from an assertion to an assumption where the object says so: where it is called
// from outside, and not by the program.
func (r *reader) requireOnce(f *tree.Function, first *tree.Object) {
	at := tree.At{Position: f.Pos}
	outside := &tree.Object{Type: r.types.int, Storage: tree.Automatic, Function: f, Pos: f.Pos}
	f.Locals = append(f.Locals, outside)
	load := func(o *tree.Object) tree.Value { return &tree.Load{At: at, Place: &tree.Use{At: at, Object: o}} }
	begin := []tree.Statement{
		&tree.Declare{At: at, Object: outside, Initialized: true, Init: []tree.Initial{{Type: r.types.int, Value: load(first), Repeat: 1}}},
		&tree.Evaluate{At: at, Value: &tree.Assign{At: at, Place: &tree.Use{At: at, Object: first}, Value: constantOf(f.Pos, r.types.int, 0)}},
	}
	for i, s := range f.Body.Statements[:len(r.contracts[f].requires)] {
		e, ok := s.(*tree.Evaluate)
		if !ok {
			continue
		}
		call := e.Value.(*tree.Call)
		tree.Inspect(call, func(n tree.Node) bool {
			if v, ok := n.(*tree.StatementValue); ok && r.quantifiers[v] != nil {
				// It is asserted of some calls and assumed of others.
				v.Block.Statements = append(v.Block.Statements, &tree.Unsupported{At: v.At, What: undecided})
			}
			return true
		})
		holds := &tree.Object{Type: r.types.int, Storage: tree.Automatic, Function: f, Pos: s.Pos()}
		f.Locals = append(f.Locals, holds)
		unless := func(x tree.Value) tree.Value {
			return &tree.Logical{At: at, T: r.types.int, Or: true, X: x, Y: load(holds)}
		}
		f.Body.Statements[i] = &tree.Block{At: e.At, End: e.Position, Statements: []tree.Statement{
			&tree.Declare{At: e.At, Object: holds, Initialized: true, Init: []tree.Initial{{Type: r.types.int, Value: call.Arguments[0], Repeat: 1}}},
			&tree.Evaluate{At: e.At, Value: r.check(assuming, unless(&tree.Unary{At: at, T: r.types.int, Op: tree.Not, X: load(outside)}))},
			&tree.Evaluate{At: e.At, Value: r.check(asserting, unless(load(outside)))},
		}}
	}
	f.Body.Statements = append(begin, f.Body.Statements...)
}
