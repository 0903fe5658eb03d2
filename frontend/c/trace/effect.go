package trace

import (
	"slices"
	"strconv"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/trace"
)

// variable is an object as steps read and write it. The accesses to one in memory are observed: its name stands for nothing but what is
// shown of it.
func variable(o *tree.Object) trace.Variable {
	if inMemory(o) {
		return trace.Variable{Name: o.Unique + " in memory", Shown: o.Name, Parts: aggregate(o)}
	}
	return trace.Variable{Name: o.Unique, Shown: o.Name, Local: o.Storage >= tree.Automatic}
}

// inMemory reports whether an object has an address: others are scalars that only their names lead to.
func inMemory(o *tree.Object) bool { return aggregate(o) || o.Escapes }

func aggregate(o *tree.Object) bool {
	switch o.Type.(type) {
	case *tree.Array, *tree.Struct:
		return true
	}
	return false
}

// cells are the bytes at an address. Of many only the first are told apart: that much is in no step that is worth being shown.
func cells(address uint64, size int64) []trace.Variable {
	const most = 512
	out := make([]trace.Variable, min(size, most))
	for i := range out {
		out[i] = trace.Variable{Name: "@" + strconv.FormatUint(address+uint64(i), 16)}
	}
	return out
}

// access adds accesses to memory to an effect. What is read after it is written is not read.
func access(e *trace.Effect, accesses []interpret.Access) {
	var read []interpret.Access
	for _, a := range accesses {
		if a.Write {
			e.Sets = append(e.Sets, cells(a.Address, a.Size)...)
			continue
		}
		e.Reads = append(e.Reads, cells(a.Address, a.Size)...)
		if len(read) < mostShown {
			read = append(read, a)
		}
	}
	if len(read) > 0 {
		e.Memory = func() []trace.Value { return shown(read) }
	}
}

// mostShown is how many reads of memory a step shows the values of.
const mostShown = 20

// shown are the values that were read, by the names of their places.
func shown(read []interpret.Access) []trace.Value {
	var out []trace.Value
	for _, a := range read {
		if place, value := a.Read(); place != "" {
			out = append(out, trace.Value{Name: place, Value: value.String()})
		}
	}
	return out
}

// returned is the value of a call of a function, "" for one that a pointer leads to.
func returned(f *tree.Function) trace.Variable {
	if f == nil {
		return trace.Variable{Name: "()", Local: true}
	}
	return trace.Variable{Name: f.Name + "()", Shown: f.Name + "()", Local: true}
}

// reads returns what nodes may read, beside memory.
func reads(nodes ...tree.Node) *trace.Effect {
	e := &trace.Effect{}
	assigned := map[tree.Node]bool{}
	for _, n := range nodes {
		tree.Inspect(n, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Assign:
				// What is stored to is not read.
				assigned[tree.Root(n.Place)] = true
			case *tree.Use:
				if assigned[n] {
					break
				}
				e.Reads = append(e.Reads, variable(n.Object))
			case *tree.Call:
				e.Reads = append(e.Reads, returned(n.Function))
			case *tree.Declare:
				for _, i := range n.Init {
					if i.Value != nil {
						e.Reads = append(e.Reads, reads(i.Value).Reads...)
					}
				}
				return false
			}
			return true
		})
	}
	return e
}

// static is what the effect of an event depends on that no run changes.
type static struct {
	kind      interpret.EventKind
	node      tree.Node
	condition tree.Value
	function  *tree.Function
}

// effects are the parts of effects that no run changes: of a long run, most events repeat earlier ones.
type effects map[static]*trace.Effect

// of is the effect of an event, before what the run tells it to assign.
func (known effects) of(e interpret.Event) *trace.Effect {
	switch e.Kind {
	case interpret.Stepped, interpret.Branched, interpret.Called, interpret.Returned, interpret.Assigned:
	default:
		return chosen(e)
	}
	key := static{e.Kind, e.Node, e.Condition, e.Function}
	first, ok := known[key]
	if !ok {
		first = effectOf(e)
		known[key] = first
	}
	// What is appended to the copy does not reach the others.
	out := *first
	out.Reads, out.Writes, out.Sets = slices.Clip(out.Reads), slices.Clip(out.Writes), slices.Clip(out.Sets)
	if e.Kind == interpret.Assigned {
		assigned(&out, e)
	}
	return &out
}

// effectOf is the part of an event's effect that no run changes.
func effectOf(e interpret.Event) *trace.Effect {
	switch e.Kind {
	case interpret.Stepped:
		out := reads(e.Node)
		if _, ok := e.Node.(*tree.Return); ok {
			out.Sets = append(out.Sets, trace.Result)
		}
		return out
	case interpret.Branched:
		out := reads(e.Condition)
		decided(out, e.Node)
		return out
	case interpret.Called:
		out := &trace.Effect{}
		if c, ok := e.Node.(*tree.Call); ok {
			for _, a := range c.Arguments {
				out.Reads = append(out.Reads, reads(a).Reads...)
			}
		}
		for _, p := range e.Function.Params {
			out.Sets = append(out.Sets, variable(p))
		}
		return out
	case interpret.Returned:
		return &trace.Effect{Sets: []trace.Variable{returned(e.Function), returned(nil)}}
	}
	return reads(e.Node)
}

// chosen is the effect of an event that no part of is always the same.
func chosen(e interpret.Event) *trace.Effect {
	switch e.Kind {
	case interpret.Chosen:
		out := &trace.Effect{}
		switch q := e.Question; {
		case e.Base != 0 && q.Type != nil:
			out.Sets = cells(e.Base+uint64(q.Offset), q.Type.Size())
		case q.Object != nil:
			out.Writes = []trace.Variable{variable(q.Object)}
		case q.Function != nil:
			out.Sets = []trace.Variable{returned(q.Function)}
		}
		return out
	}
	return &trace.Effect{}
}

// assigned adds to an effect what an event assigns, beside memory.
func assigned(e *trace.Effect, event interpret.Event) {
	switch o := event.Object; {
	case o == nil || inMemory(o):
	case event.Offset == 0 && event.Target == o.Name:
		e.Sets = append(e.Sets, variable(o))
	default:
		e.Writes = append(e.Writes, variable(o))
	}
}

// decided adds to an effect what a test decides about: the branches of a conditional statement, all of a loop, and what jumps out of
// them pass over.
func decided(e *trace.Effect, n tree.Node) {
	within := []tree.Node{n}
	if s, ok := n.(*tree.If); ok {
		within = []tree.Node{s.Then}
		if s.Else != nil {
			within = append(within, s.Else)
		}
	}
	inside := map[tree.Node]bool{}
	var targets []tree.Node
	for _, part := range within {
		tree.Inspect(part, func(m tree.Node) bool {
			inside[m] = true
			if p := m.Pos(); p.Line > 0 && (e.From.Line == 0 || p.File == e.From.File) {
				if e.From.Line == 0 || p.Compare(e.From) < 0 {
					e.From = p
				}
				if e.To.Compare(p) < 0 {
					e.To = p
				}
			}
			switch m := m.(type) {
			case *tree.Return, *tree.Goto:
				e.Jumps = true
			case *tree.Break:
				targets = append(targets, m.Target)
			case *tree.Continue:
				targets = append(targets, m.Target)
			case *tree.Call:
				e.Jumps = e.Jumps || m.Function != nil && m.Function.NoReturn
			}
			return true
		})
	}
	for _, t := range targets {
		e.Jumps = e.Jumps || !inside[t]
	}
}
