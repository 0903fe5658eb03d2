package witness

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// CheckModel checks that m is a model of sys: for every clause, constraint and interpreted body and not the interpreted
// head is unsatisfiable. It opens solver contexts of its own and shares nothing with the engine that found m.
//
// A wrong model is an error that wraps ErrInvalid: a predicate without an interpretation over its sorts, or a clause
// with a counterexample (a *ClauseError). When no attempt decides some clause, and no other clause is found false, the error is a
// *ClauseError that wraps ErrUndecided. When ctx is done, the error wraps ctx's. Any other error is a failure of the solver. A least model
// that AskLeast or AskWithin returned for these clauses has been checked.
//
// limit bounds each query of the last attempts, which have the most time; earlier ones get a fraction of its time. A zero time
// stands for DefaultLimit.
func CheckModel(ctx context.Context, open smt.Opener, sys *chc.System, m *Model, limit smt.Limit) error {
	if limit.Time == 0 {
		limit.Time = DefaultLimit
	}
	if m.Least && m.checked != nil && slices.Equal(m.checked, sys.Clauses) {
		return nil
	}
	if m.Least && m.Steps > 0 {
		return checkWithin(ctx, open, sys, m.Steps, limit)
	}
	if m.Least {
		return checkLeast(ctx, open, sys, limit)
	}
	if err := m.wellFormed(sys); err != nil {
		return err
	}
	facts, err := m.facts(ctx, open, sys, limit)
	if err != nil {
		return err
	}
	obligations := m.obligations(sys)
	for _, s := range special {
		if facts != nil || !slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool { return s.has(c.Constraint) }) {
			continue
		}
		for _, a := range s.attempts {
			c := modelChecker{open: open, pool: sys.Pool, limit: limit, attempt: a}
			if obligations, err = c.those(ctx, s.has, obligations); err != nil {
				return err
			}
		}
	}
	var todo []*obligation
	for i, a := range attemptsFor(sys) {
		if i == 1 && facts == nil {
			c := modelChecker{open: open, pool: sys.Pool, limit: limit, attempt: finiteAttempt}
			var finite, rest []*obligation
			for _, o := range todo {
				if o.integersOnly() {
					finite = append(finite, o)
				} else {
					rest = append(rest, o)
				}
			}
			if len(finite) > 0 {
				left, err := c.run(ctx, slices.Values(finite))
				if todo = append(rest, left...); err != nil || len(todo) == 0 {
					return err
				}
			}
		}
		c := modelChecker{open: open, pool: sys.Pool, limit: limit, attempt: a, facts: facts, level: max(1, a.level)}
		if i > 0 {
			obligations = slices.Values(todo)
		}
		var err error
		if todo, err = c.run(ctx, obligations); err != nil || len(todo) == 0 {
			return err
		}
	}
	detail := ""
	if len(todo) > 1 {
		detail = fmt.Sprintf("and %d more clauses", len(todo)-1)
	}
	return &ClauseError{Clause: todo[0].clause, Detail: detail, Err: ErrUndecided}
}

// obligation is a clause under a model: the conjunction of premises implies every goal; no goal means false.
type obligation struct {
	clause          *chc.Clause
	premises, goals []*term.Term
	// needsRounds are the goals that the instances of one round do not prove.
	needsRounds map[*term.Term]bool
}

// integersOnly tells whether everything in an obligation is an integer or a truth value.
func (o *obligation) integersOnly() bool {
	return !slices.ContainsFunc(slices.Concat(o.premises, o.goals), func(t *term.Term) bool { return !term.IntegersOnly(t) })
}

// obligations yields, one at a time to save memory, what is left to prove of the clauses after looking at the terms: a
// goal that is among the premises holds, and so does a clause without goals or with a false premise.
func (m *Model) obligations(sys *chc.System) iter.Seq[*obligation] {
	return func(yield func(*obligation) bool) {
		for _, cl := range sys.Clauses {
			if o, valid := m.instantiate(sys.Pool, cl); !valid && !yield(o) {
				return
			}
		}
	}
}

func (m *Model) instantiate(p *term.Pool, cl *chc.Clause) (o *obligation, valid bool) {
	o = &obligation{clause: cl}
	seen := map[*term.Term]bool{}
	add := func(t *term.Term) {
		for _, c := range term.Conjuncts(t) {
			if !c.IsTrue() && !seen[c] {
				seen[c] = true
				o.premises = append(o.premises, c)
			}
		}
	}
	add(cl.Constraint)
	for _, a := range cl.Body {
		add(m.Interpretations[a.Pred].Apply(p, a.Args))
	}
	if seen[p.False()] {
		return o, true
	}
	if cl.Head == nil {
		return o, false
	}
	head := m.Interpretations[cl.Head.Pred].Apply(p, cl.Head.Args)
	if head.IsFalse() {
		return o, false
	}
	for _, g := range term.Conjuncts(head) {
		if !g.IsTrue() && !seen[g] {
			o.goals = append(o.goals, g)
		}
	}
	return o, len(o.goals) == 0
}

