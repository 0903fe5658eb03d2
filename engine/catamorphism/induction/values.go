package induction

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

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
		if s == term.Int && len(e.counts) > 0 {
			first = append(first, p.Int(0))
		}
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
	for i := range assignments + trials {
		own := term.MapAssignment{}
		for _, s := range e.sorts {
			for _, x := range e.vars[s] {
				v := e.value(s, e.depth(s, next), next)
				if i < assignments && s == term.Int && len(e.counts) > 0 && v.Num().Sign() < 0 {
					// Terms that count are compared where counting goes on.
					v = p.Scale(term.NewInt(-1), v)
				}
				own[x] = term.TermValue(v)
			}
		}
		e.assignments = append(e.assignments, witness.ComputeWithin(p, e.model.Definitions, own, witness.Bounds{Applications: mostApplications, Depth: mostDepth}))
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
