package mbp

import (
	"fmt"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// dataKind is a family of random scenes over datatypes: which of the sorts below have variables, and how many literals
// and variables to eliminate there are.
type dataKind struct {
	name            string
	sorts           []string
	lits, eliminate int
}

// dataScene is a scene with variables of datatype and array sorts beside the integers.
type dataScene struct {
	*scene
	kind dataKind
	vars map[*term.Sort][]*term.Term
	list []*term.Term // all of them
}

// dataSorts declares a sort of each form: enumeration, tuple, Peano numbers, lists, trees, mutual recursion, and nested
// ones, with arrays on both sides.
func dataSorts(t require.TestingT, p *term.Pool) map[string]*term.Sort {
	out := map[string]*term.Sort{}
	declare := func(decls ...term.DatatypeDecl) {
		sorts, err := p.Datatypes(decls...)
		require.NoError(t, err)
		for _, s := range sorts {
			out[s.Name] = s
		}
	}
	of := func(s *term.Sort) func([]*term.Sort) *term.Sort { return term.Of(s) }
	ctor := func(name string, fields ...term.SelectorDecl) term.ConstructorDecl {
		return term.ConstructorDecl{Name: name, Selectors: fields}
	}
	field := func(name string, sort func([]*term.Sort) *term.Sort) term.SelectorDecl {
		return term.SelectorDecl{Name: name, Sort: sort}
	}
	declare(term.DatatypeDecl{Name: "Color", Constructors: []term.ConstructorDecl{ctor("red"), ctor("green"), ctor("blue")}})
	declare(term.DatatypeDecl{Name: "Unit", Constructors: []term.ConstructorDecl{ctor("unit")}})
	declare(term.DatatypeDecl{Name: "Maybe", Constructors: []term.ConstructorDecl{ctor("nothing"), ctor("just", field("what", of(out["Color"])))}})
	// Contains itself as an index only, which adds one value.
	declare(term.DatatypeDecl{Name: "Trap", Constructors: []term.ConstructorDecl{
		ctor("open"), ctor("shut", field("by", func(ss []*term.Sort) *term.Sort { return p.Array(ss[0], out["Unit"]) }))}})
	declare(term.DatatypeDecl{Name: "Nat", Constructors: []term.ConstructorDecl{ctor("zero"), ctor("succ", field("pred", term.Declared(0)))}})
	declare(term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
		ctor("nil"), ctor("cons", field("head", of(term.Int)), field("tail", term.Declared(0)))}})
	declare(term.DatatypeDecl{Name: "Tree", Constructors: []term.ConstructorDecl{
		ctor("leaf"), ctor("node", field("left", term.Declared(0)), field("key", of(term.Int)), field("right", term.Declared(0)))}})
	declare(
		term.DatatypeDecl{Name: "Rose", Constructors: []term.ConstructorDecl{
			ctor("rose", field("label", of(term.Int)), field("children", term.Declared(1)))}},
		term.DatatypeDecl{Name: "Forest", Constructors: []term.ConstructorDecl{
			ctor("empty"), ctor("grove", field("first", term.Declared(0)), field("rest", term.Declared(1)))}})
	declare(term.DatatypeDecl{Name: "Pair", Constructors: []term.ConstructorDecl{
		ctor("pair", field("fst", of(term.Int)), field("snd", of(out["List"])))}})
	declare(term.DatatypeDecl{Name: "Option", Constructors: []term.ConstructorDecl{
		ctor("none"), ctor("some", field("the", of(out["Pair"])), field("color", of(out["Color"])), field("flag", of(term.Bool)))}})
	out["Lists"] = p.Array(term.Int, out["List"])
	declare(term.DatatypeDecl{Name: "Box", Constructors: []term.ConstructorDecl{
		ctor("box", field("contents", of(out["Lists"])), field("size", of(term.Int)))}})
	return out
}

func newDataScene(t *rapid.T, p *term.Pool, sorts map[string]*term.Sort, k dataKind) *dataScene {
	s := &dataScene{kind: k, scene: newScene(t, p, kind{ints: 3, bools: 1}), vars: map[*term.Sort][]*term.Term{}}
	for _, name := range k.sorts {
		sort := sorts[name]
		for i := range 3 {
			v := p.Var(fmt.Sprintf("%s%d", name, i), sort)
			s.vars[sort] = append(s.vars[sort], v)
			s.list = append(s.list, v)
			s.a[v] = term.TermValue(s.valueOf(sort, 3))
		}
	}
	s.vars[term.Int], s.vars[term.Bool] = s.is, s.bs
	s.ev = term.NewEvaluator(p, s.a)
	return s
}

// valueOf is a random value of a sort, of a depth that is bounded for these sorts.
func (s *dataScene) valueOf(sort *term.Sort, depth int) *term.Term {
	switch sort.Kind {
	case term.IntKind:
		return s.p.IntNum(s.num(-2, 2))
	case term.BoolKind:
		return s.p.Bool(s.pick(2) == 0)
	case term.ArrayKind:
		a := s.p.ConstArray(sort, s.valueOf(sort.Elem, depth-1))
		for range s.pick(3) {
			a = s.p.Store(a, s.valueOf(sort.Index, 0), s.valueOf(sort.Elem, depth-1))
		}
		return a
	}
	ctors := sort.Data.Constructors
	c := ctors[0]
	if depth > 0 {
		c = ctors[s.pick(len(ctors))]
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		args[i] = s.valueOf(sel.Sort, depth-1)
	}
	return s.p.Construct(c, args...)
}

