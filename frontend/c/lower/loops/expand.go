package loops

import (
	"fmt"
	"maps"
	"slices"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/ranges"
)

// Unrolled is a program with some loops written out.
type Unrolled struct {
	Program *ast.Program
	// Origin has the statements that those of Program are copies of; others are their own.
	Origin map[ast.Stmt]ast.Stmt
	// Behind are the labels in what is left of the loops behind their turns, where no run comes.
	Behind []*ast.Label
	// Known are the ranges of Program, nil if they are not known.
	Known *ranges.Analysis
}

// Expand writes out iterations of loops, as many as counts has for their keys. The loop stays behind its copies, so that the runs
// are the same whatever the counts are. If room is not nil, what follows a loop at the end of a procedure is copied for each
// iteration that may be its last, as long as no more than so many statements are added. The result shares expressions with the
// program.
func Expand(p *ast.Program, counts map[string]int, room *int) (*Unrolled, error) {
	u := unrolling{turns: counts, origin: map[ast.Stmt]ast.Stmt{}, room: room}
	q, err := u.program(p)
	if err != nil {
		return nil, err
	}
	return &Unrolled{Program: q, Origin: u.origin, Behind: u.behind(Of(p))}, nil
}

// Loop is a part of a list of statements: from a label to the last statement that goes back there. Nothing else outside goes
// to a label in it.
type Loop struct {
	Procedure string
	Label     *ast.Label
	stmts     []ast.Stmt
	Size      int
}

func (l Loop) Key() string { return l.Procedure + " " + l.Label.Name }

func (l Loop) Contains(some map[ast.Stmt]bool) bool {
	found := false
	ast.WalkStatements(l.stmts, func(s ast.Stmt) bool { found = found || some[s]; return true }, skip)
	return found
}

// loopsOf are the outermost loops of a program, in its order.
func Of(p *ast.Program) []Loop {
	var loops []Loop
	for _, d := range p.Declarations {
		if q, ok := d.(*ast.Procedure); ok && q.Body != nil {
			all := CountGotos(q.Body.Stmts)
			loops = append(loops, loopsIn(q.Name, q.Body.Stmts, all)...)
		}
	}
	return loops
}

// jumps counts the gotos to each label.
func CountGotos(ss []ast.Stmt) map[string]int {
	to := map[string]int{}
	ast.WalkStatements(ss, func(s ast.Stmt) bool {
		if g, ok := s.(*ast.Goto); ok {
			for _, l := range g.Labels {
				to[l]++
			}
		}
		return true
	}, skip)
	return to
}

func loopsIn(procedure string, ss []ast.Stmt, all map[string]int) []Loop {
	var loops []Loop
	gotos := gotosIn(ss)
	for i := 0; i < len(ss); i++ {
		switch s := ss[i].(type) {
		case *ast.If:
			loops = append(loops, loopsIn(procedure, s.Then, all)...)
			loops = append(loops, loopsIn(procedure, s.Else, all)...)
		case *ast.Label:
			end := gotos.loopEnd(i, s.Name, all)
			if end == 0 {
				continue
			}
			l := Loop{Procedure: procedure, Label: s, stmts: ss[i:end]}
			ast.WalkStatements(l.stmts, func(ast.Stmt) bool { l.Size++; return true }, skip)
			loops = append(loops, l)
			i = end - 1
		}
	}
	return loops
}

// gotos are those in a list of statements.
type gotos struct {
	// labels are those in each statement.
	labels [][]string
	// to has the gotos to each label: in how many statements they are, and which are the first and the last.
	to map[string]*goals
}

type goals struct{ count, first, last int }

func gotosIn(ss []ast.Stmt) gotos {
	g := gotos{labels: make([][]string, len(ss)), to: map[string]*goals{}}
	for i := range ss {
		ast.WalkStatements(ss[i:i+1], func(s ast.Stmt) bool {
			switch s := s.(type) {
			case *ast.Label:
				g.labels[i] = append(g.labels[i], s.Name)
			case *ast.Goto:
				for _, l := range s.Labels {
					if g.to[l] == nil {
						g.to[l] = &goals{first: i}
					}
					g.to[l].count++
					g.to[l].last = i
				}
			}
			return true
		}, skip)
	}
	return g
}

