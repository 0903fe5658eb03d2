package proof

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/boogie/trace"
)

// reach says how runs come to a procedure.
type reach uint8

const (
	notReached reach = iota
	// reachedError is entering a procedure that may not be entered.
	reachedError
	reachedBody
)

// reached finds the procedures that the entries reach.
func reached(e *encode.Encoding, o Options) map[*ast.Procedure]reach {
	atExit := false
	for clause := range e.Queries {
		atExit = atExit || e.Meanings[clause.Body[0].Pred].Kind == encode.Summary
	}
	errors := slices.Concat(trace.ErrorProcedures, o.ErrorProcedures)
	out := map[*ast.Procedure]reach{}
	var visit func(p *ast.Procedure)
	visit = func(p *ast.Procedure) {
		if out[p] != notReached {
			return
		}
		if !atExit && slices.Contains(errors, p.Name) && !slices.Contains(e.Entries, p) {
			out[p] = reachedError
			return
		}
		out[p] = reachedBody
		for _, impl := range p.Implementations {
			for _, c := range flow.Build(impl).Commands() {
				if s, ok := c.Source.(*ast.Call); ok {
					visit(s.Procedure)
				}
			}
		}
	}
	for _, p := range e.Entries {
		visit(p)
	}
	return out
}

// Head is the head of a loop in the source: a while statement, or a label that a run comes back to.
type Head struct {
	Pos            chc.Position
	Implementation *ast.Implementation
	// While is nil for a loop that a label makes, which Label names then.
	While *ast.While
	Label string
	key   any
}

type labelKey struct {
	implementation *ast.Implementation
	label          string
}

// headKey identifies the head of a loop, in whichever graph of the implementation it is.
func headKey(impl *ast.Implementation, b *flow.Block) any {
	if b.Statement != nil {
		return b.Statement
	}
	return labelKey{impl, b.Label}
}

// heads are the heads of an implementation's loops, in the order in which runs come to them.
func heads(impl *ast.Implementation) []*Head {
	var out []*Head
	for _, b := range flow.Build(impl).Blocks {
		if b.Loop {
			out = append(out, &Head{Pos: b.Pos, Implementation: impl, While: b.Statement, Label: b.Label, key: headKey(impl, b)})
		}
	}
	return out
}
