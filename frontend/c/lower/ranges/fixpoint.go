package ranges

import (
	"fmt"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/lower/interval"
)

// stride returns the number of thresholds by which widening advances after a number of visits.
func stride(visits int) int {
	return 1 << min(max(visits-widenAfter-plainWidenings, 0), 30)
}

// body is the graph of an implementation with its states.
type body struct {
	procedure *ast.Procedure
	graph     *flow.Graph
	order     []part
	// position is that of a block in the order, by its index.
	position     []int
	predecessors [][]*flow.Block
	// in and out are the states at the beginnings and ends of blocks, nil where unreachable.
	in, out []*state
}

func newBody(q *ast.Procedure, g *flow.Graph) *body {
	b := &body{procedure: q, graph: g, order: weakOrder(g), position: make([]int, len(g.Blocks)), predecessors: make([][]*flow.Block, len(g.Blocks))}
	next := 0
	eachBlock(b.order, func(at *flow.Block) {
		b.position[at.Index] = next
		next++
	})
	for _, at := range g.Blocks {
		for _, n := range at.Next {
			b.predecessors[n.Index] = append(b.predecessors[n.Index], at)
		}
	}
	return b
}

// eachBlock visits the blocks of an order.
func eachBlock(order []part, visit func(*flow.Block)) {
	for _, p := range order {
		visit(p.block)
		eachBlock(p.inner, visit)
	}
}

// back reports whether an edge leads back to the head of a component that it starts in.
func (b *body) back(from, to *flow.Block) bool { return b.position[to.Index] <= b.position[from.Index] }

// fixpoint is the iteration over (a component of) a body until its states are stable.
type fixpoint struct {
	*Analysis
	*body
	// in and out are the current states; next is the join of the states that edges have passed to a block.
	in, next, out []*state
	visits        []int
	// pending are blocks whose next state exceeds in, viaBackEdge those where a back edge made it so.
	pending, viaBackEdge []bool
	// inside restricts the iteration to some blocks; nil is all.
	inside []bool
}

func (r *Analysis) fixpoint(b *body) *fixpoint {
	n := len(b.graph.Blocks)
	return &fixpoint{
		Analysis: r, body: b, in: make([]*state, n), next: make([]*state, n), out: make([]*state, n),
		visits: make([]int, n), pending: make([]bool, n), viaBackEdge: make([]bool, n),
	}
}

// run computes the states of a body for an entry state, and returns the one at its exit, nil if that is unreachable.
func (r *Analysis) run(b *body, enter *state) (*state, error) {
	f := r.fixpoint(b)
	f.next[0], f.pending[0] = enter.clone(), true
	if err := f.ascend(b.order); err != nil {
		return nil, err
	}
	if err := f.descend(b.graph.Blocks[1:]); err != nil {
		return nil, err
	}
	b.in, b.out = f.in, f.out
	if b.graph.Exit == nil {
		return nil, nil
	}
	return b.in[b.graph.Exit.Index], nil
}

// ascend iterates until the states are stable. A component is stable before the blocks behind it are visited.
func (f *fixpoint) ascend(order []part) error {
	for _, p := range order {
		if err := f.visit(p.block); err != nil {
			return err
		}
		for p.loop {
			if err := f.ascend(p.inner); err != nil {
				return err
			}
			if !f.pending[p.block.Index] {
				break
			}
			if err := f.visit(p.block); err != nil {
				return err
			}
		}
	}
	return nil
}

// visit makes the next state of a block its state, and passes the state behind it on to its successors.
func (f *fixpoint) visit(b *flow.Block) error {
	i := b.Index
	if !f.pending[i] {
		return nil
	}
	if err := f.spend(); err != nil {
		return err
	}
	if f.viaBackEdge[i] && f.visits[i] >= widenAfter {
		f.next[i] = f.widen(f.in[i], f.next[i], f.visits[i])
	}
	f.pending[i], f.viaBackEdge[i] = false, false
	f.visits[i]++
	f.in[i] = f.next[i]
	var err error
	if f.out[i], err = f.block(f.procedure, b, f.in[i], false); err != nil || f.out[i] == nil {
		return err
	}
	for _, n := range b.Next {
		if f.inside != nil && !f.inside[n.Index] {
			continue
		}
		if joined, changed := f.join(f.next[n.Index], f.out[i]); changed {
			f.next[n.Index], f.pending[n.Index] = joined, true
			f.viaBackEdge[n.Index] = f.viaBackEdge[n.Index] || f.back(b, n)
		}
	}
	return nil
}

