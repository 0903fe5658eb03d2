package trace

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/trace"
)

// unseen stands for what functions without a definition of the program do: no event tells what they write.
var unseen = trace.Variable{Name: "?"}

// variable is an object as steps read and write it. One whose address is used may be written in any call.
func variable(o *tree.Object) trace.Variable {
	return trace.Variable{Name: o.Unique, Shown: o.Name, Local: o.Storage >= tree.Automatic && !o.Escapes}
}

// returned is the value of a call of a function, "" for one that a pointer leads to.
func returned(f *tree.Function) trace.Variable {
	if f == nil {
		return trace.Variable{Name: "()", Local: true}
	}
	return trace.Variable{Name: f.Name + "()", Shown: f.Name + "()", Local: true}
}

// reads returns what nodes may read, and write where no event tells.
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
				if n.Object.Escapes || n.Object.Storage <= tree.Static {
					e.Reads = append(e.Reads, unseen)
				}
			case *tree.Dereference:
				e.Reads = append(e.Reads, trace.Memory, unseen)
			case *tree.Call:
				e.Reads = append(e.Reads, returned(n.Function))
				if (n.Function == nil || n.Function.Body == nil || n.Library != nil) && slices.ContainsFunc(n.Arguments, reaches) {
					e.Writes = append(e.Writes, unseen)
					e.Reads = append(e.Reads, trace.Memory, unseen)
				}
			case *tree.Assembly:
				e.Writes = append(e.Writes, unseen)
			case *tree.Declare:
				for _, i := range n.Init {
					if i.Value != nil {
						more := reads(i.Value)
						e.Reads, e.Writes = append(e.Reads, more.Reads...), append(e.Writes, more.Writes...)
					}
				}
				return false
			}
			return true
		})
	}
	return e
}

// reaches reports whether an argument may lead to memory that can be written.
func reaches(argument tree.Value) bool {
	found := false
	tree.Inspect(argument, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Address:
			o := tree.RootObject(n.Place)
			found = found || o == nil || o.Storage != tree.Literal
		case *tree.Load:
			_, pointer := n.Place.Type().(*tree.Pointer)
			found = found || pointer
		}
		return !found
	})
	return found
}

// effectOf is the effect of an event, before what the run tells it to assign.
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
	case interpret.Assigned:
		out := reads(e.Node)
		assigned(out, e)
		return out
	case interpret.Chosen:
		out := &trace.Effect{}
		switch q := e.Question; {
		case q.Object != nil:
			out.Writes = []trace.Variable{variable(q.Object)}
			if q.Object.Escapes {
				out.Writes = append(out.Writes, trace.Memory)
			}
		case q.Function != nil:
			out.Sets = []trace.Variable{returned(q.Function)}
		default:
			out.Writes = []trace.Variable{trace.Memory}
		}
		return out
	}
	return &trace.Effect{}
}

// assigned adds to an effect what an event assigns.
func assigned(e *trace.Effect, event interpret.Event) {
	o := event.Object
	switch {
	case o == nil:
		e.Writes = append(e.Writes, trace.Memory)
	case event.Offset == 0 && event.Target == o.Name && !o.Escapes:
		e.Sets = append(e.Sets, variable(o))
	default:
		e.Writes = append(e.Writes, variable(o))
		if o.Escapes {
			e.Writes = append(e.Writes, trace.Memory)
		}
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
				if e.From.Line == 0 || earlier(p, e.From) {
					e.From = p
				}
				if earlier(e.To, p) {
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

func earlier(p, q chc.Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}
