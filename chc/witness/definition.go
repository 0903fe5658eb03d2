package witness

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// NewFunction returns a function symbol for a Definition in models of sys: its name is the given one, with a number when
// a predicate, constructor, selector or function of sys has that name already.
func NewFunction(sys *chc.System, name string, domain []*term.Sort, rng *term.Sort) *term.Func {
	taken := symbols(sys)
	free := name
	for n := 2; taken[free] || reserved[free]; n++ {
		free = name + "_" + strconv.Itoa(n)
	}
	return sys.Pool.DeclareFunc(free, domain, rng)
}

// symbols are the names that the system gives something: globals, and functions that the clauses apply.
func symbols(sys *chc.System) map[string]bool {
	taken := globals(sys)
	for f := range functions(sys) {
		taken[f.Name] = true
	}
	return taken
}

// functions are the uninterpreted functions that the clauses apply.
func functions(sys *chc.System) map[*term.Func]bool {
	found := map[*term.Func]bool{}
	sys.EachTerm(func(t *term.Term) {
		if f := t.Func(); f != nil {
			found[f] = true
		}
	})
	return found
}

// wellFormedDefinitions reports what keeps the definitions from defining exactly one total function each: that is what
// makes it sound to add a definition's instances to any query. The functions may not occur in the clauses of sys, or
// a definition would change their meaning.
func (m *Model) wellFormedDefinitions(sys *chc.System) error {
	index := make(map[*term.Func]int, len(m.Definitions))
	for i, d := range m.Definitions {
		if d.Func == nil {
			return fmt.Errorf("%w: definition %d has no function", ErrInvalid, i)
		}
		if _, twice := index[d.Func]; twice {
			return fmt.Errorf("%w: %s is defined twice", ErrInvalid, term.QuoteSymbol(d.Func.Name))
		}
		index[d.Func] = i
	}
	used := functions(sys)
	for _, d := range m.Definitions {
		if used[d.Func] {
			return fmt.Errorf("%w: %s is defined, but it is a function of the clauses", ErrInvalid, term.QuoteSymbol(d.Func.Name))
		}
	}
	groups := recursionGroups(m.Definitions, index)
	for i, d := range m.Definitions {
		if err := d.wellFormed(sys.Pool, i, index, groups); err != nil {
			return fmt.Errorf("%w: definition of %s: %w", ErrInvalid, term.QuoteSymbol(d.Func.Name), err)
		}
	}
	for i, l := range m.Lemmas {
		if err := l.wellFormed(sys.Pool, index); err != nil {
			return fmt.Errorf("%w: lemma %d: %w", ErrInvalid, i, err)
		}
	}
	return nil
}

// distinctVariables reports the first of xs that is no variable of p or occurs twice; what is the word for one of them.
func distinctVariables(p *term.Pool, what string, xs []*term.Term) error {
	seen := make(map[*term.Term]bool, len(xs))
	for k, x := range xs {
		switch {
		case x == nil || !x.IsVar():
			return fmt.Errorf("%s %d is not a variable", what, k)
		case x.Pool() != p:
			return fmt.Errorf("%s %d belongs to another pool", what, k)
		case seen[x]:
			return fmt.Errorf("%s %s occurs twice", what, term.QuoteSymbol(x.Name()))
		}
		seen[x] = true
	}
	return nil
}

// overVariables reports what keeps t from being a quantifier-free term of p over xs with functions of index only.
func overVariables(p *term.Pool, t *term.Term, xs []*term.Term, index map[*term.Func]int) error {
	switch {
	case t == nil:
		return errors.New("it has no body")
	case t.Pool() != p:
		return errors.New("its body belongs to another pool")
	case t.HasQuantifier():
		return errors.New("its body has a quantifier")
	}
	for _, v := range term.Vars(t) {
		if !slices.Contains(xs, v) {
			return fmt.Errorf("variable %s is not among its own", term.QuoteSymbol(v.Name()))
		}
	}
	var bad *term.Func
	term.Walk(t, func(u *term.Term) bool {
		if f := u.Func(); f != nil && bad == nil {
			if _, ok := index[f]; !ok {
				bad = f
			}
		}
		return bad == nil
	})
	if bad != nil {
		return fmt.Errorf("%s is not defined", term.QuoteSymbol(bad.Name))
	}
	return nil
}

