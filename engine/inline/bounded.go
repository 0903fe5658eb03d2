package inline

import (
	"context"
	"time"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/work"
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
	// spent is the time that went into all this; failed is how often it ended before its time was up.
	spent time.Duration
}

// prove tries to make a proof of the tree, which has no counterexample while the sites are blocked. It returns nil when
// no proof is found.
func (s *search) prove(ctx context.Context, blocked []*site) (*engine.Answer, error) {
	if !s.options.boundedLabels || !s.options.prove || s.settings.Inductive == nil || s.bound < s.labels.due || s.nodes > s.options.boundedNodes {
		return nil, nil
	}
	s.labels.due = s.bound + max(1, s.bound/2)
	left := max(s.options.boundedTime, work.Since(ctx, s.begun)/time.Duration(s.options.boundedPart)) - s.labels.spent
	if left <= 0 {
		return nil, nil
	}
	begin, began := work.Now(ctx), time.Now()
	defer func() {
		s.labels.spent += work.Since(ctx, begin)
		s.settings.Stats.AddTime("time.inline.bounded", time.Since(began))
	}()
	limited, cancel := work.WithTimeout(ctx, left)
	defer cancel()
	survivors, excluded, err := s.fromLabels(limited, left/2, blocked)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && (limited.Err() != nil || unproved(ctx, err)):
		return nil, nil
	case err != nil:
		return nil, err
	case !excluded:
		return nil, nil
	}
	m, err := s.checkedModel(ctx, survivors)
	if m == nil {
		return nil, err
	}
	return &engine.Answer{Verdict: engine.Sat, Model: m}, nil
}

// fromLabels labels the tree, within the time for labels, and returns what is inductive of its labels and of those of
// earlier ones, and whether that excludes the queries. Where it does not, it is part of the summaries from now on.
func (s *search) fromLabels(ctx context.Context, forLabels time.Duration, blocked []*site) (map[*predicate][]*term.Term, bool, error) {
	s.count("inline.bounded.trees", 1)
	p := &proof{hunter: s.hunter, blocked: map[*site]bool{}}
	for _, b := range blocked {
		p.blocked[b] = true
	}
	if err := p.shrink(ctx); err != nil {
		return nil, false, err
	}
	labelling, cancel := work.WithTimeout(ctx, forLabels)
	defer cancel()
	// Without the last labels there are the first ones.
	if err := p.label(labelling, itp.Options{Time: s.options.proofTime}); err != nil && !unproved(ctx, err) && labelling.Err() == nil {
		return nil, false, err
	}
	if s.labels.pool == nil {
		s.labels.pool = newCandidates(s.options.candidates)
		s.labels.pool.addAtoms(s.program)
	}
	s.labels.pool.addLabels(p)
	survivors, err := s.inductive(ctx, s.labels.pool)
	if err != nil {
		return nil, false, err
	}
	excluded, err := s.excludesQueries(ctx, s.said(survivors))
	if err == nil && !excluded {
		s.count("inline.bounded.lemmas", int64(s.strengthen(survivors)))
		s.postLemmas(survivors)
	}
	return survivors, excluded, err
}

// strengthen makes summaries of formulas that together are inductive. It returns how many of them are new.
func (h *hunter) strengthen(survivors map[*predicate][]*term.Term) (more int) {
	news := map[*predicate]*term.Term{}
	for _, p := range h.preds {
		whole := h.pool.And(append([]*term.Term{p.summary}, survivors[p]...)...)
		if whole == p.summary {
			continue
		}
		more += len(term.Conjuncts(whole)) - len(term.Conjuncts(p.summary))
		p.summary = whole
		news[p] = h.pool.And(survivors[p]...)
	}
	if len(news) == 0 {
		return 0
	}
	for _, o := range h.open {
		if f := news[o.pred]; f != nil {
			h.assert(h.pool.Implies(o.edge, o.pred.At(f, o.args)))
		}
	}
	if h.tracking != nil {
		// What callers say of an untracked argument matters where the callee's summary speaks of it.
		h.track(nil)
	}
	return more
}
