package trace

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
)

const (
	// maxSteps is how many steps a page has unless it is to be full, of which firstSteps are from the beginning.
	maxSteps   = 6000
	firstSteps = 1000
	// chipLength is how many letters of a value stand in the list, heldLength how many the page holds.
	chipLength = 60
	heldLength = 2000
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// HTML writes the trace as one page with the program's source beside it, which needs nothing else. Program is the name of
// the file that was verified; the sources are those files of the steps' places that can be shown. Unless it is to be full,
// the middle of a very long trace is left out, and long values are cut. An error is one of writing.
func (t *Trace) HTML(w io.Writer, program string, files *Files, full bool) error {
	p := &page{files: files, full: full, all: t.Steps, steps: t.Steps, names: map[string]int{}}
	for _, s := range t.Steps {
		if s.Pos.Line > 0 {
			p.file(s.Pos.File)
		}
	}
	if left := len(p.steps) - maxSteps; !full && left > 0 {
		gap := Step{Kind: Omitted, Text: Plural(left, "step")}
		p.steps = slices.Concat(p.steps[:firstSteps:firstSteps], []Step{gap}, p.steps[firstSteps+left:])
	}
	failure := t.Failure()
	digest := sha256.Sum256([]byte(pageJS))
	err := pageTemplate.Execute(w, map[string]any{
		"Program": program, "Failure": failureText(failure), "Values": p.values(failure.Values),
		"Last": len(p.steps), "Place": placeText(failure.Pos), "Link": p.link(failure.Pos), "Way": p.way(), "Entry": t.Steps[0].Procedure, "Count": Plural(len(t.Steps), "step"),
		"Parts": p.parts(fold(p.steps), 1), "Files": p.sources(),
		"Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'; base-uri 'none'; form-action 'none'",
		"Style":  template.CSS(pageCSS), "Script": template.JS(pageJS),
	})
	if err != nil {
		return fmt.Errorf("write the trace as a page: %w", err)
	}
	return nil
}

func failureText(s Step) string {
	if s.Text == "" {
		return "an error"
	}
	return s.Text
}

func placeText(pos chc.Position) string {
	if pos.Line == 0 {
		return ""
	}
	return filepath.Base(pos.File) + ":" + strconv.Itoa(pos.Line)
}

// page makes the data of a page.
type page struct {
	files *Files
	full  bool
	// all are the trace's steps, steps those that the list has.
	all, steps []Step
	// names has the number of each file that has a place in the list, shown those that can be shown, in their order.
	names map[string]int
	shown []string
}

// file is the number of a file, or -1 when it cannot be shown.
func (p *page) file(name string) int {
	n, known := p.names[name]
	if !known {
		n = -1
		if p.files.Lines(name) != nil {
			n = len(p.shown)
			p.shown = append(p.shown, name)
		}
		p.names[name] = n
	}
	return n
}

// link is the anchor of a line in the page, or empty.
func (p *page) link(pos chc.Position) string {
	n := p.file(pos.File)
	if pos.Line < 1 || n < 0 || pos.Line > len(p.files.Lines(pos.File)) {
		return ""
	}
	return anchor(n, pos.Line)
}

func anchor(file, line int) string { return fmt.Sprintf("f%d-%d", file, line) }

// partData is a part of the list.
type partData struct {
	// Step is the step, nil for the turns of a loop.
	Step *stepData
	// Call says that there is something inside.
	Call bool
	// Turns is what is said of a loop's turns, Deep that the inside is not indented.
	Turns  string
	Deep   bool
	Inside []partData
}

// stepData is a step in the list.
type stepData struct {
	Number, Depth   int
	Kind            Kind
	Procedure       string
	Link, Line      string
	Place           string
	Text, After     string
	Source          string
	Values          []valueData
	Indent          int
	Library, Failed bool
}

// valueData is a value: Short is what the list shows of it.
type valueData struct {
	Name, Value, Short string
	Global, Cut        bool
}

// deep is from how many calls and loops around them on parts are no longer indented.
const deep = 8

func (p *page) parts(parts []part, nesting int) []partData {
	out := make([]partData, len(parts))
	for i, part := range parts {
		out[i].Deep = nesting > deep
		if part.loop {
			s := p.steps[part.step]
			out[i].Turns = fmt.Sprintf("turns %d to %d of the loop at line %d", part.first, part.last, s.Pos.Line)
		} else {
			out[i].Step = p.step(part.step)
		}
		out[i].Call = len(part.inside) > 0 && !part.loop
		out[i].Inside = p.parts(part.inside, nesting+1)
	}
	return out
}

func (p *page) step(i int) *stepData {
	s := p.steps[i]
	d := &stepData{
		Number: i + 1, Depth: s.Depth, Kind: s.Kind, Procedure: s.Procedure, Link: p.link(s.Pos), Place: placeText(s.Pos),
		Text: s.Text, Values: p.values(s.Values), Library: s.Library, Failed: s.Kind == Error,
	}
	switch {
	case s.Pos.Line > 0 && len(p.names) > 1:
		d.Line = d.Place
	case s.Pos.Line > 0:
		d.Line = strconv.Itoa(s.Pos.Line)
	}
	if s.Source.Line > 0 {
		d.Source = placeText(s.Source)
	}
	switch s.Kind {
	case Start:
		d.Text = "the run begins in " + s.Procedure
	case Locals:
		d.Text = "first values of locals"
	case Return:
		d.Text = s.Procedure + " returns"
	case Error:
		d.Text = failureText(s)
	case Omitted:
		d.Text = s.Text + " left out"
	case Branch, Nondet:
		// The outcome is said behind the condition, where the eye finds it.
		if at := strings.LastIndex(s.Text, ": "); at >= 0 && !strings.Contains(s.Text[at:], ")") {
			d.Text, d.After = s.Text[:at], s.Text[at+2:]
		}
	}
	return d
}

func (p *page) values(values []Value) []valueData {
	out := make([]valueData, len(values))
	for i, v := range values {
		d := valueData{Name: v.Name, Value: v.Value, Short: v.Value, Global: v.Global}
		if !p.full {
			d.Value = cutTo(d.Value, heldLength)
		}
		d.Short = cutTo(v.Value, chipLength)
		d.Cut = d.Short != v.Value
		out[i] = d
	}
	return out
}

func cutTo(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		return string([]rune(s)[:n]) + "…"
	}
	return s
}

// callData is a call on the way to the failure.
type callData struct {
	Procedure, Link, Line string
	Step                  int
}

// way are the calls around the failure, the outermost first; Line and Link say where in it the next one is called.
func (p *page) way() []callData {
	entry := callData{Procedure: p.steps[0].Procedure, Step: 1}
	way := []callData{entry}
	for i, s := range p.steps {
		switch s.Kind {
		case Call:
			for len(way) <= s.Depth {
				way = append(way, callData{Procedure: "…"})
			}
			way = way[:s.Depth+1]
			way[s.Depth].Link, way[s.Depth].Line, way[s.Depth].Step = p.link(s.Pos), strconv.Itoa(s.Pos.Line), i+1
			way = append(way, callData{Procedure: s.Procedure})
		case Return:
			way = way[:min(s.Depth+1, len(way))]
		case Error:
			way = way[:min(s.Depth+1, len(way))]
			last := &way[len(way)-1]
			last.Link, last.Line, last.Step = p.link(s.Pos), strconv.Itoa(s.Pos.Line), i+1
		}
	}
	if len(way) > 12 { // a deep recursion
		way = slices.Concat(way[:4], []callData{{Procedure: fmt.Sprintf("… %d more …", len(way)-10)}}, way[len(way)-6:])
	}
	return way
}
