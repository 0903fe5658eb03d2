package hornoracle

import (
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Options bound the search.
type Options struct {
	// Ints are the values that are tried for Int and Real variables that no body atom binds.
	Ints []int64
	// Facts bounds the derived facts and Tries the partial assignments that are looked at.
	Facts, Tries int
}

// DefaultOptions try -2 to 4, which leaves room around the values of drawn systems (Values).
func DefaultOptions() Options {
	return Options{Ints: []int64{0, 1, 2, -1, 3, -2, 4}, Facts: 300, Tries: 20_000}
}

// Fact is a derived ground atom with the step that derived it.
type Fact struct {
	Pred *chc.Predicate
	Args []term.Value
	Step witness.Step
}

// Evaluator evaluates formulas over the canonical parameters of the fact's predicate by the fact's arguments.
func (f Fact) Evaluator(pool *term.Pool) *term.Evaluator {
	values := term.MapAssignment{}
	for i, x := range witness.CanonicalParams(pool, f.Pred) {
		values[x] = f.Args[i]
	}
	return term.NewEvaluator(pool, values)
}

// Result is what was derived.
type Result struct {
	sys *chc.System
	// Facts are in the order of derivation, which is the order of their steps.
	Facts []Fact
	// Query is an instance of a query, when one was found.
	Query *witness.Step
	// Exhausted reports that nothing more follows from the tried values: the bounds were not hit, and no instance of a
	// clause was left out because SMT-LIB leaves open whether it is one.
	Exhausted bool

	index map[string]int
}

// Solve derives what follows from the system's clauses over the tried values, until a query fires, nothing is left to
// derive or a bound is hit. Body atoms' arguments that are variables get the facts' values, which may lie beyond the
// tried ones.
func Solve(sys *chc.System, opts Options) *Result {
	s := newSearch(sys, opts)
	for {
		known := len(s.Facts)
		for _, c := range sys.Clauses {
			s.clause(c)
			if s.Query != nil || s.full() {
				return s.Result
			}
		}
		if len(s.Facts) == known {
			s.Exhausted = !s.leftOut
			return s.Result
		}
		s.settled, s.started = known, true
	}
}

func newSearch(sys *chc.System, opts Options) *search {
	return &search{
		Result: &Result{sys: sys, index: map[string]int{}}, opts: opts, byPred: make([][]int, len(sys.Predicates)),
		tried: map[*term.Sort]tried{},
	}
}

// Refutation returns the derivation of the query that was found, nil when none was.
func (r *Result) Refutation() *witness.Refutation {
	if r.Query == nil {
		return nil
	}
	ref := &witness.Refutation{}
	for _, f := range r.Facts {
		ref.Steps = append(ref.Steps, f.Step)
	}
	ref.Steps = append(ref.Steps, *r.Query)
	return ref.Prune()
}

// Model returns the derived facts as an interpretation of every predicate: a disjunction of points. It is a model when
// no query was found, the search was exhausted and the tried values are all that matter; the last is for the caller to
// check.
func (r *Result) Model() *witness.Model {
	p := r.sys.Pool
	m := witness.NewModel()
	bodies := make([][]*term.Term, len(r.sys.Predicates))
	params := make([][]*term.Term, len(r.sys.Predicates))
	for i, pred := range r.sys.Predicates {
		params[i] = witness.CanonicalParams(p, pred)
	}
	for _, f := range r.Facts {
		var point []*term.Term
		for j, v := range f.Args {
			point = append(point, p.Eq(params[f.Pred.ID][j], v.Term(p)))
		}
		bodies[f.Pred.ID] = append(bodies[f.Pred.ID], p.And(point...))
	}
	for i, pred := range r.sys.Predicates {
		m.Interpretations[pred] = witness.Interpretation{Params: params[i], Body: p.Or(bodies[i]...)}
	}
	return m
}

// search is the state of Solve.
type search struct {
	*Result
	opts   Options
	byPred [][]int
	tries  int
	// tried caches the values of each sort.
	tried map[*term.Sort]tried
	// settled counts the facts that were there when the round before the current one began: their combinations were tried.
	settled int
	started bool
	// leftOut says that an instance was left out whose values are not determined.
	leftOut bool
}

func (s *search) full() bool { return s.tries > s.opts.Tries || len(s.Facts) > s.opts.Facts }

// attempt is the assignment under construction for one clause: the first matched body atoms have a premise.
type attempt struct {
	*search
	clause   *chc.Clause
	vals     term.MapAssignment
	premises []int
}

// clause derives all new facts of c.
func (s *search) clause(c *chc.Clause) {
	m := &attempt{search: s, clause: c, vals: term.MapAssignment{}}
	if len(c.Body) > 0 {
		m.body(false)
	} else if !s.started {
		m.rest(c.Vars())
	}
}

// body matches the body atoms that have no premise yet; fresh says whether a premise is new.
func (m *attempt) body(fresh bool) {
	i := len(m.premises)
	if i == len(m.clause.Body) {
		if fresh {
			m.rest(m.clause.Vars())
		}
		return
	}
	a := m.clause.Body[i]
	for _, f := range m.byPred[a.Pred.ID] {
		if m.Query != nil || m.full() {
			return
		}
		m.tries++
		var bound []*term.Term
		for j, t := range a.Args {
			if _, known := m.vals[t]; t.IsVar() && !known {
				m.vals[t] = m.Facts[f].Args[j]
				bound = append(bound, t)
			}
		}
		m.premises = append(m.premises, f)
		if m.possible() {
			m.body(fresh || f >= m.settled)
		}
		m.premises = m.premises[:i]
		for _, v := range bound {
			delete(m.vals, v)
		}
	}
}

// possible reports whether the values so far contradict neither the constraint nor the premises.
func (m *attempt) possible() bool {
	ev := term.NewEvaluator(m.sys.Pool, m.vals)
	if ev.False(m.clause.Constraint) {
		return false
	}
	for i, f := range m.premises {
		for j, t := range m.clause.Body[i].Args {
			if v, ok := ev.Eval(t); ok && !v.Equal(m.Facts[f].Args[j]) {
				return false
			}
		}
	}
	return true
}

// rest tries values for the variables that no atom bound.
func (m *attempt) rest(vars []*term.Term) {
	if m.Query != nil || m.full() {
		return
	}
	m.tries++
	if !m.possible() {
		return
	}
	i := slices.IndexFunc(vars, func(v *term.Term) bool { _, ok := m.vals[v]; return !ok })
	if i < 0 {
		m.derive()
		return
	}
	v := vars[i]
	values, _ := m.values(v.Sort())
	for _, val := range values {
		m.vals[v] = val
		m.rest(vars[i+1:])
		delete(m.vals, v)
	}
}

// derive records the instance when it is one and its head is new.
func (m *attempt) derive() {
	ev := term.NewEvaluator(m.sys.Pool, m.vals)
	if ev.False(m.clause.Constraint) {
		return
	}
	open := !ev.True(m.clause.Constraint)
	for i, a := range m.clause.Body {
		for j, t := range a.Args {
			v, ok := ev.Eval(t)
			if ok && !v.Equal(m.Facts[m.premises[i]].Args[j]) {
				return
			}
			open = open || !ok
		}
	}
	if open {
		m.leftOut = true
		return
	}
	values := make(map[*term.Term]term.Value, len(m.vals))
	for v, val := range m.vals {
		values[v] = val
	}
	step := witness.Step{Clause: m.clause, Values: values, Premises: slices.Clone(m.premises)}
	if m.clause.Head == nil {
		m.Query = &step
		return
	}
	args := make([]term.Value, len(m.clause.Head.Args))
	for j, t := range m.clause.Head.Args {
		v, ok := ev.Eval(t)
		if !ok {
			m.leftOut = true
			return
		}
		args[j] = v
	}
	m.add(Fact{Pred: m.clause.Head.Pred, Args: args, Step: step})
}

func (s *search) add(f Fact) {
	k := strconv.Itoa(f.Pred.ID)
	for _, v := range f.Args {
		k += "," + strconv.Itoa(int(v.Term(s.sys.Pool).ID()))
	}
	if _, known := s.index[k]; known {
		return
	}
	s.index[k] = len(s.Facts)
	s.byPred[f.Pred.ID] = append(s.byPred[f.Pred.ID], len(s.Facts))
	s.Facts = append(s.Facts, f)
}
