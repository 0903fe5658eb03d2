package spacer

import (
	"cmp"

	"github.com/emirpasic/gods/queues/priorityqueue"

	"hornbeam/chc/term"
)

// obligation asks whether the cube post of a predicate is reachable within level steps. Obligations are kept for the
// whole run: asking for the same cube again gives the same object back.
type obligation struct {
	id    int
	pred  *predicate
	post  []*term.Term
	level int
	// parent is the obligation for whose sake this one was made; nil for the root.
	parent *obligation
	queued bool
	closed bool
	// whole is set when what is learned is about the cube's own literals, not about half-spaces: see withoutGap.
	whole bool
	// mustSeen is the number of reach facts that the last query knew, or -1, and soft what it kept of the assumptions
	// that prefer them.
	mustSeen int
	soft     []*term.Term
	// reached is the fact that reached the obligation, and derivation the way to it that GPDR follows.
	reached    *fact
	derivation *derivation
}

// obligationQueue hands out obligations: lowest level first, then fewer literals (more general), then older.
type obligationQueue struct{ heap *priorityqueue.Queue }

func newObligationQueue() *obligationQueue {
	return &obligationQueue{priorityqueue.NewWith(func(a, b any) int {
		x, y := a.(*obligation), b.(*obligation)
		return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(len(x.post), len(y.post)), cmp.Compare(x.id, y.id))
	})}
}

func (q *obligationQueue) push(o *obligation) {
	if o.queued {
		return
	}
	o.queued = true
	q.heap.Enqueue(o)
}

// pop returns nil when the queue is empty.
func (q *obligationQueue) pop() *obligation {
	v, ok := q.heap.Dequeue()
	if !ok {
		return nil
	}
	o := v.(*obligation)
	o.queued = false
	return o
}

func (q *obligationQueue) size() int { return q.heap.Size() }

// obligationKey identifies an obligation of a predicate.
type obligationKey struct {
	post  *term.Term
	level int
}

// obligationFor returns the obligation for a cube of a predicate at a level, the old one when it was asked before.
func (pr *prover) obligationFor(p *predicate, post []*term.Term, level int, parent *obligation) *obligation {
	key := obligationKey{pr.pool.And(post...), level}
	o := p.obligations[key]
	if o == nil {
		o = &obligation{id: pr.nextObligation, pred: p, post: term.Conjuncts(key.post), level: level, mustSeen: -1}
		pr.nextObligation++
		p.obligations[key] = o
		pr.count("obligations", 1)
	}
	o.parent = parent
	o.closed = false
	o.reached = nil
	o.derivation = nil
	return o
}
