package mbp

import (
	"fmt"

	"hornbeam/chc/term"
)

// arrayKind is a family of random scenes about arrays: the sorts of the variables, with how many there are of each.
type arrayKind struct {
	name            string
	sorts           func(*term.Pool) []sorted
	equations, lits int
	eliminate       int
	only            func(*term.Sort) bool // what may be eliminated; nil for all
	slow            bool                  // Z3 takes too long to be asked
}

// sorted asks for variables of a sort. Sorts come after those of their parts.
type sorted struct {
	sort *term.Sort
	n    int
}

func isArray(s *term.Sort) bool { return s.Kind == term.ArrayKind }

var arrayKinds = []arrayKind{
	{name: "Flat", sorts: func(p *term.Pool) []sorted {
		return []sorted{{term.Int, 4}, {p.Array(term.Int, term.Int), 4}}
	}, equations: 2, lits: 3, eliminate: 3},
	{name: "OnlyArrays", sorts: func(p *term.Pool) []sorted {
		return []sorted{{term.Int, 3}, {p.Array(term.Int, term.Int), 4}}
	}, equations: 2, lits: 4, eliminate: 2, only: isArray},
	{name: "Nested", sorts: func(p *term.Pool) []sorted {
		row := p.Array(term.Int, term.Int)
		return []sorted{{term.Int, 3}, {row, 3}, {p.Array(term.Int, row), 3}}
	}, equations: 2, lits: 3, eliminate: 3, only: isArray},
	{name: "NestedAll", sorts: func(p *term.Pool) []sorted {
		row := p.Array(term.Int, term.Int)
		return []sorted{{term.Int, 3}, {row, 2}, {p.Array(term.Int, row), 3}}
	}, equations: 2, lits: 3, eliminate: 4},
	{name: "Bools", sorts: func(p *term.Pool) []sorted {
		return []sorted{{term.Bool, 2}, {term.Int, 3}, {p.Array(term.Int, term.Bool), 4}}
	}, equations: 2, lits: 3, eliminate: 4},
	{name: "BoolIndex", sorts: func(p *term.Pool) []sorted {
		return []sorted{{term.Bool, 3}, {term.Int, 2}, {p.Array(term.Bool, term.Int), 4}}
	}, equations: 2, lits: 3, eliminate: 3},
	{name: "Bits", sorts: func(p *term.Pool) []sorted {
		return []sorted{{p.BitVec(1), 2}, {term.Bool, 1}, {p.Array(p.BitVec(1), term.Bool), 5}}
	}, equations: 1, lits: 5, eliminate: 3, only: isArray},
	{name: "BitVectors", sorts: func(p *term.Pool) []sorted {
		return []sorted{{p.BitVec(2), 4}, {p.Array(p.BitVec(2), p.BitVec(2)), 4}}
	}, equations: 2, lits: 3, eliminate: 3, only: isArray},
	{name: "Reals", sorts: func(p *term.Pool) []sorted {
		return []sorted{{term.Real, 3}, {term.Int, 2}, {p.Array(term.Real, term.Int), 3}, {p.Array(term.Int, term.Real), 2}}
	}, equations: 2, lits: 3, eliminate: 4},
	{name: "Datatypes", sorts: func(p *term.Pool) []sorted {
		pair := pairSort(p)
		return []sorted{{term.Int, 3}, {pair, 2}, {p.Array(term.Int, pair), 3}, {p.Array(pair, term.Int), 2}}
	}, equations: 2, lits: 3, eliminate: 3, only: isArray},
	{name: "DatatypesAll", sorts: func(p *term.Pool) []sorted {
		pair := pairSort(p)
		return []sorted{{term.Int, 2}, {pair, 2}, {p.Array(term.Int, pair), 2}, {p.Array(pair, term.Int), 2}}
	}, equations: 2, lits: 3, eliminate: 4},
	{name: "Trees", sorts: func(p *term.Pool) []sorted {
		tree := treeSort(p)
		return []sorted{{term.Int, 2}, {tree, 3}, {p.Array(term.Int, tree), 3}}
	}, equations: 2, lits: 3, eliminate: 3, slow: true},
}

