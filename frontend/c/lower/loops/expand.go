package loops

import (
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/ranges"
)

// Unrolled is a program with copies of the iterations of some loops.
type Unrolled struct {
	Program *ast.Program
	// Origin has the statements that those of Program are copies of; others are their own.
	Origin map[ast.Stmt]ast.Stmt
	// Residual are the labels in the loops that stay behind their copies. No run reaches them if the number of copies is right.
	Residual []*ast.Label
	// Cuts are the places of the loops, and of the recursive procedures, where an assertion stands for what is behind the copies.
	Cuts map[chc.Position]bool
	// Procedures has the procedures that those of Program are copies of, by their names.
	Procedures map[string]string
	// Known are the ranges of Program, nil if they are not known.
	Known *ranges.Analysis
}

// Expand writes out iterations of loops, as many as counts has for their keys. The loop stays behind its copies, so that the runs
// are the same whatever the counts are. If budget is not nil, what follows a loop at the end of a procedure is copied for each
// iteration that may be its last, as long as no more than so many statements are added. The result shares expressions with the
// program.
func Expand(p *ast.Program, counts map[string]int, budget *int) (*Unrolled, error) {
	return expand(p, counts, budget, nil)
}

// behind says what is behind the copies of a loop's iterations.
type behind uint8

const (
	// theLoop is the loop itself.
	theLoop behind = iota
	// nothing is no run: the number of copies is right.
	nothing
	// aCut is an assertion that no run comes there, anEnd the silent end of all that do.
	aCut
	anEnd
)

// expand is Expand, with something else than the loop behind the copies of some loops, by their keys.
func expand(p *ast.Program, counts map[string]int, budget *int, ends map[string]behind) (*Unrolled, error) {
	u := unrolling{counts: counts, origin: map[ast.Stmt]ast.Stmt{}, budget: budget, ends: ends}
	q, err := u.program(p)
	if err != nil {
		return nil, err
	}
	out := &Unrolled{Program: q, Origin: u.origin, Cuts: map[chc.Position]bool{}}
	for _, l := range Of(p) {
		_, copied := counts[l.Key()]
		switch {
		case !copied:
		case ends[l.Key()] == theLoop:
			out.Residual = append(out.Residual, l.labels()...)
		default:
			out.Residual = append(out.Residual, l.Label)
			if ends[l.Key()] >= aCut {
				out.Cuts[l.Label.Pos] = true
			}
		}
	}
	return out, nil
}

// labels are those in the loop.
func (l Loop) labels() []*ast.Label {
	var out []*ast.Label
	ast.WalkStatements(l.stmts, func(s ast.Stmt) bool {
		if label, ok := s.(*ast.Label); ok {
			out = append(out, label)
		}
		return true
	}, skip)
	return out
}

// cutAt is the assertion that no run comes to a place.
func cutAt(pos chc.Position) ast.Stmt {
	return &ast.Assert{Pos: pos, Cond: never(pos)}
}

func never(pos chc.Position) ast.Expr { return &ast.BoolLiteral{Node: ast.Node{Pos: pos}} }

// unrolling copies iterations.
type unrolling struct {
	// counts has the number of iterations that are copied of a loop, by its key.
	counts map[string]int
	origin map[ast.Stmt]ast.Stmt
	// budget is how many statements may be added by copies of what follows loops; nil if nothing of it is copied.
	budget *int
	// outermost says that the statements are those of a procedure's body, jumps counts the gotos to each label in there.
	outermost bool
	ends      map[string]behind
	jumps     map[string]int
}

// tailLabel names a label in the copy of what follows a loop behind its last iteration; it may be the head of a loop that is copied
// in turn. What follows one loop may follow another one, too.
func tailLabel(loop, label string, n int) string {
	return fmt.Sprintf("$after%d.%s.%s", n, loop, label)
}

// iterationLabel names a label in the copy of an iteration.
func iterationLabel(label string, n int) string { return fmt.Sprintf("$turn%d.%s", n, label) }

func (u unrolling) program(p *ast.Program) (*ast.Program, error) {
	q := &ast.Program{Dialect: p.Dialect}
	for _, d := range p.Declarations {
		if d, ok := d.(*ast.Procedure); ok && d.Body != nil {
			loops := loopsIn(d.Name, d.Body.Stmts, CountGotos(d.Body.Stmts))
			if slices.ContainsFunc(loops, func(l Loop) bool { _, copied := u.counts[l.Key()]; return copied }) {
				c := *d
				body := *d.Body
				u.outermost, u.jumps = true, CountGotos(d.Body.Stmts)
				body.Stmts = u.statements(d.Body.Stmts, loops)
				c.Body = &body
				q.Declarations = append(q.Declarations, &c)
				continue
			}
		}
		q.Declarations = append(q.Declarations, d)
	}
	return q, recheck(q)
}

