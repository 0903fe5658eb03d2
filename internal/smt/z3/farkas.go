package z3

// #include "bridge.h"
import "C"

import (
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// farkas gives a Farkas lemma its rows. It leaves the lemma alone unless their sum is contradictory.
func (r *proofReader) farkas(d *decoder, n *smt.Node) {
	rows := make([]smt.FarkasRow, 0, len(n.Params.Nums)+1)
	add := func(slot uint32, negated bool) bool {
		lit := d.termOf(d.slotAt(slot))
		if lit == nil {
			return false
		}
		if negated {
			lit = d.c.pool.Not(lit)
		}
		c, ok := d.constraint(slot, negated)
		rows = append(rows, smt.FarkasRow{Literal: lit, Constraint: c})
		return ok
	}
	for _, p := range n.Premises {
		if !add(r.conclusions[p.Index], false) {
			return
		}
	}
	for _, slot := range d.disjuncts(r.conclusions[len(r.conclusions)-1]) {
		if !add(slot, true) {
			return
		}
	}
	if weigh(rows, n.Params.Nums) {
		n.Params.Rows = rows
	}
}

// disjuncts returns the slots of the disjuncts of a lemma's conclusion: none for false.
func (d *decoder) disjuncts(slot uint32) []uint32 {
	if t := d.termOf(d.slotAt(slot)); t == nil || t.IsFalse() {
		return nil
	}
	if op, args := d.operation(slot); op == C.Z3_OP_OR {
		return args
	}
	return []uint32{slot}
}

// constraint returns the constraint that a slot's literal, or its negation, stands for, just as Z3 has it: its
// coefficients belong to that.
func (d *decoder) constraint(slot uint32, negated bool) (term.Constraint, bool) {
	p := d.c.pool
	op, args := d.operation(slot)
	if op == none {
		// One of our own terms, which Z3 has as it is.
		lit := d.termOf(d.slotAt(slot))
		if lit == nil {
			return term.Constraint{}, false
		}
		if negated {
			lit = p.Not(lit)
		}
		return p.AsConstraint(lit)
	}
	if op == C.Z3_OP_NOT {
		return d.constraint(args[0], !negated)
	}
	if len(args) != 2 {
		return term.Constraint{}, false
	}
	left, right := d.termOf(&d.slots[args[0]]), d.termOf(&d.slots[args[1]])
	if left == nil || right == nil || !left.Sort().IsArith() {
		return term.Constraint{}, false
	}
	c := term.Constraint{Linear: p.Linear(left).Sub(p.Linear(right)), Sort: left.Sort()}
	switch op {
	case C.Z3_OP_EQ:
		c.Rel = term.EQ
		return c, !negated
	case C.Z3_OP_LE:
		c.Rel = term.LE
	case C.Z3_OP_LT:
		c.Rel = term.LT
	case C.Z3_OP_GE:
		c.Linear, c.Rel = c.Scale(term.NewInt(-1)), term.LE
	case C.Z3_OP_GT:
		c.Linear, c.Rel = c.Scale(term.NewInt(-1)), term.LT
	default:
		return term.Constraint{}, false
	}
	if negated {
		c.Linear = c.Scale(term.NewInt(-1))
		c.Rel = term.LE + term.LT - c.Rel
	}
	if c.Sort == term.Int && c.Rel == term.LT {
		c.Const, c.Rel = c.Const.Add(term.NewInt(1)), term.LE
	}
	return c, true
}

// operation returns the operator of Z3 and the arguments' slots of a slot, none for other nodes.
func (d *decoder) operation(slot uint32) (op uint32, args []uint32) {
	if slot == none {
		return none, nil
	}
	at := d.slots[slot].at
	head := d.words[at]
	if head&0xff != C.HB_X_OP {
		return none, nil
	}
	return d.words[at+1], d.words[at+3 : at+3+head>>8]
}

// weigh gives the rows Z3's coefficients and reports whether their sum is contradictory then. An "assign-bounds" lemma
// lacks one coefficient, without a word on which: it is the one that makes the sum's variables vanish.
func weigh(rows []smt.FarkasRow, nums []term.Num) bool {
	set := func(row *smt.FarkasRow, x term.Num) {
		if row.Coef = x; row.Constraint.Rel != term.EQ {
			row.Coef = x.Abs()
		}
	}
	switch len(rows) {
	case len(nums):
		for i := range rows {
			set(&rows[i], nums[i])
		}
		return orient(rows)
	case len(nums) + 1:
		for missing := range rows {
			rows[missing].Coef = term.Num{}
			for i := range rows {
				if i < missing {
					set(&rows[i], nums[i])
				} else if i > missing {
					set(&rows[i], nums[i-1])
				}
			}
			if rows[missing].Constraint.IsConst() {
				continue
			}
			first := rows[missing].Constraint.Monomials[0]
			rows[missing].Coef = sum(rows).Coef(first.Term).Neg().Div(first.Coef)
			if (rows[missing].Coef.Sign() >= 0 || rows[missing].Constraint.Rel == term.EQ) && contradictory(rows) {
				return true
			}
		}
	}
	return false
}

// sum is the weighted sum of the rows.
func sum(rows []smt.FarkasRow) term.Linear {
	var l term.Linear
	for _, r := range rows {
		l = l.Add(r.Constraint.Scale(r.Coef))
	}
	return l
}

// orient chooses the signs of the coefficients of equalities, of which Z3 promises nothing, so that the rows' sum is
// contradictory. It reports whether it could: it tries the signs as they are, their opposites, and for few equalities all.
func orient(rows []smt.FarkasRow) bool {
	if contradictory(rows) {
		return true
	}
	var equalities []int
	for i, r := range rows {
		if r.Constraint.Rel == term.EQ {
			equalities = append(equalities, i)
		}
	}
	if len(equalities) == 0 {
		return false
	}
	flip := func(i int) { rows[i].Coef = rows[i].Coef.Neg() }
	for _, i := range equalities {
		flip(i)
	}
	if contradictory(rows) {
		return true
	}
	const most = 8
	if len(equalities) > most {
		return false
	}
	// Gray code: each step flips one sign.
	for g := 1; g < 1<<len(equalities); g++ {
		for b, i := range equalities {
			if g>>b&1 == 1 {
				flip(i)
				break
			}
		}
		if contradictory(rows) {
			return true
		}
	}
	return false
}

// contradictory reports whether the weighted sum of the rows has no variable and is false.
func contradictory(rows []smt.FarkasRow) bool {
	equalities, strict := true, false
	for _, r := range rows {
		equalities = equalities && r.Constraint.Rel == term.EQ
		strict = strict || r.Constraint.Rel == term.LT && r.Coef.Sign() > 0
	}
	switch l := sum(rows); {
	case !l.IsConst():
		return false
	case equalities:
		return !l.Const.IsZero()
	case strict:
		return l.Const.Sign() >= 0
	default:
		return l.Const.Sign() > 0
	}
}
