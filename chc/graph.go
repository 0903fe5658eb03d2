package chc

import (
	"slices"
	"sync"
)

// Graph is the dependency graph of a system: a hyperedge for each clause, from the predicates of its body to the one of
// its head. It does not follow later changes of the system.
type Graph struct {
	System *System
	// Uses and Defines hold, by predicate ID, the clauses with the predicate in the body and those with it as head.
	Uses, Defines [][]*Clause
	// Facts are the clauses without body atoms that have a head; Queries those without head.
	Facts, Queries []*Clause

	// succ and pred are the distinct neighbours of each predicate, ascending.
	succ, pred [][]int
	components [][]int
	// component is the index in components of each predicate's.
	component []int
	// cuts finds the cut points when they are asked for first.
	cuts func() []int
}

// NewGraph returns the graph of s.
func NewGraph(s *System) *Graph {
	n := len(s.Predicates)
	g := &Graph{System: s, Uses: make([][]*Clause, n), Defines: make([][]*Clause, n),
		succ: make([][]int, n), pred: make([][]int, n), component: make([]int, n)}
	for _, c := range s.Clauses {
		if c.Head == nil {
			g.Queries = append(g.Queries, c)
		} else {
			g.Defines[c.Head.Pred.ID] = append(g.Defines[c.Head.Pred.ID], c)
			if len(c.Body) == 0 {
				g.Facts = append(g.Facts, c)
			}
		}
		for i, a := range c.Body {
			p := a.Pred.ID
			if !slices.ContainsFunc(c.Body[:i], func(b App) bool { return b.Pred == a.Pred }) {
				g.Uses[p] = append(g.Uses[p], c)
			}
			if c.Head != nil {
				g.succ[p] = append(g.succ[p], c.Head.Pred.ID)
				g.pred[c.Head.Pred.ID] = append(g.pred[c.Head.Pred.ID], p)
			}
		}
	}
	for i := range n {
		slices.Sort(g.succ[i])
		g.succ[i] = slices.Compact(g.succ[i])
		slices.Sort(g.pred[i])
		g.pred[i] = slices.Compact(g.pred[i])
	}
	// Along the reversed edges a component is complete after everything that it is derived from.
	g.components = stronglyConnected(n, g.pred)
	for i, c := range g.components {
		for _, p := range c {
			g.component[p] = i
		}
	}
	g.cuts = sync.OnceValue(g.cutPoints)
	return g
}

// Successors returns the heads of the clauses with p in the body, by ID, each once.
func (g *Graph) Successors(p *Predicate) []*Predicate { return g.predicates(g.succ[p.ID]) }

// Components returns the strongly connected components, premises before what is derived from them; the predicates of
// one are ordered by ID.
func (g *Graph) Components() [][]*Predicate {
	out := make([][]*Predicate, len(g.components))
	for i, c := range g.components {
		out[i] = g.predicates(c)
	}
	return out
}

// Component returns the index of p's component in Components.
func (g *Graph) Component(p *Predicate) int { return g.component[p.ID] }

// Recursive reports whether p is on a cycle.
func (g *Graph) Recursive(p *Predicate) bool {
	return len(g.components[g.component[p.ID]]) > 1 || slices.Contains(g.succ[p.ID], p.ID)
}

// Acyclic reports whether no predicate depends on itself.
func (g *Graph) Acyclic() bool { return !slices.ContainsFunc(g.System.Predicates, g.Recursive) }

// CutPoints returns a small set of predicates that meets every cycle, by ID: the loop heads. Without them the graph is
// acyclic, so every other predicate can be inlined.
func (g *Graph) CutPoints() []*Predicate { return g.predicates(g.cuts()) }

