package spacer

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// share posts what was learned for good since the last time, and reads what others have. It is called where the lemmas
// at infinity are inductive as a whole, which they are not while a frame is being settled.
func (pr *prover) share() error {
	if pr.exchange == nil {
		return nil
	}
	pr.postLemmas()
	return pr.readLemmas()
}

// postLemmas posts the lemmas that reached infinity.
func (pr *prover) postLemmas() {
	if len(pr.unposted) == 0 {
		return
	}
	lemmas := make([]engine.Lemma, len(pr.unposted))
	for i, l := range pr.unposted {
		lemmas[i] = engine.Lemma{Predicate: l.pred.Source, Formula: l.clause}
	}
	pr.unposted = nil
	pr.count("exchange.lemmas.posted", int64(pr.exchange.PostLemmas(lemmas...)))
}

// readLemmas adds others' lemmas to the frame at infinity. It stays inductive, once the model says also what the frame
// does not: what the prover's own form of a lemma leaves out.
func (pr *prover) readLemmas() error {
	for _, news := range pr.exchange.Lemmas() {
		p := pr.preds[news.Predicate.ID]
		for _, clause := range term.Conjuncts(news.Formula) {
			if clause.IsTrue() {
				continue
			}
			pr.count("exchange.lemmas.read", 1)
			cube := term.Conjuncts(pr.pool.Not(clause))
			if p.knows(cube) {
				continue
			}
			l, err := pr.learnForeign(p, cube)
			if err != nil {
				return err
			}
			if l.clause != clause {
				p.weakened = append(p.weakened, clause)
			}
		}
	}
	return nil
}

// learnForeign is learn for a lemma at infinity that need not be posted.
func (pr *prover) learnForeign(p *predicate, cube []*term.Term) (*lemma, error) {
	pr.reading = true
	defer func() { pr.reading = false }()
	return pr.learn(p, cube, infinity)
}

// supersedes is what an assertion adds to the count of those that no longer matter: others' lemmas are final.
func (pr *prover) supersedes() int {
	if pr.reading {
		return 0
	}
	return 1
}

// knows reports whether a lemma at infinity implies that the cube is unreachable.
func (p *predicate) knows(cube []*term.Term) bool {
	return slices.ContainsFunc(p.lemmas, func(l *lemma) bool {
		if l.level < infinity || len(l.cube) > len(cube) {
			return false
		}
		return !slices.ContainsFunc(l.cube, func(t *term.Term) bool { return !slices.Contains(cube, t) })
	})
}

// announce puts a lemma at infinity of the prover's own among those to be posted.
func (pr *prover) announce(l *lemma) {
	if pr.exchange != nil && !pr.reading && l.level >= infinity && l.pred.Source != nil {
		pr.unposted = append(pr.unposted, l)
	}
}
