package partial

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Limits of Complete: beyond them a derivation is left as it is.
const (
	maxSteps     = 400
	maxVariables = 500
)

// resources bounds the solver's work on one derivation.
const resources = 20_000_000

// Complete looks for a refutation of sys with the clauses and premises of r, whose values may depend on operations that
// SMT-LIB leaves open. It first asks a solver for values under which all operations of the steps are determined. When
// there are none, it solves the steps' equations, so that variables become ground terms over what is open and the steps
// hold for every choice. The result passed witness.CheckRefutation; it is nil when there is none.
func Complete(ctx context.Context, open smt.Opener, sys *chc.System, r *witness.Refutation) (*witness.Refutation, error) {
	if len(r.Steps) > maxSteps || r.Repeats() {
		return nil, nil
	}
	d := newDerivation(sys, r)
	if d == nil {
		return nil, nil
	}
	if open != nil {
		values, err := d.determined(ctx, open)
		if err != nil {
			return nil, err
		}
		if values != nil {
			if out := d.refutation(values, nil); witness.CheckRefutation(ctx, sys, out) == nil {
				return out, nil
			}
		}
	}
	if out := d.refutation(nil, d.solve(ctx)); witness.CheckRefutation(ctx, sys, out) == nil {
		return out, nil
	}
	return nil, ctx.Err()
}

// derivation is a refutation as a formula: every step has variables of its own.
type derivation struct {
	sys *chc.System
	ref *witness.Refutation
	// own maps the variables of each step's clause to the step's.
	own []map[*term.Term]*term.Term
	// values are those of the refutation.
	values map[*term.Term]*term.Term
	// facts hold when the derivation does: the steps' constraints, and the equations between the arguments of heads and
	// premises.
	facts []*term.Term
	// total is the formula under which all operations are determined and the facts hold.
	total *term.Term
}

// newDerivation returns nil when the refutation is too large or not well-formed.
func newDerivation(sys *chc.System, r *witness.Refutation) *derivation {
	p := sys.Pool
	d := &derivation{sys: sys, ref: r, own: make([]map[*term.Term]*term.Term, len(r.Steps)), values: map[*term.Term]*term.Term{}}
	restriction := NewRestriction(p)
	var parts []*term.Term
	for i, s := range r.Steps {
		d.own[i] = map[*term.Term]*term.Term{}
		for _, x := range s.Clause.Vars() {
			y := p.Fresh(x.Name(), x.Sort())
			d.own[i][x] = y
			v, ok := s.Values[x]
			if !ok {
				return nil
			}
			d.values[y] = v.Term(p)
		}
		if len(d.values) > maxVariables || len(s.Premises) != len(s.Clause.Body) {
			return nil
		}
		own := p.NewSubstitution(d.own[i])
		d.facts = append(d.facts, term.Conjuncts(own.Apply(s.Clause.Constraint))...)
		parts = append(parts, own.Apply(restriction.Clause(s.Clause)))
		for k, a := range s.Clause.Body {
			q := s.Premises[k]
			if q < 0 || q >= i || r.Steps[q].Clause.Head == nil || r.Steps[q].Clause.Head.Pred != a.Pred {
				return nil
			}
			for n, t := range a.Args {
				e := p.Eq(own.Apply(t), p.Substitute(r.Steps[q].Clause.Head.Args[n], d.own[q]))
				d.facts = append(d.facts, term.Conjuncts(e)...)
				parts = append(parts, e)
			}
		}
	}
	d.total = p.And(parts...)
	return d
}

