package simplify

import (
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// eliminateBooleans removes Boolean variables of the constraint that no atom has: F becomes F[true] or F[false], where F
// are the conjuncts with the variable. Where it is a literal of disjunctions only, as in the block and edge variables of
// large-block encodings, that is no larger than F; elsewhere it is done when the result is no larger. It reports whether
// it removed any.
func (d *Draft) eliminateBooleans() bool {
	roles := d.roles()
	eliminated := false
	for _, b := range term.Vars(d.Constraint) {
		if b.IsBool() && roles[b] == local {
			eliminated = d.eliminateBoolean(b) || eliminated
		}
	}
	return eliminated
}

func (d *Draft) eliminateBoolean(b *term.Term) bool {
	pool := d.pool
	var with, without []*term.Term
	for _, c := range term.Conjuncts(d.Constraint) {
		if term.Contains(c, b) {
			with = append(with, c)
		} else {
			without = append(without, c)
		}
	}
	if len(with) == 0 {
		return false // an earlier elimination removed it
	}
	f := pool.And(with...)
	size := f.Size()
	if size > maxBoolean || f.HasQuantifier() {
		return false
	}
	whenTrue := pool.Substitute(f, map[*term.Term]*term.Term{b: pool.True()})
	whenFalse := pool.Substitute(f, map[*term.Term]*term.Term{b: pool.False()})
	g := pool.Or(whenTrue, whenFalse)
	if g.Size() > size {
		return false
	}
	d.Constraint = pool.And(append(without, Conjuncts(pool, g)...)...)
	d.Define = append(d.Define, transform.Definition{Variable: b, Value: whenTrue})
	return true
}
