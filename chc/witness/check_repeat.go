package witness

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness/rounds"
)

// movingAtom is an atom in every round.
type movingAtom struct {
	pred *chc.Predicate
	args []rounds.Form
}

// repeat checks a repetition by induction on the rounds, and records what it derives. The fact that round i starts from is the
// first round step's atom for it, as a form in i: in round 0 it is what the first premise derives, and what round i derives is that
// form at i+1. Every round step's constraint is true in all rounds, and its other premises are the same forms as the atoms. All of
// that is evaluated exactly; what is not linear in i is refused.
func (c *refutationChecker) repeat(i int, s Step) {
	c.heads = append(c.heads, headAtom{})
	wrong := len(c.invalid)
	c.allRounds(i, s)
	if c.heads[i].pred != nil || len(c.invalid) > wrong {
		return
	}
	// It is not decided. What follows is checked as if it held.
	if args, err := HeadValues(c.sys.Pool, s); err == nil && args != nil {
		c.heads[i] = headAtom{pred: s.Repeat.final().Clause.Head.Pred, args: args}
	}
}

// allRounds checks all rounds of a repetition, and records what they derive where that is decided.
func (c *refutationChecker) allRounds(i int, s Step) {
	n := s.Repeat.Count
	if s.Clause != nil || len(s.Values) > 0 || len(s.Terms) > 0 {
		c.problem(i, s.Clause, "it is a repetition and has a clause or values of its own")
		return
	}
	if !n.IsInt() || n.Sign() <= 0 || len(s.Repeat.Round) == 0 || len(s.Premises) == 0 {
		c.problem(i, nil, "it repeats %d steps %s times from %d premises", len(s.Repeat.Round), n, len(s.Premises))
		return
	}
	facts := make([]*movingAtom, 1, len(s.Premises)+len(s.Repeat.Round))
	for k, q := range s.Premises {
		if q < 0 || q >= i || c.heads[q].pred == nil {
			c.problem(i, nil, "premise %d is not an earlier step that derives something", q)
			return
		}
		if c.heads[q].terms != nil {
			c.undecide(i, nil, "premise %d derives something that depends on what SMT-LIB leaves open", q)
			return
		}
		if k > 0 {
			facts = append(facts, constantAtom(c.heads[q]))
		}
	}
	// facts[0] is the fact of the round before, known when the first atom that uses it is.
	for j, round := range s.Repeat.Round {
		head := c.roundStep(i, j, round, n, facts)
		if head == nil {
			return
		}
		facts = append(facts, head)
	}
	carried, derived := facts[0], facts[len(facts)-1]
	if carried == nil {
		c.problem(i, nil, "no step of the round uses the fact of the round before")
		return
	}
	if !carried.starts(c.heads[s.Premises[0]]) {
		c.problem(i, nil, "the first round does not start from what premise %d derives", s.Premises[0])
		return
	}
	if !carried.continues(c.sys.Pool, derived) {
		c.problem(i, nil, "what a round derives is not what the next one starts from")
		return
	}
	out := headAtom{pred: derived.pred, args: []term.Value{}}
	for _, f := range derived.args {
		v, ok := f.Value(c.sys.Pool, s.Repeat.last())
		if !ok {
			c.undecide(i, nil, "what the last round derives is not known")
			return
		}
		out.args = append(out.args, v)
	}
	c.heads[i] = out
}

