package instances

import (
	"context"
	"slices"
	"strings"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/work"
)

// limit bounds the instances of one quantifier in one query: what needs more is undecided; more instances prove more and take longer.
const limit = 300

// maxSteps bounds the subterms that making instances visits: of a quantifier with many variables most combinations of terms may make the
// same instance, and instances with quantifiers have instances in turn.
const maxSteps = 600_000

// timeOfStep is the work of visiting a subterm.
const timeOfStep = 400 * time.Nanosecond

// instantiator weakens formulas with quantifiers to formulas without: existential quantifiers in positive positions are
// skolemised, universal ones become a bounded number of instances, at the index terms that occur. Whatever it leaves out
// only weakens the result, so when the result is unsatisfiable, so is what it was made of. A result that is satisfiable
// says nothing.
type instantiator struct {
	pool *term.Pool
	// rounds is how often instances are made: those of a later round are at the index terms of earlier ones.
	rounds int
	// near adds the neighbours of index terms, and the terms that a quantified variable is compared with.
	near bool
	// limit bounds the instances of each quantifier.
	limit int
	// steps counts the subterms that were visited, and counted those of which the work is told.
	steps, counted int

	skolems   []*term.Term
	cache     map[polar]*term.Term
	universal map[*term.Term]*universal
	order     []*universal
	closed    map[*term.Term]*term.Term
}

// polar is a term with the polarity of the position that it stands in.
type polar struct {
	t        *term.Term
	positive bool
}

// universal is a universal quantifier in a positive position with the instances that stand for it.
type universal struct {
	quantifier *term.Term
	size       int // of the quantifier
	variables  []*boundVariable
	instances  []*term.Term
	seen       map[*term.Term]bool
}

// Weaken returns a formula without quantifiers that is satisfiable when the conjunction of fs is: it has the instances of universal
// quantifiers at the index terms that occur, in so many rounds, in later ones of which the terms of earlier instances count, and from the
// second on also the neighbours of index terms. The error is ctx's.
func Weaken(ctx context.Context, pool *term.Pool, fs []*term.Term, rounds int) (*term.Term, error) {
	return (&instantiator{pool: pool, rounds: rounds, near: rounds > 1, limit: limit}).weaken(ctx, fs)
}

// weaken returns a formula without quantifiers that is satisfiable when the conjunction of fs is.
func (in *instantiator) weaken(ctx context.Context, fs []*term.Term) (*term.Term, error) {
	in.cache = map[polar]*term.Term{}
	in.universal = map[*term.Term]*universal{}
	in.closed = map[*term.Term]*term.Term{}
	f := in.outer(in.pool.And(fs...), true)
	in.find(f)
	for range in.rounds {
		terms := in.indexTerms(f)
		for _, u := range slices.Clone(in.order) {
			if err := in.spend(ctx); err != nil {
				return nil, err
			}
			in.instantiate(u, terms)
		}
	}
	return in.close(f), nil
}

// spend counts the work since it was called last. The error is ctx's.
func (in *instantiator) spend(ctx context.Context) error {
	work.Spend(ctx, time.Duration(in.steps-in.counted)*timeOfStep)
	in.counted = in.steps
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// outer returns t, or its negation when the position is negative, with every quantifier in a positive position that no
// other quantifier encloses: existential ones are replaced by fresh constants, universal ones stay, below conjunctions
// and disjunctions only.
func (in *instantiator) outer(t *term.Term, positive bool) *term.Term {
	p := in.pool
	if !t.HasQuantifier() {
		if positive {
			return t
		}
		return p.Not(t)
	}
	key := polar{t, positive}
	if r, ok := in.cache[key]; ok {
		return r
	}
	var r *term.Term
	switch t.Op() {
	case term.Not:
		r = in.outer(t.Arg(0), !positive)
	case term.And, term.Or:
		parts := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			parts[i] = in.outer(a, positive)
		}
		if (t.Op() == term.And) == positive {
			r = p.And(parts...)
		} else {
			r = p.Or(parts...)
		}
	case term.Forall, term.Exists:
		switch {
		case (t.Op() == term.Exists) == positive:
			r = in.outer(in.skolemise(t), positive)
		case positive:
			r = t
		default:
			r = p.Forall(t.Bound(), p.Not(t.Arg(0)))
		}
	case term.Ite:
		r = p.And(
			p.Or(in.outer(t.Arg(0), false), in.outer(t.Arg(1), positive)),
			p.Or(in.outer(t.Arg(0), true), in.outer(t.Arg(2), positive)))
	case term.Eq:
		if t.Arg(0).IsBool() {
			a, b := t.Arg(0), t.Arg(1)
			r = p.Or(
				p.And(in.outer(a, true), in.outer(b, positive)),
				p.And(in.outer(a, false), in.outer(b, !positive)))
			break
		}
		r = p.True()
	default:
		// A quantifier inside of a term that is not Boolean: nothing is said about the atom.
		r = p.True()
	}
	in.cache[key] = r
	return r
}

