package boogie

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/report"
)

// checker resolves the names of a program and checks its types.
type checker struct {
	*reporter
	program *ast.Program
	strict  bool
	lenient bool
	// mismatches counts the errors that are about types that do not fit together.
	mismatches int

	types      map[string]*ast.TypeDecl
	functions  map[string]*ast.Function
	procedures map[string]*ast.Procedure
	// variables has what names mean at the current place; shadowed has what to put back, the latest last.
	variables map[string]*ast.Variable
	shadowed  []shadow
	// typeVariables are those in scope.
	typeVariables []*ast.TypeVariable
	// expanding has the synonyms whose meaning is being found, to detect cycles.
	expanding map[*ast.TypeDecl]bool
	// ignored has the declarations that are known but are not part of the program.
	ignored map[ast.Declaration]bool
	// ids has the arguments of the {:id …} attributes of statements and specifications.
	ids map[string]*ast.Attribute

	scope scope
	infer inference

	effects map[*ast.Procedure]*effects
	labels  map[string]*ast.Label
	// enclosing has the loops and labelled ifs around the current statement.
	enclosing []target
	// assumed has the {:assumption} variables of the current body that have been assigned.
	assumed map[*ast.Variable]bool
}

// scope says what the current place allows.
type scope struct {
	// old, and code, where statements may stand; globals, unless noGlobals says why not.
	old       bool
	noGlobals string
	// pure says that a pure procedure is around.
	pure bool
	// procedure is the one whose body or contract this is, or nil.
	procedure *ast.Procedure
}

// shadow is a meaning of a name that an inner declaration hides; nil when there was none.
type shadow struct {
	name     string
	previous *ast.Variable
}

// Check resolves all names in the tree and checks all types, and whatever else Boogie checks before it verifies: it fills
// in what package ast says that Check fills in. In Ultimate's dialect it turns / of integers into div. The error is
// Errors, and the tree is of no use then.
func Check(p *ast.Program, o Options) error {
	p.Approximated = nil
	c := &checker{
		reporter: &reporter{}, program: p, strict: o.Strict, lenient: o.Lenient,
		types: map[string]*ast.TypeDecl{}, functions: map[string]*ast.Function{}, procedures: map[string]*ast.Procedure{},
		variables: map[string]*ast.Variable{}, expanding: map[*ast.TypeDecl]bool{}, ignored: map[ast.Declaration]bool{},
		ids: map[string]*ast.Attribute{}, effects: map[*ast.Procedure]*effects{},
	}
	c.infer.init()
	report.Stopping(func() {
		c.defineFunctions()
		c.collect()
		c.signatures()
		c.bodies()
		if len(c.Errors) == 0 {
			c.frames()
			c.boundedTypes()
		}
	})
	return c.Err()
}

// collect registers all declarations by name and lists those that count.
func (c *checker) collect() {
	p := c.program
	p.Types, p.Constants, p.Globals, p.Functions, p.Axioms, p.Procedures, p.Implementations = nil, nil, nil, nil, nil, nil, nil
	dropped := c.externs()
	for _, d := range p.Declarations {
		if dropped[d] {
			continue
		}
		kept := true
		switch d := d.(type) {
		case *ast.TypeDecl:
			c.collectType(d)
			if kept = c.keep(d.Attributes); kept {
				p.Types = append(p.Types, d)
			}
		case *ast.Variable:
			if other := c.variables[d.Name]; other != nil {
				c.Errorf(d.Pos, "%s is already declared at %s", d.Name, other.Pos)
			} else {
				c.variables[d.Name] = d
			}
			if kept = c.keep(d.Attributes); kept && d.Kind == ast.Global {
				p.Globals = append(p.Globals, d)
			} else if kept {
				p.Constants = append(p.Constants, d)
			}
		case *ast.Function:
			c.collectFunction(d)
			if kept = c.keep(d.Attributes); kept {
				p.Functions = append(p.Functions, d)
			}
		case *ast.Procedure:
			if other := c.procedures[d.Name]; other != nil {
				c.Errorf(d.Pos, "procedure %s is already declared at %s", d.Name, other.Pos)
			} else {
				c.procedures[d.Name] = d
			}
			if kept = c.keep(d.Attributes); kept {
				p.Procedures = append(p.Procedures, d)
			}
			d.Implementations, d.Frame = nil, nil
		case *ast.Axiom:
			if kept = c.keep(d.Attributes); kept {
				p.Axioms = append(p.Axioms, d)
			}
		case *ast.Implementation:
			if kept = c.keep(d.Attributes); kept {
				p.Implementations = append(p.Implementations, d)
			}
		}
		if !kept {
			c.ignored[d] = true
		}
	}
}

// keep reports whether a declaration is not {:ignore}d.
func (c *checker) keep(as ast.Attributes) bool { return !as.Has("ignore") }

