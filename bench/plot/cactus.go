package plot

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hornbeam/bench/score"
)

// Cactus draws how many tasks each tool solves when each task may take the time on the vertical axis, with the virtual
// best tool from two tools on.
func Cactus(b *score.Board, by score.Time) *Figure {
	var curves []curve
	if len(b.Tools) > 1 {
		curves = append(curves, curve{score.VirtualBest, virtualBestPoints(b, by), style{grey, []vg.Length{1, 2}, nil}})
	}
	for i, tool := range b.Tools {
		curves = append(curves, curve{tool.Label, CactusPoints(b, i, by), styleOf(i)})
	}
	f := curvesFigure(b, by, curves, "tasks solved")
	f.Name, f.Title = "cactus", "Tasks solved within a time each"
	f.Caption = fmt.Sprintf("A point (n, t): the n fastest solved tasks took at most t seconds of %s time each. Further right and lower is better.", by)
	return f
}

// Quantile draws each tool's score-based quantile function.
func Quantile(b *score.Board, by score.Time) *Figure {
	var curves []curve
	for i, tool := range b.Tools {
		curves = append(curves, curve{tool.Label, QuantilePoints(b, i, by), styleOf(i)})
	}
	f := curvesFigure(b, by, curves, "accumulated score")
	f.Name, f.Title = "quantile", "Score-based quantile functions"
	f.Caption = fmt.Sprintf("The score of a tool's wrong verdicts and its n fastest correct ones, over the %s time of the n-th: "+
		"+2 a proof, +1 a bug, -32 a wrong proof, -16 a wrong alarm. A line begins at the score of the wrong verdicts and ends at the total; further right and lower is better.", by)
	return f
}

// curve is a tool's line with its name.
type curve struct {
	label  string
	points []Point
	style  style
}

// marks is about how many marks a curve has.
const marks = 12

func curvesFigure(b *score.Board, by score.Time, curves []curve, x string) *Figure {
	p := newPlot()
	p.X.Tick.Marker = whole{}
	least, greatest := 1.0, 1.0
	for _, c := range curves {
		for _, at := range c.points {
			least, greatest = min(least, at.Y), max(greatest, at.Y)
		}
	}
	limit := commonLimit(b, by)
	greatest = max(greatest, limit)
	if limit > 0 {
		p.Add(level{y: limit, label: fmt.Sprintf("limit %g s", limit)})
	}
	for _, c := range curves {
		xys := plotter.XYs{}
		some := plotter.XYs{}
		for i, at := range c.points {
			xys = append(xys, plotter.XY(at))
			if i%max(1, len(c.points)/marks) == 0 || i == len(c.points)-1 {
				some = append(some, plotter.XY(at))
			}
		}
		p.Add(&plotter.Line{XYs: xys, LineStyle: c.style.line()}, &plotter.Scatter{XYs: some, GlyphStyle: c.style.glyph()})
	}
	// Room above the limit for its label.
	logarithmic(&p.Y, least, greatest*1.6)
	p.X.Min, p.X.Max = min(p.X.Min, 0), max(p.X.Max, 1)
	f := &Figure{plot: p, width: vg.Points(600), height: vg.Points(380), x: x, y: fmt.Sprintf("%s time (s)", by)}

	// The curve that goes furthest is named first.
	slices.SortStableFunc(curves, func(c, d curve) int { return cmp.Compare(d.end(), c.end()) })
	for _, c := range curves {
		f.right = max(f.right, words(10).Width(short(c.label, legendLength))+54)
	}
	f.beside = func(data, margin draw.Canvas) {
		at := data.Max.Y - 14
		style := words(10)
		style.YAlign = draw.YCenter
		for _, c := range curves {
			margin.StrokeLine2(c.style.line(), margin.Min.X+10, at, margin.Min.X+38, at)
			margin.DrawGlyphNoClip(c.style.glyph(), vg.Point{X: margin.Min.X + 24, Y: at})
			margin.FillText(style, vg.Point{X: margin.Min.X + 44, Y: at + 1}, short(c.label, legendLength))
			at -= 17
		}
	}
	return f
}

// legendLength is how many characters of a tool's label a legend shows.
const legendLength = 36

// end is how far to the right the curve goes.
func (c curve) end() float64 {
	if len(c.points) == 0 {
		return 0
	}
	return c.points[len(c.points)-1].X
}

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.colour, Width: vg.Points(1.5), Dashes: s.dashes}
}

func (s style) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.colour, Radius: vg.Points(2.6), Shape: s.mark}
}

// commonLimit is the limit on the measure of time that all of the board's tools had, 0 if there is none.
func commonLimit(b *score.Board, by score.Time) float64 {
	common := 0.0
	for i, tool := range b.Tools {
		l := tool.Limits.Wall
		if by == score.CPU {
			l = tool.Limits.CPU
		}
		if i > 0 && l != common {
			return 0
		}
		common = l
	}
	return common
}

// level is a dashed line across the plot with its name above its right end.
type level struct {
	y     float64
	label string
}

func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	at := y(l.y)
	c.StrokeLine2(draw.LineStyle{Color: grey, Width: vg.Points(0.8), Dashes: []vg.Length{4, 3}}, c.Min.X, at, c.Max.X, at)
	style := words(9)
	style.XAlign, style.YAlign = draw.XRight, draw.YBottom
	c.FillText(style, vg.Point{X: c.Max.X - 2, Y: at + 1}, l.label)
}