// roundStep checks a step of a round and returns what it derives; nil when it is wrong or not decided.
func (c *refutationChecker) roundStep(i, j int, s RoundStep, n term.Num, facts []*movingAtom) *movingAtom {
	cl := s.Clause
	if !c.known(i, cl) {
		return nil
	}
	if cl.Head == nil {
		c.problem(i, cl, "step %d of the round is an instance of a query", j)
		return nil
	}
	if c.uninterpreted(cl) {
		c.undecide(i, cl, "step %d of the round has values of an uninterpreted sort", j)
		return nil
	}
	if !c.values(i, Step{Clause: cl, Values: s.Values}) {
		return nil
	}
	vars := c.clauseVars(cl)
	for _, x := range vars {
		if d := s.Increments[x]; !d.IsZero() && (!x.Sort().IsArith() || x.Sort() == term.Int && !d.IsInt()) {
			c.problem(i, cl, "%s is no increment for variable %s of sort %s", d, term.QuoteSymbol(x.Name()), x.Sort())
			return nil
		}
		if w, ok := s.Next[x]; ok {
			line := !x.Sort().IsArith() && isValueOf(c.sys.Pool, w, x.Sort())
			if line {
				_, line = rounds.Line(c.sys.Pool, s.Values[x], w)
			}
			if !line {
				c.problem(i, cl, "%s is no value in the second round for variable %s of sort %s", w, term.QuoteSymbol(x.Name()), x.Sort())
				return nil
			}
		}
	}
	r := rounds.New(c.sys.Pool, s.Values, s.Increments, s.Next, vars, n.Sub(term.NewInt(1)))
	switch v, ok := r.Truth(cl.Constraint); {
	case !ok && c.falseInSome(s, n):
		c.problem(i, cl, "the constraint of step %d of the round is false in a round", j)
		return nil
	case !ok:
		c.undecide(i, cl, "the constraint of step %d of the round is not linear, or not decided by linear atoms that are the same in all rounds", j)
		return nil
	case !v:
		c.problem(i, cl, "the constraint of step %d of the round is false", j)
		return nil
	}
	if len(s.Premises) != len(cl.Body) {
		c.problem(i, cl, "step %d of the round has %d premises for %d atoms", j, len(s.Premises), len(cl.Body))
		return nil
	}
	for k, q := range s.Premises {
		atom := c.movingAtom(i, cl, r, cl.Body[k])
		if atom == nil {
			return nil
		}
		if q < 0 || q >= len(facts) {
			c.problem(i, cl, "premise %d of step %d of the round is not an earlier step", q, j)
			return nil
		}
		if facts[q] == nil {
			facts[q] = atom
		} else if !facts[q].equal(atom) {
			c.problem(i, cl, "atom %d of step %d of the round is not what its premise derives in every round", k, j)
			return nil
		}
	}
	return c.movingAtom(i, cl, r, *cl.Head)
}

// falseInSome reports whether the constraint of a round's step is false in the first, the middle or the last round.
func (c *refutationChecker) falseInSome(s RoundStep, n term.Num) bool {
	last := n.Sub(term.NewInt(1))
	half, _ := term.EuclidDiv(last, term.NewInt(2))
	for _, i := range []term.Num{{}, half, last} {
		if term.NewEvaluator(c.sys.Pool, c.assignment(s.At(i))).False(s.Clause.Constraint) {
			return true
		}
	}
	return false
}

// movingAtom evaluates an atom over all rounds; nil, and the step is not decided, when that is not possible.
func (c *refutationChecker) movingAtom(i int, cl *chc.Clause, r *rounds.Evaluator, a chc.App) *movingAtom {
	out := &movingAtom{pred: a.Pred}
	for n, t := range a.Args {
		f, ok := r.Eval(t)
		if !ok {
			c.undecide(i, cl, "argument %d of %s is not linear in the number of the round", n, term.QuoteSymbol(a.Pred.Name))
			return nil
		}
		out.args = append(out.args, f)
	}
	return out
}

// constantAtom is a fact that is the same in every round.
func constantAtom(h headAtom) *movingAtom {
	out := &movingAtom{pred: h.pred}
	for _, v := range h.args {
		out.args = append(out.args, rounds.Form{Base: v})
	}
	return out
}

// equal reports whether two atoms are the same in every round.
func (a *movingAtom) equal(b *movingAtom) bool {
	if a.pred != b.pred {
		return false
	}
	for k := range a.args {
		if !a.args[k].Equal(b.args[k]) {
			return false
		}
	}
	return true
}

// starts reports whether the atom is the given one in the first round.
func (a *movingAtom) starts(h headAtom) bool {
	if a.pred != h.pred {
		return false
	}
	for k := range a.args {
		if !a.args[k].Base.Equal(h.args[k]) {
			return false
		}
	}
	return true
}

// continues reports whether what a round derives is the atom of the next round.
func (a *movingAtom) continues(p *term.Pool, derived *movingAtom) bool {
	if a.pred != derived.pred {
		return false
	}
	for k, f := range a.args {
		next, ok := f.Advance(p)
		if !ok || !next.Equal(derived.args[k]) {
			return false
		}
	}
	return true
}
