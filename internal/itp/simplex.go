package itp

import (
	"fmt"
	"math/big"

	"hornbeam/chc/term"
)

// aside is a free variable's row at the time when it was removed from the tableau: its value follows from the others'.
type aside struct {
	variable int
	rhs      term.Num
	entries  []Entry
}

// tableau is the state of the simplex method. Variables are the program's, then one slack per row.
type tableau struct {
	rows []vector
	// basic holds the basic variable of each row, columns the non-basic variable of each column (vector position k is
	// column k-first).
	basic   []int
	columns []int
	cost    vector
	carried *vector // the objective of the next phase, kept in step
	fixed   []bool  // slacks of equalities: they must be 0 and never enter the basis
	asides  []aside
	limit   Limit
	pivots  int
	work    int
	// stalled counts the steps since the objective last moved.
	stalled int
	bland   bool
}

func newTableau(lp *LP, limit Limit) *tableau {
	n := len(lp.cost)
	t := &tableau{limit: limit, columns: make([]int, n), fixed: make([]bool, n+len(lp.rows))}
	for i := range n {
		t.columns[i] = i
	}
	for i, r := range lp.rows {
		t.rows = append(t.rows, integerRow(r.entries, r.bound, n, r.sense == AtLeast))
		t.basic = append(t.basic, n+i)
		t.fixed[n+i] = r.sense == Equal
	}
	costs := make([]Entry, 0, n)
	for i, c := range lp.cost {
		if !c.IsZero() {
			costs = append(costs, Entry{i, c})
		}
	}
	t.cost = integerRow(costs, term.Num{}, n, true)
	return t
}

// setAside pivots every free variable into the basis and takes its row out of the tableau, where it can bind nothing.
func (t *tableau) setAside(free []bool) error {
	for f, isFree := range free {
		if !isFree {
			continue
		}
		k := t.position(f)
		row, fewest := -1, 0
		for i := range t.rows {
			if t.rows[i].sign(k) == 0 {
				continue
			}
			n := 2 * t.rows[i].nonzeros()
			if !t.fixed[t.basic[i]] {
				n++
			}
			if !t.rows[i].isUnit(k) {
				n += t.rows[i].len()
			}
			if row < 0 || n < fewest {
				row, fewest = i, n
			}
		}
		if row < 0 {
			// Nothing binds it: with a cost it makes the program unbounded (when feasible), else it is 0. A column of
			// its own that may grow either way is kept only in the first case.
			if t.cost.sign(k) == 0 {
				t.dropColumn(k)
			} else if t.cost.sign(k) < 0 {
				t.flip(k)
			}
			continue
		}
		t.pivot(row, k)
		r := &t.rows[row]
		d := term.NumFromBig(r.at(denom))
		a := aside{variable: f, rhs: term.NumFromBig(r.at(rhs)).Div(d)}
		for k := first; k < r.len(); k++ {
			if r.sign(k) != 0 {
				a.entries = append(a.entries, Entry{t.columns[k-first], term.NumFromBig(r.at(k)).Div(d)})
			}
		}
		t.asides = append(t.asides, a)
		t.dropRow(row)
		if err := t.allowed(); err != nil {
			return err
		}
	}
	return nil
}

// position returns the vector position of a non-basic variable.
func (t *tableau) position(variable int) int {
	for i, v := range t.columns {
		if v == variable {
			return i + first
		}
	}
	panic("itp: variable is basic")
}

// flip replaces the variable of an otherwise empty column by its negation; its value is never read.
func (t *tableau) flip(k int) {
	e := t.cost.widened()
	e[k] = new(big.Int).Neg(e[k])
	t.cost = newVector(e)
}

func (t *tableau) dropRow(i int) {
	last := len(t.rows) - 1
	t.rows[i], t.basic[i] = t.rows[last], t.basic[last]
	t.rows, t.basic = t.rows[:last], t.basic[:last]
}

func (t *tableau) dropColumn(k int) {
	for i := range t.rows {
		t.rows[i].remove(k)
	}
	t.cost.remove(k)
	if t.carried != nil {
		t.carried.remove(k)
	}
	last := len(t.columns) - 1
	t.columns[k-first] = t.columns[last]
	t.columns = t.columns[:last]
}

// pivot exchanges the basic variable of a row with the variable at position k. A fixed variable that leaves the basis
// is gone for good.
func (t *tableau) pivot(row, k int) {
	p := &t.rows[row]
	if p.sign(k) < 0 {
		p.negate()
	}
	for i := range t.rows {
		if i != row {
			t.work += t.rows[i].eliminate(p, k)
		}
	}
	t.work += t.cost.eliminate(p, k)
	if t.carried != nil {
		t.work += t.carried.eliminate(p, k)
	}
	if p.big != nil {
		p.big[k], p.big[denom] = p.big[denom], p.big[k]
	} else {
		p.small[k], p.small[denom] = p.small[denom], p.small[k]
	}
	c := k - first
	t.basic[row], t.columns[c] = t.columns[c], t.basic[row]
	if t.fixed[t.columns[c]] {
		t.dropColumn(k)
	}
	t.pivots++
}

// step notes whether a pivot moved the objective and turns Bland's rule on when it has not for long.
func (t *tableau) step(moved bool) error {
	if moved {
		t.stalled, t.bland = 0, false
	} else if t.stalled++; t.stalled > len(t.rows)+len(t.columns) {
		t.bland = true
	}
	return t.allowed()
}