// determined asks a solver for values under which the derivation holds and every operation is determined; nil when it
// knows none.
func (d *derivation) determined(ctx context.Context, open smt.Opener) (map[*term.Term]term.Value, error) {
	if d.total.IsFalse() {
		return nil, nil
	}
	c, err := open(d.sys.Pool, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to complete a refutation: %w", err)
	}
	defer c.Close()
	s, err := c.NewSolver(smt.Params{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to complete a refutation: %w", err)
	}
	s.SetLimit(smt.Limit{Resources: resources})
	if err := s.Assert(d.total); err != nil {
		return nil, fmt.Errorf("completing a refutation: %w", err)
	}
	st, err := s.Check(ctx)
	if err != nil {
		return nil, fmt.Errorf("completing a refutation: %w", err)
	}
	if st != smt.Sat {
		return nil, nil
	}
	m, err := s.Model()
	if err != nil {
		return nil, fmt.Errorf("completing a refutation: %w", err)
	}
	values := map[*term.Term]term.Value{}
	for y := range d.values {
		if v, ok := m.Lookup(y); ok {
			values[y] = v
		}
	}
	return values, nil
}

// solve eliminates variables by the facts that are equations. Where none is left, it gives a Boolean variable the
// refutation's value, or keeps one disjunct of a disjunction, which shows more equations; in the end it gives all other
// variables the refutation's values. It returns ground terms.
func (d *derivation) solve(ctx context.Context) map[*term.Term]*term.Term {
	p := d.sys.Pool
	solved := map[*term.Term]*term.Term{}
	facts := d.facts
	for ctx.Err() == nil {
		i, x, t := d.next(facts)
		if i < 0 {
			break
		}
		if x == nil { // a disjunct
			facts = slices.Concat(facts[:i], term.Conjuncts(t), facts[i+1:])
			continue
		}
		one := p.NewSubstitution(map[*term.Term]*term.Term{x: t})
		var left []*term.Term
		for _, f := range facts {
			if g := one.Apply(f); !g.IsTrue() {
				left = append(left, term.Conjuncts(g)...)
			}
		}
		for y, u := range solved {
			solved[y] = one.Apply(u)
		}
		solved[x] = t
		facts = left
	}
	for y := range d.values {
		if solved[y] == nil {
			solved[y] = d.values[y]
		}
	}
	ground := p.NewSubstitution(d.values)
	for y, t := range solved {
		solved[y] = ground.Apply(t)
	}
	return solved
}

// next returns the term for the variable that is to be eliminated next, or no variable and the disjunct that is to
// replace the i-th fact; i is negative when nothing is left to do.
func (d *derivation) next(facts []*term.Term) (i int, x, t *term.Term) {
	for i, f := range facts {
		if x, t := d.sys.Pool.Solve(f, nil); x != nil {
			return i, x, t
		}
	}
	for i, f := range facts {
		for _, x := range term.Vars(f) {
			if x.IsBool() && d.values[x] != nil {
				return i, x, d.values[x]
			}
		}
	}
	values := term.MapAssignment{}
	for y, v := range d.values {
		values[y] = term.TermValue(v)
	}
	ev := term.NewEvaluator(d.sys.Pool, values)
	for i, f := range facts {
		if f.Op() != term.Or || term.Vars(f) == nil {
			continue
		}
		var possible *term.Term
		for _, g := range f.Args() {
			if ev.True(g) {
				possible = g
				break
			} else if possible == nil && !ev.False(g) {
				possible = g
			}
		}
		if possible != nil {
			return i, nil, possible
		}
	}
	return -1, nil, nil
}

// refutation gives the steps other values: those of a solver, or ground terms.
func (d *derivation) refutation(values map[*term.Term]term.Value, terms map[*term.Term]*term.Term) *witness.Refutation {
	p := d.sys.Pool
	out := &witness.Refutation{Steps: make([]witness.Step, len(d.ref.Steps))}
	fixed, total := term.NewEvaluator(p, term.MapAssignment{}), term.NewTotalEvaluator(p, term.MapAssignment{})
	for i, s := range d.ref.Steps {
		step := witness.Step{Clause: s.Clause, Premises: s.Premises, Values: map[*term.Term]term.Value{}}
		for x, y := range d.own[i] {
			if terms == nil {
				v, ok := values[y]
				if !ok {
					v = term.DefaultValue(p, x.Sort())
				}
				step.Values[x] = v
				continue
			}
			if v, ok := fixed.Eval(terms[y]); ok {
				step.Values[x] = v
				continue
			}
			if step.Terms == nil {
				step.Terms = map[*term.Term]*term.Term{}
			}
			step.Terms[x] = terms[y]
			step.Values[x], _ = total.Eval(terms[y])
		}
		out.Steps[i] = step
	}
	return out
}
