package flow

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Build returns the graph of an implementation, which has been checked.
func Build(impl *ast.Implementation) *Graph {
	b := &builder{labels: map[*ast.Label]*Block{}, after: map[ast.Stmt]*Block{}, exit: &Block{Label: "exit", Pos: impl.Body.End}}
	b.collect(impl.Body.Stmts)
	entry := &Block{Label: "entry", Pos: impl.Body.Pos}
	b.current = entry
	b.statements(impl.Body.Stmts)
	b.leaveTo(b.exit)
	return arrange(&Graph{Implementation: impl, Exit: b.exit}, entry)
}

// builder makes blocks of statements.
type builder struct {
	// current is the block that commands are added to.
	current *Block
	exit    *Block
	labels  map[*ast.Label]*Block
	// after has the block that follows a statement which a break may leave.
	after map[ast.Stmt]*Block
}

// collect makes the blocks of all labels, so that gotos find them.
func (b *builder) collect(stmts []ast.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.Label:
			b.labels[s] = &Block{Label: s.Name, Pos: s.Pos}
		case *ast.If:
			b.collect(s.Then)
			b.collect(s.Else)
		case *ast.While:
			b.collect(s.Body)
		}
	}
}

// leaveTo ends the current block with edges; what is added next is not reached unless a label makes it so.
func (b *builder) leaveTo(next ...*Block) {
	b.current.Next = append(b.current.Next, next...)
	b.current = &Block{}
}

// fallTo ends the current block with an edge to the one that commands are added to next.
func (b *builder) fallTo(next *Block) {
	b.leaveTo(next)
	b.current = next
}

func (b *builder) add(c *Command) { b.current.Commands = append(b.current.Commands, c) }

func (b *builder) statements(stmts []ast.Stmt) {
	for _, s := range stmts {
		b.statement(s)
	}
}

func (b *builder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Label:
		b.fallTo(b.labels[s])
	case *ast.Assert:
		b.add(&Command{Kind: Assert, Pos: s.Pos, Cond: s.Cond, Under: s.VerifiedUnder(), Source: s})
	case *ast.Assume:
		b.add(&Command{Kind: Assume, Pos: s.Pos, Cond: s.Cond, Source: s})
	case *ast.Assign:
		b.add(&Command{Kind: Assign, Pos: s.Pos, Source: s})
	case *ast.Havoc:
		b.add(&Command{Kind: Havoc, Pos: s.Pos, Source: s})
	case *ast.Call:
		b.add(&Command{Kind: Call, Pos: s.Pos, Source: s})
	case *ast.If:
		b.choice(s)
	case *ast.While:
		b.loop(s)
	case *ast.Break:
		b.leaveTo(b.behind(s.Target, s.Target.At()))
	case *ast.Goto:
		targets := make([]*Block, len(s.Targets))
		for i, l := range s.Targets {
			targets[i] = b.labels[l]
		}
		b.leaveTo(targets...)
	case *ast.Return:
		b.leaveTo(b.exit)
	}
}

// behind returns the block that follows a statement.
func (b *builder) behind(s ast.Stmt, pos chc.Position) *Block {
	if b.after[s] == nil {
		b.after[s] = &Block{Pos: pos}
	}
	return b.after[s]
}

// guarded begins a branch: a block that assumes the guard or its negation, if there is a guard.
func (b *builder) guarded(guard ast.Expr, negated bool, pos chc.Position, source ast.Stmt) *Block {
	branch := &Block{Pos: pos}
	b.current = branch
	if guard != nil {
		b.add(&Command{Kind: Assume, Pos: pos, Cond: guard, Negated: negated, Source: source})
	}
	return branch
}

func (b *builder) choice(s *ast.If) {
	at, join := b.current, b.behind(s, s.Pos)
	for _, negated := range []bool{false, true} {
		at.Next = append(at.Next, b.guarded(s.Guard, negated, s.Pos, s))
		if negated {
			b.statements(s.Else)
		} else {
			b.statements(s.Then)
		}
		b.leaveTo(join)
	}
	b.current = join
}

func (b *builder) loop(s *ast.While) {
	head, done := &Block{Pos: s.Pos, Statement: s}, b.behind(s, s.Pos)
	b.fallTo(head)
	for _, inv := range s.Invariants {
		kind := Assert
		if inv.Free {
			kind = Assume
		}
		b.add(&Command{Kind: kind, Pos: inv.Pos, Cond: inv.Cond, Source: s, Invariant: inv})
	}
	head.Next = append(head.Next, b.guarded(s.Guard, false, s.Pos, s))
	b.statements(s.Body)
	b.leaveTo(head)
	head.Next = append(head.Next, b.guarded(s.Guard, true, s.Pos, s))
	b.leaveTo(done)
	b.current = done
}