// those makes the attempt on the obligations without quantifiers that have some terms and returns those that are left, the others
// included.
func (c *modelChecker) those(ctx context.Context, have func(*term.Term) bool, obligations iter.Seq[*obligation]) (iter.Seq[*obligation], error) {
	var some, others []*obligation
	for o := range obligations {
		if slices.ContainsFunc(slices.Concat(o.premises, o.goals), have) && !o.quantified() {
			some = append(some, o)
		} else {
			others = append(others, o)
		}
	}
	left, err := c.run(ctx, slices.Values(some))
	return slices.Values(append(others, left...)), err
}

// shares is what the time limit of a query is divided into.
const shares = 160

// attempt is one way to ask the solver about a clause.
type attempt struct {
	params smt.Params
	seed   uint64
	// split proves each conjunct of the head by itself.
	split bool
	// fresh takes a new solver for each query instead of push and pop: tactics only run in one that was never pushed.
	fresh bool
	// share is the fraction of the time limit that a query gets, in shares.
	share time.Duration
	// whole says that the query is not broken off for others' sake.
	whole bool
	// bits writes integers as bit-vectors where they are converted (see asBits).
	bits bool
	// rounds is how often quantifiers are instantiated (see proveQuantified); 0 leaves them to the solver.
	rounds int
	// level is how deep the facts of a model's definitions are instantiated; 0 stands for 1.
	level int
}

// attempts are made in this order, each on the obligations that all before it left open. The first one proves nearly
// every clause: its arithmetic solver was the fastest by far on the development tasks. Of clauses with quantifiers and sums it leaves
// some open after all of its time that the second one proves in a second, so that both are made briefly before any is made for long.
var attempts = []attempt{
	{params: smt.Params{ArithSolver: 2}, share: 4, rounds: 1},
	{fresh: true, share: 8, rounds: 2},
	{params: smt.Params{ArithSolver: 2}, share: 60, rounds: 1},
	{fresh: true, share: 40, rounds: 2},
	{params: smt.Params{ArithSolver: 2}, seed: 1, split: true, share: 40, rounds: 2, level: 2},
	{params: smt.Params{Auto: true}, fresh: true, share: 40, level: 2},
	{params: smt.Params{ArithSolver: 2}, seed: 2, fresh: true, share: 160, rounds: 3, level: 3},
	{params: smt.Params{Auto: true}, seed: 3, split: true, fresh: true, share: 160, level: 3},
}

// finiteAttempt is for obligations over integers with small ranges that the first attempt left open. Its solver
// refuses all others at once.
var finiteAttempt = attempt{params: smt.Params{Finite: true}, fresh: true, share: 80}

// special are the attempts that come first on obligations with some terms.
var special = []struct {
	has      func(*term.Term) bool
	attempts []attempt
}{
	{term.ConvertsBits, convertingAttempts},
	{term.Multiplies, productAttempts},
}

// productAttempts are for obligations with products and quotients of variables. Of contracts with solc's divisions some clauses took the
// 3.75 s of the first attempt that all obligations get, whose arithmetic solver does not decide them, and the time of the next ones; one
// of these proves them in 0.1 s. Each of the solvers proves in milliseconds what another one does not in seconds, so that all are asked
// briefly before one is asked for long.
var productAttempts = []attempt{
	{fresh: true, share: 1},
	{params: smt.Params{Auto: true}, fresh: true, share: 1},
	{params: smt.Params{ArithSolver: 2}, fresh: true, share: 1},
	{fresh: true, share: 10},
	{params: smt.Params{Auto: true}, fresh: true, share: 10},
}

// convertingAttempts are for obligations that convert between integers and bit-vectors. Written over bit-vectors, those of solc's
// shifts are proved in 0.1 s and less, which Z3 does not prove in a minute otherwise; its tactics prove the others of solc's bit
// operations in 0.6 s where the incremental core takes 2 to 12 s.
var convertingAttempts = []attempt{
	{params: smt.Params{Auto: true}, fresh: true, bits: true, share: 20},
	{params: smt.Params{Auto: true}, fresh: true, share: 60},
}

// bitVectorAttempts begin with a short attempt by the incremental core; the obligations that it leaves open are
// bit-blasted by Z3's tactics for a SAT solver.
var bitVectorAttempts = append([]attempt{
	{share: 10, rounds: 1},
	{params: smt.Params{Auto: true}, fresh: true, share: 160},
}, attempts...)

func attemptsFor(sys *chc.System) []attempt {
	for _, p := range sys.Predicates {
		if slices.ContainsFunc(p.Sorts, (*term.Sort).IsBitVec) {
			return bitVectorAttempts
		}
	}
	return attempts
}

// modelChecker makes one attempt on a list of obligations.
type modelChecker struct {
	open    smt.Opener
	pool    *term.Pool
	limit   smt.Limit
	attempt attempt
	// facts are those of the model's definitions, nil when it has none; level is how deep they are instantiated.
	facts *Facts
	level int

	solvers smt.Context
	shared  smt.Solver // the pushed and popped one; nil when the attempt wants fresh ones
}

