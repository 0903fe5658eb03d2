package trace

import (
	"slices"
	"strings"

	"hornbeam/chc"
)

// Variable is what steps read and write: a variable of the source, or what the front end takes for one.
type Variable struct {
	// Name is one that no other variable of the program has, Shown that which values of it have in steps.
	Name, Shown string
	// Local says that each call has its own.
	Local bool
	// Parts says that steps read parts of it, which only the Memory of their effects tells.
	Parts bool
}

// Result stands for the value that the call around a step returns.
var Result = Variable{Name: "return", Local: true}

// Effect is what a step depends on and what depends on it.
type Effect struct {
	// Reads are the variables that may be read. Of a Call, they are read in the caller and decide the parameters; of a Return, they
	// are those of the callee that the results come from.
	Reads []Variable
	// Writes are the variables that are written in part, Sets those of which nothing from before is left.
	Writes, Sets []Variable
	// From and To are the first and the last place that a Branch decides about; without lines it decides about all that follows in
	// the call. Jumps says that it does so beside these, Decides that a step of another kind does.
	From, To       chc.Position
	Jumps, Decides bool
	// Memory returns the values that were read in memory, by the names of their places; nil for a step that read none.
	Memory func() []Value
}

// Add adds another effect.
func (e *Effect) Add(f *Effect) {
	e.Reads, e.Writes, e.Sets = append(e.Reads, f.Reads...), append(e.Writes, f.Writes...), append(e.Sets, f.Sets...)
	if e.Memory == nil {
		e.Memory = f.Memory
	}
}

// Slice returns the trace with the steps that its failure depends on: those that compute values which the failure or a condition on the
// way to it reads, these conditions, and the calls around them, going backwards as dynamic slicing does (Korel and Laski, 1988). The
// failure gets the values that it reads, or the condition that led to it, where it has none. A trace with a step whose Effect is not known stays as it
// is, and so does one from which steps were omitted.
func (t *Trace) Slice() *Trace {
	for i, s := range t.Steps {
		if s.Effect == nil && i > 0 || s.Kind == Omitted {
			return t
		}
	}
	s := &slicer{steps: t.Steps, need: map[needed]bool{}, marks: map[int][]chc.Position{}}
	s.calls()
	kept := s.run()
	out := *t
	out.Steps = nil
	for i, step := range t.Steps {
		if kept[i] {
			out.Steps = append(out.Steps, step)
		}
	}
	if last := len(out.Steps) - 1; len(out.Steps[last].Values) == 0 {
		out.Steps[last].Values = s.reason()
	}
	return &out
}

// needed is a variable that some kept step reads, of one call if it is local.
type needed struct {
	call int
	name string
}

// slicer goes through the steps backwards.
type slicer struct {
	steps []Step
	// call is the number of the call that each step is in, inside that which a Call enters or a Return leaves.
	call, inside []int
	need         map[needed]bool
	// marks are the places of steps that are kept, by calls, as long as no condition is found that decides about them.
	marks map[int][]chc.Position
	// decided is the condition nearest to the failure, -1 for none.
	decided int
}

// calls numbers the calls.
func (s *slicer) calls() {
	s.call, s.inside = make([]int, len(s.steps)), make([]int, len(s.steps))
	stack, next := []int{0}, 1
	for i, step := range s.steps {
		depth := min(step.Depth, len(stack)-1)
		if step.Kind == Return && depth+1 < len(stack) {
			s.inside[i] = stack[depth+1]
		}
		stack = stack[:depth+1]
		s.call[i] = stack[depth]
		if step.Kind == Call {
			s.inside[i] = next
			stack = append(stack, next)
			next++
		}
	}
}

func (s *slicer) key(v Variable, call int) needed {
	if !v.Local {
		call = 0
	}
	return needed{call, v.Name}
}

