package cells

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// read returns the value of an array term at an index whose own arrays are gone already: through stores by comparing
// indices, down to cells of the clause's array variables.
func (d *draft) read(array, index *term.Term) *term.Term {
	p := d.pool
	switch array.Op() {
	case term.Store:
		base, at := array.Arg(0), d.scalar(array.Arg(1))
		stored, below := d.value(array.Arg(2)), d.read(base, index)
		if d.own[base] && below.Sort().IsArray() {
			// Where the indices are equal, the row that is changed is the one at the index, too.
			stored = p.Substitute(stored, map[*term.Term]*term.Term{d.cell(cell{base, at}): below})
		}
		return p.Ite(p.Eq(at, index), stored, below)
	case term.ConstArray:
		return d.value(array.Arg(0))
	case term.Ite:
		return p.Ite(d.scalar(array.Arg(0)), d.read(array.Arg(1), index), d.read(array.Arg(2), index))
	case term.Var:
		if d.own[array] {
			return d.cell(cell{array, index})
		}
	case term.Select:
		// An element that is an array is left to the next round.
		return p.Select(d.read(array.Arg(0), d.scalar(array.Arg(1))), index)
	}
	return p.Select(d.scalar(array), index)
}

// value returns an element without the clause's arrays: an element that is an array only loses them below its selects.
func (d *draft) value(t *term.Term) *term.Term { return d.scalar(t) }

// cell returns the variable for the value of an array variable at an index.
func (d *draft) cell(c cell) *term.Term {
	v := d.cells[c]
	if v == nil {
		v = d.pool.Fresh("v", c.array.Sort().Elem)
		d.cells[c] = v
		d.order = append(d.order, c)
	}
	return v
}

// scalar replaces, in a term, the selects of arrays by cells and the equalities of arrays by their literals. An array
// that is left, as an argument of a constructor or a function, keeps its variables, which thereby escape.
func (d *draft) scalar(t *term.Term) *term.Term {
	if len(t.Args()) == 0 {
		if d.own[t] {
			d.escaped[t] = true
		}
		return t
	}
	if r, ok := d.scalars[t]; ok {
		return r
	}
	var r *term.Term
	switch {
	case t.IsQuantifier():
		r = t
	case t.Op() == term.Select:
		r = d.read(t.Arg(0), d.scalar(t.Arg(1)))
	case isArrayEquality(t):
		r = d.equality(t)
	default:
		r = d.pool.MapArgs(t, d.scalar)
	}
	d.scalars[t] = r
	return r
}

// equality returns what becomes of an equality of arrays: where it is positive, that they agree at the index terms, where
// it is negative, at the witness.
func (d *draft) equality(t *term.Term) *term.Term {
	i, ok := d.nested[t]
	if !ok { // within an argument of an atom
		for _, x := range term.Vars(t) {
			d.escaped[x] = d.escaped[x] || d.own[x]
		}
		return t
	}
	switch e := d.equalities[i]; {
	case e.rows:
		return d.congruentRows(e)
	case e.literal != nil:
		return e.literal
	case e.positive:
		return d.agree(e)
	default:
		return d.agreeAtWitness(e)
	}
}

// congruentRows says that rows have the same values where their cells have the same index.
func (d *draft) congruentRows(e arrayEquality) *term.Term {
	var equal []*term.Term
	for _, b := range d.order {
		for _, c := range d.order {
			if b.array == e.left && c.array == e.right {
				equal = append(equal, d.pool.Implies(d.pool.Eq(b.index, c.index), d.pool.Eq(d.cells[b], d.cells[c])))
			}
		}
	}
	return d.pool.And(equal...)
}

// defines reports whether an equality only says what an array is that no atom of the body has. Nothing else is known of that array, so
// its values are needed where the head has them and where it is read.
func (d *draft) defines(e arrayEquality) bool {
	if e.negative {
		return false
	}
	return slices.ContainsFunc([]*term.Term{e.left, e.right}, func(x *term.Term) bool {
		return d.own[x] && !slices.ContainsFunc(d.clause.Body, func(a chc.App) bool {
			return slices.ContainsFunc(a.Args, func(t *term.Term) bool { return slices.Contains(term.Vars(t), x) })
		})
	})
}

func (d *draft) agree(e arrayEquality) *term.Term {
	var equal []*term.Term
	for _, i := range d.indices[d.same.Find(e.left)] {
		equal = append(equal, d.pool.Eq(d.read(e.left, i), d.read(e.right, i)))
	}
	return d.pool.And(equal...)
}

func (d *draft) agreeAtWitness(e arrayEquality) *term.Term {
	return d.pool.Eq(d.read(e.left, e.witness), d.read(e.right, e.witness))
}

// constraint returns the abstracted clause's constraint. Everything that reads cells must have been built before.
func (d *draft) constraint() *term.Term {
	p := d.pool
	var out, last []*term.Term
	for _, c := range d.conjuncts {
		if d.aboutRows(c) {
			last = append(last, c) // these are about the cells that the others read
			continue
		}
		out = append(out, d.scalar(c))
	}
	for _, c := range last {
		out = append(out, d.scalar(c))
	}
	for _, e := range d.equalities {
		if e.literal != nil {
			out = append(out, p.Implies(e.literal, d.agree(e)), p.Or(e.literal, p.Not(d.agreeAtWitness(e))))
		}
	}
	for _, ks := range d.ghosts {
		if len(ks) == 2 {
			out = append(out, p.Le(ks[0], ks[1]))
		}
	}
	return p.And(append(out, d.congruences()...)...)
}

// aboutRows reports whether one of abstraction.rows is in a conjunct.
func (d *draft) aboutRows(t *term.Term) bool {
	if len(d.abstraction.rows) == 0 {
		return false
	}
	found := false
	term.Walk(t, func(t *term.Term) bool {
		found = found || d.abstraction.rows[t]
		return t.IsBool() && !found
	})
	return found
}

// congruences returns the equalities of an array's cells at equal indices, and those of escaped arrays with their selects.
func (d *draft) congruences() []*term.Term {
	p := d.pool
	type pair struct{ i, j *term.Term }
	equal := map[pair][]*term.Term{}
	var order []pair
	for n, c := range d.order {
		for _, b := range d.order[:n] {
			if b.array != c.array {
				continue
			}
			k := pair{b.index, c.index}
			if _, ok := equal[pair{c.index, b.index}]; ok {
				k = pair{c.index, b.index}
			}
			if equal[k] == nil {
				order = append(order, k)
			}
			same := p.Eq(d.cells[b], d.cells[c])
			if isArrayEquality(same) {
				d.abstraction.congruent[same] = true
			}
			equal[k] = append(equal[k], same)
		}
	}
	var out []*term.Term
	for _, k := range order {
		out = append(out, p.Implies(p.Eq(k.i, k.j), p.And(equal[k]...)))
	}
	for _, c := range d.order {
		if d.escaped[c.array] {
			out = append(out, p.Eq(d.cells[c], p.Select(c.array, c.index)))
		}
	}
	return out
}
