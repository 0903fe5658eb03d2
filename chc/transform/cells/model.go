package cells

import (
	"context"
	"slices"
	"strconv"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/transform/simplify"
	"hornbeam/chc/witness"
)

// Model puts the quantifiers over the ghosts back, but for the conjuncts from which the ghosts can be eliminated.
func (t *abstraction) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	return transform.CarryModel(m, t.old.Predicates, t.new.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		if q := t.predicates[i]; len(q.groups) > 0 {
			in = t.quantified(q, in)
		}
		return in, nil
	})
}

// quantified returns the interpretation of a predicate with arrays from that of its cells.
func (t *abstraction) quantified(q *predicate, in witness.Interpretation) witness.Interpretation {
	params := transform.Parameters(t.old.Pool, q.old)
	views := t.views(q, params)
	if len(views) == 1 && !slices.ContainsFunc(views[0], func(f frame) bool { return !f.plain() }) {
		return t.plainlyQuantified(q, in, params)
	}
	// Each quantifier is over an index of an array, as it is there: once for every frame that arrays with common ghosts have.
	p := t.old.Pool
	var body []*term.Term
	for _, view := range views {
		ghosts, numbers, guard := t.ghosts(q, view)
		var open []*term.Term
		for _, c := range simplify.Conjuncts(p, in.Apply(p, t.cellArguments(q, params, view, ghosts, numbers))) {
			if term.HasAny(c, setOf(ghosts)) {
				open = append(open, c)
			} else {
				body = append(body, c)
			}
		}
		body = append(body, p.Forall(ghosts, p.Or(append(guard, p.And(open...))...)))
	}
	return witness.Interpretation{Params: params, Body: p.And(body...)}
}

func setOf(ts []*term.Term) map[*term.Term]bool {
	out := map[*term.Term]bool{}
	for _, t := range ts {
		out[t] = true
	}
	return out
}

// views returns choices of a frame for each group: every frame that an array of a group has is in one of them.
func (t *abstraction) views(q *predicate, params []*term.Term) [][]frame {
	out := [][]frame{nil}
	for _, g := range q.groups {
		var own []frame
		for _, i := range g.arrays {
			if f := t.frames.of(q.old, i, params); !slices.ContainsFunc(own, f.equal) {
				own = append(own, f)
			}
		}
		var next [][]frame
		for _, f := range own {
			for _, view := range out {
				if len(next) == 0 || len(next) < mostViews {
					next = append(next, append(slices.Clone(view), f))
				}
			}
		}
		out = next
	}
	return out
}

// ghosts returns the bound variables for a choice of frames, which are indices of arrays, the ghosts that they stand for, and
// what is true where they stand for none, or for ghosts that are not in order.
func (t *abstraction) ghosts(q *predicate, view []frame) (bound, numbers, guard []*term.Term) {
	p := t.old.Pool
	for n, g := range q.groups {
		for range g.ghosts {
			k := p.Var(t.ghostName(len(bound)), g.index)
			bound = append(bound, k)
			number, outside := view[n].number(p, k)
			numbers = append(numbers, number)
			if outside != nil {
				guard = append(guard, outside)
			}
		}
		if m := len(numbers); g.ghosts == 2 {
			guard = append(guard, p.Not(p.Le(numbers[m-2], numbers[m-1])))
		}
	}
	return bound, numbers, guard
}

// cellArguments returns the arguments of the abstracted predicate for the arrays of the old one: at bound variables, each of
// which is the index of the arrays with its group's frame in a view, and stands for a ghost.
func (t *abstraction) cellArguments(q *predicate, params []*term.Term, view []frame, bound, numbers []*term.Term) []*term.Term {
	p := t.old.Pool
	var args []*term.Term
	for _, i := range q.scalars {
		args = append(args, params[i])
	}
	first := 0
	for n, g := range q.groups {
		args = append(args, numbers[first:first+g.ghosts]...)
		for k := first; k < first+g.ghosts; k++ {
			for _, i := range g.arrays {
				index := bound[k]
				if f := t.frames.of(q.old, i, params); !f.equal(view[n]) {
					index = f.at(p, numbers[k])
				}
				args = append(args, p.Select(params[i], index))
			}
		}
		for k := first; k < first+g.ghosts; k++ {
			for _, i := range g.arrays {
				if g.companion != nil {
					f := t.frames.of(q.old, i, params)
					args = append(args, p.Select(params[i], f.at(p, g.companion.index(p, q.old, params, numbers[k]))))
				}
			}
		}
		first += g.ghosts
	}
	return args
}

// plainlyQuantified is quantified for arrays that are not renumbered: ghosts are eliminated where possible.
func (t *abstraction) plainlyQuantified(q *predicate, in witness.Interpretation, params []*term.Term) witness.Interpretation {
	p := t.old.Pool
	ghosts, _, guard := t.ghosts(q, t.views(q, params)[0])
	args := t.cellArguments(q, params, t.views(q, params)[0], ghosts, ghosts)
	isGhost := setOf(ghosts)
	var plain, open []*term.Term
	for _, c := range simplify.Conjuncts(p, in.Apply(p, args)) {
		if !term.HasAny(c, isGhost) {
			plain = append(plain, c)
			continue
		}
		c = p.Or(append(guard, c)...)
		for _, k := range ghosts {
			c = onePoint(p, k, c)
		}
		if without, ok := qe.NewProjector(p, params, ghostWork, ghostNodes).Exists(p.Not(c)); ok && !term.HasAny(without, isGhost) {
			plain = append(plain, p.Not(without))
			continue
		}
		open = append(open, c)
	}
	body := p.And(append(plain, p.Forall(ghosts, p.And(open...)))...)
	return witness.Interpretation{Params: params, Body: body}
}

// ghostName names the n-th bound variable of an interpretation, for its readers: k, k2, k3 and so on for the first round of
// the abstraction, l, l2, l3 for the arrays within arrays.
func (t *abstraction) ghostName(n int) string {
	name := string(rune('k' + min(t.round, 10)))
	if n > 0 {
		name += strconv.Itoa(n + 1)
	}
	return name
}

// onePoint returns a formula that is equivalent to c when k, an Int, is bound universally: c with the term t for k when c
// holds anyway where k differs from t, as in "k < t or k > t or ...".
func onePoint(p *term.Pool, k, c *term.Term) *term.Term {
	if k.Sort() != term.Int {
		return c
	}
	above, below := map[*term.Term]bool{}, map[*term.Term]bool{}
	for _, l := range simplify.Conjuncts(p, p.Not(c)) {
		con, ok := p.AsConstraint(l)
		if !ok {
			continue
		}
		coef := con.Coef(k)
		rest := con.Without(k)
		if !coef.Abs().IsOne() || con.Rel == term.LT {
			continue
		}
		// coef*k + rest <= 0, or = 0: k is at most -rest, or at least rest.
		bound := p.FromLinear(rest.Scale(coef.Neg()), term.Int)
		if term.Contains(bound, k) {
			continue
		}
		if con.Rel == term.EQ || coef.Sign() > 0 {
			below[bound] = true
		}
		if con.Rel == term.EQ || coef.Sign() < 0 {
			above[bound] = true
		}
		if below[bound] && above[bound] {
			return p.Substitute(c, map[*term.Term]*term.Term{k: bound})
		}
	}
	return c
}
