package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// resolution carries refutations back over derived clauses: each step of a derived clause is replaced by the steps of
// the clauses that it was derived from. The values of their variables were recorded when the clause was derived, so that
// evaluating them is enough.
type resolution struct {
	env      Environment
	old, new *chc.System
	// from says, by the new clauses' IDs, how each was derived.
	from []*derivation
}

// Refutation replaces each step by the steps that its clause's derivation stands for.
func (r *resolution) Refutation(ctx context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	x := expansion{pool: r.old.Pool, build: witness.NewRefutationBuilder(r.old.Pool)}
	rec := newRecoverer(r.env, r.old.Pool)
	defer rec.close()
	// Of each step: its number in the result and the values of its head's arguments.
	index := make([]int, len(ref.Steps))
	heads := make([][]term.Value, len(ref.Steps))
	for i, s := range ref.Steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("translating a refutation: %w", err)
		}
		vals, head, err := r.complete(ctx, rec, s, heads)
		if err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
		}
		heads[i] = head
		premises := make([]int, len(s.Premises))
		for k, q := range s.Premises {
			premises[k] = index[q]
		}
		if index[i], err = x.expand(r.from[s.Clause.ID], vals, premises); err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
		}
	}
	if len(index) == 0 {
		return &witness.Refutation{}, nil
	}
	return x.build.Refutation(index[len(index)-1]), nil
}

// complete returns values for all variables of the step's clause; it looks for better ones with a solver when those of
// the step leave the clause's constraint open.
func (r *resolution) complete(ctx context.Context, rec *recoverer, s witness.Step, heads [][]term.Value) (map[*term.Term]term.Value, []term.Value, error) {
	c := s.Clause
	if c.ID >= len(r.from) || r.new.Clauses[c.ID] != c {
		return nil, nil, fmt.Errorf("clause %d is not of the transformed system", c.ID)
	}
	if len(s.Premises) != len(c.Body) {
		return nil, nil, fmt.Errorf("clause %d has %d atoms, the step %d premises", c.ID, len(c.Body), len(s.Premises))
	}
	in := instance{clause: c, hints: s.Values, premises: s.Premises}
	for _, q := range s.Premises {
		in.body = append(in.body, heads[q])
	}
	if head, ok := rec.evaluate(&in); ok {
		return in.values, head, nil
	}
	if c.Head != nil {
		in.head = make([]*term.Value, len(c.Head.Args))
		ev := term.NewEvaluator(rec.pool, term.MapAssignment(s.Values))
		for j, t := range c.Head.Args {
			if v, ok := ev.Eval(t); ok {
				in.head[j] = &v
			}
		}
	}
	head, err := rec.solve(ctx, &in)
	return in.values, head, err
}

// expansion builds the refutation of the old system.
type expansion struct {
	pool  *term.Pool
	build *witness.RefutationBuilder
}

// expand adds the steps that an instance of d's clause stands for and returns the number of the last one. The premises
// are numbers of steps of the result, one for each of the clause's body atoms.
func (x *expansion) expand(d *derivation, vals map[*term.Term]term.Value, premises []int) (int, error) {
	if d.use == nil {
		return x.build.Add(d.clause, vals, premises), nil
	}
	spliced := make([]int, len(d.atoms))
	for i, j := range d.atoms {
		spliced[i] = premises[j]
	}
	ev := term.NewEvaluator(x.pool, term.Complete(x.pool, term.MapAssignment(vals)))
	if d.def != nil {
		dv, err := definedValues(ev, d.def, d.defValues)
		if err != nil {
			return 0, err
		}
		end := d.position + len(d.def.clause.Body)
		step, err := x.expand(d.def, dv, spliced[d.position:end])
		if err != nil {
			return 0, err
		}
		rest := spliced[end:]
		spliced = append(append(append([]int(nil), spliced[:d.position]...), step), rest...)
	}
	uv, err := definedValues(ev, d.use, d.useValues)
	if err != nil {
		return 0, err
	}
	return x.expand(d.use, uv, spliced)
}

// definedValues evaluates the variables of the clause of d as they are defined over those of a derived clause.
func definedValues(ev *term.Evaluator, d *derivation, defs map[*term.Term]*term.Term) (map[*term.Term]term.Value, error) {
	vals := make(map[*term.Term]term.Value, len(d.variables()))
	for _, v := range d.variables() {
		t := v
		if u := defs[v]; u != nil {
			t = u
		}
		val, ok := ev.Eval(t)
		if !ok {
			return nil, fmt.Errorf("%w: the value of variable %s of clause %d is not determined", ErrGaveUp, v.Name(), d.clause.ID)
		}
		vals[v] = val
	}
	return vals, nil
}
