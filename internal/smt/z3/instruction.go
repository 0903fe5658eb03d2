package z3

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
)

// coding is how an operator becomes an instruction: its opcode, and for bit-vector operators which one it is. The
// arguments' nodes follow.
type coding struct{ op, which uint32 }

const none = ^uint32(0)

// codings has the operators that need nothing but their arguments and indices; HB_VAR, the zero opcode, marks the others.
var codings = [256]coding{
	term.True: {C.HB_TRUE, none}, term.False: {C.HB_FALSE, none}, term.Not: {C.HB_NOT, none},
	term.And: {C.HB_AND, none}, term.Or: {C.HB_OR, none}, term.Ite: {C.HB_ITE, none}, term.Eq: {C.HB_EQ, none},
	term.Le: {C.HB_LE, none}, term.Lt: {C.HB_LT, none}, term.Divides: {C.HB_DIVIDES, none},
	term.Add: {C.HB_ADD, none}, term.Mul: {C.HB_MUL, none}, term.RealDiv: {C.HB_REAL_DIV, none},
	term.IntDiv: {C.HB_INT_DIV, none}, term.Mod: {C.HB_MOD, none}, term.Abs: {C.HB_ABS, none},
	term.ToReal: {C.HB_TO_REAL, none}, term.ToInt: {C.HB_TO_INT, none}, term.IsInt: {C.HB_IS_INT, none},
	term.Select: {C.HB_SELECT, none}, term.Store: {C.HB_STORE, none}, term.Forall: {C.HB_FORALL, none},
	term.Exists: {C.HB_EXISTS, none},
	term.BVNot:  {C.HB_BV, C.HB_BVNOT}, term.BVNeg: {C.HB_BV, C.HB_BVNEG}, term.BVAnd: {C.HB_BV, C.HB_BVAND},
	term.BVOr: {C.HB_BV, C.HB_BVOR}, term.BVXor: {C.HB_BV, C.HB_BVXOR}, term.BVAdd: {C.HB_BV, C.HB_BVADD},
	term.BVSub: {C.HB_BV, C.HB_BVSUB}, term.BVMul: {C.HB_BV, C.HB_BVMUL}, term.BVUdiv: {C.HB_BV, C.HB_BVUDIV},
	term.BVUrem: {C.HB_BV, C.HB_BVUREM}, term.BVSdiv: {C.HB_BV, C.HB_BVSDIV}, term.BVSrem: {C.HB_BV, C.HB_BVSREM},
	term.BVSmod: {C.HB_BV, C.HB_BVSMOD}, term.BVShl: {C.HB_BV, C.HB_BVSHL}, term.BVLshr: {C.HB_BV, C.HB_BVLSHR},
	term.BVAshr: {C.HB_BV, C.HB_BVASHR}, term.BVConcat: {C.HB_BV, C.HB_CONCAT}, term.BVUle: {C.HB_BV, C.HB_BVULE},
	term.BVSle: {C.HB_BV, C.HB_BVSLE}, term.BVComp: {C.HB_BV, C.HB_BVCOMP}, term.BVToNat: {C.HB_BV, C.HB_BV2NAT},
	term.BVExtract: {C.HB_BV_INDEXED, C.HB_EXTRACT}, term.BVZeroExtend: {C.HB_BV_INDEXED, C.HB_ZERO_EXTEND},
	term.BVSignExtend: {C.HB_BV_INDEXED, C.HB_SIGN_EXTEND}, term.BVRotateLeft: {C.HB_BV_INDEXED, C.HB_ROTATE_LEFT},
	term.BVRotateRight: {C.HB_BV_INDEXED, C.HB_ROTATE_RIGHT}, term.BVRepeat: {C.HB_BV_INDEXED, C.HB_REPEAT},
	term.NatToBV: {C.HB_BV_INDEXED, C.HB_NAT2BV},
}