func recheck(p *ast.Program) error {
	if err := boogie.Check(p, boogie.Options{}); err != nil {
		return fmt.Errorf("check an unrolled program: %w", err)
	}
	return nil
}

func (u unrolling) statements(ss []ast.Stmt, loops []Loop) []ast.Stmt {
	var out []ast.Stmt
	inner := u
	inner.outermost = false
	for i := 0; i < len(ss); i++ {
		switch s := ss[i].(type) {
		case *ast.If:
			n := *s
			n.Then, n.Else = inner.statements(s.Then, loops), inner.statements(s.Else, loops)
			u.origin[&n] = u.of(s)
			out = append(out, &n)
			continue
		case *ast.Label:
			at := slices.IndexFunc(loops, func(l Loop) bool { return l.Label == s })
			if at < 0 {
				break
			}
			if _, copied := u.counts[loops[at].Key()]; !copied {
				break
			}
			l := loops[at]
			exit := "$behind." + s.Name
			inside := jumpTargets(l.stmts)
			after, copied := u.tailOf(l, ss[i+len(l.stmts):], u.counts[l.Key()])
			for k := range u.counts[l.Key()] {
				names := maps.Clone(inside)
				for name := range names {
					names[name] = iterationLabel(name, k+1)
				}
				for name := range after.labels {
					names[name] = tailLabel(s.Name, name, k+1)
				}
				// The first statement is the label itself; a jump back to it leads to the next copy.
				out = append(out, u.keep(&ast.Label{Pos: s.Pos, Name: iterationLabel(s.Name, k+1)}, s))
				names[s.Name] = iterationLabel(s.Name, k+2)
				if k+1 == u.counts[l.Key()] {
					names[s.Name] = s.Name
				}
				out = append(out, u.copies(l.stmts[1:], names)...)
				if copied {
					out = append(out, u.copies(after.stmts, names)...)
					out = append(out, u.keep(&ast.Return{Pos: s.Pos}, s))
					continue
				}
				out = append(out, &ast.Goto{Pos: s.Pos, Labels: []string{exit}})
			}
			switch u.ends[l.Key()] {
			case theLoop:
				out = append(out, l.stmts...)
			case nothing, anEnd:
				out = append(out, s, &ast.Assume{Pos: s.Pos, Cond: never(s.Pos)})
			case aCut:
				out = append(out, s, cutAt(s.Pos))
			}
			out = append(out, &ast.Label{Pos: s.Pos, Name: exit})
			i += len(l.stmts) - 1
			if copied {
				// Nothing gets here but out of the loop that stays behind.
				return append(out, ss[i+1:]...)
			}
			continue
		}
		out = append(out, ss[i])
	}
	return out
}

func (u unrolling) of(s ast.Stmt) ast.Stmt {
	if o, ok := u.origin[s]; ok {
		return o
	}
	return s
}

func (u unrolling) keep(s, original ast.Stmt) ast.Stmt {
	u.origin[s] = original
	return s
}

// jumpTargets returns the labels in a list of statements.
func jumpTargets(ss []ast.Stmt) map[string]string {
	names := map[string]string{}
	ast.WalkStatements(ss, func(s ast.Stmt) bool {
		if l, ok := s.(*ast.Label); ok {
			names[l.Name] = ""
		}
		return true
	}, skip)
	return names
}

// copies returns copies of statements, with labels renamed.
func (u unrolling) copies(ss []ast.Stmt, names map[string]string) []ast.Stmt {
	var out []ast.Stmt
	renamed := func(l string) string {
		if n, ok := names[l]; ok {
			return n
		}
		return l
	}
	for _, s := range ss {
		var n ast.Stmt
		switch s := s.(type) {
		case *ast.Label:
			n = &ast.Label{Pos: s.Pos, Name: renamed(s.Name)}
		case *ast.Goto:
			g := &ast.Goto{Pos: s.Pos, Attributes: s.Attributes}
			for _, l := range s.Labels {
				g.Labels = append(g.Labels, renamed(l))
			}
			n = g
		case *ast.If:
			n = &ast.If{Pos: s.Pos, Attributes: s.Attributes, Guard: s.Guard, Then: u.copies(s.Then, names), Else: u.copies(s.Else, names)}
		case *ast.Assert:
			n = copyOf(s)
		case *ast.Assume:
			n = copyOf(s)
		case *ast.Havoc:
			n = copyOf(s)
		case *ast.Assign:
			n = copyOf(s)
		case *ast.Call:
			n = copyOf(s)
		case *ast.Return:
			n = copyOf(s)
		default:
			n = s
		}
		if n != s {
			u.origin[n] = s
		}
		out = append(out, n)
	}
	return out
}

func copyOf[T any](s *T) *T {
	c := *s
	return &c
}