func (d Definition) wellFormed(p *term.Pool, at int, index map[*term.Func]int, groups [][]int) error {
	if len(d.Params) == 0 || len(d.Params) != len(d.Func.Domain) {
		return fmt.Errorf("%d parameters for %d arguments", len(d.Params), len(d.Func.Domain))
	}
	if err := distinctVariables(p, "variable", d.Params); err != nil {
		return err
	}
	for k, x := range d.Params {
		if x.Sort() != d.Func.Domain[k] {
			return fmt.Errorf("parameter %s has sort %s and not %s", term.QuoteSymbol(x.Name()), x.Sort(), d.Func.Domain[k])
		}
	}
	if err := overVariables(p, d.Body, d.Params, index); err != nil {
		return err
	}
	if d.Body.Sort() != d.Func.Range {
		return fmt.Errorf("its body has sort %s and not %s", d.Body.Sort(), d.Func.Range)
	}
	s := structure{first: d.Params[0], calls: map[*term.Term]bool{}, work: maxGuardWork, recursive: func(f *term.Func) bool {
		return slices.Contains(groups[at], index[f])
	}}
	var err error
	term.Walk(d.Body, func(u *term.Term) bool {
		if f := u.Func(); f != nil && err == nil && index[f] >= at && !s.recursive(f) {
			err = fmt.Errorf("%s is defined later", term.QuoteSymbol(f.Name))
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return s.check(d.Body, guards{})
}

func (l Lemma) wellFormed(p *term.Pool, index map[*term.Func]int) error {
	if len(l.Vars) == 0 {
		return errors.New("it has no variables")
	}
	if err := distinctVariables(p, "variable", l.Vars); err != nil {
		return err
	}
	if err := overVariables(p, l.Body, l.Vars, index); err != nil {
		return err
	}
	if l.Body.Sort() != term.Bool {
		return fmt.Errorf("its body has sort %s", l.Body.Sort())
	}
	return nil
}

// recursionGroups returns, for each definition, the definitions that depend on it and that it depends on, itself
// included when it is recursive.
func recursionGroups(ds []Definition, index map[*term.Func]int) [][]int {
	reach := make([]map[int]bool, len(ds))
	for i := range ds {
		reach[i] = map[int]bool{}
		todo := []int{i}
		for len(todo) > 0 {
			d := ds[todo[0]]
			todo = todo[1:]
			if d.Body == nil {
				continue
			}
			term.Walk(d.Body, func(u *term.Term) bool {
				if f := u.Func(); f != nil {
					if k, ok := index[f]; ok && !reach[i][k] {
						reach[i][k] = true
						todo = append(todo, k)
					}
				}
				return true
			})
		}
	}
	groups := make([][]int, len(ds))
	for i := range ds {
		for j := range ds {
			if reach[i][j] && reach[j][i] {
				groups[i] = append(groups[i], j)
			}
		}
	}
	return groups
}

// structure checks that the recursion of a definition is structural: every application of a function of its own
// recursion is to a field of the first parameter (or a field of such a field), where tests around it leave that field's
// constructor only. Then the value is determined by recursion on the size of the first argument: where a test fails, the
// application makes no difference. Where the first parameter is an integer, the application is to a smaller one, under a test that
// bounds the parameter from below.
type structure struct {
	first     *term.Term
	recursive func(*term.Func) bool
	// calls caches whether a term has a recursive application.
	calls map[*term.Term]bool
	work  int
}

// guards are what tests leave possible for terms.
type guards struct {
	// constructors are the possible ones of a term; all, for a term that is absent.
	constructors map[*term.Term][]*term.Constructor
	// bounded are the integer variables that are not less than some number.
	bounded map[*term.Term]bool
}

func (s *structure) hasCall(t *term.Term) bool {
	if has, ok := s.calls[t]; ok {
		return has
	}
	has := t.Op() == term.Apply && s.recursive(t.Func())
	for _, a := range t.Args() {
		has = has || s.hasCall(a)
	}
	s.calls[t] = has
	return has
}

func (s *structure) check(t *term.Term, g guards) error {
	if !s.hasCall(t) {
		return nil
	}
	if s.work--; s.work < 0 {
		return errors.New("its body has too many cases")
	}
	switch t.Op() {
	case term.Ite:
		if err := s.check(t.Arg(0), g); err != nil {
			return err
		}
		if err := s.check(t.Arg(1), g.assume(t.Arg(0), true)); err != nil {
			return err
		}
		return s.check(t.Arg(2), g.assume(t.Arg(0), false))
	case term.And, term.Or:
		// A conjunct makes a difference only where all others hold, a disjunct where none of the others does.
		for i, a := range t.Args() {
			inner := g
			for j, b := range t.Args() {
				if i != j {
					inner = inner.assume(b, t.Op() == term.And)
				}
			}
			if err := s.check(a, inner); err != nil {
				return err
			}
		}
		return nil
	case term.Apply:
		if s.recursive(t.Func()) && !s.smaller(t.Arg(0), g) {
			what := "a field of %s under a test for its constructor"
			if s.first.Sort() == term.Int {
				what = "less than %s under a test that bounds it from below"
			}
			return fmt.Errorf("the recursion in %s is not on "+what, t, term.QuoteSymbol(s.first.Name()))
		}
	}
	for _, a := range t.Args() {
		if err := s.check(a, g); err != nil {
			return err
		}
	}
	return nil
}

// smaller reports whether t is a field of the first parameter, at any depth, where the guards say that it has it, or the first
// parameter less a positive number, where they bound it from below.
func (s *structure) smaller(t *term.Term, g guards) bool {
	if s.first.Sort() == term.Int {
		if t.Sort() != term.Int || !g.bounded[s.first] {
			return false
		}
		difference := t.Pool().Linear(t).AddTerm(term.NewInt(-1), s.first)
		return difference.IsConst() && difference.Const.Sign() < 0
	}
	if t.Op() != term.Field {
		return false
	}
	of, c := t.Arg(0), t.Sel().Ctor
	possible, limited := g.constructors[of]
	if !limited {
		possible = c.Data.Constructors
	}
	if len(possible) != 1 || possible[0] != c {
		return false
	}
	return of == s.first || s.smaller(of, g)
}

// assume returns the guards where t has the truth value holds.
func (g guards) assume(t *term.Term, holds bool) guards {
	switch t.Op() {
	case term.Not:
		return g.assume(t.Arg(0), !holds)
	case term.And, term.Or:
		if holds == t.IsAnd() {
			for _, a := range t.Args() {
				g = g.assume(a, holds)
			}
		}
	case term.Is:
		return g.restrict(t.Arg(0), t.Ctor(), holds)
	case term.Eq:
		for k, u := range t.Args() {
			// Of a constructor with fields, only the equality says something.
			if u.Op() == term.Construct && (holds || len(u.Args()) == 0) {
				return g.restrict(t.Arg(1-k), u.Ctor(), holds)
			}
		}
	}
	return g.bound(t, holds)
}

// bound notes the variable that a comparison with a number, or its negation, bounds from below.
func (g guards) bound(t *term.Term, holds bool) guards {
	p := t.Pool()
	if !holds {
		t = p.Not(t)
	}
	c, ok := p.AsConstraint(t)
	if !ok || len(c.Monomials) != 1 || c.Monomials[0].Term.Sort() != term.Int || c.Rel != term.EQ && c.Monomials[0].Coef.Sign() > 0 {
		return g
	}
	bounded := maps.Clone(g.bounded)
	if bounded == nil {
		bounded = map[*term.Term]bool{}
	}
	bounded[c.Monomials[0].Term] = true
	return guards{g.constructors, bounded}
}

// restrict leaves only c for t, or takes c away.
func (g guards) restrict(t *term.Term, c *term.Constructor, only bool) guards {
	possible, limited := g.constructors[t]
	if !limited {
		possible = c.Data.Constructors
	}
	constructors := maps.Clone(g.constructors)
	if constructors == nil {
		constructors = map[*term.Term][]*term.Constructor{}
	}
	constructors[t] = slices.DeleteFunc(slices.Clone(possible), func(d *term.Constructor) bool { return (d == c) != only })
	return guards{constructors, g.bounded}
}
