package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// ClauseTranslator is the Translator of the passes under which every step of a new clause stands for one step of an old clause,
// with the same premises. The pass fills in the two tables; no step or clause count changes on the way back.
type ClauseTranslator struct {
	Env      Environment
	Old, New *chc.System
	// Replacements has, by the old predicates' IDs, what replaced each.
	Replacements []Replacement
	// Origins lists, by the new clauses' IDs, the old clauses that a step of the new clause may stand for. The first
	// that holds is taken.
	Origins [][]Origin
}

// Replacement is what replaced a predicate of the old system.
type Replacement struct {
	// Pred is its successor in the new system; nil when the pass removed it, and then Holds is its interpretation.
	Pred  *chc.Predicate
	Holds bool
	// Keep lists the old argument positions that Pred's arguments stand for; nil means all, in order.
	Keep []int
	// Also, when set, makes a term over the old parameters that is conjoined to the interpretation.
	Also func(params []*term.Term) *term.Term
	// Unless, when set, makes a term over the old parameters that is disjoined to the interpretation.
	Unless func(params []*term.Term) *term.Term
}

// Origin is how a step of an old clause follows from a step of the clause that replaced it.
type Origin struct {
	Clause *chc.Clause
	// Atoms[i] is the body atom of the new clause that the old clause's i-th became; nil means the same positions.
	Atoms []int
	// Rename maps variables of the old clause to those of the new one; a variable that is absent keeps its name.
	Rename map[*term.Term]*term.Term
	// Define lists the variables that the pass eliminated, in the order of elimination: each term is over old
	// variables that were still there.
	Define []Definition
}

// Definition is a variable's value in terms of others.
type Definition struct {
	Variable, Value *term.Term
}

// Identity returns the replacements of a pass that keeps every predicate: predicate i of sys becomes predicate i of next.
func Identity(next *chc.System) []Replacement {
	replacements := make([]Replacement, len(next.Predicates))
	for i, p := range next.Predicates {
		replacements[i].Pred = p
	}
	return replacements
}

// Model interprets each old predicate by its successor, with the dropped arguments free.
func (c *ClauseTranslator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	pool := c.Old.Pool
	out := &witness.Model{Interpretations: make(map[*chc.Predicate]witness.Interpretation, len(c.Old.Predicates))}
	for i, p := range c.Old.Predicates {
		f := c.Replacements[i]
		if f.Pred == nil {
			out.Interpretations[p] = witness.Interpretation{Params: Parameters(pool, p), Body: pool.Bool(f.Holds)}
			continue
		}
		in, ok := m.Interpretations[f.Pred]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", f.Pred.Name)
		}
		if f.Keep == nil && f.Also == nil && f.Unless == nil {
			out.Interpretations[p] = in
			continue
		}
		params := Parameters(pool, p)
		body := in.Body
		for j, q := range in.Params {
			if k := f.position(j); k < len(params) && params[k].Sort() == q.Sort() {
				params[k] = q
			}
		}
		if f.Also != nil {
			body = pool.And(body, f.Also(params))
		}
		if f.Unless != nil {
			body = pool.Or(body, f.Unless(params))
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: body}
	}
	return out, nil
}

// position is the old position of the successor's j-th argument.
func (f *Replacement) position(j int) int {
	if f.Keep == nil {
		return j
	}
	return f.Keep[j]
}

// Parameters returns fresh variables for p's arguments.
func Parameters(pool *term.Pool, p *chc.Predicate) []*term.Term {
	params := make([]*term.Term, len(p.Sorts))
	for i, s := range p.Sorts {
		params[i] = pool.Fresh("a", s)
	}
	return params
}

// Refutation replaces each step by a step of an old clause that its clause stands for.
func (c *ClauseTranslator) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	rec := NewRecoverer(c.Env, c.Old.Pool)
	defer rec.Close()
	return CarrySteps(c.Old.Pool, r, func(s witness.Step, heads [][]term.Value) (witness.Step, []term.Value, error) {
		return c.step(ctx, rec, s, heads)
	})
}

// CarriesRepeats says that repeated steps are carried back.
func (c *ClauseTranslator) CarriesRepeats() bool { return true }

// step returns the old step for s together with the values of its head's arguments.
func (c *ClauseTranslator) step(ctx context.Context, rec *Recoverer, s witness.Step, heads [][]term.Value) (witness.Step, []term.Value, error) {
	id := s.Clause.ID
	if id >= len(c.Origins) || c.New.Clauses[id] != s.Clause {
		return witness.Step{}, nil, fmt.Errorf("the clause is not of the transformed system")
	}
	insts := make([]Instance, len(c.Origins[id]))
	for i, o := range c.Origins[id] {
		in, err := c.instance(rec, o, s, heads)
		if err != nil {
			return witness.Step{}, nil, err
		}
		if head, ok := rec.Evaluate(&in); ok {
			return witness.Step{Clause: o.Clause, Values: in.Values, Premises: in.Premises}, head, nil
		}
		insts[i] = in
	}
	var last error
	for i := range insts {
		head, err := rec.Solve(ctx, &insts[i])
		if err == nil {
			return witness.Step{Clause: insts[i].Clause, Values: insts[i].Values, Premises: insts[i].Premises}, head, nil
		}
		last = err
	}
	return witness.Step{}, nil, last
}

// instance collects the values that the step s determines for a step of o's clause.
func (c *ClauseTranslator) instance(rec *Recoverer, o Origin, s witness.Step, heads [][]term.Value) (Instance, error) {
	in := Instance{Clause: o.Clause, Hints: map[*term.Term]term.Value{}, define: o.Define}
	for _, v := range o.Clause.Vars() {
		w := v
		if r := o.Rename[v]; r != nil {
			w = r
		}
		if val, ok := s.Values[w]; ok {
			in.Hints[v] = val
		}
	}
	for i := range o.Clause.Body {
		j := i
		if o.Atoms != nil {
			j = o.Atoms[i]
		}
		in.Premises = append(in.Premises, s.Premises[j])
		in.Body = append(in.Body, heads[s.Premises[j]])
	}
	if h := o.Clause.Head; h != nil {
		f := &c.Replacements[h.Pred.ID]
		in.Head = make([]*term.Value, h.Pred.Arity())
		vals, err := rec.values(s.Clause.Head.Args, s.Values)
		if err != nil {
			return Instance{}, err
		}
		for j := range vals {
			in.Head[f.position(j)] = &vals[j]
		}
	}
	return in, nil
}
