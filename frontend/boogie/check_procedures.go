package boogie

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

const (
	inAxiom    = "an axiom"
	inFunction = "the body of a function"
	// The attributes of a function matter where it is applied.
	inFunctionHead = "the attributes of a function"
)

// bodies checks all formulas and bodies.
func (c *checker) bodies() {
	c.implementationsOf()
	for _, d := range c.program.Declarations {
		if c.ignored[d] {
			continue
		}
		switch d := d.(type) {
		case *ast.TypeDecl:
			c.declarationAttributes(d.Attributes)
			for _, f := range d.Constructors {
				c.declarationAttributes(f.Attributes)
			}
		case *ast.Variable:
			c.globalVariable(d)
		case *ast.Function:
			c.functionBody(d)
		case *ast.Axiom:
			c.declarationAttributes(d.Attributes)
			c.scope = scope{noGlobals: inAxiom}
			c.formula(d.Cond, "the axiom")
			c.scope = scope{}
		case *ast.Procedure:
			c.procedure(d)
		case *ast.Implementation:
			c.implementation(d)
		}
	}
	c.definitions()
}

func (c *checker) globalVariable(v *ast.Variable) {
	c.declarationAttributes(v.Attributes)
	if v.Where != nil {
		c.formula(v.Where, "the where clause")
	}
	for _, p := range v.Parents {
		c.expr(p.Constant)
		switch parent := p.Constant.Decl; {
		case parent == nil:
		case parent.Kind != ast.Constant:
			c.Errorf(p.Constant.Pos, "%s is not a constant", p.Constant.Name)
		case parent == v:
			c.Errorf(p.Constant.Pos, "constant %s extends itself", v.Name)
		case parent.Type != nil && v.Type != nil && !ast.Equal(parent.Type, v.Type):
			c.Errorf(p.Constant.Pos, "%s has type %s, but %s has type %s", parent.Name, parent.Type, v.Name, v.Type)
		}
	}
}

func (c *checker) functionBody(f *ast.Function) {
	define := f.Attributes.Has("define")
	if define && f.Attributes.Has("inline") {
		c.Errorf(f.Pos, "function %s cannot be both {:inline} and {:define}", f.Name)
	}
	if define && len(f.TypeParams) > 0 {
		c.Errorf(f.Pos, "function %s has type parameters and cannot be {:define}", f.Name)
	}
	closeTypes := c.openTypesAgain(f.TypeParams)
	n := len(c.shadowed)
	for _, v := range f.Params {
		if v.Name != "" {
			c.hide(v)
		}
	}
	c.scope.noGlobals = inFunctionHead
	c.declarationAttributes(f.Attributes)
	c.scope.noGlobals = ""
	if f.Attributes.Has("constructor") {
		c.Unsupportedf(f.Pos, "datatypes by attributes (write `datatype … { %s(…) }`)", f.Name)
	}
	for _, v := range f.Params {
		c.declarationAttributes(v.Attributes)
	}
	c.declarationAttributes(f.Result.Attributes)
	if f.Body != nil {
		c.scope = scope{noGlobals: inFunction}
		if f.Attributes.Has("smtdefined") {
			if errors := len(c.Errors); !c.understood(f) {
				c.Errors = c.Errors[:errors]
				f.Body = nil
			}
		} else if err := c.tolerating(func() { c.result(f) }); err != nil {
			f.Body = nil
			c.program.Approximated = append(c.program.Approximated, ast.Approximation{Pos: err.Pos,
				What: err.Msg + "; function " + f.Name + " is taken for one without a body"})
		}
		c.scope = scope{}
	}
	c.restore(n)
	closeTypes()
}

// understood checks the body that a function has by {:smtdefined}, and reports whether it has the function's type.
func (c *checker) understood(f *ast.Function) bool {
	errors := len(c.Errors)
	c.result(f)
	if len(c.Errors) == errors {
		return true
	}
	c.approximated(f.Pos, "what the function "+f.Name+" is by {:smtdefined} is not understood")
	return false
}

// result checks the body of a function.
func (c *checker) result(f *ast.Function) {
	if t := c.expr(f.Body); f.Result.Type != nil && !c.infer.unify(f.Result.Type, t) {
		c.mismatchf(f.Body.At(), "the body of function %s should have type %s, but has type %s", f.Name, f.Result.Type, c.show(t))
	}
	c.infer.finish()
}

// openTypesAgain brings type variables into scope that have been checked before.
func (c *checker) openTypesAgain(vs []*ast.TypeVariable) func() {
	n := len(c.typeVariables)
	c.typeVariables = append(c.typeVariables, vs...)
	return func() { c.typeVariables = c.typeVariables[:n] }
}

