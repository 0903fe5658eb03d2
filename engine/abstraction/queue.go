package abstraction

import (
	"container/heap"
	"encoding/binary"
)

// queue has the hyperedges that wait: those of queries first, then those with fewer atoms in the body, then those of least depth,
// then in the order in which they came.
type queue struct {
	items []waiting
	count int
}

type waiting struct {
	edge
	goal          bool
	depth, number int
}

func (q *queue) Len() int { return len(q.items) }

func (q *queue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	switch {
	case a.goal != b.goal:
		return a.goal
	case len(a.body) != len(b.body):
		return len(a.body) < len(b.body)
	case a.depth != b.depth:
		return a.depth < b.depth
	}
	return a.number < b.number
}

func (q *queue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

// Push is for container/heap.
func (q *queue) Push(x any) { q.items = append(q.items, x.(waiting)) }

// Pop is for container/heap.
func (q *queue) Pop() any {
	last := len(q.items) - 1
	w := q.items[last]
	q.items = q.items[:last]
	return w
}

// key tells hyperedges apart.
func (e edge) key() string {
	k := binary.AppendUvarint(nil, uint64(e.rule.ID))
	for _, n := range e.body {
		k = binary.AppendUvarint(k, uint64(n.id))
	}
	return string(k)
}

// wait puts a hyperedge into the queue unless it is known.
func (g *graph) wait(e edge) {
	key := e.key()
	if g.known[key] {
		return
	}
	g.known[key] = true
	w := waiting{edge: e, goal: e.rule.Head == g.system.Goal, number: g.waiting.count}
	g.waiting.count++
	for _, n := range e.body {
		w.depth = max(w.depth, n.depth)
	}
	heap.Push(&g.waiting, w)
}

// again lets a hyperedge wait whose head was removed.
func (g *graph) again(e edge) {
	delete(g.known, e.key())
	if e.active() {
		g.wait(e)
	}
}

// next returns the first of the hyperedges whose body is active. The others are forgotten: they come back when it is.
func (g *graph) next() (edge, bool) {
	for g.waiting.Len() > 0 {
		e := heap.Pop(&g.waiting).(waiting).edge
		if e.active() {
			return e, true
		}
		delete(g.known, e.key())
	}
	return edge{}, false
}