// run returns which steps are kept.
func (s *slicer) run() []bool {
	kept := make([]bool, len(s.steps))
	s.decided = -1
	for i := len(s.steps) - 1; i >= 0; i-- {
		step, call := s.steps[i], s.call[i]
		switch step.Kind {
		case Start:
			kept[i] = true
		case Error:
			kept[i] = true
			s.keep(step, call)
		case Branch:
			if s.decides(step.Effect, call) {
				kept[i] = true
				if s.decided < 0 && call == s.call[len(s.steps)-1] {
					s.decided = i
				}
				s.keep(step, call)
			}
		case Call:
			// Parameters in memory, and what is written while they are evaluated, are everybody's.
			stores := s.writes(step.Effect, call)
			if inside := s.inside[i]; len(s.marks[inside]) > 0 || stores {
				kept[i] = true
				s.marks[call] = append(s.marks[call], step.Pos)
				if stores || slices.ContainsFunc(step.Effect.Sets, func(v Variable) bool { return s.need[s.key(v, inside)] }) {
					s.reads(step.Effect, call)
				}
			}
		case Return:
			if s.writes(step.Effect, call) {
				kept[i] = true
				s.marks[call] = append(s.marks[call], step.Pos)
				s.need[s.key(Result, s.inside[i])] = true
				s.reads(step.Effect, s.inside[i])
			}
		default:
			if s.writes(step.Effect, call) || step.Effect.Decides && s.decides(step.Effect, call) {
				kept[i] = true
				s.keep(step, call)
			}
		}
	}
	return kept
}

// keep takes note of what a kept step depends on.
func (s *slicer) keep(step Step, call int) {
	s.marks[call] = append(s.marks[call], step.Pos)
	s.reads(step.Effect, call)
}

func (s *slicer) reads(e *Effect, call int) {
	for _, v := range e.Reads {
		s.need[s.key(v, call)] = true
	}
}

// writes reports whether an effect writes what is needed. What it sets is needed no more before it.
func (s *slicer) writes(e *Effect, call int) bool {
	found := slices.ContainsFunc(e.Writes, func(v Variable) bool { return s.need[s.key(v, call)] })
	for _, v := range e.Sets {
		k := s.key(v, call)
		found = found || s.need[k]
		delete(s.need, k)
	}
	return found
}

// decides reports whether a condition decides about a kept step, and takes the marks of those between its places away.
func (s *slicer) decides(e *Effect, call int) bool {
	marks := s.marks[call]
	if len(marks) == 0 {
		return false
	}
	if e.From.Line == 0 {
		return true
	}
	outside := slices.DeleteFunc(slices.Clone(marks), func(p chc.Position) bool {
		return p.File == e.From.File && p.Compare(e.From) >= 0 && e.To.Compare(p) >= 0
	})
	found := len(outside) < len(marks)
	s.marks[call] = outside
	return found || e.Jumps
}

// reason is the values that the failure reads, or else the condition nearest to it, and where it reads parameters only, of what the caller gives
// for these.
func (s *slicer) reason() []Value {
	last := len(s.steps) - 1
	if values := s.values(s.call[last], last); len(values) > 0 || s.decided < 0 {
		return values
	}
	call := s.call[s.decided]
	values := s.values(call, s.decided)
	enter := slices.Index(s.inside, call)
	if call == 0 || enter < 0 || s.steps[enter].Kind != Call {
		return values
	}
	for _, v := range s.steps[s.decided].Effect.Reads {
		if v.Shown != "" && !slices.Contains(s.steps[enter].Effect.Sets, v) {
			return values
		}
	}
	return append(values, s.values(s.call[enter], enter)...)
}

// values are what a step of a call reads: of memory the values that it had, and of variables the last ones that they got before the step.
func (s *slicer) values(call, at int) []Value {
	effect := s.steps[at].Effect
	var out []Value
	add := func(v Value) {
		if !slices.ContainsFunc(out, func(w Value) bool { return w.Name == v.Name }) {
			out = append(out, v)
		}
	}
	var memory []Value
	if effect.Memory != nil {
		memory = effect.Memory()
	}
	for _, v := range effect.Reads {
		// What was read of a variable in memory is known to the element.
		own := slices.DeleteFunc(slices.Clone(memory), func(m Value) bool { return !partOf(m.Name, v.Shown) })
		for _, m := range own {
			add(m)
		}
		if got, ok := s.last(v, call, at); ok && len(own) == 0 {
			add(got)
		}
	}
	for _, m := range memory {
		add(m)
	}
	return out
}

// partOf reports whether a name is that of a variable, or of a part of it.
func partOf(name, variable string) bool {
	rest, ok := strings.CutPrefix(name, variable)
	return ok && variable != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// last is the last value that a variable got before a step.
func (s *slicer) last(v Variable, call, until int) (Value, bool) {
	if v.Parts {
		return Value{}, false
	}
	for i := until - 1; i >= 0; i-- {
		step := s.steps[i]
		own := s.call[i] == call && step.Kind != Call || step.Kind == Call && s.inside[i] == call
		if v.Local && !own {
			continue
		}
		if j := slices.IndexFunc(step.Values, func(w Value) bool { return partOf(w.Name, v.Shown) }); j >= 0 {
			return step.Values[j], true
		}
	}
	return Value{}, false
}
