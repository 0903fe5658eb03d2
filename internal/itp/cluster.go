package itp

import (
	"context"
	"errors"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// cluster is a disjunct of the interpolant in progress: literals that all its cubes of A imply and one half-space for
// each group of cubes of B. Together they contradict B once the cluster is refined.
type cluster struct {
	literals []*term.Term
	ps       []Cube
	groups   []group
	// closed clusters take no further cubes.
	closed bool
}

// group is a set of cubes of B that one half-space excludes.
type group struct {
	qs []Cube
	h  *term.Term
}

func (c *cluster) formulas() []*term.Term {
	out := slices.Clone(c.literals)
	for _, g := range c.groups {
		out = append(out, g.h)
	}
	return out
}

func (c *cluster) clone() *cluster {
	out := &cluster{literals: c.literals, ps: slices.Clone(c.ps), closed: c.closed}
	for _, g := range c.groups {
		out.groups = append(out.groups, group{slices.Clone(g.qs), g.h})
	}
	return out
}

// solve runs the loop of 1.2: find a point of A outside the interpolant, project it, and put its cube into a cluster that
// excludes B, until A implies the interpolant; then drop what is not needed.
func (q *query) solve(ctx context.Context) (*term.Term, error) {
	p := q.it.pool
	for {
		m, err := q.find(ctx, q.sideA, p.Not(q.interpolant()))
		if err != nil {
			return nil, err
		}
		if m == nil {
			break
		}
		cube, err := q.project(m, q.a)
		if err != nil {
			return nil, err
		}
		q.it.stats.CubesA++
		if err := q.place(ctx, cube); err != nil {
			return nil, err
		}
	}
	return q.simplified(ctx)
}

func (q *query) interpolant() *term.Term {
	disjuncts := make([]*term.Term, len(q.clusters))
	for i, c := range q.clusters {
		disjuncts[i] = q.it.pool.And(c.formulas()...)
	}
	return q.it.pool.Or(disjuncts...)
}

// place puts a cube of A into the first of the last clusters that can take it, else into a new one.
func (q *query) place(ctx context.Context, cube Cube) error {
	linear, other := q.split(cube)
	if !q.it.opts.NoSeparation {
		tried := 0
		for i := len(q.clusters) - 1; i >= 0 && tried < maxJoins; i-- {
			c := q.clusters[i]
			if c.closed || !containsAll(cube, c.literals) {
				continue
			}
			tried++
			joined := c.clone()
			joined.ps = append(joined.ps, linear)
			ok, err := q.refine(ctx, joined)
			if err != nil {
				return err
			}
			if ok {
				q.clusters[i] = joined
				q.it.stats.Joins++
				return nil
			}
		}
	}
	c, err := q.newCluster(ctx, cube, linear, other)
	if err != nil {
		return err
	}
	q.clusters = append(q.clusters, c)
	q.it.stats.Clusters++
	return nil
}

// split separates the linear literals of a cube from the others.
func (q *query) split(cube Cube) (linear, other Cube) {
	for _, t := range cube {
		if _, ok := q.it.pool.AsConstraint(t); ok {
			linear = append(linear, t)
		} else {
			other = append(other, t)
		}
	}
	return linear, other
}

// newCluster generalises one cube of A: the non-linear literals that B's refutation needs are kept, the linear ones give
// way to half-spaces, or are kept as far as they are needed where there are none.
func (q *query) newCluster(ctx context.Context, cube, linear, other Cube) (*cluster, error) {
	s, err := q.sideB()
	if err != nil {
		return nil, err
	}
	kept, err := shrink(ctx, s, other, linear)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		// The projection is no longer disjoint from B: variables were eliminated that the solver knows more about.
		return nil, ErrUnverified
	}
	if len(linear) > 0 && !q.it.opts.NoSeparation {
		c := &cluster{literals: kept, ps: []Cube{linear}}
		ok, err := q.refine(ctx, c)
		if err != nil || ok {
			c.closed = ok && len(c.groups) == 0
			return c, err
		}
	}
	q.it.stats.Dropping++
	all, err := shrink(ctx, s, slices.Concat(kept, linear), nil)
	if err != nil {
		return nil, err
	}
	return &cluster{literals: all, closed: true}, nil
}