// treeSort declares trees whose nodes have an array of subtrees.
func treeSort(p *term.Pool) *term.Sort {
	sorts, err := p.Datatypes(term.DatatypeDecl{Name: "T", Constructors: []term.ConstructorDecl{
		{Name: "leaf"},
		{Name: "node", Selectors: []term.SelectorDecl{
			{Name: "label", Sort: term.Of(term.Int)},
			{Name: "children", Sort: func(s []*term.Sort) *term.Sort { return p.Array(term.Int, s[0]) }},
		}},
	}})
	if err != nil {
		panic(err)
	}
	return sorts[0]
}

// pairSort declares pairs of an Int and an array, with a second constructor.
func pairSort(p *term.Pool) *term.Sort {
	sorts, err := p.Datatypes(term.DatatypeDecl{Name: "P", Constructors: []term.ConstructorDecl{
		{Name: "none"},
		{Name: "pair", Selectors: []term.SelectorDecl{
			{Name: "fst", Sort: term.Of(term.Int)},
			{Name: "snd", Sort: term.Of(p.Array(term.Int, term.Int))},
		}},
	}})
	if err != nil {
		panic(err)
	}
	return sorts[0]
}

// arrayScene is a random assignment over variables of several sorts, with literals that it makes true. Few values make
// equal indices likely.
type arrayScene struct {
	*scene
	vars  []*term.Term
	of    map[*term.Sort][]*term.Term
	sorts []*term.Sort
	cube  []*term.Term
}

// newArrayScene makes the variables in the order of their sorts; those of array sorts may get an equation that relates
// them to variables before.
func newArrayScene(s *scene, k arrayKind, sorts []sorted) *arrayScene {
	as := &arrayScene{scene: s, of: map[*term.Sort][]*term.Term{}}
	s.a = term.MapAssignment{}
	equations := k.equations
	for n, so := range sorts {
		as.sorts = append(as.sorts, so.sort)
		for i := range so.n {
			v := s.p.Var(fmt.Sprintf("v%d_%d", n, i), so.sort)
			if isArray(so.sort) && i > 0 && equations > 0 && s.pick(4) > 0 {
				equations--
				as.relate(v)
			} else {
				as.assign(v, as.randomValue(so.sort, 2))
			}
			as.of[so.sort] = append(as.of[so.sort], v)
			as.vars = append(as.vars, v)
		}
	}
	for range k.lits {
		as.cube = append(as.cube, as.literalOver(2))
	}
	return as
}

func (s *arrayScene) assign(v, val *term.Term) {
	s.a[v] = term.TermValue(val)
	s.ev = term.NewEvaluator(s.p, s.a)
}

func (s *arrayScene) eval(t *term.Term) *term.Term {
	v, ok := s.ev.Eval(t)
	if !ok {
		return term.DefaultValue(s.p, t.Sort()).Term(s.p)
	}
	return v.Term(s.p)
}

// relate gives v a value and adds an equation: stores into v of elements that are those of a term t at the same
// indices, equal to t.
func (s *arrayScene) relate(v *term.Term) {
	sort := v.Sort()
	right := s.term(sort, 2)
	val := s.eval(right)
	value, left := val, v
	for range s.pick(3) {
		i := s.term(sort.Index, 1)
		at := s.eval(i)
		value = s.p.Store(value, at, s.randomValue(sort.Elem, 1))
		left = s.p.Store(left, i, s.valued(s.p.Select(val, at)))
	}
	s.assign(v, value)
	if s.pick(5) == 0 { // on both sides
		i := s.term(sort.Index, 1)
		s.cube = append(s.cube, s.p.Eq(v, s.p.Store(v, i, s.valued(s.eval(s.p.Select(v, i))))))
	}
	s.cube = append(s.cube, s.signed(s.p.Eq(left, right)))
}

// valued is a term with the given value: a variable where there is one.
func (s *arrayScene) valued(val *term.Term) *term.Term {
	for _, v := range s.of[val.Sort()] {
		if s.eval(v) == val && s.pick(3) > 0 {
			return v
		}
	}
	return val
}

