package z3

// #include "bridge.h"
import "C"

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// farkas gives a Farkas lemma its literals and multiplies Z3's coefficients, which belong to the atoms as Z3 has them, so
// that they belong to the pool's normalised constraints. It leaves the lemma alone unless the sum is contradictory.
func (r *proofReader) farkas(d *decoder, n *smt.Node) {
	var rows []farkasRow
	for _, p := range n.Premises {
		rows = append(rows, d.row(r.conclusions[p.Index], false))
	}
	for _, i := range d.disjuncts(r.conclusions[len(r.conclusions)-1]) {
		rows = append(rows, d.row(i, true))
	}
	if len(rows) != len(n.Params.Nums) || slices.ContainsFunc(rows, func(r farkasRow) bool { return r.lit == nil }) {
		return
	}
	for i := range rows {
		row := &rows[i]
		row.coef = n.Params.Nums[i].Mul(row.scale)
		if row.constraint.Rel != term.EQ {
			row.coef = row.coef.Abs()
		}
	}
	if !orient(rows) {
		return
	}
	n.Params.Nums = make([]term.Num, len(rows))
	n.Params.Lits = make([]*term.Term, len(rows))
	for i, row := range rows {
		n.Params.Nums[i], n.Params.Lits[i] = row.coef, row.lit
	}
}

// farkasRow is a literal of a Farkas lemma.
type farkasRow struct {
	lit        *term.Term
	constraint term.Constraint
	// scale times the constraint's linear form is the form of Z3's atom.
	scale term.Num
	coef  term.Num
}

// row reads the literal of a slot, or its negation; its lit is nil when that is no linear constraint.
func (d *decoder) row(i uint32, negated bool) farkasRow {
	lit := d.termOf(d.slotAt(i))
	if lit == nil {
		return farkasRow{}
	}
	p := d.c.pool
	if negated {
		lit = p.Not(lit)
	}
	c, ok := p.AsConstraint(lit)
	if !ok || c.IsConst() {
		return farkasRow{}
	}
	op, args := d.operation(i)
	for op == C.Z3_OP_NOT {
		op, args = d.operation(args[0])
	}
	switch op {
	case C.Z3_OP_LE, C.Z3_OP_LT, C.Z3_OP_GE, C.Z3_OP_GT, C.Z3_OP_EQ:
	default:
		return farkasRow{}
	}
	raw := p.Linear(d.termOf(&d.slots[args[0]])).Sub(p.Linear(d.termOf(&d.slots[args[1]])))
	first := c.Monomials[0]
	return farkasRow{lit: lit, constraint: c, scale: raw.Coef(first.Term).Div(first.Coef)}
}

// disjuncts returns the slots of the disjuncts of a lemma's conclusion: none for false.
func (d *decoder) disjuncts(i uint32) []uint32 {
	if t := d.termOf(d.slotAt(i)); t == nil || t.IsFalse() {
		return nil
	}
	if op, args := d.operation(i); op == C.Z3_OP_OR {
		return args
	}
	return []uint32{i}
}

// operation returns the operator of Z3 and the arguments' slots of a slot, none for other nodes.
func (d *decoder) operation(i uint32) (op uint32, args []uint32) {
	at := d.slots[i].at
	head := d.words[at]
	if head&0xff != C.HB_X_OP {
		return none, nil
	}
	return d.words[at+1], d.words[at+3 : at+3+head>>8]
}

// orient chooses the signs of the coefficients of equalities, of which Z3 promises nothing, so that the rows' sum is
// contradictory. It reports whether it could: it tries the signs as they are, their opposites, and for few equalities all.
func orient(rows []farkasRow) bool {
	var equalities []int
	for i, r := range rows {
		if r.constraint.Rel == term.EQ {
			equalities = append(equalities, i)
		}
	}
	if contradictory(rows) {
		return true
	}
	flip := func(i int) { rows[i].coef = rows[i].coef.Neg() }
	for _, i := range equalities {
		flip(i)
	}
	if len(equalities) > 0 && contradictory(rows) {
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
func contradictory(rows []farkasRow) bool {
	var sum term.Linear
	equalities, strict := true, false
	for _, r := range rows {
		sum = sum.Add(r.constraint.Linear.Scale(r.coef))
		equalities = equalities && r.constraint.Rel == term.EQ
		strict = strict || r.constraint.Rel == term.LT && r.coef.Sign() > 0
	}
	switch {
	case !sum.IsConst():
		return false
	case equalities:
		return !sum.Const.IsZero()
	case strict:
		return sum.Const.Sign() >= 0
	}
	return sum.Const.Sign() > 0
}