// skolemise returns the body of a quantifier with fresh constants for its variables.
func (in *instantiator) skolemise(q *term.Term) *term.Term {
	m := map[*term.Term]*term.Term{}
	for _, x := range q.Bound() {
		m[x] = in.pool.Fresh(x.Name(), x.Sort())
		in.skolems = append(in.skolems, m[x])
	}
	return in.pool.Substitute(q.Arg(0), m)
}

// find notes the universal quantifiers of a formula that outer returned.
func (in *instantiator) find(f *term.Term) {
	term.Walk(f, func(t *term.Term) bool {
		if t.Op() == term.Forall && in.universal[t] == nil {
			u := &universal{quantifier: t, size: t.Size(), seen: map[*term.Term]bool{}}
			in.universal[t] = u
			in.order = append(in.order, u)
		}
		return t.HasQuantifier() && !t.IsQuantifier()
	})
}

// close replaces each universal quantifier by its instances.
func (in *instantiator) close(f *term.Term) *term.Term {
	if !f.HasQuantifier() {
		return f
	}
	if r, ok := in.closed[f]; ok {
		return r
	}
	r := in.pool.True() // for a quantifier that came with an instance of the last round
	var parts []*term.Term
	if u := in.universal[f]; u != nil {
		for _, t := range u.instances {
			parts = append(parts, in.close(t))
		}
		r = in.pool.And(parts...)
	} else if f.Op() != term.Forall {
		for _, a := range f.Args() {
			parts = append(parts, in.close(a))
		}
		r = in.pool.Rebuild(f, parts)
	}
	in.closed[f] = r
	return r
}

// instantiate adds the instances of u at all combinations of the terms that are not there yet, up to the limit.
func (in *instantiator) instantiate(u *universal, terms *indexTerms) {
	in.each(u, terms, func(t *term.Term) {
		u.instances = append(u.instances, t)
		in.find(t)
	})
}

// each calls f with the instances of u at all combinations of the terms that it has not been called with yet, up to the limit
// and while there are steps left.
func (in *instantiator) each(u *universal, terms *indexTerms, f func(*term.Term)) {
	if len(u.seen) >= in.limit || in.steps > maxSteps {
		return
	}
	variables := in.variables(u)
	choices := make([][]*term.Term, len(variables))
	for i, v := range variables {
		choices[i] = in.candidates(v, terms)
	}
	m := map[*term.Term]*term.Term{}
	var choose func(i int)
	choose = func(i int) {
		if len(u.seen) >= in.limit || in.steps > maxSteps {
			return
		}
		if i < len(variables) {
			for _, t := range choices[i] {
				m[variables[i].variable] = t
				choose(i + 1)
			}
			return
		}
		in.steps += u.size
		body := in.pool.Substitute(u.quantifier.Arg(0), m)
		if u.seen[body] {
			return
		}
		u.seen[body] = true
		f(in.outer(body, true))
	}
	choose(0)
}

// alikeFirst moves the variables to the front that have x's name up to what made it fresh: where a quantifier comes from
// a clause, its variables are the clause's.
func alikeFirst(x *term.Term, variables []*term.Term) []*term.Term {
	stem := func(v *term.Term) string {
		s, _, _ := strings.Cut(v.Name(), "!")
		return s
	}
	out := slices.Clone(variables)
	slices.SortStableFunc(out, func(a, b *term.Term) int {
		switch alike := stem(a) == stem(x); {
		case alike == (stem(b) == stem(x)):
			return 0
		case alike:
			return -1
		}
		return 1
	})
	return out
}

// equals returns the terms without bound variables that the body of a quantifier says its variable x is equal to, or is not.
func equals(q, x *term.Term) []*term.Term {
	bound := map[*term.Term]bool{}
	var found []*term.Term
	var walk func(f *term.Term)
	walk = func(f *term.Term) {
		term.Walk(f, func(t *term.Term) bool {
			switch {
			case t.IsQuantifier():
				for _, y := range t.Bound() {
					bound[y] = true
				}
				walk(t.Arg(0))
				return false
			case t.Op() == term.Eq && t.Arg(0) == x:
				found = append(found, t.Arg(1))
			case t.Op() == term.Eq && t.Arg(1) == x:
				found = append(found, t.Arg(0))
			}
			return true
		})
	}
	walk(q)
	return slices.DeleteFunc(found, func(t *term.Term) bool { return term.HasAny(t, bound) })
}

// isIndex reports whether x occurs in an index of f.
func isIndex(f, x *term.Term) bool {
	found := false
	term.Walk(f, func(t *term.Term) bool {
		found = found || (t.Op() == term.Select || t.Op() == term.Store) && term.Contains(t.Arg(1), x)
		return !found && !t.IsQuantifier()
	})
	return found
}

// boundVariable is a variable of a quantifier with what the body says of the terms at which it is instantiated.
type boundVariable struct {
	variable *term.Term
	// index is set if the variable occurs in an index.
	index bool
	// equals are terms that it is compared with.
	equals []*term.Term
	// offsets are what indices are more than the variable.
	offsets []*term.Term
	// sides are the terms at which the truth of a comparison changes, with their neighbours.
	sides []*term.Term
}

