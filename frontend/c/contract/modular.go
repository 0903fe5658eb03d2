package contract

import (
	"math/big"
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
		if w.limited(g) {
			stands[g] = w.standIn(g)
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

// limited tells whether a contract says anything about calls of a function. One without a body is none of the program's if it is weak.
func (w *instrumenter) limited(g *tree.Function) bool {
	if g.Body == nil && g.Weak {
		return false
	}
	return w.Functions[g].speaks() || w.Assigns[g] != nil
}

// trust has contracts stand for the functions that have no body. What they require is asserted of each call.
func (w *instrumenter) trust() {
	stands := map[*tree.Function]*tree.Function{}
	for _, g := range slices.Clone(w.Program.Functions) {
		if g.Body == nil && w.limited(g) {
			stands[g] = w.standIn(g)
			// No compiler knows what is asserted.
			w.Program.Contracts = w.Program.Contracts || w.Functions[g] != nil && len(w.Functions[g].Requires) > 0
		}
	}
	if len(stands) == 0 {
		return
	}
	own := map[*tree.Call]bool{}
	for _, s := range stands {
		tree.Inspect(s.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok {
				own[call] = true
			}
			return true
		})
	}
	w.Inspect(func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Call:
			if s := stands[n.Function]; s != nil && !own[n] {
				n.Function = s
			}
		case *tree.FunctionAddress:
			if s := stands[n.Function]; s != nil {
				n.Function = s
			}
		}
		return true
	})
}

// standIn is a function that does what a contract allows, in place of one that is limited by it.
func (w *instrumenter) standIn(g *tree.Function) *tree.Function {
	c := w.Functions[g]
	if c == nil {
		c = &Contract{}
	}
	pos := g.Pos
	at := tree.At{Position: pos}
	s := &tree.Function{Name: g.Name + ".contract", Type: g.Type, Pos: pos, End: g.End, Instrumented: true, Body: &tree.Block{At: at, End: pos}}
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
	switch {
	case again != nil:
	case g.Body == nil:
		again = c
	default:
		again = &Contract{}
	}
	for _, d := range again.Saved {
		move(d)
	}
	for _, v := range slices.Concat(again.Requires, again.Ensures) {
		move(v)
	}
	add := func(all ...tree.Statement) { s.Body.Statements = append(s.Body.Statements, all...) }
	w.standing = true
	add(w.requirement(again, asserting)...)
	w.standing = false
	call := &tree.Call{At: at, T: g.Type.Result, Function: g, Closing: pos}
	for _, p := range s.Params {
		call.Arguments = append(call.Arguments, tree.Read(p, pos))
	}
	effect := func(v tree.Value) tree.Statement {
		return &tree.Havoc{At: at, Only: true, Body: evaluate(v), Assigns: w.Assigns[g]}
	}
	if g.Body == nil {
		// It has any effect by itself that such a function is taken to have, with values that a run can be replayed with.
		// Without arguments it has none but its result.
		effect = func(v tree.Value) tree.Statement { return evaluate(v) }
		if a := w.Assigns[g]; a != nil && !a.Memory {
			call.Arguments = nil
		}
		w.Program.Trusted = append(w.Program.Trusted, g.Name)
		defer func() { g.Params, g.Locals = nil, nil }()
	}
	result := again.Result
	if tree.IsVoid(g.Type.Result) {
		add(effect(call))
	} else {
		if result == nil {
			result = &tree.Object{Type: g.Type.Result, Storage: tree.Automatic, Pos: pos}
		}
		local(result)
		add(&tree.Declare{At: at, Object: result})
		// That says where pointers in the result may lead.
		assign := &tree.Assign{At: at, Place: &tree.Use{At: at, Object: result}, Value: call}
		add(effect(assign))
	}
	if a := w.Assigns[g]; a != nil && g.Body == nil {
		for _, o := range a.Objects {
			add(evaluate(w.anyValue(g, o, at)))
		}
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

// anyValue gives an object that a function without a body changes any value: a scalar is the result of a function that is not there
// either, anything else has any bytes.
func (w *instrumenter) anyValue(g *tree.Function, o *tree.Object, at tree.At) tree.Value {
	place := &tree.Use{At: at, Object: o}
	if tree.Scalar(o.Type) {
		o.Written = true
		any := w.Function(g.Name+"."+o.Name, &tree.FunctionType{Result: o.Type}, at.Position)
		any.Instrumented = true
		return &tree.Assign{At: at, Place: place, Value: &tree.Call{At: at, T: o.Type, Function: any, Closing: at.Position}}
	}
	void := &tree.Pointer{Elem: w.Void, Bytes: w.Program.Model.PointerBytes}
	havoc := w.Function("__hornbeam_havoc", &tree.FunctionType{Result: w.Void, Params: []tree.Type{void, w.Program.Size}}, at.Position)
	havoc.Instrumented = true
	p := &tree.Address{At: at, T: &tree.Pointer{Elem: o.Type, Bytes: void.Bytes}, Place: place}
	size := &tree.Constant{At: at, T: w.Program.Size, Int: big.NewInt(o.Type.Size())}
	return &tree.Call{At: at, T: w.Void, Function: havoc, Arguments: []tree.Value{&tree.Convert{At: at, T: void, X: p}, size}, Closing: at.Position}
}
