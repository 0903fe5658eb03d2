package itp

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
)

// ErrBudget is returned when a computation used up what its options allow (pivots, rounds, time), or when a solver gave
// no answer within its own limits. The question stays open.
var ErrBudget = errors.New("budget exhausted")

// Sense is the relation of a linear program's row.
type Sense uint8

// A row's left-hand side is at most, equal to, or at least its right-hand side.
const (
	AtMost Sense = iota
	Equal
	AtLeast
)

// LPStatus is the outcome of a linear program.
type LPStatus uint8

// A program has an optimum, or no feasible point, or feasible points of arbitrarily small cost.
const (
	Optimal LPStatus = iota
	Infeasible
	Unbounded
)

// Entry is one non-zero coefficient of a row: the index of a variable, as AddVariable returned it, and its coefficient.
type Entry struct {
	Variable int
	Coef     term.Num
}

// Limit bounds the work of one linear program. The zero Limit allows 20000 pivots and 2^27 units of work.
type Limit struct {
	Pivots int
	// Work counts updated tableau entries, those beyond a machine word several hundred times: a unit is about a
	// nanosecond.
	Work int
	// Done, when it is closed, stops the work (a context's Done channel).
	Done <-chan struct{}
}

// LP is a linear program over exact rationals: minimise cost*x subject to rows over variables that are non-negative or
// free. Build it with AddVariable and AddRow, then call Minimize once. It belongs to one goroutine.
type LP struct {
	cost []term.Num
	free []bool
	rows []lpRow
}

type lpRow struct {
	entries []Entry
	sense   Sense
	bound   term.Num
}

// Solution is the outcome of a linear program. Values (one per variable) and Cost are set when Status is Optimal.
type Solution struct {
	Status LPStatus
	Values []term.Num
	Cost   term.Num
	// Pivots counts the basis changes.
	Pivots int
}

// AddVariable adds a variable of the given cost, non-negative unless free, and returns its index (0, 1, ...).
func (lp *LP) AddVariable(cost term.Num, free bool) int {
	lp.cost = append(lp.cost, cost)
	lp.free = append(lp.free, free)
	return len(lp.cost) - 1
}

// AddRow adds the constraint sum(entries) sense bound. A variable may occur several times; its coefficients add up.
// entries is kept.
func (lp *LP) AddRow(entries []Entry, sense Sense, bound term.Num) {
	lp.rows = append(lp.rows, lpRow{entries, sense, bound})
}

// Minimize solves the program by the simplex method on a condensed integer tableau: free variables are pivoted into the
// basis and set aside; the dual method restores feasibility (at once to the optimum when no cost is negative, as in
// every program of this package), the primal method does the rest. Ties follow the variables' indices, and after many
// degenerate steps Bland's rule takes over, so it ends, always with the same answer for the same program. The error is
// ErrBudget when the limit was met first.
func (lp *LP) Minimize(limit Limit) (Solution, error) {
	if limit.Pivots == 0 {
		limit.Pivots = 20000
	}
	if limit.Work == 0 {
		limit.Work = 1 << 27
	}
	t := newTableau(lp, limit)
	var status LPStatus
	err := t.setAside(lp.free)
	if err == nil {
		status, err = t.minimize()
	}
	if err != nil {
		return Solution{Pivots: t.pivots}, fmt.Errorf("linear program of %d rows and %d variables: %w",
			len(lp.rows), len(lp.cost), err)
	}
	s := Solution{Status: status, Pivots: t.pivots}
	if status == Optimal {
		s.Values = t.values()[:len(lp.cost)]
		for i, c := range lp.cost {
			s.Cost = s.Cost.Add(c.Mul(s.Values[i]))
		}
	}
	return s, nil
}
