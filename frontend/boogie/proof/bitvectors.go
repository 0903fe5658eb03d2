package proof

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// bits writes a term whose values are bit-vectors.
func (x *expresser) bits(t *term.Term) ast.Expr {
	width := t.Sort().Width
	typ := x.ofSort(t.Sort())
	first := func() ast.Expr { return x.expression(t.Arg(0), nil) }
	switch t.Op() {
	case term.BVNumeral:
		return &ast.BitVectorLiteral{Node: ast.Node{Type: typ}, Value: t.Num().BigInt(), Width: width}
	case term.BVConcat:
		e := first()
		for _, a := range t.Args()[1:] {
			e = binary(ast.Concat, e, x.expression(a, nil))
		}
		return e
	case term.BVExtract:
		return &ast.Extract{X: first(), High: t.Indices()[0] + 1, Low: t.Indices()[1]}
	case term.BVZeroExtend:
		return binary(ast.Concat, &ast.BitVectorLiteral{Value: new(big.Int), Width: t.Indices()[0]}, first())
	case term.BVRepeat:
		e := first()
		for range t.Indices()[0] - 1 {
			e = binary(ast.Concat, e, first())
		}
		return e
	case term.BVComp:
		return &ast.IfThenElse{Cond: binary(ast.Eq, first(), x.expression(t.Arg(1), nil)), Then: bit(1), Else: bit(0)}
	case term.BVSignExtend, term.BVRotateLeft, term.BVRotateRight:
		return x.operator(fmt.Sprintf("(_ %s %d)", t.Op(), t.Indices()[0]), typ, t.Arg(0))
	case term.NatToBV:
		return x.operator(fmt.Sprintf("(_ int2bv %d)", width), typ, t.Arg(0))
	case term.BVNot, term.BVNeg:
		return x.operator(t.Op().String(), typ, t.Arg(0))
	}
	if term.BVNot < t.Op() && t.Op() < term.BVConcat {
		e := x.operator(t.Op().String(), typ, t.Arg(0), t.Arg(1))
		for _, a := range t.Args()[2:] {
			f := e.(*ast.Application)
			e = &ast.Application{Name: f.Name, Function: f.Function, Args: []ast.Expr{e, x.expression(a, nil)}}
		}
		return e
	}
	fail("%s", what(t))
	return nil
}

func bit(n int64) ast.Expr { return &ast.BitVectorLiteral{Value: big.NewInt(n), Width: 1} }

// bitComparison writes a comparison of bit-vectors, or its negation.
func (x *expresser) bitComparison(t *term.Term, negated bool) ast.Expr {
	if !negated {
		return x.operator(t.Op().String(), ast.Bool, t.Arg(0), t.Arg(1))
	}
	op := map[term.Op]term.Op{term.BVUle: term.BVUlt, term.BVSle: term.BVSlt}[t.Op()]
	return x.operator(op.String(), ast.Bool, t.Arg(1), t.Arg(0))
}

// operator applies an operator of SMT-LIB, which the language has as a function only: one that the program declares, or
// a new one.
func (x *expresser) operator(op string, result ast.Type, args ...*term.Term) ast.Expr {
	types := make([]ast.Type, len(args))
	a := &ast.Application{}
	for i, t := range args {
		types[i] = x.ofSort(t.Sort())
		a.Args = append(a.Args, x.expression(t, nil))
	}
	key := operatorKey(op, result, types)
	f := x.operators[key]
	if f == nil {
		f = x.newOperator(op, result, types)
		x.operators[key] = f
		x.added = append(x.added, f)
	}
	a.Name, a.Function = f.Name, f
	return a
}

func operatorKey(op string, result ast.Type, types []ast.Type) string {
	key := strings.Join(strings.Fields(strings.NewReplacer("(", " ", ")", " ", "_ ", " ").Replace(" "+op)), " ") + " " + result.String()
	for _, t := range types {
		key += " " + t.String()
	}
	return key
}

// declareOperator notes a function of the program that stands for an operator.
func (x *Expressions) declareOperator(f *ast.Function) {
	op, ok := f.Attributes.Text("bvbuiltin")
	if !ok || f.Attributes.Has("indices") || len(f.TypeParams) > 0 {
		return
	}
	var types []ast.Type
	for _, p := range f.Params {
		types = append(types, p.Type)
	}
	key := operatorKey(op, f.Result.Type, types)
	if x.operators[key] == nil {
		x.operators[key] = f
	}
}

// newOperator is the declaration of a function for an operator.
func (x *Expressions) newOperator(op string, result ast.Type, types []ast.Type) *ast.Function {
	name := strings.Join(strings.Fields(strings.NewReplacer("(", "", ")", "", "_ ", "").Replace(op)), "_")
	if b, ok := types[0].(*ast.BitVector); ok {
		name += "_" + strconv.Itoa(b.Width)
	}
	for x.taken[name] {
		name += "'"
	}
	x.taken[name] = true
	f := &ast.Function{
		Name: name, Attributes: ast.Attributes{{Name: "bvbuiltin", Args: []ast.Expr{&ast.StringLiteral{Text: op}}}},
		Result: &ast.Variable{Kind: ast.Out, Type: result},
	}
	for i, t := range types {
		f.Params = append(f.Params, &ast.Variable{Kind: ast.In, Name: []string{"x", "y", "z"}[i], Type: t})
	}
	return f
}