// instruction adds the instruction for t, whose children have nodes, to the program and returns its node.
func (c *solverContext) instruction(t *term.Term) (uint32, error) {
	switch code := codings[t.Op()]; code.op {
	case C.HB_VAR:
	case C.HB_FORALL, C.HB_EXISTS:
		if !c.bindable(t) {
			return 0, errors.New("z3: a quantifier over a variable inside a very deep term")
		}
		if patterns := c.patterns[t]; len(patterns) > 0 && code.op == C.HB_FORALL {
			return c.withPatterns(t, patterns), nil
		}
		return c.emitTerm(code.op, t), nil
	case C.HB_BV:
		return c.emitTerm(code.op, t, code.which), nil
	case C.HB_BV_INDEXED:
		var at [2]uint32
		for i, x := range t.Indices() {
			at[i] = uint32(x)
		}
		return c.emitTerm(code.op, t, code.which, at[0], at[1]), nil
	default:
		return c.emitTerm(code.op, t), nil
	}
	switch t.Op() {
	case term.Var:
		return c.constant(t.Sort(), variable{term: t})
	case term.Element:
		return c.element(t)
	case term.Numeral, term.BVNumeral:
		return c.numeral(t.Num(), t.Sort())
	case term.ConstArray:
		s, err := c.sort(t.Sort().Index)
		if err != nil {
			return 0, err
		}
		return c.emitTerm(C.HB_CONST_ARRAY, t, s), nil
	case term.Construct, term.Is, term.Field, term.Apply:
		f, err := c.functionOf(t)
		if err != nil {
			return 0, err
		}
		return c.emitTerm(C.HB_APPLY, t, f), nil
	}
	return 0, fmt.Errorf("z3: the operator %v is not supported", t.Op())
}

// emitTerm adds an instruction whose arguments are the nodes of t's children.
func (c *solverContext) emitTerm(op uint32, t *term.Term, immediates ...uint32) uint32 {
	bound, args := t.Bound(), t.Args()
	c.code = append(c.code, op|uint32(len(bound)+len(args))<<8)
	c.code = append(c.code, immediates...)
	first := len(c.code)
	for _, a := range bound {
		n, _ := c.lookup(a)
		c.code = append(c.code, n)
	}
	for _, a := range args {
		n, _ := c.lookup(a)
		c.code = append(c.code, n)
	}
	return c.finish(c.code[first:])
}

// withPatterns adds the instructions for a universal quantifier with patterns, whose terms have nodes.
func (c *solverContext) withPatterns(t *term.Term, patterns [][]*term.Term) uint32 {
	var args []uint32
	node := func(u *term.Term) uint32 {
		n, _ := c.lookup(u)
		return n
	}
	for _, v := range t.Bound() {
		args = append(args, node(v))
	}
	args = append(args, node(t.Arg(0)))
	for _, p := range patterns {
		nodes := make([]uint32, len(p))
		for i, u := range p {
			nodes[i] = node(u)
		}
		args = append(args, c.emit(C.HB_PATTERN, nil, nodes...))
	}
	return c.emit(C.HB_FORALL_PATTERNS, []uint32{uint32(len(patterns))}, args...)
}

// constant adds a fresh constant of Z3 that stands for v.
func (c *solverContext) constant(s *term.Sort, v variable) (uint32, error) {
	i, err := c.sort(s)
	if err != nil {
		return 0, err
	}
	c.vars = append(c.vars, v)
	return c.emit(C.HB_VAR, []uint32{i}), nil
}

// element adds the constant of an element and the fact that its number is its own: elements of a sort differ because a
// function gives them different numbers.
func (c *solverContext) element(t *term.Term) (uint32, error) {
	n, err := c.constant(t.Sort(), variable{term: t})
	if err != nil {
		return 0, err
	}
	f, err := c.function(c.pool.DeclareFunc("number!"+t.Sort().Name, []*term.Sort{t.Sort()}, term.Int))
	if err != nil {
		return 0, err
	}
	value, err := c.numeral(t.Num(), term.Int)
	if err != nil {
		return 0, err
	}
	c.terms[value] = c.pool.IntNum(t.Num())
	number := c.emit(C.HB_APPLY, []uint32{f}, n)
	c.facts = append(c.facts, c.emit(C.HB_EQ, nil, number, value))
	return n, nil
}

func (c *solverContext) numeral(x term.Num, s *term.Sort) (uint32, error) {
	i, err := c.sort(s)
	if err != nil {
		return 0, err
	}
	if v, ok := x.Int64(); ok {
		return c.emit(C.HB_INT64, []uint32{i, uint32(v), uint32(uint64(v) >> 32)}), nil
	}
	at := uint32(len(c.text))
	c.text = append(append(c.text, x.String()...), 0)
	return c.emit(C.HB_NUMERAL, []uint32{i, at}), nil
}

// functionOf returns the index of the function at the root of t.
func (c *solverContext) functionOf(t *term.Term) (uint32, error) {
	if f := t.Func(); f != nil {
		return c.function(f)
	}
	ctor := t.Ctor()
	if t.Op() == term.Field {
		ctor = t.Sel().Ctor
	}
	if _, err := c.sort(ctor.Data.Sort); err != nil {
		return 0, err
	}
	f := c.ctors[ctor]
	switch t.Op() {
	case term.Is:
		f++
	case term.Field:
		f += 2 + uint32(t.Sel().Index)
	}
	return f, nil
}