// valueAt is a term's value.
func (s *dataScene) valueAt(t *term.Term) *term.Term {
	v, ok := s.ev.Eval(t)
	if !ok {
		panic("undetermined " + t.String())
	}
	return v.Term(s.p)
}

// of is a random determined term of a sort.
func (s *dataScene) of(sort *term.Sort, depth int) *term.Term {
	vars := s.vars[sort]
	if depth <= 0 && len(vars) > 0 {
		return vars[s.pick(len(vars))]
	}
	var ways []func() *term.Term
	if len(vars) > 0 {
		ways = append(ways, func() *term.Term { return vars[s.pick(len(vars))] })
	}
	for _, x := range s.list {
		v := s.valueAt(x)
		switch {
		case v.Op() == term.Construct:
			for _, sel := range v.Ctor().Selectors {
				if sel.Sort == sort {
					ways = append(ways, func() *term.Term { return s.p.Field(sel, x) })
				}
			}
		case x.Sort().IsArray() && x.Sort().Elem == sort:
			ways = append(ways, func() *term.Term { return s.p.Select(x, s.of(term.Int, depth-1)) })
		}
	}
	switch {
	case sort == term.Int:
		ways = append(ways, func() *term.Term { return s.p.Add(s.of(sort, depth-1), s.p.IntNum(s.num(-2, 2))) })
	case sort.IsDatatype():
		c := sort.Data.Constructors[s.pick(len(sort.Data.Constructors))]
		ways = append(ways, func() *term.Term {
			args := make([]*term.Term, len(c.Selectors))
			for i, sel := range c.Selectors {
				args[i] = s.of(sel.Sort, depth-1)
			}
			return s.p.Construct(c, args...)
		})
	case len(ways) == 0:
		return s.valueOf(sort, 1)
	}
	if depth > 0 && s.pick(8) == 0 {
		return s.p.Ite(s.atomOf(depth-1), s.of(sort, depth-1), s.of(sort, depth-1))
	}
	if depth < -3 { // a sort without variables
		return s.valueOf(sort, 1)
	}
	return ways[s.pick(len(ways))]()
}

// equalTo is a random term with the value given.
func (s *dataScene) equalTo(val *term.Term, depth int) *term.Term {
	sort := val.Sort()
	if t := s.of(sort, 1); s.valueAt(t) == val && s.pick(3) > 0 {
		return t
	}
	for _, x := range s.vars[sort] {
		if s.valueAt(x) == val && s.pick(3) == 0 {
			return x
		}
	}
	switch {
	case sort == term.Int:
		x := s.is[s.pick(len(s.is))]
		return s.p.Add(x, s.p.IntNum(val.Num().Sub(s.value(x))))
	case sort.IsDatatype() && depth > 0:
		args := make([]*term.Term, len(val.Args()))
		for i, a := range val.Args() {
			args[i] = s.equalTo(a, depth-1)
		}
		return s.p.Construct(val.Ctor(), args...)
	}
	return val
}

// atomOf is a true literal over any of the sorts.
func (s *dataScene) atomOf(depth int) *term.Term {
	x := s.list[s.pick(len(s.list))]
	switch s.pick(6) {
	case 0:
		return s.signed(s.p.Eq(x, s.of(x.Sort(), depth)))
	case 1:
		t := s.of(x.Sort(), depth)
		return s.p.Eq(t, s.equalTo(s.valueAt(t), 3))
	case 2:
		if data := x.Sort().Data; data != nil {
			return s.signed(s.p.Is(data.Constructors[s.pick(len(data.Constructors))], s.of(x.Sort(), depth)))
		}
		return s.literal(term.Int, 0)
	case 3:
		return s.p.Eq(x, s.equalTo(s.valueAt(x), 3))
	case 4:
		t := s.p.Sub(s.of(term.Int, depth+1), s.of(term.Int, depth))
		return s.p.Le(t, s.p.IntNum(s.value(t).Add(s.num(0, 3))))
	default:
		return s.signed(s.p.Eq(s.of(x.Sort(), depth), s.of(x.Sort(), depth)))
	}
}

// specified says what the selectors give for terms of other constructors: one value of their sort each.
type specified map[*term.Sort]*term.Term

// apply makes every selector total, so that the solver has no say in it.
func (sp specified) apply(p *term.Pool, t *term.Term) *term.Term {
	if len(t.Args()) == 0 {
		return t
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = sp.apply(p, a)
	}
	if t.Op() != term.Field || len(t.Sel().Ctor.Data.Constructors) == 1 {
		return p.Rebuild(t, args)
	}
	return p.Ite(p.Is(t.Sel().Ctor, args[0]), p.Field(t.Sel(), args[0]), sp[t.Sort()])
}
