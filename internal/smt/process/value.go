package process

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// valueReader turns printed values into values. What is printed need not be a value yet: z3 gives terms with any of the
// theories' operators when its preprocessing defined a constant by others, or when it does not compare two arrays.
type valueReader struct {
	p *term.Pool
	// sorts are the declared sorts, constructors and selectors those of the declared datatypes, by name.
	sorts        map[string]*term.Sort
	constructors map[string]*term.Constructor
	selectors    map[string]*term.Selector
	// elements maps the solver's name of an element, with its sort's name, to our element.
	elements map[string]*term.Term
	taken    map[*term.Term]bool
	// lambdas is the number of open lambdas.
	lambdas int
}

func newValueReader(p *term.Pool, declared ...*term.Sort) *valueReader {
	r := &valueReader{
		p: p, sorts: map[string]*term.Sort{}, constructors: map[string]*term.Constructor{}, selectors: map[string]*term.Selector{},
		elements: map[string]*term.Term{}, taken: map[*term.Term]bool{},
	}
	for _, s := range declared {
		r.sorts[s.Name] = s
		if s.Kind != term.DatatypeKind {
			continue
		}
		for _, c := range s.Data.Constructors {
			r.constructors[c.Name] = c
			for _, sel := range c.Selectors {
				r.selectors[sel.Name] = sel
			}
		}
	}
	return r
}

