package masks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/smt"
)

// rangeLimit bounds each check that values are in their range.
var rangeLimit = smt.Limit{Time: time.Second, Resources: 100_000}

// chooseWidths returns the widths of the classes that become bit-vectors, by the classes' roots: those of which bit-vectors are made
// and nothing else is computed, and whose values are those of such vectors in all derivations.
func chooseWidths(ctx context.Context, env transform.Environment, sys *chc.System, c *classes) (map[any]int, error) {
	widths := map[any]int{}
	for _, m := range c.masked {
		root := c.same.Find(m.node)
		widths[root] = max(widths[root], m.bits)
	}
	for _, n := range c.refused {
		delete(widths, c.same.Find(n))
	}
	for _, m := range c.wide {
		if root := c.same.Find(m.node); widths[root] < m.bits {
			delete(widths, root)
		}
	}
	for _, n := range c.constants {
		root := c.same.Find(n.node)
		if w, ok := widths[root]; ok && (n.value.Sign() < 0 || n.value.Cmp(largest(w)) > 0) {
			delete(widths, root)
		}
	}
	if len(widths) == 0 {
		return nil, nil
	}
	for _, b := range c.bounds {
		if w := widths[c.same.Find(b.variable)]; b.polarity != transform.Positive || !b.comparison.holdsFrom(largest(w)) {
			c.exact[b.variable] = true
		}
	}
	if env.Open == nil {
		return nil, nil
	}
	solver, closeSolver, err := env.Solver(sys.Pool, rangeLimit)
	if err != nil {
		return nil, err
	}
	defer closeSolver()
	r := &ranges{pool: sys.Pool, classes: c, widths: widths, solver: solver, numbers: map[*term.Term]*term.Term{}}
	// What is in its range is so because of what the premises are; where a class is refused, the others may not be.
	for changed := true; changed && len(widths) > 0; {
		changed = false
		for i, clause := range sys.Clauses {
			beyond, err := r.beyond(ctx, i, clause)
			if err != nil {
				return nil, fmt.Errorf("looking for values beyond their range in clause %d: %w", clause.ID, err)
			}
			for _, root := range beyond {
				delete(widths, root)
				changed = true
			}
		}
	}
	return widths, nil
}

// largest is the largest number of so many bits.
func largest(bits int) term.Num { return term.Pow2(bits).Sub(term.NewInt(1)) }

// ranges finds the classes with values that no vector of their width has.
type ranges struct {
	pool    *term.Pool
	classes *classes
	widths  map[any]int
	solver  smt.Solver
	// numbers are the variables that stand for terms.
	numbers map[*term.Term]*term.Term
}

// within says that a term is a number of so many bits.
func within(p *term.Pool, t *term.Term, bits int) *term.Term {
	return p.And(p.Le(p.Int(0), t), p.Le(t, p.IntNum(largest(bits))))
}

// beyond returns the roots of the classes of which a variable of the clause may have a value beyond the range while those that premises
// pass to it have none. Numbers of bit-vectors are any of their width.
func (r *ranges) beyond(ctx context.Context, index int, clause *chc.Clause) ([]any, error) {
	width := func(x *term.Term) (any, int) {
		root := r.classes.same.Find(transform.Local{Clause: index, Variable: x})
		return root, r.widths[root]
	}
	passed := map[*term.Term]bool{}
	known := []*term.Term{clause.Constraint}
	for _, a := range clause.Body {
		for _, t := range a.Args {
			if _, w := width(t); t.IsVar() && w > 0 && !passed[t] {
				passed[t] = true
				known = append(known, within(r.pool, t, w))
			}
		}
	}
	var open []*term.Term
	for _, x := range clause.Vars() {
		if _, w := width(x); w > 0 && !passed[x] && r.classes.exact[transform.Local{Clause: index, Variable: x}] {
			open = append(open, x)
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	for i, t := range known {
		var numbers []*term.Term
		known[i], numbers = r.withoutVectors(t)
		known = append(known, numbers...)
	}
	var out []any
	err := smt.Within(r.solver, known, func() error {
		for _, x := range open {
			root, w := width(x)
			if slices.Contains(out, root) {
				continue
			}
			err := smt.Within(r.solver, []*term.Term{r.pool.Not(within(r.pool, x, w))}, func() error {
				st, err := r.solver.Check(ctx)
				if st != smt.Unsat {
					out = append(out, root)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// withoutVectors returns the formula with variables for the bit-vectors that are made of numbers and for the numbers of bit-vectors,
// and what is known of the latter: that they are in their range.
func (r *ranges) withoutVectors(t *term.Term) (*term.Term, []*term.Term) {
	replaced := map[*term.Term]*term.Term{}
	var known []*term.Term
	term.Walk(t, func(s *term.Term) bool {
		switch s.Op() {
		case term.BVToNat:
			n := r.number(s)
			replaced[s] = n
			known = append(known, within(r.pool, n, s.Arg(0).Sort().Width))
		case term.NatToBV:
			replaced[s] = r.number(s)
		default:
			return true
		}
		return false
	})
	return r.pool.Substitute(t, replaced), known
}

// number returns the variable that stands for a term.
func (r *ranges) number(t *term.Term) *term.Term {
	x := r.numbers[t]
	if x == nil {
		x = r.pool.Fresh("n", t.Sort())
		r.numbers[t] = x
	}
	return x
}
