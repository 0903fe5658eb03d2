package catamorphism

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// The bounds of an exploration: variables of each sort, function applications in one side of an equation, terms of one
// sort, assignments that tell terms apart, and equations that are tried.
const (
	exploreVariables   = 3
	exploreSymbols     = 3
	exploreTerms       = 1200
	exploreAssignments = 24
	exploreEquations   = 80
)

// explorer looks for equations between the recognised functions that induction proves: associativity, what a function does
// to an empty list, how one distributes over another. Terms that are equal under all of a fixed set of assignments are
// conjectured to be equal, small ones first (theory exploration as in QuickSpec).
type explorer struct {
	*inductor
	vars map[*term.Sort][]*term.Term
	// terms are by sort, and within it by the number of symbols.
	terms       map[*term.Sort][][]*term.Term
	sorts       []*term.Sort
	assignments []term.Assignment
}

// conjecture is an equation to be proved.
type conjecture struct{ small, large *term.Term }

// explore adds equations to the model's lemmas until the goals are proved; it reports whether they were.
func (in *inductor) explore(ctx context.Context) (bool, error) {
	e := &explorer{inductor: in, vars: map[*term.Sort][]*term.Term{}, terms: map[*term.Sort][][]*term.Term{}}
	e.begin()
	tried := 0
	for symbols := 1; symbols <= exploreSymbols; symbols++ {
		e.grow(symbols)
		for _, c := range e.conjectures(symbols) {
			if tried >= exploreEquations {
				return false, nil
			}
			added, err := e.attempt(ctx, c)
			if err != nil {
				return false, err
			}
			tried++
			if !added {
				continue
			}
			if ok, err := in.prove(ctx); err != nil || ok {
				return ok, err
			}
		}
	}
	return false, nil
}

// begin makes the variables and the assignments.
func (e *explorer) begin() {
	p := e.sys.Pool
	add := func(s *term.Sort) {
		if slices.Contains(e.sorts, s) || s.Data == nil && s != term.Int {
			return
		}
		e.sorts = append(e.sorts, s)
		for i := range exploreVariables {
			e.vars[s] = append(e.vars[s], p.Var(number(s.String()+"-", i), s))
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
	for i := range exploreAssignments {
		own := term.MapAssignment{}
		for _, s := range e.sorts {
			for _, x := range e.vars[s] {
				own[x] = term.TermValue(e.value(s, 1+i/4, next))
			}
		}
		e.assignments = append(e.assignments, witness.Compute(p, e.model.Definitions, own))
	}
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
	add := func(t *term.Term) {
		s := t.Sort()
		if len(e.terms[s][symbols]) < exploreTerms {
			e.terms[s][symbols] = append(e.terms[s][symbols], t)
		}
	}
	for _, d := range e.model.Definitions {
		if e.terms[d.Func.Range] != nil {
			e.arguments(d.Func.Domain, symbols-1, nil, func(args []*term.Term) { add(p.Apply(d.Func, args...)) })
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
				e.arguments(domain, symbols-1, nil, func(args []*term.Term) { add(p.Construct(c, args...)) })
			}
		}
	}
}

// arguments yields the tuples of terms of these sorts with so many symbols together.
func (e *explorer) arguments(domain []*term.Sort, symbols int, chosen []*term.Term, yield func([]*term.Term)) {
	if len(domain) == 0 {
		if symbols == 0 {
			yield(chosen)
		}
		return
	}
	for n, ts := range e.terms[domain[0]] {
		if n > symbols {
			break
		}
		for _, t := range ts {
			e.arguments(domain[1:], symbols-n, append(slices.Clip(chosen), t), yield)
		}
	}
}

// conjectures are the equations whose larger side has so many symbols and whose smaller one no more: both are equal under
// all assignments.
func (e *explorer) conjectures(symbols int) []conjecture {
	var out []conjecture
	for _, s := range e.sorts {
		smallest := map[string]*term.Term{}
		for n, ts := range e.terms[s] {
			for _, t := range ts {
				key, ok := e.values(t)
				if !ok {
					continue
				}
				if small := smallest[key]; small == nil {
					smallest[key] = t
				} else if n == symbols && e.general(t, small) {
					out = append(out, conjecture{small, t})
				}
			}
		}
	}
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
func (e *explorer) attempt(ctx context.Context, c conjecture) (bool, error) {
	p := e.sys.Pool
	body := p.Eq(c.small, c.large)
	if known, err := e.follows(ctx, body); err != nil || known {
		return false, err
	}
	lemma, ok, err := e.induct(ctx, body)
	if err != nil || !ok {
		return false, err
	}
	e.model.Lemmas = append(e.model.Lemmas, lemma)
	return true, nil
}

// follows reports whether a statement follows from the definitions and lemmas by unfolding alone.
func (e *explorer) follows(ctx context.Context, body *term.Term) (bool, error) {
	// Over a variable without constructors, the proof has one case and no hypothesis.
	x := e.sys.Pool.Fresh("unused", term.Int)
	l := witness.Lemma{Vars: append([]*term.Term{x}, term.Vars(body)...), Body: body}
	return witness.ProveLemma(ctx, e.solvers, e.sys.Pool, e.model.Definitions, e.model.Lemmas, l, e.limit)
}