// Forward returns, by predicate ID, whether the predicate has a derivation when constraints other than false are taken
// for satisfiable. Where it is false the predicate is empty in the least model.
func (g *Graph) Forward() []bool {
	reached := make([]bool, len(g.succ))
	missing := make([]int, len(g.System.Clauses)) // body predicates not reached yet, by place of the clause
	place := make(map[*Clause]int, len(g.System.Clauses))
	var work []int
	reach := func(c *Clause) {
		if c.Head != nil && !c.Constraint.IsFalse() && !reached[c.Head.Pred.ID] {
			reached[c.Head.Pred.ID] = true
			work = append(work, c.Head.Pred.ID)
		}
	}
	for i, c := range g.System.Clauses {
		place[c] = i
		if len(c.Body) == 0 {
			reach(c)
		}
	}
	for _, uses := range g.Uses {
		for _, c := range uses {
			missing[place[c]]++
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range g.Uses[p] {
			if missing[place[c]]--; missing[place[c]] == 0 {
				reach(c)
			}
		}
	}
	return reached
}

// Backward returns, by predicate ID, whether the predicate can occur in a derivation of false: in the body of a query
// or of a clause for such a predicate.
func (g *Graph) Backward() []bool {
	reached := make([]bool, len(g.succ))
	var work []int
	reach := func(c *Clause) {
		if c.Constraint.IsFalse() {
			return
		}
		for _, a := range c.Body {
			if !reached[a.Pred.ID] {
				reached[a.Pred.ID] = true
				work = append(work, a.Pred.ID)
			}
		}
	}
	for _, c := range g.Queries {
		reach(c)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range g.Defines[p] {
			reach(c)
		}
	}
	return reached
}

// peel removes nodes without incoming edges until only cycles and what they lead to are left, of the graph of the edges that
// has accepts. It calls remove for each edge of a removed node and returns how many nodes it removed.
func (g *Graph) peel(has func(v, w int) bool, remove func(v, w int)) int {
	degree := make([]int, len(g.succ))
	for v, ws := range g.succ {
		for _, w := range ws {
			if has(v, w) {
				degree[w]++
			}
		}
	}
	var work []int
	for v, d := range degree {
		if d == 0 {
			work = append(work, v)
		}
	}
	for k := 0; k < len(work); k++ {
		v := work[k]
		for _, w := range g.succ[v] {
			if has(v, w) {
				remove(v, w)
				if degree[w]--; degree[w] == 0 {
					work = append(work, w)
				}
			}
		}
	}
	return len(work)
}

func (g *Graph) predicates(ids []int) []*Predicate {
	out := make([]*Predicate, len(ids))
	for i, id := range ids {
		out[i] = g.System.Predicates[id]
	}
	return out
}

// stronglyConnected returns the strongly connected components of the graph with nodes 0…n-1, each sorted, a component
// after those that its edges lead to: Tarjan's algorithm, with its stack made explicit.
func stronglyConnected(n int, edges [][]int) [][]int {
	var (
		out     [][]int
		order   = make([]int, n) // 1 + the time of discovery; 0: not yet
		low     = make([]int, n)
		onStack = make([]bool, n)
		stack   []int
		time    int
	)
	type visit struct{ node, next int }
	for root := range n {
		if order[root] != 0 {
			continue
		}
		calls := []visit{{node: root}}
		for len(calls) > 0 {
			v := &calls[len(calls)-1]
			if v.next == 0 {
				time++
				order[v.node], low[v.node] = time, time
				stack, onStack[v.node] = append(stack, v.node), true
			}
			if v.next < len(edges[v.node]) {
				w := edges[v.node][v.next]
				v.next++
				if order[w] == 0 {
					calls = append(calls, visit{node: w})
				} else if onStack[w] {
					low[v.node] = min(low[v.node], order[w])
				}
				continue
			}
			node := v.node
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[node])
			}
			if low[node] == order[node] {
				i := slices.Index(stack, node)
				c := slices.Clone(stack[i:])
				stack = stack[:i]
				for _, w := range c {
					onStack[w] = false
				}
				slices.Sort(c)
				out = append(out, c)
			}
		}
	}
	return out
}
