package boogie

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// maxType is how many parts a type may have when all synonyms are expanded.
const maxType = 10_000

// signatures resolves the types of everything that is declared at the top.
func (c *checker) signatures() {
	for _, d := range c.program.Declarations {
		if t, ok := d.(*ast.TypeDecl); ok && c.types[t.Name] == t {
			c.typeDeclaration(t)
		}
	}
	for _, d := range c.program.Declarations {
		switch d := d.(type) {
		case *ast.TypeDecl:
			for _, f := range d.Constructors {
				c.constructor(d, f)
			}
		case *ast.Variable:
			c.variableTypes([]*ast.Variable{d})
		case *ast.Function:
			c.functionSignature(d)
		case *ast.Procedure:
			c.signature("procedure "+d.Name, d.TypeParams, d.In, d.Out)
		case *ast.Implementation:
			c.signature("implementation "+d.Name, d.TypeParams, d.In, d.Out)
		}
	}
}

// typeDeclaration finds out what a synonym means, once.
func (c *checker) typeDeclaration(d *ast.TypeDecl) {
	if d.Synonym == nil {
		defer c.openTypes(d.Params, true)()
		return
	}
	if d.Meaning != nil {
		return
	}
	if c.expanding[d] {
		c.Errorf(d.Pos, "synonym %s is defined by itself", d.Name)
		return
	}
	c.expanding[d] = true
	outer := c.typeVariables
	c.typeVariables = nil
	c.openTypes(d.Params, true)
	d.Meaning = c.resolve(d.Synonym)
	c.typeVariables = outer
}

// openTypes brings type variables into scope; the function that it returns ends the scope. Only parameters of type
// declarations may repeat the name _.
func (c *checker) openTypes(vs []*ast.TypeVariable, declaration bool) func() {
	n := len(c.typeVariables)
	for _, v := range vs {
		switch other := c.typeVariable(v.Name); {
		case declaration && v.Name == "_":
		case other != nil:
			c.Errorf(v.Pos, "type variable %s is already declared at %s", v.Name, other.Pos)
		case c.types[v.Name] != nil && !declaration:
			c.Errorf(v.Pos, "type variable %s has the name of a type", v.Name)
		case ast.IsBitVectorName(v.Name):
			c.Errorf(v.Pos, "%s is the name of a bit-vector type", v.Name)
		}
		c.typeVariables = append(c.typeVariables, v)
	}
	return func() { c.typeVariables = c.typeVariables[:n] }
}

// typeVariable returns the type variable in scope that is called name, or nil.
func (c *checker) typeVariable(name string) *ast.TypeVariable {
	for i := len(c.typeVariables) - 1; i >= 0; i-- {
		if c.typeVariables[i].Name == name {
			return c.typeVariables[i]
		}
	}
	return nil
}

// resolve returns what a type in the source means, or nil after an error.
func (c *checker) resolve(s ast.TypeSyntax) ast.Type {
	switch s := s.(type) {
	case *ast.TypeName:
		return c.resolveName(s)
	case *ast.MapSyntax:
		defer c.openTypes(s.Params, false)()
		m := &ast.Map{Params: s.Params}
		for _, d := range s.Domain {
			t := c.resolve(d)
			if t == nil {
				return nil
			}
			m.Domain = append(m.Domain, t)
		}
		if m.Range = c.resolve(s.Range); m.Range == nil {
			return nil
		}
		c.mustOccur(s.Params, append(m.Domain[:len(m.Domain):len(m.Domain)], m.Range), "its map type")
		return m
	case *ast.RecordSyntax:
		r := &ast.Record{}
		for i, name := range s.Names {
			if r.Field(name) != nil {
				c.Errorf(s.Pos, "field %s is declared twice", name)
				return nil
			}
			t := c.resolve(s.Types[i])
			if t == nil {
				return nil
			}
			r.Fields = append(r.Fields, ast.RecordField{Name: name, Type: t})
		}
		return r
	}
	return nil
}

func (c *checker) resolveName(s *ast.TypeName) ast.Type {
	noArguments := func(t ast.Type) ast.Type {
		if len(s.Args) > 0 {
			c.Errorf(s.Pos, "type %s takes no arguments, got %d", s.Name, len(s.Args))
			return nil
		}
		return t
	}
	switch s.Name {
	case "int":
		return noArguments(ast.Int)
	case "bool":
		return noArguments(ast.Bool)
	case "real":
		return noArguments(ast.Real)
	}
	if v := c.typeVariable(s.Name); v != nil {
		return noArguments(v)
	}
	d := c.types[s.Name]
	if d == nil {
		if ast.IsBitVectorName(s.Name) {
			return noArguments(c.bitVector(s))
		}
		c.unknownType(s)
		return nil
	}
	s.Decl = d
	c.mustCount(s.Pos, d, d.Name)
	if len(s.Args) != len(d.Params) {
		c.Errorf(s.Pos, "type %s takes %s, got %d", s.Name, count(len(d.Params), "argument"), len(s.Args))
		return nil
	}
	args := make([]ast.Type, len(s.Args))
	for i, a := range s.Args {
		if args[i] = c.resolve(a); args[i] == nil {
			return nil
		}
	}
	if d.Synonym == nil {
		return &ast.Constructed{Decl: d, Args: args}
	}
	c.typeDeclaration(d)
	if d.Meaning == nil {
		return nil
	}
	t := ast.Substitute(d.Meaning, ast.Bind(nil, d.Params, args))
	if !small(t) {
		c.Errorf(s.Pos, "type %s has more than %d parts", s.Name, maxType)
		return nil
	}
	return t
}

