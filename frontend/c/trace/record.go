package trace

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/trace"
)

// Limits on what is kept of a run: its beginning and its end.
const (
	keepFirst = 20000
	keepLast  = 20000
)

// Recorder makes a trace of the events of a run.
type Recorder struct {
	first, last []trace.Step
	omitted     int
	// unseen says that what was omitted is the rest of a run of so many steps; 0 for what is counted.
	unseen  int64
	sources sources
	effects effects
	// statement is the last one that was begun.
	statement tree.Node
	// pending are the accesses to memory since the last step.
	pending []interpret.Access
	// arguments are the values that the run begins with: of argc, and of argv's strings.
	arguments []trace.Value
	texts     map[int]map[int64]byte
}

// maxPending bounds how many accesses a step is told to have.
const maxPending = 4096

// Access takes the next access to memory.
func (r *Recorder) Access(a interpret.Access) {
	if r.omitted == 0 && len(r.pending) < maxPending {
		r.pending = append(r.pending, a)
	}
}

// settle gives the accesses since the last step to a step.
func (r *Recorder) settle(s *trace.Step) {
	if s != nil && s.Effect != nil {
		access(s.Effect, r.pending)
	}
	r.pending = r.pending[:0]
}

// NewRecorder is a recorder without events.
func NewRecorder() *Recorder { return &Recorder{sources: sources{}, effects: effects{}} }

// Source has the steps of a file say what its text is, instead of what is on the disk.
func (r *Recorder) Source(name string, text []byte) {
	r.sources[name] = strings.Split(string(text), "\n")
}

// Rest takes note that what is observed next is the last event of a run of so many steps, of which the others are left out.
func (r *Recorder) Rest(steps int64) {
	r.omitted++
	r.unseen = steps
}

// Observe takes the next event.
func (r *Recorder) Observe(e interpret.Event) {
	if e.Library && e.Kind != interpret.Chosen && e.Kind != interpret.Finished {
		// A call of the library is a step: what it does is the library's matter, but for a value that it chooses and stores.
		if e.Kind == interpret.Assigned && (e.Object == nil || e.Object.Function == nil || !e.Object.Function.Library) {
			r.name(e)
		}
		return
	}
	switch {
	case e.Kind == interpret.Stepped, e.Kind == interpret.Returned && e.Function.Body != nil:
		// What was accessed since the last step is what that did.
		r.settle(r.lastStep())
	}
	// The interpreter counts the entry's call, a trace the calls around a step.
	step := trace.Step{Depth: max(e.Depth-1, 0), Procedure: name(e.Function)}
	if e.Node != nil {
		step.Pos = e.Node.Pos()
		step.Text = r.sources.line(e.Node.Pos())
	}
	step.Effect = r.effects.of(e)
	switch e.Kind {
	case interpret.Branched, interpret.Assigned, interpret.Finished:
		r.settle(&step)
	case interpret.Called, interpret.Declared:
		if e.Kind == interpret.Declared || e.Function.Body != nil {
			r.settle(&step)
		}
	}
	if e.Kind == interpret.Stepped {
		r.statement = e.Node
	}
	if r.describe(&step, e) {
		r.add(step)
	}
}

