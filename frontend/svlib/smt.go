package svlib

import (
	"fmt"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// writer writes conditions of the tree as SMT-LIB.
type writer struct {
	*Program
	// entry is the tag at which globals have the values that they have when the procedure is entered; empty where there is none.
	entry string
}

// inexpressible is the panic value that ends the writing of a condition.
type inexpressible struct{ what string }

func (w *writer) refuse(format string, args ...any) string {
	panic(inexpressible{fmt.Sprintf(format, args...)})
}

// condition writes a condition; the error says what SV-LIB has no words for.
func (w *writer) condition(e ast.Expr) (text string, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case inexpressible:
			err = fmt.Errorf("%s", p.what)
		default:
			panic(p)
		}
	}()
	return w.expression(e), nil
}

// smtNames are the names of operators in SMT-LIB, where they are others than Boogie's.
var smtNames = map[ast.BinaryOp]string{
	ast.Iff: "=", ast.Implies: "=>", ast.And: "and", ast.Or: "or", ast.Eq: "=", ast.Neq: "distinct", ast.Concat: "concat",
}

func (w *writer) apply(name string, args ...ast.Expr) string {
	parts := []string{name}
	for _, a := range args {
		parts = append(parts, w.expression(a))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (w *writer) expression(e ast.Expr) string {
	p := w.Script.Pool
	switch e := e.(type) {
	case *ast.BoolLiteral:
		return p.Bool(e.Value).String()
	case *ast.IntLiteral:
		return p.IntNum(term.NumFromBig(e.Value)).String()
	case *ast.RealLiteral:
		return p.Real(term.NumFromRat(e.Value)).String()
	case *ast.BitVectorLiteral:
		return p.BVNum(term.NumFromBig(e.Value), e.Width).String()
	case *ast.Identifier:
		return w.identifier(e)
	case *ast.Old:
		id, ok := e.X.(*ast.Identifier)
		switch {
		case !ok:
			return w.refuse("an earlier value of %s", ast.String(e.X))
		case w.entry == "":
			return fmt.Sprintf("(old %s)", w.identifier(id))
		}
		return fmt.Sprintf("(at %s %s)", w.identifier(id), w.entry)
	case *ast.Application:
		return w.application(e)
	case *ast.Unary:
		return w.apply(map[ast.UnaryOp]string{ast.Not: "not", ast.Negate: "-", ast.ToInt: "to_int", ast.ToReal: "to_real"}[e.Op], e.X)
	case *ast.Binary:
		name, ok := smtNames[e.Op]
		if !ok {
			name = e.Op.String()
		}
		// Chains of one operator are one application.
		if e.Op == ast.And || e.Op == ast.Or || e.Op == ast.Add {
			return w.apply(name, chain(e.Op, e)...)
		}
		return w.apply(name, e.X, e.Y)
	case *ast.Select:
		return w.apply("select", e.Map, e.Index[0])
	case *ast.Store:
		return w.apply("store", e.Map, e.Index[0], e.Value)
	case *ast.Extract:
		return w.apply(fmt.Sprintf("(_ extract %d %d)", e.High-1, e.Low), e.X)
	case *ast.IfThenElse:
		return w.apply("ite", e.Cond, e.Then, e.Else)
	case *ast.Quantifier:
		word := "forall"
		if e.Exists {
			word = "exists"
		}
		return fmt.Sprintf("(%s (%s) %s)", word, w.bound(e.Bound), w.expression(e.Body))
	case *ast.Let:
		var bindings []string
		for i, v := range e.Bound {
			bindings = append(bindings, fmt.Sprintf("(%s %s)", term.QuoteSymbol(v.Name), w.expression(e.Values[i])))
		}
		return fmt.Sprintf("(let (%s) %s)", strings.Join(bindings, " "), w.expression(e.Body))
	case *ast.Field:
		return w.apply(term.QuoteSymbol(e.Name), e.X)
	case *ast.Is:
		return w.apply(fmt.Sprintf("(_ is %s)", constructorName(e.Name)), e.X)
	}
	return w.refuse("the expression %s", ast.String(e))
}

// chain are the operands of an associative operator.
func chain(op ast.BinaryOp, e ast.Expr) []ast.Expr {
	if b, ok := e.(*ast.Binary); ok && b.Op == op {
		return append(chain(op, b.X), chain(op, b.Y)...)
	}
	return []ast.Expr{e}
}

func (w *writer) identifier(id *ast.Identifier) string {
	v := id.Decl
	if v == nil || v.Kind == ast.Bound {
		return term.QuoteSymbol(id.Name)
	}
	if st := w.states[v]; st != nil {
		at := st.at
		if at == nil {
			at = w.owners[v].Body
		}
		switch {
		case len(at.Tags) == 0 && st.at == nil:
			return fmt.Sprintf("(old %s)", term.QuoteSymbol(st.variable.Name))
		case len(at.Tags) == 0:
			return w.refuse("the value of %s at a statement without a tag", st.variable.Name)
		}
		return fmt.Sprintf("(at %s %s)", term.QuoteSymbol(st.variable.Name), tagOf(at))
	}
	if _, known := w.symbols[v]; !known && w.variables[v] == nil {
		return w.refuse("the variable %s, which the script does not have", v.Name)
	}
	return term.QuoteSymbol(v.Name)
}

func (w *writer) application(e *ast.Application) string {
	name := term.QuoteSymbol(constructorName(e.Name))
	_, instance, ofInstance := strings.Cut(e.Name, instanceMark)
	switch {
	case e.Function != nil && e.Function.Builtin() != "":
		name = e.Function.Builtin()
	case len(e.Args) == 0 && ofInstance:
		return fmt.Sprintf("(as %s %s)", name, instance)
	case len(e.Args) == 0:
		return name
	}
	return w.apply(name, e.Args...)
}

// constructorName is the name of a constructor in the script: an instance of a datatype with parameters has names of its own.
func constructorName(name string) string {
	name, _, _ = strings.Cut(name, instanceMark)
	return name
}

func (w *writer) bound(vs []*ast.Variable) string {
	var out []string
	for _, v := range vs {
		out = append(out, fmt.Sprintf("(%s %s)", term.QuoteSymbol(v.Name), w.sort(v.Type)))
	}
	return strings.Join(out, " ")
}

// sort writes a type as a sort.
func (w *writer) sort(t ast.Type) string {
	switch t := t.(type) {
	case ast.Basic:
		return map[ast.Basic]string{ast.Bool: "Bool", ast.Int: "Int", ast.Real: "Real"}[t]
	case *ast.BitVector:
		return fmt.Sprintf("(_ BitVec %d)", t.Width)
	case *ast.Map:
		return fmt.Sprintf("(Array %s %s)", w.sort(t.Domain[0]), w.sort(t.Rest()))
	case *ast.Constructed:
		if s := w.sorts[t.Decl.Name]; s != nil {
			return s.String()
		}
	}
	return w.refuse("the type %s", t)
}