// allowed returns ErrBudget when the limit is met.
func (t *tableau) allowed() error {
	if t.pivots > t.limit.Pivots || t.work > t.limit.Work {
		return fmt.Errorf("%d pivots and %d units of work: %w", t.pivots, t.work, ErrBudget)
	}
	select {
	case <-t.limit.Done:
		return fmt.Errorf("stopped after %d pivots: %w", t.pivots, ErrBudget)
	default:
		return nil
	}
}

func (t *tableau) minimize() (LPStatus, error) {
	if t.dualFeasible() {
		return t.dual()
	}
	// Feasibility first, under a zero objective, for which any basis is dual feasible; the true one is carried along.
	zero := make([]*big.Int, t.cost.len())
	for k := range zero {
		zero[k] = new(big.Int)
	}
	objective := t.cost
	t.carried, t.cost = &objective, newVector(zero)
	status, err := t.dual()
	if err != nil || status != Optimal {
		return status, err
	}
	t.removeFixed()
	t.carried, t.cost = nil, objective
	t.stalled, t.bland = 0, false
	return t.primal()
}

// dualFeasible reports whether no column can lower the cost.
func (t *tableau) dualFeasible() bool {
	for k := first; k < t.cost.len(); k++ {
		if t.cost.sign(k) > 0 {
			return false
		}
	}
	return true
}

// dual runs the dual simplex method from a dual feasible basis.
func (t *tableau) dual() (LPStatus, error) {
	for {
		row := t.leaving()
		if row < 0 {
			return Optimal, nil
		}
		p := &t.rows[row]
		if p.sign(rhs) > 0 {
			p.negate() // a fixed variable, for which the sign is free
		}
		enter := -1
		for k := first; k < p.len(); k++ {
			if p.sign(k) >= 0 {
				continue
			}
			if enter < 0 {
				enter = k
				continue
			}
			c := compareFractions(&t.cost, k, p, k, &t.cost, enter, p, enter)
			if c < 0 || c == 0 && t.columns[k-first] < t.columns[enter-first] {
				enter = k
			}
		}
		if enter < 0 {
			return Infeasible, nil
		}
		moved := t.cost.sign(enter) != 0
		t.pivot(row, enter)
		if err := t.step(moved); err != nil {
			return Infeasible, err
		}
	}
}

// leaving returns the row of the most violated basic variable (under Bland's rule, of the first violated one), or -1.
func (t *tableau) leaving() int {
	best := -1
	for i := range t.rows {
		s := t.rows[i].sign(rhs)
		v := t.basic[i]
		if s == 0 || s > 0 && !t.fixed[v] {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		if t.bland {
			if v < t.basic[best] {
				best = i
			}
			continue
		}
		r, b := &t.rows[i], &t.rows[best]
		c := compareFractions(r, rhs, r, denom, b, rhs, b, denom)
		if c > 0 || c == 0 && v < t.basic[best] {
			best = i
		}
	}
	return best
}

// removeFixed drives the slacks of equalities, all 0 by now, out of the basis.
func (t *tableau) removeFixed() {
	for i := 0; i < len(t.rows); {
		if !t.fixed[t.basic[i]] {
			i++
			continue
		}
		enter := -1
		for k := first; k < t.rows[i].len() && enter < 0; k++ {
			if t.rows[i].sign(k) != 0 {
				enter = k
			}
		}
		if enter < 0 {
			t.dropRow(i) // implied by the others
			continue
		}
		t.pivot(i, enter)
		i++
	}
}

// primal runs the primal simplex method from a feasible basis.
func (t *tableau) primal() (LPStatus, error) {
	for {
		enter := t.entering()
		if enter < 0 {
			return Optimal, nil
		}
		row := -1
		for i := range t.rows {
			r := &t.rows[i]
			if r.sign(enter) <= 0 {
				continue
			}
			if row < 0 {
				row = i
				continue
			}
			b := &t.rows[row]
			c := compareFractions(r, rhs, r, enter, b, rhs, b, enter)
			if c < 0 || c == 0 && t.basic[i] < t.basic[row] {
				row = i
			}
		}
		if row < 0 {
			return Unbounded, nil
		}
		moved := t.rows[row].sign(rhs) != 0
		t.pivot(row, enter)
		if err := t.step(moved); err != nil {
			return Infeasible, err
		}
	}
}

// entering returns the column that lowers the cost fastest (under Bland's rule, the first that lowers it), or -1.
func (t *tableau) entering() int {
	best := -1
	for k := first; k < t.cost.len(); k++ {
		if t.cost.sign(k) <= 0 {
			continue
		}
		if best < 0 {
			best = k
			continue
		}
		c := 0
		if !t.bland {
			c = compareFractions(&t.cost, k, &t.cost, denom, &t.cost, best, &t.cost, denom)
		}
		if c > 0 || c == 0 && t.columns[k-first] < t.columns[best-first] {
			best = k
		}
	}
	return best
}

// values returns the value of every variable in the current basis, slacks last.
func (t *tableau) values() []term.Num {
	out := make([]term.Num, len(t.fixed))
	for i, b := range t.basic {
		r := &t.rows[i]
		out[b] = term.NumFromBig(r.at(rhs)).Div(term.NumFromBig(r.at(denom)))
	}
	for i := len(t.asides) - 1; i >= 0; i-- {
		a := t.asides[i]
		v := a.rhs
		for _, e := range a.entries {
			v = v.Sub(e.Coef.Mul(out[e.Variable]))
		}
		out[a.variable] = v
	}
	return out
}
