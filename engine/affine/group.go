package affine

import (
	"hornbeam/chc/term"
)

// group has the terms of one sort that equations are between, the columns: arguments, then products of arguments.
type group struct {
	sort    *term.Sort
	columns []*term.Term
	space   *space
}

// newGroup returns that of the arguments of a sort, and of the products of two to degree of those that are factors.
func newGroup(pool *term.Pool, sort *term.Sort, params []*term.Term, degree int, factor func(*term.Term) bool, o *options) *group {
	g := &group{sort: sort}
	var factors []*term.Term
	for _, x := range params {
		if x.Sort() == sort && len(g.columns) < o.columns {
			g.columns = append(g.columns, x)
			if factor(x) {
				factors = append(factors, x)
			}
		}
	}
	if len(factors) <= o.factors {
		g.addProducts(pool, factors, degree)
	}
	return g
}

// addProducts adds the products of two to degree factors.
func (g *group) addProducts(pool *term.Pool, factors []*term.Term, degree int) {
	n := len(factors)
	type product struct {
		term *term.Term
		last int
	}
	last := make([]product, n)
	for i, x := range factors {
		last[i] = product{x, i}
	}
	for range degree - 1 {
		var next []product
		for _, p := range last {
			for i := p.last; i < n; i++ {
				next = append(next, product{pool.Mul(p.term, factors[i]), i})
			}
		}
		for _, p := range next {
			g.columns = append(g.columns, p.term)
		}
		last = next
	}
}

// point has the values of the columns in a tuple.
func (g *group) point(tuple *term.Evaluator) []term.Num {
	point := make([]term.Num, len(g.columns))
	for i, t := range g.columns {
		point[i] = number(tuple, t)
	}
	return point
}

// equation is the equation with the coefficients of a row, the constant first, as a term.
func (g *group) equation(pool *term.Pool, row []term.Num) *term.Term {
	sum := term.Linear{Const: row[0]}
	for i, c := range row[1:] {
		if !c.IsZero() {
			sum = sum.AddTerm(c, g.columns[i])
		}
	}
	return pool.Compare(sum, term.EQ, g.sort)
}
