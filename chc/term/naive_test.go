package term

import (
	"fmt"
	"math/big"

	"pgregory.net/rapid"
)

// The reference semantics that the constructors and the evaluator are tested against. A naive value is a bool, a
// *big.Rat (Int and Real), a *big.Int (unsigned bit-vector), an *array, a *data or an element (int). nil is undetermined: every operator of an
// undetermined argument is undetermined.
type (
	naive any
	array struct {
		def   naive
		elems map[string]naive // by the printed index
	}
	data struct {
		ctor   int
		fields []naive
	}
	env  map[*Term]naive
	expr struct {
		t    *Term
		eval func(env) naive
	}
)

// show prints a naive value so that equal values print the same, up to the form of arrays.
func show(v naive) string {
	switch v := v.(type) {
	case *big.Rat:
		return v.RatString()
	case *data:
		s := fmt.Sprint("c", v.ctor)
		for _, f := range v.fields {
			s += "," + show(f)
		}
		return "<" + s + ">"
	case *array:
		return fmt.Sprint("array ", show(v.def), v.elems)
	}
	return fmt.Sprint(v)
}

func sameNaive(a, b naive) bool {
	x, ok := a.(*array)
	if !ok {
		return show(a) == show(b)
	}
	y := b.(*array)
	for i := range x.elems {
		if !sameNaive(x.at(i), y.at(i)) {
			return false
		}
	}
	for i := range y.elems {
		if !sameNaive(x.at(i), y.at(i)) {
			return false
		}
	}
	// Arrays are indexed by Int or Bool here; a Bool array with both elements given has no others.
	_, f := x.elems["false"]
	_, t := x.elems["true"]
	_, f2 := y.elems["false"]
	_, t2 := y.elems["true"]
	return (f || f2) && (t || t2) || sameNaive(x.def, y.def)
}

func (a *array) at(i string) naive {
	if v, ok := a.elems[i]; ok {
		return v
	}
	return a.def
}

func (a *array) with(i string, v naive) *array {
	b := &array{a.def, map[string]naive{}}
	for k, x := range a.elems {
		b.elems[k] = x
	}
	b.elems[i] = v
	return b
}

// naiveOf reads a value term.
func naiveOf(t *Term) naive {
	switch t.Op() {
	case True, False:
		return t.IsTrue()
	case Numeral:
		return t.Num().Rat()
	case BVNumeral:
		return t.Num().BigInt()
	case Element:
		i, _ := t.Num().Int64()
		return int(i)
	case ConstArray:
		return &array{naiveOf(t.Arg(0)), map[string]naive{}}
	case Store:
		return naiveOf(t.Arg(0)).(*array).with(show(naiveOf(t.Arg(1))), naiveOf(t.Arg(2)))
	case Construct:
		d := &data{ctor: t.Ctor().Index}
		for _, a := range t.Args() {
			d.fields = append(d.fields, naiveOf(a))
		}
		return d
	}
	panic("no value: " + t.String())
}

// world has the symbols of the random terms.
type world struct {
	p       *Pool
	vars    map[*Sort][]*Term
	arr     *Sort // Int to Int
	barr    *Sort // Bool to Real
	list    *Sort // nil | cons(head Int, tail list)
	color   *Sort // red | green | blue
	elem    *Sort // uninterpreted
	f       *Func // Int, Bool to Int
	widths  []int
	allVars []*Term
}

func newWorld() *world {
	p := NewPool()
	w := &world{p: p, vars: map[*Sort][]*Term{}, arr: p.Array(Int, Int), barr: p.Array(Bool, Real), elem: p.Uninterpreted("U"),
		widths: []int{1, 4, 7, 64, 70}}
	ss, err := p.Datatypes(
		DatatypeDecl{"list", []ConstructorDecl{{Name: "cons", Selectors: []SelectorDecl{{"head", Of(Int)}, {"tail", Declared(0)}}}, {Name: "nil"}}},
		DatatypeDecl{"color", []ConstructorDecl{{Name: "red"}, {Name: "green"}, {Name: "blue"}}})
	if err != nil {
		panic(err)
	}
	w.list, w.color = ss[0], ss[1]
	w.f = p.DeclareFunc("f", []*Sort{Int, Bool}, Int)
	sorts := []*Sort{Bool, Int, Real, w.arr, w.barr, w.list, w.color, w.elem}
	for _, n := range w.widths {
		sorts = append(sorts, p.BitVec(n))
	}
	for i, s := range sorts {
		for j := range 3 {
			v := p.Var(fmt.Sprintf("v%d_%d", i, j), s)
			w.vars[s] = append(w.vars[s], v)
			w.allVars = append(w.allVars, v)
		}
	}
	return w
}

