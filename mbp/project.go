package mbp

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
)

// ErrFalse is returned when a formula that the assignment should make true is false under it.
var ErrFalse = errors.New("formula is false under the assignment")

// ErrUndetermined is returned when the assignment does not determine a formula or a term whose value is needed.
var ErrUndetermined = errors.New("value is not determined by the assignment")

// Options choose between generality and size. The zero value means the defaults.
type Options struct {
	// MaxResolvents is the number of resolvents of one variable up to which all pairs of its bounds are resolved, which
	// is exact, although they are more than the bounds were. Default 6: two lower against three upper bounds.
	MaxResolvents int
	// MaxBits bounds the coefficients; beyond it the variables that are left get their values. Default 512.
	MaxBits int
	// SubstituteArrays switches array projection off: beside equality resolution, variables of array sorts are left to
	// the last resort, which puts a term of the same value or the value for them.
	SubstituteArrays bool
}

// Stats count what a Projector did: for each rule, the variables eliminated by it.
type Stats struct {
	Calls       int // projections
	Exact       int // projections that are equivalent to the existential
	Defined     int // Boolean or other variables equal to a term
	Booleans    int // Boolean variables by value
	Solved      int // arithmetic variables by an equation with a unit coefficient
	Scaled      int // Int variables by an equation with another coefficient
	Dropped     int // unbounded on one side, or only unequal to less terms than there are values
	Divided     int // Int variables with divisibilities, replaced by one without
	Resolved    int // by all pairs of bounds
	Tightest    int // by the tightest bound, or their disequalities ordered
	Decomposed  int // equations of constructor terms taken apart
	Unfolded    int // datatype variables replaced by the model's constructor of fresh fields
	SolvedBits  int // bit-vector equations that were solved or inverted
	BoundBits   int // bit-vector variables by their bounds
	Sliced      int // bit-vector variables cut into the parts that are read
	Purified    int // rounds in which div, mod, abs, ite and the like were made linear
	Replaced    int // by a term of the same value
	Substituted int // by their value: the projection need not be one of finitely many
	Violations  int // projections whose result was false under the assignment, or that had no end, and were replaced by substitution: a defect
	Outgrown    int // projections that exceeded MaxBits and were replaced by substitution

	ArraysEquated     int // array variables by a partial equality
	ArraysRead        int // array variables that were only read, by fresh variables for what is read
	ArraysSubstituted int // array variables by their value, part of Substituted
	StoresPeeled      int // stores that equations of arrays were peeled of
	ReadsReduced      int // reads of stores that the model decided
	Disequalities     int // disequalities of arrays that were dropped or became reads
}

// addArrays adds the counters of the array rules.
func (st *Stats) addArrays(o *Stats) {
	st.ArraysEquated += o.ArraysEquated
	st.ArraysRead += o.ArraysRead
	st.StoresPeeled += o.StoresPeeled
	st.ReadsReduced += o.ReadsReduced
	st.Disequalities += o.Disequalities
}

// Projector eliminates variables from cubes. It keeps nothing between calls but its counters; it is not for concurrent
// use.
type Projector struct {
	p     *term.Pool
	opts  Options
	stats Stats
}

// New returns a projector for terms of the pool.
func New(p *term.Pool, opts Options) *Projector {
	if opts.MaxResolvents <= 0 {
		opts.MaxResolvents = 6
	}
	if opts.MaxBits <= 0 {
		opts.MaxBits = 512
	}
	return &Projector{p: p, opts: opts}
}

// Stats returns the counters so far.
func (pr *Projector) Stats() Stats { return pr.stats }

// Project returns literals without the variables to eliminate that are true under the assignment and whose conjunction
// implies that lits hold for some values of those variables. The assignment, completed by default values, must make
// lits true (else ErrFalse or ErrUndetermined). Literals without the variables are kept; the result has no duplicates
// and, of parallel bounds, the tightest only.
func (pr *Projector) Project(lits, eliminate []*term.Term, a term.Assignment) ([]*term.Term, error) {
	out, _, err := pr.ProjectExact(lits, eliminate, a)
	return out, err
}

