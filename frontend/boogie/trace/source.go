package trace

import (
	"slices"
	"strings"
	"unicode"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
)

// InSource returns the trace of a generated program in terms of the source that it was generated from: Pos is the
// position in the source, Text the source line that the function returns, which is empty where the line is not known. There is a step for each
// visit of a line, with the values that were recorded in it, for each call that such a step is inside of, and for the
// error. The column of a visit is that of the line's first letter; Inside has the program's own steps. What belongs to libraries, and variables whose names are the tool's, are left out.
func InSource(t *trace.Trace, line func(chc.Position) string) *trace.Trace {
	v := &view{raw: line, procedures: map[string]bool{}, out: &trace.Trace{Note: t.Note}}
	for _, s := range t.Steps {
		v.procedures[s.Procedure] = true
	}
	called := v.calls(t.Steps)
	for i, s := range t.Steps {
		v.step(s, called[i])
		if s.Kind != trace.Omitted {
			last := &v.out.Steps[len(v.out.Steps)-1]
			last.Inside = append(last.Inside, s)
		}
	}
	v.begin(t.Steps)
	return v.out
}

// view makes a trace in the source's terms.
type view struct {
	raw        func(chc.Position) string
	procedures map[string]bool
	out        *trace.Trace
	// argued is the index of the last call with recorded arguments.
	argued int
	// visits has the present visit of each call around a step, the outermost first.
	visits []visit
}

// visit is a run of consecutive steps on one source line.
type visit struct {
	// place is where the call is, of the places that are the user's.
	place chc.Position
	// step is the index of the visit's step, -1 for none.
	step int
	// seen are the places in the program that were passed: at one of them again, the line is visited again.
	seen map[chc.Position]bool
}

// calls returns for each call, and for each return by its call, whether it is shown: when a step inside is shown,
// or, where the text of its line is not known, when a step inside is on a line of the user's code.
func (v *view) calls(steps []trace.Step) []bool {
	shown := make([]bool, len(steps))
	of := make([]int, len(steps))
	var around []int // the index of the call at each depth, -1 for unknown
	for i, s := range steps {
		if s.Kind == trace.Omitted {
			around = nil
			continue
		}
		for len(around) <= s.Depth {
			around = append(around, -1)
		}
		for _, call := range around[:s.Depth] {
			if call >= 0 && (v.shown(s) || own(s) && v.line(steps[call].Source) == "") {
				shown[call] = true
			}
		}
		of[i] = -1
		switch s.Kind {
		case trace.Call:
			around = append(around[:s.Depth], i)
		case trace.Return:
			of[i] = around[s.Depth]
			around[s.Depth] = -1
		}
	}
	for i, s := range steps {
		if s.Kind == trace.Return && of[i] >= 0 {
			shown[i] = shown[of[i]]
		}
	}
	return shown
}

// line is the text of the source at a place, without the blanks around it.
func (v *view) line(pos chc.Position) string { return strings.TrimSpace(v.raw(pos)) }

// first is where the line of a place begins, if its text is known.
func (v *view) first(pos chc.Position) chc.Position {
	if raw := v.raw(pos); raw != "" {
		pos.Column = 1 + len(raw) - len(strings.TrimLeft(raw, " \t"))
	}
	return pos
}

// own reports whether a step is on a line of the user's code.
func own(s trace.Step) bool { return !s.Library && s.Source.Line > 0 }

// shown reports whether a step is part of the trace.
func (v *view) shown(s trace.Step) bool {
	switch s.Kind {
	case trace.Error:
		return true
	case trace.State:
		return !s.Library
	case trace.Record:
		return own(s) && !strings.HasPrefix(s.Values[0].Name, entryRecord)
	case trace.Statement, trace.Branch, trace.Nondet, trace.Call:
		return own(s) && v.line(s.Source) != ""
	}
	return false
}

func (v *view) step(s trace.Step, called bool) {
	for len(v.visits) <= s.Depth {
		v.visits = append(v.visits, visit{step: -1})
	}
	v.visits = v.visits[:s.Depth+1]
	switch s.Kind {
	case trace.Start:
		s.Values = v.visible(s.Values)
		v.add(s)
	case trace.Omitted:
		v.add(s)
		v.visits = nil
	case trace.Error, trace.State:
		s.Pos, s.Source, s.Values = v.place(s), chc.Position{}, v.visible(s.Values)
		v.add(s)
		v.visits[s.Depth].step = -1
	case trace.Record:
		v.record(s)
	case trace.Call, trace.Return:
		if called {
			v.call(s)
		} else {
			v.statement(s)
		}
	case trace.Locals: // the tool's
	default:
		v.statement(s)
	}
}

func (v *view) add(s trace.Step) {
	s.Library = false
	v.out.Steps = append(v.out.Steps, s)
}

