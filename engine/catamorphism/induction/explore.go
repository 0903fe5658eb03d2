package induction

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// explorer looks for equations between the recognised functions that induction proves: associativity, what a function does
// to an empty list, how one distributes over another. Terms that are equal under all of a fixed set of assignments are
// conjectured to be equal, small ones first (theory exploration as in QuickSpec).
type explorer struct {
	*Prover
	vars map[*term.Sort][]*term.Term
	// terms are by sort, and within it by the number of symbols.
	terms       map[*term.Sort][][]*term.Term
	sorts       []*term.Sort
	assignments []term.Assignment
	// trials are more assignments, for the few equations that are conjectured.
	trials []term.Assignment
	// rules are the larger sides of equations that hold.
	rules []*term.Term
	// symbols is the size of the terms so far, pending are the conjectures of that size that were not tried, failed those that
	// were not proved since the last lemma, and tried is the number of all that were tried. renewed says that there are lemmas with
	// which the goals were only tried quickly.
	symbols         int
	pending, failed []conjecture
	tried           int
	renewed         bool
}

// conjecture is an equation to be proved.
type conjecture struct{ small, large *term.Term }

// Explore adds equations to the model's lemmas until the goals are proved; it reports whether they were. When it is called
// again it goes on where an error, such as the end of its time, stopped it.
func (pr *Prover) Explore(ctx context.Context) (bool, error) {
	if pr.explorer == nil {
		pr.explorer = &explorer{Prover: pr, vars: map[*term.Sort][]*term.Term{}, terms: map[*term.Sort][][]*term.Term{}}
		pr.explorer.begin()
	}
	e := pr.explorer
	if e.renewed {
		if ok, err := pr.Prove(ctx); err != nil || ok {
			return ok, err
		}
		e.renewed = false
	}
	for {
		for len(e.pending) > 0 {
			if e.tried >= pr.options.Equations {
				return false, nil
			}
			added, err := e.next(ctx)
			if err != nil {
				return false, err
			}
			if !added {
				continue
			}
			e.renewed = true
			if ok, err := e.quickly(ctx); err != nil || ok {
				return ok, err
			}
		}
		if e.renewed {
			if ok, err := pr.Prove(ctx); err != nil || ok {
				return ok, err
			}
			e.renewed = false
		}
		if e.symbols++; e.symbols > pr.options.Symbols {
			return false, nil
		}
		e.grow(e.symbols)
		e.pending = e.conjectures(e.symbols)
	}
}

// quickly tries the goals once more, without proofs that take long.
func (e *explorer) quickly(ctx context.Context) (bool, error) {
	e.quick = true
	defer func() { e.quick = false }()
	return e.Prove(ctx)
}

// next tries the first of the pending conjectures, and reports whether it is a lemma now.
func (e *explorer) next(ctx context.Context) (bool, error) {
	c := e.pending[0]
	if !e.reducible(c.small) && !e.reducible(c.large) && e.survives(e.sys.Pool.Eq(c.small, c.large)) {
		added, known, err := e.attempt(ctx, c)
		if err != nil {
			return false, err
		}
		e.tried++
		e.pending = e.pending[1:]
		switch {
		case added:
			// What was not proved may follow now, and says more: it is smaller.
			e.pending, e.failed = slices.Concat(e.failed, e.pending), nil
		case !known:
			e.failed = append(e.failed, c)
		}
		return added, nil
	}
	e.pending = e.pending[1:]
	return false, nil
}

