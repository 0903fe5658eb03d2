package witness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// facts proves the model's lemmas, each with those that are proved already. What can't be proved by itself is
// proved together: then the hypothesis of each induction is all of these lemmas for the fields of the case, which is an
// induction on the size of the first variable. It returns the facts that may be used on the clauses, nil for a model
// without definitions; a lemma that stays
// open is an error that wraps ErrInvalid when values were found for which it is false, and ErrUndecided otherwise.
func (m *Model) facts(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit) (*Facts, error) {
	if len(m.Definitions) == 0 && len(m.Lemmas) == 0 {
		return nil, nil
	}
	if len(m.Lemmas) == 0 {
		return NewFacts(sys.Pool, m.Definitions, nil), nil
	}
	solvers, err := open(sys.Pool, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to prove a lemma: %w", err)
	}
	defer solvers.Close()
	limit.Time = limit.Time * 4 / 16
	pr := &lemmaProver{ctx: ctx, pool: sys.Pool, solvers: solvers, limit: limit, definitions: m.Definitions}
	todo := make([]int, len(m.Lemmas))
	for i := range todo {
		todo[i] = i
	}
	// The lemmas in proved hold; those that are proved later may need them, and so may those that stand before them.
	var proved []Lemma
	var first *lemmaError
	for len(todo) > 0 {
		var left []int
		for _, i := range todo {
			ok, e, err := pr.induction(m.Lemmas[i], i, []Lemma{m.Lemmas[i]}, proved)
			if err != nil {
				return nil, err
			}
			if ok {
				proved = append(proved, m.Lemmas[i])
				continue
			}
			if e.err == ErrInvalid {
				return nil, e
			}
			if len(left) == 0 {
				first = e
			}
			left = append(left, i)
		}
		if len(left) == len(todo) {
			if left, err = pr.together(m.Lemmas, left, &proved); err != nil {
				return nil, err
			}
			if len(left) == len(todo) {
				return nil, first
			}
		}
		todo = left
	}
	return NewFacts(sys.Pool, m.Definitions, proved), nil
}

// lemmaError says which lemma was not proved, and in which case of its induction.
type lemmaError struct {
	index  int
	lemma  Lemma
	which  string
	values []Binding
	err    error
}

// Error names the lemma and the case.
func (e *lemmaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: lemma %d, %s", e.err, e.index, quantified(e.lemma))
	if e.which != "" {
		fmt.Fprintf(&b, ": the case of %s is not proved", e.which)
	}
	writeCounterexample(&b, e.values)
	return b.String()
}

// Unwrap returns ErrInvalid or ErrUndecided.
func (e *lemmaError) Unwrap() error { return e.err }

type lemmaProver struct {
	ctx         context.Context
	pool        *term.Pool
	solvers     smt.Context
	limit       smt.Limit
	definitions []Definition
	// levels are the levels of instantiation that are tried; nil stands for inductionLevels.
	levels []int
}

// together finds the largest set of the open lemmas that hold by a common induction, adds it to proved, and returns the
// others.
func (pr *lemmaProver) together(all []Lemma, open []int, proved *[]Lemma) (left []int, err error) {
	group := slices.Clone(open)
	for {
		lemmas := make([]Lemma, len(group))
		for k, i := range group {
			lemmas[k] = all[i]
		}
		var kept []int
		for _, i := range group {
			ok, _, err := pr.induction(all[i], i, lemmas, *proved)
			if err != nil {
				return nil, err
			}
			if ok {
				kept = append(kept, i)
			} else {
				left = append(left, i)
			}
		}
		if len(kept) == len(group) {
			*proved = append(*proved, lemmas...)
			slices.Sort(left)
			return left, nil
		}
		group = kept
	}
}

