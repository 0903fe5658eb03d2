package hornoracle

import (
	"fmt"

	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Theory selects what systems drawn by DrawOver are about; values are combined by or.
type Theory uint

// The theories. Booleans are always there.
const (
	Ints         Theory = 1 << iota // Int
	BitVecs                         // two widths of at most Mixture.Width bits
	Enums                           // an enumeration of three
	Records                         // an option and a structure, over the sorts that are there
	Recursive                       // Peano's numbers, and lists
	FiniteArrays                    // arrays between small finite sorts
	IntArrays                       // arrays from Int to Int; with Ints
	NestedArrays                    // arrays from Int to arrays, and with Records or Enums to these; with Ints
	Universe                        // an uninterpreted sort U, also in arrays and records

	Finite = BitVecs | Enums | Records | FiniteArrays // without Ints, everything is finite
	All    = Finite | Ints | Recursive | IntArrays | NestedArrays
)

// Mixture says what systems over several theories are made of.
type Mixture struct {
	Theories Theory
	// Predicates, Arity, Clauses and Body are the largest numbers that are drawn, Width is the largest of bit-vectors.
	Predicates, Arity, Clauses, Body, Width int
	// Partial adds what SMT-LIB leaves open: fields that may be read from terms of other constructors, and quotients and
	// remainders by terms that may be 0.
	Partial bool
}

// DefaultMixture draws small systems over the theories.
func DefaultMixture(theories Theory) Mixture {
	return Mixture{Theories: theories, Predicates: 3, Arity: 3, Clauses: 6, Body: 2, Width: 3}
}

// DrawOver draws a system over a new pool. Its first clause is a fact, its last one a query. Int variables that no atom
// binds are bounded to Values.
func DrawOver(t *rapid.T, m Mixture) *chc.System {
	d := newMixing(t, m)
	sys := &chc.System{Pool: d.pool}
	for i := range rapid.IntRange(1, m.Predicates).Draw(t, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		for range rapid.IntRange(1, m.Arity).Draw(t, "arity") {
			pred.Sorts = append(pred.Sorts, rapid.SampledFrom(d.sorts).Draw(t, "sort"))
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	n := rapid.IntRange(3, m.Clauses).Draw(t, "clauses")
	for i := range n {
		c := &chc.Clause{ID: i}
		if i > 0 {
			for range rapid.IntRange(1, m.Body).Draw(t, "body") {
				c.Body = append(c.Body, d.app(rapid.SampledFrom(sys.Predicates).Draw(t, "predicate"), false))
			}
		}
		if i < n-1 {
			h := d.app(rapid.SampledFrom(sys.Predicates).Draw(t, "predicate"), true)
			c.Head = &h
		}
		d.constrain(c)
		sys.Clauses = append(sys.Clauses, c)
	}
	return sys
}

// mixing draws the parts of one system.
type mixing struct {
	*rapid.T
	Mixture
	pool  *term.Pool
	sorts []*term.Sort
	names map[*term.Sort]string
}

func newMixing(t *rapid.T, m Mixture) *mixing {
	p := term.NewPool()
	d := &mixing{T: t, Mixture: m, pool: p, names: map[*term.Sort]string{}}
	add := func(s *term.Sort) *term.Sort {
		if _, known := d.names[s]; !known {
			d.sorts = append(d.sorts, s)
			d.names[s] = string(rune('a' + len(d.names)))
		}
		return s
	}
	has := func(need Theory) bool { return m.Theories&need == need }
	add(term.Bool)
	small := []*term.Sort{term.Bool}
	if has(Ints) {
		add(term.Int)
	}
	if has(BitVecs) {
		add(p.BitVec(rapid.IntRange(1, m.Width).Draw(t, "width")))
		small = append(small, add(p.BitVec(rapid.IntRange(1, min(2, m.Width)).Draw(t, "narrow"))))
	}
	data := func(name string, cs ...term.ConstructorDecl) *term.Sort {
		ss, err := p.Datatypes(term.DatatypeDecl{Name: name, Constructors: cs})
		if err != nil {
			t.Fatalf("declaring %s: %v", name, err)
		}
		return add(ss[0])
	}
	field := func(name string, s *term.Sort) term.SelectorDecl {
		return term.SelectorDecl{Name: name, Sort: term.Of(s)}
	}
	if has(Enums) {
		small = append(small, data("Colour", term.ConstructorDecl{Name: "red"}, term.ConstructorDecl{Name: "green"}, term.ConstructorDecl{Name: "blue"}))
	}
	if has(Universe) {
		small = append(small, add(p.Uninterpreted("U")))
	}
	pick := func() *term.Sort { return rapid.SampledFrom(d.sorts).Draw(t, "part") }
	if has(FiniteArrays) {
		add(p.Array(rapid.SampledFrom(small).Draw(t, "index"), rapid.SampledFrom(small).Draw(t, "element")))
	}
	if has(Records) {
		data("Option", term.ConstructorDecl{Name: "none"}, term.ConstructorDecl{Name: "some", Selectors: []term.SelectorDecl{field("value", pick())}})
		data("Pair", term.ConstructorDecl{Name: "pair", Selectors: []term.SelectorDecl{field("first", pick()), field("second", pick())}})
	}
	if has(Recursive) {
		data("Nat", term.ConstructorDecl{Name: "zero"}, term.ConstructorDecl{Name: "succ", Selectors: []term.SelectorDecl{{Name: "pred", Sort: term.Declared(0)}}})
		data("List", term.ConstructorDecl{Name: "nil"}, term.ConstructorDecl{Name: "cons", Selectors: []term.SelectorDecl{field("head", pick()), {Name: "tail", Sort: term.Declared(0)}}})
	}
	if has(Ints | IntArrays) {
		add(p.Array(term.Int, term.Int))
	}
	if has(Ints | NestedArrays) {
		add(p.Array(term.Int, pick()))
	}
	return d
}

func (d *mixing) number(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.T, label) }

func (d *mixing) app(pred *chc.Predicate, head bool) chc.App {
	a := chc.App{Pred: pred, Args: make([]*term.Term, len(pred.Sorts))}
	for i, s := range pred.Sorts {
		a.Args[i] = d.variable(s)
		if k := d.number("argument", 6); head && k < 3 || k == 5 {
			a.Args[i] = d.term(s, 2)
		}
	}
	return a
}

// constrain draws c's constraint, and bounds the integers that no atom binds.
func (d *mixing) constrain(c *chc.Clause) {
	p := d.pool
	var parts []*term.Term
	for range d.number("conjuncts", 4) {
		parts = append(parts, d.formula(2))
	}
	c.Constraint = p.And(parts...)
	bound := map[*term.Term]bool{}
	for _, a := range c.Body {
		for _, t := range a.Args {
			bound[t] = true
		}
	}
	for _, v := range c.Vars() {
		if v.Sort() == term.Int && !bound[v] {
			parts = append(parts, p.Le(p.Int(Values[0]), v), p.Le(v, p.Int(Values[len(Values)-1])))
		}
	}
	c.Constraint = p.And(parts...)
}

func (d *mixing) variable(s *term.Sort) *term.Term {
	return d.pool.Var(d.names[s]+fmt.Sprint(d.number("variable", 2)), s)
}

func (d *mixing) formula(depth int) *term.Term {
	p := d.pool
	if depth == 0 {
		return d.atom(1)
	}
	switch d.number("formula", 8) {
	case 0:
		return p.Or(d.formula(depth-1), d.formula(depth-1))
	case 1:
		return p.And(d.formula(depth-1), d.formula(depth-1))
	case 2:
		return p.Not(d.formula(depth - 1))
	case 3:
		return p.Ite(d.variable(term.Bool), d.formula(depth-1), d.formula(depth-1))
	}
	return d.atom(depth)
}

func (d *mixing) atom(depth int) *term.Term {
	p := d.pool
	s := rapid.SampledFrom(d.sorts).Draw(d.T, "sort of an atom")
	x, y := d.variable(s), d.term(s, depth)
	k := d.number("relation", 4)
	switch {
	case s == term.Bool && k < 3:
		return x
	case s == term.Int && k == 0:
		return p.Le(x, y)
	case s == term.Int && k == 1:
		return p.Lt(x, y)
	case s.IsBitVec() && k < 2:
		return p.BV(rapid.SampledFrom([]term.Op{term.BVUle, term.BVUlt, term.BVSle, term.BVSlt}).Draw(d.T, "comparison"), x, y)
	case s.IsDatatype() && k == 0:
		return p.Is(rapid.SampledFrom(s.Data.Constructors).Draw(d.T, "constructor"), y)
	case k == 3:
		return p.Ne(x, y)
	}
	return p.Eq(x, y)
}

// term draws a term of sort s: an operator of its theory, or a look into a term of another sort.
func (d *mixing) term(s *term.Sort, depth int) *term.Term {
	p := d.pool
	if depth == 0 {
		if d.number("leaf", 3) == 0 {
			return d.value(s)
		}
		return d.variable(s)
	}
	if d.number("look", 3) == 0 {
		if t := d.look(s, depth); t != nil {
			return t
		}
	}
	sub := func(s *term.Sort) *term.Term { return d.term(s, depth-1) }
	if d.number("ite", 8) == 0 {
		return p.Ite(d.variable(term.Bool), sub(s), sub(s))
	}
	switch s.Kind {
	case term.BoolKind:
		return rapid.SampledFrom([]*term.Term{d.variable(s), p.Not(d.variable(s)), p.True(), p.False()}).Draw(d.T, "truth")
	case term.IntKind:
		if d.Partial && d.number("partial", 4) == 0 {
			op := rapid.SampledFrom([]func(a, b *term.Term) *term.Term{p.IntDiv, p.Mod}).Draw(d.T, "division")
			return op(sub(s), d.variable(s))
		}
		switch d.number("integer", 5) {
		case 0:
			return p.Add(sub(s), p.Int(1))
		case 1:
			return p.Sub(sub(s), p.Int(1))
		case 2:
			return p.Add(sub(s), sub(s))
		}
		return d.value(s)
	case term.BitVecKind:
		return d.bits(s, sub)
	case term.UninterpretedKind:
		return d.variable(s)
	case term.DatatypeKind:
		c := rapid.SampledFrom(s.Data.Constructors).Draw(d.T, "constructor")
		args := make([]*term.Term, len(c.Selectors))
		for i, sel := range c.Selectors {
			args[i] = sub(sel.Sort)
		}
		return p.Construct(c, args...)
	}
	if d.number("const", 5) == 0 {
		return p.ConstArray(s, sub(s.Elem))
	}
	return p.Store(sub(s), sub(s.Index), sub(s.Elem))
}

func (d *mixing) bits(s *term.Sort, sub func(*term.Sort) *term.Term) *term.Term {
	p := d.pool
	switch d.number("bits", 8) {
	case 0:
		return p.BV(term.BVNot, sub(s))
	case 1:
		return p.BV(term.BVNeg, sub(s))
	case 2:
		return p.RotateLeft(1, sub(s))
	case 3:
		hi := rapid.IntRange(0, s.Width-1).Draw(d.T, "high")
		return p.ZeroExtend(s.Width-1-hi, p.Extract(hi, 0, sub(s)))
	case 4:
		if s.Width > 1 {
			return p.SignExtend(1, p.Extract(s.Width-1, 1, sub(s)))
		}
	}
	return p.BV(rapid.SampledFrom([]term.Op{
		term.BVAnd, term.BVOr, term.BVXor, term.BVAdd, term.BVAdd, term.BVSub, term.BVMul, term.BVUdiv, term.BVUrem, term.BVSdiv,
		term.BVSrem, term.BVSmod, term.BVShl, term.BVLshr, term.BVAshr,
	}).Draw(d.T, "operator"), sub(s), sub(s))
}

// look draws an element of an array or a field of a structure, guarded unless fields are partial; nil when nothing has
// parts of sort s.
func (d *mixing) look(s *term.Sort, depth int) *term.Term {
	p := d.pool
	var out []func() *term.Term
	for _, from := range d.sorts {
		switch {
		case from.IsArray() && from.Elem == s:
			out = append(out, func() *term.Term { return p.Select(d.term(from, depth-1), d.term(from.Index, depth-1)) })
		case from.IsDatatype():
			for _, c := range from.Data.Constructors {
				for _, sel := range c.Selectors {
					if sel.Sort != s {
						continue
					}
					out = append(out, func() *term.Term {
						t := d.term(from, depth-1)
						if f := p.Field(sel, t); d.Partial && d.number("partial", 4) == 0 || p.Is(c, t).IsTrue() {
							return f
						} else if p.Is(c, t).IsFalse() {
							return d.value(s)
						} else {
							return p.Ite(p.Is(c, t), f, d.value(s))
						}
					})
				}
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out[d.number("part", len(out))]()
}

// value draws a small value, of an uninterpreted sort a variable.
func (d *mixing) value(s *term.Sort) *term.Term {
	p := d.pool
	switch s.Kind {
	case term.BoolKind:
		return p.Bool(rapid.Bool().Draw(d.T, "bool"))
	case term.IntKind:
		return p.Int(rapid.SampledFrom(Values).Draw(d.T, "int"))
	case term.BitVecKind:
		return p.BVNum(term.NewInt(rapid.Int64Range(0, 1<<s.Width-1).Draw(d.T, "bits")), s.Width)
	case term.ArrayKind:
		return p.ConstArray(s, d.value(s.Elem))
	case term.UninterpretedKind:
		return d.variable(s)
	}
	c := s.Data.Constructors[d.number("constructor", len(s.Data.Constructors))]
	for _, sel := range c.Selectors {
		if recursive(sel.Sort, s) {
			c = s.Data.Constructors[0] // of numbers and lists, the one that ends them
			break
		}
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		args[i] = d.value(sel.Sort)
	}
	return p.Construct(c, args...)
}
