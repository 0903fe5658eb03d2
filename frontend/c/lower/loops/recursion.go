package loops

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// cutRecursion gives a program a copy of each recursive procedure for each depth of calls inside one another; at the last depth an
// assertion that fails is in the place of the calls.
func cutRecursion(p *ast.Program, counts Counts) (*Unrolled, error) {
	u := unrolling{origin: map[ast.Stmt]ast.Stmt{}}
	out := &Unrolled{Program: p, Origin: u.origin, Cuts: map[chc.Position]bool{}, Procedures: map[string]string{}}
	groups := recursive(p)
	if len(groups) == 0 {
		return out, nil
	}
	q := &ast.Program{Dialect: p.Dialect}
	for _, d := range p.Declarations {
		procedure, ok := d.(*ast.Procedure)
		group := groups[procedure]
		if !ok || group == nil {
			q.Declarations = append(q.Declarations, d)
			continue
		}
		at := group[0].Pos
		out.Cuts[at] = true
		depth := max(counts.Of(at), 1)
		for k := range depth {
			c := *procedure
			c.Name = atDepth(procedure.Name, k)
			if k > 0 {
				out.Procedures[c.Name] = procedure.Name
				c.Attributes = nil
			}
			callees := map[string]string{}
			for _, callee := range group {
				callees[callee.Name] = atDepth(callee.Name, k+1)
			}
			if k+1 == depth {
				for name := range callees {
					callees[name] = ""
				}
			}
			body := *procedure.Body
			end := cutAt(at)
			if counts.Ended[at] {
				end = &ast.Assume{Pos: at, Cond: never(at)}
			}
			body.Stmts = redirect(u.copies(procedure.Body.Stmts, nil), callees, end)
			c.Body = &body
			q.Declarations = append(q.Declarations, &c)
		}
	}
	out.Program = q
	return out, recheck(q)
}

// atDepth names the copy of a procedure that is called with so many calls of its group around it.
func atDepth(name string, depth int) string {
	if depth == 0 {
		return name
	}
	return fmt.Sprintf("%s$depth%d", name, depth+1)
}

// redirect returns statements with other callees: callees has their names, an empty one for calls that end is in the place of.
func redirect(ss []ast.Stmt, callees map[string]string, end ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range ss {
		switch c := s.(type) {
		case *ast.If:
			c.Then, c.Else = redirect(c.Then, callees, end), redirect(c.Else, callees, end)
		case *ast.Call:
			name, found := callees[c.Name]
			switch {
			case found && name == "":
				out = append(out, end)
				continue
			case found:
				c.Name = name
			}
		}
		out = append(out, s)
	}
	return out
}

// recursive returns, for each procedure with a body that calls lead back to, all procedures of the cycles that it is on, in the order of
// the program.
func recursive(p *ast.Program) map[*ast.Procedure][]*ast.Procedure {
	named := map[string]*ast.Procedure{}
	for _, d := range p.Declarations {
		if q, ok := d.(*ast.Procedure); ok && q.Body != nil {
			named[q.Name] = q
		}
	}
	reached := map[*ast.Procedure]map[*ast.Procedure]bool{}
	for _, q := range named {
		reached[q] = map[*ast.Procedure]bool{}
		todo := []*ast.Procedure{q}
		for len(todo) > 0 {
			from := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			ast.WalkStatements(from.Body.Stmts, func(s ast.Stmt) bool {
				if c, ok := s.(*ast.Call); ok && named[c.Name] != nil && !reached[q][named[c.Name]] {
					reached[q][named[c.Name]] = true
					todo = append(todo, named[c.Name])
				}
				return true
			}, skip)
		}
	}
	groups := map[*ast.Procedure][]*ast.Procedure{}
	for q := range reached {
		for _, d := range p.Declarations {
			if other, ok := d.(*ast.Procedure); ok && reached[q][other] && reached[other][q] {
				groups[q] = append(groups[q], other)
			}
		}
	}
	return groups
}
