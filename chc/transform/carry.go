package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// carrier is the Translator of the passes under which every step of a new clause stands for one step of an old clause,
// with the same premises. The pass fills in the two tables; no step or clause count changes on the way back.
type carrier struct {
	env      Environment
	old, new *chc.System
	// fates says, by the old predicates' IDs, what became of each.
	fates []fate
	// origins lists, by the new clauses' IDs, the old clauses that a step of the new clause may stand for. The first
	// that holds is taken.
	origins [][]origin
}

// fate says what became of a predicate of the old system.
type fate struct {
	// pred is its successor in the new system; nil when the pass removed it, and then holds is its interpretation.
	pred  *chc.Predicate
	holds bool
	// keep lists the old argument positions that pred's arguments stand for; nil means all, in order.
	keep []int
	// also, when set, makes a term over the old parameters that is conjoined to the interpretation.
	also func(params []*term.Term) *term.Term
	// unless, when set, makes a term over the old parameters that is disjoined to the interpretation.
	unless func(params []*term.Term) *term.Term
}

// origin says how to get the step of an old clause from a step of the clause that replaced it.
type origin struct {
	clause *chc.Clause
	// atoms[i] is the body atom of the new clause that the old clause's i-th became; nil means the same positions.
	atoms []int
	// rename maps variables of the old clause to those of the new one; a variable that is absent keeps its name.
	rename map[*term.Term]*term.Term
	// define lists the variables that the pass eliminated, in the order of elimination: each term is over old
	// variables that were still there.
	define []definition
}

// definition is a variable's value in terms of others.
type definition struct {
	variable, value *term.Term
}

// identity returns the fates of a pass that keeps every predicate: predicate i of sys becomes predicate i of next.
func identity(next *chc.System) []fate {
	fates := make([]fate, len(next.Predicates))
	for i, p := range next.Predicates {
		fates[i].pred = p
	}
	return fates
}

// Model interprets each old predicate by its successor, with the dropped arguments free.
func (c *carrier) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	pool := c.old.Pool
	out := &witness.Model{Interpretations: make(map[*chc.Predicate]witness.Interpretation, len(c.old.Predicates))}
	for i, p := range c.old.Predicates {
		f := c.fates[i]
		if f.pred == nil {
			out.Interpretations[p] = witness.Interpretation{Params: parameters(pool, p), Body: pool.Bool(f.holds)}
			continue
		}
		in, ok := m.Interpretations[f.pred]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", f.pred.Name)
		}
		if f.keep == nil && f.also == nil && f.unless == nil {
			out.Interpretations[p] = in
			continue
		}
		params := parameters(pool, p)
		body := in.Body
		for j, q := range in.Params {
			if k := f.position(j); k < len(params) && params[k].Sort() == q.Sort() {
				params[k] = q
			}
		}
		if f.also != nil {
			body = pool.And(body, f.also(params))
		}
		if f.unless != nil {
			body = pool.Or(body, f.unless(params))
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: body}
	}
	return out, nil
}

// position is the old position of the successor's j-th argument.
func (f *fate) position(j int) int {
	if f.keep == nil {
		return j
	}
	return f.keep[j]
}

// parameters returns fresh variables for p's arguments.
func parameters(pool *term.Pool, p *chc.Predicate) []*term.Term {
	params := make([]*term.Term, len(p.Sorts))
	for i, s := range p.Sorts {
		params[i] = pool.Fresh("a", s)
	}
	return params
}

// Refutation replaces each step by a step of the clause that its clause came from.
func (c *carrier) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	rec := newRecoverer(c.env, c.old.Pool)
	defer rec.close()
	out := &witness.Refutation{Steps: make([]witness.Step, 0, len(r.Steps))}
	heads := make([][]term.Value, len(r.Steps))
	for i, s := range r.Steps {
		step, head, err := c.step(ctx, rec, s, heads)
		if err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation (clause %d): %w", i, s.Clause.ID, err)
		}
		out.Steps = append(out.Steps, step)
		heads[i] = head
	}
	return out, nil
}

// step returns the old step for s together with the values of its head's arguments.
func (c *carrier) step(ctx context.Context, rec *recoverer, s witness.Step, heads [][]term.Value) (witness.Step, []term.Value, error) {
	id := s.Clause.ID
	if id >= len(c.origins) || c.new.Clauses[id] != s.Clause {
		return witness.Step{}, nil, fmt.Errorf("the clause is not of the transformed system")
	}
	insts := make([]instance, len(c.origins[id]))
	for i, o := range c.origins[id] {
		in, err := c.instance(rec, o, s, heads)
		if err != nil {
			return witness.Step{}, nil, err
		}
		if head, ok := rec.evaluate(&in); ok {
			return witness.Step{Clause: o.clause, Values: in.values, Premises: in.premises}, head, nil
		}
		insts[i] = in
	}
	var last error
	for i := range insts {
		head, err := rec.solve(ctx, &insts[i])
		if err == nil {
			return witness.Step{Clause: insts[i].clause, Values: insts[i].values, Premises: insts[i].premises}, head, nil
		}
		last = err
	}
	return witness.Step{}, nil, last
}

// instance collects what the step s says about a step of o's clause.
func (c *carrier) instance(rec *recoverer, o origin, s witness.Step, heads [][]term.Value) (instance, error) {
	in := instance{clause: o.clause, hints: map[*term.Term]term.Value{}, define: o.define}
	for _, v := range o.clause.Vars() {
		w := v
		if r := o.rename[v]; r != nil {
			w = r
		}
		if val, ok := s.Values[w]; ok {
			in.hints[v] = val
		}
	}
	for i := range o.clause.Body {
		j := i
		if o.atoms != nil {
			j = o.atoms[i]
		}
		in.premises = append(in.premises, s.Premises[j])
		in.body = append(in.body, heads[s.Premises[j]])
	}
	if h := o.clause.Head; h != nil {
		f := &c.fates[h.Pred.ID]
		in.head = make([]*term.Value, h.Pred.Arity())
		vals, err := rec.values(s.Clause.Head.Args, s.Values)
		if err != nil {
			return instance{}, err
		}
		for j := range vals {
			in.head[f.position(j)] = &vals[j]
		}
	}
	return in, nil
}
