package spacer

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// propagate pushes lemmas to higher levels, from the lowest level at which one was learned since the last time. It
// reports whether a level up to bound became empty: then the lemmas above it are inductive, and the goal is among them.
func (pr *prover) propagate(ctx context.Context, bound int) (bool, error) {
	if pr.goalBlocked() {
		return true, nil
	}
	from := pr.lowest
	pr.lowest = infinity
	for level := from; level <= bound || pr.anyAt(level); level++ {
		if level >= infinity {
			break
		}
		left := false
		for _, p := range pr.preds {
			stayed, err := pr.pushLevel(ctx, p, level)
			if err != nil {
				return false, err
			}
			left = left || stayed
		}
		if left {
			continue
		}
		if err := pr.settle(level); err != nil {
			return false, err
		}
		return level <= bound, nil
	}
	return pr.goalBlocked(), nil
}

// goalBlocked reports whether the goal is unreachable in any number of steps: the lemmas at infinity, each of which is
// inductive relative to the others, exclude it.
func (pr *prover) goalBlocked() bool {
	for _, l := range pr.goal.lemmas {
		if l.level >= infinity && len(l.cube) == 0 {
			return true
		}
	}
	return false
}

func (pr *prover) anyAt(level int) bool {
	for _, p := range pr.preds {
		for _, l := range p.lemmas {
			if l.level == level {
				return true
			}
		}
	}
	return false
}

// pushLevel tries to raise the lemmas of p at exactly the given level and reports whether one stayed.
func (pr *prover) pushLevel(ctx context.Context, p *predicate, level int) (bool, error) {
	stayed := false
	for _, l := range append([]*lemma(nil), p.lemmas...) {
		if l.level != level || l.gone {
			continue
		}
		raised, err := pr.push(ctx, l)
		if err != nil {
			return false, err
		}
		if raised {
			pr.count("rule.Induction", 1)
			pr.dropImplied(l)
			continue
		}
		stayed = true
	}
	return stayed, nil
}

// push asks whether a lemma also holds one level higher, and raises it as far as the answer's core allows. The model of a failed push
// (CTP) is not kept: reading it costs more than the few pushes that it would answer.
func (pr *prover) push(ctx context.Context, l *lemma) (bool, error) {
	f, err := pr.frameFor(l.pred)
	if err != nil {
		return false, err
	}
	pr.count("pushes", 1)
	status, err := f.try(ctx, append(append([]*term.Term(nil), l.cube...), f.background(l.level+1)...))
	if err != nil {
		return false, err
	}
	if status != smt.Unsat {
		return false, nil
	}
	return true, pr.raise(l, max(l.level+1, f.usedLevel(f.solver.Core())))
}

// settle raises every lemma above level to infinity: the frames from there on are inductive.
func (pr *prover) settle(level int) error {
	for _, p := range pr.preds {
		for _, l := range p.lemmas {
			if l.level > level {
				if err := pr.raise(l, infinity); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