// refine gives the cluster half-spaces until it contradicts B: a point of B inside it is projected, and its cube joins
// the first group that can still be excluded by one half-space. It reports false when some cube cannot be separated.
func (q *query) refine(ctx context.Context, c *cluster) (bool, error) {
	for i := range c.groups {
		h, ok := q.separate(ctx, c.ps, c.groups[i].qs)
		if !ok {
			return false, ctxError(ctx)
		}
		c.groups[i].h = h
	}
	for {
		inside := c.formulas()
		m, err := q.find(ctx, q.sideB, inside...)
		if err != nil || m == nil {
			return err == nil, err
		}
		cube, err := q.project(m, append([]*term.Term{q.b}, c.literals...)...)
		if err != nil {
			return false, err
		}
		q.it.stats.CubesB++
		linear, _ := q.split(cube)
		if !q.exclude(ctx, c, linear) {
			return false, ctxError(ctx)
		}
	}
}

// exclude adds a cube of B to a group of the cluster.
func (q *query) exclude(ctx context.Context, c *cluster, cube Cube) bool {
	for i, g := range c.groups {
		qs := append(slices.Clone(g.qs), cube)
		if h, ok := q.separate(ctx, c.ps, qs); ok {
			c.groups[i] = group{qs, h}
			return true
		}
	}
	if len(c.groups) >= maxGroups {
		return false
	}
	h, ok := q.separate(ctx, c.ps, []Cube{cube})
	if ok {
		c.groups = append(c.groups, group{[]Cube{cube}, h})
	}
	return ok
}

func (q *query) separate(ctx context.Context, ps, qs []Cube) (*term.Term, bool) {
	o := &q.it.opts
	h, ok := Separate(q.it.pool, ps, qs, q.common, SeparateOptions{
		Strength: q.strength, Constants: o.Constants, Templates: o.Templates,
		// One cube's equalities are its own; those that several share are likely to be the program's.
		Equalities: !o.NoEqualities && len(ps) > 1,
		Rounding:   len(ps) == 1 && len(qs) == 1,
		Limit:      Limit{Done: ctx.Done()},
	})
	if ok {
		q.it.stats.HalfSpaces++
	}
	return h, ok
}

func ctxError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return errors.Join(ErrBudget, err)
	}
	return nil
}

func containsAll(ts, subset []*term.Term) bool {
	return !slices.ContainsFunc(subset, func(t *term.Term) bool { return !slices.Contains(ts, t) })
}

// simplified drops disjuncts that A does not need and literals without which a disjunct still contradicts B.
func (q *query) simplified(ctx context.Context) (*term.Term, error) {
	p := q.it.pool
	disjuncts := make([][]*term.Term, len(q.clusters))
	for i, c := range q.clusters {
		disjuncts[i] = c.formulas()
	}
	formula := func() *term.Term {
		out := make([]*term.Term, len(disjuncts))
		for i, d := range disjuncts {
			out[i] = p.And(d...)
		}
		return p.Or(out...)
	}
	checks := 0
	unsat := func(side func() (smt.Solver, error), more ...*term.Term) (bool, error) {
		checks++
		ok, err := q.refutes(ctx, side, more...)
		if errors.Is(err, ErrBudget) && ctx.Err() == nil {
			return false, nil // undecided: keep the literal
		}
		return ok, err
	}
	for i := range disjuncts {
		for k := len(disjuncts[i]) - 1; k >= 0 && len(disjuncts[i]) > 1 && checks < maxSimplify; k-- {
			without := slices.Concat(disjuncts[i][:k], disjuncts[i][k+1:])
			ok, err := unsat(q.sideB, without...)
			if err != nil {
				return nil, err
			}
			if ok {
				disjuncts[i] = without
			}
		}
	}
	for i := 0; i < len(disjuncts) && len(disjuncts) > 1 && checks < maxSimplify; {
		dropped := disjuncts[i]
		disjuncts = slices.Delete(slices.Clone(disjuncts), i, i+1)
		ok, err := unsat(q.sideA, p.Not(formula()))
		if err != nil {
			return nil, err
		}
		if !ok {
			disjuncts = slices.Insert(disjuncts, i, dropped)
			i++
		}
	}
	return formula(), nil
}