// describe completes the step of an event. It is false for an event that is no step of its own.
func (r *Recorder) describe(step *trace.Step, e interpret.Event) bool {
	switch e.Kind {
	case interpret.Began:
		step.Kind, step.Depth = trace.Start, 0
		step.Values = r.arguments
	case interpret.Stepped:
		switch e.Node.(type) {
		case *tree.Block, *tree.Label, *tree.Case, *tree.Empty, *tree.Declare:
			return false
		}
		step.Kind = trace.Statement
	case interpret.Branched:
		step.Kind = trace.Branch
		outcome := "no"
		if e.Taken {
			outcome = "yes"
		}
		if _, ok := e.Node.(*tree.Switch); ok {
			outcome = e.Value.String()
		}
		step.Text = fmt.Sprintf("%s: %s", step.Text, outcome)
	case interpret.Called:
		if e.Function.Body == nil {
			return false
		}
		step.Kind = trace.Call
		for i, a := range e.Arguments {
			if i < len(e.Function.Params) && a.Type != nil && e.Function.Params[i].Name != "" {
				step.Values = append(step.Values, trace.Value{Name: e.Function.Params[i].Name, Value: a.String()})
			}
		}
	case interpret.Returned:
		if e.Function.Body == nil {
			return false
		}
		step.Kind = trace.Return
		if e.Value.Type != nil {
			step.Values = []trace.Value{{Name: e.Function.Name + "()", Value: e.Value.String()}}
		}
	case interpret.Assigned:
		return r.assigned(step, e)
	case interpret.Declared:
		d, ok := e.Node.(*tree.Declare)
		if !ok || len(d.Init) == 0 {
			return false
		}
		step.Kind = trace.Statement
	case interpret.Chosen:
		return r.chosen(step, e)
	case interpret.Skipped:
		of := "a loop"
		if e.Node != nil {
			of = fmt.Sprintf("the loop in line %d", e.Node.Pos().Line)
		}
		*step = trace.Step{Kind: trace.Omitted, Text: fmt.Sprintf("%d similar turns of %s", e.Turns, of)}
	case interpret.Finished:
		r.finished(step, e)
	default:
		return false
	}
	return true
}

// assigned completes the step of an assignment, unless it joins the last step.
func (r *Recorder) assigned(step *trace.Step, e interpret.Event) bool {
	if e.Target == "" {
		return false
	}
	if r.name(e) {
		r.lastStep().Effect.Add(step.Effect)
		return false
	}
	v := trace.Value{Name: e.Target, Value: e.Value.String(), Global: e.Object != nil && e.Object.Storage <= tree.Static}
	if last := r.lastStep(); last != nil && (last.Kind == trace.Statement || last.Kind == trace.Nondet) && last.Depth == step.Depth && last.Pos.Line == step.Pos.Line {
		last.Values = append(last.Values, v)
		last.Effect.Add(step.Effect)
		return false
	}
	step.Kind = trace.Statement
	step.Values = []trace.Value{v}
	return true
}

// chosen completes the step of a nondeterministic choice, unless the value is an argument of main.
func (r *Recorder) chosen(step *trace.Step, e interpret.Event) bool {
	q := e.Question
	if r.argument(e) {
		return false
	}
	what := "a value"
	switch {
	case e.Target != "":
		what = e.Target
	case q.Function != nil:
		what = q.Function.Name + "()"
	case q.Object != nil && q.Object.Name != "":
		what = q.Object.Name
	}
	step.Kind = trace.Nondet
	if q.Node == nil && q.Object != nil {
		step.Pos = q.Object.Pos
	}
	step.Values = []trace.Value{{Name: what, Value: e.Value.String()}}
	return true
}

// finished completes the last step, of a run that reaches the error.
func (r *Recorder) finished(step *trace.Step, e interpret.Event) {
	step.Kind = trace.Error
	if n := e.Outcome.Node; n != nil {
		more := reads(n)
		if r.statement != nil && r.statement.Pos().Line == n.Pos().Line {
			more = reads(r.statement)
		}
		more.Add(step.Effect)
		step.Effect = more
	}
	step.Pos = e.Outcome.Pos()
	if step.Text = e.Outcome.What; step.Text == "" {
		step.Text = e.Outcome.Error.String()
	}
	if e.Outcome.Function != nil {
		step.Procedure = e.Outcome.Function.Name
	}
}

// name gives a value that was chosen in the last step the name of the variable that gets it. It reports whether it did.
func (r *Recorder) name(e interpret.Event) bool {
	last := r.lastStep()
	if last == nil || last.Kind != trace.Nondet || e.Target == "" || len(last.Values) == 0 {
		return false
	}
	v := &last.Values[len(last.Values)-1]
	if !strings.HasSuffix(v.Name, "()") || v.Value != e.Value.String() || e.Node == nil || !e.Library && e.Node.Pos().Line != last.Pos.Line {
		return false
	}
	v.Name, v.Global = e.Target, e.Object != nil && e.Object.Storage <= tree.Static
	assigned(last.Effect, e)
	return true
}

