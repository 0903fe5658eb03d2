package inline

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// post labels an unrolling from the facts by what holds at its calls, callers before callees: the strongest conjunction of formulas of
// a simple form over a call's arguments. Most of what a loop with known bounds computes is known, or compares with what it computes
// it from, and then that is all a proof needs; to find it takes queries about one call each, where an interpolant takes some about
// all others.
type post struct {
	*proof
	solver smt.Solver
	// indices are the values at which arrays are read and written in the unrolling.
	indices []*term.Term
	// holds has what holds at a call, over its arguments.
	holds map[*call][]*term.Term
}

// postconditions labels the calls of an unrolling from the facts and reports whether the labels prove it. They are the negations of
// what holds there, since what leads to a query is what they are about.
func (p *proof) postconditions(ctx context.Context) (bool, error) {
	if !p.reversed || p.tracking != nil || p.sharing != nil && p.sharing.merges > 0 {
		return false, nil
	}
	p.top = p.newCall(p.root, nil, 0, nil)
	solver, err := p.smt.NewSolver(p.tunings()[p.tuning])
	if err != nil {
		return false, fmt.Errorf("open a solver for labels: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(p.options.checkLimit())
	q := &post{proof: p, solver: solver, holds: map[*call][]*term.Term{p.top: nil}}
	calls := p.top.all(nil)
	q.indices = indicesOf(calls)
	for _, c := range slices.Backward(calls) {
		for slot, d := range c.callees {
			if d == nil {
				continue
			}
			if q.holds[d], err = q.strongest(ctx, c, slot, d); err != nil {
				return false, err
			}
		}
		safe, err := q.excluded(ctx, c)
		if err != nil || !safe {
			return false, err
		}
	}
	for _, c := range calls {
		if c != p.top {
			c.label = p.pool.Not(p.pool.And(q.holds[c]...))
			p.count("inline.proof.labels", 1)
			p.count("inline.proof.post", 1)
		}
	}
	return true, nil
}

// indicesOf are the first known indices at which the calls read and write arrays.
func indicesOf(calls []*call) []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	visit := func(t *term.Term) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		if t.Op() == term.Select || t.Op() == term.Store {
			if i := t.Arg(1); i.IsValue() && len(out) < mostPostIndices && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
		return true
	}
	for _, c := range calls {
		for _, f := range c.node.inst.formulas {
			term.Walk(f, visit)
		}
		for _, args := range c.node.inst.slots {
			for _, a := range args {
				term.Walk(a, visit)
			}
		}
	}
	return out
}

// excluded reports whether what holds at a call leads nowhere but to the calls that are inlined: neither to a query nor to those that
// the proof has left out.
func (q *post) excluded(ctx context.Context, c *call) (bool, error) {
	var ways []*term.Term
	for r, rule := range c.pred.Rules {
		parts := []*term.Term{c.inst.formulas[r]}
		leaves := true
		for _, slot := range rule.Slots {
			leaves = leaves && c.callees[slot] == nil
			parts = append(parts, q.unexpanded(c, slot))
		}
		if leaves {
			ways = append(ways, q.pool.And(parts...))
		}
	}
	excluded := false
	err := q.within(append(slices.Clone(q.holds[c]), q.pool.Or(ways...)), func() error {
		status, err := q.check(ctx)
		excluded = status == smt.Unsat
		return err
	})
	return excluded, err
}

// strongest returns what holds of the arguments of a callee among the candidates that a model suggests.
func (q *post) strongest(ctx context.Context, c *call, slot int, d *call) ([]*term.Term, error) {
	var out []fact
	err := q.within(append(slices.Clone(q.holds[c]), q.inside(c, slot), q.promised(c, slot)), func() error {
		status, err := q.check(ctx)
		if err != nil || status != smt.Sat {
			// Nothing comes here, or nothing is known.
			if status == smt.Unsat {
				out = []fact{{formula: q.pool.False()}}
			}
			return err
		}
		m, err := q.values()
		if err != nil {
			return err
		}
		out, err = q.entailed(ctx, q.valuesOf(d.inst.args, m))
		if err != nil {
			return err
		}
		compared, err := q.entailed(ctx, q.comparisons(d.inst.args, out, m))
		out = append(out, reduced(compared)...)
		return err
	})
	return terms(out), err
}

// inside is like proof.inside, for a call that is made, without what is below it.
func (q *post) inside(c *call, slot int) *term.Term {
	var ways []*term.Term
	for r, rule := range c.pred.Rules {
		if slices.Contains(rule.Slots, slot) {
			ways = append(ways, c.inst.formulas[r])
		}
	}
	return q.pool.Or(ways...)
}

// fact is a formula of a simple form.
type fact struct {
	formula *term.Term
	// less is at most more, and strict says less than it; more is nil for an equation of less with a value.
	less, more *term.Term
	strict     bool
}

func terms(fs []fact) []*term.Term {
	out := make([]*term.Term, len(fs))
	for i, f := range fs {
		out[i] = f.formula
	}
	return out
}

// entailed returns those of the candidates that follow from what the solver has, as far as it can tell.
func (q *post) entailed(ctx context.Context, candidates []fact) ([]fact, error) {
	for len(candidates) > 0 {
		var next []fact
		status := smt.Unknown
		err := q.within([]*term.Term{q.pool.Not(q.pool.And(terms(candidates)...))}, func() (err error) {
			if status, err = q.check(ctx); err != nil || status != smt.Sat {
				return err
			}
			m, err := q.values()
			if err != nil {
				return err
			}
			for _, f := range candidates {
				if m.True(f.formula) {
					next = append(next, f)
				}
			}
			return nil
		})
		switch {
		case err != nil || status == smt.Unsat:
			return candidates, err
		case status == smt.Unknown || len(next) == len(candidates):
			return nil, nil
		}
		candidates = next
	}
	return nil, nil
}

// valuesOf are the values that arguments, and elements of arrays, have in a model.
func (q *post) valuesOf(args []*term.Term, m *term.Evaluator) []fact {
	var out []fact
	for _, x := range q.operands(args) {
		if v, ok := m.Eval(x); ok {
			out = append(out, fact{formula: q.pool.Eq(x, v.Term(q.pool)), less: x})
		}
	}
	return out
}

// comparisons are those between numbers among arguments and elements of arrays that hold in a model, and of which one side has no
// value that is known.
func (q *post) comparisons(args []*term.Term, known []fact, m *term.Evaluator) []fact {
	p := q.pool
	fixed := map[*term.Term]bool{}
	for _, f := range known {
		fixed[f.less] = true
	}
	xs := q.operands(args)
	for _, a := range args {
		for _, i := range args {
			// What is read at an index that is not known is compared too.
			if a.Sort().IsArray() && a.Sort().Index == i.Sort() && !fixed[i] {
				xs = append(xs, p.Select(a, i))
			}
		}
	}
	xs = slices.DeleteFunc(xs, func(x *term.Term) bool { return !x.Sort().IsArith() })
	var out []fact
	for i, a := range xs[:min(len(xs), mostPostTerms)] {
		for _, b := range xs[:i] {
			if a.Sort() != b.Sort() || fixed[a] && fixed[b] {
				continue
			}
			for _, f := range []fact{{p.Lt(a, b), a, b, true}, {p.Lt(b, a), b, a, true}, {p.Le(a, b), a, b, false}, {p.Le(b, a), b, a, false}} {
				if m.True(f.formula) {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// reduced leaves out comparisons that follow from others.
func reduced(fs []fact) []fact {
	type pair struct{ less, more *term.Term }
	// kept says of the comparisons that are kept whether they are strict, above whose they are about.
	kept := map[pair]bool{}
	above := map[*term.Term][]*term.Term{}
	for _, f := range fs {
		if _, ok := kept[pair{f.less, f.more}]; !ok {
			above[f.less] = append(above[f.less], f.more)
		}
		kept[pair{f.less, f.more}] = kept[pair{f.less, f.more}] || f.strict
	}
	return slices.DeleteFunc(fs, func(f fact) bool {
		own := pair{f.less, f.more}
		if strict, ok := kept[own]; !ok || strict && !f.strict {
			return true
		}
		follows := slices.ContainsFunc(above[f.less], func(between *term.Term) bool {
			first, ok := kept[pair{f.less, between}]
			second, too := kept[pair{between, f.more}]
			return ok && too && between != f.more && (first || second || !f.strict)
		})
		if follows {
			delete(kept, own)
		}
		return follows
	})
}

// operands are the arguments, and the elements of those that are arrays.
func (q *post) operands(args []*term.Term) []*term.Term {
	out := slices.Clone(args)
	for _, a := range args {
		for _, i := range q.indices {
			if a.Sort().IsArray() && a.Sort().Index == i.Sort() {
				out = append(out, q.pool.Select(a, i))
			}
		}
	}
	return out
}

func (q *post) check(ctx context.Context) (smt.Status, error) {
	q.count("checks", 1)
	status, err := q.solver.Check(ctx)
	if err == nil {
		err = ctx.Err()
	}
	return status, err
}

// values evaluates terms in the solver's model.
func (q *post) values() (*term.Evaluator, error) {
	m, err := q.solver.Model()
	if err != nil {
		return nil, fmt.Errorf("read a model for labels: %w", err)
	}
	return term.NewEvaluator(q.pool, term.Complete(q.pool, m)), nil
}

// within calls f while the solver has more assertions.
func (q *post) within(assertions []*term.Term, f func() error) (err error) {
	if err := q.solver.Push(); err != nil {
		return fmt.Errorf("find labels: %w", err)
	}
	defer func() {
		if e := q.solver.Pop(); e != nil && err == nil {
			err = fmt.Errorf("find labels: %w", e)
		}
	}()
	if err := q.solver.Assert(assertions...); err != nil {
		return fmt.Errorf("find labels: %w", err)
	}
	return f()
}