// induction proves the lemma by cases on the constructor of its first variable. The lemmas of hypotheses may be used at
// the fields of the case, those of proved anywhere. An integer has two cases: it is not positive, or the hypotheses may be used at the
// integer before it. Over another sort without constructors there is one case.
func (pr *lemmaProver) induction(l Lemma, index int, hypotheses, proved []Lemma) (bool, *lemmaError, error) {
	x := l.Vars[0]
	if x.Sort() == term.Int {
		return pr.integerInduction(l, index, hypotheses, proved)
	}
	if !x.Sort().IsDatatype() {
		ok, values, err := pr.prove(l.Body, nil, proved)
		return ok, failed(l, index, "", values), err
	}
	for _, c := range x.Sort().Data.Constructors {
		fields := make([]*term.Term, len(c.Selectors))
		for k, s := range c.Selectors {
			fields[k] = pr.pool.Fresh("field", s.Sort)
		}
		goal := pr.pool.Substitute(l.Body, map[*term.Term]*term.Term{x: pr.pool.Construct(c, fields...)})
		var at []hypothesis
		for _, y := range fields {
			for _, h := range hypotheses {
				if h.Vars[0].Sort() == y.Sort() {
					at = append(at, pr.hypothesis(h, y, slices.Concat(fields, pr.passed(goal, y)), l.Vars[1:]))
				}
			}
		}
		ok, values, err := pr.prove(goal, at, proved)
		if err != nil || !ok {
			return false, failed(l, index, term.QuoteSymbol(c.Name), values), err
		}
	}
	return true, nil, nil
}

// integerInduction is induction on an integer. The integers from 0 down need no hypothesis, so that every chain of them ends.
func (pr *lemmaProver) integerInduction(l Lemma, index int, hypotheses, proved []Lemma) (bool, *lemmaError, error) {
	p, x := pr.pool, l.Vars[0]
	ok, values, err := pr.prove(p.Or(p.Gt(x, p.Int(0)), l.Body), nil, proved)
	if err != nil || !ok {
		return false, failed(l, index, "integers that are not positive", values), err
	}
	goal, before := p.Or(p.Le(x, p.Int(0)), l.Body), p.Sub(x, p.Int(1))
	var at []hypothesis
	for _, h := range hypotheses {
		if h.Vars[0].Sort() == term.Int {
			at = append(at, pr.hypothesis(h, before, pr.passed(goal, before), l.Vars[1:]))
		}
	}
	ok, values, err = pr.prove(goal, at, proved)
	return ok, failed(l, index, "positive integers", values), err
}

// passed are the terms that the functions of the goal hand on when they recur into the field y: an accumulator's next
// value, for which the hypothesis is needed.
func (pr *lemmaProver) passed(goal, y *term.Term) []*term.Term {
	var out []*term.Term
	for _, t := range NewFacts(pr.pool, pr.definitions, nil).Instances(1, goal) {
		term.Walk(t, func(u *term.Term) bool {
			if u.Op() == term.Apply && slices.Contains(u.Args(), y) {
				for _, a := range u.Args() {
					if a != y && !a.IsVar() && !a.IsNumeral() && !slices.Contains(out, a) {
						out = append(out, a)
					}
				}
			}
			return true
		})
	}
	return out
}

func failed(l Lemma, index int, which string, values []Binding) *lemmaError {
	e := &lemmaError{index: index, lemma: l, which: which, values: values, err: ErrUndecided}
	if values != nil {
		e.err = ErrInvalid
	}
	return e
}

// hypothesis is a lemma at a field of the case: some instances for its other variables, and all of them.
type hypothesis struct {
	instances []*term.Term
	all       *term.Term
}

// hypothesis instantiates the lemma h with y for its first variable, and for each of the others with the variable
// itself, with the induction's other variables and fields and what is passed on, and with the fields of these.
func (pr *lemmaProver) hypothesis(h Lemma, y *term.Term, fields, others []*term.Term) hypothesis {
	p := pr.pool
	at := p.Substitute(h.Body, map[*term.Term]*term.Term{h.Vars[0]: y})
	if len(h.Vars) == 1 {
		return hypothesis{instances: []*term.Term{at}, all: at}
	}
	terms := slices.Concat(others, fields)
	for _, t := range others {
		if !t.Sort().IsDatatype() {
			continue
		}
		for _, c := range t.Sort().Data.Constructors {
			for _, s := range c.Selectors {
				terms = append(terms, p.Field(s, t))
			}
		}
	}
	// The hypothesis' own variables must not be taken for the induction's.
	vars := make([]*term.Term, len(h.Vars)-1)
	rename := map[*term.Term]*term.Term{}
	candidates := make([][]*term.Term, len(vars))
	for k, v := range h.Vars[1:] {
		vars[k] = p.Fresh("y", v.Sort())
		rename[v] = vars[k]
		if slices.Contains(others, v) {
			candidates[k] = append(candidates[k], v)
		}
		for _, t := range terms {
			if t.Sort() == v.Sort() && t != v {
				candidates[k] = append(candidates[k], t)
			}
		}
	}
	rename[h.Vars[0]] = y
	out := hypothesis{all: p.Forall(vars, p.Substitute(h.Body, rename))}
	limitTuples(candidates, maxHypotheses)
	for tuple := range tuples(candidates) {
		sub := map[*term.Term]*term.Term{h.Vars[0]: y}
		for k, v := range h.Vars[1:] {
			sub[v] = tuple[k]
		}
		out.instances = append(out.instances, p.Substitute(h.Body, sub))
	}
	return out
}

