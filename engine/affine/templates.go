package affine

import (
	"slices"

	"hornbeam/chc/term"
)

// template is a sum of arguments that is bounded by thresholds from below and above, as far as is known.
type template struct {
	sum        *term.Term
	thresholds []term.Num // increasing
	// low and high are indices of thresholds; -1 and their number where there is no bound.
	low, high int
	// divided says whether remainders are looked at: then all values are rest and multiples of step more or less, the only
	// one where step is 0 (Granger, "Static Analysis of Arithmetical Congruences", 1989).
	divided    bool
	step, rest term.Num
}

// meet narrows a template that nothing is known of to a value.
func (t *template) meet(v term.Num) {
	at, found := slices.BinarySearchFunc(t.thresholds, v, term.Num.Cmp)
	t.low, t.high = at-1, at
	if found {
		t.low = at
	}
	t.rest = v
}

// add weakens the bounds so that they allow a value; it reports whether they did not.
func (t *template) add(v term.Num) bool {
	low, high := t.low, t.high
	for t.low >= 0 && v.Cmp(t.thresholds[t.low]) < 0 {
		t.low--
	}
	for t.high < len(t.thresholds) && v.Cmp(t.thresholds[t.high]) > 0 {
		t.high++
	}
	if !t.divided {
		return low != t.low || high != t.high
	}
	step := t.step
	t.step = term.GCD(t.step, v.Sub(t.rest))
	return low != t.low || high != t.high || !t.step.Equal(step)
}

// facts are the bounds, and the remainder where that says something, with what gives them up. That there is only one value is a fact, too,
// though an equation says so as well: where that is given up, the remainder by a step would be a new fact, which nobody has proved.
func (t *template) facts(pool *term.Pool) []fact {
	var out []fact
	if t.low >= 0 {
		out = append(out, fact{pool.Ge(t.sum, pool.Numeral(t.thresholds[t.low], t.sum.Sort())), func() { t.low = -1 }})
	}
	if t.high < len(t.thresholds) {
		out = append(out, fact{pool.Le(t.sum, pool.Numeral(t.thresholds[t.high], t.sum.Sort())), func() { t.high = len(t.thresholds) }})
	}
	if t.divided && !t.step.IsOne() {
		out = append(out, fact{pool.Divides(t.step, pool.Sub(t.sum, pool.IntNum(t.rest))), func() { t.step = term.NewInt(1) }})
	}
	return out
}

// thresholds are the numbers of the clauses, by sort, most at the most of each, those that occur first, and each integer with its neighbours.
func thresholds(pool *term.Pool, found []*term.Term, most int) map[*term.Sort][]term.Num {
	out := map[*term.Sort][]term.Num{}
	for _, s := range []*term.Sort{term.Int, term.Real} {
		known := map[*term.Term]bool{}
		emit := func(n term.Num) {
			if t := pool.Numeral(n, s); !known[t] && len(out[s]) < most {
				known[t] = true
				out[s] = append(out[s], n)
			}
		}
		emit(term.Num{})
		for _, t := range found {
			if t.Sort() != s {
				continue
			}
			emit(t.Num())
			if s == term.Int {
				emit(t.Num().Sub(term.NewInt(1)))
				emit(t.Num().Add(term.NewInt(1)))
			}
		}
		slices.SortFunc(out[s], term.Num.Cmp)
	}
	return out
}

// templatesFor are the numbers among the parameters, each compared with the thresholds of its sort, and differences of two,
// with the remainders of integers where they are divided.
func templatesFor(pool *term.Pool, params []*term.Term, known known) []*template {
	var out []*template
	differences := 0
	near := []term.Num{term.NewInt(-1), {}, term.NewInt(1)}
	for i, x := range params {
		if !x.Sort().IsArith() {
			continue
		}
		out = append(out, &template{sum: x, thresholds: known.thresholds[x.Sort()], divided: known.divided && x.Sort() == term.Int})
		for _, y := range params[:i] {
			if y.Sort() == x.Sort() && differences < known.options.differences {
				differences++
				out = append(out, &template{sum: pool.Sub(y, x), thresholds: near, divided: known.divided && x.Sort() == term.Int})
			}
		}
	}
	return out
}
