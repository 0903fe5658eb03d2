package spacer

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// grounder turns the DAG of reach facts below the goal into ground steps, from the goal down: a fact whose head values
// are known is solved together with the facts of its premises, whose head values then are known too.
type grounder struct {
	pr     *prover
	solver smt.Solver
	steps  []witness.Step
	done   map[string]int
}

// task is a fact to be grounded at given head values.
type task struct {
	fact   *fact
	values []term.Value
	key    string
	// premises are known once the fact has been solved.
	premises []task
	step     witness.Step
}

func newTask(f *fact, values []term.Value) task {
	var b strings.Builder
	b.WriteString(strconv.Itoa(f.id))
	for _, v := range values {
		b.WriteByte(' ')
		b.WriteString(v.String())
	}
	return task{fact: f, values: values, key: b.String()}
}

// refutation grounds the newest reach fact of the goal.
func (pr *prover) refutation(ctx context.Context) (*witness.Refutation, error) {
	if len(pr.goal.facts) == 0 {
		return nil, fmt.Errorf("the goal was reached without a reach fact")
	}
	solver, err := pr.smt.NewSolver(pr.options.solver())
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	g := &grounder{pr: pr, solver: solver, done: map[string]int{}}
	// A stack instead of recursion: counterexamples can be very deep.
	root := newTask(pr.goal.facts[len(pr.goal.facts)-1], nil)
	stack := []*task{&root}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		if _, ok := g.done[t.key]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		if t.step.Clause == nil {
			if err := g.solve(ctx, t); err != nil {
				return nil, err
			}
		}
		waiting := false
		for i := range t.premises {
			if _, ok := g.done[t.premises[i].key]; !ok {
				stack = append(stack, &t.premises[i])
				waiting = true
			}
		}
		if waiting {
			continue
		}
		for _, p := range t.premises {
			t.step.Premises = append(t.step.Premises, g.done[p.key])
		}
		g.done[t.key] = len(g.steps)
		g.steps = append(g.steps, t.step)
		stack = stack[:len(stack)-1]
	}
	return &witness.Refutation{Steps: g.steps}, nil
}

// solve finds values for the fact's rule and, from them, the head values of its premises.
func (g *grounder) solve(ctx context.Context, t *task) error {
	pr, r := g.pr, t.fact.rule
	formulas := []*term.Term{r.Trans}
	for i, v := range r.Head.Params {
		formulas = append(formulas, pr.pool.Eq(v, t.values[i].Term(pr.pool)))
	}
	for i, p := range t.fact.premises {
		formulas = append(formulas, p.at(pr, r.Body[i]))
	}
	eval, err := g.satisfy(ctx, formulas)
	if err != nil {
		return fmt.Errorf("make a reach fact of %s ground: %w", r.Head.Name, err)
	}
	if t.step, err = r.Step(eval.Eval, nil); err != nil {
		return &engine.Incomplete{Reason: engine.Unfounded(err.Error())}
	}
	for i, p := range t.fact.premises {
		var values []term.Value
		for _, v := range r.Body[i].Args {
			value, ok := eval.Eval(v)
			if !ok {
				return &engine.Incomplete{Reason: engine.Unfounded((&rule.UndeterminedError{Pred: r.Head, Var: v}).Error())}
			}
			values = append(values, value)
		}
		t.premises = append(t.premises, newTask(p, values))
	}
	return nil
}

// satisfy returns an evaluator under which the formulas hold.
func (g *grounder) satisfy(ctx context.Context, formulas []*term.Term) (*term.Evaluator, error) {
	var m *smt.Model
	err := smt.Within(g.solver, formulas, func() (err error) {
		m, err = smt.Satisfied(ctx, g.solver, g.pr.pool, formulas)
		return err
	})
	if err == nil && m == nil {
		m, err = smt.Satisfy(ctx, g.pr.smt, g.pr.tunings()[1:], smt.Limit{}, g.pr.pool, formulas)
	}
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, &engine.Incomplete{Reason: engine.Unfounded("no solver found values for a step of the refutation")}
	}
	return term.NewEvaluator(g.pr.pool, term.Complete(g.pr.pool, m)), nil
}
