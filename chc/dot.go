package chc

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// edge is a clause, or several that differ in their constraints only, as it is drawn: from the predicates of the body
// (none: a fact) to the one of the head (-1: false).
type edge struct {
	from    []int
	to      int
	clauses []int
}

// edges returns the system's clauses as they are drawn, parallel ones together.
func (g *Graph) edges() []edge {
	var out []edge
	index := map[string]int{}
	for _, c := range g.System.Clauses {
		e := edge{to: -1}
		if c.Head != nil {
			e.to = c.Head.Pred.ID
		}
		for _, a := range c.Body {
			e.from = append(e.from, a.Pred.ID)
		}
		slices.Sort(e.from)
		key := fmt.Sprint(e.from, e.to)
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, e)
		}
		out[i].clauses = append(out[i].clauses, c.ID)
	}
	return out
}

// label lists the clauses of the edge.
func (e edge) label() string {
	const most = 4
	var parts []string
	for i, c := range e.clauses {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, strconv.Itoa(c))
	}
	return strings.Join(parts, ", ")
}

// WriteDOT prints the graph for Graphviz. Edges bear the clauses' numbers; a clause with several body atoms is a point
// where its edges join. Cut points are filled, predicates without a derivation dashed.
func (g *Graph) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("digraph clauses {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];\n" +
		"  edge [fontname=\"Helvetica\", fontsize=9];\n")
	forward := g.Forward()
	for _, p := range g.System.Predicates {
		style := "rounded"
		if slices.Contains(g.cuts(), p.ID) {
			style += ",filled"
		}
		if !forward[p.ID] {
			style += ",dashed"
		}
		fmt.Fprintf(b, "  p%d [label=%s, style=%q, tooltip=%s];\n", p.ID, dotString(p.Name), style, dotString(signature(p)))
	}
	b.WriteString("  true [shape=plaintext];\n  false [shape=plaintext, fontcolor=red];\n")
	for i, e := range g.edges() {
		to := "false"
		if e.to >= 0 {
			to = "p" + strconv.Itoa(e.to)
		}
		switch len(e.from) {
		case 0:
			fmt.Fprintf(b, "  true -> %s [label=%s];\n", to, dotString(e.label()))
		case 1:
			fmt.Fprintf(b, "  p%d -> %s [label=%s];\n", e.from[0], to, dotString(e.label()))
		default:
			fmt.Fprintf(b, "  c%d [shape=point];\n", i)
			for _, f := range e.from {
				fmt.Fprintf(b, "  p%d -> c%d [arrowhead=none];\n", f, i)
			}
			fmt.Fprintf(b, "  c%d -> %s [label=%s];\n", i, to, dotString(e.label()))
		}
	}
	b.WriteString("}\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("printing a graph as DOT: %w", err)
	}
	return nil
}

// dotString quotes s for DOT.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}

// signature is the predicate with its arguments' sorts.
func signature(p *Predicate) string {
	var b strings.Builder
	b.WriteString(p.Name)
	b.WriteByte('(')
	for i, s := range p.Sorts {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.ArgNames != nil {
			b.WriteString(p.ArgNames[i] + " ")
		}
		b.WriteString(s.String())
	}
	b.WriteByte(')')
	return b.String()
}
