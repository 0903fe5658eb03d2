package proof

import (
	"cmp"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// Annotate puts claims into the encoded program, whose tree it changes: what is required and ensured becomes part of the
// contracts, and what is invariant becomes invariants of while loops, or assertions behind the labels of others. Modifies
// clauses are completed, and what is required freely is marked as assumed by calls, too. It returns what it had to leave out.
func Annotate(e *encode.Encoding, claims []*Claim) []Dropped {
	x := NewExpressions(e)
	x.avoidHiding(claims)
	var dropped []Dropped
	conditions := make([][]ast.Expr, len(claims))
	for i, c := range claims {
		var left []Dropped
		conditions[i], left = x.Conditions(c)
		dropped = append(dropped, left...)
	}
	x.applyNames()
	at := map[any][]ast.Expr{}
	for i, c := range claims {
		switch c.Kind {
		case Requires:
			c.Procedure.Requires = append(c.Procedure.Requires, under(c.Procedure.Requires, conditions[i])...)
		case Ensures:
			c.Procedure.Ensures = append(c.Procedure.Ensures, under(c.Procedure.Ensures, conditions[i])...)
		case Invariant:
			at[c.Head.key] = conditions[i]
		}
	}
	for _, p := range e.Program.Procedures {
		for _, spec := range p.Requires {
			// Runs assume it where they call the procedure, but Boogie only when it is told.
			if spec.Free && !spec.Attributes.Has("always_assume") {
				spec.Attributes = append(spec.Attributes, &ast.Attribute{Name: "always_assume"})
			}
		}
		if len(p.Implementations) == 0 {
			continue
		}
		p.Modifies = nil
		for _, v := range p.Frame {
			p.Modifies = append(p.Modifies, &ast.Identifier{Name: v.Name, Decl: v})
		}
		for _, impl := range p.Implementations {
			a := &annotator{implementation: impl, at: at, labels: map[string]bool{}, left: map[string]bool{}, moved: map[string]string{}}
			a.survey(impl.Body.Stmts)
			impl.Body.Stmts = a.statements(impl.Body.Stmts)
			a.redirect(impl.Body.Stmts)
		}
	}
	var functions []ast.Declaration
	for _, f := range x.Functions() {
		functions = append(functions, f)
	}
	e.Program.Declarations = append(functions, e.Program.Declarations...)
	return dropped
}

// under makes specifications of conditions, but for those that are specified already. What the others say freely is assumed
// in runs, but not checked where the conditions are, which then hold if it does.
func under(others []*ast.Specification, conditions []ast.Expr) []*ast.Specification {
	var free []ast.Expr
	said := map[string]bool{}
	for _, s := range others {
		said[ast.String(s.Cond)] = true
		if s.Free {
			free = append(free, s.Cond)
		}
	}
	var specs []*ast.Specification
	for _, c := range conditions {
		if said[ast.String(c)] {
			continue
		}
		if len(free) > 0 {
			c = binary(ast.Implies, join(ast.And, true, free), c)
		}
		specs = append(specs, &ast.Specification{Cond: c})
	}
	return specs
}

// invariants are a loop's invariants with further ones before them, unless they are among them already.
func invariants(own []*ast.Specification, conditions []ast.Expr) []*ast.Specification {
	said := map[string]bool{}
	for _, s := range own {
		said[ast.String(s.Cond)] = said[ast.String(s.Cond)] || !s.Free
	}
	var out []*ast.Specification
	for _, c := range conditions {
		if !said[ast.String(c)] {
			out = append(out, &ast.Specification{Cond: c})
		}
	}
	return append(out, own...)
}

// annotator puts invariants into the body of one implementation.
type annotator struct {
	implementation *ast.Implementation
	// at has what is invariant, by the head of the loop.
	at map[any][]ast.Expr
	// labels has the names of all labels, left those that a break names.
	labels, left map[string]bool
	// moved has the labels to which gotos are to lead instead of others.
	moved map[string]string
}

func (a *annotator) survey(stmts []ast.Stmt) {
	for s := range ast.Statements(stmts) {
		switch s := s.(type) {
		case *ast.Label:
			a.labels[s.Name] = true
		case *ast.Break:
			a.left[s.Label] = true
		}
	}
}

// newLabel is a label that the body doesn't have yet.
func (a *annotator) newLabel(name string) string {
	for a.labels[name] {
		name += "'"
	}
	a.labels[name] = true
	return name
}

func (a *annotator) statements(stmts []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for i, s := range stmts {
		switch s := s.(type) {
		case *ast.If:
			s.Then, s.Else = a.statements(s.Then), a.statementsOfElse(s.Else)
		case *ast.While:
			s.Invariants = invariants(s.Invariants, a.at[s])
			s.Body = a.statements(s.Body)
		case *ast.Label:
			var next ast.Stmt
			if i+1 < len(stmts) {
				next = stmts[i+1]
			}
			out = append(out, a.label(s, next)...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// statementsOfElse keeps nil, which says that there is no else.
func (a *annotator) statementsOfElse(stmts []ast.Stmt) []ast.Stmt {
	if stmts == nil {
		return nil
	}
	return append([]ast.Stmt{}, a.statements(stmts)...)
}

// label is a label with the assertions behind it, which are the invariants of the loop that it makes. Assertions and
// assumptions of the body are not to be among these: another label stands before them.
func (a *annotator) label(l *ast.Label, next ast.Stmt) []ast.Stmt {
	conditions := a.at[labelKey{a.implementation, l.Name}]
	if len(conditions) == 0 {
		return []ast.Stmt{l}
	}
	var asserts []ast.Stmt
	for _, e := range conditions {
		asserts = append(asserts, &ast.Assert{Cond: e})
	}
	if a.left[l.Name] {
		// A break wants its label directly before the statement: gotos get another one.
		head := &ast.Label{Name: a.newLabel(l.Name)}
		a.moved[l.Name] = head.Name
		return slices.Concat([]ast.Stmt{head}, asserts, []ast.Stmt{l})
	}
	out := append([]ast.Stmt{l}, asserts...)
	switch next.(type) {
	case *ast.Assert, *ast.Assume:
		out = append(out, &ast.Label{Name: a.newLabel(l.Name)})
	}
	return out
}

// redirect makes gotos lead to the labels that have moved.
func (a *annotator) redirect(stmts []ast.Stmt) {
	for s := range ast.Statements(stmts) {
		if g, ok := s.(*ast.Goto); ok {
			for i, l := range g.Labels {
				g.Labels[i] = cmp.Or(a.moved[l], l)
			}
		}
	}
}
