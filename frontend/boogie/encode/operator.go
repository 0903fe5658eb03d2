package encode

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

func (e *encoder) unary(s *state, x *ast.Unary, sc *scope) *term.Term {
	t := e.value(s, x.X, sc)
	switch x.Op {
	case ast.Not:
		return e.pool.Not(t)
	case ast.Negate:
		return e.pool.Neg(t)
	case ast.ToInt:
		return e.pool.ToInt(t)
	default:
		return e.pool.ToReal(t)
	}
}

func (e *encoder) binary(s *state, x *ast.Binary, sc *scope) *term.Term {
	p := e.pool
	a, b := e.value(s, x.X, sc), e.value(s, x.Y, sc)
	if x.Op == ast.Eq || x.Op == ast.Neq {
		left, right := ast.Substitute(x.X.TypeOf(), sc.types), ast.Substitute(x.Y.TypeOf(), sc.types)
		if !ast.Equal(left, right) {
			t := e.differ(sc, x.Pos, left, right)
			if x.Op == ast.Neq {
				t = p.Not(t)
			}
			return t
		}
	}
	switch x.Op {
	case ast.RealDiv:
		if a.Sort() == term.Int {
			a = p.ToReal(a)
		}
		if b.Sort() == term.Int {
			b = p.ToReal(b)
		}
	case ast.Power:
		return e.arbitrary(sc, x.Pos, "the operator **", a.Sort())
	case ast.PartialOrder:
		return e.arbitrary(sc, x.Pos, "the partial order <:", term.Bool)
	}
	return e.operation(x.Op, a, b)
}

// Operator is the term of an operator that is one of the solver's, on operands of fitting sorts; it is nil for others.
func Operator(p *term.Pool, op ast.BinaryOp, a, b *term.Term) *term.Term {
	switch op {
	case ast.Iff, ast.Eq:
		return p.Eq(a, b)
	case ast.Neq:
		return p.Ne(a, b)
	case ast.Implies:
		return p.Implies(a, b)
	case ast.Explies:
		return p.Implies(b, a)
	case ast.And:
		return p.And(a, b)
	case ast.Or:
		return p.Or(a, b)
	case ast.Less:
		return p.Lt(a, b)
	case ast.Greater:
		return p.Gt(a, b)
	case ast.LessEq:
		return p.Le(a, b)
	case ast.GreaterEq:
		return p.Ge(a, b)
	case ast.Add:
		return p.Add(a, b)
	case ast.Sub:
		return p.Sub(a, b)
	case ast.Mul:
		return p.Mul(a, b)
	}
	return nil
}

// operation applies an operator other than ** and <: to operands of one sort, bit-vectors' widths aside.
func (e *encoder) operation(op ast.BinaryOp, a, b *term.Term) *term.Term {
	p := e.pool
	if t := Operator(p, op, a, b); t != nil {
		return t
	}
	switch op {
	case ast.Concat:
		switch {
		case !a.Sort().IsBitVec():
			return b
		case !b.Sort().IsBitVec():
			return a
		}
		return p.BV(term.BVConcat, a, b)
	case ast.Div:
		return e.divide(p.IntDiv, byZeroDiv, a, b)
	case ast.Mod:
		return e.divide(p.Mod, byZeroMod, a, b)
	case ast.RealDiv:
		return e.divide(p.Div, byZeroReal, a, b)
	}
	panic("an operator of an unknown kind")
}

// arbitrary is a value of which nothing is known.
func (e *encoder) arbitrary(sc *scope, pos chc.Position, what string, sort *term.Sort) *term.Term {
	e.approximate(pos, "the value of %s is taken to be arbitrary", what)
	return e.unknown(sc, "any", sort)
}

// divide is a quotient or remainder: by zero it is some function of the dividend.
func (e *encoder) divide(by func(a, b *term.Term) *term.Term, zero *ast.Function, a, b *term.Term) *term.Term {
	p := e.pool
	atZero := func() *term.Term { return p.Select(e.symbols.function(zero), a) }
	nought := p.Numeral(term.NewInt(0), b.Sort())
	if b.IsNumeral() {
		if b == nought {
			return atZero()
		}
		return by(a, b)
	}
	return p.Ite(p.Eq(b, nought), atZero(), by(a, b))
}