func (c *checker) collectType(d *ast.TypeDecl) {
	if other := c.types[d.Name]; other != nil {
		c.Errorf(d.Pos, "type %s is already declared at %s", d.Name, other.Pos)
		return
	}
	if ast.IsBitVectorName(d.Name) {
		c.Errorf(d.Pos, "%s is the name of a bit-vector type", d.Name)
		return
	}
	if d.Name == "int" || d.Name == "bool" || d.Name == "real" {
		c.Errorf(d.Pos, "%s is the name of a basic type", d.Name)
		return
	}
	c.types[d.Name] = d
	for _, f := range d.Constructors {
		c.collectFunction(f)
	}
	if op, ok := d.Attributes.Text("builtin"); ok && op != "Seq" {
		c.Unsupportedf(d.Pos, "the type %s, which is %q of SMT-LIB", d.Name, op)
	}
	if d.Attributes.Has("datatype") {
		c.Unsupportedf(d.Pos, "datatypes by attributes (write `datatype %s { … }`)", d.Name)
	}
}

func (c *checker) collectFunction(f *ast.Function) {
	if other := c.functions[f.Name]; other != nil {
		c.Errorf(f.Pos, "function %s is already declared at %s", f.Name, other.Pos)
		return
	}
	c.functions[f.Name] = f
}

// externs finds the {:extern} declarations that stand aside because the same name is declared once more: all of them
// when one of the others is not extern, otherwise all but the first.
func (c *checker) externs() map[ast.Declaration]bool {
	type key struct {
		space byte
		name  string
	}
	first := map[key]ast.Declaration{}
	dropped := map[ast.Declaration]bool{}
	isExtern := func(d ast.Declaration) bool { return attributesOf(d).Has("extern") }
	if !slices.ContainsFunc(c.program.Declarations, isExtern) {
		return nil
	}
	for _, d := range c.program.Declarations {
		var k key
		switch d := d.(type) {
		case *ast.TypeDecl:
			k = key{'t', d.Name}
		case *ast.Variable:
			k = key{'v', d.Name}
		case *ast.Function:
			k = key{'f', d.Name}
		case *ast.Procedure:
			k = key{'p', d.Name}
		default:
			continue
		}
		other, ok := first[k]
		switch {
		case !ok:
			first[k] = d
		case isExtern(d):
			dropped[d] = true
		case isExtern(other):
			dropped[other] = true
			first[k] = d
		}
	}
	return dropped
}

func attributesOf(d ast.Declaration) ast.Attributes {
	switch d := d.(type) {
	case *ast.TypeDecl:
		return d.Attributes
	case *ast.Variable:
		return d.Attributes
	case *ast.Function:
		return d.Attributes
	case *ast.Axiom:
		return d.Attributes
	case *ast.Procedure:
		return d.Attributes
	case *ast.Implementation:
		return d.Attributes
	}
	return nil
}

// hide declares v at the current place; restore takes it back.
func (c *checker) hide(v *ast.Variable) {
	c.shadowed = append(c.shadowed, shadow{v.Name, c.variables[v.Name]})
	c.variables[v.Name] = v
}

// restore takes back the declarations that were made since there were n of them.
func (c *checker) restore(n int) {
	for i := len(c.shadowed) - 1; i >= n; i-- {
		if s := c.shadowed[i]; s.previous == nil {
			delete(c.variables, s.name)
		} else {
			c.variables[s.name] = s.previous
		}
	}
	c.shadowed = c.shadowed[:n]
}

// declare declares a list of variables that share a scope with those declared since there were n shadowed names: no
// name may be declared twice in it.
func (c *checker) declare(vs []*ast.Variable, n int) {
	for _, v := range vs {
		if v.Name == "" {
			continue
		}
		if other := c.variables[v.Name]; other != nil && slices.ContainsFunc(c.shadowed[n:], func(s shadow) bool { return s.name == v.Name }) {
			c.Errorf(v.Pos, "%s is already declared at %s", v.Name, other.Pos)
			continue
		}
		c.hide(v)
	}
}

// boundedTypes marks the uninterpreted types of which some formula may bound how many values there are.
func (c *checker) boundedTypes() {
	p := c.program
	for _, t := range p.Types {
		t.Bounded = false
	}
	visit := func(x ast.Expr) {
		if x == nil {
			return
		}
		for _, t := range ast.BoundsAnywhere(x) {
			t.Bounded = true
		}
	}
	for _, a := range p.Axioms {
		visit(a.Cond)
	}
	variables := func(vs ...[]*ast.Variable) {
		for _, v := range slices.Concat(vs...) {
			visit(v.Where)
		}
	}
	variables(p.Globals)
	for _, q := range p.Procedures {
		variables(q.In, q.Out)
		for _, s := range slices.Concat(q.Requires, q.Ensures) {
			visit(s.Cond)
		}
		for _, impl := range q.Implementations {
			variables(impl.Body.Locals)
			ast.WalkStatements(impl.Body.Stmts, func(ast.Stmt) bool { return true }, func(x ast.Expr) bool {
				visit(x)
				return false
			})
		}
	}
}
