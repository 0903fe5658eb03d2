package goals

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Goal is a place of a program and what a run may do there.
type Goal struct {
	Pos chc.Position
	// What says in a few words what is asked about.
	What string
	// mark is an attribute of what the goal is about, which copies of that have, too.
	mark string
	// ask has the tree check the goal, or not.
	ask func(asked bool)
}

// String is the goal's place and what is asked about.
func (g *Goal) String() string { return fmt.Sprintf("%s: %s", g.Pos, g.What) }

// Has reports whether attributes are those of the assertion, call or specification that the goal is about.
func (g *Goal) Has(as ast.Attributes) bool { return as.Has(g.mark) }

// Ask has the program check those of the goals that are asked about, and nothing else.
func Ask(all, asked []*Goal) {
	for _, g := range all {
		g.ask(slices.Contains(asked, g))
	}
}

// Failures prepares a checked program, which it changes, to be asked what may fail: its assertions, invariants of loops,
// preconditions, postconditions of bodies, and calls of procedures that isError holds of. Nothing is asked at first.
func Failures(program *ast.Program, isError func(*ast.Procedure) bool) []*Goal {
	f := &finder{isError: isError, kind: "failure"}
	for _, p := range program.Procedures {
		f.specifications(p.Requires, "precondition of "+p.Name)
		if len(p.Implementations) > 0 {
			f.specifications(p.Ensures, "postcondition of "+p.Name)
		}
		for _, impl := range p.Implementations {
			f.failures(impl.Body.Stmts)
		}
	}
	Ask(f.goals, nil)
	return f.goals
}

// Places prepares a checked program, which it changes, to be asked what runs reach: the bodies of procedures that isError
// does not hold of, and the ways that branches lead. Nothing is asked at first. Failures comes before it, so that no goal
// of its own is among the assertions.
func Places(program *ast.Program, isError func(*ast.Procedure) bool) []*Goal {
	f := &finder{isError: isError, kind: "place"}
	for _, p := range program.Procedures {
		for _, impl := range p.Implementations {
			if isError(p) {
				continue
			}
			f.branches(impl.Body)
			impl.Body.Stmts = slices.Insert(impl.Body.Stmts, 0, f.place(p.Pos, "procedure "+p.Name))
		}
	}
	slices.SortStableFunc(f.goals, func(a, b *Goal) int { return a.Pos.Compare(b.Pos) })
	Ask(f.goals, nil)
	return f.goals
}

// finder collects goals.
type finder struct {
	isError func(*ast.Procedure) bool
	kind    string
	goals   []*Goal
}

// add adds a goal and returns the attributes of what it is about.
func (f *finder) add(pos chc.Position, what string, own ast.Attributes, ask func(asked bool)) ast.Attributes {
	g := &Goal{Pos: pos, What: what, mark: fmt.Sprintf("%s %d", f.kind, len(f.goals)), ask: ask}
	f.goals = append(f.goals, g)
	return append(slices.Clip(own), &ast.Attribute{Pos: pos, Name: g.mark})
}

// specifications adds those that are checked.
func (f *finder) specifications(specs []*ast.Specification, what string) {
	for _, s := range specs {
		if !s.Free && !s.Candidate() {
			s.Attributes = f.add(s.Pos, what, s.Attributes, func(asked bool) { s.Free = !asked })
		}
	}
}

// failures adds the statements of a list that may fail, and those in them.
func (f *finder) failures(stmts []ast.Stmt) {
	for i, s := range stmts {
		switch s := s.(type) {
		case *ast.Assert:
			if !s.Candidate() {
				otherwise := &ast.Assume{Pos: s.Pos, Attributes: s.Attributes, Cond: s.Cond}
				if under := s.VerifiedUnder(); under != nil {
					otherwise.Cond = &ast.Binary{Node: ast.Node{Pos: s.Pos, Type: ast.Bool}, Op: ast.Or, X: under, Y: s.Cond}
				}
				s.Attributes = f.add(s.Pos, "assertion", s.Attributes, choice(stmts, i, s, otherwise))
			}
		case *ast.Assume:
			// Where Corral left this of an assertion, the procedure's exit is an error; it is none of a place in the source.
			s.Attributes = slices.DeleteFunc(slices.Clone(s.Attributes), func(a *ast.Attribute) bool { return a.Name == "OldAssert" })
		case *ast.Call:
			if f.isError(s.Procedure) {
				s.Attributes = f.add(s.Pos, "call of "+s.Name, s.Attributes, choice(stmts, i, s, &ast.Assume{Pos: s.Pos, Cond: boolean(s.Pos, false)}))
			}
		case *ast.If:
			f.failures(s.Then)
			f.failures(s.Else)
		case *ast.While:
			f.specifications(s.Invariants, "invariant")
			f.failures(s.Body)
		}
	}
}

// choice puts one statement or another into a list.
func choice(stmts []ast.Stmt, i int, asked, otherwise ast.Stmt) func(bool) {
	return func(ask bool) {
		if stmts[i] = otherwise; ask {
			stmts[i] = asked
		}
	}
}

// place is a new statement that fails where it is asked about and does nothing otherwise.
func (f *finder) place(pos chc.Position, what string) ast.Stmt {
	s := &ast.Assert{Pos: pos}
	s.Attributes = f.add(pos, what, nil, func(asked bool) { s.Cond = boolean(pos, !asked) })
	return s
}

// boolean is a constant.
func boolean(pos chc.Position, value bool) ast.Expr {
	return &ast.BoolLiteral{Node: ast.Node{Pos: pos, Type: ast.Bool}, Value: value}
}

// branches inserts a place wherever a branch leads to in a body.
func (f *finder) branches(body *ast.Body) {
	targets := map[*ast.Label]bool{}
	for s := range ast.Statements(body.Stmts) {
		if g, ok := s.(*ast.Goto); ok && len(g.Targets) > 1 {
			for _, l := range g.Targets {
				targets[l] = true
			}
		}
	}
	body.Stmts = f.inside(body.Stmts, targets)
}

// inside is a list of statements with places in it.
func (f *finder) inside(stmts []ast.Stmt, targets map[*ast.Label]bool) (out []ast.Stmt) {
	for _, s := range stmts {
		out = append(out, s)
		switch s := s.(type) {
		case *ast.Label:
			if targets[s] {
				out = append(out, f.place(s.Pos, "label "+s.Name))
			}
		case *ast.If:
			then, otherwise := f.place(s.Pos, "then"), f.place(s.Pos, "else")
			s.Then = slices.Insert(f.inside(s.Then, targets), 0, then)
			s.Else = slices.Insert(f.inside(s.Else, targets), 0, otherwise)
		case *ast.While:
			within, behind := f.place(s.Pos, "body of the loop"), f.place(s.Pos, "end of the loop")
			s.Body = slices.Insert(f.inside(s.Body, targets), 0, within)
			out = append(out, behind)
		}
	}
	return out
}
