package ranges

import (
	"slices"

	"hornbeam/frontend/boogie/flow"
)

// part is a block or a component of a graph.
type part struct {
	block *flow.Block
	// loop says that this is a component; block is its head and inner the rest, in order.
	loop  bool
	inner []part
}

// weakOrder returns a weak topological order of a graph's blocks: Bourdoncle's ("Efficient chaotic iteration strategies with
// widenings", Fig. 4). An edge that leads to no later block leads to the head of a component that it starts in, so that what
// is looked at in this order is stable up to the heads of its components.
func weakOrder(g *flow.Graph) []part {
	w := &ordering{seen: make([]int, len(g.Blocks))}
	var order []part
	w.visit(g.Blocks[0], &order)
	slices.Reverse(order)
	return order
}

// ordering is a depth-first search for components.
type ordering struct {
	// seen numbers the blocks that were visited: 0 is none, done one whose component is known.
	seen  []int
	count int
	stack []*flow.Block
}

const done = int(^uint(0) >> 1)

// visit puts the component of a block before an order, which is kept backwards, if the block is its head. It returns the
// least number of a block that is reached.
func (w *ordering) visit(b *flow.Block, order *[]part) int {
	w.stack = append(w.stack, b)
	w.count++
	w.seen[b.Index] = w.count
	head, loop := w.count, false
	for _, n := range b.Next {
		least := w.seen[n.Index]
		if least == 0 {
			least = w.visit(n, order)
		}
		if least <= head {
			head, loop = least, true
		}
	}
	if head != w.seen[b.Index] {
		return head
	}
	w.seen[b.Index] = done
	if !loop {
		w.pop()
		*order = append(*order, part{block: b})
		return head
	}
	for e := w.pop(); e != b; e = w.pop() {
		w.seen[e.Index] = 0
	}
	component := part{block: b, loop: true}
	for _, n := range b.Next {
		if w.seen[n.Index] == 0 {
			w.visit(n, &component.inner)
		}
	}
	slices.Reverse(component.inner)
	*order = append(*order, component)
	return head
}

func (w *ordering) pop() *flow.Block {
	last := len(w.stack) - 1
	b := w.stack[last]
	w.stack = w.stack[:last]
	return b
}
