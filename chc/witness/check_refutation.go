package witness

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// maxProblems is how many problems of one refutation are reported.
const maxProblems = 10

// stepsPerPoll is how many steps are checked before the context is looked at again.
const stepsPerPoll = 100

// CheckRefutation checks that r refutes sys: every step instantiates a clause of sys with values for all its variables
// that make its constraint true, each atom of its body is the head of the premise given for it, which is an earlier
// step, and the last step is an instance of a query. It evaluates with exact arithmetic and calls no solver.
//
// A wrong refutation is an error that wraps ErrInvalid. A constraint or argument whose value the evaluator cannot
// determine (a quantifier, a division by zero) is an error that wraps ErrUndecided, unless something else is wrong; and
// so is a refutation that may be none over universes with fewer elements, of uninterpreted sorts, than it tells apart.
// The first few problems are joined, each a *StepError.
func CheckRefutation(sys *chc.System, r *Refutation) error {
	return CheckRefutationContext(context.Background(), sys, r)
}

// CheckRefutationContext is CheckRefutation that stops when ctx is done; the error then wraps ctx's.
func CheckRefutationContext(ctx context.Context, sys *chc.System, r *Refutation) error {
	if len(r.Steps) == 0 {
		return fmt.Errorf("%w: the refutation has no steps", ErrInvalid)
	}
	c := refutationChecker{
		sys: sys, heads: make([]headAtom, 0, len(r.Steps)), vars: map[*chc.Clause][]*term.Term{},
	}
	for i, s := range r.Steps {
		if i%stepsPerPoll == 0 && ctx.Err() != nil {
			return fmt.Errorf("checking step %d of a refutation: %w", i, ctx.Err())
		}
		c.step(i, s)
		if len(c.invalid) >= maxProblems {
			break
		}
	}
	if last := r.Steps[len(r.Steps)-1]; last.Clause != nil && !last.Clause.IsQuery() {
		c.problem(len(r.Steps)-1, last.Clause, "the last step is not an instance of a query")
	}
	if len(c.invalid) > 0 {
		return errors.Join(c.invalid...)
	}
	if len(c.undecided) > 0 {
		return errors.Join(c.undecided...)
	}
	return c.universes(ctx, r)
}

// headAtom is what a step derives; args is nil when it could not be evaluated.
type headAtom struct {
	pred *chc.Predicate
	args []term.Value
	ok   bool
}

type refutationChecker struct {
	sys *chc.System
	// heads are what the steps so far derive, by step.
	heads []headAtom
	// vars caches each clause's variables.
	vars map[*chc.Clause][]*term.Term
	// withUniverse caches whether a clause has values of uninterpreted sorts.
	withUniverse       map[*chc.Clause]bool
	invalid, undecided []error
}

func (c *refutationChecker) problem(step int, clause *chc.Clause, format string, args ...any) {
	c.invalid = append(c.invalid, &StepError{Step: step, Clause: clause, Detail: fmt.Sprintf(format, args...), Err: ErrInvalid})
}

func (c *refutationChecker) open(step int, clause *chc.Clause, format string, args ...any) {
	if len(c.undecided) >= maxProblems {
		return
	}
	c.undecided = append(c.undecided, &StepError{Step: step, Clause: clause, Detail: fmt.Sprintf(format, args...), Err: ErrUndecided})
}

// step checks one step and records what it derives.
func (c *refutationChecker) step(i int, s Step) {
	c.heads = append(c.heads, headAtom{})
	cl := s.Clause
	if cl == nil {
		c.problem(i, nil, "it has no clause")
		return
	}
	if cl.ID < 0 || cl.ID >= len(c.sys.Clauses) || c.sys.Clauses[cl.ID] != cl {
		c.problem(i, cl, "its clause is not a clause of the system")
		return
	}
	if !c.values(i, s) {
		return
	}
	e := term.NewEvaluator(c.sys.Pool, c.assignment(s))
	switch v, ok := e.Eval(cl.Constraint); {
	case !ok:
		c.open(i, cl, "the value of its constraint is not determined")
	case !v.Bool():
		c.problem(i, cl, "its constraint is false%s", falseConjunct(e, cl.Constraint))
	}
	if len(s.Premises) != len(cl.Body) {
		c.problem(i, cl, "it has %d premises for %d atoms", len(s.Premises), len(cl.Body))
	} else {
		for k, q := range s.Premises {
			c.premise(i, s, k, q, e)
		}
	}
	if cl.Head == nil {
		return
	}
	args, err := evalArgs(e, *cl.Head)
	if err != nil {
		c.open(i, cl, "%v", err)
	}
	c.heads[i] = headAtom{pred: cl.Head.Pred, args: args, ok: err == nil}
}