// begin makes the variables and the assignments.
func (e *explorer) begin() {
	p := e.sys.Pool
	add := func(s *term.Sort) {
		if slices.Contains(e.sorts, s) || s.Data == nil && s != term.Int && s != term.Bool {
			return
		}
		e.sorts = append(e.sorts, s)
		if s == term.Bool {
			e.terms[s] = [][]*term.Term{{p.True(), p.False()}}
			return
		}
		for i := range mostVariables {
			e.vars[s] = append(e.vars[s], p.Var(fmt.Sprint(s, "-", i), s))
		}
		first := slices.Clone(e.vars[s])
		if s.Data != nil {
			for _, c := range s.Data.Constructors {
				if len(c.Selectors) == 0 {
					first = append(first, p.Construct(c))
				}
			}
		}
		e.terms[s] = [][]*term.Term{first}
	}
	for _, d := range e.model.Definitions {
		for _, x := range d.Params {
			add(x.Sort())
		}
		add(d.Func.Range)
	}
	// A generator of our own keeps the run the same everywhere.
	state := uint64(1)
	next := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	for range assignments + trials {
		own := term.MapAssignment{}
		for _, s := range e.sorts {
			for _, x := range e.vars[s] {
				own[x] = term.TermValue(e.value(s, e.depth(s, next), next))
			}
		}
		e.assignments = append(e.assignments, witness.Compute(p, e.model.Definitions, own))
	}
	e.assignments, e.trials = e.assignments[:assignments], e.assignments[assignments:]
}

// survives reports whether a conjecture is true under the trials, too.
func (e *explorer) survives(body *term.Term) bool {
	return !slices.ContainsFunc(e.trials, func(a term.Assignment) bool { return term.NewEvaluator(e.sys.Pool, a).False(body) })
}

// depth makes up how deep a value is: numbers small beside lists, so that what counts elements does not pass the end.
func (e *explorer) depth(s *term.Sort, next func(int) int) int {
	if s.Data != nil && slices.ContainsFunc(s.Data.Constructors, func(c *term.Constructor) bool { return len(c.Selectors) > 1 }) {
		return next(7)
	}
	return next(4)
}

// value makes up a value of at most the given depth.
func (e *explorer) value(s *term.Sort, depth int, next func(int) int) *term.Term {
	p := e.sys.Pool
	if s.Data == nil {
		if s == term.Int {
			return p.Int(int64(next(7)) - 2)
		}
		return term.DefaultValue(p, s).Term(p)
	}
	if depth <= 0 {
		return term.DefaultValue(p, s).Term(p)
	}
	c := s.Data.Constructors[next(len(s.Data.Constructors))]
	if next(4) > 0 {
		// Long values tell more terms apart.
		for _, k := range s.Data.Constructors {
			if len(k.Selectors) > len(c.Selectors) {
				c = k
			}
		}
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = e.value(f.Sort, depth-1, next)
	}
	return p.Construct(c, args...)
}

// grow makes the terms with one more symbol: functions and constructors applied to smaller terms.
func (e *explorer) grow(symbols int) {
	p := e.sys.Pool
	for _, s := range e.sorts {
		e.terms[s] = append(e.terms[s], nil)
	}
	add := func(t *term.Term) bool {
		s := t.Sort()
		if e.reducible(t) {
			return true
		}
		e.terms[s][symbols] = append(e.terms[s][symbols], t)
		return len(e.terms[s][symbols]) < e.options.Terms
	}
	for _, d := range e.model.Definitions {
		if e.terms[d.Func.Range] != nil {
			e.arguments(d.Func.Domain, symbols-1, nil, func(args []*term.Term) bool { return add(p.Apply(d.Func, args...)) })
		}
	}
	for _, s := range e.sorts {
		if s.Data == nil {
			continue
		}
		for _, c := range s.Data.Constructors {
			domain := make([]*term.Sort, len(c.Selectors))
			for i, f := range c.Selectors {
				domain[i] = f.Sort
			}
			if len(domain) > 0 {
				e.arguments(domain, symbols-1, nil, func(args []*term.Term) bool { return add(p.Construct(c, args...)) })
			}
		}
	}
}

// arguments yields the tuples of terms of these sorts with so many symbols together, as long as yield wants more.
func (e *explorer) arguments(domain []*term.Sort, symbols int, chosen []*term.Term, yield func([]*term.Term) bool) bool {
	if len(domain) == 0 {
		return symbols > 0 || yield(chosen)
	}
	for n, ts := range e.terms[domain[0]] {
		if n > symbols {
			break
		}
		for _, t := range ts {
			if !e.arguments(domain[1:], symbols-n, append(slices.Clip(chosen), t), yield) {
				return false
			}
		}
	}
	return true
}

