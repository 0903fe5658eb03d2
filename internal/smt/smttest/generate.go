// Package smttest has what the solvers' tests share: random formulas, and the properties that every implementation of
// the smt interfaces must have.
package smttest

import (
	"fmt"

	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// Theory selects what random formulas are about; values are combined by or.
type Theory uint

// The theories; Boolean structure and Boolean variables are always there.
const (
	Ints Theory = 1 << iota
	Reals
	BitVecs
	Arrays    // from Int to Int and from 2-bit vectors to Bool; with Ints and BitVecs
	Datatypes // a list of Ints
	Functions // uninterpreted functions and an uninterpreted sort

	// ConstArrays are constant arrays from Int to Int, with Arrays; Nested are two mutually recursive datatypes, one with a
	// field that is an array of the other, with Datatypes.
	ConstArrays
	Nested

	Linear = Ints | Reals
	All    = Linear | BitVecs | Arrays | Datatypes | Functions | ConstArrays | Nested
)

// Signature is a pool with the variables and sorts that random formulas use.
type Signature struct {
	Pool     *term.Pool
	theories Theory
	vars     map[*term.Sort][]*term.Term
	list     *term.Sort
	tree     *term.Sort
	forest   *term.Sort
	thing    *term.Sort
	bits     *term.Sort
	ints     *term.Sort // array from Int to Int
	flags    *term.Sort // array from 2 bits to Bool
	small    *term.Sort
	f, g     *term.Func
}

// NewSignature returns a signature with three variables of each sort of the theories.
func NewSignature(p *term.Pool, theories Theory) (*Signature, error) {
	s := &Signature{
		Pool: p, theories: theories, vars: map[*term.Sort][]*term.Term{},
		bits: p.BitVec(5), small: p.BitVec(2), thing: p.Uninterpreted("Thing"), ints: p.Array(term.Int, term.Int),
	}
	s.flags = p.Array(s.small, term.Bool)
	var err error
	if theories&Datatypes != 0 {
		if s.list, s.tree, s.forest, err = datatypes(p); err != nil {
			return nil, err
		}
	}
	s.f = p.DeclareFunc("f", []*term.Sort{term.Int, s.thing}, term.Int)
	s.g = p.DeclareFunc("g", []*term.Sort{term.Int}, s.thing)
	for _, v := range []struct {
		need Theory
		sort *term.Sort
		name string
	}{
		{0, term.Bool, "p"}, {Ints, term.Int, "i"}, {Reals, term.Real, "r"}, {BitVecs, s.bits, "b"}, {BitVecs, s.small, "c"},
		{Arrays, s.ints, "a"}, {Arrays, s.flags, "d"}, {Datatypes, s.list, "l"}, {Nested, s.tree, "t"},
		{Nested, s.forest, "w"}, {Functions, s.thing, "u"},
	} {
		if theories&v.need != v.need {
			continue
		}
		for k := range 3 {
			s.vars[v.sort] = append(s.vars[v.sort], p.Var(fmt.Sprintf("%s%d", v.name, k), v.sort))
		}
	}
	return s, nil
}

func datatypes(p *term.Pool) (list, tree, forest *term.Sort, err error) {
	lists, err := p.Datatypes(term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
		{Name: "nil"},
		{Name: "cons", Selectors: []term.SelectorDecl{{Name: "head", Sort: term.Of(term.Int)}, {Name: "tail", Sort: term.Declared(0)}}},
	}})
	if err != nil {
		return nil, nil, nil, err
	}
	trees, err := p.Datatypes(
		term.DatatypeDecl{Name: "Tree", Constructors: []term.ConstructorDecl{
			{Name: "leaf", Selectors: []term.SelectorDecl{{Name: "label", Sort: term.Of(lists[0])}}},
			{Name: "node", Selectors: []term.SelectorDecl{{Name: "below", Sort: term.Declared(1)}}},
		}},
		term.DatatypeDecl{Name: "Forest", Constructors: []term.ConstructorDecl{
			{Name: "empty"},
			{Name: "grow", Selectors: []term.SelectorDecl{
				{Name: "trees", Sort: func(d []*term.Sort) *term.Sort { return p.Array(term.Int, d[0]) }},
				{Name: "count", Sort: term.Of(term.Int)},
			}},
		}})
	if err != nil {
		return nil, nil, nil, err
	}
	return lists[0], trees[0], trees[1], nil
}

