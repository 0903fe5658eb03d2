package affine

import (
	"hornbeam/chc/term"
)

// expander multiplies products of sums out, so that for the solver a polynomial is a sum of products of variables: what
// follows by adding equations up then follows without any reasoning about products.
type expander struct {
	pool *term.Pool
	// most bounds the terms that a product of sums is multiplied out to.
	most int
	memo map[*term.Term]*term.Term
}

func newExpander(pool *term.Pool, most int) *expander {
	return &expander{pool: pool, most: most, memo: map[*term.Term]*term.Term{}}
}

// expand returns a term that is equal to t.
func (e *expander) expand(t *term.Term) *term.Term {
	if len(t.Args()) == 0 || t.IsQuantifier() {
		return t
	}
	if out := e.memo[t]; out != nil {
		return out
	}
	args := make([]*term.Term, len(t.Args()))
	changed := false
	for i := range args {
		args[i] = e.expand(t.Arg(i))
		changed = changed || args[i] != t.Arg(i)
	}
	out := t
	switch {
	case t.Op() == term.Mul:
		out = e.product(args)
	case changed:
		out = e.pool.Rebuild(t, args)
	}
	e.memo[t] = out
	return out
}

// product multiplies sums.
func (e *expander) product(factors []*term.Term) *term.Term {
	sort := factors[0].Sort()
	product := e.pool.Linear(factors[0])
	for i, f := range factors[1:] {
		sum := e.pool.Linear(f)
		if (1+len(product.Monomials))*(1+len(sum.Monomials)) > e.most {
			out := e.pool.FromLinear(product, sort)
			for _, f := range factors[1+i:] {
				out = e.pool.Mul(out, f)
			}
			return out
		}
		next := product.Scale(sum.Const)
		for _, m := range sum.Monomials {
			next = next.AddTerm(m.Coef.Mul(product.Const), m.Term)
			for _, k := range product.Monomials {
				next = next.AddTerm(m.Coef.Mul(k.Coef), e.pool.Mul(m.Term, k.Term))
			}
		}
		product = next
	}
	return e.pool.FromLinear(product, sort)
}