// conjectures are the equations whose larger side has so many symbols and whose smaller one no more: both are equal under
// all assignments.
func (e *explorer) conjectures(symbols int) []conjecture {
	var out []conjecture
	for _, s := range e.sorts {
		smallest := map[string][]*term.Term{}
		for n, ts := range e.terms[s] {
			for _, t := range ts {
				key, ok := e.values(t)
				if !ok {
					continue
				}
				if n == symbols {
					for _, small := range smallest[key] {
						if e.general(t, small) && (s != term.Bool || small.IsValue()) {
							out = append(out, conjecture{small, t})
						}
					}
				}
				if len(smallest[key]) < mostRivals {
					smallest[key] = append(smallest[key], t)
				}
			}
		}
	}
	// The more general ones first: they say what their instances say.
	slices.SortStableFunc(out, func(a, b conjecture) int { return len(term.Vars(b.large)) - len(term.Vars(a.large)) })
	return out
}

// general reports whether an equation uses its variables in order, so that only one of the equations that are the same up
// to the names of variables is tried, and has no variable on its smaller side only.
func (e *explorer) general(large, small *term.Term) bool {
	next := map[*term.Sort]int{}
	own := term.Vars(large)
	for _, x := range own {
		if e.vars[x.Sort()][next[x.Sort()]] != x {
			return false
		}
		next[x.Sort()]++
	}
	for _, x := range term.Vars(small) {
		if !slices.Contains(own, x) {
			return false
		}
	}
	return slices.ContainsFunc(own, func(x *term.Term) bool { return x.Sort().Data != nil })
}

// values are the values of a term under all assignments.
func (e *explorer) values(t *term.Term) (string, bool) {
	var key []byte
	for _, a := range e.assignments {
		v, ok := term.NewEvaluator(e.sys.Pool, a).Eval(t)
		if !ok {
			return "", false
		}
		id := v.Term(e.sys.Pool).ID()
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(key), true
}

// attempt proves a conjecture that does not follow from what is known without induction, and adds it to the lemmas.
func (e *explorer) attempt(ctx context.Context, c conjecture) (added, known bool, err error) {
	p := e.sys.Pool
	e.quick = true
	defer func() { e.quick = false }()
	body := p.Eq(c.small, c.large)
	if known, err = e.follows(ctx, body); err != nil {
		return false, false, err
	}
	if !known {
		var lemma witness.Lemma
		if lemma, added, err = e.induct(ctx, body); err != nil || !added {
			return false, false, err
		}
		e.model.Lemmas = append(e.model.Lemmas, lemma)
	}
	if !instanceOf(c.large, c.small, map[*term.Term]*term.Term{}) {
		e.rules = append(e.rules, c.large)
	}
	return added, known, nil
}

// reducible reports whether a term has an instance of the larger side of a proved equation in it: then it says nothing
// that the term with the smaller side does not say.
func (e *explorer) reducible(t *term.Term) bool {
	found := false
	term.Walk(t, func(u *term.Term) bool {
		found = found || slices.ContainsFunc(e.rules, func(r *term.Term) bool { return instanceOf(r, u, map[*term.Term]*term.Term{}) })
		return !found
	})
	return found
}

// instanceOf reports whether t is the pattern with terms in place of its variables.
func instanceOf(pattern, t *term.Term, bind map[*term.Term]*term.Term) bool {
	if pattern.IsVar() {
		if bind[pattern] == nil {
			bind[pattern] = t
		}
		return bind[pattern] == t
	}
	if pattern.Op() != t.Op() || pattern.Sort() != t.Sort() || pattern.Func() != t.Func() || pattern.Ctor() != t.Ctor() ||
		len(pattern.Args()) != len(t.Args()) || len(t.Args()) == 0 && pattern != t {
		return false
	}
	for i, x := range pattern.Args() {
		if !instanceOf(x, t.Arg(i), bind) {
			return false
		}
	}
	return true
}
