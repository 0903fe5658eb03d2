package witness_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// domain are the integers that every Int variable of a generated clause is bounded to by the clause's constraint, so
// that trying all assignments decides a clause.
var domain = []int64{0, 1, 2}

// drawSystem draws a small system over Bool and Int, with facts, queries and linear and non-linear clauses.
func drawSystem(t *rapid.T) *chc.System {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	for i := range rapid.IntRange(1, 3).Draw(t, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		for range rapid.IntRange(0, 2).Draw(t, "arity") {
			pred.Sorts = append(pred.Sorts, rapid.SampledFrom([]*term.Sort{term.Int, term.Int, term.Bool}).Draw(t, "sort"))
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	for i := range rapid.IntRange(2, 7).Draw(t, "clauses") {
		c := drawClause(t, sys, i)
		c.ID = i
		sys.Clauses = append(sys.Clauses, c)
	}
	return sys
}

// drawClause draws a clause over x, y (Int) and b (Bool). The first one is a fact; about one in four is a query.
func drawClause(t *rapid.T, sys *chc.System, i int) *chc.Clause {
	p := sys.Pool
	c := &chc.Clause{}
	app := func() chc.App {
		pred := rapid.SampledFrom(sys.Predicates).Draw(t, "predicate")
		a := chc.App{Pred: pred}
		for _, s := range pred.Sorts {
			a.Args = append(a.Args, drawTerm(t, p, s))
		}
		return a
	}
	if i > 0 {
		for range rapid.IntRange(0, 2).Draw(t, "body") {
			c.Body = append(c.Body, app())
		}
	}
	if i == 0 || rapid.IntRange(0, 3).Draw(t, "query") > 0 {
		head := app()
		c.Head = &head
	}
	var literals []*term.Term
	for range rapid.IntRange(0, 3).Draw(t, "literals") {
		literals = append(literals, drawLiteral(t, p))
	}
	c.Constraint = p.And(literals...)
	for _, v := range c.Vars() {
		if v.Sort() == term.Int {
			literals = append(literals, p.Le(p.Int(domain[0]), v), p.Le(v, p.Int(domain[len(domain)-1])))
		}
	}
	c.Constraint = p.And(literals...)
	return c
}

func drawTerm(t *rapid.T, p *term.Pool, s *term.Sort) *term.Term {
	if s == term.Bool {
		b := p.Var("b", term.Bool)
		return rapid.SampledFrom([]*term.Term{b, b, p.Not(b), p.True(), p.Le(p.Var("x", term.Int), p.Int(1))}).Draw(t, "bool")
	}
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	return rapid.SampledFrom([]*term.Term{x, x, y, p.Int(0), p.Int(1), p.Add(x, p.Int(1)), p.Add(x, y), p.Sub(y, p.Int(1))}).Draw(t, "int")
}

func drawLiteral(t *rapid.T, p *term.Pool) *term.Term {
	l, r := drawTerm(t, p, term.Int), drawTerm(t, p, term.Int)
	return rapid.SampledFrom([]*term.Term{
		p.Le(l, r), p.Lt(l, r), p.Eq(l, r), p.Ne(l, r), drawTerm(t, p, term.Bool), p.Divides(term.NewInt(2), l),
	}).Draw(t, "literal")
}

// valuations calls visit for every assignment of domain values to the variables.
func valuations(vars []*term.Term, visit func(map[*term.Term]term.Value)) {
	values := map[*term.Term]term.Value{}
	var rec func(int)
	rec = func(i int) {
		if i == len(vars) {
			visit(values)
			return
		}
		if vars[i].Sort() == term.Bool {
			for _, b := range []bool{false, true} {
				values[vars[i]] = term.BoolValue(b)
				rec(i + 1)
			}
			return
		}
		for _, n := range domain {
			values[vars[i]] = term.NumValue(term.NewInt(n), term.Int)
			rec(i + 1)
		}
	}
	rec(0)
}

// ground substitutes the values: on the terms generated here the constructors fold the result to a value.
func ground(p *term.Pool, t *term.Term, values map[*term.Term]term.Value) *term.Term {
	m := map[*term.Term]*term.Term{}
	for x, v := range values {
		m[x] = v.Term(p)
	}
	g := p.Substitute(t, m)
	if !g.IsValue() {
		panic("not a value: " + g.String())
	}
	return g
}

// atomKey is a ground atom as text.
func atomKey(p *term.Pool, a chc.App, values map[*term.Term]term.Value) string {
	parts := []string{a.Pred.Name}
	for _, t := range a.Args {
		parts = append(parts, ground(p, t, values).String())
	}
	return strings.Join(parts, " ")
}

// clauseHolds decides by trial whether the interpretations satisfy the clause.
func clauseHolds(p *term.Pool, c *chc.Clause, m *witness.Model) bool {
	holds := true
	valuations(c.Vars(), func(values map[*term.Term]term.Value) {
		holds = holds && !counterexample(p, c, m, values)
	})
	return holds
}

func counterexample(p *term.Pool, c *chc.Clause, m *witness.Model, values map[*term.Term]term.Value) bool {
	if ground(p, c.Constraint, values).IsFalse() {
		return false
	}
	holds := func(a chc.App) bool {
		i := m.Interpretations[a.Pred]
		s := map[*term.Term]*term.Term{}
		for k, x := range i.Params {
			s[x] = ground(p, a.Args[k], values)
		}
		return p.Substitute(i.Body, s).IsTrue()
	}
	for _, a := range c.Body {
		if !holds(a) {
			return false
		}
	}
	return c.Head == nil || !holds(*c.Head)
}

// modelHolds decides by trial whether m is a model.
func modelHolds(sys *chc.System, m *witness.Model) bool {
	for _, c := range sys.Clauses {
		if !clauseHolds(sys.Pool, c, m) {
			return false
		}
	}
	return true
}

// decide computes the least fixpoint by trial: a refutation when a query fires, and the least model otherwise.
func decide(sys *chc.System) (*witness.Model, *witness.Refutation) {
	p := sys.Pool
	b := witness.NewRefutationBuilder(p)
	facts := map[string]int{}
	tuples := map[*chc.Predicate][]*term.Term{}
	params := map[*chc.Predicate][]*term.Term{}
	for _, pred := range sys.Predicates {
		params[pred] = witness.CanonicalParams(p, pred)
	}
	refuted := -1
	for changed := true; changed && refuted < 0; {
		changed = false
		for _, c := range sys.Clauses {
			valuations(c.Vars(), func(values map[*term.Term]term.Value) {
				if refuted >= 0 || ground(p, c.Constraint, values).IsFalse() {
					return
				}
				premises := []int{}
				for _, a := range c.Body {
					i, ok := facts[atomKey(p, a, values)]
					if !ok {
						return
					}
					premises = append(premises, i)
				}
				kept := map[*term.Term]term.Value{}
				for x, v := range values {
					kept[x] = v
				}
				if c.Head == nil {
					refuted = b.Add(c, kept, premises)
					return
				}
				key := atomKey(p, *c.Head, values)
				if _, ok := facts[key]; ok {
					return
				}
				facts[key] = b.Add(c, kept, premises)
				changed = true
				var eqs []*term.Term
				for k, x := range params[c.Head.Pred] {
					eqs = append(eqs, p.Eq(x, ground(p, c.Head.Args[k], values)))
				}
				tuples[c.Head.Pred] = append(tuples[c.Head.Pred], p.And(eqs...))
			})
		}
	}
	if refuted >= 0 {
		return nil, b.Refutation(refuted)
	}
	m := witness.NewModel()
	for _, pred := range sys.Predicates {
		m.Interpretations[pred] = witness.Interpretation{Params: params[pred], Body: p.Or(tuples[pred]...)}
	}
	return m, nil
}

// refutes decides without the evaluator whether r is a refutation: everything is substituted and folded.
func refutes(sys *chc.System, r *witness.Refutation) bool {
	p := sys.Pool
	heads := []string{}
	for i, s := range r.Steps {
		if s.Clause == nil || s.Clause.ID >= len(sys.Clauses) || sys.Clauses[s.Clause.ID] != s.Clause {
			return false
		}
		for _, x := range s.Clause.Vars() {
			v, ok := s.Values[x]
			if !ok || v.Sort() != x.Sort() || x.Sort() == term.Int && !v.Num().IsInt() {
				return false
			}
		}
		if !ground(p, s.Clause.Constraint, s.Values).IsTrue() || len(s.Premises) != len(s.Clause.Body) {
			return false
		}
		for k, q := range s.Premises {
			if q < 0 || q >= i || heads[q] != atomKey(p, s.Clause.Body[k], s.Values) {
				return false
			}
		}
		if s.Clause.Head == nil {
			heads = append(heads, "")
		} else {
			heads = append(heads, atomKey(p, *s.Clause.Head, s.Values))
		}
	}
	return len(r.Steps) > 0 && r.Steps[len(r.Steps)-1].Clause.Head == nil
}