// The functions that division by zero stands for.
var (
	byZeroDiv  = byZero("div by zero", ast.Int)
	byZeroMod  = byZero("mod by zero", ast.Int)
	byZeroReal = byZero("division by zero", ast.Real)
)

func byZero(name string, t ast.Type) *ast.Function {
	return &ast.Function{Name: name, Params: []*ast.Variable{{Kind: ast.In, Type: t}}, Result: &ast.Variable{Kind: ast.Out, Type: t}}
}

// bvOperators are the operators on bit-vectors without indices, by their names in SMT-LIB.
var bvOperators = func() map[string]term.Op {
	m := map[string]term.Op{}
	for op := term.BVNot; op <= term.BVConcat; op++ {
		m[op.String()] = op
	}
	return m
}()

// builtin applies an operator of SMT-LIB with indices to arguments; nil when it is not known or takes other arguments.
func (e *encoder) builtin(name string, indices []int, args []*term.Term) *term.Term {
	p := e.pool
	if op, ok := bvOperators[name]; ok && len(indices) == 0 && bitVectors(args) {
		if (op == term.BVNot || op == term.BVNeg) != (len(args) == 1) {
			return nil
		}
		return p.BV(op, args...)
	}
	if len(indices) == 1 && len(args) == 1 && bitVectors(args) {
		switch name {
		case "sign_extend":
			return p.SignExtend(indices[0], args[0])
		case "zero_extend":
			return p.ZeroExtend(indices[0], args[0])
		case "rotate_left":
			return p.RotateLeft(indices[0], args[0])
		case "rotate_right":
			return p.RotateRight(indices[0], args[0])
		case "repeat":
			return p.Repeat(indices[0], args[0])
		}
	}
	if len(indices) == 2 && len(args) == 1 && name == "extract" && bitVectors(args) {
		return p.Extract(indices[0], indices[1], args[0])
	}
	if len(args) == 1 {
		a := args[0]
		switch {
		case (name == "bv2nat" || name == "bv2int" || name == "ubv_to_int") && bitVectors(args):
			return p.BVToNat(a)
		case (name == "int2bv" || name == "int_to_bv") && len(indices) == 1 && a.Sort() == term.Int:
			return p.NatToBV(indices[0], a)
		case name == "not" && a.Sort() == term.Bool:
			return p.Not(a)
		case name == "-" && numbers(args):
			return p.Neg(a)
		case name == "abs" && a.Sort() == term.Int:
			return p.Abs(a)
		case name == "to_real" && a.Sort() == term.Int:
			return p.ToReal(a)
		case name == "to_int" && a.Sort() == term.Real:
			return p.ToInt(a)
		}
		return nil
	}
	if len(indices) > 0 {
		return nil
	}
	if name == "ite" && len(args) == 3 && args[0].Sort() == term.Bool && args[1].Sort() == args[2].Sort() {
		return p.Ite(args[0], args[1], args[2])
	}
	if len(args) == 2 {
		return e.builtinBinary(name, args[0], args[1])
	}
	return nil
}

func (e *encoder) builtinBinary(name string, a, b *term.Term) *term.Term {
	if a.Sort() != b.Sort() {
		return nil
	}
	p := e.pool
	switch {
	case name == "rem" && a.Sort() == term.Int:
		m := e.divide(p.Mod, byZeroMod, a, b)
		return p.Ite(p.Ge(b, p.Int(0)), m, p.Neg(m))
	case name == "xor" && a.Sort() == term.Bool:
		return p.Xor(a, b)
	}
	if op, ok := ast.SMTOperators[name]; ok && op.Takes(basicType(a.Sort())) {
		return e.operation(op, a, b)
	}
	return nil
}

// basicType is the basic type of a sort's values; nil for other sorts.
func basicType(s *term.Sort) ast.Type {
	switch s {
	case term.Bool:
		return ast.Bool
	case term.Int:
		return ast.Int
	case term.Real:
		return ast.Real
	}
	return nil
}

func bitVectors(args []*term.Term) bool { return all(args, term.BitVecKind) }

func numbers(args []*term.Term) bool { return all(args, term.IntKind) || all(args, term.RealKind) }

func all(args []*term.Term, kind term.SortKind) bool {
	for _, a := range args {
		if a.Sort().Kind != kind {
			return false
		}
	}
	return len(args) > 0
}