// Vars are the variables of sort s.
func (s *Signature) Vars(srt *term.Sort) []*term.Term { return s.vars[srt] }

// Formula draws a Boolean term of at most the given depth.
func (s *Signature) Formula(t *rapid.T, depth int) *term.Term {
	p := s.Pool
	if depth <= 0 {
		return s.atom(t, 1)
	}
	sub := func() *term.Term { return s.Formula(t, depth-1) }
	switch rapid.IntRange(0, 8).Draw(t, "formula") {
	case 0, 1:
		return p.And(sub(), sub())
	case 2, 3:
		return p.Or(sub(), sub())
	case 4:
		return p.Not(sub())
	case 5:
		return p.Iff(sub(), sub())
	case 6:
		return p.Ite(sub(), sub(), sub())
	default:
		return s.atom(t, depth)
	}
}

// sorts are the sorts that terms are drawn of.
func (s *Signature) sorts() []*term.Sort {
	var out []*term.Sort
	for _, c := range []struct {
		need Theory
		sort []*term.Sort
	}{
		{Ints, []*term.Sort{term.Int, term.Int}}, {Reals, []*term.Sort{term.Real, term.Real}}, {BitVecs, []*term.Sort{s.bits}},
		{Arrays, []*term.Sort{s.ints, s.flags}}, {Datatypes, []*term.Sort{s.list}}, {Nested, []*term.Sort{s.tree, s.forest}}, {Functions, []*term.Sort{s.thing}},
	} {
		if s.theories&c.need != 0 {
			out = append(out, c.sort...)
		}
	}
	return out
}

func (s *Signature) atom(t *rapid.T, depth int) *term.Term {
	p := s.Pool
	sorts := s.sorts()
	if len(sorts) == 0 || rapid.IntRange(0, 5).Draw(t, "atom") == 0 {
		return s.variable(t, term.Bool)
	}
	srt := rapid.SampledFrom(sorts).Draw(t, "sort")
	a, b := s.Term(t, srt, depth), s.Term(t, srt, depth)
	k := rapid.IntRange(0, 4).Draw(t, "relation")
	switch {
	case srt.IsArith() && k == 0:
		return p.Lt(a, b)
	case srt.IsArith() && k <= 2:
		return p.Le(a, b)
	case srt == term.Int && k == 3:
		return p.Divides(term.NewInt(rapid.Int64Range(2, 6).Draw(t, "modulus")), p.Sub(a, b))
	case srt == term.Real && k == 3:
		return p.IsInt(a)
	case srt == s.bits && k <= 1:
		return p.BV(rapid.SampledFrom([]term.Op{term.BVUle, term.BVUlt, term.BVSle, term.BVSlt}).Draw(t, "op"), a, b)
	case srt == s.flags && k <= 2:
		return p.Select(a, s.Term(t, s.small, depth-1))
	case srt.IsDatatype() && k <= 1:
		return p.Is(rapid.SampledFrom(srt.Data.Constructors).Draw(t, "constructor"), a)
	}
	return p.Eq(a, b)
}

func (s *Signature) variable(t *rapid.T, srt *term.Sort) *term.Term {
	return rapid.SampledFrom(s.vars[srt]).Draw(t, "variable")
}

