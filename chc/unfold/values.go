package unfold

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// valueSets finds the numbers that indices may be, whatever a formula's variables are: those of loops that are written out, and of
// counters that wrap around at the end of a buffer, are choices between a few constants.
type valueSets struct {
	pool *term.Pool
	done map[*term.Term][]*term.Term
}

// of returns constants among which the value of a number or bit-vector is, at most maxValues; nil when more are possible, or it is not
// known of the term's operation.
func (v *valueSets) of(t *term.Term) []*term.Term {
	if known, ok := v.done[t]; ok {
		return known
	}
	v.done[t] = nil
	var out []*term.Term
	switch {
	case isNumber(t):
		out = []*term.Term{t}
	case t.Op() == term.Ite:
		if a, b := v.of(t.Arg(1)), v.of(t.Arg(2)); a != nil && b != nil {
			out = distinct(slices.Concat(a, b))
		}
	case len(t.Args()) > 0 && (t.Sort() == term.Int || t.Sort().IsBitVec()):
		if out = v.results(t); out == nil {
			out = v.below(t)
		}
	}
	if len(out) > maxValues {
		out = nil
	}
	v.done[t] = out
	return out
}

// results are the values of an operation whose operands have few.
func (v *valueSets) results(t *term.Term) []*term.Term {
	choices := []map[*term.Term]*term.Term{{}}
	for _, a := range t.Args() {
		if a.Sort() != term.Int && !a.Sort().IsBitVec() {
			return nil
		}
		values := v.of(a)
		if values == nil || choices[0][a] == nil && len(choices)*len(values) > maxValueChoices {
			return nil
		}
		if choices[0][a] != nil {
			continue // the operation has it twice
		}
		var next []map[*term.Term]*term.Term
		for _, c := range choices {
			for _, value := range values {
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
			return nil
		}
		out = append(out, value)
	}
	return distinct(out)
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