// variables returns the variables of the quantifier.
func (in *instantiator) variables(u *universal) []*boundVariable {
	if u.variables == nil {
		for _, x := range u.quantifier.Bound() {
			u.variables = append(u.variables, in.boundVariable(u.quantifier, x))
		}
	}
	return u.variables
}

func (in *instantiator) boundVariable(q, x *term.Term) *boundVariable {
	p := in.pool
	v := &boundVariable{variable: x, index: isIndex(q.Arg(0), x)}
	if !v.index {
		v.equals = equals(q, x)
	}
	if x.Sort() != term.Int {
		return v
	}
	bound := map[*term.Term]bool{}
	for _, y := range q.Bound() {
		bound[y] = true
	}
	one := p.Int(1)
	term.Walk(q.Arg(0), func(t *term.Term) bool {
		switch {
		case t.Op() == term.Select || t.Op() == term.Store:
			if index := t.Arg(1); index.Sort() == term.Int && index != x {
				if rest := p.Sub(index, x); !term.HasAny(rest, bound) {
					v.offsets = append(v.offsets, rest)
				}
			}
		case in.near && (t.Op() == term.Le || t.Op() == term.Eq) && t.Arg(0).Sort() == term.Int:
			difference := p.Sub(t.Arg(0), t.Arg(1))
			for _, side := range []*term.Term{p.Sub(x, difference), p.Add(x, difference)} {
				if !term.HasAny(side, bound) {
					v.sides = append(v.sides, side, p.Sub(side, one), p.Add(side, one))
				}
			}
		}
		return !t.IsQuantifier()
	})
	return v
}

// candidates are the terms at which a variable x of a quantifier is instantiated: index terms of its sort, moved so
// that x+c is one where the body reads an array at x+c, or where x is no index the variables of its sort.
func (in *instantiator) candidates(v *boundVariable, terms *indexTerms) []*term.Term {
	p, x := in.pool, v.variable
	var out []*term.Term
	seen := map[*term.Term]bool{}
	add := func(t *term.Term) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	base := terms.bySort[x.Sort()]
	if !v.index {
		base = alikeFirst(x, terms.variables[x.Sort()])
		if t := terms.named[PlainName(x.Name())]; t != nil && t.Sort() == x.Sort() && !slices.Contains(base, t) {
			base = slices.Insert(base, 0, t)
		}
		base = slices.Concat(v.equals, base)
	}
	if len(base) == 0 {
		base = []*term.Term{p.Fresh(x.Name(), x.Sort())} // every sort has an element
	}
	for _, t := range base {
		add(t)
	}
	if x.Sort() != term.Int {
		return out
	}
	for _, offset := range v.offsets {
		for _, t := range base {
			add(p.Sub(t, offset))
		}
	}
	in.steps += len(v.offsets) * len(base)
	if !in.near {
		return out
	}
	one := p.Int(1)
	for _, t := range base {
		add(p.Sub(t, one))
		add(p.Add(t, one))
	}
	for _, t := range v.sides {
		add(t)
	}
	return out
}

// indexTerms are the terms at which quantifiers are instantiated, by sort, Skolem constants first, and the formulas'
// variables, and the first term of each name: variables and their fields.
type indexTerms struct {
	bySort, variables map[*term.Sort][]*term.Term
	named             map[string]*term.Term
	seen              map[*term.Term]bool
}

func (x *indexTerms) add(t *term.Term) {
	if !x.seen[t] {
		x.seen[t] = true
		x.bySort[t.Sort()] = append(x.bySort[t.Sort()], t)
	}
}

// indexTerms collects the indices of the selects and stores of f and of the instances so far that contain no bound
// variable.
func (in *instantiator) indexTerms(f *term.Term) *indexTerms {
	x := &indexTerms{bySort: map[*term.Sort][]*term.Term{}, variables: map[*term.Sort][]*term.Term{}, seen: map[*term.Term]bool{}}
	for _, t := range in.skolems {
		x.add(t)
	}
	x.named = Named([]*term.Term{f})
	for _, v := range term.Vars(f) {
		x.variables[v.Sort()] = append(x.variables[v.Sort()], v)
	}
	x.collect(f, nil)
	for _, u := range in.order {
		for _, t := range u.instances {
			x.collect(t, nil)
		}
	}
	return x
}

func (x *indexTerms) collect(f *term.Term, bound map[*term.Term]bool) {
	term.Walk(f, func(t *term.Term) bool {
		if t.IsQuantifier() {
			inner := map[*term.Term]bool{}
			for y := range bound {
				inner[y] = true
			}
			for _, y := range t.Bound() {
				inner[y] = true
			}
			x.collect(t.Arg(0), inner)
			return false
		}
		if (t.Op() == term.Select || t.Op() == term.Store) && !term.HasAny(t.Arg(1), bound) && !t.Arg(1).HasQuantifier() {
			x.add(t.Arg(1))
		}
		return true
	})
}
