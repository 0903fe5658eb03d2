package catamorphism

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// image returns what is known of the components vs of every value of d.
func (e *encoding) image(d *term.Datatype, vs []*term.Term) []*term.Term {
	if len(vs) == 0 {
		return nil
	}
	cs := e.components(d)
	if e.shapes.recursive[d] {
		m := map[*term.Term]*term.Term{}
		for i, c := range cs {
			m[e.self(c)] = vs[i]
		}
		s := e.pool.NewSubstitution(m)
		out := make([]*term.Term, len(e.images[d]))
		for i, f := range e.images[d] {
			out[i] = s.Apply(f)
		}
		return out
	}
	return e.exactImage(d, vs)
}

// exactImage says for each constructor of a datatype that is not recursive: what holds of its fields, and that the fields
// of the others have their fixed values.
func (e *encoding) exactImage(d *term.Datatype, vs []*term.Term) []*term.Term {
	p := e.pool
	cases := make([]*term.Term, len(d.Constructors))
	for i, c := range d.Constructors {
		at := 0
		var facts []*term.Term
		if len(d.Constructors) > 1 {
			facts = append(facts, p.Eq(vs[0], p.Int(int64(i))))
			at = 1
		}
		for _, k := range d.Constructors {
			for _, f := range k.Selectors {
				n := 0
				switch {
				case f.Sort.Data != nil:
					n = len(e.components(f.Sort.Data))
				case !hasDatatype(f.Sort):
					n = 1
				}
				own := vs[at : at+n]
				at += n
				if k != c {
					for _, v := range own {
						facts = append(facts, p.Eq(v, term.DefaultValue(p, v.Sort()).Term(p)))
					}
				} else if f.Sort.Data != nil {
					facts = append(facts, e.image(f.Sort.Data, own)...)
				}
			}
		}
		cases[i] = p.And(facts...)
	}
	return term.Conjuncts(p.Or(cases...))
}

// imageCache keeps what is known of pairs of components.
type imageCache map[[2]*component][]*term.Term

// findImages fills in what holds of the components of every value of the recursive datatypes. Facts come from each
// component and from pairs of cheap ones by themselves, with the components that these need.
func (e *encoding) findImages(ctx context.Context, q *querier, cache imageCache, cost map[*component]int) error {
	for i, c := range e.chosen {
		for _, k := range e.chosen[i:] {
			if k.data != c.data || k != c && (cost[c] > maxPairCost || cost[k] > maxPairCost) {
				continue
			}
			facts, ok := cache[[2]*component{c, k}]
			if !ok {
				own := newEncoding(e.space, e.chosen, []*component{c, k})
				if err := own.induct(ctx, q); err != nil {
					return err
				}
				facts = own.images[c.data]
				cache[[2]*component{c, k}] = facts
			}
			for _, f := range facts {
				if !slices.Contains(e.images[c.data], f) {
					e.images[c.data] = append(e.images[c.data], f)
				}
			}
		}
	}
	return nil
}

// maxPairCost is the cost up to which folds are related to each other: with all of the library it would take too long.
const maxPairCost = costFirst

// induct finds what holds of the components: of a fixed set of candidate facts the greatest part that is preserved by all
// constructors, group by group.
func (e *encoding) induct(ctx context.Context, q *querier) error {
	for _, g := range e.shapes.groups {
		if !e.shapes.recursive[g[0]] {
			continue
		}
		for _, d := range g {
			e.images[d] = e.candidateFacts(d)
		}
		for changed := true; changed; {
			changed = false
			for _, d := range g {
				kept, err := e.preserved(ctx, q, d)
				if err != nil {
					return fmt.Errorf("finding what holds of all components of %s: %w", d.Name, err)
				}
				changed = changed || len(kept) < len(e.images[d])
				e.images[d] = kept
			}
		}
		for _, d := range g {
			e.images[d] = e.withoutImplied(ctx, q, e.images[d])
		}
	}
	return nil
}

// preserved returns the facts about d that every constructor preserves, when all present facts hold of its fields.
func (e *encoding) preserved(ctx context.Context, q *querier, d *term.Datatype) ([]*term.Term, error) {
	p := e.pool
	facts := e.images[d]
	for _, c := range d.Constructors {
		fields := make([][]*term.Term, len(c.Selectors))
		var premises []*term.Term
		for i, f := range c.Selectors {
			switch {
			case f.Sort.Data != nil:
				for _, k := range e.components(f.Sort.Data) {
					fields[i] = append(fields[i], e.part(f, k))
				}
				premises = append(premises, e.image(f.Sort.Data, fields[i])...)
			case !hasDatatype(f.Sort):
				fields[i] = []*term.Term{e.field(f)}
			}
		}
		after := e.image(d, e.construct(c, fields))
		var kept []*term.Term
		for i, f := range facts {
			status, err := q.check(ctx, append(slices.Clip(premises), p.Not(after[i]))...)
			if err != nil {
				return nil, err
			}
			if status == smt.Unsat {
				kept = append(kept, f)
			}
		}
		if len(kept) < len(facts) {
			return kept, nil
		}
	}
	return facts, nil
}

// withoutImplied drops facts that the others imply.
func (e *encoding) withoutImplied(ctx context.Context, q *querier, facts []*term.Term) []*term.Term {
	for i := len(facts) - 1; i >= 0; i-- {
		others := slices.Delete(slices.Clone(facts), i, i+1)
		if status, err := q.check(ctx, append(slices.Clip(others), e.pool.Not(facts[i]))...); err == nil && status == smt.Unsat {
			facts = others
		}
	}
	return facts
}

// candidateFacts are bounds of single components, orders between two, and what the value of one says about another: that
// only an empty list has length 0.
func (e *encoding) candidateFacts(d *term.Datatype) []*term.Term {
	p := e.pool
	cs := e.components(d)
	var out []*term.Term
	for _, c := range cs {
		x := e.self(c)
		out = append(out, p.Le(p.Int(1), x), p.Le(p.Int(0), x), p.Le(x, p.Int(0)), p.Le(x, p.Int(1)))
	}
	for i, c := range cs {
		for j, k := range cs {
			if i == j {
				continue
			}
			x, y := e.self(c), e.self(k)
			out = append(out, p.Le(x, y), p.Implies(p.Eq(x, p.Int(0)), p.Eq(y, p.Int(0))),
				p.Implies(p.Eq(x, p.Int(1)), p.Eq(y, p.Int(0))), p.Implies(p.Eq(x, p.Int(0)), p.Eq(y, p.Int(1))),
				p.Implies(p.Eq(x, p.Int(0)), p.Le(p.Int(1), y)))
		}
	}
	return out
}

// querier asks satisfiability of conjunctions, each by itself.
type querier struct {
	solver smt.Solver
}

// check decides the conjunction of the terms.
func (q *querier) check(ctx context.Context, ts ...*term.Term) (status smt.Status, err error) {
	if slices.ContainsFunc(ts, (*term.Term).IsFalse) {
		return smt.Unsat, nil
	}
	err = smt.Within(q.solver, ts, func() (err error) {
		status, err = q.solver.Check(ctx)
		return err
	})
	return status, err
}
