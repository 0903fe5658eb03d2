package chc

import (
	"bufio"
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Measures of the drawing, in pixels.
const (
	svgCharWidth  = 7
	svgNodeHeight = 26
	svgLayerGap   = 64
	svgNodeGap    = 28
	svgMargin     = 24
	svgMaxName    = 40
)

// svgNode is a box or, for a clause with several body atoms, a point.
type svgNode struct {
	text, title, class string
	layer              int
	x, y, width        float64
	// order is the mean position of the node's neighbours, by which its layer is sorted.
	order float64
}

// svgEdge goes from one node to another.
type svgEdge struct {
	from, to int
	label    string
	arrow    bool
}

// WriteSVG draws the graph in layers, facts at the top and false at the bottom. Edges back to a cut point of their own
// component run upwards at the side; edges bear the clauses' numbers.
func (g *Graph) WriteSVG(w io.Writer) error {
	nodes, edges := g.drawing()
	layers := arrange(nodes, edges)
	width, height := place(nodes, layers)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", width, height, width, height)
	b.WriteString(`<style>
text { font: 12px Helvetica, Arial, sans-serif; text-anchor: middle; }
.label { font-size: 9px; fill: #555; }
rect { fill: #fff; stroke: #333; }
.cut rect { fill: #dbe7f5; }
.unreachable rect { stroke-dasharray: 4 3; }
.end rect { stroke: none; fill: none; }
.false text { fill: #b00; }
path { fill: none; stroke: #666; }
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,1 10,5 0,9" fill="#666"/></marker></defs>
`)
	for _, e := range edges {
		drawEdge(b, nodes, e)
	}
	for i := range nodes {
		drawNode(b, &nodes[i])
	}
	b.WriteString("</svg>\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("drawing a graph as SVG: %w", err)
	}
	return nil
}

// drawing returns the nodes, in layers, and the edges of the graph: node i is predicate i; then come true, false and the
// clauses that join several atoms.
func (g *Graph) drawing() ([]svgNode, []svgEdge) {
	forward := g.Forward()
	layer := g.layers()
	var nodes []svgNode
	bottom := 0
	for _, p := range g.System.Predicates {
		class := ""
		if slices.Contains(g.cuts(), p.ID) {
			class = "cut "
		}
		if !forward[p.ID] {
			class += "unreachable"
		}
		nodes = append(nodes, svgNode{text: p.Name, title: signature(p), class: strings.TrimSpace(class), layer: 2 + 2*layer[p.ID]})
		bottom = max(bottom, 4+2*layer[p.ID])
	}
	yes, no := len(nodes), len(nodes)+1
	nodes = append(nodes, svgNode{text: "true", class: "end"}, svgNode{text: "false", class: "end false", layer: max(bottom, 2)})
	var edges []svgEdge
	for _, e := range g.edges() {
		to := e.to
		if to < 0 {
			to = no
		}
		switch len(e.from) {
		case 0:
			edges = append(edges, svgEdge{yes, to, e.label(), true})
		case 1:
			edges = append(edges, svgEdge{e.from[0], to, e.label(), true})
		default:
			low := 0
			for _, f := range e.from {
				low = max(low, nodes[f].layer)
			}
			join := len(nodes)
			nodes = append(nodes, svgNode{layer: low + 1, class: "join"})
			for i, f := range e.from {
				if i == 0 || f != e.from[i-1] {
					edges = append(edges, svgEdge{f, join, "", false})
				}
			}
			edges = append(edges, svgEdge{join, to, e.label(), true})
		}
	}
	return nodes, edges
}

// layers returns each predicate's distance from the facts along the longest path, edges into cut points of their own
// component left out: without them there is no cycle.
func (g *Graph) layers() []int {
	n := len(g.succ)
	cut := make([]bool, n)
	for _, v := range g.cuts() {
		cut[v] = true
	}
	layer := make([]int, n)
	g.peel(
		func(v, w int) bool { return !cut[w] || g.component[v] != g.component[w] },
		func(v, w int) { layer[w] = max(layer[w], layer[v]+1) })
	return layer
}

// arrange returns the nodes by layer, ordered so that neighbours are near each other.
func arrange(nodes []svgNode, edges []svgEdge) [][]int {
	deepest := 0
	for _, n := range nodes {
		deepest = max(deepest, n.layer)
	}
	layers := make([][]int, deepest+1)
	for i := range nodes {
		layers[nodes[i].layer] = append(layers[nodes[i].layer], i)
	}
	around := make([][]int, len(nodes))
	for _, e := range edges {
		around[e.from] = append(around[e.from], e.to)
		around[e.to] = append(around[e.to], e.from)
	}
	at := make([]float64, len(nodes))
	number := func(l []int) {
		for i, v := range l {
			at[v] = float64(i) - float64(len(l)-1)/2
		}
	}
	for _, l := range layers {
		number(l)
	}
	for sweep := range 6 {
		for k := range layers {
			l := layers[k]
			if sweep%2 == 1 {
				l = layers[len(layers)-1-k]
			}
			for _, v := range l {
				sum, n := 0.0, 0
				for _, u := range around[v] {
					if u != v && nodes[u].layer != nodes[v].layer {
						sum += at[u]
						n++
					}
				}
				nodes[v].order = at[v]
				if n > 0 {
					nodes[v].order = sum / float64(n)
				}
			}
			slices.SortStableFunc(l, func(a, b int) int { return cmp.Compare(nodes[a].order, nodes[b].order) })
			number(l)
		}
	}
	return layers
}

// place gives the nodes their coordinates and returns the size of the drawing.
func place(nodes []svgNode, layers [][]int) (width, height float64) {
	widths := make([]float64, len(layers))
	for k, l := range layers {
		for i, v := range l {
			n := &nodes[v]
			if n.class == "join" {
				n.width = 6
			} else {
				n.width = float64(svgCharWidth*utf8.RuneCountInString(shorten(n.text)) + 18)
			}
			if i > 0 {
				widths[k] += svgNodeGap
			}
			widths[k] += n.width
		}
		width = max(width, widths[k])
	}
	width += 4 * svgMargin // room for the edges that run back
	y := float64(svgMargin)
	for k, l := range layers {
		x := (width - widths[k]) / 2
		for _, v := range l {
			nodes[v].x, nodes[v].y = x+nodes[v].width/2, y+svgNodeHeight/2
			x += nodes[v].width + svgNodeGap
		}
		if len(l) > 0 {
			y += svgLayerGap
		} else {
			y += svgLayerGap / 4
		}
	}
	return width, y - svgLayerGap + svgNodeHeight + svgMargin
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= svgMaxName {
		return s
	}
	return string([]rune(s)[:svgMaxName-1]) + "…"
}

func drawNode(b *bufio.Writer, n *svgNode) {
	if n.class == "join" {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="#666"/>`+"\n", n.x, n.y)
		return
	}
	if n.class == "" {
		b.WriteString("<g>")
	} else {
		fmt.Fprintf(b, `<g class="%s">`, n.class)
	}
	if n.title != "" {
		fmt.Fprintf(b, `<title>%s</title>`, html.EscapeString(n.title))
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6"/><text x="%.1f" y="%.1f">%s</text></g>`+"\n",
		n.x-n.width/2, n.y-svgNodeHeight/2, n.width, svgNodeHeight, n.x, n.y+4, html.EscapeString(shorten(n.text)))
}

func drawEdge(b *bufio.Writer, nodes []svgNode, e svgEdge) {
	from, to := &nodes[e.from], &nodes[e.to]
	marker := ""
	if e.arrow {
		marker = ` marker-end="url(#arrow)"`
	}
	half := func(n *svgNode) float64 {
		if n.class == "join" {
			return 3
		}
		return svgNodeHeight / 2
	}
	var lx, ly float64
	switch {
	case e.from == e.to:
		x, y := from.x+from.width/2, from.y
		fmt.Fprintf(b, `<path d="M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f"%s/>`+"\n", x, y-6, x+28, y-22, x+28, y+22, x, y+6, marker)
		lx, ly = x+24, y+3
	case to.layer > from.layer:
		x1, y1, x2, y2 := from.x, from.y+half(from), to.x, to.y-half(to)
		bend := min(svgLayerGap/2, (y2-y1)/2)
		fmt.Fprintf(b, `<path d="M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f"%s/>`+"\n", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2, marker)
		lx, ly = (x1+x2)/2+6, (y1+y2)/2
	default:
		// Backwards, or within a layer: out and in at the right-hand sides.
		x1, y1, x2, y2 := from.x+from.width/2, from.y, to.x+to.width/2, to.y
		out := max(x1, x2) + 36
		fmt.Fprintf(b, `<path d="M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f"%s/>`+"\n", x1, y1, out, y1, out, y2, x2, y2, marker)
		lx, ly = out-4, (y1+y2)/2
	}
	if e.label != "" {
		fmt.Fprintf(b, `<text class="label" x="%.1f" y="%.1f">%s</text>`+"\n", lx, ly, html.EscapeString(e.label))
	}
}
