package chc

import (
	"bufio"
	"cmp"
	"fmt"
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

// svgNode is a box, for a clause with several body atoms a point, or where a long edge passes a layer.
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
	// clauses are those that the edge stands for.
	clauses []int
	// bends are the nodes that the edge passes on its way, one in each layer with boxes between its ends.
	bends []int
	// lane is the x coordinate at which an edge back to an earlier layer passes the layers between. under says that it leaves its node
	// at the bottom, and over that it enters its node at the top, since a box is at the right of that node.
	lane        float64
	under, over bool
}

// WriteSVG draws the graph in layers, facts at the top and false at the bottom. Edges go around the predicates that are between their
// ends, those back to a cut point of their own component at the side. Edges bear the clauses' numbers, and tell the clauses where the
// pointer is. The picture is light or dark as its reader's pages are.
func (g *Graph) WriteSVG(w io.Writer) error {
	nodes, edges := g.drawing()
	nodes = route(nodes, edges)
	layers := arrange(nodes, edges)
	width, height := place(nodes, layers)
	width = lanes(nodes, layers, edges, width)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", width, height, width, height)
	b.WriteString(`<style>
svg { color-scheme: light dark; background: #fff; }
text { font: 12px Helvetica, Arial, sans-serif; text-anchor: middle; fill: #1d2125; }
.label { font-size: 9px; fill: #555; paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }
rect { fill: #fff; stroke: #333; }
.cut rect { fill: #dbe7f5; }
.unreachable rect { stroke-dasharray: 4 3; }
.end rect { stroke: none; fill: none; }
.false text { fill: #b00; }
path { fill: none; stroke: #666; }
circle, polygon { fill: #666; }
.edge .near { stroke: transparent; stroke-width: 9px; }
.edge:hover path.line { stroke: #0072b2; stroke-width: 2px; }
.edge:hover .label { fill: #0072b2; font-weight: bold; }
@media (prefers-color-scheme: dark) {
svg { background: #15181b; }
text { fill: #e3e6e8; }
.label { fill: #9aa4ad; stroke: #15181b; }
rect { fill: #1c2024; stroke: #9aa4ad; }
.cut rect { fill: #1d2f3d; }
.false text { fill: #ff9a80; }
path { stroke: #8a939b; }
circle, polygon { fill: #8a939b; }
.edge:hover path.line { stroke: #7ab8e8; }
.edge:hover .label { fill: #7ab8e8; }
}
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,1 10,5 0,9"/></marker></defs>
`)
	print := clauseTexts(g.System)
	for _, e := range edges {
		drawEdge(b, nodes, e, g.texts(print, e.clauses))
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
			edges = append(edges, svgEdge{yes, to, e.label(), true, e.clauses, nil, 0, false, false})
		case 1:
			edges = append(edges, svgEdge{e.from[0], to, e.label(), true, e.clauses, nil, 0, false, false})
		default:
			low := 0
			for _, f := range e.from {
				low = max(low, nodes[f].layer)
			}
			join := len(nodes)
			nodes = append(nodes, svgNode{layer: low + 1, class: "join"})
			for i, f := range e.from {
				if i == 0 || f != e.from[i-1] {
					edges = append(edges, svgEdge{f, join, "", false, e.clauses, nil, 0, false, false})
				}
			}
			edges = append(edges, svgEdge{join, to, e.label(), true, e.clauses, nil, 0, false, false})
		}
	}
	return nodes, edges
}

// texts are some of the clauses in SMT-LIB, cut to a length that can be read.
func (g *Graph) texts(print func(*Clause) (string, error), clauses []int) string {
	const most, longest = 3, 1500
	var out []string
	for i, c := range clauses {
		if i == most {
			out = append(out, fmt.Sprintf("… and %d more", len(clauses)-most))
			break
		}
		text, err := print(g.System.Clauses[c])
		if err != nil {
			continue
		}
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "") + " …"
		}
		out = append(out, fmt.Sprintf("clause %d\n%s", c, text))
	}
	return strings.Join(out, "\n\n")
}

// route adds a node without a box for each layer with boxes that an edge passes, so that arrange finds a place for the edge between these.
func route(nodes []svgNode, edges []svgEdge) []svgNode {
	boxes := map[int]bool{}
	for _, n := range nodes {
		if n.class != "join" {
			boxes[n.layer] = true
		}
	}
	for i := range edges {
		e := &edges[i]
		for l := nodes[e.from].layer + 1; l < nodes[e.to].layer; l++ {
			if boxes[l] {
				e.bends = append(e.bends, len(nodes))
				nodes = append(nodes, svgNode{layer: l, class: "bend"})
			}
		}
	}
	return nodes
}

// lanes gives edges back to earlier layers their lanes, at the right of all nodes of the layers between, and returns the width of the drawing.
func lanes(nodes []svgNode, layers [][]int, edges []svgEdge, width float64) float64 {
	const gap, step = 26, 12
	used := 0
	for i := range edges {
		e := &edges[i]
		from, to := &nodes[e.from], &nodes[e.to]
		if e.from == e.to || to.layer > from.layer {
			continue
		}
		right := 0.0
		for l := to.layer; l <= from.layer; l++ {
			for _, v := range layers[l] {
				right = max(right, nodes[v].x+nodes[v].width/2)
			}
		}
		boxed := func(n *svgNode) bool {
			return slices.ContainsFunc(layers[n.layer], func(v int) bool { return nodes[v].x > n.x && nodes[v].class != "bend" && nodes[v].class != "join" })
		}
		e.under, e.over = boxed(from), boxed(to)
		e.lane = right + gap + float64(step*used)
		used++
		width = max(width, e.lane+svgMargin)
	}
	return width
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
		way := slices.Concat([]int{e.from}, e.bends, []int{e.to})
		for i, v := range way[1:] {
			around[way[i]] = append(around[way[i]], v)
			around[v] = append(around[v], way[i])
		}
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
			switch n.class {
			case "join":
				n.width = 6
			case "bend":
				n.width = 2
			default:
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
