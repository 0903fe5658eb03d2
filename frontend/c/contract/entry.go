package contract

import (
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// callAny gives a program that has contracts but no main one that calls any one of its functions with contracts, with any
// arguments and any contents of its objects: what the function requires is all that it may count on.
func (w *instrumenter) callAny() {
	at := tree.At{Position: tree.Pos{File: w.Program.Name, Line: 1, Column: 1}}
	w.Program.Library = true
	main := w.Function("main", &tree.FunctionType{Result: w.Program.Int}, at.Position)
	main.Pos, main.End = at.Position, at.Position
	automatic := func(t tree.Type) (*tree.Object, tree.Value) {
		o := &tree.Object{Type: t, Storage: tree.Automatic, Function: main, Pos: at.Position, Given: w.Faults.Has(fault.Dereference)}
		main.Locals = append(main.Locals, o)
		main.Body.Statements = append(main.Body.Statements, &tree.Declare{At: at, Object: o})
		return o, tree.Read(o, at.Position)
	}
	main.Body = &tree.Block{At: at, End: at.Position}
	which, _ := automatic(w.Program.Int)
	var first *tree.Object
	var calls []tree.Statement
	for _, f := range w.Program.Functions {
		if c := w.Functions[f]; c == nil || f.Body == nil {
			continue
		}
		call := &tree.Call{At: tree.At{Position: f.Pos}, T: f.Type.Result, Function: f, Closing: f.Pos}
		for _, p := range f.Params {
			_, v := automatic(p.Type)
			call.Arguments = append(call.Arguments, v)
		}
		block := &tree.Block{At: call.At, End: f.Pos}
		if w.Called[f] && len(w.Functions[f].Requires) > 0 {
			if first == nil {
				first = &tree.Object{Name: "", Type: w.Program.Int, Storage: tree.Global, Pos: at.Position, Written: true}
				*w.Static = append(*w.Static, first)
			}
			w.requireOnce(f, first)
			block.Statements = append(block.Statements, &tree.Evaluate{At: call.At, Value: &tree.Assign{
				At: call.At, Place: &tree.Use{At: call.At, Object: first}, Value: constant(f.Pos, w.Program.Int, 1),
			}})
		}
		block.Statements = append(block.Statements, &tree.Evaluate{At: call.At, Value: &tree.Convert{At: call.At, T: w.Void, X: call}})
		test := &tree.Binary{
			At: call.At, T: w.Program.Int, Op: tree.Eq, X: tree.Read(which, f.Pos),
			Y: constant(f.Pos, w.Program.Int, int64(len(calls))),
		}
		calls = append(calls, &tree.If{At: call.At, Test: test, Then: block})
	}
	main.Body.Statements = append(main.Body.Statements, calls...)
	main.Body.Statements = append(main.Body.Statements, &tree.Return{At: at, Value: constant(at.Position, w.Program.Int, 0)})
	for _, o := range *w.Static {
		if o != first && !o.Const && (o.Storage == tree.Global || o.Storage == tree.Static) {
			o.External, o.Init = true, nil
		}
	}
}

// requireOnce changes what a function requires from an assertion to an assumption where the object says so: where it is called
// from outside, and not by the program.
func (w *instrumenter) requireOnce(f *tree.Function, first *tree.Object) {
	at := tree.At{Position: f.Pos}
	outside := &tree.Object{Type: w.Program.Int, Storage: tree.Automatic, Function: f, Pos: f.Pos}
	f.Locals = append(f.Locals, outside)
	load := func(o *tree.Object) tree.Value { return tree.Read(o, f.Pos) }
	begin := []tree.Statement{
		tree.Initialise(outside, load(first), f.Pos),
		&tree.Evaluate{At: at, Value: &tree.Assign{At: at, Place: &tree.Use{At: at, Object: first}, Value: constant(f.Pos, w.Program.Int, 0)}},
	}
	for i, s := range f.Body.Statements[:len(w.Functions[f].Requires)] {
		e, ok := s.(*tree.Evaluate)
		if !ok {
			continue
		}
		call := e.Value.(*tree.Call)
		tree.Inspect(call, func(n tree.Node) bool {
			if v, ok := n.(*tree.StatementValue); ok && w.quantifier(v) {
				// It is asserted of some calls and assumed of others.
				v.Block.Statements = append(v.Block.Statements, &tree.Unsupported{At: v.At, What: undecided})
			}
			return true
		})
		holds := &tree.Object{Type: w.Program.Int, Storage: tree.Automatic, Function: f, Pos: s.Pos()}
		f.Locals = append(f.Locals, holds)
		unless := func(x tree.Value) tree.Value {
			return &tree.Logical{At: e.At, T: w.Program.Int, Or: true, X: x, Y: load(holds)}
		}
		f.Body.Statements[i] = &tree.Block{At: e.At, End: e.Position, Statements: []tree.Statement{
			tree.Initialise(holds, call.Arguments[0], e.Position),
			&tree.Evaluate{At: e.At, Value: w.check(assuming, unless(&tree.Unary{At: at, T: w.Program.Int, Op: tree.Not, X: load(outside)}))},
		}}
		b := f.Body.Statements[i].(*tree.Block)
		check := asserting
		if w.aboutValidity(call) {
			check = relyingOnValidity
		} else if !w.Faults.Has(fault.Assertion) {
			continue
		}
		b.Statements = append(b.Statements, &tree.Evaluate{At: e.At, Value: w.check(check, unless(load(outside)))})
	}
	f.Body.Statements = append(begin, f.Body.Statements...)
}

// callAlone gives the program a function main that calls a function with any arguments and any contents of the program's objects.
// Pointers among these may lead to the same objects, and to those of the program whose addresses are taken.
func (w *instrumenter) callAlone(f *tree.Function) {
	at := tree.At{Position: f.Pos}
	w.Program.Library = true
	if main := w.Program.Function("main"); main != nil {
		main.Name = "main.program"
	}
	main := &tree.Function{
		Name: "main", Type: &tree.FunctionType{Result: w.Program.Int}, Pos: f.Pos, End: f.Pos, Body: &tree.Block{At: at, End: f.Pos},
	}
	w.Program.Functions = append(w.Program.Functions, main)
	add := func(s tree.Statement) { main.Body.Statements = append(main.Body.Statements, s) }
	automatic := func(t tree.Type) *tree.Object {
		o := &tree.Object{Type: t, Storage: tree.Automatic, Function: main, Pos: f.Pos, Given: w.Faults.Has(fault.Dereference)}
		main.Locals = append(main.Locals, o)
		add(&tree.Declare{At: at, Object: o})
		return o
	}
	call := &tree.Call{At: at, T: f.Type.Result, Function: f, Closing: f.Pos}
	var open []tree.Place
	for _, p := range f.Params {
		o := automatic(p.Type)
		open = append(open, &tree.Use{At: at, Object: o})
		call.Arguments = append(call.Arguments, tree.Read(o, f.Pos))
	}
	void := &tree.Pointer{Elem: w.Void, Bytes: w.Program.Model.PointerBytes}
	mixed := automatic(void)
	m := &mixer{w: w, at: at, any: mixed, seen: map[string]bool{}}
	taken := w.addressed()
	for _, o := range *w.Static {
		if o.Storage != tree.Global && o.Storage != tree.Static && o.Storage != tree.Literal {
			continue
		}
		use := &tree.Use{At: at, Object: o}
		if taken[o] {
			m.takes(&tree.Address{At: at, T: &tree.Pointer{Elem: o.Type, Bytes: void.Bytes}, Place: use})
		}
		if !o.Const && o.Storage != tree.Literal {
			o.External, o.Init = true, nil
			open = append(open, use)
		}
	}
	for _, p := range open {
		m.mix(p, 0)
	}
	if len(m.out) > 0 {
		add(&tree.Havoc{At: at, Only: true, Body: &tree.Block{At: at, End: f.Pos, Statements: m.out}})
	}
	if a := w.Assigns[f]; a != nil {
		checked := *call
		add(&tree.Havoc{At: at, Only: true, Body: evaluate(&tree.Convert{At: at, T: w.Void, X: &checked}), Assigns: a, Check: true})
		add(w.asksFor(open[len(f.Params):], at))
	}
	add(&tree.Evaluate{At: at, Value: &tree.Convert{At: at, T: w.Void, X: call}})
	add(&tree.Return{At: at, Value: constant(f.Pos, w.Program.Int, 0)})
}

// checkAssigns asks whether a function that begins the program changes what its clause does not list.
func (w *instrumenter) checkAssigns(f *tree.Function) {
	a := w.Assigns[f]
	if a == nil {
		return
	}
	at := tree.At{Position: f.Pos}
	var all []tree.Place
	for _, o := range *w.Static {
		if o.Storage == tree.Global && !o.Const {
			all = append(all, &tree.Use{At: at, Object: o})
		}
	}
	body := *f.Body
	f.Body = &tree.Block{At: f.Body.At, End: f.Body.End, Statements: []tree.Statement{
		w.asksFor(all, at), &tree.Havoc{At: at, Body: &body, Assigns: a, Check: true},
	}}
}

// asksFor reads places and does nothing: what nothing reads is left out of translations.
func (w *instrumenter) asksFor(places []tree.Place, at tree.At) tree.Statement {
	var reads []tree.Statement
	for _, p := range places {
		reads = append(reads, w.readsOf(p)...)
	}
	return &tree.Havoc{At: at, Only: true, Check: true, Body: &tree.Block{At: at, End: at.Position, Statements: reads}}
}