// ProjectExact is Project; exact says that the result is known to be equivalent to the existential.
func (pr *Projector) ProjectExact(lits, eliminate []*term.Term, a term.Assignment) (out []*term.Term, exact bool, err error) {
	pr.stats.Calls++
	s := newSystem(pr.p, &pr.opts, &pr.stats, len(lits), eliminate, a)
	s.loading = true
	for _, l := range lits {
		if !l.IsBool() {
			return nil, false, fmt.Errorf("project %s: sort is %s, not Bool", l, l.Sort())
		}
		s.addFormula(l)
	}
	s.loading = false
	loaded := len(s.out)
	s.run(mostRounds * (len(lits) + len(eliminate)))
	if s.err == nil {
		s.err = s.verify(loaded)
	}
	if s.err != nil {
		return pr.substitute(s, lits)
	}
	if s.exact {
		pr.stats.Exact++
	}
	return tidy(pr.p, s.out), s.exact, nil
}

// run eliminates in the order of 4.2: equations, datatypes before Booleans since these may be fields, arrays and
// bit-vectors, which leave arithmetic variables, arithmetic, what is left.
func (s *system) run(most int) {
	for rounds := 0; s.err == nil; rounds++ {
		if rounds > most {
			s.fail(fmt.Errorf("no end after %d rounds: %w", most, errViolated))
			return
		}
		switch {
		case s.solveOthers():
		case s.arithmetic(ruleSolve):
		case s.datatypes():
		case s.booleans():
		case s.arrays():
		case s.bitVectors():
		case s.purify():
		case s.arithmetic(ruleTightest):
		case s.unfoldOpaque():
		case s.leftover():
		default:
			return
		}
	}
}

// verify checks that the result is true under the model and that no variable to eliminate is in it; the first loaded
// literals are the caller's, which were found to have none.
func (s *system) verify(loaded int) error {
	gone := make(map[*term.Term]bool, len(s.vars))
	for i := range s.vars {
		if t := s.vars[i].t; t != nil {
			gone[t] = true
		}
	}
	for i, l := range s.out {
		if s.ev.False(l) {
			return fmt.Errorf("%w: %s", errViolated, l)
		}
		if i >= loaded && term.HasAny(l, gone) {
			return fmt.Errorf("eliminated variable in %s: %w", l, errViolated)
		}
	}
	return nil
}

// substitute is the last resort: every variable gets its value. It also finds out whether the literals were true.
func (pr *Projector) substitute(s *system, lits []*term.Term) ([]*term.Term, bool, error) {
	for _, l := range lits {
		if v, ok := s.ev.Eval(l); !ok {
			return nil, false, fmt.Errorf("project %s: %w", l, ErrUndetermined)
		} else if !v.Bool() {
			return nil, false, fmt.Errorf("project %s: %w", l, ErrFalse)
		}
	}
	switch {
	case errors.Is(s.err, errViolated):
		pr.stats.Violations++
	case errors.Is(s.err, errTooBig):
		pr.stats.Outgrown++
	default:
		return nil, false, fmt.Errorf("project: %w", s.err)
	}
	values := make(map[*term.Term]*term.Term)
	for i := range s.vars {
		x := &s.vars[i]
		if x.t == nil {
			continue
		}
		if _, fresh := s.model.Values[x.t]; fresh {
			continue
		}
		if v, ok := s.ev.Eval(x.t); ok {
			values[x.t] = v.Term(pr.p)
			pr.stats.Substituted++
		}
	}
	sub := pr.p.NewSubstitution(values)
	var out []*term.Term
	for _, l := range lits {
		out = append(out, term.Conjuncts(sub.Apply(l))...)
	}
	return tidy(pr.p, out), false, nil
}