// run returns the obligations that it could not prove, or an error for the first one that does not hold.
func (c *modelChecker) run(ctx context.Context, obligations iter.Seq[*obligation]) (undecided []*obligation, err error) {
	c.solvers, err = c.open(c.pool, smt.Config{Seed: c.attempt.seed})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to check a model: %w", err)
	}
	defer c.solvers.Close()
	if !c.attempt.fresh {
		if c.shared, err = c.newSolver(); err != nil {
			return nil, err
		}
	}
	for o := range obligations {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("checking a model: %w", err)
		}
		proved, err := c.prove(ctx, o)
		if err != nil {
			return nil, err
		}
		if !proved {
			undecided = append(undecided, o)
		}
	}
	return undecided, nil
}

func (c *modelChecker) newSolver() (smt.Solver, error) {
	s, err := c.solvers.NewSolver(c.attempt.params)
	if err != nil {
		return nil, fmt.Errorf("opening a solver to check a model: %w", err)
	}
	limit := c.limit
	limit.Time = limit.Time * c.attempt.share / shares
	s.SetLimit(limit)
	return s, nil
}

// prove reports whether the obligation was proved; false without an error means that the solver did not decide it. When
// it is split, the goals that were proved become premises, for later ones and for later attempts.
func (c *modelChecker) prove(ctx context.Context, o *obligation) (bool, error) {
	if o.quantified() {
		return c.proveQuantified(ctx, o)
	}
	if !c.attempt.split || len(o.goals) < 2 {
		return c.query(ctx, o.clause, o.premises, o.goals)
	}
	var open []*term.Term
	for _, g := range o.goals {
		proved, err := c.query(ctx, o.clause, o.premises, []*term.Term{g})
		if err != nil {
			return false, err
		}
		if proved {
			o.premises = append(o.premises, g)
		} else {
			open = append(open, g)
		}
	}
	o.goals = open
	return len(open) == 0, nil
}

// query asks whether the premises imply all goals.
func (c *modelChecker) query(ctx context.Context, cl *chc.Clause, premises, goals []*term.Term) (proved bool, err error) {
	p := c.pool
	if c.attempt.bits {
		conjunction := slices.Clip(premises)
		if len(goals) > 0 {
			conjunction = append(conjunction, p.Not(p.And(goals...)))
		}
		status, _, err := c.ask(ctx, cl, conjunction...)
		return status == smt.Unsat, err
	}
	s := c.shared
	if s == nil {
		if s, err = c.newSolver(); err != nil {
			return false, err
		}
		defer s.Close()
	} else {
		if err := s.Push(); err != nil {
			return false, solverError(cl, err)
		}
		defer func() {
			if e := s.Pop(); e != nil && err == nil {
				proved, err = false, solverError(cl, e)
			}
		}()
	}
	if c.facts != nil {
		premises, goals = c.facts.skolemised(premises, goals)
		if err := s.Assert(c.facts.Instances(c.level, slices.Concat(premises, goals)...)...); err != nil {
			return false, solverError(cl, err)
		}
	}
	if err := s.Assert(premises...); err != nil {
		return false, solverError(cl, err)
	}
	if len(goals) > 0 {
		if err := s.Assert(p.Not(p.And(goals...))); err != nil {
			return false, solverError(cl, err)
		}
	}
	status, err := s.Check(ctx)
	if err != nil {
		return false, solverError(cl, err)
	}
	switch status {
	case smt.Unsat:
		return true, nil
	case smt.Sat:
		return false, c.counterexample(s, cl, premises, goals)
	default:
		return false, nil
	}
}

// counterexample reads the solver's assignment. It returns nil, for undecided, when the assignment is evaluated here
// and turns out not to be a counterexample.
func (c *modelChecker) counterexample(s smt.Solver, cl *chc.Clause, premises, goals []*term.Term) error {
	p := c.pool
	found, err := s.Model()
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return solverError(cl, err)
		}
		if c.facts != nil {
			return nil
		}
		return &ClauseError{Clause: cl, Detail: "the solver has a counterexample, but can't show it", Err: ErrInvalid}
	}
	a := term.Complete(p, found)
	if c.facts != nil {
		a = c.facts.compute(a)
	}
	e := term.NewEvaluator(p, a)
	conclusion := p.False()
	if len(goals) > 0 {
		conclusion = p.And(goals...)
	}
	for _, t := range premises {
		if e.False(t) {
			return nil
		}
	}
	if e.True(conclusion) {
		return nil
	}
	if c.facts != nil && !(e.True(p.And(premises...)) && e.False(conclusion)) {
		return nil // the solver could choose other functions
	}
	return &ClauseError{Clause: cl, Err: ErrInvalid, Values: bindings(a, cl.Vars())}
}

func solverError(cl *chc.Clause, err error) error {
	return fmt.Errorf("checking a model on %s: %w", describe(cl), err)
}
