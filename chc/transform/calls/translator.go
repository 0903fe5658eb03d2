package calls

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/witness"
)

// translator carries witnesses back over one component.
type translator struct {
	old, next *chc.System
	members   []*chc.Predicate
	groups    []*group
	// origins are those of next's clauses.
	origins []origin
}

// Model interprets a predicate of the component as what its groups' predicates say wherever their contexts hold:
//
//	for all groups and all values of the variables known before: B & F & inputs => Q
//
// in which P's arguments stand for the inputs.
func (t *translator) Model(ctx context.Context, m *witness.Model) (*witness.Model, error) {
	out := m.Clone()
	out.Interpretations = make(map[*chc.Predicate]witness.Interpretation, len(t.old.Predicates))
	others := 0
	for _, p := range t.old.Predicates {
		if slices.Contains(t.members, p) {
			continue
		}
		q := t.next.Predicates[others]
		others++
		in, ok := m.Interpretations[q]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", q.Name)
		}
		out.Interpretations[p] = in
	}
	for _, p := range t.members {
		pool := t.old.Pool
		params := transform.Parameters(pool, p)
		body := pool.True()
		for _, g := range t.groups {
			part, err := g.interpret(pool, p, params, m.Interpretations[g.preds[p]], out)
			if err != nil {
				return nil, err
			}
			body = pool.And(body, part)
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: body}
	}
	return out, ctx.Err()
}

// interpret returns what a group says of p's parameters; q is the interpretation of its predicate for p, and the model has the
// interpretations of the other predicates.
func (g *group) interpret(pool *term.Pool, p *chc.Predicate, params []*term.Term, q witness.Interpretation, m *witness.Model) (*term.Term, error) {
	if len(q.Params) != len(g.carried)+len(params) {
		return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", g.preds[p].Name)
	}
	given := map[*term.Term]*term.Term{}
	known := slices.Clone(g.facts)
	for k, t := range g.inputs {
		param := params[g.slots[k].positions[p]]
		if t.IsVar() && given[t] == nil {
			given[t] = param
		}
		known = append(known, pool.Eq(t, param))
	}
	for _, a := range g.before {
		known = append(known, m.Interpretations[a.Pred].Apply(pool, a.Args))
	}
	sub := pool.NewSubstitution(given)
	for i, f := range known {
		known[i] = sub.Apply(f)
	}
	then := sub.Apply(q.Apply(pool, slices.Concat(g.carried, params)))
	// Not (exists variables. known and not then).
	if f, ok := qe.NewProjector(pool, params, qe.DefaultWork, qe.DefaultNodes).Exists(append(slices.Clone(known), pool.Not(then))...); ok {
		return pool.Not(f), nil
	}
	f := pool.Implies(pool.And(known...), then)
	bound := slices.DeleteFunc(term.Vars(f), func(v *term.Term) bool { return slices.Contains(params, v) })
	if len(bound) == 0 {
		return f, nil
	}
	return pool.Forall(bound, f), nil
}

// knowledge is what a step of a group's predicate has been derived with: the values of the variables known before, and the numbers of
// the steps that derive the atoms.
type knowledge struct {
	values   map[*term.Term]term.Value
	premises []int
}

// Refutation replaces the steps of the groups' predicates by those of the component, and gives each use its further premises back.
func (t *translator) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	build := witness.NewRefutationBuilder(t.old.Pool)
	number := make([]int, len(r.Steps))
	before := make([]knowledge, len(r.Steps))
	for i, s := range r.Steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("translating a refutation: %w", err)
		}
		if s.Repeat != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w: it is a repetition", i, transform.ErrGaveUp)
		}
		if id := s.Clause.ID; id >= len(t.origins) || t.next.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		o := t.origins[s.Clause.ID]
		premises := make([]int, len(s.Premises))
		for k, q := range s.Premises {
			premises[k] = number[q]
		}
		switch {
		case o.begins > 0:
			before[i] = knowledge{s.Values, premises[:o.begins]}
		case o.from >= 0:
			before[i] = before[s.Premises[o.from]]
		}
		number[i] = build.Add(o.clause, o.values(s.Values, before[i].values), o.premises(premises, before[i].premises))
	}
	if len(r.Steps) == 0 {
		return &witness.Refutation{}, nil
	}
	return build.Refutation(number[len(number)-1]), nil
}

// values returns those of the clause's variables, from those of the new clause's and of the variables known before.
func (o origin) values(now, before map[*term.Term]term.Value) map[*term.Term]term.Value {
	out := map[*term.Term]term.Value{}
	for _, v := range o.clause.Vars() {
		w := v
		if x := o.rename[v]; x != nil {
			w = x
		}
		val, ok := now[w]
		if !ok {
			val, ok = before[w]
		}
		if ok {
			out[v] = val
		}
	}
	return out
}

// premises returns those of the clause's atoms, from those of the new clause's and of the atoms known before.
func (o origin) premises(now, before []int) []int {
	if o.atoms == nil && o.begins == 0 {
		return now
	}
	out := make([]int, len(o.atoms))
	for i, at := range o.atoms {
		if at >= 0 {
			out[i] = now[at]
		} else {
			out[i] = before[^at]
		}
	}
	return out
}
