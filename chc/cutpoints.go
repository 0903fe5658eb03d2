package chc

import "slices"

// cutPoints returns a feedback vertex set, ascending. Nodes that are on no cycle, or whose cycles all go through a
// single neighbour, are contracted, last discovered first, so that the heads of loops remain; a node with an edge to
// itself is a cut point (the rules of Levy and Low). Where no rule applies the node with the most paths through it is taken.
func (g *Graph) cutPoints() []int {
	n := len(g.succ)
	rank := g.discovery()
	in, out := make([]map[int]bool, n), make([]map[int]bool, n)
	var alive []int
	for v := range n {
		in[v], out[v] = map[int]bool{}, map[int]bool{}
		alive = append(alive, v)
	}
	for v := range n {
		for _, w := range g.succ[v] {
			if g.component[v] == g.component[w] {
				out[v][w], in[w][v] = true, true
			}
		}
	}
	slices.SortFunc(alive, func(a, b int) int { return rank[b] - rank[a] })

	var cuts, guessed []int
	gone := make([]bool, n)
	queued := make([]bool, n)
	work := slices.Clone(alive)
	for _, v := range work {
		queued[v] = true
	}
	push := func(vs map[int]bool) {
		// Sorted, since the order in which nodes are looked at decides which of them remain.
		fresh := make([]int, 0, len(vs))
		for v := range vs {
			if !queued[v] && !gone[v] {
				queued[v] = true
				fresh = append(fresh, v)
			}
		}
		slices.SortFunc(fresh, func(a, b int) int { return rank[b] - rank[a] })
		work = append(work, fresh...)
	}
	remove := func(v int) {
		gone[v] = true
		for u := range in[v] {
			delete(out[u], v)
		}
		for w := range out[v] {
			delete(in[w], v)
		}
		push(in[v])
		push(out[v])
	}
	contract := func(v int) {
		for u := range in[v] {
			for w := range out[v] {
				out[u][w], in[w][u] = true, true
			}
		}
		remove(v)
	}
	for {
		for len(work) > 0 {
			v := work[0]
			work = work[1:]
			queued[v] = false
			switch {
			case gone[v]:
			case out[v][v]:
				cuts = append(cuts, v)
				delete(out[v], v)
				delete(in[v], v)
				remove(v)
			case len(in[v]) == 0 || len(out[v]) == 0:
				remove(v)
			case len(in[v]) == 1 || len(out[v]) == 1:
				contract(v)
			}
		}
		alive = slices.DeleteFunc(alive, func(v int) bool { return gone[v] })
		if len(alive) == 0 {
			break
		}
		best := alive[0]
		for _, v := range alive[1:] {
			// Later in the list means discovered earlier, which breaks ties.
			if len(in[v])*len(out[v]) >= len(in[best])*len(out[best]) {
				best = v
			}
		}
		cuts = append(cuts, best)
		guessed = append(guessed, best)
		remove(best)
	}
	for _, v := range guessed {
		if rest := slices.DeleteFunc(slices.Clone(cuts), func(u int) bool { return u == v }); g.acyclicWithout(rest) {
			cuts = rest
		}
	}
	slices.Sort(cuts)
	return cuts
}

// discovery numbers the predicates in the order of a depth-first search that starts from those with facts.
func (g *Graph) discovery() []int {
	n := len(g.succ)
	rank := make([]int, n)
	for i := range rank {
		rank[i] = -1
	}
	next := 0
	search := func(root int) {
		stack := []int{root}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if rank[v] >= 0 {
				continue
			}
			rank[v] = next
			next++
			for i := len(g.succ[v]) - 1; i >= 0; i-- {
				stack = append(stack, g.succ[v][i])
			}
		}
	}
	for _, c := range g.Facts {
		search(c.Head.Pred.ID)
	}
	for v := range n {
		search(v)
	}
	return rank
}

// acyclicWithout reports whether every cycle meets cuts.
func (g *Graph) acyclicWithout(cuts []int) bool {
	cut := make([]bool, len(g.succ))
	for _, v := range cuts {
		cut[v] = true
	}
	return g.peel(func(v, w int) bool { return !cut[v] && !cut[w] }, func(int, int) {}) == len(g.succ)
}
