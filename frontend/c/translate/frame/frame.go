package frame

import (
	"maps"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// Frame is a statement that gives the variables that other statements may change any values.
type Frame struct {
	Havoc *ast.Havoc
	// Body are the other statements. Outside says that what is local to their procedure does not count.
	Body    []ast.Stmt
	Outside bool
	// Allows says which of the variables the frame may have, nil for all. The others are Refused.
	Allows  func(*ast.Variable) bool
	Refused []*ast.Variable
	// Check says that the frame only asks whether any are refused.
	Check bool
}

// Fill adds the variables to the statements of frames: those that their bodies change, and the global ones that the procedures change
// that are called there, each once, in the order of the text. Bodies need not be statements of procedures. Local variables for which
// outer holds stand for what is outside of their procedure.
func Fill(frames []*Frame, procedures []*ast.Procedure, outer func(*ast.Variable) bool) {
	if len(frames) == 0 {
		return
	}
	byName := map[string]*changes{}
	for _, p := range procedures {
		if p.Body != nil {
			byName[p.Name] = changesOf(p.Body.Stmts)
		}
	}
	bodies := map[*ast.Havoc]*changes{}
	allows := map[*ast.Havoc]func(*ast.Variable) bool{}
	for _, f := range frames {
		bodies[f.Havoc] = changesOf(f.Body)
		allows[f.Havoc] = f.Allows
	}
	for _, f := range frames {
		found := map[*ast.Variable]bool{}
		var all []*ast.Identifier
		called := map[string]bool{}
		var filters []func(*ast.Variable) bool
		var visit func(c *changes, own bool)
		visit = func(c *changes, own bool) {
			for _, v := range c.variables {
				counts := v.Kind == ast.Global || own && (!f.Outside || outer(v))
				for _, allowed := range filters {
					counts = counts && allowed(v)
				}
				if counts && !found[v] {
					found[v] = true
					if f.Allows != nil && !f.Allows(v) {
						f.Refused = append(f.Refused, v)
						continue
					}
					all = append(all, &ast.Identifier{Node: ast.Node{Pos: f.Havoc.Pos}, Name: v.Name, Decl: v})
				}
			}
			// What a frame stands for is not among the statements around it if it is left out.
			for _, h := range c.havocs {
				inner := bodies[h]
				if inner == nil || inner == c {
					continue
				}
				if allows[h] == nil {
					visit(inner, own)
					continue
				}
				// What it calls may be called elsewhere, too, where more is seen of it.
				before := called
				called = maps.Clone(called)
				filters = append(filters, allows[h])
				visit(inner, own)
				filters = filters[:len(filters)-1]
				called = before
			}
			for _, name := range c.calls {
				if !called[name] && byName[name] != nil {
					called[name] = true
					visit(byName[name], false)
				}
			}
		}
		visit(bodies[f.Havoc], true)
		if !f.Check {
			f.Havoc.Variables = slices.Concat(f.Havoc.Variables, all)
		}
	}
}

// changes are what statements do themselves: the variables that they change, each once, in the order of the text, the procedures that
// they call, and the statements among them that give variables any values.
type changes struct {
	variables []*ast.Variable
	calls     []string
	havocs    []*ast.Havoc
}

func changesOf(body []ast.Stmt) *changes {
	out := &changes{}
	seen := map[*ast.Variable]bool{}
	change := func(e ast.Expr) {
		for {
			s, ok := e.(*ast.Select)
			if !ok {
				break
			}
			e = s.Map
		}
		if i, ok := e.(*ast.Identifier); ok && !seen[i.Decl] {
			seen[i.Decl] = true
			out.variables = append(out.variables, i.Decl)
		}
	}
	ast.WalkStatements(body, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.Assign:
			for _, l := range s.Left {
				change(l)
			}
		case *ast.Havoc:
			out.havocs = append(out.havocs, s)
			for _, v := range s.Variables {
				change(v)
			}
		case *ast.Call:
			for _, v := range s.Results {
				if v != nil {
					change(v)
				}
			}
			if !slices.Contains(out.calls, s.Name) {
				out.calls = append(out.calls, s.Name)
			}
		}
		return true
	}, func(ast.Expr) bool { return false })
	return out
}
