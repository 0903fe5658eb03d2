package spacer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// frame is the solver of one predicate. It holds, over the parameters and the copies:
//
//   - every rule, switched on by its tag;
//   - the lemmas of the predicate and of the body predicates. A lemma at level l of a body predicate holds in the body
//     of a query at level l+1; it is guarded by that level's literal, and a query at level k closes the guards of all
//     levels from k on;
//   - the must summaries of the body predicates: for every body atom a chain of literals, such that closing its end
//     forces one of the known reach facts to hold;
//   - the predicate's own reach facts as one more way in which a tuple is reached.
type frame struct {
	pr     *prover
	pred   *predicate
	solver smt.Solver
	// levels[k] guards the formulas that hold at query levels up to k; nil where no formula has that level.
	levels []*term.Term
	// chains are the must chains, one for each body position of each rule.
	chains map[rule.Use]*chain
	// own is the chain of the predicate's own reach facts.
	own *chain
	// steps are the tags of rules with a body: a query at level 0 switches them off.
	steps []*term.Term
	// params are the solver's settings; retuned counts how often they were changed.
	params  smt.Params
	retuned int
	// stale counts asserted formulas that no longer matter; past a limit the solver is built anew.
	stale int
}

// chain is an incrementally growing disjunction of facts: start or fact, and so on; assuming the negation of last
// forces one of the facts.
type chain struct {
	last  *term.Term
	count int
}

// frameFor returns the predicate's solver, opening it at first use.
func (pr *prover) frameFor(p *predicate) (*frame, error) {
	if p.frame == nil {
		f := &frame{pr: pr, pred: p, params: pr.options.solver()}
		if err := f.build(); err != nil {
			return nil, fmt.Errorf("open the solver of %s: %w", p.Name, err)
		}
		p.frame = f
	}
	if p.frame.stale > pr.options.rebuildAfter {
		pr.count("solver.rebuilds", 1)
		p.frame.solver.Close()
		if err := p.frame.build(); err != nil {
			return nil, fmt.Errorf("rebuild the solver of %s: %w", p.Name, err)
		}
	}
	return p.frame, nil
}

// tunings are the settings that are gone through when a solver leaves a query open.
func (pr *prover) tunings() []smt.Params {
	return []smt.Params{pr.options.solver(), {Auto: true}, {ArithSolver: 6}}
}

// growth is how many times as long a query may take when it has been asked with all settings and is asked with the first of them again, up
// to longestCheck.
const (
	growth       = 5
	longestCheck = time.Minute
)

// checkLimit is how long a query of the frame may take with its present settings.
func (f *frame) checkLimit() time.Duration { return f.pr.checkLimit(f.retuned) }

// checkLimit is how long a query may take when the settings of its solver were changed so many times.
func (pr *prover) checkLimit(retuned int) time.Duration {
	limit := pr.options.checkTime
	for range retuned / len(pr.tunings()) {
		limit *= growth
	}
	return limit
}

// retune rebuilds the solver with other settings, or with more time, after it could not decide a query. It reports whether there were any
// left to try.
func (f *frame) retune() (bool, error) {
	if f.pr.checkLimit(f.retuned+1) > max(longestCheck, f.pr.options.checkTime) {
		return false, nil
	}
	f.retuned++
	f.pr.count("solver.retuned", 1)
	tunings := f.pr.tunings()
	f.params = tunings[f.retuned%len(tunings)]
	f.solver.Close()
	return true, f.build()
}

