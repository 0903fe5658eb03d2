package inline

import (
	"container/heap"
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/resolve"
)

// Options bound what inlining may build. The size of a clause is the number of DAG nodes of its constraint and of
// its atoms' arguments.
type Options struct {
	// Slack is how many clauses more than it removes the elimination of one predicate may leave. At 0 a predicate goes
	// when it has one definition, one use, or two of each.
	Slack int
	// SingleOnly keeps every predicate that has several definitions and several uses, whatever Slack says: a first
	// round before parallel clauses are merged.
	SingleOnly bool
	// MaxBody is the largest number of body atoms of a clause that inlining builds, unless it replaces a clause that had
	// more.
	MaxBody int
	// MaxClause is the largest size of a clause that inlining builds.
	MaxClause int
	// Growth and GrowthBase bound one elimination: the clauses that it leaves together are at most Growth times as
	// large as those that it removes, plus GrowthBase.
	Growth, GrowthBase int
	// Total and TotalBase bound the whole pass in the same way, relative to the system that it is given.
	Total, TotalBase int
	// Keep are predicates that stay.
	Keep map[*chc.Predicate]bool
	// MaxAtoms is the largest number of atoms of the constraint of a clause that inlining builds; 0 is no bound.
	MaxAtoms int
	// Most is the largest number of predicates that are removed; 0 is no bound.
	Most int
}

// DefaultOptions are the bounds of the pass inline.
func DefaultOptions() Options {
	return Options{MaxBody: 10, MaxClause: 8000, Growth: 2, GrowthBase: 300, Total: 4, TotalBase: 5000}
}

// Pass returns the pass that resolves predicates away with the default bounds.
func Pass() transform.Pass { return With(DefaultOptions()) }

// With returns the pass that resolves predicates away within the given bounds: a predicate that is in no body of
// its own definitions is eliminated by resolving its definitions into its uses, smallest product first, until only
// cut points of the dependency graph and predicates whose product is too large are left (large-block encoding).
func With(o Options) transform.Pass {
	return transform.Pass{
		Name: "inline",
		Doc: "Resolves away predicates that are not cut points of the dependency graph, as long as the system grows little " +
			"(large-block encoding).",
		Repeat: true,
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return runInline(ctx, env, sys, o)
		},
	}
}

func runInline(ctx context.Context, env transform.Environment, sys *chc.System, o Options) (*chc.System, transform.Translator, error) {
	in := newInliner(sys, o)
	if err := in.run(ctx); err != nil {
		return nil, nil, fmt.Errorf("inlining: %w", err)
	}
	if len(in.removed) == 0 {
		return sys, nil, nil
	}
	var preds []*chc.Predicate
	for _, p := range sys.Predicates {
		if !in.gone[p.ID] {
			preds = append(preds, p)
		}
	}
	var clauses []*chc.Clause
	var from []*resolve.Derivation
	for _, n := range in.nodes {
		if !n.dead {
			clauses = append(clauses, n.Clause)
			from = append(from, n.Derivation)
		}
	}
	next := transform.Rebuild(sys, preds, clauses)
	return next, &translator{
		Resolution: resolve.Resolution{Env: env, Old: sys, New: next, From: from},
		kept:       preds,
		removed:    in.removed,
	}, nil
}

// elimination records one removed predicate: its definitions and uses as they were then, over predicates that were
// removed later or kept. A clause that uses it twice is listed once.
type elimination struct {
	pred       *chc.Predicate
	defs, uses []*chc.Clause
}

// node is a clause of the current system.
type node struct {
	*resolve.Derivation
	size int
	dead bool
}

// inliner eliminates predicates from a copy of a system. Slices are indexed by the predicates' IDs.
type inliner struct {
	opts       Options
	pool       *term.Pool
	sys        *chc.System
	nodes      []*node
	defs, uses [][]*node // may hold dead nodes
	gone       []bool
	stamps     []int
	queue      queue
	removed    []elimination
	size       int // of all live clauses together
	maxSize    int
}

