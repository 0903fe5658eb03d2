package svcomp

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/tree"
)

// maxBranches is how many branches a witness lists; a longer run is told by its chosen values alone.
const maxBranches = 20000

type (
	segment struct {
		Segment []struct {
			Waypoint waypoint `yaml:"waypoint"`
		} `yaml:"segment"`
	}
	waypoint struct {
		Type       string      `yaml:"type"`
		Action     string      `yaml:"action"`
		Constraint *constraint `yaml:"constraint,omitempty"`
		Location   location    `yaml:"location"`
	}
)

// Violation collects a violation witness from the events of a run.
type Violation struct {
	waypoints []waypoint
	branches  int
	// chosen says that the statement that is being executed chose a value; assumed are what it assigned then, and returned is
	// what was chosen and has no name yet.
	chosen   bool
	assumed  []assumption
	returned *waypoint
	// current is the statement that is being executed.
	current tree.Node
	target  *waypoint
	scopes  proof.Scopes
	parts   map[tree.Node]map[tree.Node]bool
}

// assumption is what a variable was given, to be assumed where the next statement begins. Where that is not possible the
// condition on what was returned takes its place, if there is one: that belongs before the waypoint with the number index.
type assumption struct {
	depth    int
	object   *tree.Object
	node     tree.Node
	current  tree.Node
	text     string
	returned *waypoint
	index    int
}

// Observe takes the next event.
func (v *Violation) Observe(e interpret.Event) {
	if e.Library && e.Kind != interpret.Chosen && e.Kind != interpret.Finished {
		return
	}
	switch e.Kind {
	case interpret.Chosen:
		if e.Question.Asked == interpret.Result {
			v.unnamed()
			v.chosen = true
			v.returned = returned(e)
		}
	case interpret.Called:
		if e.Function.Body != nil {
			v.unnamed()
		}
	case interpret.Assigned:
		v.settle(func(a assumption) settled {
			if a.object == e.Object {
				return dropped
			}
			return pending
		})
		// A value that was just chosen and now has a name.
		if v.chosen && e.Object != nil && e.Object.Name == e.Target && e.Value.Type != nil && e.Node != nil {
			if _, ok := e.Value.Type.(*tree.Integer); ok {
				v.assumed = append(v.assumed, assumption{
					e.Depth, e.Object, e.Node, v.current, e.Target + " == " + literal(e.Value), v.returned, len(v.waypoints),
				})
				v.returned = nil
			}
		}
	case interpret.Stepped:
		v.unnamed()
		v.chosen = false
		v.assume(e)
		v.current = e.Node
	case interpret.Branched:
		v.unnamed()
		v.chosen = false
		v.branch(e)
		v.current = e.Node
	case interpret.Skipped:
		// The next branch of the run is not that of the next turn.
		v.branches = maxBranches + 1
	case interpret.Finished:
		v.unnamed()
		v.settle(func(assumption) settled { return dropped })
		if e.Outcome.Node != nil {
			v.target = &waypoint{Type: "target", Action: "follow", Location: at(evaluated(e.Outcome).Pos(), e.Outcome.Function)}
		}
	}
}

// evaluated is the statement, or the full expression, in which a run reached the error: a target is where that begins.
func evaluated(o interpret.Outcome) tree.Node {
	found := o.Node
	if o.Function == nil || o.Function.Body == nil {
		return found
	}
	var walk func(n, full tree.Node)
	walk = func(n, full tree.Node) {
		_, statement := n.(tree.Statement)
		_, expression := n.(*tree.Evaluate)
		switch {
		case expression, !statement && full == nil:
			full = n
		case statement:
			full = nil
		}
		if n == o.Node && full != nil {
			found = full
		}
		tree.EachChild(n, func(child tree.Node) { walk(child, full) })
	}
	walk(o.Function.Body, nil)
	return found
}

// returned is what a call of an undefined function returned: a condition on its result where the call ends; nil if that has no
// place or is no integer.
func returned(e interpret.Event) *waypoint {
	call, ok := e.Question.Node.(*tree.Call)
	if !ok || call.Closing.Line == 0 {
		return nil
	}
	if _, ok := e.Value.Type.(*tree.Integer); !ok || !tree.Same(e.Value.Type, call.T) {
		return nil
	}
	return &waypoint{
		Type: "function_return", Constraint: &constraint{Value: `\result == ` + literal(e.Value), Format: "acsl_expression"},
		Location: at(call.Closing, e.Function),
	}
}

// unnamed tells what was chosen last, if no variable got it.
func (v *Violation) unnamed() {
	if v.returned != nil {
		v.add(*v.returned)
		v.returned = nil
	}
}

// settled is what becomes of an assumption.
type settled uint8

const (
	pending settled = iota
	assumed
	dropped
)

