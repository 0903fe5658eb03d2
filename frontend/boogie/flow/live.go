package flow

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// Variables is a set of variables.
type Variables map[*ast.Variable]bool

// Liveness has the variables that are live at the beginnings of blocks.
type Liveness struct {
	// number has a number for each variable that is live anywhere, variables the variables by their numbers; blocks has a set of these numbers for each block.
	number    map[*ast.Variable]int
	variables []*ast.Variable
	blocks    []numbers
}

// numbers is a set of numbers, a bit each.
type numbers []uint64

func (n numbers) has(i int) bool { return i/64 < len(n) && n[i/64]&(1<<(i%64)) != 0 }

func (n *numbers) add(i int) {
	for len(*n) <= i/64 {
		*n = append(*n, 0)
	}
	(*n)[i/64] |= 1 << (i % 64)
}

// addAll adds the numbers of another set that are not in but, and reports whether the set has changed.
func (n *numbers) addAll(more, but numbers) bool {
	changed := false
	for len(*n) < len(more) {
		*n = append(*n, 0)
	}
	for i, word := range more {
		if i < len(but) {
			word &^= but[i]
		}
		if old := (*n)[i]; old|word != old {
			(*n)[i], changed = old|word, true
		}
	}
	return changed
}

// Has reports whether a variable is live at the beginning of a block.
func (l *Liveness) Has(b *Block, v *ast.Variable) bool {
	i, ok := l.number[v]
	return ok && l.blocks[b.Index].has(i)
}

// At returns the variables that are live at the beginning of a block.
func (l *Liveness) At(b *Block) Variables {
	vs := Variables{}
	for i, v := range l.variables {
		if l.blocks[b.Index].has(i) {
			vs[v] = true
		}
	}
	return vs
}

func (l *Liveness) numbered(v *ast.Variable) int {
	i, ok := l.number[v]
	if !ok {
		i = len(l.variables)
		l.number[v] = i
		l.variables = append(l.variables, v)
	}
	return i
}

func (l *Liveness) set(vs Variables) numbers {
	var n numbers
	for v := range vs {
		n.add(l.numbered(v))
	}
	return n
}

// Live computes the live variables of each block. Those of atExit are live at the exit; of returns the globals that
// a callee reads and those that it overwrites on all runs.
func (g *Graph) Live(atExit Variables, of func(*ast.Procedure) (reads, changes Variables)) *Liveness {
	l := &Liveness{number: map[*ast.Variable]int{}, blocks: make([]numbers, len(g.Blocks))}
	// A variable that is live at a block's end is live at its beginning, unless the block overwrites it.
	overwritten := make([]numbers, len(g.Blocks))
	callees := map[*ast.Procedure][2]numbers{}
	for i, b := range g.Blocks {
		if b == g.Exit {
			l.blocks[i] = l.set(atExit)
		}
		for j := len(b.Commands) - 1; j >= 0; j-- {
			var reads, changes numbers
			if call, ok := b.Commands[j].Source.(*ast.Call); ok {
				sets, known := callees[call.Procedure]
				if !known {
					read, changed := of(call.Procedure)
					sets = [2]numbers{l.set(read), l.set(changed)}
					callees[call.Procedure] = sets
				}
				reads, changes = sets[0], sets[1]
			}
			own, overwrites := g.uses(b.Commands[j])
			changes = slices.Clone(changes)
			for _, v := range overwrites {
				changes.add(l.numbered(v))
			}
			var now numbers
			now.addAll(l.blocks[i], changes)
			now.addAll(reads, nil)
			now.addAll(l.set(own), nil)
			l.blocks[i] = now
			overwritten[i].addAll(changes, nil)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.Blocks) - 1; i >= 0; i-- {
			for _, n := range g.Blocks[i].Next {
				if l.blocks[i].addAll(l.blocks[n.Index], overwritten[i]) {
					changed = true
				}
			}
		}
	}
	return l
}

func (vs Variables) add(more Variables) {
	for v := range more {
		vs[v] = true
	}
}

// uses are the variables that a command reads by itself, before or while it overwrites others.
func (g *Graph) uses(c *Command) (reads Variables, overwrites []*ast.Variable) {
	reads = Variables{}
	switch s := c.Source.(type) {
	case *ast.Havoc:
		// A where clause may mention the other variables that get new values.
		for _, v := range s.Variables {
			reads.add(g.WhereReads(v.Decl))
			overwrites = append(overwrites, v.Decl)
		}
		for _, v := range overwrites {
			delete(reads, v)
		}
	case *ast.Assign:
		for i, l := range s.Left {
			overwrites = append(overwrites, ast.Target(l).Decl)
			_, value := s.Value(i)
			reads.reads(value)
		}
	case *ast.Call:
		for _, v := range s.Results {
			if v != nil {
				overwrites = append(overwrites, v.Decl)
			}
		}
		for _, a := range s.Args {
			reads.reads(a)
		}
	default:
		reads.reads(c.Cond)
		reads.reads(c.Under)
	}
	return reads, overwrites
}

// Where returns the where clause of a variable of the body, nil if there is none: a parameter or result of a separate
// implementation has the procedure's, which has the procedure's own parameters.
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
