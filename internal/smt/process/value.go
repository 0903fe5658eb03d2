package process

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// valueReader turns printed values into values.
type valueReader struct {
	p *term.Pool
	// elements maps the solver's name of an element, with its sort's name, to our element.
	elements map[string]*term.Term
	taken    map[*term.Term]bool
}

// element notes that the solver's name stands for e, which is nil or an element.
func (r *valueReader) element(e *term.Term, name string) {
	if e != nil && e.Op() == term.Element {
		r.elements[e.Sort().Name+" "+name] = e
		r.taken[e] = true
	}
}

// value reads a value of sort srt.
func (r *valueReader) value(srt *term.Sort, e *sexpr) (term.Value, error) {
	t, err := r.term(srt, e, nil)
	if err != nil {
		return term.Value{}, err
	}
	v, ok := term.NewEvaluator(r.p, term.MapAssignment{}).Eval(t)
	if !ok {
		return term.Value{}, fmt.Errorf("%v is no value", e)
	}
	return v, nil
}

// bindings are what the lets and lambdas around an expression bind: an expression, read in its own scope, or a variable.
type bindings struct {
	outer *bindings
	name  string
	e     *sexpr
	scope *bindings
	v     *term.Term
}

func (b *bindings) find(e *sexpr) *bindings {
	if e.list != nil {
		return nil
	}
	for ; b != nil; b = b.outer {
		if b.name == e.atom {
			return b
		}
	}
	return nil
}

// term reads a value of sort srt, or what z3 prints in place of one.
func (r *valueReader) term(srt *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	if bound := b.find(e); bound != nil && bound.v == nil {
		return r.term(srt, bound.e, bound.scope)
	} else if bound != nil && bound.v.Sort() == srt {
		return bound.v, nil
	}
	switch {
	case e.isList("let", 3):
		inner := b
		for _, x := range e.list[1].list {
			if len(x.list) != 2 {
				return nil, fmt.Errorf("a let without names: %v", e)
			}
			inner = &bindings{outer: inner, name: x.list[0].atom, e: x.list[1], scope: b}
		}
		return r.term(srt, e.list[2], inner)
	case e.isList("ite", 4):
		ts, err := r.terms([]*term.Sort{term.Bool, srt, srt}, e.list[1:], b)
		if err != nil {
			return nil, err
		}
		return r.p.Ite(ts[0], ts[1], ts[2]), nil
	}
	switch srt.Kind {
	case term.BoolKind:
		return r.truth(e, b)
	case term.IntKind, term.RealKind:
		n, err := number(e)
		if err != nil {
			return nil, err
		}
		if srt == term.Int && !n.IsInt() {
			return nil, fmt.Errorf("%v is no integer", e)
		}
		return r.p.Numeral(n, srt), nil
	case term.BitVecKind:
		return r.bits(srt, e)
	case term.ArrayKind:
		return r.array(srt, e, b)
	case term.DatatypeKind:
		return r.data(srt, e, b)
	default:
		return r.elementOf(srt, e.String()), nil
	}
}

