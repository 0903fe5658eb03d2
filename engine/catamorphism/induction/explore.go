package induction

import (
	"context"
	"slices"

	"hornbeam/chc/term"
)

// explorer looks for equations between the recognised functions that induction proves: associativity, what a function does
// to an empty list, how one distributes over another. Terms that are equal under all of a fixed set of assignments are
// conjectured to be equal, small ones first (theory exploration as in QuickSpec).
type explorer struct {
	*Prover
	vars map[*term.Sort][]*term.Term
	// terms are by sort, and within it by the number of symbols.
	terms       map[*term.Sort][][]*term.Term
	sorts       []*term.Sort
	assignments []term.Assignment
	// trials are more assignments, for the few equations that are conjectured.
	trials []term.Assignment
	// counts are the arguments that count, and sums says that terms may be sums.
	counts counting
	sums   bool
	// symbols is the size of the terms so far, pending are the conjectures of that size that were not tried, failed those that
	// were not proved since the last lemma, and tried is the number of all that were tried. renewed says that there are lemmas with
	// which the goals were only tried quickly.
	symbols         int
	pending, failed []conjecture
	tried           int
	renewed         bool
	// simple says that the last lemma needs no others.
	simple bool
}

// conjecture is an equation to be proved.
type conjecture struct{ small, large *term.Term }

// Explore adds equations to the model's lemmas until the goals are proved; it reports whether they were. When it is called
// again it goes on where an error, such as the end of its time, stopped it.
func (pr *Prover) Explore(ctx context.Context) (bool, error) {
	for {
		if err := pr.signs(ctx); err != nil {
			return false, err
		}
		if pr.explorer == nil {
			pr.explorer = newExplorer(pr)
		}
		if ok, err := pr.explorer.explore(ctx); err != nil || ok {
			return ok, err
		}
		// Where the functions themselves say too little, their results may have sizes that tell them apart.
		if !pr.measure() {
			return false, nil
		}
		pr.explorer = nil
	}
}

func newExplorer(pr *Prover) *explorer {
	e := &explorer{Prover: pr, vars: map[*term.Sort][]*term.Term{}, terms: map[*term.Sort][][]*term.Term{}}
	e.counts = findCounting(pr.sys.Pool, pr.model.Definitions, pr.compared)
	e.sums = len(e.counts) > 0 || slices.ContainsFunc(pr.model.Definitions, addsUp)
	e.begin()
	return e
}

// explore is Explore for the functions that there were when the explorer was made.
func (e *explorer) explore(ctx context.Context) (bool, error) {
	if e.renewed {
		if ok, err := e.Prove(ctx); err != nil || ok {
			return ok, err
		}
		e.renewed = false
	}
	for {
		for len(e.pending) > 0 {
			if e.tried >= e.options.Equations {
				return false, nil
			}
			added, err := e.next(ctx)
			if err != nil {
				return false, err
			}
			if !added {
				continue
			}
			e.renewed = true
			if ok, err := e.quickly(ctx); err != nil || ok {
				return ok, err
			}
			if ok, err := e.alone(ctx); err != nil || ok {
				return ok, err
			}
		}
		if e.renewed {
			if ok, err := e.Prove(ctx); err != nil || ok {
				return ok, err
			}
			e.renewed = false
		}
		if e.symbols >= e.options.Symbols {
			return false, nil
		}
		e.grow(e.symbols + 1)
		pending, err := e.conjectures(ctx, e.symbols+1)
		if err != nil {
			return false, err
		}
		e.symbols, e.pending = e.symbols+1, pending
	}
}

// quickly tries the goals once more, without proofs that take long.
func (e *explorer) quickly(ctx context.Context) (bool, error) {
	e.quick = true
	defer func() { e.quick = false }()
	return e.Prove(ctx)
}

// alone tries the goals with sizes and the last lemma only, where that needs no other: among many lemmas the solver gets lost.
func (e *explorer) alone(ctx context.Context) (bool, error) {
	if !e.measured || !e.simple {
		return false, nil
	}
	all, goals, limit := e.model.Lemmas, e.goals, e.options.QueryTime
	e.model.Lemmas, e.options.QueryTime = append(slices.Clone(e.basic), all[len(all)-1]), limit/aloneShare
	ok, err := e.Prove(ctx)
	e.options.QueryTime = limit
	if !ok || err != nil {
		e.model.Lemmas, e.goals = all, goals
	}
	return ok, err
}

// next tries the first of the pending conjectures, and reports whether it is a lemma now.
func (e *explorer) next(ctx context.Context) (bool, error) {
	c := e.pending[0]
	if body := e.likely(c); body != nil {
		added, known, err := e.attempt(ctx, c, body)
		if err != nil {
			return false, err
		}
		e.tried++
		e.pending = e.pending[1:]
		switch {
		case added:
			// What was not proved may follow now, and says more: it is smaller.
			e.pending, e.failed = slices.Concat(e.failed, e.pending), nil
		case !known:
			e.failed = append(e.failed, c)
		}
		return added, nil
	}
	e.pending = e.pending[1:]
	return false, nil
}

// likely is what a conjecture says, under the condition that what counts is not negative where it is false otherwise. It is nil when the
// trials refute that, or earlier equations say the same.
func (e *explorer) likely(c conjecture) *term.Term {
	if e.reducible(c.small) || e.reducible(c.large) {
		return nil
	}
	p := e.sys.Pool
	body := p.Eq(c.small, c.large)
	if e.survives(body) {
		return body
	}
	if under := e.counts.conditional(p, body); under != body && e.survives(under) {
		return under
	}
	return nil
}

// attempt proves a conjecture that does not follow from what is known without induction, and adds it to the lemmas.
func (e *explorer) attempt(ctx context.Context, c conjecture, body *term.Term) (added, known bool, err error) {
	e.quick = true
	defer func() { e.quick = false }()
	if known, err = e.follows(ctx, body); err != nil {
		return false, false, err
	}
	if !known {
		lemma, simple, err := e.induct(ctx, body, e.basic)
		if added = simple; err == nil && !simple && len(e.model.Lemmas) > len(e.basic) {
			lemma, added, err = e.induct(ctx, body, e.model.Lemmas)
		}
		if err != nil || !added {
			return false, false, err
		}
		e.model.Lemmas, e.simple = append(slices.Clip(e.model.Lemmas), lemma), simple
	}
	if !instanceOf(c.large, c.small, map[*term.Term]*term.Term{}) {
		e.rules = append(e.rules, c.large)
	}
	return added, known, nil
}