func newInliner(sys *chc.System, o Options) *inliner {
	n := len(sys.Predicates)
	in := &inliner{
		opts: o, pool: sys.Pool, sys: sys,
		defs: make([][]*node, n), uses: make([][]*node, n), gone: make([]bool, n), stamps: make([]int, n),
	}
	for _, c := range sys.Clauses {
		in.add(&resolve.Derivation{Clause: c})
	}
	in.maxSize = o.Total*in.size + o.TotalBase
	return in
}

// add makes the derivation's clause part of the system.
func (in *inliner) add(d *resolve.Derivation) {
	n := &node{Derivation: d, size: clauseSize(d.Clause)}
	in.nodes = append(in.nodes, n)
	in.size += n.size
	if h := d.Clause.Head; h != nil {
		in.defs[h.Pred.ID] = append(in.defs[h.Pred.ID], n)
	}
	for i, a := range d.Clause.Body {
		if resolve.Occurrences(d.Clause.Body[:i], a.Pred) == 0 {
			in.uses[a.Pred.ID] = append(in.uses[a.Pred.ID], n)
		}
	}
}

func (in *inliner) run(ctx context.Context) error {
	for _, p := range in.sys.Predicates {
		in.enqueue(p)
	}
	for in.queue.Len() > 0 && (in.opts.Most == 0 || len(in.removed) < in.opts.Most) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := heap.Pop(&in.queue).(candidate)
		if !in.gone[c.pred.ID] && in.stamps[c.pred.ID] == c.stamp {
			if err := in.eliminate(ctx, c.pred); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidate is an entry of the work-list; it is stale when the predicate's stamp has moved on.
type candidate struct {
	pred                   *chc.Predicate
	clauses, size, growing int
	stamp                  int
}

// queue is a heap of candidates: those that leave the fewest clauses first, then the smallest, then by ID.
type queue []candidate

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.growing != b.growing:
		return a.growing < b.growing
	case a.clauses != b.clauses:
		return a.clauses < b.clauses
	case a.size != b.size:
		return a.size < b.size
	default:
		return a.pred.ID < b.pred.ID
	}
}
func (q *queue) Push(x any) { *q = append(*q, x.(candidate)) }
func (q *queue) Pop() any {
	old := *q
	c := old[len(old)-1]
	*q = old[:len(old)-1]
	return c
}

// live drops the dead nodes of a list in place.
func live(list []*node) []*node {
	kept := list[:0]
	for _, n := range list {
		if !n.dead {
			kept = append(kept, n)
		}
	}
	clear(list[len(kept):])
	return kept
}

// enqueue puts the predicate on the work-list, when it may be eliminated as the system is now.
func (in *inliner) enqueue(p *chc.Predicate) {
	id := p.ID
	if in.gone[id] {
		return
	}
	in.stamps[id]++
	in.defs[id], in.uses[id] = live(in.defs[id]), live(in.uses[id])
	if c, ok := in.candidate(p); ok {
		heap.Push(&in.queue, c)
	}
}

