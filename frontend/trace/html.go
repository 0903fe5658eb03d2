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
	// chipLength is how many characters of a value the list shows, heldLength how many the page has.
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
		for _, s := range append([]Step{s}, s.Inside...) {
			if s.Pos.Line > 0 {
				p.file(s.Pos.File)
			}
		}
	}
	if left := len(p.steps) - maxSteps; !full && left > 0 {
		gap := Step{Kind: Omitted, Text: Plural(left, "step")}
		p.steps = slices.Concat(p.steps[:firstSteps:firstSteps], []Step{gap}, p.steps[firstSteps+left:])
	}
	// The steps inside of others are not counted.
	p.steps = joined(p.steps)
	p.limitInside()
	failure := t.Failure()
	if len(failure.Values) == 0 {
		// Those that the failure depends on.
		failure.Values = t.Slice().Failure().Values
	}
	digest := sha256.Sum256([]byte(pageJS))
	err := pageTemplate.Execute(w, map[string]any{
		"Program": program, "Note": t.Note, "Failure": failureText(failure), "Values": p.values(failure.Values),
		"Last": len(p.steps), "Place": placeText(failure.Pos), "Link": p.linkOf(failure), "Way": p.way(), "Entry": t.Steps[0].Procedure, "Count": Plural(len(t.Steps), "step"),
		"Parts": p.parts(p.steps, fold(p.steps), 1, "s"), "Files": p.sources(), "Missing": p.missing(),
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

// missing are the files that steps of the list have places in, but cannot be shown.
func (p *page) missing() []string {
	var out []string
	for _, s := range p.steps {
		if s.Pos.Line > 0 && p.file(s.Pos.File) < 0 && !slices.Contains(out, s.Pos.File) {
			out = append(out, s.Pos.File)
		}
	}
	return out
}

// link is the anchor of a line in the page, or empty.
func (p *page) link(pos chc.Position) string {
	n := p.file(pos.File)
	if pos.Line < 1 || n < 0 || pos.Line > len(p.files.Lines(pos.File)) {
		return ""
	}
	return anchor(n, pos.Line)
}

// linkOf is the anchor of a step's line, or where that cannot be shown, of the first line of the program that it stands for.
func (p *page) linkOf(s Step) string {
	link := p.link(s.Pos)
	for i := 0; link == "" && i < len(s.Inside); i++ {
		link = p.link(s.Inside[i].Pos)
	}
	return link
}

// lineOnly reports whether a step has nothing but the number of a source line whose text is not known.
func lineOnly(s Step) bool { return s.Kind == Record && s.Text == "" && len(s.Values) == 0 }

// joined are the steps with those that follow each other and say nothing but a line made one.
func joined(steps []Step) []Step {
	var out []Step
	for i, s := range steps {
		if last := len(out) - 1; i > 0 && lineOnly(s) && lineOnly(steps[i-1]) && out[last].Depth == s.Depth && out[last].Pos.File == s.Pos.File {
			out[last].Inside = slices.Concat(out[last].Inside, s.Inside)
			out[last].Text += ", " + strconv.Itoa(s.Pos.Line)
			continue
		}
		out = append(out, s)
	}
	for i, s := range out {
		if s.Kind == Record && strings.HasPrefix(s.Text, ", ") {
			out[i].Text = "reached, then lines " + cutTo(s.Text[2:], chipLength)
		} else if lineOnly(s) {
			out[i].Text = "reached"
		}
	}
	return out
}

// limitInside drops the inner steps of the steps in the middle when the page would have too many.
func (p *page) limitInside() {
	total := 0
	for _, s := range p.steps {
		total += len(s.Inside)
	}
	for i := firstSteps; i < len(p.steps)-firstSteps && total > 2*maxSteps && !p.full; i++ {
		total -= len(p.steps[i].Inside)
		p.steps[i].Inside = nil
	}
}

func anchor(file, line int) string { return fmt.Sprintf("f%d-%d", file, line) }

// partData is a part of the list.
type partData struct {
	// Step is the step, nil for the turns of a loop.
	Step *stepData
	// Turns describes a loop's turns, Deep that the inside is not indented, Open that it is shown at first.
	Turns  string
	Deep   bool
	Open   bool
	Inside []partData
	// Own are the generated program's own steps that the step stands for, OwnCount says how many.
	Own      []partData
	OwnCount string
}

// Call reports whether the part is a call with something inside.
func (p partData) Call() bool {
	return p.Turns == "" && (len(p.Inside) > 0 || p.Step.Kind == Call && p.Aside())
}

// Visit reports whether the part is a line of a source that stands for steps of the program.
func (p partData) Visit() bool {
	if p.Turns != "" || len(p.Own) == 0 {
		return false
	}
	switch p.Step.Kind {
	case Statement, Branch, Nondet, Record:
		return true
	}
	return false
}

// Aside reports whether the program's own steps say more than the step that stands for them.
func (p partData) Aside() bool { return len(p.Own) > 1 || len(p.Own) == 1 && p.Step.Failed }

// stepData is a step in the list.
type stepData struct {
	ID          string
	Depth       int
	Kind        Kind
	Procedure   string
	Link        string
	Line, Place string
	// Column is that of the place in letters, from 1 on; 0 if it is not known.
	Column      int
	Text, After string
	Source      string
	Values      []valueData
	// Inside is how much there is in a call, Nesting how deep a very deep one is.
	Inside  string
	Nesting int
	// Own says that the step is one of the generated program's own, Failed that it is the error.
	Library, Failed, Own bool
}

// valueData is a value: Short is what the list shows of it.
type valueData struct {
	Name, Value, Short string
	Global, Cut        bool
}

// deep is from how many calls and loops around them on parts are no longer indented.
const deep = 6

// maxUnfolded is up to how many steps a trace is shown with all calls unfolded.
const maxUnfolded = 40

// parts are the data of parts of the steps, whose names begin with the prefix.
func (p *page) parts(steps []Step, parts []part, nesting int, prefix string) []partData {
	out := make([]partData, len(parts))
	for i, part := range parts {
		s, d := steps[part.step], &out[i]
		d.Deep = nesting > deep
		d.Inside = p.parts(steps, part.inside, nesting+1, prefix)
		if part.loop {
			d.Turns = fmt.Sprintf("turns %d to %d of the loop at line %d", part.first, part.last, s.Pos.Line)
			continue
		}
		d.Step = p.step(s, prefix+strconv.Itoa(part.step+1), prefix != "s")
		if len(s.Inside) > 0 {
			d.Own = p.parts(s.Inside, fold(s.Inside), nesting+1, d.Step.ID+"-")
			d.OwnCount = Plural(len(s.Inside), "step") + " of the generated program"
		}
		if d.Deep && len(part.inside) > 0 {
			d.Step.Nesting = s.Depth + 1
		}
		if n := count(part.inside); n > 0 {
			d.Step.Inside = Plural(n, "step")
		}
		// In a long trace, calls that returned are folded.
		d.Open = prefix != "s" || len(p.steps) <= maxUnfolded || i+1 == len(parts) || steps[parts[i+1].step].Kind != Return
	}
	return out
}

// count is how many steps parts stand for.
func count(parts []part) int {
	n := 0
	for _, p := range parts {
		n += count(p.inside)
		if !p.loop {
			n++
		}
	}
	return n
}

func (p *page) step(s Step, id string, own bool) *stepData {
	d := &stepData{
		ID: id, Depth: s.Depth, Kind: s.Kind, Procedure: s.Procedure, Link: p.linkOf(s), Place: placeText(s.Pos),
		Text: s.Text, Values: p.values(s.Values), Library: s.Library, Failed: s.Kind == Error, Own: own,
	}
	if line := p.files.Line(s.Pos); s.Pos.Column > 0 && s.Pos.Column <= len(line) {
		d.Column = utf8.RuneCountInString(line[:s.Pos.Column-1]) + 1
		d.Place += ":" + strconv.Itoa(d.Column)
	}
	switch {
	case s.Pos.Line > 0 && s.Pos.File != p.all[len(p.all)-1].Pos.File && !own:
		d.Line = placeText(s.Pos)
	case s.Pos.Line > 0:
		d.Line = strconv.Itoa(s.Pos.Line)
	}
	if s.Source.Line > 0 && !own {
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
		// The outcome is shown behind the condition.
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
			way[s.Depth].Link, way[s.Depth].Line, way[s.Depth].Step = p.linkOf(s), strconv.Itoa(s.Pos.Line), i+1
			way = append(way, callData{Procedure: s.Procedure})
		case Error:
			way = way[:min(s.Depth+1, len(way))]
			last := &way[len(way)-1]
			last.Link, last.Line, last.Step = p.linkOf(s), strconv.Itoa(s.Pos.Line), i+1
		}
	}
	if len(way) > 12 { // a deep recursion
		way = slices.Concat(way[:4], []callData{{Procedure: fmt.Sprintf("… %d more …", len(way)-10)}}, way[len(way)-6:])
	}
	return way
}
