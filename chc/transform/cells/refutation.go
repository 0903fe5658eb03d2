package cells

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Refutation looks for a refutation of the old system with the clauses and the tree of r, in which each atom's instances
// have derivations of their own: one of them is taken for the atom, the longest or the first. Whether the clauses hold
// together over real arrays is decided by the solver. The error wraps ErrSpurious when they do not for any of these choices.
func (t *abstraction) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	depth := make([]int, len(r.Steps))
	for i, s := range r.Steps {
		if id := s.Clause.ID; id >= len(t.new.Clauses) || t.new.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		for _, q := range s.Premises {
			depth[i] = max(depth[i], depth[q]+1)
		}
	}
	longest := func(premises []int) int {
		best := premises[0]
		for _, q := range premises[1:] {
			if depth[q] > depth[best] {
				best = q
			}
		}
		return best
	}
	shape := t.shape(r, longest)
	found, err := t.realise(ctx, shape)
	if errors.Is(err, transform.ErrNoInstance) {
		other := t.shape(r, func(premises []int) int { return premises[0] })
		if !sameShape(shape, other) {
			found, err = t.realise(ctx, other)
		}
	}
	if errors.Is(err, transform.ErrNoInstance) {
		return nil, fmt.Errorf("%w: %s", transform.ErrSpurious, cellsNote)
	}
	return found, err
}

// shape returns the steps, without values, of the old clauses: of the premises of an atom's instances choose takes one.
func (t *abstraction) shape(r *witness.Refutation, choose func(premises []int) int) *witness.Refutation {
	out := &witness.Refutation{}
	for _, s := range r.Steps {
		step := witness.Step{Clause: t.old.Clauses[s.Clause.ID]}
		for _, positions := range t.atoms[s.Clause.ID] {
			var premises []int
			for _, j := range positions {
				premises = append(premises, s.Premises[j])
			}
			step.Premises = append(step.Premises, choose(premises))
		}
		out.Steps = append(out.Steps, step)
	}
	return out.Prune()
}

func sameShape(a, b *witness.Refutation) bool {
	if len(a.Steps) != len(b.Steps) {
		return false
	}
	for i, s := range a.Steps {
		if s.Clause != b.Steps[i].Clause || fmt.Sprint(s.Premises) != fmt.Sprint(b.Steps[i].Premises) {
			return false
		}
	}
	return true
}

// realise asks a solver for the values of the steps. It returns ErrNoInstance when there are none or too many steps.
func (t *abstraction) realise(ctx context.Context, shape *witness.Refutation) (*witness.Refutation, error) {
	if t.env.Open == nil || len(shape.Steps) > shapeSteps {
		return nil, transform.ErrNoInstance
	}
	p := t.old.Pool
	renamed := make([]map[*term.Term]*term.Term, len(shape.Steps))
	var fs []*term.Term
	for i, s := range shape.Steps {
		m := map[*term.Term]*term.Term{}
		for _, x := range s.Clause.Vars() {
			m[x] = p.Fresh(x.Name(), x.Sort())
		}
		renamed[i] = m
		sub := p.NewSubstitution(m)
		fs = append(fs, sub.Apply(s.Clause.Constraint))
		for k, a := range s.Clause.Body {
			q := s.Premises[k]
			head := p.NewSubstitution(renamed[q])
			for n, arg := range a.Args {
				fs = append(fs, p.Eq(sub.Apply(arg), head.Apply(shape.Steps[q].Clause.Head.Args[n])))
			}
		}
	}
	found, err := t.ask(ctx, p.And(fs...))
	if err != nil {
		return nil, err
	}
	out := &witness.Refutation{}
	for i, s := range shape.Steps {
		s.Values = map[*term.Term]term.Value{}
		for x, y := range renamed[i] {
			v, ok := found[y]
			if !ok {
				v = term.DefaultValue(p, x.Sort())
			}
			s.Values[x] = v
		}
		out.Steps = append(out.Steps, s)
	}
	// The solver's arrays are printed as finite functions, which may be less precise than its model.
	if err := witness.CheckRefutation(ctx, t.old, out); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, transform.ErrNoInstance
	}
	return out, nil
}

func (t *abstraction) ask(ctx context.Context, f *term.Term) (map[*term.Term]term.Value, error) {
	rec := transform.NewRecoverer(t.env, t.old.Pool)
	defer rec.Close()
	if err := rec.Open(); err != nil {
		return nil, err
	}
	rec.Solver.SetLimit(smt.Limit{Time: shapeLimit})
	found, err := rec.Find(ctx, f)
	if err != nil && ctx.Err() == nil && !errors.Is(err, transform.ErrNoInstance) {
		return nil, fmt.Errorf("%w: %w", transform.ErrNoInstance, err) // the solver gave up
	}
	return found, err
}