// argument takes a value of argc or a character of argv, which runs begin with. It reports whether the event tells one.
func (r *Recorder) argument(e interpret.Event) bool {
	q := e.Question
	switch {
	case e.Argument > 0:
		if r.texts == nil {
			r.texts = map[int]map[int64]byte{}
		}
		i := e.Argument - 1
		if r.texts[i] == nil {
			r.texts[i] = map[int64]byte{}
		}
		c, _ := strconv.ParseInt(e.Value.String(), 10, 64)
		r.texts[i][q.Offset] = byte(c)
		r.show(fmt.Sprintf("%s[%d]", q.Object.Name, i), quoted(r.texts[i]))
	case q.Asked == interpret.Argument && len(r.first) == 0 && q.Object != nil && q.Object.Name != "" && e.Base == 0:
		r.show(q.Object.Name, e.Value.String())
	default:
		return false
	}
	return true
}

// show says a value that the run begins with.
func (r *Recorder) show(name, value string) {
	list := &r.arguments
	if len(r.first) > 0 {
		list = &r.first[0].Values
	}
	if i := slices.IndexFunc(*list, func(v trace.Value) bool { return v.Name == name }); i >= 0 {
		(*list)[i].Value = value
		return
	}
	*list = append(*list, trace.Value{Name: name, Value: value})
}

// quoted is a string of which some characters are known; the others, and what follows the last, are shown by dots.
func quoted(text map[int64]byte) string {
	var b []byte
	dots := "…"
	for i := int64(0); i < 60; i++ {
		c, known := text[i]
		if !known || c == 0 {
			if known {
				dots = ""
			}
			break
		}
		b = append(b, c)
	}
	return strconv.QuoteToASCII(string(b)) + dots
}

func name(f *tree.Function) string {
	if f == nil {
		return ""
	}
	return f.Name
}

func (r *Recorder) lastStep() *trace.Step {
	switch {
	case len(r.last) > 0:
		return &r.last[len(r.last)-1]
	case len(r.first) > 0:
		return &r.first[len(r.first)-1]
	}
	return nil
}

func (r *Recorder) add(s trace.Step) {
	if last := r.lastStep(); last != nil && s.Kind == trace.Call && last.Kind == trace.Statement && len(last.Values) == 0 && last.Pos.File == s.Pos.File && last.Pos.Line == s.Pos.Line && last.Depth == s.Depth {
		// A statement that has done nothing before a call in it is told once.
		*last = s
		return
	}
	if len(r.first) < keepFirst {
		r.first = append(r.first, s)
		return
	}
	if len(r.last) == 2*keepLast {
		r.omitted += keepLast
		r.last = append(r.last[:0], r.last[keepLast:]...)
	}
	r.last = append(r.last, s)
}

// Trace is what was recorded of a run that reached the error.
func (r *Recorder) Trace() *trace.Trace {
	t := &trace.Trace{Steps: r.first}
	switch {
	case r.unseen > 0:
		t.Steps = append(t.Steps, trace.Step{Kind: trace.Omitted, Text: fmt.Sprintf("the steps up to the last of %d", r.unseen)})
	case r.omitted > 0:
		t.Steps = append(t.Steps, trace.Step{Kind: trace.Omitted, Text: trace.Plural(r.omitted, "step")})
	}
	t.Steps = append(t.Steps, r.last...)
	return t
}

// sources are the lines of the files that steps are in.
type sources map[string][]string

// line is the line of a place, without space around it; empty if the file can't be read.
func (s sources) line(p tree.Pos) string {
	lines, ok := s[p.File]
	if !ok {
		if text, err := os.ReadFile(p.File); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s[p.File] = lines
	}
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}
