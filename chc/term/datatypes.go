package term

// DatatypeGroups returns the datatypes that the sorts are made with, themselves included, in groups that refer to each
// other. A group stands after those that it needs, as SMT-LIB's declare-datatypes wants them.
func DatatypeGroups(sorts ...*Sort) [][]*Sort {
	g := grouping{number: map[*Sort]int{}, low: map[*Sort]int{}, open: map[*Sort]bool{}}
	for _, s := range sorts {
		g.parts(s, func(d *Sort) { g.visit(d) })
	}
	return g.groups
}

// grouping finds strongly connected components as Tarjan does. Its depth is that of the declarations.
type grouping struct {
	number, low map[*Sort]int
	open        map[*Sort]bool
	stack       []*Sort
	groups      [][]*Sort
}

// parts calls visit for s when it is a datatype, and for the datatypes below it when it is an array.
func (g *grouping) parts(s *Sort, visit func(*Sort)) {
	switch s.Kind {
	case ArrayKind:
		g.parts(s.Index, visit)
		g.parts(s.Elem, visit)
	case DatatypeKind:
		visit(s)
	}
}

func (g *grouping) visit(d *Sort) {
	if g.number[d] > 0 {
		return
	}
	g.number[d] = len(g.number) + 1
	g.low[d] = g.number[d]
	g.open[d] = true
	g.stack = append(g.stack, d)
	for _, c := range d.Data.Constructors {
		for _, sel := range c.Selectors {
			g.parts(sel.Sort, func(e *Sort) {
				g.visit(e)
				if g.open[e] {
					g.low[d] = min(g.low[d], g.low[e])
				}
			})
		}
	}
	if g.low[d] < g.number[d] {
		return
	}
	for i := len(g.stack) - 1; ; i-- {
		if g.stack[i] == d {
			group := append([]*Sort(nil), g.stack[i:]...)
			g.stack = g.stack[:i]
			for _, e := range group {
				delete(g.open, e)
			}
			g.groups = append(g.groups, group)
			return
		}
	}
}

// ContainsFunc reports whether a sort that s is made of satisfies f: the sorts of indices, elements and fields, at any
// depth. s itself counts only when it is a datatype that contains itself.
func (s *Sort) ContainsFunc(f func(*Sort) bool) bool {
	seen := map[*Sort]bool{}
	var within func(s *Sort) bool
	within = func(s *Sort) bool {
		if seen[s] {
			return false
		}
		seen[s] = true
		switch s.Kind {
		case ArrayKind:
			return f(s.Index) || f(s.Elem) || within(s.Index) || within(s.Elem)
		case DatatypeKind:
			for _, c := range s.Data.Constructors {
				for _, sel := range c.Selectors {
					if f(sel.Sort) || within(sel.Sort) {
						return true
					}
				}
			}
		}
		return false
	}
	return within(s)
}