// candidate estimates what eliminating p would leave, and tells whether the bounds allow it.
func (in *inliner) candidate(p *chc.Predicate) (candidate, bool) {
	defs, uses := in.defs[p.ID], in.uses[p.ID]
	if in.opts.Keep[p] {
		return candidate{}, false
	}
	defSize, defBody := 0, 0
	for _, d := range defs {
		if resolve.Occurrences(d.Clause.Body, p) > 0 {
			return candidate{}, false
		}
		defSize += d.size
		defBody = max(defBody, len(d.Clause.Body))
	}
	if in.opts.SingleOnly && len(defs) > 1 && (len(uses) > 1 || len(uses) == 1 && resolve.Occurrences(uses[0].Clause.Body, p) > 1) {
		return candidate{}, false
	}
	removed := len(defs) + len(uses)
	left, before, after := 0, defSize, 0
	for _, u := range uses {
		k := resolve.Occurrences(u.Clause.Body, p)
		product := 1
		for range k {
			product *= len(defs)
			if left+product > removed+in.opts.Slack {
				return candidate{}, false
			}
		}
		left += product
		before += u.size
		if len(defs) > 0 {
			// Each definition is in one k-th of the products at each of the k occurrences.
			after += product*u.size + k*(product/len(defs))*defSize
			if atoms := len(u.Clause.Body) + k*(defBody-1); atoms > max(in.opts.MaxBody, len(u.Clause.Body), defBody) {
				return candidate{}, false
			}
		}
	}
	if after > in.opts.Growth*before+in.opts.GrowthBase || in.size-before+after > in.maxSize {
		return candidate{}, false
	}
	return candidate{pred: p, clauses: left, size: after, growing: max(0, left-removed), stamp: in.stamps[p.ID]}, true
}

// eliminate resolves p away, unless a resolvent turns out too large. The error is ctx's.
func (in *inliner) eliminate(ctx context.Context, p *chc.Predicate) error {
	defs, uses := in.defs[p.ID], in.uses[p.ID]
	var left []*resolve.Derivation
	for _, u := range uses {
		unfolded, err := in.unfold(ctx, u.Derivation, p, defs)
		if err != nil {
			return err
		}
		for _, d := range unfolded {
			if clauseSize(d.Clause) > max(in.opts.MaxClause, u.size) || in.opts.MaxAtoms > 0 && atoms(d.Clause.Constraint) > in.opts.MaxAtoms {
				return nil
			}
			left = append(left, d)
		}
	}
	e := elimination{pred: p}
	var touched []*chc.Predicate
	kill := func(n *node) {
		n.dead = true
		in.size -= n.size
		for _, a := range n.Clause.Body {
			touched = append(touched, a.Pred)
		}
		if n.Clause.Head != nil {
			touched = append(touched, n.Clause.Head.Pred)
		}
	}
	for _, d := range defs {
		e.defs = append(e.defs, d.Clause)
		kill(d)
	}
	for _, u := range uses {
		e.uses = append(e.uses, u.Clause)
		kill(u)
	}
	in.removed = append(in.removed, e)
	in.gone[p.ID] = true
	in.defs[p.ID], in.uses[p.ID] = nil, nil
	for _, d := range left {
		in.add(d)
	}
	// The resolvents have no predicate that the removed clauses do not have.
	done := map[*chc.Predicate]bool{}
	for _, q := range touched {
		if !done[q] {
			done[q] = true
			in.enqueue(q)
		}
	}
	return nil
}

// unfold returns the clauses that u becomes when each occurrence of p is resolved with each of p's definitions; those
// that are valid whatever the predicates mean are left out. The error is ctx's: large clauses take their time.
func (in *inliner) unfold(ctx context.Context, u *resolve.Derivation, p *chc.Predicate, defs []*node) ([]*resolve.Derivation, error) {
	pending, done := []*resolve.Derivation{u}, []*resolve.Derivation(nil)
	for len(pending) > 0 {
		var next []*resolve.Derivation
		for _, c := range pending {
			pos := resolve.Position(c.Clause.Body, p)
			if pos < 0 {
				done = append(done, c)
				continue
			}
			for _, d := range defs {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if r := resolve.Resolve(in.pool, c, pos, d.Derivation); r != nil {
					next = append(next, r)
				}
			}
		}
		pending = next
	}
	return done, nil
}

// clauseSize is the size that Options bound.
func clauseSize(c *chc.Clause) int {
	n := c.Constraint.Size()
	for _, a := range c.Body {
		n += appSize(a)
	}
	if c.Head != nil {
		n += appSize(*c.Head)
	}
	return n
}

func appSize(a chc.App) int {
	n := 1
	for _, t := range a.Args {
		if t.IsVar() || t.IsValue() {
			n++
		} else {
			n += t.Size()
		}
	}
	return n
}
