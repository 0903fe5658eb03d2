package flow

import "slices"

// arrange puts the blocks that the entry reaches in order and marks those that back edges lead to.
func arrange(g *Graph, entry *Block) *Graph {
	const (
		unseen = iota
		open
		closed
	)
	state := map[*Block]int{}
	// The stack of a depth-first search: a block, and how many of its successors were looked at.
	type frame struct {
		block *Block
		next  int
	}
	stack := []frame{{block: entry}}
	state[entry] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.block.Next) {
			state[top.block] = closed
			g.Blocks = append(g.Blocks, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		b := top.block.Next[top.next]
		top.next++
		switch state[b] {
		case unseen:
			state[b] = open
			stack = append(stack, frame{block: b})
		case open:
			b.Loop = true
		}
	}
	slices.Reverse(g.Blocks)
	for i, b := range g.Blocks {
		b.Index = i
	}
	if state[g.Exit] == unseen {
		g.Exit = nil
	}
	return g
}

// LoopBlocks returns the blocks of the loops with the head: those from which it is reached again without leaving
// through it, the head included. A graph whose loops have several entries has loops that share blocks.
func (g *Graph) LoopBlocks(head *Block) map[*Block]bool {
	before := make([][]*Block, len(g.Blocks))
	for _, b := range g.Blocks {
		for _, n := range b.Next {
			before[n.Index] = append(before[n.Index], b)
		}
	}
	in := map[*Block]bool{head: true}
	var work []*Block
	for _, b := range before[head.Index] {
		if b.Index >= head.Index && !in[b] { // the source of a back edge
			in[b] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range before[b.Index] {
			if !in[p] {
				in[p] = true
				work = append(work, p)
			}
		}
	}
	return in
}
