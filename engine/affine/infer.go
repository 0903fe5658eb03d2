package affine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// scope is what an inference looks for.
type scope struct {
	// degree is that of the equations.
	degree int
	// factors tells, by predicate ID, whether products of an argument are looked at; nil is all.
	factors [][]bool
	// guards tell the tuples of each predicate apart, by its ID.
	guards [][]*term.Term
	// given is what others have found to hold: it is assumed of the atoms of bodies, and part of a model.
	given map[*chc.Predicate][]*term.Term
	// sums is what has been found of sums with these guards before, nil for nothing: it is given, and products and congruences are of
	// those arguments only that no sum of others is equal to.
	sums *inference
	// width says that congruences modulo 2^width are looked for, and between bit-vectors modulo what these have, instead of equations; 0 that
	// they are not.
	width int
}

// inference is one run over a system.
type inference struct {
	sys      *chc.System
	pool     *term.Pool
	options  options
	settings engine.Settings
	smt      smt.Context
	// spent is the processor time of run so far, or its work where work is counted.
	spent func() time.Duration
	scope
	states []*state
	expand *expander
	// steps counts the tuples that were added, open the queries without an answer.
	steps, open int
}

func newInference(sys *chc.System, s engine.Settings, o options, of scope) (*inference, error) {
	if of.sums != nil {
		of.given = of.sums.facts()
	}
	in := &inference{sys: sys, pool: sys.Pool, options: o, settings: s, scope: of, expand: newExpander(sys.Pool, o.monomials)}
	vocabulary := rule.NewVocabulary(sys)
	known := known{thresholds: thresholds(sys.Pool, vocabulary.Numerals, o.thresholds), divided: vocabulary.Divides, options: &o}
	for _, p := range sys.Predicates {
		var before *state
		if of.sums != nil {
			before = of.sums.states[p.ID]
		}
		s := newState(sys.Pool, p, of, known, before)
		if of.factors != nil {
			s.factors = of.factors[p.ID]
		}
		in.states = append(in.states, s)
	}
	var err error
	if in.smt, err = s.Open(sys.Pool, smt.Config{Seed: s.Seed}); err != nil {
		return nil, fmt.Errorf("open a solver context: %w", err)
	}
	return in, nil
}

func (in *inference) close() { in.smt.Close() }

// run finds what is inductive, component by component. Of what is not settled when the time is over nothing is known.
func (in *inference) run(ctx context.Context) (err error) {
	defer in.report()
	work.Measured(ctx, func(spent func() time.Duration) {
		in.spent = spent
		err = in.settleAll(ctx)
	})
	return err
}

func (in *inference) settleAll(ctx context.Context) error {
	graph := chc.NewGraph(in.sys)
	late := false
	for _, component := range graph.Components() {
		if !late {
			settled, err := in.settle(ctx, component)
			if err != nil {
				return err
			}
			late = !settled
		}
		if late {
			for _, p := range component {
				*in.states[p.ID] = state{pred: p, params: in.states[p.ID].params, top: true}
			}
		}
	}
	return nil
}

// step is a clause that leads into the component that is being settled, with its solver.
type step struct {
	clause *chc.Clause
	solver smt.Solver
	dirty  bool
	// products decides about equations between products without the solver's reasoning about these; nil where it is not used.
	products *products
}

// close closes the solvers.
func (s *step) close() {
	s.solver.Close()
	if s.products != nil {
		s.products.solver.Close()
	}
}

// settle finds what is inductive of predicates that depend on each other, from what is settled of those that they depend
// on. It reports whether the time was enough.
func (in *inference) settle(ctx context.Context, component []*chc.Predicate) (bool, error) {
	inside := map[*chc.Predicate]bool{}
	for _, p := range component {
		inside[p] = true
	}
	var steps []*step
	defer func() {
		for _, s := range steps {
			s.close()
		}
	}()
	for _, c := range in.sys.Clauses {
		if c.Head == nil || !inside[c.Head.Pred] {
			continue
		}
		solver, err := in.smt.NewSolver(smt.Params{ArithSolver: in.options.arithSolver})
		if err != nil {
			return false, fmt.Errorf("open the solver of clause %d: %w", c.ID, err)
		}
		solver.SetLimit(smt.Limit{Time: in.options.checkLimit})
		steps = append(steps, &step{clause: c, solver: solver, dirty: true})
		if err := solver.Assert(in.expand.expand(c.Constraint)); err != nil {
			return false, fmt.Errorf("assert clause %d: %w", c.ID, err)
		}
		if in.degree > 1 && in.sums != nil {
			if err := in.linearise(steps[len(steps)-1]); err != nil {
				return false, fmt.Errorf("abstract clause %d: %w", c.ID, err)
			}
		}
	}
	if in.degree > 1 {
		if err := in.explore(ctx, steps); err != nil {
			return false, err
		}
	}
	for again := true; again; {
		again = false
		for _, s := range steps {
			if !s.dirty {
				continue
			}
			if in.late() {
				return false, nil
			}
			s.dirty = false
			changed, settled, err := in.apply(ctx, s)
			if err != nil || !settled {
				return false, err
			}
			if !changed {
				continue
			}
			again = true
			for _, user := range steps {
				for _, a := range user.clause.Body {
					user.dirty = user.dirty || a.Pred == s.clause.Head.Pred
				}
			}
		}
	}
	return true, nil
}

// linearise opens the solver for a step's products.
func (in *inference) linearise(s *step) error {
	solver, err := in.smt.NewSolver(smt.Params{ArithSolver: in.options.arithSolver})
	if err != nil {
		return fmt.Errorf("open a solver: %w", err)
	}
	solver.SetLimit(smt.Limit{Time: in.options.checkLimit})
	s.products, err = newProducts(in.pool, in.expand, in.expand.expand(s.clause.Constraint), solver)
	return err
}

