package plot

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// The lines beyond the limit, as factors of it: a task that a tool did not solve is on the line that says why.
const (
	timeoutLine   = 1.0
	memoryOutLine = 1.8
	errorLine     = 3.2
	edge          = 4.5
)

// place is where a cell is on its tool's axis, in seconds; with beyond, on one of the lines.
func place(c *score.Cell, by score.Time, limit float64) (at float64, beyond bool) {
	switch c.Outcome {
	case score.Solved, score.Unconfirmed:
		return min(max(c.Seconds(by), shortest), limit), false
	case score.Timeout:
		return limit * timeoutLine, true
	case score.MemoryOut:
		return limit * memoryOutLine, true
	}
	return limit * errorLine, true
}

// kind is a way in which tasks are marked in a scatter plot.
type kind struct {
	name   string
	colour color.Color
	mark   draw.GlyphDrawer
}

// The kinds, in the order in which they are drawn: what is rare comes on top.
var kinds = []kind{
	{"sat", blue, ring{}},
	{"unsat", vermillion, triangle{}},
	{"no known verdict", grey, ring{}},
	{"time-out", green, diamond{}},
	{"memory-out", purple, star{}},
	{"unknown or error", orange, draw.BoxGlyph{}},
	{"wrong verdict", color.Black, cross{}},
}

// kindOf is by the worse of a task's two outcomes.
func kindOf(x, y *score.Cell) int {
	worst := 0
	for _, c := range []*score.Cell{x, y} {
		k := 0
		switch {
		case c.Outcome == score.Solved && c.Verdict.Canonical() == result.Unsat:
			k = 1
		case c.Outcome == score.Unconfirmed:
			k = 2
		case c.Outcome == score.Timeout:
			k = 3
		case c.Outcome == score.MemoryOut:
			k = 4
		case c.Outcome == score.Wrong:
			k = 6
		case !c.Outcome.Answered():
			k = 5
		}
		worst = max(worst, k)
	}
	return worst
}

// mark is a task of a scatter plot.
type mark struct {
	x, y float64
	kind int
	// task is its index on the board, title what is said of it.
	task  int
	title string
}

// Scatter draws the time of the board's j-th tool over that of its i-th, for each task that both were run on. Points below
// the diagonal are tasks on which the j-th is faster.
func Scatter(b *score.Board, i, j int, by score.Time) *Figure {
	var all []mark
	limit, least := 0.0, 1.0
	for _, t := range b.Tasks {
		for _, c := range []*score.Cell{t.Cells[i], t.Cells[j]} {
			if c != nil {
				limit = max(limit, allowed(c, by))
				if c.Outcome.Answered() {
					least = min(least, max(c.Seconds(by), shortest))
				}
			}
		}
	}
	limit = max(limit, 2*least)
	var both, onlyX, onlyY, neither int
	nameX, nameY := short(b.Tools[i].Label, 40), short(b.Tools[j].Label, 40)
	for index, t := range b.Tasks {
		x, y := t.Cells[i], t.Cells[j]
		if x == nil || y == nil {
			continue
		}
		px, lostX := place(x, by, limit)
		py, lostY := place(y, by, limit)
		all = append(all, mark{px, py, kindOf(x, y), index, fmt.Sprintf("%s: %s %s, %s %s", t.Task, nameX, said(x, by), nameY, said(y, by))})
		switch {
		case !lostX && !lostY:
			both++
		case !lostX:
			onlyX++
		case !lostY:
			onlyY++
		default:
			neither++
		}
	}
	p := newPlot()
	logarithmic(&p.X, least, limit*edge)
	logarithmic(&p.Y, least, limit*edge)
	p.X.Tick.Marker, p.Y.Tick.Marker = upTo{limit}, upTo{limit}
	m := &marked{all: all, limit: limit}
	p.Add(m)
	f := &Figure{
		Name: fmt.Sprintf("scatter-%d-%d", i+1, j+1), Title: fmt.Sprintf("%s against %s", nameY, nameX),
		Caption: fmt.Sprintf("A mark for each task: both answered %d, only %s %d, only %s %d, neither %d. Below the diagonal %s is faster; the thin lines are factors of ten.",
			both, nameX, onlyX, nameY, onlyY, neither, nameY),
		x: fmt.Sprintf("%s: %s time (s)", nameX, by), y: fmt.Sprintf("%s: %s time (s)", nameY, by),
		spots: func() []spot { return m.spots },
		plot:  p, width: vg.Points(600), height: vg.Points(450), right: vg.Points(132),
	}
	f.beside = func(data, margin draw.Canvas) { besideScatter(data, margin, p, limit, all) }
	return f
}