// definitions reports functions that are defined by themselves, which {:define} does not allow.
func (c *checker) definitions() {
	state := map[*ast.Function]int{} // 1 while a function is being visited, 2 afterwards
	var visit func(f *ast.Function)
	visit = func(f *ast.Function) {
		state[f] = 1
		ast.Walk(f.Body, func(x ast.Expr) bool {
			a, ok := x.(*ast.Application)
			if !ok || a.Function == nil || a.Function.Body == nil || !a.Function.Attributes.Has("define") {
				return true
			}
			switch state[a.Function] {
			case 0:
				visit(a.Function)
			case 1:
				c.Errorf(a.Pos, "{:define} function %s is defined by itself", a.Function.Name)
			}
			return true
		})
		state[f] = 2
	}
	for _, f := range c.program.Functions {
		if f.Body != nil && f.Attributes.Has("define") && state[f] == 0 {
			visit(f)
		}
	}
}

// implementationsOf matches bodies with procedures.
func (c *checker) implementationsOf() {
	for _, d := range c.program.Procedures {
		if d.Body == nil || !verified(d.Attributes) {
			continue
		}
		d.Implementations = append(d.Implementations, &ast.Implementation{Pos: d.Pos, Attributes: d.Attributes, Name: d.Name,
			TypeParams: d.TypeParams, In: d.In, Out: d.Out, Body: d.Body, Procedure: d, TypeArguments: ast.TypesOf(d.TypeParams)})
	}
	for _, d := range c.program.Implementations {
		if d.Procedure = c.procedures[d.Name]; d.Procedure == nil {
			c.Errorf(d.Pos, "there is no procedure %s to implement", shorten(d.Name))
			continue
		}
		c.mustCount(d.Pos, d.Procedure, d.Name)
		if c.matches(d) && verified(d.Attributes) && verified(d.Procedure.Attributes) {
			d.Procedure.Implementations = append(d.Procedure.Implementations, d)
		}
	}
}

// verified reports whether a body counts: with {:verify false} calls do what the contract says, as if there were none.
func verified(as ast.Attributes) bool { return as.Find("verify") == nil || as.Has("verify") }

// matches checks that an implementation has the procedure's parameters, up to names and the order of type parameters.
func (c *checker) matches(d *ast.Implementation) bool {
	p := d.Procedure
	defer c.infer.finish()
	for _, n := range []struct {
		got, want int
		what      string
	}{
		{len(d.TypeParams), len(p.TypeParams), "type parameter"},
		{len(d.In), len(p.In), "parameter"},
		{len(d.Out), len(p.Out), "result"},
	} {
		if n.got != n.want {
			c.Errorf(d.Pos, "procedure %s at %s has %s, but this implementation has %d", p.Name, p.Pos, count(n.want, n.what), n.got)
			return false
		}
	}
	d.TypeArguments = c.infer.fresh(p.TypeParams)
	m := ast.Bind(nil, p.TypeParams, d.TypeArguments)
	for i, v := range slices.Concat(d.In, d.Out) {
		w := slices.Concat(p.In, p.Out)[i]
		if v.Type == nil || w.Type == nil {
			return false
		}
		if !c.infer.unify(ast.Substitute(w.Type, m), v.Type) {
			c.Errorf(v.Pos, "%s has type %s, but type %s at %s", v.Name, v.Type, w.Type, w.Pos)
			return false
		}
	}
	// Different parameters stand for different ones: there are equally many, and all of them occur.
	for i, t := range d.TypeArguments {
		t = c.infer.walk(t)
		d.TypeArguments[i] = t
		if v, ok := t.(*ast.TypeVariable); !ok || !slices.Contains(d.TypeParams, v) {
			c.Errorf(d.Pos, "the type parameters of this implementation do not match those of procedure %s at %s", p.Name, p.Pos)
			return false
		}
	}
	return true
}

// procedure checks a procedure's contract, and its body when it has one.
func (c *checker) procedure(d *ast.Procedure) {
	c.scope = scope{procedure: d, pure: d.Pure}
	c.modifies(d)
	closeTypes := c.openTypesAgain(d.TypeParams)
	n := len(c.shadowed)
	c.declare(d.In, n)
	c.wheres(d.In)
	c.specifications(d.Requires, "the precondition")
	c.declare(d.Out, n)
	c.wheres(d.Out)
	c.scope.old = true
	c.specifications(d.Ensures, "the postcondition")
	c.declarationAttributes(d.Attributes)
	for _, v := range slices.Concat(d.In, d.Out) {
		c.declarationAttributes(v.Attributes)
	}
	if d.Body != nil {
		c.body(d.Body, n)
	}
	c.restore(n)
	closeTypes()
	c.scope = scope{}
}

func (c *checker) specifications(specs []*ast.Specification, what string) {
	for _, s := range specs {
		c.statementAttributes(s.Attributes)
		c.formula(s.Cond, what)
	}
}

func (c *checker) implementation(d *ast.Implementation) {
	if d.Procedure == nil {
		return
	}
	c.scope = scope{old: true, procedure: d.Procedure, pure: d.Procedure.Pure}
	closeTypes := c.openTypesAgain(d.TypeParams)
	n := len(c.shadowed)
	c.declare(d.In, n)
	c.declare(d.Out, n)
	c.declarationAttributes(d.Attributes)
	for _, v := range slices.Concat(d.In, d.Out) {
		c.declarationAttributes(v.Attributes)
	}
	c.body(d.Body, n)
	c.restore(n)
	closeTypes()
	c.scope = scope{}
}
