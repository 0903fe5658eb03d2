package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// separate are the names of the functions that modular verification proves one by one: those with contracts, those that nothing
// calls, and those that only such functions reach that nothing else reaches. The others are part of their callers.
func (c *Contracts) separate(p *tree.Program, called map[*tree.Function]bool) []string {
	proved, reached := map[*tree.Function]bool{}, map[*tree.Function]bool{}
	var reach func(f *tree.Function)
	reach = func(f *tree.Function) {
		if f == nil || f.Body == nil || reached[f] {
			return
		}
		reached[f] = true
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				reach(n.Function)
			case *tree.FunctionAddress:
				reach(n.Function)
			}
			return true
		})
	}
	add := func(which func(*tree.Function) bool) {
		for _, f := range p.Functions {
			if f.Body != nil && !f.Library && which(f) {
				proved[f] = true
				reach(f)
			}
		}
	}
	add(func(f *tree.Function) bool {
		return c.Functions[f].speaks() || c.Assigns[f] != nil || f.Name == "main" || !called[f]
	})
	add(func(f *tree.Function) bool { return !reached[f] })
	var out []string
	for _, f := range p.Functions {
		if proved[f] {
			out = append(out, f.Name)
		}
	}
	return out
}

// speaks tells whether a contract says anything about calls of the function.
func (c *Contract) speaks() bool {
	return c != nil && (len(c.Requires) > 0 || len(c.Ensures) > 0)
}

// alone makes of a program one that proves a function by itself: every call of a function with a contract does what the contract
// allows, loops with invariants do what these allow, and a function main calls the one that is proved, with any arguments and any
// contents of the program's objects. Of main itself runs begin as those of the program do, if nothing calls it.
func (w *instrumenter) alone() {
	f := w.Program.Function(w.Modular)
	if f == nil || f.Body == nil {
		return
	}
	w.Program.Contracts = true
	for _, g := range slices.Clone(w.Program.Functions) {
		if c := w.Functions[g]; c != nil && g.Body != nil {
			w.cutLoops(g, c)
		}
	}
	stands := map[*tree.Function]*tree.Function{}
	for _, g := range slices.Clone(w.Program.Functions) {
		c := w.Functions[g]
		if c == nil {
			c = &Contract{}
		}
		if c.speaks() || w.Assigns[g] != nil {
			stands[g] = w.standIn(g, c)
		}
	}
	for _, g := range w.Program.Functions {
		if g.Body == nil {
			continue
		}
		tree.Inspect(g.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && stands[call.Function] != nil && stands[call.Function] != g {
				call.Function = stands[call.Function]
			}
			return true
		})
	}
	for _, g := range slices.Clone(w.Program.Functions) {
		c := w.Functions[g]
		if c == nil || g.Body == nil {
			continue
		}
		var begin []tree.Statement
		if g == f {
			ensured := w.ensured(f, c) // which settles what is to be kept
			begin = append(w.requirement(c, assuming), ensured...)
		} else {
			begin = w.saved(c)
		}
		g.Body.Statements = append(begin, g.Body.Statements...)
	}
	if len(w.weakened) > 0 {
		w.suggestReads(f)
	}
	if f.Name == "main" && !w.Called[f] {
		w.checkAssigns(f)
		return
	}
	w.callAlone(f)
}

// standIn is a function that does what a contract allows, in place of one with that contract.
func (w *instrumenter) standIn(g *tree.Function, c *Contract) *tree.Function {
	pos := g.Pos
	at := tree.At{Position: pos}
	s := &tree.Function{Name: g.Name + ".contract", Type: g.Type, Pos: pos, End: g.End, Body: &tree.Block{At: at, End: pos}}
	params := map[*tree.Object]*tree.Object{}
	for _, p := range g.Params {
		own := &tree.Object{Name: p.Name, Type: p.Type, Storage: tree.Parameter, Function: s, Pos: p.Pos, Const: p.Const, Volatile: p.Volatile}
		params[p] = own
		s.Params = append(s.Params, own)
	}
	local := func(o *tree.Object) {
		o.Function = s
		s.Locals = append(s.Locals, o)
		g.Locals = without(g.Locals, o)
	}
	// move makes a condition of the function one of the other.
	move := func(n tree.Node) {
		tree.Inspect(n, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Declare:
				local(n.Object)
			case *tree.Use:
				if own := params[n.Object]; own != nil {
					n.Object = own
				}
			}
			return true
		})
	}
	again := c.Again
	if again == nil {
		again = &Contract{}
	}
	for _, d := range again.Saved {
		move(d)
	}
	for _, v := range slices.Concat(again.Requires, again.Ensures) {
		move(v)
	}
	add := func(all ...tree.Statement) { s.Body.Statements = append(s.Body.Statements, all...) }
	add(w.requirement(again, asserting)...)
	call := &tree.Call{At: at, T: g.Type.Result, Function: g, Closing: pos}
	for _, p := range s.Params {
		call.Arguments = append(call.Arguments, tree.Read(p, pos))
	}
	result := again.Result
	if tree.IsVoid(g.Type.Result) {
		add(&tree.Havoc{At: at, Only: true, Body: evaluate(call), Assigns: w.Assigns[g]})
	} else {
		if result == nil {
			result = &tree.Object{Type: g.Type.Result, Storage: tree.Automatic, Pos: pos}
		}
		local(result)
		add(&tree.Declare{At: at, Object: result})
		// That says where pointers in the result may lead.
		assign := &tree.Assign{At: at, Place: &tree.Use{At: at, Object: result}, Value: call}
		add(&tree.Havoc{At: at, Only: true, Body: evaluate(assign), Assigns: w.Assigns[g]})
	}
	known := map[*tree.Object]bool{result: true}
	for _, d := range again.Saved {
		known[d.Object] = true
	}
	for _, condition := range again.Ensures {
		if namesOther(condition, known) {
			add(stop(condition, aboutLocals))
			continue
		}
		add(evaluate(w.obligation(assuming, condition)))
	}
	if result != nil {
		add(&tree.Return{At: at, Value: tree.Read(result, pos)})
	}
	w.Program.Functions = append(w.Program.Functions, s)
	return s
}

