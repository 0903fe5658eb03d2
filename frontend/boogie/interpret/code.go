package interpret

import "hornbeam/frontend/boogie/ast"

// instruction is a simple statement, after which the next one follows, or a jump.
type instruction struct {
	stmt ast.Stmt
	// jump says that the run goes on at one of targets: by the statement's choice, when there is one.
	jump    bool
	targets []int
	// invariants says that those of the while statement are checked here.
	invariants bool
}

// code is a body as instructions; the run returns at its end.
type code struct {
	instructions []instruction
	labels       map[*ast.Label]int
	// after has the place behind a statement that may be left by a break.
	after map[ast.Stmt]int
}

// translate makes the instructions of a body.
func translate(stmts []ast.Stmt) *code {
	c := &code{labels: map[*ast.Label]int{}, after: map[ast.Stmt]int{}}
	c.statements(stmts)
	end := len(c.instructions)
	for i := range c.instructions {
		in := &c.instructions[i]
		switch s := in.stmt.(type) {
		case *ast.Goto:
			for _, l := range s.Targets {
				in.targets = append(in.targets, c.labels[l])
			}
		case *ast.Break:
			in.targets = []int{c.after[s.Target]}
		case *ast.Return:
			in.targets = []int{end}
		}
	}
	return c
}

func (c *code) add(in instruction) int {
	c.instructions = append(c.instructions, in)
	return len(c.instructions) - 1
}

func (c *code) statements(stmts []ast.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.Label:
			c.labels[s] = len(c.instructions)
		case *ast.Goto, *ast.Break, *ast.Return:
			c.add(instruction{stmt: s, jump: true})
		case *ast.If:
			test := c.add(instruction{stmt: s, jump: true})
			c.statements(s.Then)
			leave := c.add(instruction{jump: true})
			otherwise := len(c.instructions)
			c.statements(s.Else)
			end := len(c.instructions)
			c.instructions[test].targets = []int{test + 1, otherwise}
			c.instructions[leave].targets = []int{end}
			c.after[s] = end
		case *ast.While:
			head := c.add(instruction{stmt: s, invariants: true})
			test := c.add(instruction{stmt: s, jump: true})
			c.statements(s.Body)
			c.add(instruction{jump: true, targets: []int{head}})
			end := len(c.instructions)
			c.instructions[test].targets = []int{test + 1, end}
			c.after[s] = end
		default:
			c.add(instruction{stmt: s})
		}
	}
}
