package plot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Okabe and Ito's colours, without the yellow, which is too light for lines on white.
var (
	blue       = color.NRGBA{0x00, 0x72, 0xB2, 0xFF}
	vermillion = color.NRGBA{0xD5, 0x5E, 0x00, 0xFF}
	green      = color.NRGBA{0x00, 0x9E, 0x73, 0xFF}
	purple     = color.NRGBA{0xCC, 0x79, 0xA7, 0xFF}
	orange     = color.NRGBA{0xE6, 0x9F, 0x00, 0xFF}
	skyBlue    = color.NRGBA{0x56, 0xB4, 0xE9, 0xFF}
	grey       = color.NRGBA{0x80, 0x80, 0x80, 0xFF}
	faint      = color.NRGBA{0x80, 0x80, 0x80, 0x40}
)

// style is how the i-th tool of a plot is drawn.
type style struct {
	colour color.Color
	dashes []vg.Length
	mark   draw.GlyphDrawer
}

// styleOf differs in colour, dashes and mark for the first six tools; then colours come again with other dashes and marks.
func styleOf(i int) style {
	colours := []color.Color{blue, vermillion, green, purple, orange, skyBlue}
	dashes := [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {12, 3}}
	marks := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, diamond{}, ring{}, triangle{}, draw.SquareGlyph{}}
	return style{colours[i%len(colours)], dashes[i%len(dashes)], marks[i%len(marks)]}
}

// diamond is a filled square on its corner, star is three strokes, cross a thick ×; ring and triangle are outlines that are
// thick enough to keep their colour.
type (
	diamond  struct{}
	star     struct{}
	cross    struct{}
	ring     struct{}
	triangle struct{}
)

func (ring) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: vg.Points(0.9)})
	var p vg.Path
	p.Move(vg.Point{X: at.X + sty.Radius, Y: at.Y})
	p.Arc(at, sty.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}

func (triangle) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: vg.Points(0.9)})
	r := sty.Radius * 1.2
	var p vg.Path
	for i := range 3 {
		sin, cos := math.Sincos(math.Pi/2 + float64(i)*2*math.Pi/3)
		corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	c.Stroke(p)
}

func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius * 1.25
	var p vg.Path
	p.Move(vg.Point{X: at.X, Y: at.Y + r})
	p.Line(vg.Point{X: at.X + r, Y: at.Y})
	p.Line(vg.Point{X: at.X, Y: at.Y - r})
	p.Line(vg.Point{X: at.X - r, Y: at.Y})
	p.Close()
	c.Fill(p)
}

func (star) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: vg.Points(0.9)})
	r := float64(sty.Radius) * 1.3
	for i := range 3 {
		sin, cos := math.Sincos(math.Pi/2 + float64(i)*math.Pi/3)
		x, y := vg.Length(r*cos), vg.Length(r*sin)
		var p vg.Path
		p.Move(vg.Point{X: at.X - x, Y: at.Y - y})
		p.Line(vg.Point{X: at.X + x, Y: at.Y + y})
		c.Stroke(p)
	}
}

func (cross) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: vg.Points(1.6)})
	r := sty.Radius * 1.1
	for _, d := range []vg.Length{-r, r} {
		var p vg.Path
		p.Move(vg.Point{X: at.X - r, Y: at.Y - d})
		p.Line(vg.Point{X: at.X + r, Y: at.Y + d})
		c.Stroke(p)
	}
}

// sans is the one typeface of all plots.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

func words(size float64) text.Style {
	return text.Style{Color: color.Black, Font: sans(size), Handler: plot.DefaultTextHandler}
}

// newPlot is an empty plot in the one style of all plots, with a grid behind what is added to it.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Label.Font = sans(10)
		axis.Tick.Length = vg.Points(4)
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = faint, faint
	grid.Horizontal.Width, grid.Vertical.Width = vg.Points(0.5), vg.Points(0.5)
	p.Add(grid)
	return p
}

// logarithmic makes the axis one of time from a little below the least to the greatest value, in seconds.
func logarithmic(a *plot.Axis, least, greatest float64) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = decades{}
	a.Min, a.Max = least*0.8, min(greatest, math.MaxFloat64)
	if a.Max <= a.Min {
		a.Max = 10 * a.Min
	}
}

// decades are ticks at the powers of ten, written as plain numbers, with minor ones between; a range of more than a dozen
// powers has them at some of these only.
type decades struct{}

func (decades) Ticks(least, greatest float64) []plot.Tick {
	const most = 12
	first, last := int(math.Floor(math.Log10(least)+1e-9)), int(math.Floor(math.Log10(greatest)+1e-9))
	step := 1 + (last-first)/most
	var ticks []plot.Tick
	for e := first; e <= last; e += step {
		power := math.Pow(10, float64(e))
		label := strconv.FormatFloat(power, 'f', max(0, -e), 64)
		if e > most {
			label = fmt.Sprintf("1e%d", e)
		}
		ticks = append(ticks, plot.Tick{Value: power, Label: label})
		for i := 2; i < 10 && step == 1; i++ {
			if v := power * float64(i); v <= greatest {
				ticks = append(ticks, plot.Tick{Value: v})
			}
		}
	}
	return ticks
}

// whole are ticks at round whole numbers.
type whole struct{}

func (whole) Ticks(least, greatest float64) []plot.Tick {
	step := 1.0
	for i := 0; (greatest-least)/step > 8; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	var ticks []plot.Tick
	for v := math.Ceil(least/step) * step; v <= greatest+step*1e-9; v += step {
		// Adding zero makes a zero of one with a sign.
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.0f", v+0)})
	}
	return ticks
}

// short is a label as a legend can hold it: printable, and of a bounded length.
func short(label string, length int) string {
	var runes []rune
	for _, r := range label {
		if !unicode.IsPrint(r) {
			r = '\uFFFD'
		}
		runes = append(runes, r)
	}
	if len(runes) > length {
		runes = append(runes[:length-1], '…')
	}
	return string(runes)
}
