package loops

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// loop is a loop of a graph.
type loop struct {
	head   *flow.Block
	blocks map[*flow.Block]bool
	parent *loop
	// exits are the blocks outside to which edges lead, each once.
	exits     []*flow.Block
	procedure *ast.Procedure
	// in are the locals that go in, out those that come out, old the globals whose values at the implementation's entry
	// go in.
	in, out, old []*ast.Variable
	// exit is the result that says which exit was taken; nil where there is no choice.
	exit     *ast.Variable
	rewriter *rewriter
}

// nest finds the loops of a graph and makes their procedures, those around others first; none when they cannot be
// extracted.
func (x *extractor) nest(g *flow.Graph, of *ast.Procedure) []*loop {
	before := make([][]*flow.Block, len(g.Blocks))
	for _, b := range g.Blocks {
		for _, n := range b.Next {
			before[n.Index] = append(before[n.Index], b)
		}
	}
	var all []*loop
	for _, b := range g.Blocks {
		if b.Loop {
			all = append(all, &loop{head: b, blocks: g.LoopBlocks(b)})
		}
	}
	if len(all) == 0 || !extractable(g, of) {
		return nil
	}
	for _, l := range all {
		for b := range l.blocks {
			if b.Index < l.head.Index || b != l.head && slices.ContainsFunc(before[b.Index], func(p *flow.Block) bool { return !l.blocks[p] }) {
				return nil // there is another entry
			}
		}
		// A head comes before those of the loops within, so that the last one around it is the closest.
		for _, m := range all {
			if m != l && m.blocks[l.head] {
				l.parent = m
			}
			if m == l {
				break
			}
		}
		for _, b := range g.Blocks {
			for _, n := range b.Next {
				if l.blocks[b] && !l.blocks[n] && !slices.Contains(l.exits, n) {
					l.exits = append(l.exits, n)
				}
			}
		}
	}
	live := g.Live(atExit(g), func(*ast.Procedure) (reads, changes flow.Variables) { return nil, nil })
	for _, l := range all {
		x.declare(g, l, live, of)
	}
	for _, l := range all {
		r := x.region(g, l, all)
		r.begin()
		r.emit(l.head)
		body := &ast.Body{Pos: l.head.Pos, End: l.head.Pos, Locals: slices.Concat(l.locals(g), r.locals), Stmts: r.stmts}
		p := l.procedure
		p.Body = body
		p.Implementations = []*ast.Implementation{{
			Pos: p.Pos, Name: p.Name, TypeParams: p.TypeParams, In: p.In, Out: p.Out, Body: body, Procedure: p, TypeArguments: ast.TypesOf(p.TypeParams),
		}}
		x.made = append(x.made, p)
	}
	return all
}

func atExit(g *flow.Graph) flow.Variables {
	out := flow.Variables{}
	for _, v := range g.Implementation.Out {
		out[v] = true
	}
	return out
}

// extractable reports whether loops can be told without what stands around them.
func extractable(g *flow.Graph, of *ast.Procedure) bool {
	impl := g.Implementation
	if len(impl.TypeParams) > 0 && !slices.Equal(impl.TypeParams, of.TypeParams) {
		return false // where clauses are in terms of the procedure's
	}
	ok := true
	check := func(e ast.Expr) {
		ast.Walk(e, func(e ast.Expr) bool {
			_, code := e.(*ast.CodeExpr)
			ok = ok && !code
			return ok
		})
	}
	ast.WalkStatements(impl.Body.Stmts, func(s ast.Stmt) bool {
		if h, havoc := s.(*ast.Havoc); havoc {
			for _, v := range h.Variables {
				check(g.Where(v.Decl))
			}
		}
		return true
	}, func(e ast.Expr) bool { check(e); return false })
	return ok
}

// local has the variables that belong to the implementation, in order.
func local(g *flow.Graph) []*ast.Variable {
	impl := g.Implementation
	return slices.Concat(impl.In, impl.Out, impl.Body.Locals)
}

