package contract

import (
	"math/big"
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// Environment is what Instrument needs of the program that is being read.
type Environment struct {
	Program *tree.Program
	// Static are the objects that live as long as the program; Instrument may append one.
	Static *[]*tree.Object
	// Called are the functions that something in the program, or a contract, may call.
	Called map[*tree.Function]bool
	// Main says that the program defines main.
	Main bool
	// Modular is the name of the function that is to be proved by itself; empty for the program.
	Modular string
	// Faults is what is asked of the program.
	Faults fault.Set
	// Void and Bool are types of the program.
	Void tree.Type
	Bool *tree.Integer
	// Inspect visits what the bodies of functions and the initial values of objects are made of, as tree.Inspect does.
	Inspect func(visit func(tree.Node) bool)
	// Convert converts a scalar to a type, and Function declares a function.
	Convert  func(tree.Value, tree.Type, tree.Pos) tree.Value
	Function func(name string, t *tree.FunctionType, pos tree.Pos) *tree.Function
}

// instrumenter makes plain C of contracts.
type instrumenter struct {
	Environment
	*Contracts
	weakened []*weakened
	// suggested are objects, and constants numbers, that quantified conditions are tried with.
	suggested []*tree.Object
	constants []int64
	// old is what is kept of functions' beginnings that names a quantifier's variable, and places are where that is.
	old    map[*tree.Object][]*tree.Declare
	places []*place
	// once are loops whose body is executed once.
	once map[tree.Statement]bool
	// standing says that what is made stands for a function that is not there.
	standing bool
}

// Instrument makes plain C of contracts. What a function requires is asserted where it begins, or assumed if nothing in the program
// calls it; what it ensures is asserted where it returns, by a function of its own that gets the objects that the conditions name;
// invariants are asserted whenever the head of their loop is reached.
func Instrument(c *Contracts, e Environment) {
	e.Program.Separate = c.separate(e.Program, e.Called)
	w := &instrumenter{Environment: e, Contracts: c, once: map[tree.Statement]bool{}}
	w.findOld()
	defer w.instantiate()
	if e.Modular != "" {
		w.alone()
		return
	}
	w.trust()
	checked := false
	for _, f := range slices.Clone(e.Program.Functions) {
		c := c.Functions[f]
		if c == nil || f.Body == nil {
			continue
		}
		checked, e.Program.Contracts = true, true
		if !e.Faults.Has(fault.Assertion) {
			w.unasked(c, e.Called[f] && e.Main)
		}
		w.assertInvariants(c)
		required := assuming
		if e.Called[f] {
			required = asserting
		}
		ensured := w.ensured(f, c) // which settles what is to be kept
		begin := append(w.requirement(c, required), ensured...)
		f.Body.Statements = append(begin, f.Body.Statements...)
	}
	if checked && !e.Main {
		w.callAny()
	}
}

// unasked leaves out of a contract what is only asserted, as nothing is asked about assertions: a run does not end at one that does not
// hold. called says so of what the function requires. What is about valid pointers is asked where accesses are.
func (w *instrumenter) unasked(c *Contract, called bool) {
	asked := func(all []tree.Value) []tree.Value {
		return slices.DeleteFunc(slices.Clone(all), func(v tree.Value) bool { return !w.aboutValidity(v) })
	}
	c.Ensures = asked(c.Ensures)
	c.Invariants = slices.DeleteFunc(slices.Clone(c.Invariants), func(i *Invariant) bool { return !w.aboutValidity(i.Condition) })
	if called {
		c.Requires = asked(c.Requires)
	}
}

// check is a call of one of the functions that assert or assume.
func (w *instrumenter) check(name string, condition tree.Value) tree.Value {
	pos := condition.Pos()
	f := w.Function(name, &tree.FunctionType{Result: w.Void, Params: []tree.Type{w.Program.Int}}, pos)
	f.Instrumented = true
	truth := w.Convert(w.Convert(condition, w.Bool, pos), w.Program.Int, pos)
	return &tree.Call{At: tree.At{Position: pos}, T: w.Void, Function: f, Arguments: []tree.Value{truth}, Closing: pos}
}

const (
	asserting = "__hornbeam_assert"
	assuming  = "__hornbeam_assume"
	relying   = "__hornbeam_rely"

	relyingOnValidity = "__hornbeam_rely_valid"
)

// obligation asserts or assumes a condition. What is asserted is so whatever is asked of the program where something else is assumed
// for it: the result of a call, or what holds in another function.
func (w *instrumenter) obligation(name string, condition tree.Value) tree.Value {
	w.track(name, condition)
	w.quantify(name, condition)
	switch {
	case name != asserting:
	case w.aboutValidity(condition):
		name = relyingOnValidity
	case w.Modular != "" || w.standing:
		name = relying
	}
	return w.check(name, condition)
}

// namesOther tells whether a condition names a local variable that is not known at the function's beginning and end.
func namesOther(condition tree.Value, known map[*tree.Object]bool) bool {
	own := map[*tree.Object]bool{}
	found := false
	tree.Inspect(condition, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Declare:
			own[n.Object] = true
		case *tree.Use:
			o := n.Object
			found = found || o.Storage == tree.Automatic && !own[o] && !known[o]
		}
		return !found
	})
	return found
}

// stop stands for a contract that can't be handled.
func stop(condition tree.Value, what string) tree.Statement {
	return &tree.Unsupported{At: tree.At{Position: condition.Pos()}, What: what}
}

