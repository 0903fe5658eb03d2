package witness

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// Compute returns the assignment that gives applications of defined functions to values the values that their
// definitions give them, and everything else what a gives it. An application has no value when its body depends on
// something that has none, and when it takes too long or grows too large to compute. The assignment keeps what it
// computed and is not for concurrent use.
func Compute(p *term.Pool, ds []Definition, a term.Assignment) term.Assignment {
	return ComputeWithin(p, ds, a, defaultBounds)
}

// Bounds are how many applications an assignment computes in all, and how many of them may wait for the value of another one. What needs
// more has no value.
type Bounds struct{ Applications, Depth int }

var defaultBounds = Bounds{Applications: maxComputations, Depth: maxDepth}

// ComputeWithin is Compute with other bounds, for those who evaluate much of which little matters.
func ComputeWithin(p *term.Pool, ds []Definition, a term.Assignment, b Bounds) term.Assignment {
	return NewFacts(p, ds, nil).computeWithin(a, b)
}

type computed struct {
	pool   *term.Pool
	inner  term.Assignment
	of     map[*term.Func]*Definition
	known  map[*term.Term]result
	bounds Bounds
	// depth is how many applications wait for the value of another one.
	depth int
}

// result is the value of an application, if it has one.
type result struct {
	value      term.Value
	determined bool
}

// Lookup returns the value of a variable or of a function applied to values.
func (c *computed) Lookup(v *term.Term) (term.Value, bool) {
	d := c.of[v.Func()]
	if d == nil {
		return c.inner.Lookup(v)
	}
	if r, ok := c.known[v]; ok {
		return r.value, r.determined
	}
	if len(d.Params) == 1 {
		// The smaller values come first, so that the recursion does not go as deep as the value is.
		for _, u := range c.parts(d, v.Arg(0)) {
			c.compute(d, c.pool.Apply(d.Func, u))
		}
	}
	r := c.compute(d, v)
	return r.value, r.determined
}

// parts returns the proper subterms of a value at which d's function is not computed yet, the inner ones first.
func (c *computed) parts(d *Definition, value *term.Term) []*term.Term {
	var parts []*term.Term
	term.Walk(value, func(u *term.Term) bool {
		if u.Sort() != value.Sort() {
			return true
		}
		if u != value {
			if _, ok := c.known[c.pool.Apply(d.Func, u)]; ok {
				return false
			}
			parts = append(parts, u)
		}
		return true
	})
	slices.SortFunc(parts, func(a, b *term.Term) int { return cmp.Compare(a.ID(), b.ID()) })
	return parts
}

func (c *computed) compute(d *Definition, v *term.Term) result {
	if r, ok := c.known[v]; ok {
		return r
	}
	if len(c.known) >= c.bounds.Applications || c.depth >= c.bounds.Depth || beyondUnfolding(v.Arg(0)) {
		return result{}
	}
	c.depth++
	defer func() { c.depth-- }()
	// While it is being computed it has no value: that ends a recursion that does not descend.
	c.known[v] = result{}
	e := term.NewEvaluator(c.pool, call{outer: c, params: d.Params, args: v.Args()})
	var r result
	r.value, r.determined = e.Eval(d.Body)
	if r.determined && v.Sort() == term.Int {
		if _, small := r.value.Num().Int64(); !small && r.value.Num().BigInt().BitLen() > maxBits {
			r = result{}
		}
	}
	c.known[v] = r
	return r
}

// call gives the parameters of one application their values.
type call struct {
	outer        *computed
	params, args []*term.Term
}

func (c call) Lookup(v *term.Term) (term.Value, bool) {
	if v.IsVar() {
		if k := slices.Index(c.params, v); k >= 0 {
			return term.TermValue(c.args[k]), true
		}
	}
	return c.outer.Lookup(v)
}
