package verify

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// firstBound is the recursion bound that the queries of an unbounded hunt begin with, and boundGrowth what multiplies it
// when all of them have reached it, so that none waits for ever behind another one.
const (
	firstBound  = 16
	boundGrowth = 4
)

// QueryAnswer is what is known of one query of a system: the verdict on the clauses without the other queries.
type QueryAnswer struct {
	Query *chc.Clause
	engine.Answer
	// Bound is the recursion bound up to which there is no bug in the query, while the verdict is unknown.
	Bound int
	// Settled says that nothing more will be found out about it.
	Settled bool
}

// Queries decides each query of a request's system with an engine that hunts up to a bound. The queries are hunted
// together for as long as that settles them: one that fails is taken away, a model proves all of the others. When the
// bound is reached, or the engine gives up, each half is hunted by itself, since a query may be proved alone that is not
// proved together with one that is hard; so k queries of which f fail need at most f+2k runs in a round.
type Queries struct {
	request portfolio.Request
	bound   int
	report  func(QueryAnswer)

	mu      sync.Mutex
	answers []QueryAnswer
	index   map[*chc.Clause]int
	// current are the queries that are being hunted.
	current []*chc.Clause
}

// NewQueries prepares a hunt for the request's queries up to a recursion bound, or for ever when that is 0. The request's
// engine reads the option inline.bound and counts inline.explored; its statistics are not nil. Each query that is
// settled is reported at once, one at a time.
func NewQueries(req portfolio.Request, bound int, report func(QueryAnswer)) *Queries {
	q := &Queries{request: req, bound: bound, report: report, index: map[*chc.Clause]int{}}
	for _, c := range req.System.Clauses {
		if c.IsQuery() {
			q.index[c] = len(q.answers)
			q.answers = append(q.answers, QueryAnswer{Query: c})
		}
	}
	return q
}

// Answers returns what is known now, in the order of the clauses. It may be called at any time.
func (q *Queries) Answers() []QueryAnswer {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.learnBound()
	return slices.Clone(q.answers)
}

// learnBound notes what the present run has explored. The caller holds the lock.
func (q *Queries) learnBound() {
	explored := int(q.request.Stats.Get("inline.explored"))
	for _, c := range q.current {
		a := &q.answers[q.index[c]]
		a.Bound = max(a.Bound, explored)
	}
}

// Run hunts until every query is settled or ctx is done.
func (q *Queries) Run(ctx context.Context) {
	bound := q.bound
	if bound == 0 {
		bound = firstBound
	}
	var all []*chc.Clause
	for _, a := range q.answers {
		all = append(all, a.Query)
	}
	pending := [][]*chc.Clause{all}
	for len(pending) > 0 && len(all) > 0 {
		pending = q.round(ctx, pending, bound)
		if ctx.Err() != nil {
			return
		}
		if q.bound == 0 {
			bound *= boundGrowth
		}
	}
}

// round hunts every group up to the bound and returns those that are worth another round.
func (q *Queries) round(ctx context.Context, pending [][]*chc.Clause, bound int) (again [][]*chc.Clause) {
	for len(pending) > 0 && ctx.Err() == nil {
		group := pending[0]
		pending = pending[1:]
		waiting := 0
		for _, g := range pending {
			waiting += len(g)
		}
		answer, reached, cut := q.hunt(ctx, group, bound, waiting)
		switch {
		case answer.Verdict == engine.Unsat:
			steps := answer.Refutation.Steps
			at := slices.Index(group, steps[len(steps)-1].Clause)
			if at < 0 {
				q.settle(engine.Answer{Reason: "internal error: the refutation is not one of the query", Internal: true}, group...)
				continue
			}
			q.settle(answer, group[at])
			if rest := slices.Delete(slices.Clone(group), at, at+1); len(rest) > 0 {
				pending = append([][]*chc.Clause{rest}, pending...)
			}
		case answer.Verdict == engine.Sat:
			q.settle(answer, group...)
		case ctx.Err() != nil:
			q.leave(answer, group...)
		case len(group) > 1:
			pending = append(halves(group), pending...)
		case cut, reached && q.bound == 0:
			again = append(again, group)
		default:
			q.settle(answer, group...)
		}
	}
	return again
}

// hunt runs the engine on the clauses without the queries of other groups, of which waiting are hunted after it. Each query
// has the same share of the time; a group of several leaves half of its own for its parts. It says whether the bound was
// reached, and whether the run was cut short for those that wait.
func (q *Queries) hunt(ctx context.Context, group []*chc.Clause, bound, waiting int) (answer engine.Answer, reached, cut bool) {
	q.mu.Lock()
	q.current = group
	q.request.Stats.Set("inline.explored", 0)
	q.mu.Unlock()
	req := q.request
	req.System = q.only(group)
	req.Options = maps.Clone(req.Options)
	if req.Options == nil {
		req.Options = map[string]string{}
	}
	req.Options["inline.bound"] = strconv.Itoa(bound)
	run, stop := share(ctx, len(group), waiting)
	defer stop()
	answer = portfolio.Solve(run, req)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.learnBound()
	q.current = nil
	return answer, q.request.Stats.Get("inline.explored") >= int64(bound), run.Err() != nil
}

// only is the system with the queries of the group only. The others become clauses that say nothing, so that all clauses
// keep their places, and witnesses are those of the whole system.
func (q *Queries) only(group []*chc.Clause) *chc.System {
	sys := *q.request.System
	sys.Clauses = slices.Clone(sys.Clauses)
	for i, c := range sys.Clauses {
		if c.IsQuery() && !slices.Contains(group, c) {
			sys.Clauses[i] = &chc.Clause{ID: c.ID, Constraint: sys.Pool.False(), Name: c.Name, Pos: c.Pos}
		}
	}
	return &sys
}

// settle gives queries their final answer.
func (q *Queries) settle(answer engine.Answer, queries ...*chc.Clause) {
	for _, c := range queries {
		q.mu.Lock()
		a := &q.answers[q.index[c]]
		a.Answer, a.Settled = answer, true
		settled := *a
		q.mu.Unlock()
		q.report(settled)
	}
}

// leave gives queries the answer of a run that was stopped.
func (q *Queries) leave(answer engine.Answer, queries ...*chc.Clause) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range queries {
		q.answers[q.index[c]].Answer = answer
	}
}