// place is where a step is for the user: its own place in the source, or that of the innermost call around it that has one.
func (v *view) place(s trace.Step) chc.Position {
	if own(s) {
		return s.Source
	}
	for _, around := range slices.Backward(v.visits) {
		if around.place.Line > 0 {
			return around.place
		}
	}
	return s.Pos
}

// call adds a call or return as a step of its own.
func (v *view) call(s trace.Step) {
	at := &v.visits[s.Depth]
	if s.Source.Line == 0 {
		s.Source = at.place
	}
	if last := len(v.out.Steps) - 1; s.Kind == trace.Call && at.step == last && last > 0 && v.out.Steps[last].Values == nil && at.place.Line == s.Source.Line {
		s.Inside = v.out.Steps[last].Inside
		v.out.Steps = v.out.Steps[:last] // the line has no other step
	}
	if text := v.line(s.Source); text != "" {
		s.Text = text
	} else {
		s.Text = "call " + s.Procedure
	}
	if s.Source.Line > 0 {
		s.Pos = v.first(s.Source)
	}
	s.Source, s.Values = chc.Position{}, v.visible(s.Values)
	v.add(s)
	*at = visit{place: s.Pos, step: -1, seen: map[chc.Position]bool{}}
	if v.line(s.Pos) != "" {
		at.step = len(v.out.Steps) - 1 // what the line does with the result belongs to this step
	}
}

// statement adds a statement to the visit of its line.
func (v *view) statement(s trace.Step) {
	if !own(s) {
		return
	}
	at := v.visit(s, s.Kind == trace.Return)
	step := &v.out.Steps[at.step]
	if step.Kind == trace.Statement && (s.Kind == trace.Branch || s.Kind == trace.Nondet) {
		step.Kind = s.Kind
	}
	step.Values = with(step.Values, v.visible(s.Values))
}

// visit is the visit that a step is part of: the present one, or a new one in another line, or in the same once more.
// more says that the step is not the first one of its statement.
func (v *view) visit(s trace.Step, more bool) *visit {
	at := &v.visits[s.Depth]
	if at.place.File != s.Source.File || at.place.Line != s.Source.Line || at.seen[s.Pos] && !more {
		*at = visit{place: s.Source, step: -1, seen: map[chc.Position]bool{}}
	}
	if at.step < 0 {
		v.open(s, at)
	}
	at.seen[s.Pos] = true
	return at
}

// open begins the step of a visit.
func (v *view) open(s trace.Step, at *visit) {
	text := v.line(s.Source)
	kind := trace.Statement
	if text == "" {
		kind = trace.Record
	}
	v.add(trace.Step{Kind: kind, Depth: s.Depth, Procedure: s.Procedure, Pos: v.first(s.Source), Text: text})
	at.step = len(v.out.Steps) - 1
}

// with are values after others, of which those of the same names are replaced.
func with(values, after []trace.Value) []trace.Value {
	for _, a := range after {
		if i := slices.IndexFunc(values, func(b trace.Value) bool { return b.Name == a.Name }); i >= 0 {
			values = slices.Delete(values, i, i+1)
		}
		values = append(values, a)
	}
	return values
}

// SMACK's names of records: the entry of the program, the argument of a procedure, the result of an external function.
const (
	entryRecord    = "smack:entry:"
	externalRecord = "smack:ext:"
	argumentRecord = ":arg:"
)

// record adds a value that has a name in the source: an argument belongs to the call, others to the visit of their line.
func (v *view) record(s trace.Step) {
	value := s.Values[0]
	if strings.HasPrefix(value.Name, entryRecord) {
		return
	}
	if f, ok := strings.CutPrefix(value.Name, externalRecord); ok {
		value.Name = f + "()"
	}
	if f, argument, ok := strings.Cut(value.Name, argumentRecord); ok {
		value.Name = argument
		if last := len(v.out.Steps) - 1; last >= 0 {
			if call := &v.out.Steps[last]; call.Kind == trace.Call && call.Procedure == f && call.Depth == s.Depth-1 {
				if v.argued != last {
					call.Values, v.argued = nil, last // the parameters' names are the tool's
				}
				call.Values = append(call.Values, value)
				return
			}
		}
	}
	if !own(s) {
		return
	}
	at := v.visit(s, false)
	v.out.Steps[at.step].Values = with(v.out.Steps[at.step].Values, []trace.Value{value})
}

// visible are those values whose variables have names that a source may have.
func (v *view) visible(values []trace.Value) []trace.Value {
	var out []trace.Value
	for _, value := range values {
		name, _, _ := strings.Cut(value.Name, "[")
		if !v.procedures[name] && !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			out = append(out, value)
		}
	}
	return out
}

// begin puts the first step where the entry's first place in the source is.
func (v *view) begin(steps []trace.Step) {
	for _, s := range steps {
		if s.Depth == 0 && own(s) {
			v.out.Steps[0].Pos = v.first(s.Source)
			return
		}
	}
}