// Term draws a term of one of the signature's sorts.
func (s *Signature) Term(t *rapid.T, srt *term.Sort, depth int) *term.Term {
	if depth <= 0 {
		// Z3 has no sound account of constant arrays over a finite index sort (4.8.12, and 4.13.3 as internal/smt/z3 tests).
		if srt != s.flags && (srt != s.ints || s.theories&ConstArrays != 0) && rapid.Bool().Draw(t, "value") {
			return s.Value(t, srt).Term(s.Pool)
		}
		return s.variable(t, srt)
	}
	if rapid.IntRange(0, 7).Draw(t, "ite") == 0 {
		return s.Pool.Ite(s.atom(t, depth-1), s.Term(t, srt, depth-1), s.Term(t, srt, depth-1))
	}
	switch srt {
	case term.Bool:
		return s.Formula(t, depth-1)
	case term.Int:
		return s.integer(t, depth)
	case term.Real:
		return s.real(t, depth)
	case s.bits, s.small:
		return s.bitVector(t, srt, depth)
	case s.ints:
		return s.Pool.Store(s.Term(t, s.ints, depth-1), s.Term(t, term.Int, depth-1), s.Term(t, term.Int, depth-1))
	case s.flags:
		return s.Pool.Store(s.Term(t, s.flags, depth-1), s.Term(t, s.small, depth-1), s.Term(t, term.Bool, depth-1))
	case s.thing:
		if s.theories&Ints != 0 && rapid.Bool().Draw(t, "g") {
			return s.Pool.Apply(s.g, s.Term(t, term.Int, depth-1))
		}
		return s.variable(t, srt)
	}
	return s.data(t, srt, depth)
}

func (s *Signature) integer(t *rapid.T, depth int) *term.Term {
	p := s.Pool
	sub := func(srt *term.Sort) *term.Term { return s.Term(t, srt, depth-1) }
	k := term.NewInt(rapid.Int64Range(-4, 7).Draw(t, "k"))
	switch op := rapid.IntRange(0, 12).Draw(t, "integer"); {
	case op <= 3:
		return p.Add(sub(term.Int), sub(term.Int))
	case op <= 5:
		return p.Scale(k, sub(term.Int))
	case op == 6 && !k.IsZero():
		return p.IntDiv(sub(term.Int), p.IntNum(k))
	case op == 7 && !k.IsZero():
		return p.Mod(sub(term.Int), p.IntNum(k))
	case op == 8:
		return p.Abs(sub(term.Int))
	case op == 9 && s.theories&Reals != 0:
		return p.ToInt(sub(term.Real))
	case op == 10 && s.theories&Arrays != 0:
		return p.Select(sub(s.ints), sub(term.Int))
	case op == 11 && s.theories&Datatypes != 0:
		list := sub(s.list)
		cons := s.list.Data.Constructors[1]
		return p.Ite(p.Is(cons, list), p.Field(cons.Selectors[0], list), p.Int(5))
	case op == 12 && s.theories&Functions != 0:
		return p.Apply(s.f, sub(term.Int), sub(s.thing))
	}
	return p.Sub(sub(term.Int), p.IntNum(k))
}

func (s *Signature) real(t *rapid.T, depth int) *term.Term {
	p := s.Pool
	k := s.Value(t, term.Real).Num()
	switch op := rapid.IntRange(0, 4).Draw(t, "real"); {
	case op == 0:
		return p.Add(s.Term(t, term.Real, depth-1), s.Term(t, term.Real, depth-1))
	case op == 1:
		return p.Scale(k, s.Term(t, term.Real, depth-1))
	case op == 2 && s.theories&Ints != 0:
		return p.ToReal(s.Term(t, term.Int, depth-1))
	case op == 3 && !k.IsZero():
		return p.Div(s.Term(t, term.Real, depth-1), p.Real(k))
	}
	return p.Sub(s.Term(t, term.Real, depth-1), p.Real(k))
}

