package chc

import (
	"bufio"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

func drawNode(b *bufio.Writer, n *svgNode) {
	switch n.class {
	case "join":
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3"/>`+"\n", n.x, n.y)
		return
	case "bend":
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

// half is how far a node's edges end above or below its middle.
func (n *svgNode) half() float64 {
	switch n.class {
	case "join":
		return 3
	case "bend":
		return 0
	}
	return svgNodeHeight / 2
}

// rounded is a line through points with round corners.
func rounded(way [][2]float64) string {
	const most = 10
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f,%.1f", way[0][0], way[0][1])
	for i := 1; i+1 < len(way); i++ {
		before, at, after := way[i-1], way[i], way[i+1]
		// Each line is upright or level.
		length := func(p, q [2]float64) float64 { return math.Abs(p[0]-q[0]) + math.Abs(p[1]-q[1]) }
		toward := func(p [2]float64) [2]float64 {
			l := length(at, p)
			if l == 0 {
				return at
			}
			r := min(most, l/2)
			return [2]float64{at[0] + (p[0]-at[0])*r/l, at[1] + (p[1]-at[1])*r/l}
		}
		in, out := toward(before), toward(after)
		fmt.Fprintf(&b, " L%.1f,%.1f Q%.1f,%.1f %.1f,%.1f", in[0], in[1], at[0], at[1], out[0], out[1])
	}
	last := way[len(way)-1]
	fmt.Fprintf(&b, " L%.1f,%.1f", last[0], last[1])
	return b.String()
}

func drawEdge(b *bufio.Writer, nodes []svgNode, e svgEdge, title string) {
	from, to := &nodes[e.from], &nodes[e.to]
	var path strings.Builder
	var lx, ly float64
	switch {
	case e.from == e.to:
		x, y := from.x+from.width/2, from.y
		fmt.Fprintf(&path, "M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y-6, x+28, y-22, x+28, y+22, x, y+6)
		lx, ly = x+28+2.5*float64(len(e.label)), y+3
	case to.layer > from.layer:
		x, y := from.x, from.y+from.half()
		fmt.Fprintf(&path, "M%.1f,%.1f", x, y)
		for i, v := range append(slices.Clone(e.bends), e.to) {
			n := &nodes[v]
			x2, y2 := n.x, n.y-n.half()
			if n.class == "bend" {
				y2 -= svgNodeHeight / 2
			}
			bend := min(svgLayerGap/2, (y2-y)/2)
			fmt.Fprintf(&path, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y+bend, x2, y2-bend, x2, y2)
			if i == 0 {
				lx, ly = (x+x2)/2+6, (y+y2)/2
			}
			if n.class == "bend" {
				y2 += svgNodeHeight // straight past the boxes of its layer
				fmt.Fprintf(&path, " L%.1f,%.1f", x2, y2)
			}
			x, y = x2, y2
		}
	default:
		// Backwards, or within a layer: out and in at the right-hand sides, or below and above, and along a lane of its own.
		const apart = 12
		out := [][2]float64{{from.x + from.width/2, from.y}, {e.lane, from.y}}
		if e.under {
			x, y := from.x+from.width/4, from.y+from.half()
			out = [][2]float64{{x, y}, {x, y + apart}, {e.lane, y + apart}}
		}
		in := [][2]float64{{e.lane, to.y}, {to.x + to.width/2, to.y}}
		if e.over {
			x, y := to.x+to.width/4, to.y-to.half()
			in = [][2]float64{{e.lane, y - apart}, {x, y - apart}, {x, y}}
		}
		way := append(out, in...)
		path.WriteString(rounded(way))
		y1, y2 := out[len(out)-1][1], in[0][1]
		lx, ly = e.lane+8, (y1+y2)/2
	}
	marker := ""
	if e.arrow {
		marker = ` marker-end="url(#arrow)"`
	}
	fmt.Fprintf(b, `<g class="edge"><title>%s</title><path class="line" d="%s"%s/><path class="near" d="%s"/>`, html.EscapeString(title), path.String(), marker, path.String())
	if e.label != "" {
		fmt.Fprintf(b, `<text class="label" x="%.1f" y="%.1f">%s</text>`, lx, ly, html.EscapeString(e.label))
	}
	b.WriteString("</g>\n")
}