// loopEnd is where the loop ends that begins with the label that is statement i, 0 if none does: behind the last goto there.
func (g gotos) loopEnd(i int, name string, all map[string]int) int {
	if g.to[name] == nil {
		return 0
	}
	end := g.to[name].last + 1
	// Labels inside are reached from inside alone.
	for _, labels := range g.labels[i:max(i, end)] {
		for _, l := range labels {
			if to := g.to[l]; to == nil && all[l] > 0 || to != nil && (to.count < all[l] || to.first < i || to.last >= end) {
				return 0
			}
		}
	}
	if end <= i {
		return 0
	}
	return end
}

// Closed tells whether the labels in a list of statements are reached from inside alone; all counts the gotos to each label.
func Closed(ss []ast.Stmt, all map[string]int) bool {
	inside, yes := CountGotos(ss), true
	ast.WalkStatements(ss, func(s ast.Stmt) bool {
		if l, ok := s.(*ast.Label); ok && inside[l.Name] != all[l.Name] {
			yes = false
		}
		return true
	}, skip)
	return yes
}

// unrolling copies programs.
type unrolling struct {
	// turns are how many turns of a loop are written out, by its key.
	turns  map[string]int
	origin map[ast.Stmt]ast.Stmt
	// room is how many statements may be added by copies of what follows loops; nil if nothing of it is copied.
	room *int
	// outermost says that the statements are those of a procedure's body, jumps counts the gotos to each label in there.
	outermost bool
	jumps     map[string]int
}

// tailLabel is the name of a label in what follows the last of some turns; that label may be a loop of its own that is written out.
func tailLabel(label string, turn int) string { return fmt.Sprintf("$after%d.%s", turn, label) }

// turnLabel is the name of a label in a copy.
func turnLabel(label string, turn int) string { return fmt.Sprintf("$turn%d.%s", turn, label) }

func (u unrolling) program(p *ast.Program) (*ast.Program, error) {
	q := &ast.Program{Dialect: p.Dialect}
	for _, d := range p.Declarations {
		if d, ok := d.(*ast.Procedure); ok && d.Body != nil {
			loops := loopsIn(d.Name, d.Body.Stmts, CountGotos(d.Body.Stmts))
			if slices.ContainsFunc(loops, func(l Loop) bool { return u.turns[l.Key()] > 0 }) {
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

// behind are the labels in what is left of loops that are unrolled.
func (u unrolling) behind(loops []Loop) []*ast.Label {
	var out []*ast.Label
	for _, l := range loops {
		if u.turns[l.Key()] > 0 {
			ast.WalkStatements(l.stmts, func(s ast.Stmt) bool {
				if label, ok := s.(*ast.Label); ok {
					out = append(out, label)
				}
				return true
			}, skip)
		}
	}
	return out
}

func skip(ast.Expr) bool { return false }

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
			if at < 0 || u.turns[loops[at].Key()] == 0 {
				break
			}
			l := loops[at]
			behind := "$behind." + s.Name
			inside := jumpTargets(l.stmts)
			after, copied := u.tailOf(l, ss[i+len(l.stmts):], u.turns[l.Key()])
			for turn := range u.turns[l.Key()] {
				names := maps.Clone(inside)
				for name := range names {
					names[name] = turnLabel(name, turn+1)
				}
				for name := range after.labels {
					names[name] = tailLabel(name, turn+1)
				}
				// The first statement is the label itself; going back is going on with the next turn.
				out = append(out, u.keep(&ast.Label{Pos: s.Pos, Name: turnLabel(s.Name, turn+1)}, s))
				names[s.Name] = turnLabel(s.Name, turn+2)
				if turn+1 == u.turns[l.Key()] {
					names[s.Name] = s.Name
				}
				out = append(out, u.copies(l.stmts[1:], names)...)
				if copied {
					out = append(out, u.copies(after.stmts, names)...)
					out = append(out, u.keep(&ast.Return{Pos: s.Pos}, s))
					continue
				}
				out = append(out, &ast.Goto{Pos: s.Pos, Labels: []string{behind}})
			}
			out = append(out, l.stmts...)
			out = append(out, &ast.Label{Pos: s.Pos, Name: behind})
			i += len(l.stmts) - 1
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

// jumpTargets are the labels in a list of statements.
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

// copies are copies of statements whose labels have other names.
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
			c := *s
			n = &c
		case *ast.Assume:
			c := *s
			n = &c
		case *ast.Havoc:
			c := *s
			n = &c
		case *ast.Assign:
			c := *s
			n = &c
		case *ast.Call:
			c := *s
			n = &c
		case *ast.Return:
			c := *s
			n = &c
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
