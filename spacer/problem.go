package spacer

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// infinity is the level of a lemma that holds for every number of steps.
const infinity = 1 << 30

// predicate is an unknown relation together with all that the prover knows of it.
type predicate struct {
	id   int
	name string
	// source is nil for the goal, the 0-ary predicate that every query derives.
	source *chc.Predicate
	// vars is the head copy: one variable an argument.
	vars []*term.Term
	// copies and shifts are indexed by the position of a body atom: its variables and the renaming of the head copy.
	copies [][]*term.Term
	shifts []*term.Substitution
	rules  []*rule
	uses   []use
	// recursive reports whether a rule of the predicate has it in its body.
	recursive bool
	// conflicts counts the obligations of the predicate that were blocked.
	conflicts int
	// congruenceFailures counts the trials of congruences since the last success.
	congruenceFailures int

	lemmas      []*lemma
	lemmaOf     map[*term.Term]*lemma
	facts       []*fact
	factOf      map[*term.Term]*fact
	frame       *frame
	obligations map[obligationKey]*obligation
	// blocks counts how often each cube was blocked.
	blocks map[*term.Term]int

	// beside is what others' lemmas say beyond the form in which they are among lemmas; outward and inward rename the
	// head copy to the canonical parameters and back.
	beside          []*term.Term
	outward, inward *term.Substitution
}

// use is an occurrence of a predicate in the body of a rule.
type use struct {
	rule     *rule
	position int
}

// rule is a clause in normal form: its constraint speaks over the head copy of the head, the body copies of the body
// atoms and variables of its own.
type rule struct {
	id     int
	clause *chc.Clause
	head   *predicate
	body   []*predicate
	trans  *term.Term
	tag    *term.Term
	// values maps every variable of the clause to a term over the rule's variables.
	values map[*term.Term]*term.Term
	locals []*term.Term
}

// problem is the whole system in normal form.
type problem struct {
	pool  *term.Pool
	preds []*predicate
	goal  *predicate
	rules []*rule
}

// newProblem brings a system into the prover's normal form.
func newProblem(sys *chc.System) *problem {
	pr := &problem{pool: sys.Pool}
	byPred := map[*chc.Predicate]*predicate{}
	for _, p := range sys.Predicates {
		byPred[p] = pr.addPredicate(p.Name, p)
	}
	pr.goal = pr.addPredicate("goal", nil)
	for _, c := range sys.Clauses {
		pr.addRule(c, byPred)
	}
	return pr
}

func (pr *problem) addPredicate(name string, source *chc.Predicate) *predicate {
	p := &predicate{
		id: len(pr.preds), name: name, source: source,
		lemmaOf: map[*term.Term]*lemma{}, factOf: map[*term.Term]*fact{}, obligations: map[obligationKey]*obligation{}, blocks: map[*term.Term]int{},
	}
	if source != nil {
		for i, s := range source.Sorts {
			p.vars = append(p.vars, pr.pool.Fresh(fmt.Sprintf("%s.%d", name, i), s))
		}
	}
	pr.preds = append(pr.preds, p)
	return p
}

// copyAt returns the variables of p as the body atom at the given position.
func (pr *problem) copyAt(p *predicate, position int) []*term.Term {
	for len(p.copies) <= position {
		k := len(p.copies)
		vars := make([]*term.Term, len(p.vars))
		renaming := make(map[*term.Term]*term.Term, len(p.vars))
		for i, v := range p.vars {
			vars[i] = pr.pool.Fresh(fmt.Sprintf("%s.%d@%d", p.name, i, k), v.Sort())
			renaming[v] = vars[i]
		}
		p.copies = append(p.copies, vars)
		p.shifts = append(p.shifts, pr.pool.NewSubstitution(renaming))
	}
	return p.copies[position]
}

// addRule turns a clause into a rule: an argument that is a variable seen for the first time becomes the copy's
// variable itself, every other argument an equality; the clause's remaining variables become locals of the rule.
func (pr *problem) addRule(c *chc.Clause, byPred map[*chc.Predicate]*predicate) {
	r := &rule{id: len(pr.rules), clause: c, head: pr.goal, values: map[*term.Term]*term.Term{}}
	var headArgs []*term.Term
	if c.Head != nil {
		r.head, headArgs = byPred[c.Head.Pred], c.Head.Args
	}
	type binding struct{ variable, arg *term.Term }
	var open []binding
	bind := func(variables, args []*term.Term) {
		for i, arg := range args {
			if arg.IsVar() && r.values[arg] == nil {
				r.values[arg] = variables[i]
				continue
			}
			open = append(open, binding{variables[i], arg})
		}
	}
	bind(r.head.vars, headArgs)
	for i, a := range c.Body {
		q := byPred[a.Pred]
		r.body = append(r.body, q)
		bind(pr.copyAt(q, i), a.Args)
	}
	for _, v := range c.Vars() {
		if r.values[v] == nil {
			local := pr.pool.Fresh(fmt.Sprintf("%s#%d", v.Name(), r.id), v.Sort())
			r.values[v] = local
			r.locals = append(r.locals, local)
		}
	}
	renaming := pr.pool.NewSubstitution(r.values)
	parts := []*term.Term{renaming.Apply(c.Constraint)}
	for _, b := range open {
		parts = append(parts, pr.pool.Eq(b.variable, renaming.Apply(b.arg)))
	}
	r.trans = pr.pool.And(parts...)
	r.tag = pr.pool.Fresh(fmt.Sprintf("rule#%d", r.id), term.Bool)
	if r.trans.IsFalse() {
		return
	}
	pr.rules = append(pr.rules, r)
	r.head.rules = append(r.head.rules, r)
	for i, q := range r.body {
		q.uses = append(q.uses, use{r, i})
		if q == r.head {
			q.recursive = true
		}
	}
}

// shift renames a formula over p's head copy to the body copy at a position.
func (p *predicate) shift(t *term.Term, position int) *term.Term { return p.shifts[position].Apply(t) }

// largestCoefficient returns the largest coefficient of a linear atom in the rules, or atLeast if that is more.
func (pr *problem) largestCoefficient(atLeast term.Num) term.Num {
	for _, r := range pr.rules {
		term.Walk(r.trans, func(t *term.Term) bool {
			if t.Op() == term.Mul && t.Arg(0).IsNumeral() && t.Arg(0).Num().Abs().Cmp(atLeast) > 0 {
				atLeast = t.Arg(0).Num().Abs()
			}
			return true
		})
	}
	return atLeast
}

// problemConstants returns the numerals that rules compare with, their multiples by the divisors that occur, the
// neighbours of these and the negations of all, in increasing order.
func (pr *problem) problemConstants() []term.Num {
	one := term.NewInt(1)
	factors := append([]term.Num{one}, pr.moduli()...)
	var all []term.Num
	for _, r := range pr.rules {
		term.Walk(r.trans, func(t *term.Term) bool {
			if t.IsNumeral() {
				for _, f := range factors {
					n := t.Num().Mul(f)
					for _, k := range []term.Num{n.Sub(one), n, n.Add(one)} {
						all = append(all, k, k.Neg())
					}
				}
			}
			return true
		})
	}
	slices.SortFunc(all, term.Num.Cmp)
	return slices.CompactFunc(all, term.Num.Equal)
}