// build opens a solver and asserts all that is known.
func (f *frame) build() error {
	solver, err := f.pr.smt.NewSolver(f.params)
	if err != nil {
		return err
	}
	pool := f.pr.pool
	f.solver, f.stale, f.levels, f.steps = solver, 0, nil, nil
	f.chains = map[rule.Use]*chain{}
	var sources []*term.Term
	for _, r := range f.pred.Rules {
		sources = append(sources, r.Tag)
		if err := solver.Assert(pool.Implies(r.Tag, r.Trans)); err != nil {
			return err
		}
		if len(r.Body) > 0 {
			f.steps = append(f.steps, r.Tag)
		}
	}
	f.own = &chain{last: pool.Fresh("own", term.Bool)}
	if err := solver.Assert(pool.Or(append(sources, f.own.last)...)); err != nil {
		return err
	}
	for _, l := range f.pred.lemmas {
		if err := f.addOwnLemma(l); err != nil {
			return err
		}
	}
	for _, fact := range f.pr.must(f.pred) {
		if err := f.addOwnFact(fact); err != nil {
			return err
		}
	}
	for _, r := range f.pred.Rules {
		for i, a := range r.Body {
			q := f.pr.of(a.Pred)
			for _, l := range q.lemmas {
				if err := f.addBodyLemma(rule.Use{Rule: r, Position: i}, l); err != nil {
					return err
				}
			}
			for _, fact := range f.pr.must(q) {
				if err := f.addBodyFact(rule.Use{Rule: r, Position: i}, fact); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// levelLiteral is the guard of formulas that hold at query levels up to k.
func (f *frame) levelLiteral(k int) *term.Term {
	for len(f.levels) <= k {
		f.levels = append(f.levels, nil)
	}
	if f.levels[k] == nil {
		f.levels[k] = f.pr.pool.Fresh(fmt.Sprintf("level%d", k), term.Bool)
	}
	return f.levels[k]
}

func (f *frame) assertAt(t *term.Term, level int) error {
	if level >= infinity {
		return f.solver.Assert(t)
	}
	return f.solver.Assert(f.pr.pool.Or(t, f.levelLiteral(level)))
}

func (f *frame) addOwnLemma(l *lemma) error { return f.assertAt(l.clause, l.level) }

func (f *frame) addBodyLemma(u rule.Use, l *lemma) error {
	level := l.level
	if level < infinity {
		level++
	}
	return f.assertAt(f.pr.pool.Implies(u.Rule.Tag, f.pr.copies.ToCopy(u.Rule.Body[u.Position], l.clause)), level)
}

// addOwnFact extends the chain of own facts; facts of rules without a body are left out, since those rules are always
// switched on.
func (f *frame) addOwnFact(fact *fact) error {
	if fact.rule.IsFact() {
		return nil
	}
	return f.extend(f.own, nil, fact.formula)
}

// addBodyFact extends the must chain of a body atom.
func (f *frame) addBodyFact(u rule.Use, fact *fact) error {
	c := f.chains[u]
	if c == nil {
		c = &chain{}
		f.chains[u] = c
	}
	return f.extend(c, u.Rule.Tag, fact.at(f.pr, u.Rule.Body[u.Position]))
}

// extend appends a formula to a chain: last and guard imply formula or the new last.
func (f *frame) extend(c *chain, guard, formula *term.Term) error {
	pool := f.pr.pool
	next := pool.Fresh("more", term.Bool)
	parts := []*term.Term{formula, next}
	if guard != nil {
		parts = append(parts, pool.Not(guard))
	}
	if c.last != nil {
		parts = append(parts, pool.Not(c.last))
	}
	c.last = next
	c.count++
	return f.solver.Assert(pool.Or(parts...))
}

// mustChain returns the literal that forces a must summary at a body atom, or nil when no fact is known.
func (f *frame) mustChain(u rule.Use) *term.Term {
	if c := f.chains[u]; c != nil {
		return f.pr.pool.Not(c.last)
	}
	return nil
}

// background returns the assumptions of a query at a level: closed level guards (with the level of each), no rule with
// a body at level 0, and the end of the chain of own facts.
func (f *frame) background(level int) []*term.Term {
	pool := f.pr.pool
	assumptions := []*term.Term{pool.Not(f.own.last)}
	if level == 0 {
		for _, tag := range f.steps {
			assumptions = append(assumptions, pool.Not(tag))
		}
	}
	if level < infinity {
		for _, l := range f.levels[min(level, len(f.levels)):] {
			if l != nil {
				assumptions = append(assumptions, pool.Not(l))
			}
		}
	}
	return assumptions
}

// usedLevel returns the highest level at which an unsat core over background assumptions still is unsatisfiable.
func (f *frame) usedLevel(core []*term.Term) int {
	used := infinity
	for _, t := range core {
		if t.Op() != term.Not {
			continue
		}
		if slices.Contains(f.steps, t.Arg(0)) {
			return 0
		}
		if k := slices.Index(f.levels, t.Arg(0)); k >= 0 {
			used = min(used, k)
		}
	}
	return used
}

// check asks the solver and counts.
func (f *frame) check(ctx context.Context, assumptions []*term.Term) (smt.Status, error) {
	f.solver.SetLimit(smt.Limit{Time: f.checkLimit()})
	return f.run(ctx, assumptions)
}

// try asks a question whose answer only helps: it gets no more time, and unknown counts as no.
func (f *frame) try(ctx context.Context, assumptions []*term.Term) (smt.Status, error) {
	f.solver.SetLimit(smt.Limit{Time: min(f.pr.options.tryTime, f.checkLimit())})
	return f.run(ctx, assumptions)
}

// run asks, where there are arrays and the option says so, with a weak theory of arrays first: when that is enough for
// unsat, the axioms that it leaves out need not be instantiated.
func (f *frame) run(ctx context.Context, assumptions []*term.Term) (smt.Status, error) {
	if f.pr.vocabulary.Arrays && f.pr.options.weakArrays {
		weak := f.params
		weak.WeakArrays = true
		if err := f.solver.SetParams(weak); err != nil {
			return smt.Unknown, fmt.Errorf("weaken the arrays of %s: %w", f.pred.Name, err)
		}
		status, err := f.pr.ask(ctx, f.solver, f.pred, assumptions)
		if err != nil {
			return smt.Unknown, fmt.Errorf("check %s with weak arrays: %w", f.pred.Name, err)
		}
		if status == smt.Unsat || ctx.Err() != nil {
			f.pr.count("arrays.weak", 1)
			return status, ctx.Err()
		}
		if err := f.solver.SetParams(f.params); err != nil {
			return smt.Unknown, fmt.Errorf("restore the arrays of %s: %w", f.pred.Name, err)
		}
	}
	status, err := f.pr.ask(ctx, f.solver, f.pred, assumptions)
	if err != nil {
		return smt.Unknown, fmt.Errorf("check %s: %w", f.pred.Name, err)
	}
	return status, ctx.Err()
}

// ask checks with a solver on behalf of a predicate, counts the check and traces it.
func (pr *prover) ask(ctx context.Context, solver smt.Solver, p *predicate, assumptions []*term.Term) (smt.Status, error) {
	pr.count("checks", 1)
	begin := time.Now()
	status, err := solver.Check(ctx, assumptions...)
	if pr.tracing() {
		pr.emit("check", engine.Field{Name: "predicate", Value: p.Name}, engine.Field{Name: "result", Value: status.String()},
			engine.Field{Name: "milliseconds", Value: float64(time.Since(begin).Microseconds()) / 1000},
			engine.Field{Name: "assumptions", Value: len(assumptions)})
	}
	return status, err
}
