package z3

// #include "bridge.h"
import "C"

import (
	"strconv"

	"hornbeam/chc/term"
)

// operator decodes one of Z3's own operators over Booleans, arithmetic and arrays.
func (d *decoder) operator(s *slot, op uint32, srt *term.Sort, n int) {
	p := d.c.pool
	switch {
	case n == 0 && op == C.Z3_OP_TRUE:
		s.value = term.BoolValue(true)
		return
	case n == 0 && op == C.Z3_OP_FALSE:
		s.value = term.BoolValue(false)
		return
	}
	ts, ok := d.args(s, n)
	if !ok {
		return
	}
	switch op {
	case C.Z3_OP_AND:
		s.t = p.And(ts...)
	case C.Z3_OP_OR:
		s.t = p.Or(ts...)
	case C.Z3_OP_NOT:
		s.t = p.Not(ts[0])
	case C.Z3_OP_IMPLIES:
		// A proxy's definition, both sides being the assumption, is simplified even when that is a disjunction.
		if s.t = p.True(); ts[0] != ts[1] {
			s.t = p.Implies(ts[0], ts[1])
		}
	case C.Z3_OP_XOR:
		s.t = p.Xor(ts[0], ts[1])
	case C.Z3_OP_ITE:
		s.t = p.Ite(ts[0], ts[1], ts[2])
	case C.Z3_OP_EQ, C.Z3_OP_IFF, C.Z3_OP_OEQ:
		s.t = p.Eq(ts[0], ts[1])
	case C.Z3_OP_DISTINCT:
		s.t = p.Distinct(ts...)
	case C.Z3_OP_LE:
		s.t = p.Le(ts[0], ts[1])
	case C.Z3_OP_GE:
		s.t = p.Ge(ts[0], ts[1])
	case C.Z3_OP_LT:
		s.t = p.Lt(ts[0], ts[1])
	case C.Z3_OP_GT:
		s.t = p.Gt(ts[0], ts[1])
	case C.Z3_OP_ADD:
		s.t = p.Add(ts...)
	case C.Z3_OP_SUB:
		s.t = p.Sub(ts[0], p.Add(ts[1:]...))
	case C.Z3_OP_UMINUS:
		s.t = p.Neg(ts[0])
	case C.Z3_OP_MUL:
		s.t = ts[0]
		for _, t := range ts[1:] {
			s.t = p.Mul(s.t, t)
		}
	case C.Z3_OP_DIV:
		s.t = p.Div(ts[0], ts[1])
	case C.Z3_OP_IDIV:
		s.t = p.IntDiv(ts[0], ts[1])
	case C.Z3_OP_MOD:
		s.t = p.Mod(ts[0], ts[1])
	case C.Z3_OP_TO_REAL:
		s.t = p.ToReal(ts[0])
	case C.Z3_OP_TO_INT:
		s.t = p.ToInt(ts[0])
	case C.Z3_OP_IS_INT:
		s.t = p.IsInt(ts[0])
	case C.Z3_OP_SELECT:
		if n == 2 {
			s.t = p.Select(ts[0], ts[1])
		}
	case C.Z3_OP_STORE:
		if n == 3 {
			s.t = p.Store(ts[0], ts[1], ts[2])
		}
	case C.Z3_OP_CONST_ARRAY:
		if srt != nil {
			s.t = p.ConstArray(srt, ts[0])
		}
	}
	if s.t == nil {
		s.unsupported = "operator " + strconv.Itoa(int(op)) + " of Z3"
	}
}
