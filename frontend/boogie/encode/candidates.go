package encode

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// specifications drops the candidates that are not taken to hold.
func (e *encoder) specifications(specs []*ast.Specification) []*ast.Specification {
	out := func(s *ast.Specification) bool { return s.Candidate() && !e.options.Surviving[s.Pos] }
	if !slices.ContainsFunc(specs, out) {
		return specs
	}
	return slices.DeleteFunc(slices.Clone(specs), out)
}

// leavesOut reports whether a command is a candidate that is not taken to hold.
func (e *encoder) leavesOut(c *flow.Command) bool {
	return c.Candidate() && !e.options.Surviving[c.Pos]
}

// guardedContract is, of an assertion that is a candidate or that an existential constant guards, the specification that
// says the same; nil for other commands.
func guardedContract(c *flow.Command) *ast.Specification {
	if c.Candidate() || len(existentialsIn(c.Cond)) > 0 {
		return &ast.Specification{Pos: c.Pos, Attributes: attributesOf(c), Cond: c.Cond}
	}
	return nil
}

// existentialsIn are the constants marked {:existential true} that an expression mentions.
func existentialsIn(x ast.Expr) []*ast.Variable {
	var out []*ast.Variable
	ast.Inspect(x, func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && id.Decl.Kind == ast.Constant && id.Decl.Type == ast.Bool && id.Decl.Attributes.Has("existential") && !slices.Contains(out, id.Decl) {
			out = append(out, id.Decl)
		}
		return true
	})
	return out
}
