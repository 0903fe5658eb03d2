package spacer

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// fact is a must summary: every state of formula is reachable, by rule from states of the premises.
type fact struct {
	id   int
	pred *predicate
	// formula is over the head copy and, for a rule without a body, the rule's locals (read existentially).
	formula *term.Term
	rule    *rule
	// premises justify the fact: one reach fact a body atom of the rule.
	premises []*fact
	// copies are the formula at body positions, with locals renamed apart.
	copies []*term.Term
}

func (r *rule) fact() bool { return len(r.body) == 0 }

// at returns the fact's formula over the predicate's body copy at a position.
func (f *fact) at(pr *prover, position int) *term.Term {
	for len(f.copies) <= position {
		k := len(f.copies)
		pr.copyAt(f.pred, k)
		shifted := f.pred.shift(f.formula, k)
		if f.rule.fact() && len(f.rule.locals) > 0 {
			renaming := make(map[*term.Term]*term.Term, len(f.rule.locals))
			for _, v := range f.rule.locals {
				renaming[v] = pr.pool.Fresh(v.Name()+"@", v.Sort())
			}
			shifted = pr.pool.Substitute(shifted, renaming)
		}
		f.copies = append(f.copies, shifted)
	}
	return f.copies[position]
}

// seedFacts makes each rule without a body a reach fact, its own constraint.
func (pr *prover) seedFacts() error {
	for _, r := range pr.rules {
		if r.fact() {
			if _, err := pr.addFact(r.head, r.trans, r, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFact records a reach fact and asserts it wherever its predicate is read. It returns nil when the fact was known.
func (pr *prover) addFact(p *predicate, formula *term.Term, r *rule, premises []*fact) (*fact, error) {
	if known := p.factOf[formula]; known != nil {
		return known, nil
	}
	f := &fact{id: pr.nextFact, pred: p, formula: formula, rule: r, premises: premises}
	pr.nextFact++
	p.factOf[formula] = f
	p.facts = append(p.facts, f)
	pr.count("facts", 1)
	if pr.tracing() {
		pr.emit("reach", engine.Field{Name: "predicate", Value: p.name}, engine.Field{Name: "rule", Value: r.clause.ID},
			engine.Field{Name: "formula", Value: formula.String()})
	}
	if !pr.options.must {
		return f, nil
	}
	if p.frame != nil {
		if err := p.frame.addOwnFact(f); err != nil {
			return nil, fmt.Errorf("assert a reach fact of %s: %w", p.name, err)
		}
	}
	for _, u := range p.uses {
		if fr := u.rule.head.frame; fr != nil {
			if err := fr.addBodyFact(u, f); err != nil {
				return nil, fmt.Errorf("assert a reach fact of %s: %w", p.name, err)
			}
		}
	}
	return f, nil
}

// covered returns, for each body atom of a rule, a reach fact that holds in the model, or nil where none does.
func (pr *prover) covered(r *rule, m term.Assignment) []*fact {
	facts := make([]*fact, len(r.body))
	eval := term.NewEvaluator(pr.pool, m)
	for i, q := range r.body {
		for _, f := range q.facts {
			if eval.True(f.at(pr, i)) {
				facts[i] = f
				break
			}
		}
	}
	return facts
}

// newFact is the rule Successor: from a model of the rule in which every body atom is covered by a reach fact, a
// projection of the rule and those facts to the head copy is reachable.
func (pr *prover) newFact(r *rule, premises []*fact, m term.Assignment) (*fact, error) {
	if r.fact() {
		return pr.addFact(r.head, r.trans, r, nil)
	}
	formulas := []*term.Term{r.trans}
	for i, f := range premises {
		formulas = append(formulas, f.at(pr, i))
	}
	cube, err := pr.projectTo(formulas, r.head.vars, m)
	if err != nil {
		return nil, fmt.Errorf("project a reach fact of %s: %w", r.head.name, err)
	}
	pr.count("rule.Successor", 1)
	return pr.addFact(r.head, pr.pool.And(cube...), r, premises)
}

// must returns the reach facts of a predicate that queries may use: none in GPDR.
func (pr *prover) must(p *predicate) []*fact {
	if !pr.options.must {
		return nil
	}
	return p.facts
}