// allowed is the time that a cell could have taken: its limit, or what it took.
func allowed(c *score.Cell, by score.Time) float64 {
	most := 0.0
	for _, r := range c.Runs {
		l := r.Limits.Wall
		if by == score.CPU && (r.Limits.CPU > 0 || l == 0) {
			l = r.Limits.CPU
		}
		if l == 0 {
			l = c.Seconds(by)
		}
		most = max(most, l)
	}
	return most
}

// upTo are the decades up to the limit: what is beyond it is no time.
type upTo struct{ limit float64 }

func (u upTo) Ticks(least, _ float64) []plot.Tick { return decades{}.Ticks(least, u.limit) }

// said is a tool's outcome on a task in a few words.
func said(c *score.Cell, by score.Time) string {
	if c.Outcome.Answered() {
		return fmt.Sprintf("%s in %.3g s", c.Verdict, c.Seconds(by))
	}
	return string(c.Outcome)
}

// marked draws the lines and the marks, and keeps where they are.
type marked struct {
	all   []mark
	limit float64
	spots []spot
}

func (m *marked) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m.spots = nil
	thin := draw.LineStyle{Color: grey, Width: vg.Points(0.5)}
	for _, factor := range []float64{0.1, 1, 10} {
		style := thin
		if factor == 1 {
			style.Width = vg.Points(1)
		}
		// The part of the line y = factor·x that is within the limits.
		from := math.Max(p.X.Min, p.Y.Min/factor)
		to := math.Min(m.limit, m.limit/factor)
		if from < to {
			c.StrokeLine2(style, x(from), y(from*factor), x(to), y(to*factor))
		}
	}
	dashed := draw.LineStyle{Color: grey, Width: vg.Points(0.8), Dashes: []vg.Length{4, 3}}
	for _, line := range []float64{timeoutLine, memoryOutLine, errorLine} {
		at := m.limit * line
		c.StrokeLine2(dashed, x(at), c.Min.Y, x(at), c.Max.Y)
		c.StrokeLine2(dashed, c.Min.X, y(at), c.Max.X, y(at))
	}
	for k := range kinds {
		for _, one := range m.all {
			if one.kind == k {
				at := vg.Point{X: x(one.x), Y: y(one.y)}
				c.DrawGlyphNoClip(glyph(k), at)
				m.spots = append(m.spots, spot{at, one.task, one.title})
			}
		}
	}
}

func glyph(k int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: kinds[k].colour, Radius: vg.Points(2.6), Shape: kinds[k].mark}
}

// besideScatter names the lines at the right edge and lists the marks below.
func besideScatter(data, margin draw.Canvas, p *plot.Plot, limit float64, all []mark) {
	_, y := p.Transforms(&data)
	style := words(9)
	style.YAlign = draw.YCenter
	for _, line := range []struct {
		factor float64
		name   string
	}{{timeoutLine, fmt.Sprintf("time-out (%.4g s)", limit)}, {memoryOutLine, "memory-out"}, {errorLine, "unknown, error, wrong"}} {
		margin.FillText(style, vg.Point{X: margin.Min.X + 4, Y: y(limit*line.factor) + 1}, line.name)
	}
	at := y(limit) - 40
	legend := words(10)
	legend.YAlign = draw.YCenter
	for k, kind := range kinds {
		n := 0
		for _, one := range all {
			if one.kind == k {
				n++
			}
		}
		if n == 0 {
			continue
		}
		margin.DrawGlyphNoClip(glyph(k), vg.Point{X: margin.Min.X + 10, Y: at})
		margin.FillText(legend, vg.Point{X: margin.Min.X + 20, Y: at + 1}, fmt.Sprintf("%s (%d)", kind.name, n))
		at -= 16
	}
}