// bitVector returns the type bvN.
func (c *checker) bitVector(s *ast.TypeName) ast.Type {
	n, err := strconv.Atoi(s.Name[len("bv"):])
	if err != nil || n > maxWidth {
		c.Unsupportedf(s.Pos, "bit-vectors of more than %d bits", maxWidth)
		return nil
	}
	return &ast.BitVector{Width: n}
}

// unknownType reports a type that is not declared. Some such names are Boogie's but not ours.
func (c *checker) unknownType(s *ast.TypeName) {
	switch {
	case c.isFloat(s.Name) || s.Name == "rmode":
		c.Unsupportedf(s.Pos, "floating-point types (%s)", s.Name)
	case s.Name == "string" || s.Name == "regex":
		c.Unsupportedf(s.Pos, "type %s", s.Name)
	default:
		c.Errorf(s.Pos, "unknown type %s", shorten(s.Name))
	}
}

// isFloat reports whether name is of the form floatSeE.
func (c *checker) isFloat(name string) bool {
	rest, ok := strings.CutPrefix(name, "float")
	significand, exponent, ok2 := strings.Cut(rest, "e")
	_, err := strconv.Atoi(significand)
	_, err2 := strconv.Atoi(exponent)
	return ok && ok2 && err == nil && err2 == nil
}

// small reports whether a type has at most maxType parts. Types share parts, so that they can be exponentially larger
// than the source.
func small(t ast.Type) bool {
	parts := 0
	return !ast.AnyType(t, func(ast.Type) bool {
		parts++
		return parts > maxType
	})
}

// occurs reports whether a type mentions v freely.
func occurs(v *ast.TypeVariable, t ast.Type) bool {
	return ast.AnyType(t, func(t ast.Type) bool { return t == ast.Type(v) })
}

func occursIn(v *ast.TypeVariable, ts []ast.Type) bool {
	return slices.ContainsFunc(ts, func(t ast.Type) bool { return occurs(v, t) })
}

// mustOccur reports the type parameters that none of the types mentions.
func (c *checker) mustOccur(params []*ast.TypeVariable, ts []ast.Type, where string) {
	for _, v := range params {
		if !occursIn(v, ts) {
			c.Errorf(v.Pos, "type variable %s does not occur in %s", v.Name, where)
		}
	}
}

// variableTypes resolves the types of variables. Those declared together share a syntax, and then a type.
func (c *checker) variableTypes(vs []*ast.Variable) {
	for i, v := range vs {
		switch {
		case i > 0 && v.Syntax == vs[i-1].Syntax:
			v.Type = vs[i-1].Type
		case v.Syntax != nil:
			v.Type = c.resolve(v.Syntax)
		}
	}
}

// typesOf lists the types of variables.
func typesOf(groups ...[]*ast.Variable) []ast.Type {
	var out []ast.Type
	for _, vs := range groups {
		for _, v := range vs {
			out = append(out, v.Type)
		}
	}
	return out
}

// wellTyped reports whether all types are known.
func wellTyped(ts []ast.Type) bool { return !slices.Contains(ts, nil) }

// signature resolves the types of the parameters of a procedure or implementation.
func (c *checker) signature(what string, params []*ast.TypeVariable, in, out []*ast.Variable) {
	defer c.openTypes(params, false)()
	c.variableTypes(in)
	c.variableTypes(out)
	if ts := typesOf(in, out); wellTyped(ts) {
		c.mustOccur(params, ts, "the parameters of "+what)
	}
}

// functionSignature resolves the types of a function's parameters and result.
func (c *checker) functionSignature(f *ast.Function) {
	c.signature("function "+f.Name, f.TypeParams, f.Params, []*ast.Variable{f.Result})
	c.distinct(f.Params)
}

// distinct reports names that occur twice among parameters.
func (c *checker) distinct(vs []*ast.Variable) {
	seen := map[string]chc.Position{}
	for _, v := range vs {
		if other, ok := seen[v.Name]; ok && v.Name != "" {
			c.Errorf(v.Pos, "%s is already declared at %s", v.Name, other)
		}
		seen[v.Name] = v.Pos
	}
}

// constructor resolves the types of the fields of a datatype's constructor.
func (c *checker) constructor(d *ast.TypeDecl, f *ast.Function) {
	defer c.openTypes(d.Params, false)()
	f.Datatype, f.TypeParams = d, d.Params
	c.variableTypes(f.Params)
	c.distinct(f.Params)
	f.Result.Type = &ast.Constructed{Decl: d, Args: ast.TypesOf(d.Params)}
	for _, v := range f.Params {
		for _, g := range d.Constructors {
			if g == f {
				break
			}
			if w := fieldOf(g, v.Name); w != nil && v.Type != nil && w.Type != nil && !ast.Equal(v.Type, w.Type) {
				c.Errorf(v.Pos, "field %s has type %s, but type %s at %s", v.Name, v.Type, w.Type, w.Pos)
			}
		}
	}
}

// fieldOf returns the field of a constructor that is called name, or nil.
func fieldOf(constructor *ast.Function, name string) *ast.Variable {
	if i := slices.IndexFunc(constructor.Params, func(v *ast.Variable) bool { return v.Name == name }); i >= 0 {
		return constructor.Params[i]
	}
	return nil
}

// count writes a number of things: "1 argument", "2 arguments", "no arguments".
func count(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