func (s *arrayScene) randomValue(sort *term.Sort, depth int) *term.Term {
	switch sort.Kind {
	case term.BoolKind:
		return s.p.Bool(s.pick(2) == 0)
	case term.IntKind, term.RealKind:
		return s.p.Numeral(s.num(0, 3), sort)
	case term.BitVecKind:
		return s.p.BVNum(s.num(0, 3), sort.Width)
	case term.ArrayKind:
		a := s.p.ConstArray(sort, s.randomValue(sort.Elem, depth-1))
		for range s.pick(3) {
			a = s.p.Store(a, s.randomValue(sort.Index, 0), s.randomValue(sort.Elem, depth-1))
		}
		return a
	}
	c := sort.Data.Constructors[0]
	if depth > 0 {
		c = sort.Data.Constructors[s.pick(len(sort.Data.Constructors))]
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = s.randomValue(f.Sort, depth-1)
	}
	return s.p.Construct(c, args...)
}

// term is a random term of a sort over the variables that there are so far.
func (s *arrayScene) term(sort *term.Sort, depth int) *term.Term {
	vars := s.of[sort]
	if depth <= 0 || s.pick(3) == 0 {
		if len(vars) > 0 && s.pick(5) > 0 {
			return vars[s.pick(len(vars))]
		}
		return s.randomValue(sort, 1)
	}
	if s.pick(2) == 0 { // read an array of such elements
		var arrays []*term.Sort
		for _, as := range s.sorts {
			if isArray(as) && as.Elem == sort && len(s.of[as]) > 0 {
				arrays = append(arrays, as)
			}
		}
		if len(arrays) > 0 {
			as := arrays[s.pick(len(arrays))]
			return s.p.Select(s.term(as, depth-1), s.term(as.Index, depth-1))
		}
	}
	switch sort.Kind {
	case term.BoolKind:
		if s.pick(2) == 0 {
			return s.p.Not(s.term(sort, depth-1))
		}
		return s.p.And(s.term(sort, depth-1), s.term(sort, depth-1))
	case term.IntKind, term.RealKind:
		if s.pick(4) == 0 {
			return s.choice(sort, depth)
		}
		return s.p.Add(s.term(sort, depth-1), s.p.Numeral(s.num(-1, 1), sort))
	case term.BitVecKind:
		return s.p.BV(term.BVAdd, s.term(sort, depth-1), s.p.BVNum(s.num(0, 3), sort.Width))
	case term.ArrayKind:
		switch s.pick(6) {
		case 0:
			return s.choice(sort, depth)
		case 1:
			return s.p.ConstArray(sort, s.term(sort.Elem, depth-1))
		}
		return s.p.Store(s.term(sort, depth-1), s.term(sort.Index, depth-1), s.term(sort.Elem, depth-1))
	}
	c := sort.Data.Constructors[s.pick(len(sort.Data.Constructors))]
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = s.term(f.Sort, depth-1)
	}
	return s.p.Construct(c, args...)
}

func (s *arrayScene) choice(sort *term.Sort, depth int) *term.Term {
	return s.p.Ite(s.literalOver(depth-1), s.term(sort, depth-1), s.term(sort, depth-1))
}

// literalOver is a random literal, or an equation of Booleans, that is true.
func (s *arrayScene) literalOver(depth int) *term.Term {
	sort := s.sorts[s.pick(len(s.sorts))]
	a, b := s.term(sort, depth), s.term(sort, depth)
	switch {
	case sort == term.Bool && s.pick(2) == 0:
		return s.signed(a)
	case sort.IsArith() && s.pick(2) == 0:
		return s.signed(s.p.Le(a, b))
	case sort.Kind == term.BitVecKind && s.pick(3) == 0:
		return s.signed(s.p.BV(term.BVUle, a, b))
	case sort.Kind == term.DatatypeKind && s.pick(2) == 0:
		c := sort.Data.Constructors[1]
		if s.ev.True(s.p.Is(c, a)) {
			return s.signed(s.p.Eq(s.p.Field(c.Selectors[0], a), s.term(term.Int, depth-1)))
		}
		return s.p.Not(s.p.Is(c, a))
	}
	return s.signed(s.p.Eq(a, b))
}
