package spacer

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// lemma is a may summary: the states of cube are unreachable within level steps, so clause, its negation, holds of
// every state reached in at most level steps.
type lemma struct {
	id     int
	pred   *predicate
	cube   []*term.Term
	clause *term.Term
	level  int
	gone   bool
}

// learn adds the lemma "not cube at level" to its predicate, in its own frame and in those of its users. A known lemma
// is raised, and lemmas that the new one implies are dropped.
func (pr *prover) learn(p *predicate, cube []*term.Term, level int) (*lemma, error) {
	cube = pr.guarded(cube)
	clause := pr.pool.Not(pr.pool.And(cube...))
	l := p.lemmaOf[clause]
	if l != nil && !l.gone {
		pr.count("lemmas.repeated", 1)
		return l, pr.raise(l, level)
	}
	l = &lemma{id: pr.nextLemma, pred: p, cube: cube, clause: clause, level: level}
	pr.nextLemma++
	pr.dropImplied(l)
	p.lemmaOf[clause] = l
	p.lemmas = append(p.lemmas, l)
	pr.count("lemmas", 1)
	pr.lowest = min(pr.lowest, level)
	if pr.tracing() {
		pr.emit("lemma", engine.Field{Name: "predicate", Value: p.Name}, engine.Field{Name: "level", Value: levelName(level)},
			engine.Field{Name: "formula", Value: clause.String()})
	}
	return l, pr.publish(l)
}

// raise moves a lemma to a higher level.
func (pr *prover) raise(l *lemma, level int) error {
	if level <= l.level {
		return nil
	}
	l.level = level
	pr.lowest = min(pr.lowest, level)
	return pr.publish(l)
}

// publish asserts a lemma at its level wherever it is read.
func (pr *prover) publish(l *lemma) error {
	pr.announce(l)
	if f := l.pred.frame; f != nil {
		f.stale += pr.supersedes()
		if err := f.addOwnLemma(l); err != nil {
			return fmt.Errorf("assert a lemma of %s: %w", l.pred.Name, err)
		}
	}
	for _, u := range l.pred.Uses {
		if f := pr.of(u.Rule.Head).frame; f != nil {
			f.stale += pr.supersedes()
			if err := f.addBodyLemma(u, l); err != nil {
				return fmt.Errorf("assert a lemma of %s: %w", l.pred.Name, err)
			}
		}
	}
	return nil
}

// dropImplied forgets lemmas whose cubes contain the new one's literals at no higher a level.
func (pr *prover) dropImplied(l *lemma) {
	l.pred.lemmas = slices.DeleteFunc(l.pred.lemmas, func(old *lemma) bool {
		if old == l || old.level > l.level || len(old.cube) < len(l.cube) {
			return false
		}
		for _, lit := range l.cube {
			if !slices.Contains(old.cube, lit) {
				return false
			}
		}
		old.gone = true
		delete(old.pred.lemmaOf, old.clause)
		pr.count("lemmas.subsumed", 1)
		return true
	})
}

// may returns the lemmas of p that hold of everything reached in at most level steps.
func (p *predicate) may(level int) []*lemma {
	var held []*lemma
	for _, l := range p.lemmas {
		if l.level >= level {
			held = append(held, l)
		}
	}
	return held
}

func levelName(level int) any {
	if level >= infinity {
		return "infinity"
	}
	return level
}