// uses finds what the commands of a loop mention and change, and the globals whose old values they read.
func (l *loop) uses(g *flow.Graph) (mentioned, changed, old flow.Variables) {
	mentioned, changed, old = flow.Variables{}, flow.Variables{}, flow.Variables{}
	read := func(e ast.Expr) { flow.Reads(e, mentioned, old) }
	change := func(v *ast.Variable) { mentioned[v], changed[v] = true, true }
	command := func(c *flow.Command) {
		switch s := c.Source.(type) {
		case *ast.Havoc:
			for _, v := range s.Variables {
				change(v.Decl)
				own := flow.Variables{}
				flow.Reads(g.Where(v.Decl), own, old)
				for w := range own {
					mentioned[g.Own(w)] = true
				}
			}
		case *ast.Assign:
			for i := range s.Left {
				v, value := s.Value(i)
				change(v)
				read(value)
			}
		case *ast.Call:
			for _, v := range s.Results {
				if v != nil {
					change(v.Decl)
				}
			}
			for _, v := range s.Procedure.Frame {
				change(v)
			}
			for _, a := range s.Args {
				read(a)
			}
			for _, a := range s.Attributes {
				for _, e := range a.Args {
					read(e)
				}
			}
		default:
			read(c.Cond)
			read(c.Under)
		}
	}
	for b := range l.blocks {
		for _, c := range b.Commands {
			command(c)
		}
	}
	for _, b := range l.exits {
		if guarded(b) { // the branch is made within
			command(b.Commands[0])
		}
	}
	return mentioned, changed, old
}

// declare makes the procedure of a loop, without its body. Its variables have the names that traces show, which need
// not be valid names of the language.
func (x *extractor) declare(g *flow.Graph, l *loop, live *flow.Liveness, of *ast.Procedure) {
	mentioned, changed, old := l.uses(g)
	behind := flow.Variables{}
	for _, b := range l.exits {
		for v := range live.At(b) {
			behind[v] = true
		}
	}
	p := &ast.Procedure{Pos: l.head.Pos, Name: x.name(of.Name), TypeParams: g.Implementation.TypeParams, LoopOf: of}
	l.procedure, l.rewriter = p, &rewriter{now: map[*ast.Variable]*ast.Variable{}, old: map[*ast.Variable]*ast.Variable{}}
	for _, v := range local(g) {
		if !mentioned[v] {
			continue
		}
		own := &ast.Variable{Pos: v.Pos, Kind: ast.Local, Name: v.Name, Syntax: v.Syntax, Type: v.Type}
		l.rewriter.now[v] = own
		if live.Has(l.head, v) {
			l.in = append(l.in, v)
			in := own
			if changed[v] {
				in = &ast.Variable{Pos: v.Pos, Name: v.Name + ".before", Syntax: v.Syntax, Type: v.Type}
			}
			in.Kind = ast.In
			p.In = append(p.In, in)
		}
		if changed[v] && behind[v] {
			l.out = append(l.out, v)
			own.Kind = ast.Out
			p.Out = append(p.Out, own)
		}
	}
	for _, v := range x.program.Globals {
		if old[v] {
			l.old = append(l.old, v)
			l.rewriter.old[v] = &ast.Variable{Pos: v.Pos, Kind: ast.In, Name: "old(" + v.Name + ")", Syntax: v.Syntax, Type: v.Type}
			p.In = append(p.In, l.rewriter.old[v])
		}
		if changed[v] {
			p.Frame, p.Modifies = append(p.Frame, v), append(p.Modifies, identifier(v))
		}
	}
	if len(l.exits) > 1 {
		l.exit = exitVariable(ast.Out)
		p.Out = append(p.Out, l.exit)
	}
}

func exitVariable(kind ast.VariableKind) *ast.Variable {
	return &ast.Variable{Kind: kind, Name: "exit", Type: ast.Int}
}

// locals are the loop's own variables that neither go in nor come out.
func (l *loop) locals(g *flow.Graph) []*ast.Variable {
	var out []*ast.Variable
	for _, v := range local(g) {
		if own := l.rewriter.now[v]; own != nil && own.Kind == ast.Local {
			out = append(out, own)
		}
	}
	return out
}
