package loops

import "hornbeam/frontend/boogie/ast"

// Loop is a range of a list of statements, from a label to the last statement that jumps back to it. No goto outside leads to another
// label in it.
type Loop struct {
	Procedure string
	Label     *ast.Label
	stmts     []ast.Stmt
	Size      int
}

// Key identifies the loop in its program.
func (l Loop) Key() string { return l.Procedure + " " + l.Label.Name }

// Contains reports whether some of the statements are in the loop.
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

// gotos indexes the gotos in a list of statements.
type gotos struct {
	// labels are the labels in each statement.
	labels [][]string
	// to tells for each label how many gotos lead to it, and the first and last statement with one.
	to map[string]*targets
}

type targets struct{ count, first, last int }

func gotosIn(ss []ast.Stmt) gotos {
	g := gotos{labels: make([][]string, len(ss)), to: map[string]*targets{}}
	for i := range ss {
		ast.WalkStatements(ss[i:i+1], func(s ast.Stmt) bool {
			switch s := s.(type) {
			case *ast.Label:
				g.labels[i] = append(g.labels[i], s.Name)
			case *ast.Goto:
				for _, l := range s.Labels {
					if g.to[l] == nil {
						g.to[l] = &targets{first: i}
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

// loopEnd returns the end of the loop that begins with the label that is statement i, behind the last goto to it; 0 if there is none.
func (g gotos) loopEnd(i int, name string, all map[string]int) int {
	if g.to[name] == nil {
		return 0
	}
	end := g.to[name].last + 1
	// Labels inside are reached from inside only.
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

// Closed reports whether the labels in a list of statements are reached from inside only; all counts the gotos to each label.
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

func skip(ast.Expr) bool { return false }
