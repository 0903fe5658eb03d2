package unfold

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// valueSet are constants among which a value is; an open one has other values too.
type valueSet struct {
	values []*term.Term
	open   bool
}

// anything is the set of a value of which nothing is known.
var anything = valueSet{open: true}

// valueSets finds the numbers that indices may be, whatever a formula's variables are: those of loops that are written out, and of
// counters that wrap around at the end of a buffer, are choices between a few constants. A pointer in a list is one of the addresses that
// were given out, or what was in memory before, so that its set is open.
type valueSets struct {
	pool *term.Pool
	done map[*term.Term]valueSet
	// equalities has what equals answered of a term and a number.
	equalities map[[2]*term.Term]*term.Term
}

func newValueSets(p *term.Pool) *valueSets {
	return &valueSets{pool: p, done: map[*term.Term]valueSet{}, equalities: map[[2]*term.Term]*term.Term{}}
}

// of returns the set of a number or bit-vector, with at most maxValues constants; anything where there are more.
func (v *valueSets) of(t *term.Term) valueSet {
	if known, ok := v.done[t]; ok {
		return known
	}
	out := anything
	switch {
	case isNumber(t):
		out = valueSet{values: []*term.Term{t}}
	case t.Op() == term.Ite:
		a, b := v.of(t.Arg(1)), v.of(t.Arg(2))
		out = valueSet{values: distinct(slices.Concat(a.values, b.values)), open: a.open || b.open}
	case len(t.Args()) > 0 && (t.Sort() == term.Int || t.Sort().IsBitVec()):
		if out = v.results(t); out.open {
			if below := v.below(t); below != nil {
				out = valueSet{values: below}
			}
		}
	}
	if len(out.values) > maxValues {
		out = anything
	}
	v.done[t] = out
	return out
}

// equal returns a formula for when two terms are equal, by the values that one of them has if the other one is a number; else equation,
// which says so too.
func (v *valueSets) equal(a, b, equation *term.Term) *term.Term {
	switch {
	case isNumber(b):
		return v.equals(a, b)
	case isNumber(a):
		return v.equals(b, a)
	}
	return equation
}

// isOffset reports whether a term is the sum of a number and another term.
func isOffset(t *term.Term) bool {
	return t.Op() == term.BVAdd && len(t.Args()) == 2 && isNumber(t.Arg(0))
}

// equals returns a formula for when a term equals a number: the conditions under which its choices lead there, so that no solver has to
// compare numbers to learn which address a pointer has.
func (v *valueSets) equals(t, number *term.Term) *term.Term {
	key := [2]*term.Term{t, number}
	if known, ok := v.equalities[key]; ok {
		return known
	}
	var out *term.Term
	switch of := v.of(t); {
	case !of.open && !slices.Contains(of.values, number):
		out = v.pool.False()
	case len(of.values) > 0 && t.Op() == term.Ite:
		out = v.pool.Ite(t.Arg(0), v.equals(t.Arg(1), number), v.equals(t.Arg(2), number))
	case len(of.values) > 0 && isOffset(t):
		out = v.equals(t.Arg(1), v.pool.BV(term.BVSub, number, t.Arg(0)))
	default:
		out = v.pool.Eq(t, number)
	}
	v.equalities[key] = out
	return out
}

// results are the values of an operation, which are as few as those of its operands.
func (v *valueSets) results(t *term.Term) valueSet {
	choices, open := []map[*term.Term]*term.Term{{}}, false
	for _, a := range t.Args() {
		if a.Sort() != term.Int && !a.Sort().IsBitVec() {
			return anything
		}
		of := v.of(a)
		if len(of.values) == 0 || choices[0][a] == nil && len(choices)*len(of.values) > maxValueChoices {
			return anything
		}
		open = open || of.open
		if choices[0][a] != nil {
			continue // the operation has it twice
		}
		var next []map[*term.Term]*term.Term
		for _, c := range choices {
			for _, value := range of.values {
				further := maps.Clone(c)
				further[a] = value
				next = append(next, further)
			}
		}
		choices = next
	}
	var out []*term.Term
	for _, c := range choices {
		value := v.pool.MapArgs(t, func(a *term.Term) *term.Term { return c[a] })
		if !isNumber(value) {
			return anything
		}
		out = append(out, value)
	}
	return valueSet{values: distinct(out), open: open}
}

// below are the values of a remainder by a small number, or of the lowest bits, of anything.
func (v *valueSets) below(t *term.Term) []*term.Term {
	if !t.Sort().IsBitVec() || len(t.Args()) != 2 {
		return nil
	}
	var most term.Num
	switch divisor := t.Arg(1); {
	case t.Op() == term.BVUrem && isNumber(divisor):
		most = divisor.Num().Sub(term.NewInt(1))
	case t.Op() == term.BVAnd && isNumber(t.Arg(0)):
		most = t.Arg(0).Num()
	case t.Op() == term.BVAnd && isNumber(divisor):
		most = divisor.Num()
	default:
		return nil
	}
	if most.Sign() < 0 || most.Cmp(term.NewInt(maxValues)) >= 0 {
		return nil
	}
	var out []*term.Term
	for n := term.NewInt(0); n.Cmp(most) <= 0; n = n.Add(term.NewInt(1)) {
		out = append(out, v.pool.BVNum(n, t.Sort().Width))
	}
	return out
}

// distinct returns terms without repetitions, in their order.
func distinct(ts []*term.Term) []*term.Term {
	seen := map[*term.Term]bool{}
	out := ts[:0]
	for _, t := range ts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// isNumber reports whether a term is an integer's or a bit-vector's numeral.
func isNumber(t *term.Term) bool { return t.IsValue() && (t.Sort() == term.Int || t.Sort().IsBitVec()) }
