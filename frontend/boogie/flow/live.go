package flow

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// Variables is a set of variables.
type Variables map[*ast.Variable]bool

// Live returns, for each block by its index, the variables whose values at its beginning may matter to what follows. At
// the exit those of atExit matter; of says which variables a callee reads and which it is sure to change: globals, since
// the arguments are the call's own.
func (g *Graph) Live(atExit Variables, of func(*ast.Procedure) (reads, changes Variables)) []Variables {
	live := make([]Variables, len(g.Blocks))
	for i := range live {
		live[i] = Variables{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.Blocks) - 1; i >= 0; i-- {
			b := g.Blocks[i]
			now := Variables{}
			if b == g.Exit {
				now.add(atExit)
			}
			for _, n := range b.Next {
				now.add(live[n.Index])
			}
			for j := len(b.Commands) - 1; j >= 0; j-- {
				g.before(b.Commands[j], now, of)
			}
			if len(now) > len(live[i]) {
				live[i], changed = now, true
			}
		}
	}
	return live
}

func (vs Variables) add(more Variables) {
	for v := range more {
		vs[v] = true
	}
}

// before makes what is live after a command what is live before it.
func (g *Graph) before(c *Command, live Variables, of func(*ast.Procedure) (reads, changes Variables)) {
	switch s := c.Source.(type) {
	case *ast.Havoc:
		// A where clause may speak of the others that get new values.
		for _, v := range s.Variables {
			live.add(g.WhereReads(v.Decl))
		}
		for _, v := range s.Variables {
			delete(live, v.Decl)
		}
	case *ast.Assign:
		for _, l := range s.Left {
			delete(live, ast.Target(l).Decl)
		}
		for i := range s.Left {
			_, value := s.Value(i)
			live.reads(value)
		}
	case *ast.Call:
		for _, v := range s.Results {
			if v != nil {
				delete(live, v.Decl)
			}
		}
		reads, changes := of(s.Procedure)
		for v := range changes {
			delete(live, v)
		}
		live.add(reads)
		for _, a := range s.Args {
			live.reads(a)
		}
	default:
		live.reads(c.Cond)
		live.reads(c.Under)
	}
}

// Where returns the where clause of a variable of the body, nil if there is none: a parameter or result of a separate
// implementation has the procedure's, which speaks of the procedure's own parameters.
func (g *Graph) Where(v *ast.Variable) ast.Expr {
	impl := g.Implementation
	if i := slices.Index(impl.In, v); i >= 0 {
		return impl.Procedure.In[i].Where
	}
	if i := slices.Index(impl.Out, v); i >= 0 {
		return impl.Procedure.Out[i].Where
	}
	return v.Where
}

// WhereReads returns the variables of the body, and globals, that the where clause of one of them depends on.
func (g *Graph) WhereReads(v *ast.Variable) Variables {
	named, own := Variables{}, Variables{}
	named.reads(g.Where(v))
	for w := range named {
		own[g.Own(w)] = true
	}
	return own
}

// Own returns what stands in the body for a variable: for a parameter or result of the procedure the implementation's.
func (g *Graph) Own(v *ast.Variable) *ast.Variable {
	impl := g.Implementation
	if i := slices.Index(impl.Procedure.In, v); i >= 0 {
		return impl.In[i]
	}
	if i := slices.Index(impl.Procedure.Out, v); i >= 0 {
		return impl.Out[i]
	}
	return v
}

// reads adds the variables that an expression depends on now; globals within old are not.
func (vs Variables) reads(e ast.Expr) { collect(e, false, vs, nil) }

// Reads adds to now the variables whose present values an expression depends on, and to old the globals whose values at
// the entry of the procedure it does. Constants and bound variables are not among them. Either set may be nil.
func Reads(e ast.Expr, now, old Variables) { collect(e, false, now, old) }

func collect(e ast.Expr, inOld bool, now, old Variables) {
	ast.Inspect(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Old:
			collect(e.X, true, now, old)
			return false
		case *ast.CodeExpr:
			ast.WalkStatements(e.Body.Stmts, func(ast.Stmt) bool { return true }, func(e ast.Expr) bool {
				collect(e, inOld, now, old)
				return false
			})
			for _, v := range e.Body.Locals {
				collect(v.Where, inOld, now, old)
			}
		case *ast.Identifier:
			switch v := e.Decl; {
			case v.Kind == ast.Constant || v.Kind == ast.Bound:
			case v.Kind == ast.Global && inOld:
				if old != nil {
					old[v] = true
				}
			case now != nil:
				now[v] = true
			}
		}
		return true
	})
}
