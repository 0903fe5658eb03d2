package spacer

import (
	"fmt"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
)

// fact is a must summary: every state of formula is reachable, by rule from states of the premises.
type fact struct {
	id   int
	pred *predicate
	// formula is over the parameters and, for a rule without a body, the rule's locals (read existentially).
	formula *term.Term
	rule    *rule.Rule
	// premises justify the fact: one reach fact a body atom of the rule.
	premises []*fact
	// copies are the formula over the copies of the predicate, by their number, with locals renamed apart.
	copies []*term.Term
}

// at returns the fact's formula over the copy of its predicate that an atom has.
func (f *fact) at(pr *prover, a *rule.Atom) *term.Term {
	for len(f.copies) <= a.Occurrence {
		f.copies = append(f.copies, nil)
	}
	if f.copies[a.Occurrence] == nil {
		renamed := pr.copies.ToCopy(a, f.formula)
		if f.rule.IsFact() && len(f.rule.Locals) > 0 {
			own := make(map[*term.Term]*term.Term, len(f.rule.Locals))
			for _, v := range f.rule.Locals {
				own[v] = pr.pool.Fresh(v.Name(), v.Sort())
			}
			renamed = pr.pool.Substitute(renamed, own)
		}
		f.copies[a.Occurrence] = renamed
	}
	return f.copies[a.Occurrence]
}

// seedFacts makes each rule without a body a reach fact, its own constraint.
func (pr *prover) seedFacts() error {
	for _, r := range pr.system.Rules {
		if r.IsFact() {
			if _, err := pr.addFact(pr.of(r.Head), r.Trans, r, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFact records a reach fact and asserts it wherever its predicate is read. A fact that is known is returned as it is.
func (pr *prover) addFact(p *predicate, formula *term.Term, r *rule.Rule, premises []*fact) (*fact, error) {
	if known := p.factOf[formula]; known != nil {
		return known, nil
	}
	f := &fact{id: pr.nextFact, pred: p, formula: formula, rule: r, premises: premises}
	pr.nextFact++
	p.factOf[formula] = f
	p.facts = append(p.facts, f)
	pr.count("facts", 1)
	if pr.tracing() {
		pr.emit("reach", engine.Field{Name: "predicate", Value: p.Name}, engine.Field{Name: "rule", Value: r.Clause.ID},
			engine.Field{Name: "formula", Value: formula.String()})
	}
	if !pr.options.must {
		return f, nil
	}
	if p.frame != nil {
		if err := p.frame.addOwnFact(f); err != nil {
			return nil, fmt.Errorf("assert a reach fact of %s: %w", p.Name, err)
		}
	}
	for _, u := range p.Uses {
		if fr := pr.of(u.Rule.Head).frame; fr != nil {
			if err := fr.addBodyFact(u, f); err != nil {
				return nil, fmt.Errorf("assert a reach fact of %s: %w", p.Name, err)
			}
		}
	}
	return f, nil
}

// covered returns, for each body atom of a rule, a reach fact that holds in the model, or nil where none does.
func (pr *prover) covered(r *rule.Rule, m term.Assignment) []*fact {
	facts := make([]*fact, len(r.Body))
	eval := term.NewEvaluator(pr.pool, m)
	for i, a := range r.Body {
		for _, f := range pr.of(a.Pred).facts {
			if eval.True(f.at(pr, a)) {
				facts[i] = f
				break
			}
		}
	}
	return facts
}

// newFact is the rule Successor: from a model of the rule in which every body atom is covered by a reach fact, a
// projection of the rule and those facts to the parameters is reachable.
func (pr *prover) newFact(r *rule.Rule, premises []*fact, m term.Assignment) (*fact, error) {
	if r.IsFact() {
		return pr.addFact(pr.of(r.Head), r.Trans, r, nil)
	}
	formulas := []*term.Term{r.Trans}
	for i, f := range premises {
		formulas = append(formulas, f.at(pr, r.Body[i]))
	}
	cube, err := pr.projectTo(formulas, r.Head.Params, m)
	if err != nil {
		return nil, fmt.Errorf("project a reach fact of %s: %w", r.Head.Name, err)
	}
	pr.count("rule.Successor", 1)
	return pr.addFact(pr.of(r.Head), pr.pool.And(cube...), r, premises)
}

// must returns the reach facts of a predicate that queries may use: none in GPDR.
func (pr *prover) must(p *predicate) []*fact {
	if !pr.options.must {
		return nil
	}
	return p.facts
}
