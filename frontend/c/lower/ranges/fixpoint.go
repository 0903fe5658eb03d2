package ranges

import (
	"fmt"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/lower/interval"
)

// stride is how many thresholds widening goes on by where it was looked at several times.
func stride(visits int) int {
	return 1 << min(max(visits-widenAfter-plainWidenings, 0), 30)
}

// body is the graph of an implementation with what is known of it.
type body struct {
	procedure *ast.Procedure
	graph     *flow.Graph
	order     []part
	// place is that of a block in the order, by its index; from has the blocks that edges come from.
	place []int
	from  [][]*flow.Block
	// in and out are the states at the beginnings and ends of blocks, nil where no run comes.
	in, out []*state
}

func newBody(q *ast.Procedure, g *flow.Graph) *body {
	b := &body{procedure: q, graph: g, order: weakOrder(g), place: make([]int, len(g.Blocks)), from: make([][]*flow.Block, len(g.Blocks))}
	next := 0
	eachBlock(b.order, func(at *flow.Block) {
		b.place[at.Index] = next
		next++
	})
	for _, at := range g.Blocks {
		for _, n := range at.Next {
			b.from[n.Index] = append(b.from[n.Index], at)
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

// back tells whether an edge leads back to a head of a component that it starts in.
func (b *body) back(from, to *flow.Block) bool { return b.place[to.Index] <= b.place[from.Index] }

// fixpoint is the search for the states of a part of a body that do not change any more.
type fixpoint struct {
	*Analysis
	*body
	// in, out are those of the body while they are looked for; next is what edges have brought to a block.
	in, next, out []*state
	visits        []int
	// dirty are blocks with a next state that is not their last, backed those to which a back edge brought it.
	dirty, backed []bool
	// inside are the blocks that edges lead to, nil if they lead to all.
	inside []bool
}

func (r *Analysis) fixpoint(b *body) *fixpoint {
	n := len(b.graph.Blocks)
	return &fixpoint{
		Analysis: r, body: b, in: make([]*state, n), next: make([]*state, n), out: make([]*state, n),
		visits: make([]int, n), dirty: make([]bool, n), backed: make([]bool, n),
	}
}

// run finds what a body that is entered with a state leaves at its exit: nil if that is not reached. The body has its states
// then.
func (r *Analysis) run(b *body, enter *state) (*state, error) {
	f := r.fixpoint(b)
	f.next[0], f.dirty[0] = enter.clone(), true
	if err := f.up(b.order); err != nil {
		return nil, err
	}
	if err := f.down(b.graph.Blocks[1:]); err != nil {
		return nil, err
	}
	b.in, b.out = f.in, f.out
	if b.graph.Exit == nil {
		return nil, nil
	}
	return b.in[b.graph.Exit.Index], nil
}

// up makes states larger until they have all runs. A component is stable before what follows it is looked at.
func (f *fixpoint) up(order []part) error {
	for _, p := range order {
		if err := f.look(p.block); err != nil {
			return err
		}
		for p.loop {
			if err := f.up(p.inner); err != nil {
				return err
			}
			if !f.dirty[p.block.Index] {
				break
			}
			if err := f.look(p.block); err != nil {
				return err
			}
		}
	}
	return nil
}

// look takes what edges have brought to a block for its state, and brings what the block makes of it to those that follow.
func (f *fixpoint) look(b *flow.Block) error {
	i := b.Index
	if !f.dirty[i] {
		return nil
	}
	if err := f.spend(); err != nil {
		return err
	}
	if f.backed[i] && f.visits[i] >= widenAfter {
		f.next[i] = f.widen(f.in[i], f.next[i], f.visits[i])
	}
	f.dirty[i], f.backed[i] = false, false
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
			f.next[n.Index], f.dirty[n.Index] = joined, true
			f.backed[n.Index] = f.backed[n.Index] || f.back(b, n)
		}
	}
	return nil
}

// down takes back some of what widening gave away, in two rounds: a loop's guard bounds its counter.
func (f *fixpoint) down(blocks []*flow.Block) error {
	for range narrowingRounds {
		for _, b := range blocks {
			i := b.Index
			if f.in[i] == nil {
				continue
			}
			var fresh *state
			for _, p := range f.from[i] {
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

// turns counts the turns of a loop, from its head on: those that a run may begin, one after the other, as far as is known
// where each is looked at by itself. It reports false if that may be more than most.
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
	begin := f.brought(head, b.out, false)
	for turns := 0; ; turns++ {
		switch {
		case begin == nil:
			return turns, true, nil
		case turns == most:
			return turns, false, nil
		}
		f.clear(at)
		for _, b := range inner {
			f.clear(b.Index)
		}
		f.next[at], f.dirty[at] = begin, true
		err := f.look(head)
		if err == nil {
			err = f.up(loop.inner)
		}
		if err == nil {
			err = f.down(inner)
		}
		if err != nil {
			return 0, false, err
		}
		begin = f.brought(head, f.out, true)
	}
}

// brought is what edges bring to a block: those that lead back to it, or the others.
func (f *fixpoint) brought(to *flow.Block, out []*state, back bool) *state {
	var s *state
	for _, p := range f.from[to.Index] {
		if out[p.Index] != nil && f.back(p, to) == back {
			s, _ = f.join(s, out[p.Index])
		}
	}
	return s
}

// clear forgets what was found of a block.
func (f *fixpoint) clear(i int) {
	f.in[i], f.next[i], f.out[i], f.visits[i], f.dirty[i], f.backed[i] = nil, nil, nil, 0, false, false
}

// component is that of a head in an order, nil if there is none.
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

// spend counts one more block, and fails if the analysis is to end.
func (r *Analysis) spend() error {
	if err := r.ctx.Err(); err != nil {
		return fmt.Errorf("analyse ranges: %w", err)
	}
	if r.spent++; r.spent > maxWork {
		return ErrTooLarge
	}
	return nil
}

// join is the state that holds where runs of both meet, and whether that is more than the first. A variable without a fact is
// only within its type.
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
	r.spent++
	switch {
	case b.BoundsOnly() && a.BoundsOnly() && b.In(a.Interval):
		return a
	case r.hasty():
		return nil
	}
	return a.become(a.Join(b.Interval), r.slot(a.Variable))
}

// become is the fact with another interval, nil if that says nothing; it is itself where it says the same.
func (f *Fact) become(i interval.Interval, s *slot) *Fact {
	switch {
	case i.Equal(f.Interval):
		return f
	case s.trivial(i):
		return nil
	}
	return s.fact(f.Variable, i)
}

// widen is a state that has both, the second of which has the first, and that does not grow forever.
func (r *Analysis) widen(a, b *state, visits int) *state {
	return &state{a.facts.join(b.facts, func(f, g *Fact) *Fact {
		if f == g {
			return f
		}
		r.spent++
		if r.hasty() {
			return nil
		}
		return f.become(f.Interval.Widen(g.Interval, r.thresholds, stride(visits)), r.slot(f.Variable))
	})}
}