// descend narrows: it evaluates stable states again without widening, so that the guard of a loop bounds its counter.
func (f *fixpoint) descend(blocks []*flow.Block) error {
	for range narrowingRounds {
		for _, b := range blocks {
			i := b.Index
			if f.in[i] == nil {
				continue
			}
			var fresh *state
			for _, p := range f.predecessors[i] {
				if out := f.out[p.Index]; out != nil {
					fresh, _ = f.join(fresh, out)
				}
			}
			if fresh == nil || fresh.facts.equal(f.in[i].facts) {
				continue
			}
			if err := f.spend(); err != nil {
				return err
			}
			var err error
			f.in[i] = fresh
			if f.out[i], err = f.block(f.procedure, b, fresh, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// Iterations bounds how often a run may begin an iteration of a loop, by analysing one iteration after the other. It reports false if
// that may be more often than most.
func (r *Analysis) Iterations(procedure, label string, most int) (int, bool, error) {
	b := r.body(procedure)
	if b == nil {
		return 0, false, nil
	}
	at := slices.IndexFunc(b.graph.Blocks, func(b *flow.Block) bool { return b.Label == label })
	if b.in == nil || at < 0 || b.in[at] == nil {
		return 0, true, nil
	}
	head := b.graph.Blocks[at]
	loop := component(b.order, head)
	if loop == nil {
		return 1, true, nil
	}
	f := r.fixpoint(b)
	f.inside = make([]bool, len(f.in))
	var inner []*flow.Block
	eachBlock(loop.inner, func(b *flow.Block) {
		f.inside[b.Index] = true
		inner = append(inner, b)
	})
	slices.SortFunc(inner, func(a, b *flow.Block) int { return a.Index - b.Index })
	begin := f.joinedFrom(head, b.out, false)
	for iterations := 0; ; iterations++ {
		switch {
		case begin == nil:
			return iterations, true, nil
		case iterations == most:
			return iterations, false, nil
		}
		f.clear(at)
		for _, b := range inner {
			f.clear(b.Index)
		}
		f.next[at], f.pending[at] = begin, true
		err := f.visit(head)
		if err == nil {
			err = f.ascend(loop.inner)
		}
		if err == nil {
			err = f.descend(inner)
		}
		if err != nil {
			return 0, false, err
		}
		begin = f.joinedFrom(head, f.out, true)
	}
}

// joinedFrom joins the states that edges pass to a block: back edges, or the others.
func (f *fixpoint) joinedFrom(to *flow.Block, out []*state, back bool) *state {
	var s *state
	for _, p := range f.predecessors[to.Index] {
		if out[p.Index] != nil && f.back(p, to) == back {
			s, _ = f.join(s, out[p.Index])
		}
	}
	return s
}

// clear resets a block.
func (f *fixpoint) clear(i int) {
	f.in[i], f.next[i], f.out[i], f.visits[i], f.pending[i], f.viaBackEdge[i] = nil, nil, nil, 0, false, false
}

// component returns the component with a head, nil if there is none.
func component(order []part, head *flow.Block) *part {
	for i := range order {
		if p := &order[i]; p.loop && p.block == head {
			return p
		}
		if found := component(order[i].inner, head); found != nil {
			return found
		}
	}
	return nil
}

// spend counts one block, and fails at the limit of work and at the end of the context.
func (r *Analysis) spend() error {
	if err := r.ctx.Err(); err != nil {
		return fmt.Errorf("analyse ranges: %w", err)
	}
	if r.work++; r.work > maxWork {
		return ErrTooLarge
	}
	return nil
}

// join returns the least state above both, and whether it exceeds the first. A variable without a fact is within its type.
func (r *Analysis) join(a, b *state) (*state, bool) {
	switch {
	case a == nil && b == nil:
		return nil, false
	case a == nil:
		return b.clone(), true
	case b == nil:
		return a, false
	}
	joined := a.facts.join(b.facts, r.joined)
	if joined == a.facts {
		return a, false
	}
	return &state{joined}, true
}

func (r *Analysis) joined(a, b *Fact) *Fact {
	if a == b {
		return a
	}
	r.work++
	switch {
	case b.BoundsOnly() && a.BoundsOnly() && b.In(a.Interval):
		return a
	case r.dropsFacts():
		return nil
	}
	return a.become(a.Join(b.Interval), r.slots[a.Variable])
}

// become returns the fact with another interval: itself if that is equal, nil if it is trivial.
func (f *Fact) become(i interval.Interval, s *slot) *Fact {
	switch {
	case i.Equal(f.Interval):
		return f
	case s.trivial(i):
		return nil
	}
	return s.fact(f.Variable, i)
}

// widen returns a state above both, for a state b above a, such that chains of widened states are finite.
func (r *Analysis) widen(a, b *state, visits int) *state {
	return &state{a.facts.join(b.facts, func(f, g *Fact) *Fact {
		if f == g {
			return f
		}
		r.work++
		if r.dropsFacts() {
			return nil
		}
		return f.become(f.Interval.Widen(g.Interval, r.thresholds, stride(visits)), r.slots[f.Variable])
	})}
}
