package qe

import "hornbeam/chc/term"

// triangular is a substitution in solved form: the term of each variable may have variables that were added later,
// never of itself or earlier ones.
type triangular struct {
	pool  *term.Pool
	order []*term.Term
	terms map[*term.Term]*term.Term
}

func newTriangular(pool *term.Pool) *triangular {
	return &triangular{pool: pool, terms: map[*term.Term]*term.Term{}}
}

// apply replaces all variables added so far in u.
func (t *triangular) apply(u *term.Term) *term.Term {
	for len(t.order) > 0 {
		v := t.pool.Substitute(u, t.terms)
		if v == u {
			break
		}
		u = v
	}
	return u
}

// add records x = v, where v was the result of apply and does not contain x.
func (t *triangular) add(x, v *term.Term) {
	t.order = append(t.order, x)
	t.terms[x] = v
}

// closed returns the same substitution with terms that have no replaced variable.
func (t *triangular) closed() map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(t.order))
	for i := len(t.order) - 1; i >= 0; i-- {
		x := t.order[i]
		m[x] = t.pool.Substitute(t.terms[x], m)
	}
	return m
}
