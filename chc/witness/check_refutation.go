package witness

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// CheckRefutation checks that r refutes sys: every step instantiates a clause of sys with values for all its variables
// that make its constraint true, each atom of its body is the head of the premise given for it, which is an earlier
// step, and the last step is an instance of a query. It evaluates with exact arithmetic and calls no solver.
//
// Where SMT-LIB leaves an operation open (a division by zero, a selector of another constructor), the step must hold
// for every choice: its constraint, with ground terms for the variables, must simplify to true, and the arguments of its
// premises to the same ground terms.
//
// A step that repeats others must hold in every round, which is decided for what is linear in the number of the round, and is
// otherwise an error that wraps ErrUndecided.
//
// A wrong refutation is an error that wraps ErrInvalid. A constraint that depends on what is open, or that has a
// quantifier, and open arguments that differ are errors that wrap ErrUndecided, unless something else is wrong; and
// so is a refutation that may be none over universes with fewer elements, of uninterpreted sorts, than it tells apart.
// The first few problems are joined, each a *StepError. When ctx is done, the error wraps ctx's.
func CheckRefutation(ctx context.Context, sys *chc.System, r *Refutation) error {
	if len(r.Steps) == 0 {
		return fmt.Errorf("%w: the refutation has no steps", ErrInvalid)
	}
	c := refutationChecker{
		sys: sys, heads: make([]headAtom, 0, len(r.Steps)), vars: map[*chc.Clause][]*term.Term{}, open: -1,
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
	if last := r.Steps[len(r.Steps)-1]; last.Repeat != nil || last.Clause != nil && !last.Clause.IsQuery() {
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

// headAtom is what a step derives. Where all arguments are determined, args are their values; otherwise args is nil and
// terms are ground.
type headAtom struct {
	pred  *chc.Predicate
	args  []term.Value
	terms []*term.Term
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
	// open is the first step that rests on ground terms which are not determined, -1 when there is none.
	open int
}

func (c *refutationChecker) problem(step int, clause *chc.Clause, format string, args ...any) {
	c.invalid = append(c.invalid, &StepError{Step: step, Clause: clause, Detail: fmt.Sprintf(format, args...), Err: ErrInvalid})
}

func (c *refutationChecker) undecide(step int, clause *chc.Clause, format string, args ...any) {
	if len(c.undecided) >= maxProblems {
		return
	}
	c.undecided = append(c.undecided, &StepError{Step: step, Clause: clause, Detail: fmt.Sprintf(format, args...), Err: ErrUndecided})
}

// step checks one step and records what it derives.
func (c *refutationChecker) step(i int, s Step) {
	if s.Repeat != nil {
		c.repeat(i, s)
		return
	}
	c.heads = append(c.heads, headAtom{})
	cl := s.Clause
	if !c.known(i, cl) || !c.values(i, s) {
		return
	}
	e := term.NewEvaluator(c.sys.Pool, c.assignment(s))
	switch v, ok := e.Eval(cl.Constraint); {
	case !ok:
		if g := c.ground(i, s, cl.Constraint); !g.IsTrue() {
			c.undecide(i, cl, "its constraint depends on %s", c.undetermined(s, cl.Constraint))
		}
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
	c.heads[i] = c.atom(i, s, e, *cl.Head)
}

// known checks that a clause is one of the system.
func (c *refutationChecker) known(i int, cl *chc.Clause) bool {
	if cl == nil {
		c.problem(i, nil, "it has no clause")
		return false
	}
	if cl.ID < 0 || cl.ID >= len(c.sys.Clauses) || c.sys.Clauses[cl.ID] != cl {
		c.problem(i, cl, "its clause is not a clause of the system")
		return false
	}
	return true
}

// atom evaluates an atom of the step's clause.
func (c *refutationChecker) atom(i int, s Step, e *term.Evaluator, a chc.App) headAtom {
	out := headAtom{pred: a.Pred}
	if args, err := evalArgs(e, a); err == nil {
		out.args = args
		return out
	}
	for _, t := range a.Args {
		out.terms = append(out.terms, c.ground(i, s, t))
	}
	return out
}

// term returns the atom's n-th argument.
func (a headAtom) term(p *term.Pool, n int) *term.Term {
	if a.terms != nil {
		return a.terms[n]
	}
	return a.args[n].Term(p)
}

// ground is Step.Ground for a term that is not determined under the step's values.
func (c *refutationChecker) ground(i int, s Step, t *term.Term) *term.Term {
	if c.open < 0 {
		c.open = i
	}
	return s.Ground(c.sys.Pool, t)
}

// undetermined names an operation in t that is not determined in the step.
func (c *refutationChecker) undetermined(s Step, t *term.Term) string {
	what := "a quantifier"
	term.Walk(s.Ground(c.sys.Pool, t), func(u *term.Term) bool {
		switch u.Op() {
		case term.IntDiv, term.Mod, term.RealDiv, term.Field:
			what = "what " + u.String() + " yields, which SMT-LIB leaves open"
		}
		return true
	})
	return what
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
	if len(vars) == len(s.Values) && len(s.Terms) == 0 {
		return term.MapAssignment(s.Values)
	}
	own := make(term.MapAssignment, len(vars))
	for _, x := range vars {
		if s.Terms[x] == nil {
			own[x] = s.Values[x]
		}
	}
	return own
}

// values checks that the step gives every variable of its clause a value of its sort.
func (c *refutationChecker) values(i int, s Step) bool {
	good := true
	for _, x := range c.clauseVars(s.Clause) {
		if t := s.Terms[x]; t != nil && (t.Sort() != x.Sort() || !t.IsGround() || t.Pool() != c.sys.Pool) {
			c.problem(i, s.Clause, "%s is no ground term for variable %s of sort %s", t, term.QuoteSymbol(x.Name()), x.Sort())
		} else if v, ok := s.Values[x]; !ok {
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
	own := c.atom(i, s, e, atom)
	if own.terms != nil || head.terms != nil {
		p := c.sys.Pool
		for n := range atom.Args {
			x, y := own.term(p, n), head.term(p, n)
			switch {
			case x == y:
			case x.IsValue() && y.IsValue():
				c.problem(i, s.Clause, "argument %d of atom %d is %s, but premise %d derives %s with %s", n, k, x, q,
					term.QuoteSymbol(atom.Pred.Name), y)
				return
			default:
				c.undecide(i, s.Clause, "argument %d of atom %d is %s and premise %d derives %s with %s, which are equal only for some choices of what SMT-LIB leaves open",
					n, k, x, q, term.QuoteSymbol(atom.Pred.Name), y)
				return
			}
		}
		return
	}
	args := own.args
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