func (in *inference) late() bool { return in.options.limit > 0 && in.spent() >= in.options.limit }

// apply weakens what is known of a clause's head until the clause preserves it. It reports whether that changed anything,
// and whether the time was enough.
func (in *inference) apply(ctx context.Context, s *step) (changed, settled bool, err error) {
	for _, a := range s.clause.Body {
		if in.states[a.Pred.ID].empty() {
			return false, true, nil
		}
	}
	head := in.states[s.clause.Head.Pred.ID]
	for !head.top {
		if in.late() {
			return changed, false, nil
		}
		status, more, err := in.leave(ctx, s, in.premises(s.clause), head.formulas(in.pool))
		if err != nil {
			return changed, false, err
		}
		changed = changed || more
		switch {
		case status == smt.Unsat:
			return changed, true, nil
		case more:
			continue
		}
		in.open++
		more, err = in.separately(ctx, s, head)
		changed = changed || more
		if err != nil || !more {
			return changed, true, err
		}
	}
	return changed, true, nil
}

// separately asks about the facts of a head one by one, and gives those up that are not proved. It reports whether
// anything changed; what is left if nothing did was proved.
func (in *inference) separately(ctx context.Context, s *step, head *state) (bool, error) {
	facts := head.facts(in.pool)
	premises := in.premises(s.clause)
	changed := false
	for i := len(facts) - 1; i >= 0; i-- { // dropping one leaves those before it where they are
		status, more, err := in.leave(ctx, s, premises, []*term.Term{facts[i].formula})
		switch {
		case err != nil || more:
			return true, err
		case status != smt.Unsat:
			facts[i].drop()
			changed = true
		}
	}
	return changed, nil
}

// premises are what is known of the atoms of a clause's body.
func (in *inference) premises(c *chc.Clause) []*term.Term {
	var out []*term.Term
	for _, a := range c.Body {
		out = append(out, in.at(a, append(in.states[a.Pred.ID].formulas(in.pool), in.given[a.Pred]...))...)
	}
	return out
}

// at puts an atom's arguments into formulas over the parameters.
func (in *inference) at(a chc.App, formulas []*term.Term) []*term.Term {
	s := in.states[a.Pred.ID]
	body := witness.Interpretation{Params: s.params, Body: in.pool.And(formulas...)}
	return []*term.Term{in.expand.expand(body.Apply(in.pool, a.Args))}
}

// leave asks whether a clause leads, under premises, to where one of the facts of its head does not hold, and adds the
// tuple to the head's state if so. It reports whether that changed the state.
func (in *inference) leave(ctx context.Context, s *step, premises, facts []*term.Term) (status smt.Status, changed bool, err error) {
	question := append(slices.Clone(premises), in.pool.Not(in.pool.And(in.at(*s.clause.Head, facts)...)))
	if s.products == nil {
		return in.find(ctx, s, question)
	}
	in.settings.Stats.Add("checks", 1)
	status, model, err := s.products.check(ctx, question)
	if err = s.failure(ctx, err); err != nil || status == smt.Unsat {
		return status, false, err
	}
	if status == smt.Sat {
		return status, in.admit(*s.clause.Head, model), nil
	}
	// Small numbers are quickly tried.
	status, changed, err = in.find(ctx, s, append(slices.Clone(question), s.products.small()...))
	if err != nil || status == smt.Sat {
		return status, changed, err
	}
	return in.find(ctx, s, question)
}

// failure is what ended a check of a step: why the context has ended, if it has, else the error, nil for none.
func (s *step) failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("check what clause %d preserves: %w", s.clause.ID, err)
	}
	return nil
}

// find asks for a model of formulas together with a step's clause, and adds the tuple of the clause's head to its state. It reports
// whether that changed the state.
func (in *inference) find(ctx context.Context, s *step, formulas []*term.Term) (status smt.Status, changed bool, err error) {
	err = smt.Within(s.solver, formulas, func() (err error) {
		in.settings.Stats.Add("checks", 1)
		if status, err = s.solver.Check(ctx); err != nil || status != smt.Sat {
			return err
		}
		model, err := s.solver.Model()
		if err == nil {
			changed = in.admit(*s.clause.Head, model)
		}
		return err
	})
	if err = s.failure(ctx, err); err != nil {
		return smt.Unknown, false, err
	}
	return status, changed, nil
}

// admit adds the tuple of an atom in a model to the predicate's state. It reports whether that changed the state, which it
// does not where the arguments have no values in the model.
func (in *inference) admit(a chc.App, model *smt.Model) bool {
	evaluator := term.NewEvaluator(in.pool, term.Complete(in.pool, model))
	tuple := make([]term.Value, len(a.Args))
	for i, t := range a.Args {
		v, ok := evaluator.Eval(t)
		if !ok {
			return false
		}
		tuple[i] = v
	}
	s := in.states[a.Pred.ID]
	if !s.add(in.pool, tuple) {
		return false
	}
	in.steps++
	s.points = append(s.points, tuple)
	return true
}

// report writes the counters.
func (in *inference) report() {
	equations, bounds := 0, 0
	for _, s := range in.states {
		for _, c := range s.cells {
			if s.top {
				continue
			}
			for _, g := range c.groups {
				equations += len(g.space.rows)
			}
			for _, g := range c.congruences {
				equations += len(g.rows)
			}
			for _, t := range c.templates {
				bounds += len(t.facts(in.pool))
			}
		}
	}
	in.settings.Stats.Add("affine.equations", int64(equations))
	in.settings.Stats.Add("affine.bounds", int64(bounds))
	in.settings.Stats.Add("affine.steps", int64(in.steps))
	in.settings.Stats.Add("affine.open", int64(in.open))
}