// value draws a value of sort s.
func (w *world) value(t *rapid.T, s *Sort) *Term {
	p := w.p
	switch s.Kind {
	case BoolKind:
		return p.Bool(rapid.Bool().Draw(t, "bool"))
	case IntKind:
		if rapid.IntRange(0, 20).Draw(t, "big") == 0 {
			return p.IntNum(NumFromBig(drawRat().Draw(t, "int").Num()))
		}
		return p.Int(int64(rapid.IntRange(-6, 6).Draw(t, "int")))
	case RealKind:
		return p.Real(NewRat(int64(rapid.IntRange(-9, 9).Draw(t, "num")), int64(rapid.IntRange(1, 4).Draw(t, "den"))))
	case BitVecKind:
		switch rapid.IntRange(0, 2).Draw(t, "bvkind") {
		case 0:
			return p.BVNum(NewInt(int64(rapid.IntRange(-3, 3).Draw(t, "bv"))), s.Width)
		case 1: // around the sign change
			return p.BVNum(Pow2(s.Width-1).Add(NewInt(int64(rapid.IntRange(-2, 2).Draw(t, "bv")))), s.Width)
		}
		return p.BVNum(NewInt(rapid.Int64().Draw(t, "bv")).Mul(NewInt(rapid.Int64Range(1, 1000).Draw(t, "bv2"))), s.Width)
	case ArrayKind:
		a := p.ConstArray(s, w.value(t, s.Elem))
		for range rapid.IntRange(0, 3).Draw(t, "stores") {
			a = p.Store(a, w.value(t, s.Index), w.value(t, s.Elem))
		}
		return a
	case UninterpretedKind:
		return p.Element(s, rapid.IntRange(0, 2).Draw(t, "elem"))
	}
	if s == w.color {
		return p.Construct(s.Data.Constructors[rapid.IntRange(0, 2).Draw(t, "color")])
	}
	l := p.Construct(s.Data.Constructors[1])
	for range rapid.IntRange(0, 2).Draw(t, "length") {
		l = p.Construct(s.Data.Constructors[0], w.value(t, Int), l)
	}
	return l
}

// assignment draws values for all variables, as the evaluator and as the reference take them.
func (w *world) assignment(t *rapid.T) (MapAssignment, env) {
	m, e := MapAssignment{}, env{}
	for _, v := range w.allVars {
		x := w.value(t, v.Sort())
		m[v], e[v] = TermValue(x), naiveOf(x)
	}
	return m, e
}

// funcs adds an interpretation of w.f to an assignment: f(i, b) is 3*i, plus 1 if b.
type funcs struct {
	Assignment
	w *world
}

func (f funcs) Lookup(v *Term) (Value, bool) {
	if v.Op() != Apply {
		return f.Assignment.Lookup(v)
	}
	n := v.Arg(0).Num().Mul(NewInt(3))
	if v.Arg(1).IsTrue() {
		n = n.Add(NewInt(1))
	}
	return NumValue(n, Int), true
}

// op builds the expression with the given term whose value is f of its arguments' values.
func op(t *Term, f func([]naive) naive, args ...expr) expr {
	return expr{t, func(e env) naive {
		vs := make([]naive, len(args))
		for i, a := range args {
			if vs[i] = a.eval(e); vs[i] == nil {
				return nil
			}
		}
		return f(vs)
	}}
}

func terms(xs []expr) []*Term {
	var ts []*Term
	for _, x := range xs {
		ts = append(ts, x.t)
	}
	return ts
}
