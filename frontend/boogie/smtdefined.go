package boogie

import (
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// defineFunctions gives bodies to the functions that {:smtdefined "term"} defines by a term of SMT-LIB over the names of
// their parameters. Those whose term is not understood stay without one.
func (c *checker) defineFunctions() {
	for _, d := range c.program.Declarations {
		f, ok := d.(*ast.Function)
		if !ok || f.Body != nil || f.Builtin() != "" {
			continue
		}
		text, ok := f.Attributes.Text("smtdefined")
		if !ok {
			continue
		}
		r := &smtReader{function: f, at: f.Attributes.Find("smtdefined"), tokens: smtTokens(text)}
		if x := r.term(0); x != nil && len(r.tokens) == 0 {
			f.Body = indexed(x, f.Result.Syntax)
		}
	}
}

// indexed lets arrays with one value have the indices of the function's type, which SMT-LIB may know as integers.
func indexed(x ast.Expr, want ast.TypeSyntax) ast.Expr {
	for part := x; ; {
		l, isLambda := part.(*ast.Lambda)
		m, isMap := want.(*ast.MapSyntax)
		if !isLambda || !isMap || len(m.Params) > 0 || len(m.Domain) != 1 {
			return x
		}
		l.Bound[0].Syntax = m.Domain[0]
		part, want = l.Body, m.Range
	}
}

// smtTokens are the parentheses and the words of a term.
func smtTokens(text string) []string {
	return strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
}

// smtReader reads a term of SMT-LIB. What it does not understand is nil.
type smtReader struct {
	function *ast.Function
	at       *ast.Attribute
	tokens   []string
}

func (r *smtReader) next() string {
	if len(r.tokens) == 0 {
		return ""
	}
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	return t
}

func (r *smtReader) accept(t string) bool {
	if len(r.tokens) > 0 && r.tokens[0] == t {
		r.tokens = r.tokens[1:]
		return true
	}
	return false
}

func (r *smtReader) node() ast.Node { return ast.Node{Pos: r.at.Pos} }

// maxTerm is how deeply terms may nest.
const maxTerm = 200

// term reads a term.
func (r *smtReader) term(depth int) ast.Expr {
	t := r.next()
	switch {
	case t == "" || t == ")" || depth > maxTerm:
		return nil
	case t == "(":
		return r.application(depth + 1)
	case t == "true" || t == "false":
		return &ast.BoolLiteral{Node: r.node(), Value: t == "true"}
	case strings.Trim(t, "0123456789") == "":
		n, _ := new(big.Int).SetString(t, 10)
		return &ast.IntLiteral{Node: r.node(), Value: n}
	case strings.Trim(t, "0123456789.") == "":
		q, ok := new(big.Rat).SetString(t)
		if !ok {
			return nil
		}
		return &ast.RealLiteral{Node: r.node(), Value: q, Text: t}
	}
	name := strings.Trim(t, "|")
	for _, v := range r.function.Params {
		if v.Name == name {
			return &ast.Identifier{Node: r.node(), Name: name}
		}
	}
	return nil
}

// application reads a term from behind its parenthesis on.
func (r *smtReader) application(depth int) ast.Expr {
	if r.accept("(") {
		return r.constantArray(depth)
	}
	op := r.next()
	var args []ast.Expr
	for !r.accept(")") {
		x := r.term(depth)
		if x == nil {
			return nil
		}
		args = append(args, x)
	}
	binary, known := ast.SMTOperators[op]
	switch {
	case op == "not" && len(args) == 1:
		return &ast.Unary{Node: r.node(), Op: ast.Not, X: args[0]}
	case op == "-" && len(args) == 1:
		return &ast.Unary{Node: r.node(), Op: ast.Negate, X: args[0]}
	case op == "to_real" && len(args) == 1:
		return &ast.Unary{Node: r.node(), Op: ast.ToReal, X: args[0]}
	case op == "to_int" && len(args) == 1:
		return &ast.Unary{Node: r.node(), Op: ast.ToInt, X: args[0]}
	case op == "ite" && len(args) == 3:
		return &ast.IfThenElse{Node: r.node(), Cond: args[0], Then: args[1], Else: args[2]}
	case op == "select" && len(args) == 2:
		return &ast.Select{Node: r.node(), Map: args[0], Index: args[1:]}
	case op == "store" && len(args) == 3:
		return &ast.Store{Node: r.node(), Map: args[0], Index: args[1:2], Value: args[2]}
	case known && len(args) == 2:
		return &ast.Binary{Node: r.node(), Op: binary, X: args[0], Y: args[1]}
	case known && len(args) > 2 && (binary == ast.Add || binary == ast.Mul || binary == ast.And || binary == ast.Or):
		x := args[0]
		for _, y := range args[1:] {
			x = &ast.Binary{Node: r.node(), Op: binary, X: x, Y: y}
		}
		return x
	}
	return nil
}

// constantArray reads `as const Sort) term)`: the map that is the term everywhere.
func (r *smtReader) constantArray(depth int) ast.Expr {
	if !r.accept("as") || !r.accept("const") {
		return nil
	}
	array, ok := r.sort(depth).(*ast.MapSyntax)
	if !ok || !r.accept(")") {
		return nil
	}
	value := r.term(depth)
	if value == nil || !r.accept(")") {
		return nil
	}
	free := "index"
	for slices.ContainsFunc(r.function.Params, func(v *ast.Variable) bool { return v.Name == free }) {
		free += "'"
	}
	index := &ast.Variable{Pos: r.at.Pos, Kind: ast.Bound, Name: free, Syntax: array.Domain[0]}
	return &ast.Lambda{Node: r.node(), Bound: []*ast.Variable{index}, Body: value}
}

// sort reads a sort.
func (r *smtReader) sort(depth int) ast.TypeSyntax {
	name := func(s string) ast.TypeSyntax { return &ast.TypeName{Pos: r.at.Pos, Name: s} }
	if depth > maxTerm {
		return nil
	}
	switch r.next() {
	case "Int":
		return name("int")
	case "Bool":
		return name("bool")
	case "Real":
		return name("real")
	case "(":
		if r.accept("_") {
			if width := r.next(); width == "BitVec" {
				if n := r.next(); n != "" && strings.Trim(n, "0123456789") == "" && len(n) < 5 && r.accept(")") {
					return name("bv" + n)
				}
			}
			return nil
		}
		if r.accept("Array") {
			domain, result := r.sort(depth+1), r.sort(depth+1)
			if domain != nil && result != nil && r.accept(")") {
				return &ast.MapSyntax{Pos: r.at.Pos, Domain: []ast.TypeSyntax{domain}, Range: result}
			}
		}
	}
	return nil
}
