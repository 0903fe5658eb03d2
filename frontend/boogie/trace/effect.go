package trace

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/trace"
)

// variable is a variable as steps read and write it.
func variable(v *ast.Variable) trace.Variable {
	if v.Kind == ast.Global || v.Kind == ast.Constant {
		return trace.Variable{Name: "global " + v.Name, Shown: v.Name}
	}
	return trace.Variable{Name: v.Name, Shown: v.Name, Local: true}
}

// reads are the variables of expressions, of which some may be nil.
func reads(expressions ...ast.Expr) []trace.Variable {
	var out []trace.Variable
	for _, e := range expressions {
		if e == nil {
			continue
		}
		ast.Walk(e, func(e ast.Expr) bool {
			if id, ok := e.(*ast.Identifier); ok && id.Decl != nil {
				out = append(out, variable(id.Decl))
			}
			return true
		})
	}
	return out
}

func identifiers(ids []*ast.Identifier) []trace.Variable {
	var out []trace.Variable
	for _, id := range ids {
		if id != nil && id.Decl != nil {
			out = append(out, variable(id.Decl))
		}
	}
	return out
}

func variables(vs []*ast.Variable) []trace.Variable {
	out := make([]trace.Variable, len(vs))
	for i, v := range vs {
		out[i] = variable(v)
	}
	return out
}

// effect is what an event depends on and what depends on it. failing is the assertion that fails, where the run ends at one.
func (t *builder) effect(e interpret.Event, failing ast.Stmt) *trace.Effect {
	out := &trace.Effect{}
	switch e.Kind {
	case interpret.Begun:
		return out
	case interpret.Declared:
		for _, c := range e.Changes {
			out.Sets = append(out.Sets, variable(c.Variable))
		}
		return out
	case interpret.Ended:
		if a, ok := failing.(*ast.Assert); ok {
			out.Reads = reads(a.Cond)
		}
		for _, c := range e.Outcome.Values {
			out.Reads = append(out.Reads, variable(c.Variable))
		}
		return out
	}
	switch s := e.Stmt.(type) {
	case *ast.Assign:
		for i, left := range s.Left {
			out.Reads = append(out.Reads, reads(s.Right[i])...)
			v := variable(ast.Target(left).Decl)
			if _, whole := left.(*ast.Identifier); whole {
				out.Sets = append(out.Sets, v)
				continue
			}
			// The target is not read for being written in part.
			out.Writes = append(out.Writes, v)
			for _, r := range reads(left) {
				if r != v {
					out.Reads = append(out.Reads, r)
				}
			}
		}
	case *ast.Havoc:
		out.Sets = identifiers(s.Variables)
	case *ast.If:
		out.Reads, out.Decides = reads(s.Guard), true
		t.decided(out, append(append([]ast.Stmt(nil), s.Then...), s.Else...))
	case *ast.While:
		out.Reads, out.Decides = reads(s.Guard), true
		t.decided(out, append([]ast.Stmt{s}, s.Body...))
	case *ast.Assume:
		out.Reads = reads(s.Cond)
		// Behind a goto an assumption says which way it goes.
		if n := len(t.trace.Steps); n > 0 && t.goes[n-1] {
			out.Decides = true
		}
	case *ast.Call:
		results := identifiers(s.Results)
		switch e.Kind {
		case interpret.Entered:
			out.Reads, out.Sets = reads(s.Args...), variables(s.Procedure.In)
		case interpret.Left:
			out.Reads, out.Sets = variables(s.Procedure.Out), results
		default:
			out.Reads, out.Sets = reads(s.Args...), results
			for _, id := range s.Procedure.Modifies {
				if id.Decl != nil {
					out.Writes = append(out.Writes, variable(id.Decl))
				}
			}
		}
	}
	return out
}

// decided adds to an effect what a guard decides about: statements, and what follows where they jump.
func (t *builder) decided(e *trace.Effect, stmts []ast.Stmt) {
	for s := range ast.Statements(stmts) {
		if p := s.At(); p.Line > 0 {
			if e.From.Line == 0 || p.Compare(e.From) < 0 {
				e.From = p
			}
			if e.To.Compare(p) < 0 {
				e.To = p
			}
		}
		switch s.(type) {
		case *ast.Return, *ast.Goto, *ast.Break:
			e.Jumps = true
		}
	}
}
