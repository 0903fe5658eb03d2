package catamorphism

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// inductor proves the clauses that no function defines, queries above all, over the functions that were recognised: by
// unfolding them, and by induction.
type inductor struct {
	*definable
	solvers smt.Context
	// goals are the clauses that are not proved yet.
	goals []*chc.Clause
	// hasty proofs are for conjectures, most of which are not needed.
	hasty bool
}

// newInductor returns an inductor; the caller closes it.
func newInductor(d *definable) (*inductor, error) {
	solvers, err := d.open(d.sys.Pool, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver for inductions: %w", err)
	}
	in := &inductor{definable: d, solvers: solvers}
	for _, c := range d.sys.Clauses {
		if c.Head == nil || d.functions[c.Head.Pred] == nil && len(d.invariants[c.Head.Pred.ID]) == 0 {
			in.goals = append(in.goals, c)
		}
	}
	return in, nil
}

func (in *inductor) close() { in.solvers.Close() }

// prove tries the goals once more and reports whether none is left, and the model is one.
func (in *inductor) prove(ctx context.Context) (bool, error) {
	for len(in.goals) > 0 {
		ok, err := in.goal(ctx, in.goals[0])
		if err != nil || !ok {
			return false, err
		}
		in.goals = in.goals[1:]
	}
	return in.holds(ctx, in.model, in.sys.Clauses, smt.Limit{})
}

// goal proves one clause, from what is known, or as a lemma by induction on one of its variables.
func (in *inductor) goal(ctx context.Context, c *chc.Clause) (bool, error) {
	body := in.statement(c)
	if ok, err := in.follows(ctx, body); err != nil || ok {
		return ok, err
	}
	lemma, ok, err := in.induct(ctx, body)
	if ok {
		in.model.Lemmas = append(in.model.Lemmas, lemma)
	}
	return ok, err
}

// follows reports whether a statement follows from the definitions and lemmas by unfolding alone.
func (in *inductor) follows(ctx context.Context, body *term.Term) (bool, error) {
	// Over a variable without constructors, the proof has one case and no hypothesis.
	x := in.sys.Pool.Fresh("unused", term.Int)
	l := witness.Lemma{Vars: append([]*term.Term{x}, term.Vars(body)...), Body: body}
	return witness.ProveLemma(ctx, in.solvers, in.sys.Pool, in.model.Definitions, in.model.Lemmas, l, in.limit, in.hasty)
}

// statement is what a clause says about the functions, with the results of functions put in place of the variables for
// them: that its premises do not hold together, or imply its head.
func (in *inductor) statement(c *chc.Clause) *term.Term {
	p := in.sys.Pool
	premises := []*term.Term{c.Constraint}
	equations := map[*term.Term]*term.Term{}
	for _, b := range c.Body {
		f := in.functions[b.Pred]
		said := in.model.Interpretations[b.Pred].Apply(p, b.Args)
		if f != nil && f.output >= 0 {
			x := b.Args[f.output]
			if value := f.value(p, b.Args); x.IsVar() && equations[x] == nil && !reaches(value, x, equations) {
				equations[x] = value
				continue
			}
		}
		premises = append(premises, said)
	}
	body := p.And(premises...)
	if c.Head != nil {
		body = p.And(body, p.Not(in.model.Interpretations[c.Head.Pred].Apply(p, c.Head.Args)))
	}
	for range equations {
		body = p.Substitute(body, equations)
	}
	return p.Not(body)
}

// reaches reports whether x occurs in t after the equations were put in.
func reaches(t, x *term.Term, equations map[*term.Term]*term.Term) bool {
	for _, y := range term.Vars(t) {
		if y == x || equations[y] != nil && reaches(equations[y], x, equations) {
			return true
		}
	}
	return false
}

// induct proves a statement by induction on one of its datatype variables, the first that succeeds.
func (in *inductor) induct(ctx context.Context, body *term.Term) (witness.Lemma, bool, error) {
	vars := term.Vars(body)
	for i, x := range vars {
		if x.Sort().Data == nil {
			continue
		}
		l := witness.Lemma{Vars: append([]*term.Term{x}, slices.Delete(slices.Clone(vars), i, i+1)...), Body: body}
		ok, err := witness.ProveLemma(ctx, in.solvers, in.sys.Pool, in.model.Definitions, in.model.Lemmas, l, in.limit, in.hasty)
		if err != nil || ok {
			return l, ok, err
		}
	}
	return witness.Lemma{}, false, nil
}
