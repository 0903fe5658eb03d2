package flow

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Graph is the control flow of one implementation.
type Graph struct {
	Implementation *ast.Implementation
	// Blocks are those that the entry reaches, in reverse post-order: every edge that is not a back edge leads to a later
	// block. The first is the entry, which no edge leads to.
	Blocks []*Block
	// Exit is where returns lead, a block without commands and successors; nil when no run returns.
	Exit *Block
}

// Block is a sequence of commands, after which a run goes on with any one of the successors. A block without successors
// that is not the exit ends with an assume that blocks.
type Block struct {
	// Index is the block's place in Graph.Blocks.
	Index int
	// Label is the source's name for the place, or empty.
	Label string
	Pos   chc.Position
	// Loop says that a back edge leads here; Statement is the while statement, when that is why.
	Loop      bool
	Statement *ast.While
	Commands  []*Command
	Next      []*Block
}

// Kind says what a command does.
type Kind uint8

// The kinds of commands.
const (
	// Assert fails when Cond is false, and blocks then.
	Assert Kind = iota
	// Assume blocks when Cond is false.
	Assume
	// Assign is the statement of that name.
	Assign
	// Havoc is the statement of that name.
	Havoc
	// Call is the statement of that name.
	Call
)

// Command is one step of a run.
type Command struct {
	Kind Kind
	Pos  chc.Position
	// Cond is what an Assert or Assume is about, and Negated says that it is about its negation.
	Cond    ast.Expr
	Negated bool
	// Under is, for an assertion with {:verified_under Under}, what it is taken to hold under; nil for others.
	Under ast.Expr
	// Source is the statement that the command comes from: an *ast.If for the assumption of its guard, for example.
	Source ast.Stmt
	// Invariant is the loop invariant that an Assert or Assume comes from.
	Invariant *ast.Specification
}

// Candidate reports whether the command is an invariant or an assertion that is marked {:candidate}.
func (c *Command) Candidate() bool {
	if c.Invariant != nil {
		return c.Invariant.Candidate()
	}
	a, ok := c.Source.(*ast.Assert)
	return ok && a.Candidate()
}

// Commands returns the commands of all blocks, in the order of the blocks.
func (g *Graph) Commands() []*Command {
	var out []*Command
	for _, b := range g.Blocks {
		out = append(out, b.Commands...)
	}
	return out
}
