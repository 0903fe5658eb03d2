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

func newGroup(pool *term.Pool, sort *term.Sort, params []*term.Term, degree int, o *options) *group {
	g := &group{sort: sort}
	for _, x := range params {
		if x.Sort() == sort && len(g.columns) < o.columns {
			g.columns = append(g.columns, x)
		}
	}
	if len(g.columns) <= o.factors {
		g.addProducts(pool, degree)
	}
	return g
}

// addProducts adds the products of two to degree columns.
func (g *group) addProducts(pool *term.Pool, degree int) {
	n := len(g.columns)
	type product struct {
		term *term.Term
		last int
	}
	last := make([]product, n)
	for i, x := range g.columns {
		last[i] = product{x, i}
	}
	for range degree - 1 {
		var next []product
		for _, p := range last {
			for i := p.last; i < n; i++ {
				next = append(next, product{pool.Mul(p.term, g.columns[i]), i})
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
