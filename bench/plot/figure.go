package plot

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"hornbeam/bench/score"
)

// Figure is a plot that is ready to be written.
type Figure struct {
	// Name is a word for file names, Title says what is shown, Caption how it is to be read.
	Name, Title, Caption string

	plot          *plot.Plot
	width, height vg.Length
	// x and y are the axes' labels.
	x, y string
	// right is the margin beside the plot; beside draws into it.
	right  vg.Length
	beside func(data, margin draw.Canvas)
	// spots are marks that stand for something, set when the figure is drawn.
	spots func() []spot
}

// spot is a mark at a place of the drawing, counted from its lower left corner: the index of a board's task, and what is said of it.
type spot struct {
	at    vg.Point
	task  int
	title string
}

// dpi is the resolution of PNG files.
const dpi = 144

// draw draws title, plot, axes' labels and margin. The labels are not the plot's own, which it places in the middle of a
// linear axis whatever the scale is.
func (f *Figure) draw(c draw.Canvas) {
	title := words(13)
	title.XAlign, title.YAlign = draw.XLeft, draw.YTop
	c.FillText(title, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 4}, f.Title)
	body := draw.Crop(c, 22, -f.right-4, 22, -28)
	f.plot.Draw(body)
	data := f.plot.DataCanvas(body)
	label := words(11)
	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	c.FillText(label, vg.Point{X: data.Center().X, Y: c.Min.Y + 6}, f.x)
	label.Rotation, label.YAlign = math.Pi/2, draw.YTop
	c.FillText(label, vg.Point{X: c.Min.X + 4, Y: data.Center().Y}, f.y)
	margin := draw.Crop(c, 0, -4, 4, -28)
	margin.Min.X = margin.Max.X - f.right
	f.beside(data, margin)
}

// PNG writes the figure on white.
func (f *Figure) PNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	f.draw(draw.New(c))
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(w); err != nil {
		return fmt.Errorf("write the plot %s as PNG: %w", f.Name, err)
	}
	return nil
}

// SVG writes the figure on white, as a file of its own.
func (f *Figure) SVG(w io.Writer) error {
	text := f.svg()
	// The first group is the one that turns the picture upside up; the white ground is drawn before it.
	head, body, _ := strings.Cut(text, "<g ")
	if _, err := fmt.Fprintf(w, "%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<g %s", head, body); err != nil {
		return fmt.Errorf("write the plot %s as SVG: %w", f.Name, err)
	}
	return nil
}

// Inline is the figure as an element of a page: without a background, as wide as its place, and drawn in the page's colour
// of text where it is black, so that it can be read in a light and in a dark page. A dark page may set --blue and
// --vermillion to lighter ones of these two.
func (f *Figure) Inline() string {
	text := f.svg()
	_, body, _ := strings.Cut(text, "<g ")
	// vgsvg leaves black fills out, as SVG does by default: the group's fill is inherited.
	body = strings.NewReplacer("stroke:#000000", "stroke:currentColor", ":#0072B2", ":var(--blue,#0072B2)", ":#D55E00", ":var(--vermillion,#D55E00)").Replace(body)
	body = strings.TrimSuffix(strings.TrimSpace(body), "</svg>") + f.links() + "</svg>\n"
	return fmt.Sprintf("<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\" fill=\"currentColor\" xmlns=\"http://www.w3.org/2000/svg\">\n<g %s",
		f.width.Points(), f.height.Points(), html.EscapeString(f.Title+". "+f.Caption), body)
}

// links are links over the figure's marks to the tasks that they stand for, which are named where the pointer is.
func (f *Figure) links() string {
	if f.spots == nil {
		return ""
	}
	var b strings.Builder
	for _, s := range f.spots() {
		fmt.Fprintf(&b, "<a href=\"#tasks\" class=\"spot\" data-task=\"%d\"><title>%s</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"transparent\"/></a>\n",
			s.task, html.EscapeString(s.title), s.at.X.Points(), (f.height - s.at.Y).Points())
	}
	return b.String()
}

// svg is the figure without a background. Where Liberation Sans is not installed, fonts of the same widths are used.
func (f *Figure) svg() string {
	c := vgsvg.NewWith(vgsvg.UseWH(f.width, f.height))
	f.draw(draw.New(c))
	var b bytes.Buffer
	// Writing to a buffer can't fail.
	_, _ = c.WriteTo(&b)
	return strings.ReplaceAll(joined(b.String()), "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
}

// joined is the drawing with neighbouring paths of the same style made one: each of thousands of marks is a path otherwise.
// Dashes are left alone, as they are counted along a path.
func joined(svg string) string {
	const begin, middle, end = "<path d=\"", "\" style=\"", "\" />\n"
	var b strings.Builder
	open := ""
	for line := range strings.Lines(svg) {
		path, style, ok := strings.Cut(line, middle)
		path, isPath := strings.CutPrefix(path, begin)
		if !ok || !isPath || !strings.HasSuffix(style, end) || strings.Contains(style, "dash") {
			style = ""
		}
		if open != "" && open != style {
			b.WriteString(middle + open)
		}
		switch {
		case style == "":
			b.WriteString(line)
		case style == open:
			b.WriteString(path)
		default:
			b.WriteString(begin + path)
		}
		open = style
	}
	if open != "" {
		b.WriteString(middle + open)
	}
	return b.String()
}

// Kinds are the kinds of figures.
var Kinds = []string{"cactus", "quantile", "scatter"}

// All are the figures that a board has of some kinds, with a scatter plot of every two tools.
func All(b *score.Board, by score.Time, kinds ...string) []*Figure {
	var figures []*Figure
	for _, kind := range Kinds {
		switch {
		case !slices.Contains(kinds, kind):
		case kind == "cactus":
			figures = append(figures, Cactus(b, by))
		case kind == "quantile":
			figures = append(figures, Quantile(b, by))
		default:
			for i := range b.Tools {
				for j := i + 1; j < len(b.Tools); j++ {
					figures = append(figures, Scatter(b, i, j, by))
				}
			}
		}
	}
	return figures
}

// Pair is the scatter plot of two tools, each by its name or the label of its column.
func Pair(b *score.Board, x, y string, by score.Time) (*Figure, error) {
	var columns [2]int
	for k, name := range []string{x, y} {
		columns[k] = slices.IndexFunc(b.Tools, func(t score.Tool) bool { return t.Label == name || t.Name == name })
		if columns[k] < 0 {
			return nil, fmt.Errorf("the results have no runs of %s", name)
		}
	}
	return Scatter(b, columns[0], columns[1], by), nil
}