// clauseVars returns the clause's variables.
func (c *refutationChecker) clauseVars(cl *chc.Clause) []*term.Term {
	vars, ok := c.vars[cl]
	if !ok {
		vars = cl.Vars()
		c.vars[cl] = vars
	}
	return vars
}

// assignment gives values to the clause's own variables and to nothing else: an assignment may also interpret functions,
// and each step could do that in its own way.
func (c *refutationChecker) assignment(s Step) term.Assignment {
	vars := c.clauseVars(s.Clause)
	if len(vars) == len(s.Values) {
		return term.MapAssignment(s.Values)
	}
	own := make(term.MapAssignment, len(vars))
	for _, x := range vars {
		own[x] = s.Values[x]
	}
	return own
}

// values checks that the step gives every variable of its clause a value of its sort.
func (c *refutationChecker) values(i int, s Step) bool {
	good := true
	for _, x := range c.clauseVars(s.Clause) {
		if v, ok := s.Values[x]; !ok {
			c.problem(i, s.Clause, "variable %s has no value", term.QuoteSymbol(x.Name()))
		} else if !isValueOf(c.sys.Pool, v, x.Sort()) {
			c.problem(i, s.Clause, "the value %s of variable %s is not of sort %s", v, term.QuoteSymbol(x.Name()), x.Sort())
		} else {
			continue
		}
		good = false
	}
	return good
}

// isValueOf reports whether v is one of the sort's values, in the one form that makes equal values Equal.
func isValueOf(p *term.Pool, v term.Value, s *term.Sort) bool {
	if v.Sort() != s {
		return false
	}
	switch n := v.Num(); s.Kind {
	case term.BoolKind:
		return n.IsZero() || n.IsOne()
	case term.IntKind:
		return n.IsInt()
	case term.RealKind:
		return true
	case term.BitVecKind:
		return n.IsInt() && n.Sign() >= 0 && n.BigInt().BitLen() <= s.Width
	}
	t := v.Term(p)
	return t != nil && t.IsValue() && t.Pool() == p
}

// premise checks that the k-th atom of the step's body is what step q derives.
func (c *refutationChecker) premise(i int, s Step, k, q int, e *term.Evaluator) {
	atom := s.Clause.Body[k]
	if q < 0 || q >= i {
		c.problem(i, s.Clause, "premise %d of atom %d is not an earlier step", q, k)
		return
	}
	head := c.heads[q]
	if head.pred == nil {
		c.problem(i, s.Clause, "premise %d of atom %d derives nothing", q, k)
		return
	}
	if head.pred != atom.Pred {
		c.problem(i, s.Clause, "premise %d of atom %d derives %s and not %s", q, k,
			term.QuoteSymbol(head.pred.Name), term.QuoteSymbol(atom.Pred.Name))
		return
	}
	if !head.ok {
		return // reported at step q
	}
	args, err := evalArgs(e, atom)
	if err != nil {
		c.open(i, s.Clause, "%v", err)
		return
	}
	for n := range args {
		if !args[n].Equal(head.args[n]) {
			c.problem(i, s.Clause, "argument %d of atom %d is %s, but premise %d derives %s with %s", n, k, args[n], q,
				term.QuoteSymbol(atom.Pred.Name), head.args[n])
			return
		}
	}
}

// falseConjunct names a false conjunct of a false constraint, for the message.
func falseConjunct(e *term.Evaluator, constraint *term.Term) string {
	cs := term.Conjuncts(constraint)
	if len(cs) < 2 {
		return ""
	}
	for _, t := range cs {
		if e.False(t) {
			if t.Size() > 50 {
				return ""
			}
			return ": " + term.Format(t)
		}
	}
	return ""
}