// settle decides about the assumptions that wait. What is told by none is told by what the call returned.
func (v *Violation) settle(decide func(assumption) settled) {
	all := v.assumed
	v.assumed = nil
	for i, a := range all {
		switch decide(a) {
		case pending:
			v.assumed = append(v.assumed, a)
		case dropped:
			if a.returned == nil {
				continue
			}
			w := *a.returned
			w.Action = "follow"
			v.waypoints = slices.Insert(v.waypoints, a.index, w)
			for k := range all[i+1:] {
				all[i+1+k].index++
			}
		}
	}
}

// assume tells what was chosen before the statement, as far as its names are those of the same call.
func (v *Violation) assume(e interpret.Event) {
	l := at(e.Node.Pos(), e.Function)
	_, declaration := e.Node.(*tree.Declare)
	if declaration {
		// A declaration begins with its type; without a column the first suitable one of the line is meant.
		l.Column = 0
	}
	var now []waypoint
	v.settle(func(a assumption) settled {
		switch {
		case a.depth != e.Depth || !v.visible(e, a.object):
			return dropped
		case e.Kind == interpret.Branched && v.within(a.node, e.Node):
			// The statement began before: a loop that tests again, or a test that chose.
			return dropped
		case a.current != nil && a.current != e.Node && a.current.Pos() == e.Node.Pos():
			return dropped // both are from one macro
		case declaration && a.node.Pos().Line == l.Line:
			// It may be the declaration that gave the value its name, of another object.
			return pending
		}
		now = append(now, waypoint{Type: "assumption", Constraint: &constraint{Value: a.text, Format: "c_expression"}, Location: l})
		return assumed
	})
	for _, w := range now {
		v.add(w)
	}
}

// within tells whether a node is a part of a statement.
func (v *Violation) within(n, statement tree.Node) bool {
	parts, ok := v.parts[statement]
	if !ok {
		parts = map[tree.Node]bool{}
		tree.Inspect(statement, func(n tree.Node) bool { parts[n] = true; return true })
		if v.parts == nil {
			v.parts = map[tree.Node]map[tree.Node]bool{}
		}
		v.parts[statement] = parts
	}
	return parts[n]
}

// visible tells whether the object can be named at the beginning of the statement.
func (v *Violation) visible(e interpret.Event, o *tree.Object) bool {
	s, ok := e.Node.(tree.Statement)
	if loop, head := s.(*tree.For); head && slices.ContainsFunc(loop.Init, func(i tree.Statement) bool {
		d, ok := i.(*tree.Declare)
		return ok && d.Object == o
	}) {
		return false
	}
	if v.scopes == nil {
		v.scopes = proof.Scopes{}
	}
	return ok && e.Function != nil && v.scopes.Visible(e.Function, s, o)
}

func (v *Violation) branch(e interpret.Event) {
	value := strconv.FormatBool(e.Taken)
	switch e.Node.(type) {
	case *tree.If, *tree.While, *tree.For:
	case *tree.Switch:
		value = e.Value.String()
	default:
		return
	}
	v.assume(e)
	v.branches++
	v.add(waypoint{Type: "branching", Constraint: &constraint{Value: value}, Location: at(e.Node.Pos(), e.Function)})
}

func (v *Violation) add(w waypoint) {
	w.Action = "follow"
	v.waypoints = append(v.waypoints, w)
}

// literal is an integer as C has it; the least one has no literal of its own.
func literal(v interpret.Value) string {
	s := v.String()
	t := v.Type.(*tree.Integer)
	if n, ok := strconv.ParseInt(s, 10, 64); ok == nil && n < 0 && n == t.Min().Int64() && t.Bits >= 32 {
		return fmt.Sprintf("(%d - 1)", n+1)
	}
	if !t.Signed {
		s += "U"
	}
	if t.Bits > 32 {
		s += "LL"
	}
	return s
}

// begins is what the text begins with at the locations of waypoints; elsewhere it is from a macro, or in another file, and no
// waypoint can be there.
var begins = map[string]*regexp.Regexp{
	"assumption": regexp.MustCompile(``), "branching": regexp.MustCompile(`^(?:if|while|for|switch)\b`), "function_return": regexp.MustCompile(`^\)`),
}

// Document writes the witness. It is an error if the run did not end in the error.
func (v *Violation) Document(m Metadata) ([]byte, error) {
	if v.target == nil {
		return nil, fmt.Errorf("write a violation witness: the run reached no error")
	}
	source := textOf(m.Files)
	var content []segment
	for _, w := range append(v.waypoints, *v.target) {
		if w.Type == "branching" && v.branches > maxBranches || !source.reads(w.Location, begins[w.Type]) {
			continue
		}
		var s segment
		s.Segment = append(s.Segment, struct {
			Waypoint waypoint `yaml:"waypoint"`
		}{w})
		content = append(content, s)
	}
	return document("violation_sequence", m, content)
}