func evaluate(v tree.Value) *tree.Evaluate {
	return &tree.Evaluate{At: tree.At{Position: v.Pos()}, Value: v}
}

func constant(pos tree.Pos, t tree.Type, x int64) *tree.Constant {
	return &tree.Constant{At: tree.At{Position: pos}, T: t, Int: big.NewInt(x)}
}

const (
	aboutLocals = "a contract about a local variable"
	undecided   = "a quantifier that a search for a value does not decide"
)

// requirement is what comes first in a function: what it requires, asserted or assumed.
func (w *instrumenter) requirement(c *Contract, name string) []tree.Statement {
	var out []tree.Statement
	for _, condition := range c.Requires {
		if namesOther(condition, nil) {
			out = append(out, stop(condition, aboutLocals))
			continue
		}
		out = append(out, evaluate(w.obligation(name, condition)))
	}
	return append(out, w.saved(c)...)
}

// saved keeps what conditions name of the function's beginning.
func (w *instrumenter) saved(c *Contract) []tree.Statement {
	var out []tree.Statement
	for _, d := range c.Saved {
		v := d.Init[0].Value
		if k := w.variableIn(d); k != nil && !namesOther(v, map[*tree.Object]bool{k: true}) {
			block := &tree.Block{At: d.At, End: d.Position}
			w.places = append(w.places, &place{d, block})
			out = append(out, &tree.Declare{At: d.At, Object: d.Object}, block)
			continue
		}
		if namesOther(v, nil) {
			out = append(out, stop(v, aboutLocals))
			continue
		}
		out = append(out, d)
	}
	return out
}

// ensured makes all returns of a function check what it ensures, and is what has to come first for that.
func (w *instrumenter) ensured(f *tree.Function, c *Contract) []tree.Statement {
	if len(c.Ensures) == 0 {
		return nil
	}
	known := map[*tree.Object]bool{c.Result: true}
	for _, d := range c.Saved {
		known[d.Object] = true
	}
	var first []tree.Statement
	g := &tree.Function{
		Name: f.Name + ".ensures", Type: &tree.FunctionType{Result: w.Void}, Pos: f.Pos, End: f.End,
		Body: &tree.Block{At: tree.At{Position: f.Pos}, End: f.End}, Ends: f,
	}
	changed := changes(f)
	var arguments []*tree.Object // of the function, for the parameters of the check
	as := map[*tree.Object]*tree.Object{}
	for _, condition := range c.Ensures {
		if namesOther(condition, known) {
			first = append(first, stop(condition, aboutLocals))
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
		g.Body.Statements = append(g.Body.Statements, evaluate(w.obligation(asserting, condition)))
	}
	// A parameter is what it was when the function was called.
	for i, o := range arguments {
		p := as[o]
		g.Params = append(g.Params, p)
		g.Type.Params = append(g.Type.Params, p.Type)
		if o.Storage != tree.Parameter || !changed[o] {
			continue
		}
		saved := &tree.Object{Type: o.Type, Storage: tree.Automatic, Function: f, Pos: o.Pos}
		f.Locals = append(f.Locals, saved)
		arguments[i] = saved
		first = append(first, tree.Initialise(saved, tree.Read(o, o.Pos), o.Pos))
	}
	if c.Result != nil {
		f.Locals = without(f.Locals, c.Result)
	}
	w.Program.Functions = append(w.Program.Functions, g)
	w.checkReturns(f, func(pos tree.Pos, result *tree.Object) tree.Value {
		at := tree.At{Position: pos}
		call := &tree.Call{At: at, T: w.Void, Function: g, Closing: pos}
		for _, o := range arguments {
			if o == c.Result {
				o = result
			}
			call.Arguments = append(call.Arguments, tree.Read(o, pos))
		}
		return call
	})
	return first
}

// checkReturns has a function evaluate something when it returns, with the object that holds its result.
func (w *instrumenter) checkReturns(f *tree.Function, check func(tree.Pos, *tree.Object) tree.Value) {
	void := tree.IsVoid(f.Type.Result)
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
			s.Value = constant(f.End, f.Type.Result, 0)
		}
		f.Body.Statements = append(f.Body.Statements, s)
		returns = append(returns, s)
	}
	for _, s := range returns {
		at := s.At
		v := &tree.StatementValue{At: at, T: w.Void, Block: &tree.Block{At: at, End: at.Position}}
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
				d = tree.Initialise(result, s.Value, at.Position)
			}
			add(d)
			v.T, v.Result = result.Type, tree.Read(result, at.Position)
		}
		add(&tree.Evaluate{At: at, Value: check(at.Position, result)})
		s.Value = v
	}
}

func isReturn(s tree.Statement) bool { _, ok := s.(*tree.Return); return ok }

func without(all []*tree.Object, o *tree.Object) []*tree.Object {
	return slices.DeleteFunc(slices.Clone(all), func(p *tree.Object) bool { return p == o })
}

// changes are the objects that a function assigns to, or takes the address of.
func changes(f *tree.Function) map[*tree.Object]bool {
	out := map[*tree.Object]bool{}
	tree.Inspect(f.Body, func(n tree.Node) bool {
		if a, ok := n.(*tree.Address); ok {
			out[tree.RootObject(a.Place)] = true
		}
		for _, p := range tree.Written(n) {
			out[tree.RootObject(p)] = true
		}
		return true
	})
	return out
}
