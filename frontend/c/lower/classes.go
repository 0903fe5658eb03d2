package lower

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// classes are the equivalence classes of the variables and expressions of a program that must be represented alike: the type variables
// and rules of the paper's Fig. 6. A map has the class of its elements; indices have none. The operand and the result of $index,
// $address and $integer are not unified: there words are converted.
type classes struct {
	parent []int
	size   []int
	vars   map[*ast.Variable]int
	exprs  map[ast.Expr]int
	// operands has the class of the operands of an operation, where its result has another class or none.
	operands map[ast.Expr]int
	all      bool
	vectors  map[int]bool
}

// newClasses generates the constraints of a program and solves them by unification.
func newClasses(p *ast.Program, o Options) *classes {
	c := &classes{
		vars: map[*ast.Variable]int{}, exprs: map[ast.Expr]int{}, operands: map[ast.Expr]int{},
		all: o.Mode == AllVectors, vectors: map[int]bool{},
	}
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.Procedure:
			if d.Body != nil {
				c.statements(d.Body.Stmts)
			}
			for _, s := range append(append([]*ast.Specification{}, d.Requires...), d.Ensures...) {
				c.of(s.Cond)
			}
		case *ast.Axiom:
			c.of(d.Cond)
		}
	}
	for id := range o.Plan.Vectors {
		if id < len(c.parent) {
			c.vectors[c.find(id)] = true
		}
	}
	return c
}

func (c *classes) fresh() int {
	c.parent = append(c.parent, len(c.parent))
	c.size = append(c.size, 1)
	return len(c.parent) - 1
}

func (c *classes) find(i int) int {
	for c.parent[i] != i {
		c.parent[i] = c.parent[c.parent[i]]
		i = c.parent[i]
	}
	return i
}

func (c *classes) unify(i, j int) {
	i, j = c.find(i), c.find(j)
	if i == j {
		return
	}
	if c.size[i] < c.size[j] {
		i, j = j, i
	}
	c.parent[j] = i
	c.size[i] += c.size[j]
}

func (c *classes) variable(v *ast.Variable) int {
	id, ok := c.vars[v]
	if !ok {
		id = c.fresh()
		c.vars[v] = id
	}
	return id
}

func (c *classes) statements(ss []ast.Stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case *ast.Assert:
			c.of(s.Cond)
		case *ast.Assume:
			c.of(s.Cond)
		case *ast.Assign:
			for i := range s.Left {
				c.unify(c.of(s.Left[i]), c.of(s.Right[i]))
			}
		case *ast.Call:
			for i, a := range s.Args {
				if a != nil {
					c.unify(c.of(a), c.variable(s.Procedure.In[i]))
				}
			}
			for i, r := range s.Results {
				if r != nil {
					c.unify(c.of(r), c.variable(s.Procedure.Out[i]))
				}
			}
		case *ast.If:
			if s.Guard != nil {
				c.of(s.Guard)
			}
			c.statements(s.Then)
			c.statements(s.Else)
		}
	}
}

// of returns the class of an expression; the first call generates its constraints.
func (c *classes) of(e ast.Expr) int {
	if id, ok := c.exprs[e]; ok {
		return id
	}
	id := c.fresh()
	c.exprs[e] = id
	each := func(es ...ast.Expr) {
		for _, x := range es {
			c.of(x)
		}
	}
	same := func(es ...ast.Expr) {
		for _, x := range es {
			c.unify(id, c.of(x))
		}
	}
	switch e := e.(type) {
	case *ast.Identifier:
		c.unify(id, c.variable(e.Decl))
	case *ast.Coercion:
		same(e.X)
	case *ast.Old:
		same(e.X)
	case *ast.Unary:
		same(e.X)
	case *ast.Binary:
		each(e.X, e.Y)
		if e.Op == ast.Eq || e.Op == ast.Neq {
			c.unify(c.of(e.X), c.of(e.Y))
		}
	case *ast.Select:
		same(e.Map)
		each(e.Index...)
	case *ast.Store:
		same(e.Map, e.Value)
		each(e.Index...)
	case *ast.IfThenElse:
		each(e.Cond)
		same(e.Then, e.Else)
	case *ast.Let:
		for i, v := range e.Bound {
			c.unify(c.variable(v), c.of(e.Values[i]))
		}
		same(e.Body)
	case *ast.Lambda:
		same(e.Body)
	case *ast.Quantifier:
		each(e.Body)
	case *ast.Application:
		c.application(e, id)
	}
	return id
}

func (c *classes) application(e *ast.Application, id int) {
	o, args, ok := machine.Recognise(e)
	if !ok {
		for i, a := range e.Args {
			if e.Function != nil {
				c.unify(c.of(a), c.variable(e.Function.Params[i]))
			}
		}
		if e.Function != nil {
			c.unify(id, c.variable(e.Function.Result))
		}
		return
	}
	if o.Op == machine.Integer || o.Op.Floats() {
		// Operands that are bit-vectors are converted.
		for _, a := range args {
			c.of(a)
		}
		return
	}
	operands := c.of(args[0])
	for _, a := range args[1:] {
		c.unify(operands, c.of(a))
	}
	c.operands[e] = operands
	if _, result := o.Signature(); machine.SortNamed(result).Shape == machine.WordShape {
		c.unify(id, operands)
	}
}

func (c *classes) vectorVariable(v *ast.Variable) bool {
	return machine.SortOf(v.Syntax).Shape == machine.WordShape && (c.all || has(c.vars, v) && c.vectors[c.find(c.vars[v])])
}

func (c *classes) vectorExpr(e ast.Expr) bool {
	return c.all || c.vectors[c.find(c.of(e))]
}

// vectorOperands reports whether the operands of an operation are bit-vectors.
func (c *classes) vectorOperands(e ast.Expr) bool {
	if c.all {
		return true
	}
	id, ok := c.operands[e]
	return ok && c.vectors[c.find(id)]
}

// count returns the number of classes with a variable in them, and how many of them are bit-vectors.
func (c *classes) count() (classes, vectors int) {
	seen := map[int]bool{}
	for v, id := range c.vars {
		if root := c.find(id); machine.SortOf(v.Syntax).Shape == machine.WordShape && !seen[root] {
			seen[root] = true
			classes++
			if c.all || c.vectors[root] {
				vectors++
			}
		}
	}
	return classes, vectors
}