// cutLoops has loops with invariants begin once, anywhere where the invariants hold, and end where they are asserted again. Loops
// that jumps may lead into are only checked.
func (w *instrumenter) cutLoops(g *tree.Function, c *Contract) {
	var plain []*Invariant
	byLoop := map[tree.Statement][]*Invariant{}
	for _, i := range c.Invariants {
		if i.Loop == nil || inside(i) || i.Assumed == nil || entered(i.Loop) {
			plain = append(plain, i)
			continue
		}
		byLoop[i.Loop] = append(byLoop[i.Loop], i)
	}
	rewrite(g.Body, func(s tree.Statement) tree.Statement {
		if all := byLoop[s]; all != nil {
			return w.cut(s, all)
		}
		return s
	})
	w.assertInvariants(&Contract{Invariants: plain})
}

// entered tells whether a jump from outside may lead into a loop.
func entered(loop tree.Statement) bool {
	labels, cases := map[*tree.Label]bool{}, map[*tree.Case]bool{}
	own := 0
	tree.Inspect(loop, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Label:
			labels[n] = true
		case *tree.Case:
			cases[n] = true
		case *tree.Switch:
			own += len(n.Cases)
			if n.Default != nil {
				own++
			}
		}
		return true
	})
	return len(labels) > 0 || own != len(cases)
}

// cut is what stands for a loop with invariants.
func (w *instrumenter) cut(loop tree.Statement, all []*Invariant) tree.Statement {
	at := tree.At{Position: loop.Pos()}
	zero := func() tree.Value { return constant(loop.Pos(), w.Program.Int, 0) }
	var first, assume []tree.Statement
	end := zero()
	end = &tree.Comma{At: at, First: w.check(assuming, zero()), Second: end}
	for _, i := range slices.Backward(all) {
		first = append([]tree.Statement{evaluate(w.obligation(asserting, i.Condition))}, first...)
		assume = append([]tree.Statement{evaluate(w.obligation(assuming, i.Assumed))}, assume...)
		end = &tree.Comma{At: at, First: w.obligation(asserting, i.Last), Second: end}
	}
	once := &tree.DoWhile{At: at, TestPos: loop.Pos()}
	w.once[once] = true
	leave := func(test tree.Value) tree.Statement {
		return &tree.If{At: at, Test: test, Then: &tree.Empty{At: at}, Else: &tree.Break{At: at, Target: once}}
	}
	var init []tree.Statement
	var body tree.Statement
	switch s := loop.(type) {
	case *tree.While:
		body = s.Body
		once.Body = &tree.Block{At: at, End: loop.Pos(), Statements: []tree.Statement{leave(s.Test), s.Body}}
		once.Test = end
	case *tree.For:
		body, init = s.Body, s.Init
		b := &tree.Block{At: at, End: loop.Pos()}
		if s.Test != nil {
			b.Statements = append(b.Statements, leave(s.Test))
		}
		b.Statements = append(b.Statements, s.Body)
		once.Body, once.Test = b, end
		if s.Step != nil {
			once.Test = &tree.Comma{At: at, First: s.Step, Second: end}
		}
	case *tree.DoWhile:
		body = s.Body
		once.Body = s.Body
		once.Test = &tree.Logical{At: at, T: w.Program.Int, X: s.Test, Y: end}
	}
	tree.Inspect(body, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Break:
			if n.Target == loop {
				n.Target = once
			}
		case *tree.Continue:
			if n.Target == loop {
				n.Target = once
			}
		}
		return true
	})
	block := func(all ...tree.Statement) *tree.Block { return &tree.Block{At: at, End: loop.Pos(), Statements: all} }
	return block(slices.Concat(init, first, []tree.Statement{&tree.Havoc{At: at, Body: block(append(assume, once)...)}})...)
}

// rewrite replaces the statements in a block, those within others first.
func rewrite(b *tree.Block, by func(tree.Statement) tree.Statement) {
	var visit func(s tree.Statement) tree.Statement
	visit = func(s tree.Statement) tree.Statement {
		switch s := s.(type) {
		case nil:
			return nil
		case *tree.Block:
			for i, inner := range s.Statements {
				s.Statements[i] = visit(inner)
			}
		case *tree.If:
			s.Then, s.Else = visit(s.Then), visit(s.Else)
		case *tree.While:
			s.Body = visit(s.Body)
		case *tree.DoWhile:
			s.Body = visit(s.Body)
		case *tree.For:
			s.Body = visit(s.Body)
		case *tree.Switch:
			s.Body = visit(s.Body)
		case *tree.Case:
			s.Statement = visit(s.Statement)
		case *tree.Label:
			s.Statement = visit(s.Statement)
		}
		return by(s)
	}
	visit(b)
	tree.Inspect(b, func(n tree.Node) bool {
		if v, ok := n.(*tree.StatementValue); ok {
			for i, s := range v.Block.Statements {
				v.Block.Statements[i] = visit(s)
			}
		}
		return true
	})
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
		o := &tree.Object{Type: t, Storage: tree.Automatic, Function: main, Pos: f.Pos}
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
