package induction

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Check asks whether formulas hold together.
type Check func(ctx context.Context, formulas ...*term.Term) (smt.Status, error)

// Prover proves the clauses that no function defines, queries above all, over the predicates that were recognised as
// functions: by unfolding these, and by induction.
type Prover struct {
	sys        *chc.System
	open       smt.Opener
	check      Check
	options    Options
	invariants Invariants
	functions  map[*chc.Predicate]*function
	// model is the one in the making: the functions' definitions, and the lemmas that were proved about them.
	model   *witness.Model
	solvers smt.Context
	// goals are the clauses that are not proved yet.
	goals []*chc.Clause
	// explorer is what Explore goes on with.
	explorer *explorer
	// measured says that sizes are defined, signed is the number of definitions of which signs were looked for, and basic are the lemmas
	// about those.
	measured bool
	signed   int
	basic    []witness.Lemma
	// compared are the arguments that clauses of functions compare with constants.
	compared counting
	// rules are the larger sides of equations that hold.
	rules []*term.Term
	// quick proofs are for conjectures, most of which are not needed.
	quick bool
}

// New recognises functions among the predicates of a system, of which the invariants hold, and returns a prover about them;
// the caller closes it. When it is stopped by an error, the prover knows what was recognised until then. check may be any
// solver; open opens those that lemmas are proved in.
func New(ctx context.Context, sys *chc.System, inv Invariants, open smt.Opener, check Check, o Options) (*Prover, error) {
	solvers, err := open(sys.Pool, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver for inductions: %w", err)
	}
	pr := &Prover{
		sys: sys, open: open, check: check, options: o, invariants: inv, functions: map[*chc.Predicate]*function{}, compared: counting{},
		model: witness.NewModel(), solvers: solvers,
	}
	err = pr.recognise(ctx)
	for _, c := range sys.Clauses {
		if c.Head == nil || pr.functions[c.Head.Pred] == nil && len(inv[c.Head.Pred.ID]) == 0 {
			pr.goals = append(pr.goals, c)
		}
	}
	return pr, err
}

// Close frees the solvers.
func (pr *Prover) Close() { pr.solvers.Close() }

// Recognised is the number of predicates that are functions.
func (pr *Prover) Recognised() int { return len(pr.functions) }

// Model is what was proved so far: a model of the clauses when Prove or Explore has reported that.
func (pr *Prover) Model() *witness.Model { return pr.model }

// limit is that of one query about clauses or lemmas.
func (pr *Prover) limit() smt.Limit { return smt.Limit{Time: pr.options.QueryTime} }

// Prove tries the goals once more and reports whether none is left, and the model is one.
func (pr *Prover) Prove(ctx context.Context) (bool, error) {
	for len(pr.goals) > 0 {
		ok, err := pr.goal(ctx, pr.goals[0])
		if err != nil || !ok {
			return false, err
		}
		pr.goals = pr.goals[1:]
	}
	return pr.holds(ctx, pr.model, pr.sys.Clauses, smt.Limit{})
}

// goal proves one clause, from what is known, or as a lemma by induction on one of its variables.
func (pr *Prover) goal(ctx context.Context, c *chc.Clause) (bool, error) {
	body := pr.statement(c)
	if ok, err := pr.follows(ctx, body); err != nil || ok {
		return ok, err
	}
	lemma, ok, err := pr.induct(ctx, body, pr.model.Lemmas)
	if ok {
		pr.model.Lemmas = append(pr.model.Lemmas, lemma)
	}
	return ok, err
}

// follows reports whether a statement follows from the definitions and lemmas by unfolding alone.
func (pr *Prover) follows(ctx context.Context, body *term.Term) (bool, error) {
	// Over a variable without constructors, the proof has one case and no hypothesis.
	x := pr.sys.Pool.Fresh("unused", term.Int)
	l := witness.Lemma{Vars: append([]*term.Term{x}, term.Vars(body)...), Body: body}
	return witness.ProveLemma(ctx, pr.solvers, pr.sys.Pool, pr.model.Definitions, pr.model.Lemmas, l, pr.limit(), pr.quick)
}

// statement is what a clause says about the functions, with the results of functions put in place of the variables for
// them: that its premises do not hold together, or imply its head.
func (pr *Prover) statement(c *chc.Clause) *term.Term {
	p := pr.sys.Pool
	premises := []*term.Term{c.Constraint}
	equations := map[*term.Term]*term.Term{}
	for _, b := range c.Body {
		f := pr.functions[b.Pred]
		said := pr.model.Interpretations[b.Pred].Apply(p, b.Args)
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
		body = p.And(body, p.Not(pr.model.Interpretations[c.Head.Pred].Apply(p, c.Head.Args)))
	}
	for range equations {
		body = p.Substitute(body, equations)
	}
	return p.Not(body)
}

// reaches reports whether x occurs in t after the equations were put pr.
func reaches(t, x *term.Term, equations map[*term.Term]*term.Term) bool {
	for _, y := range term.Vars(t) {
		if y == x || equations[y] != nil && reaches(equations[y], x, equations) {
			return true
		}
	}
	return false
}

// induct proves a statement, with the lemmas of proved, by induction on one of its variables, the first that succeeds: a datatype's, or,
// where a function recurs on a number, one that stands for numbers.
func (pr *Prover) induct(ctx context.Context, body *term.Term, proved []witness.Lemma) (witness.Lemma, bool, error) {
	vars := term.Vars(body)
	numbers := slices.ContainsFunc(pr.model.Definitions, func(d witness.Definition) bool { return d.Func.Domain[0] == term.Int })
	for i, x := range vars {
		if x.Sort().Data == nil && !(numbers && x.Sort() == term.Int) {
			continue
		}
		l := witness.Lemma{Vars: append([]*term.Term{x}, slices.Delete(slices.Clone(vars), i, i+1)...), Body: body}
		ok, err := witness.ProveLemma(ctx, pr.solvers, pr.sys.Pool, pr.model.Definitions, proved, l, pr.limit(), pr.quick)
		if err != nil || ok {
			return l, ok, err
		}
	}
	return witness.Lemma{}, false, nil
}
