package loops

import (
	"fmt"
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// region is the body of a loop, or of an implementation, with calls where there are loops in it.
type region struct {
	*extractor
	graph *flow.Graph
	// loop is the loop, nil for an implementation.
	loop     *loop
	rewriter *rewriter
	// inner has the loops directly within, by their heads; within the blocks of these.
	inner  map[*flow.Block]*loop
	within map[*flow.Block]bool
	labels map[*flow.Block]*ast.Label
	names  map[string]bool
	stmts  []ast.Stmt
	locals []*ast.Variable
}

func (x *extractor) region(g *flow.Graph, l *loop, all []*loop) *region {
	r := &region{extractor: x, graph: g, loop: l, inner: map[*flow.Block]*loop{}, within: map[*flow.Block]bool{}, labels: map[*flow.Block]*ast.Label{}, names: map[string]bool{}}
	if l != nil {
		r.rewriter = l.rewriter
	}
	for _, m := range all {
		if m.parent == l {
			r.inner[m.head] = m
			for b := range m.blocks {
				r.within[b] = true
			}
		}
	}
	for _, b := range g.Blocks {
		if b.Label != "" {
			r.names[b.Label] = true
		}
	}
	return r
}

func (r *region) add(stmts ...ast.Stmt) { r.stmts = append(r.stmts, stmts...) }

// begin assigns the input values to the loop's own variables that change.
func (r *region) begin() {
	a := &ast.Assign{}
	for i, v := range r.loop.in {
		if own, in := r.rewriter.now[v], r.loop.procedure.In[i]; own != in {
			a.Left, a.Right = append(a.Left, identifier(own)), append(a.Right, identifier(in))
		}
	}
	if len(a.Left) > 0 {
		r.add(a)
	}
}

// emit adds the statements of all blocks; runs begin at first.
func (r *region) emit(first *flow.Block) {
	for _, b := range r.graph.Blocks {
		if b != first && r.outside(b) {
			r.labels[b] = r.label(b, "exit")
		} else if r.inner[b] != nil || !r.within[b] {
			r.labels[b] = r.label(b, "line")
		}
	}
	var again *ast.Label
	if r.loop != nil {
		again = r.label(first, "again")
	}
	start := r.labels[first]
	if again != nil {
		// Edges to the head are the next turn.
		r.labels[first] = again
	}
	for _, b := range r.graph.Blocks {
		switch {
		case r.outside(b):
		case r.inner[b] != nil:
			r.add(r.labels[b])
			r.call(r.inner[b])
		case r.within[b]:
		case b == first && again != nil:
			r.add(start)
			r.block(b)
		default:
			r.add(r.labels[b])
			r.block(b)
		}
	}
	if r.loop == nil {
		return
	}
	r.add(again)
	r.invoke(r.loop, r.loop.exit)
	r.add(&ast.Return{})
	for i, b := range r.loop.exits {
		r.add(r.labels[b])
		if r.loop.exit != nil {
			r.add(&ast.Assign{Left: []ast.Expr{identifier(r.loop.exit)}, Right: []ast.Expr{number(i)}})
		}
		r.add(&ast.Return{})
	}
}

func (r *region) outside(b *flow.Block) bool { return r.loop != nil && !r.loop.blocks[b] }

// label is a label for a block.
func (r *region) label(b *flow.Block, kind string) *ast.Label {
	name := b.Label
	if name == "" || kind != "line" {
		base := fmt.Sprintf("%s%d", kind, b.Pos.Line)
		name = base
		for i := 2; r.names[name]; i++ {
			name = fmt.Sprintf("%s.%d", base, i)
		}
		r.names[name] = true
	}
	return &ast.Label{Pos: b.Pos, Name: name}
}

// guarded reports whether a block begins with the guard by which its branch is chosen; the only edge to it is that of the
// branch.
func guarded(b *flow.Block) bool {
	if len(b.Commands) == 0 || b.Commands[0].Kind != flow.Assume || b.Commands[0].Invariant != nil {
		return false
	}
	switch b.Commands[0].Source.(type) {
	case *ast.If, *ast.While:
		return true
	}
	return false
}

func number(i int) ast.Expr {
	return &ast.IntLiteral{Node: ast.Node{Type: ast.Int}, Value: big.NewInt(int64(i))}
}

func to(labels ...*ast.Label) *ast.Goto {
	g := &ast.Goto{Targets: labels}
	for _, l := range labels {
		g.Labels = append(g.Labels, l.Name)
	}
	return g
}

// invoke calls a loop's procedure.
func (r *region) invoke(l *loop, exit *ast.Variable) {
	p := l.procedure
	call := &ast.Call{Pos: l.head.Pos, Name: p.Name, Procedure: p, TypeArguments: ast.TypesOf(p.TypeParams)}
	for _, v := range l.in {
		call.Args = append(call.Args, identifier(r.rewriter.variable(v)))
	}
	for _, v := range l.old {
		call.Args = append(call.Args, r.rewriter.oldValue(v))
	}
	for _, v := range l.out {
		call.Results = append(call.Results, identifier(r.rewriter.variable(v)))
	}
	if exit != nil {
		call.Results = append(call.Results, identifier(exit))
	}
	r.add(call)
}

// call stands for a loop within: it goes on where the loop is left.
func (r *region) call(l *loop) {
	var exit *ast.Variable
	if l.exit != nil {
		exit = exitVariable(ast.Local)
		r.locals = append(r.locals, exit)
	}
	r.invoke(l, exit)
	if len(l.exits) == 0 {
		r.block(&flow.Block{})
		return
	}
	for i, b := range l.exits {
		leave := to(r.labels[b])
		if i == len(l.exits)-1 {
			r.add(leave)
			break
		}
		r.add(&ast.If{
			Guard: &ast.Binary{Node: ast.Node{Type: ast.Bool}, Op: ast.Eq, X: identifier(exit), Y: number(i)},
			Then:  []ast.Stmt{leave},
		})
	}
}

// block adds the statements of a block.
func (r *region) block(b *flow.Block) {
	if w := b.Statement; w != nil {
		n := &ast.While{Pos: w.Pos, Guard: r.rewriter.expression(w.Guard), Body: []ast.Stmt{to(r.labels[b.Next[0]])}}
		n.Invariants = ast.RewriteSpecifications(w.Invariants, r.rewriter.expression)
		r.add(n, to(r.labels[b.Next[1]]))
		return
	}
	commands := b.Commands
	if guarded(b) {
		commands = commands[1:]
	}
	for _, c := range commands {
		r.command(c)
	}
	switch n := b.Next; {
	case b == r.graph.Exit:
		r.add(&ast.Return{Pos: b.Pos})
	case len(n) == 0:
		r.add(&ast.Assume{Cond: &ast.BoolLiteral{Node: ast.Node{Type: ast.Bool}}})
	case len(n) == 1:
		r.add(to(r.labels[n[0]]))
	case len(n) == 2 && guarded(n[0]) && guarded(n[1]):
		s := n[0].Commands[0].Source.(*ast.If)
		r.add(&ast.If{
			Pos: s.Pos, Attributes: ast.RewriteAttributes(s.Attributes, r.rewriter.expression), Guard: r.rewriter.expression(s.Guard),
			Then: []ast.Stmt{to(r.labels[n[0]])}, Else: []ast.Stmt{to(r.labels[n[1]])},
		})
	case len(n) == 2 && n[0].Label == "" && n[1].Label == "" && n[0].Pos == n[1].Pos:
		// The branches of an if without a guard.
		r.add(&ast.If{Pos: n[0].Pos, Then: []ast.Stmt{to(r.labels[n[0]])}, Else: []ast.Stmt{to(r.labels[n[1]])}})
	default:
		var labels []*ast.Label
		for _, m := range n {
			labels = append(labels, r.labels[m])
		}
		g := to(labels...)
		g.Pos = b.Pos
		if k := len(b.Commands); k > 0 {
			g.Pos = b.Commands[k-1].Pos
		}
		r.add(g)
	}
}

// command adds a command in terms of the region's variables.
func (r *region) command(c *flow.Command) {
	switch c.Source.(type) {
	case *ast.If, *ast.While:
		return
	}
	n := ast.RewriteStatement(c.Source, r.rewriter.expression)
	r.origins[n] = c.Source
	r.add(n)
	switch n := n.(type) {
	case *ast.Call:
		n.Procedure = r.procedure(n.Procedure)
	case *ast.Havoc:
		if r.loop == nil {
			return
		}
		// The loop's own variables have no where clauses, which would be assumed when it is entered.
		for _, v := range c.Source.(*ast.Havoc).Variables {
			if where := r.graph.Where(v.Decl); v.Decl.Kind != ast.Global && where != nil {
				r.add(&ast.Assume{Cond: r.rewriter.expression(r.where(where))})
			}
		}
	}
}

// where is a where clause in terms of the implementation's parameters and results.
func (r *region) where(x ast.Expr) ast.Expr {
	impl := r.graph.Implementation
	own := &rewriter{now: map[*ast.Variable]*ast.Variable{}}
	for i, v := range impl.Procedure.In {
		own.now[v] = impl.In[i]
	}
	for i, v := range impl.Procedure.Out {
		own.now[v] = impl.Out[i]
	}
	return own.expression(x)
}