func (r *valueReader) terms(sorts []*term.Sort, es []*sexpr, b *bindings) ([]*term.Term, error) {
	out := make([]*term.Term, len(es))
	for i, e := range es {
		var err error
		if out[i], err = r.term(sorts[i], e, b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// truth reads true, false, and combinations of equations.
func (r *valueReader) truth(e *sexpr, b *bindings) (*term.Term, error) {
	if e.list == nil {
		switch e.atom {
		case "true":
			return r.p.True(), nil
		case "false":
			return r.p.False(), nil
		}
		return nil, fmt.Errorf("no truth value: %v", e)
	}
	if e.isList("=", 3) {
		return r.equation(e, b)
	}
	ts, err := r.terms(slices.Repeat([]*term.Sort{term.Bool}, max(len(e.list)-1, 0)), e.list[min(1, len(e.list)):], b)
	switch {
	case err != nil:
		return nil, err
	case e.isList("not", 2):
		return r.p.Not(ts[0]), nil
	case e.isList("and", 2):
		return r.p.And(ts...), nil
	case e.isList("or", 2):
		return r.p.Or(ts...), nil
	}
	return nil, fmt.Errorf("unsupported: %v", e)
}

// equation reads an equation with a lambda's variable, or between arrays, which z3 now and then prints instead of its
// truth value.
func (r *valueReader) equation(e *sexpr, b *bindings) (*term.Term, error) {
	var srt *term.Sort
	for _, side := range e.list[1:] {
		for side.isList("store", 4) {
			side = side.list[1]
		}
		if bound := b.find(side); bound != nil && bound.v != nil {
			srt = bound.v.Sort()
		} else if len(side.list) == 2 && side.list[0].isList("as", 3) {
			var err error
			if srt, err = r.sort(side.list[0].list[2]); err != nil {
				return nil, err
			}
		}
	}
	if srt == nil {
		return nil, fmt.Errorf("unsupported: the equation %v", e)
	}
	ts, err := r.terms([]*term.Sort{srt, srt}, e.list[1:3], b)
	if err != nil {
		return nil, err
	}
	return r.p.Eq(ts[0], ts[1]), nil
}

// sort reads a sort without names.
func (r *valueReader) sort(e *sexpr) (*term.Sort, error) {
	switch {
	case e.isList("Array", 3):
		i, err := r.sort(e.list[1])
		if err != nil {
			return nil, err
		}
		v, err := r.sort(e.list[2])
		if err != nil {
			return nil, err
		}
		return r.p.Array(i, v), nil
	case e.isList("_", 3) && e.list[1].atom == "BitVec":
		if w, err := strconv.Atoi(e.list[2].atom); err == nil && w > 0 {
			return r.p.BitVec(w), nil
		}
	case e.atom == "Bool":
		return term.Bool, nil
	case e.atom == "Int":
		return term.Int, nil
	case e.atom == "Real":
		return term.Real, nil
	}
	return nil, fmt.Errorf("not a sort that is understood: %v", e)
}

// number reads 5, 5.0, (- x), (/ x y).
func number(e *sexpr) (term.Num, error) {
	switch {
	case e.isList("-", 2) && len(e.list) == 2:
		n, err := number(e.list[1])
		return n.Neg(), err
	case e.isList("/", 3):
		a, err := number(e.list[1])
		if err != nil {
			return a, err
		}
		b, err := number(e.list[2])
		if err != nil || b.IsZero() {
			return b, errors.Join(err, fmt.Errorf("no quotient: %v", e))
		}
		return a.Div(b), nil
	case e.isList("to_real", 2):
		return number(e.list[1])
	case e.list != nil:
		return term.Num{}, fmt.Errorf("unsupported: the number %v", e)
	}
	return term.ParseNum(e.atom)
}

// bits reads #b01, #x1f, (_ bv3 8).
func (r *valueReader) bits(srt *term.Sort, e *sexpr) (*term.Term, error) {
	base, digits := 0, ""
	switch {
	case strings.HasPrefix(e.atom, "#b"):
		base, digits = 2, e.atom[2:]
	case strings.HasPrefix(e.atom, "#x"):
		base, digits = 16, e.atom[2:]
	case e.isList("_", 3) && strings.HasPrefix(e.list[1].atom, "bv"):
		base, digits = 10, e.list[1].atom[2:]
	}
	n, ok := new(big.Int).SetString(digits, base)
	if base == 0 || !ok {
		return nil, fmt.Errorf("not a bit-vector: %v", e)
	}
	return r.p.BVNum(term.NumFromBig(n), srt.Width), nil
}

// array reads ((as const S) v), (store a i v) and (lambda ((x S)) v).
func (r *valueReader) array(srt *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	// Stores are read from the outside in, without recursion: a model may have many.
	var stores []*sexpr
	for ; e.isList("store", 4); e = e.list[1] {
		stores = append(stores, e)
	}
	var a *term.Term
	var err error
	switch {
	case b.find(e) != nil, e.isList("let", 3), e.isList("ite", 4):
		a, err = r.term(srt, e, b)
	case len(e.list) == 2 && e.list[0].isList("as", 3) && e.list[0].list[1].atom == "const":
		var v *term.Term
		if v, err = r.term(srt.Elem, e.list[1], b); err == nil {
			a = r.p.ConstArray(srt, v)
		}
	case e.isList("lambda", 3) && len(e.list[1].list) == 1 && len(e.list[1].list[0].list) == 2:
		x := r.p.Var("bound!0", srt.Index)
		var body *term.Term
		body, err = r.term(srt.Elem, e.list[2], &bindings{outer: b, name: e.list[1].list[0].list[0].atom, v: x})
		if err != nil {
			break
		}
		var ok bool
		if a, ok = smt.FunctionArray(r.p, srt, x, body); !ok {
			err = fmt.Errorf("unsupported: the array %v", e)
		}
	default:
		err = fmt.Errorf("unsupported: the array %v", e)
	}
	if err != nil {
		return nil, err
	}
	for _, st := range slices.Backward(stores) {
		ts, err := r.terms([]*term.Sort{srt.Index, srt.Elem}, st.list[2:4], b)
		if err != nil {
			return nil, err
		}
		a = r.p.Store(a, ts[0], ts[1])
	}
	return a, nil
}

// data reads c, (c v ...), (as c S), ((as c S) v ...).
func (r *valueReader) data(srt *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	head, args := e, []*sexpr(nil)
	if e.list != nil && !e.isList("as", 3) {
		if len(e.list) == 0 {
			return nil, errors.New("an empty list")
		}
		head, args = e.list[0], e.list[1:]
	}
	if head.isList("as", 3) {
		head = head.list[1]
	}
	for _, c := range srt.Data.Constructors {
		if c.Name != head.atom || len(c.Selectors) != len(args) {
			continue
		}
		sorts := make([]*term.Sort, len(args))
		for i, sel := range c.Selectors {
			sorts[i] = sel.Sort
		}
		ts, err := r.terms(sorts, args, b)
		if err != nil {
			return nil, err
		}
		return r.p.Construct(c, ts...), nil
	}
	return nil, fmt.Errorf("no constructor of %v: %v", srt, e)
}

// elementOf returns the element that the solver's name stands for: a new name gets the first element that nobody has.
func (r *valueReader) elementOf(srt *term.Sort, name string) *term.Term {
	key := srt.Name + " " + name
	if e, ok := r.elements[key]; ok {
		return e
	}
	for i := 0; ; i++ {
		e := r.p.Element(srt, i)
		if !r.taken[e] {
			r.elements[key], r.taken[e] = e, true
			return e
		}
	}
}
