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
	rows = d.disjuncts(rows, r.conclusions[len(r.conclusions)-1])
	if slices.ContainsFunc(rows, func(r farkasRow) bool { return r.lit == nil }) || !weigh(rows, n.Params.Nums) {
		return
	}
	n.Params.Nums = make([]term.Num, len(rows))
	n.Params.Lits = make([]*term.Term, len(rows))
	for i, row := range rows {
		n.Params.Nums[i], n.Params.Lits[i] = row.coef, row.lit
	}
}

// weigh gives the rows Z3's coefficients and reports whether their sum is contradictory then. An "assign-bounds" lemma
// lacks one coefficient, without a word on which: it is the one that makes the sum's variables vanish.
func weigh(rows []farkasRow, nums []term.Num) bool {
	set := func(row *farkasRow, x term.Num) {
		row.coef = x.Mul(row.scale)
		if row.constraint.Rel != term.EQ {
			row.coef = row.coef.Abs()
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
			rows[missing].coef = term.Num{}
			for i := range rows {
				if i < missing {
					set(&rows[i], nums[i])
				} else if i > missing {
					set(&rows[i], nums[i-1])
				}
			}
			first := rows[missing].constraint.Monomials[0]
			rows[missing].coef = sum(rows).Coef(first.Term).Neg().Div(first.Coef)
			if (rows[missing].coef.Sign() >= 0 || rows[missing].constraint.Rel == term.EQ) && contradictory(rows) {
				return true
			}
		}
	}
	return false
}

// sum is the weighted sum of the rows.
func sum(rows []farkasRow) term.Linear {
	var l term.Linear
	for _, r := range rows {
		l = l.Add(r.constraint.Scale(r.coef))
	}
	return l
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
	t := d.termOf(d.slotAt(i))
	op, args := d.operation(i)
	if t == nil || op == none {
		return d.c.ownRow(t, negated)
	}
	for op == C.Z3_OP_NOT {
		if op, args = d.operation(args[0]); op == none {
			return d.c.ownRow(t, negated)
		}
	}
	switch op {
	case C.Z3_OP_LE, C.Z3_OP_LT, C.Z3_OP_GE, C.Z3_OP_GT, C.Z3_OP_EQ:
	default:
		return farkasRow{}
	}
	row := d.c.ownRow(t, negated)
	if row.lit == nil {
		return row
	}
	p := d.c.pool
	raw := p.Linear(d.termOf(&d.slots[args[0]])).Sub(p.Linear(d.termOf(&d.slots[args[1]])))
	first := row.constraint.Monomials[0]
	row.scale = raw.Coef(first.Term).Div(first.Coef)
	return row
}

// ownRow is the row of a literal, or of its negation, that Z3 has as it is.
func (c *solverContext) ownRow(t *term.Term, negated bool) farkasRow {
	if t == nil {
		return farkasRow{}
	}
	if negated {
		t = c.pool.Not(t)
	}
	k, ok := c.pool.AsConstraint(t)
	if !ok || k.IsConst() {
		return farkasRow{}
	}
	return farkasRow{lit: t, constraint: k, scale: term.NewInt(1)}
}

// disjuncts appends the rows of the negated disjuncts of a lemma's conclusion: none for false.
func (d *decoder) disjuncts(rows []farkasRow, i uint32) []farkasRow {
	t := d.termOf(d.slotAt(i))
	if t == nil || t.IsFalse() {
		return rows
	}
	switch op, args := d.operation(i); {
	case op == C.Z3_OP_OR:
		for _, a := range args {
			rows = append(rows, d.row(a, true))
		}
	case op == none:
		for _, a := range term.Disjuncts(t) {
			rows = append(rows, d.c.ownRow(a, true))
		}
	default:
		rows = append(rows, d.row(i, true))
	}
	return rows
}

// operation returns the operator of Z3 and the arguments' slots of a slot, none for other nodes.
func (d *decoder) operation(i uint32) (op uint32, args []uint32) {
	if i == none {
		return none, nil
	}
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
	equalities, strict := true, false
	for _, r := range rows {
		equalities = equalities && r.constraint.Rel == term.EQ
		strict = strict || r.constraint.Rel == term.LT && r.coef.Sign() > 0
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
