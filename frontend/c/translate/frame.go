package translate

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

// frame is a statement that gives all that other statements may change any values.
type frame struct {
	havoc *ast.Havoc
	// body are the other statements; outside says that what is local to the function does not count.
	body    []ast.Stmt
	outside bool
}

// havocFrame gives what a body may change any values. What that is is known when all procedures that the body calls are translated.
func (f *function) havocFrame(s *tree.Havoc) {
	f.approximate(s, "what a contract or an invariant stands for")
	h := &ast.Havoc{Pos: at(s), Variables: []*ast.Identifier{use(f.temp(at(s), machine.Bool))}}
	body := f.within(func() { f.statement(s.Body) })
	f.frames = append(f.frames, &frame{h, body, s.Only})
	f.add(h)
	if !s.Only {
		f.add(body...)
	}
}

// changed are variables that statements change themselves, each once, in the order of the text,
// the procedures that they call, and the statements among them that give variables any values.
type changed struct {
	variables []*ast.Variable
	calls     []string
	havocs    []*ast.Havoc
}

func changedBy(body []ast.Stmt) *changed {
	out := &changed{}
	seen := map[*ast.Variable]bool{}
	change := func(e ast.Expr) {
		for {
			s, ok := e.(*ast.Select)
			if !ok {
				break
			}
			e = s.Map
		}
		if i, ok := e.(*ast.Identifier); ok && i != nil && !seen[i.Decl] {
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

// fillFrames says of the frames what their variables are: those that their statements change, and the global ones among those that
// the procedures change that are called. The frames of procedures are statements of theirs.
func (t *translator) fillFrames() {
	if len(t.frames) == 0 {
		return
	}
	procedures := map[string]*changed{}
	for _, i := range t.instances {
		if i.procedure.Body != nil {
			procedures[i.procedure.Name] = changedBy(i.procedure.Body.Stmts)
		}
	}
	frames := map[*ast.Havoc]*changed{}
	for _, f := range t.frames {
		frames[f.havoc] = changedBy(f.body)
	}
	for _, f := range t.frames {
		var variables []*ast.Variable
		called := map[string]bool{}
		var visit func(c *changed, own bool)
		visit = func(c *changed, own bool) {
			for _, v := range c.variables {
				o := t.result.Origins.Variables[v]
				if (own && (!f.outside || o != nil && o.Behind) || v.Kind == ast.Global) && !slices.Contains(variables, v) {
					variables = append(variables, v)
				}
			}
			// What a frame stands for is not among the statements around it if it is left out.
			for _, h := range c.havocs {
				if inner := frames[h]; inner != nil && inner != c {
					visit(inner, own)
				}
			}
			for _, name := range c.calls {
				if !called[name] && procedures[name] != nil {
					called[name] = true
					visit(procedures[name], false)
				}
			}
		}
		visit(frames[f.havoc], true)
		for _, v := range variables {
			f.havoc.Variables = append(f.havoc.Variables, use(v))
		}
	}
}