// element notes that the solver's name stands for e, which is nil or an element.
func (r *valueReader) element(e *term.Term, name string) {
	if e != nil && e.Op() == term.Element {
		r.elements[e.Sort().Name+" "+elementName(name)] = e
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
		return term.Value{}, fmt.Errorf("%w: %v", smt.ErrNoValue, e)
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
	// read has what e was read as, by the sort that was wanted.
	read map[*term.Sort]*term.Term
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

// term reads a term of sort want, or of the sort that it shows when want is nil. An Int becomes Real where that is wanted.
func (r *valueReader) term(want *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	t, err := r.read(want, e, b)
	switch {
	case err != nil:
		return nil, err
	case want == nil || t.Sort() == want:
		return t, nil
	case want == term.Real && t.Sort() == term.Int:
		return r.p.ToReal(t), nil
	}
	return nil, fmt.Errorf("%v has sort %v, not %v", e, t.Sort(), want)
}

func (r *valueReader) read(want *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	if bound := b.find(e); bound != nil {
		if bound.v != nil {
			return bound.v, nil
		}
		if t := bound.read[want]; t != nil {
			return t, nil
		}
		t, err := r.term(want, bound.e, bound.scope)
		if err == nil {
			bound.read[want] = t
		}
		return t, err
	}
	switch {
	case e.list == nil:
		return r.atom(want, e)
	case len(e.list) == 0:
		return nil, errors.New("an empty list")
	case e.isList("let", 3):
		inner := b
		for _, x := range e.list[1].list {
			if len(x.list) != 2 {
				return nil, fmt.Errorf("a let without names: %v", e)
			}
			inner = &bindings{outer: inner, name: x.list[0].atom, e: x.list[1], scope: b, read: map[*term.Sort]*term.Term{}}
		}
		return r.term(want, e.list[2], inner)
	case e.isList("store", 4):
		return r.store(want, e, b)
	case e.isList("lambda", 3):
		return r.lambda(want, e, b)
	case e.isList("as", 3):
		return r.qualified(e)
	case e.isList("_", 3) && strings.HasPrefix(e.list[1].atom, "bv"):
		return r.bits(e, e.list[1].atom[2:], e.list[2].atom)
	case len(e.list) == 2 && e.list[0].isList("as", 3) && e.list[0].list[1].atom == "const":
		srt, err := r.sort(e.list[0].list[2])
		if err != nil {
			return nil, err
		}
		if !srt.IsArray() {
			return nil, fmt.Errorf("a constant array of sort %v", srt)
		}
		v, err := r.term(srt.Elem, e.list[1], b)
		if err != nil {
			return nil, err
		}
		return r.p.ConstArray(srt, v), nil
	}
	return r.apply(want, e, b)
}

// atom reads a literal, a constructor or an element.
func (r *valueReader) atom(want *term.Sort, e *sexpr) (*term.Term, error) {
	text := e.atom
	switch {
	case e.quoted:
	case text == "true" || text == "false":
		return r.p.Bool(text == "true"), nil
	case strings.HasPrefix(text, "#b"), strings.HasPrefix(text, "#x"):
		base, perDigit := 2, 1
		if text[1] == 'x' {
			base, perDigit = 16, 4
		}
		if n, ok := new(big.Int).SetString(text[2:], base); ok {
			return r.p.BVNum(term.NumFromBig(n), perDigit*(len(text)-2)), nil
		}
		return nil, fmt.Errorf("not a bit-vector: %v", e)
	case text != "" && strings.Trim(text[:1], "0123456789") == "":
		n, err := term.ParseNum(text)
		if err != nil {
			return nil, err
		}
		if strings.Contains(text, ".") {
			return r.p.Real(n), nil
		}
		return r.p.IntNum(n), nil
	}
	if c := r.constructors[text]; c != nil {
		if len(c.Selectors) > 0 {
			return nil, fmt.Errorf("%v without its arguments", e)
		}
		return r.p.Construct(c), nil
	}
	if want == nil {
		want = r.sortOfElement(text)
	}
	if want == nil || want.Kind != term.UninterpretedKind {
		return nil, fmt.Errorf("%w: %v", smt.ErrNoValue, e)
	}
	return r.elementOf(want, text), nil
}

// bits reads (_ bv3 8).
func (r *valueReader) bits(e *sexpr, digits, width string) (*term.Term, error) {
	n, ok := new(big.Int).SetString(digits, 10)
	w, err := number(width)
	if !ok || err != nil || w < 1 || n.Sign() < 0 || n.BitLen() > w {
		return nil, fmt.Errorf("not a bit-vector: %v", e)
	}
	return r.p.BVNum(term.NumFromBig(n), w), nil
}

// qualified reads (as c S), a constructor or an element.
func (r *valueReader) qualified(e *sexpr) (*term.Term, error) {
	srt, err := r.sort(e.list[2])
	if err != nil {
		return nil, err
	}
	return r.term(srt, e.list[1], nil)
}

// store reads a chain of stores from the outside in, without recursion: a model may have many.
func (r *valueReader) store(want *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	var stores []*sexpr
	for ; e.isList("store", 4); e = e.list[1] {
		stores = append(stores, e)
	}
	a, err := r.term(want, e, b)
	if err != nil {
		return nil, err
	}
	srt := a.Sort()
	if !srt.IsArray() {
		return nil, fmt.Errorf("a store into a term of sort %v", srt)
	}
	for i := len(stores) - 1; i >= 0; i-- {
		k, err := r.term(srt.Index, stores[i].list[2], b)
		if err != nil {
			return nil, err
		}
		v, err := r.term(srt.Elem, stores[i].list[3], b)
		if err != nil {
			return nil, err
		}
		a = r.p.Store(a, k, v)
	}
	return a, nil
}

// lambda reads (lambda ((x S)) v), an array.
func (r *valueReader) lambda(want *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	if len(e.list[1].list) != 1 || len(e.list[1].list[0].list) != 2 {
		return nil, fmt.Errorf("%w: the array %v", smt.ErrNoValue, e)
	}
	bound := e.list[1].list[0].list
	index, err := r.sort(bound[1])
	if err != nil {
		return nil, err
	}
	var elem *term.Sort
	if want.IsArray() {
		elem = want.Elem
	}
	x := r.p.Var(fmt.Sprintf("bound!%d", r.lambdas), index)
	r.lambdas++
	body, err := r.term(elem, e.list[2], &bindings{outer: b, name: bound[0].atom, v: x})
	r.lambdas--
	if err != nil {
		return nil, err
	}
	a, ok := smt.FunctionArray(r.p, r.p.Array(index, body.Sort()), x, body)
	if !ok {
		return nil, fmt.Errorf("%w: the array %v", smt.ErrNoValue, e)
	}
	return a, nil
}

// sort reads a sort.
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
		if w, err := number(e.list[2].atom); err == nil && w > 0 {
			return r.p.BitVec(w), nil
		}
	case e.list != nil:
	case r.sorts[e.atom] != nil:
		return r.sorts[e.atom], nil
	case e.atom == "Bool":
		return term.Bool, nil
	case e.atom == "Int":
		return term.Int, nil
	case e.atom == "Real":
		return term.Real, nil
	}
	return nil, fmt.Errorf("not a sort that is understood: %v", e)
}

// sortOfElement is the sort in whose name z3 (`Thing!val!0`) and cvc5 (`@Thing_0`) name an element, nil when there is
// none.
func (r *valueReader) sortOfElement(name string) *term.Sort {
	if i := strings.LastIndex(name, "!val!"); i >= 0 {
		return r.sorts[name[:i]]
	}
	name = elementName(name)
	if i := strings.LastIndexByte(name, '_'); i >= 0 && strings.HasPrefix(name, "@") {
		return r.sorts[name[1:i]]
	}
	return nil
}

// elementName is the name without a qualification by its sort.
func elementName(name string) string {
	if rest, ok := strings.CutPrefix(name, "(as "); ok {
		name, _, _ = strings.Cut(rest, " ")
	}
	return name
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
