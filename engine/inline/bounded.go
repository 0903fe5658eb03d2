package inline

import (
	"context"
	"time"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
)

// bounded is what the search learns from trees that have no counterexample because sites beyond the bound are blocked.
// Labels of such a tree, with false for the blocked sites, hold only of what is derived without them; but parts of them
// may be inductive, as IMPACT and Duality find. What is inductive is a summary from then on, and the proof when it
// excludes the queries.
type bounded struct {
	// due is the recursion bound from which the next tree is labelled.
	due int
	// pool keeps the labels of all trees: what one did not suffice for, several may.
	pool *candidates
	// spent is the time that went into all this; failed is how often it came to an end before its time was up.
	spent time.Duration
}

const (
	// boundedNodes is the largest tree that is labelled for candidates.
	boundedNodes = 300
	// boundedPart is the part of the run's time, as its inverse, that candidates may take beside what the first
	// attempts take, each of which has boundedFloor.
	boundedPart  = 3
	boundedFloor = 500 * time.Millisecond
)

// prove tries to make a proof of the tree, which has no counterexample while the sites are blocked. It returns nil when
// that comes to nothing.
func (s *search) prove(ctx context.Context, blocked []*site) (*engine.Answer, error) {
	if !s.options.boundedLabels || s.settings.Inductive == nil || s.bound < s.labels.due || s.nodes > boundedNodes {
		return nil, nil
	}
	s.labels.due = s.bound + max(1, s.bound/2)
	elapsed := time.Since(s.start)
	if s.labels.spent > boundedFloor && s.labels.spent > elapsed/boundedPart {
		return nil, nil
	}
	begin := time.Now()
	defer func() {
		s.labels.spent += time.Since(begin)
		s.settings.Stats.AddTime("time.inline.bounded", time.Since(begin))
	}()
	limited, cancel := context.WithTimeout(ctx, max(boundedFloor, elapsed/boundedPart))
	defer cancel()
	m, err := s.fromLabels(limited, blocked)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil, err != nil && honest(ctx, err):
		return nil, nil
	case err != nil || m == nil:
		return nil, err
	}
	return &engine.Answer{Verdict: engine.Sat, Model: m}, nil
}

// fromLabels labels the tree and looks for what is inductive.
func (s *search) fromLabels(ctx context.Context, blocked []*site) (*witness.Model, error) {
	s.count("inline.bounded.trees", 1)
	p := &proof{hunter: s.hunter, blocked: map[*site]bool{}}
	for _, b := range blocked {
		p.blocked[b] = true
	}
	if err := p.shrink(ctx); err != nil {
		return nil, err
	}
	if err := p.label(ctx, itp.Options{Time: s.options.proofLimit.Time}); err != nil && !honest(ctx, err) {
		return nil, err
	}
	if s.labels.pool == nil {
		s.labels.pool = newCandidates()
		s.labels.pool.addAtoms(s.program)
	}
	s.labels.pool.addLabels(p)
	survivors, err := s.inductive(ctx, s.labels.pool)
	if err != nil {
		return nil, err
	}
	m, err := s.excluding(ctx, survivors)
	if m == nil && err == nil {
		s.strengthen(survivors)
		s.postLemmas(survivors)
	}
	return m, err
}

// strengthen makes summaries of formulas that together are inductive.
func (h *hunter) strengthen(survivors map[*predicate][]*term.Term) {
	news := map[*predicate]*term.Term{}
	for _, p := range h.preds {
		whole := h.pool.And(append([]*term.Term{p.summary}, survivors[p]...)...)
		if whole == p.summary {
			continue
		}
		h.count("inline.bounded.lemmas", int64(len(term.Conjuncts(whole))-len(term.Conjuncts(p.summary))))
		p.summary = whole
		news[p] = h.pool.And(survivors[p]...)
	}
	if len(news) == 0 {
		return
	}
	for _, o := range h.open {
		if f := news[o.pred]; f != nil {
			h.assert(h.pool.Implies(o.edge, h.at(o.pred, f, o.args)))
		}
	}
}