// prove asks whether the goal follows from the hypotheses and the proved lemmas. It returns values of the goal's
// variables when they make it false.
func (pr *lemmaProver) prove(goal *term.Term, at []hypothesis, proved []Lemma) (bool, []Binding, error) {
	if goal.IsTrue() {
		return true, nil, nil
	}
	p := pr.pool
	facts := NewFacts(p, pr.definitions, proved)
	levels := pr.levels
	if levels == nil {
		levels = inductionLevels
	}
	for k, level := range levels {
		asserted := []*term.Term{p.Not(goal)}
		for _, h := range at {
			asserted = append(asserted, h.instances...)
		}
		asserted = append(asserted, facts.Instances(level, asserted...)...)
		if k == len(levels)-1 && len(levels) > 1 {
			for _, h := range at {
				asserted = append(asserted, h.all)
			}
		}
		status, found, err := pr.ask(asserted, time.Duration(k+2))
		if err != nil || status == smt.Unsat {
			return err == nil, nil, err
		}
		if found == nil {
			continue
		}
		a := Compute(p, pr.definitions, term.Complete(p, found))
		if !term.NewEvaluator(p, a).False(goal) {
			continue
		}
		return false, bindings(a, term.Vars(goal)), nil
	}
	return false, nil, nil
}

// ask returns the solver's answer, with its assignment when there is one. share is the part of the time limit, in
// quarters.
func (pr *lemmaProver) ask(asserted []*term.Term, share time.Duration) (smt.Status, *smt.Model, error) {
	s, err := pr.solvers.NewSolver(smt.Params{ArithSolver: 2})
	if err != nil {
		return smt.Unknown, nil, fmt.Errorf("opening a solver to prove a lemma: %w", err)
	}
	defer s.Close()
	limit := pr.limit
	limit.Time = limit.Time * share / 4
	s.SetLimit(limit)
	if err := s.Assert(asserted...); err != nil {
		return smt.Unknown, nil, fmt.Errorf("proving a lemma: %w", err)
	}
	status, err := s.Check(pr.ctx)
	if err != nil {
		return smt.Unknown, nil, fmt.Errorf("proving a lemma: %w", err)
	}
	if status != smt.Sat {
		return status, nil, nil
	}
	found, err := s.Model()
	if err != nil {
		if pr.ctx.Err() != nil {
			return smt.Unknown, nil, fmt.Errorf("proving a lemma: %w", pr.ctx.Err())
		}
		return status, nil, nil
	}
	return status, found, nil
}

// quantified is the lemma as a formula, its variables in their order.
func quantified(l Lemma) string {
	return "(forall (" + binders(l.Vars) + ") " + term.Format(l.Body) + ")"
}

// ProveLemma proves a lemma about the functions of ds by induction on its first variable as [CheckModel] does, with the
// lemmas of proved, which the caller knows to hold. It reports whether that succeeded, within limit for each query; the
// definitions must be well formed. A quick attempt instantiates definitions and lemmas once only, and the solver does not
// get the hypotheses with their quantifiers: it proves less, and takes a fraction of the time on what does not hold.
func ProveLemma(ctx context.Context, solvers smt.Context, p *term.Pool, ds []Definition, proved []Lemma, l Lemma, limit smt.Limit, quick bool) (bool, error) {
	pr := &lemmaProver{ctx: ctx, pool: p, solvers: solvers, limit: limit, definitions: ds}
	if quick {
		pr.levels = inductionLevels[:1]
	}
	ok, _, err := pr.induction(l, 0, []Lemma{l}, proved)
	return ok, err
}
