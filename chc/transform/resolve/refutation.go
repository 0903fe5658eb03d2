package resolve

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Resolution carries refutations back over derived clauses: each step of a derived clause is replaced by the steps of
// the clauses that it was derived from. The values of their variables were recorded when the clause was derived, so that
// evaluating them is enough.
type Resolution struct {
	Env      transform.Environment
	Old, New *chc.System
	// From has the derivation of each new clause, by ID.
	From []*Derivation
}

// Refutation replaces each step by the steps that its clause's derivation stands for.
func (r *Resolution) Refutation(ctx context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	x := expansion{pool: r.Old.Pool, build: witness.NewRefutationBuilder(r.Old.Pool)}
	rec := transform.NewRecoverer(r.Env, r.Old.Pool)
	defer rec.Close()
	// Of each step: its number in the result and the values of its head's arguments.
	index := make([]int, len(ref.Steps))
	heads := make([][]term.Value, len(ref.Steps))
	for i, s := range ref.Steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("translating a refutation: %w", err)
		}
		var err error
		if s.Repeat != nil {
			index[i], heads[i], err = r.repeat(ctx, rec, x, s, index, heads)
		} else {
			index[i], heads[i], err = r.step(ctx, rec, x, s, index, heads)
		}
		if err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
		}
	}
	if len(index) == 0 {
		return &witness.Refutation{}, nil
	}
	return x.build.Refutation(index[len(index)-1]), nil
}

// CarriesRepeats says that repeated steps are carried back.
func (r *Resolution) CarriesRepeats() bool { return true }

// step adds the steps that s stands for and returns the number of the last one and the values of its head's arguments; index and
// heads have those of the premises, by their numbers.
func (r *Resolution) step(ctx context.Context, rec *transform.Recoverer, x expansion, s witness.Step, index []int, heads [][]term.Value) (int, []term.Value, error) {
	vals, head, err := r.complete(ctx, rec, s, heads)
	if err != nil {
		return 0, nil, err
	}
	premises := make([]int, len(s.Premises))
	for k, q := range s.Premises {
		premises[k] = index[q]
	}
	last, err := x.expand(r.From[s.Clause.ID], vals, premises)
	return last, head, err
}

// repeat adds the repetition that s stands for.
func (r *Resolution) repeat(ctx context.Context, rec *transform.Recoverer, x expansion, s witness.Step, index []int, heads [][]term.Value) (int, []term.Value, error) {
	premises, derived := make([]int, len(s.Premises)), make([][]term.Value, len(s.Premises))
	for k, q := range s.Premises {
		premises[k], derived[k] = index[q], heads[q]
	}
	parts, head, err := transform.CarryRepeat(r.Old.Pool, s.Repeat, derived, func(i term.Num, derived [][]term.Value) ([]witness.Step, []term.Value, error) {
		round := expansion{pool: x.pool, build: witness.NewRoundBuilder(x.pool, len(derived))}
		own := make([]int, len(derived))
		for k := range own {
			own[k] = k
		}
		derived = append([][]term.Value(nil), derived...)
		for _, t := range s.Repeat.Round {
			last, head, err := r.step(ctx, rec, round, t.At(i), own, derived)
			if err != nil {
				return nil, nil, err
			}
			own, derived = append(own, last), append(derived, head)
		}
		return round.build.Round(), derived[len(derived)-1], nil
	})
	if err != nil {
		return 0, nil, err
	}
	for _, part := range parts {
		premises[0] = x.build.AddRepeat(part, premises)
	}
	return premises[0], head, nil
}

// complete returns values for all variables of the step's clause; it looks for better ones with a solver when those of
// the step leave the clause's constraint open.
func (r *Resolution) complete(ctx context.Context, rec *transform.Recoverer, s witness.Step, heads [][]term.Value) (map[*term.Term]term.Value, []term.Value, error) {
	c := s.Clause
	if c.ID >= len(r.From) || r.New.Clauses[c.ID] != c {
		return nil, nil, fmt.Errorf("clause %d is not of the transformed system", c.ID)
	}
	if len(s.Premises) != len(c.Body) {
		return nil, nil, fmt.Errorf("clause %d has %d atoms, the step %d premises", c.ID, len(c.Body), len(s.Premises))
	}
	in := transform.Instance{Clause: c, Hints: s.Values, Premises: s.Premises}
	for _, q := range s.Premises {
		in.Body = append(in.Body, heads[q])
	}
	if head, ok := rec.Evaluate(&in); ok {
		return in.Values, head, nil
	}
	if c.Head != nil {
		in.Head = make([]*term.Value, len(c.Head.Args))
		ev := term.NewEvaluator(rec.Pool, term.MapAssignment(s.Values))
		for j, t := range c.Head.Args {
			if v, ok := ev.Eval(t); ok {
				in.Head[j] = &v
			}
		}
	}
	head, err := rec.Solve(ctx, &in)
	return in.Values, head, err
}

// expansion builds the refutation of the old system.
type expansion struct {
	pool  *term.Pool
	build *witness.RefutationBuilder
}

// expand adds the steps that an instance of d's clause stands for and returns the number of the last one. The premises
// are numbers of steps of the result, one for each of the clause's body atoms.
func (x *expansion) expand(d *Derivation, vals map[*term.Term]term.Value, premises []int) (int, error) {
	if d.Use == nil {
		return x.build.Add(d.Clause, vals, premises), nil
	}
	spliced := make([]int, len(d.Atoms))
	for i, j := range d.Atoms {
		spliced[i] = premises[j]
	}
	ev := term.NewEvaluator(x.pool, term.Complete(x.pool, term.MapAssignment(vals)))
	if d.def != nil {
		dv, err := definedValues(ev, d.def, d.defValues)
		if err != nil {
			return 0, err
		}
		end := d.position + len(d.def.Clause.Body)
		step, err := x.expand(d.def, dv, spliced[d.position:end])
		if err != nil {
			return 0, err
		}
		rest := spliced[end:]
		spliced = append(append(append([]int(nil), spliced[:d.position]...), step), rest...)
	}
	uv, err := definedValues(ev, d.Use, d.UseValues)
	if err != nil {
		return 0, err
	}
	return x.expand(d.Use, uv, spliced)
}

// definedValues evaluates the variables of the clause of d as they are defined over those of a derived clause.
func definedValues(ev *term.Evaluator, d *Derivation, defs map[*term.Term]*term.Term) (map[*term.Term]term.Value, error) {
	vals := make(map[*term.Term]term.Value, len(d.variables()))
	for _, v := range d.variables() {
		t := v
		if u := defs[v]; u != nil {
			t = u
		}
		val, ok := ev.Eval(t)
		if !ok {
			return nil, fmt.Errorf("%w: the value of variable %s of clause %d is not determined", transform.ErrGaveUp, v.Name(), d.Clause.ID)
		}
		vals[v] = val
	}
	return vals, nil
}