func (s *Signature) bitVector(t *rapid.T, srt *term.Sort, depth int) *term.Term {
	p := s.Pool
	sub := func() *term.Term { return s.Term(t, srt, depth-1) }
	if srt == s.small {
		return p.Extract(3, 2, s.Term(t, s.bits, depth-1))
	}
	switch rapid.IntRange(0, 10).Draw(t, "bits") {
	case 0:
		return p.BV(term.BVNot, sub())
	case 1:
		return p.BV(term.BVNeg, sub())
	case 2:
		return p.RotateLeft(2, sub())
	case 3:
		return p.RotateRight(1, sub())
	case 4:
		return p.SignExtend(3, s.Term(t, s.small, depth-1))
	case 5:
		return p.ZeroExtend(3, s.Term(t, s.small, depth-1))
	case 6:
		return p.Extract(4, 0, p.Repeat(3, s.Term(t, s.small, depth-1)))
	case 7:
		return p.BV(term.BVConcat, s.Term(t, s.small, depth-1), p.BV(term.BVComp, sub(), sub()), s.Term(t, s.small, depth-1))
	}
	return p.BV(rapid.SampledFrom([]term.Op{
		term.BVAnd, term.BVOr, term.BVXor, term.BVNand, term.BVNor, term.BVXnor, term.BVAdd, term.BVSub, term.BVMul,
		term.BVUdiv, term.BVUrem, term.BVSdiv, term.BVSrem, term.BVSmod, term.BVShl, term.BVLshr, term.BVAshr,
	}).Draw(t, "op"), sub(), sub())
}

func (s *Signature) data(t *rapid.T, srt *term.Sort, depth int) *term.Term {
	p := s.Pool
	if srt == s.list && rapid.Bool().Draw(t, "tail") {
		list := s.Term(t, s.list, depth-1)
		cons := s.list.Data.Constructors[1]
		return p.Ite(p.Is(cons, list), p.Field(cons.Selectors[1], list), s.variable(t, s.list))
	}
	c := rapid.SampledFrom(srt.Data.Constructors).Draw(t, "constructor")
	args := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		switch {
		case sel.Sort.IsArray():
			args[i] = p.ConstArray(sel.Sort, s.Term(t, sel.Sort.Elem, depth-1))
		default:
			args[i] = s.Term(t, sel.Sort, depth-1)
		}
	}
	return p.Construct(c, args...)
}

// Value draws a small value.
func (s *Signature) Value(t *rapid.T, srt *term.Sort) term.Value {
	p := s.Pool
	switch srt {
	case term.Bool:
		return term.BoolValue(rapid.Bool().Draw(t, "bool"))
	case term.Int:
		return term.NumValue(term.NewInt(rapid.Int64Range(-9, 9).Draw(t, "int")), srt)
	case term.Real:
		return term.NumValue(term.NewRat(rapid.Int64Range(-9, 9).Draw(t, "num"), rapid.Int64Range(1, 4).Draw(t, "den")), srt)
	case s.bits, s.small:
		return term.NumValue(term.NewInt(rapid.Int64Range(0, 1<<srt.Width-1).Draw(t, "bits")), srt)
	case s.thing:
		return term.TermValue(p.Element(srt, rapid.IntRange(0, 3).Draw(t, "element")))
	case s.ints, s.flags:
		a := p.ConstArray(srt, s.Value(t, srt.Elem).Term(p))
		for range rapid.IntRange(0, 2).Draw(t, "stores") {
			a = p.Store(a, s.Value(t, srt.Index).Term(p), s.Value(t, srt.Elem).Term(p))
		}
		v, _ := term.NewEvaluator(p, term.MapAssignment{}).Eval(a)
		return v
	}
	return term.DefaultValue(p, srt)
}

// Assignment draws a value for every variable of ts.
func (s *Signature) Assignment(t *rapid.T, ts ...*term.Term) term.MapAssignment {
	a := term.MapAssignment{}
	for _, v := range term.Vars(ts...) {
		a[v] = s.Value(t, v.Sort())
	}
	return a
}
