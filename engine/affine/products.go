package affine

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

const (
	// mostRounds bounds the models that one question is asked for before it is left to the solver's reasoning about products.
	mostRounds = 12
	// mostMultiples bounds the multiples of equations that are added in a round.
	mostMultiples = 60
	// mostSmall bounds what counts as a small number.
	mostSmall = 10
)

// products decides formulas over products of variables in linear arithmetic: each product is a variable of its own, of which the solver
// learns what it needs, the multiples of equations (incremental linearisation, with the products of equations as the only lemmas; Cimatti
// et al., "Incremental Linearization for Satisfiability and Verification Modulo Nonlinear Arithmetic and Transcendental Functions",
// 2018). What follows by multiplying equations and adding them up is so decided without any search for values, and what a product of
// two inequalities would be needed for is not.
type products struct {
	pool   *term.Pool
	expand *expander
	// base is an expanded formula, of which the solver holds the abstraction.
	base   *term.Term
	solver smt.Solver
	// names has the variable of each product, by the product.
	names map[*term.Term]*term.Term
	// order has the products in the order in which they were met.
	order []*term.Term
	memo  map[*term.Term]*term.Term
	// multiples holds which have been added, by equation and factor.
	multiples map[multiple]*term.Term
}

// multiple is an equation, "sum = 0", times a factor.
type multiple struct {
	sum, factor *term.Term
}

// newProducts tells a solver, which is the products' own from then on, the abstraction of base.
func newProducts(pool *term.Pool, expand *expander, base *term.Term, solver smt.Solver) (*products, error) {
	p := &products{pool: pool, expand: expand, base: base, solver: solver, names: map[*term.Term]*term.Term{}, memo: map[*term.Term]*term.Term{}, multiples: map[multiple]*term.Term{}}
	return p, solver.Assert(p.abstract(base))
}

// abstract returns a formula with a variable for each product.
func (p *products) abstract(t *term.Term) *term.Term {
	if len(t.Args()) == 0 || t.IsQuantifier() {
		return t
	}
	if out := p.memo[t]; out != nil {
		return out
	}
	var out *term.Term
	if t.Factors() != nil {
		if out = p.names[t]; out == nil {
			out = p.pool.Fresh("m", t.Sort())
			p.names[t] = out
			p.order = append(p.order, t)
		}
	} else {
		out = p.pool.MapArgs(t, p.abstract)
	}
	p.memo[t] = out
	return out
}

// check asks whether expanded formulas have a model together with base. A model is one of the formulas themselves, not of their abstractions only.
func (p *products) check(ctx context.Context, formulas []*term.Term) (status smt.Status, model *smt.Model, err error) {
	all := append([]*term.Term{p.base}, formulas...)
	abstract := make([]*term.Term, len(formulas))
	for i, f := range formulas {
		abstract[i] = p.abstract(f)
	}
	err = smt.Within(p.solver, abstract, func() error {
		for range mostRounds {
			if status, err = p.solver.Check(ctx); err != nil || status != smt.Sat {
				return err
			}
			if model, err = p.solver.Model(); err != nil {
				return fmt.Errorf("read a model: %w", err)
			}
			values := term.Complete(p.pool, model)
			if exact := term.NewEvaluator(p.pool, values); !slices.ContainsFunc(all, func(f *term.Term) bool { return !exact.True(f) }) {
				return nil
			}
			status, model = smt.Unknown, nil
			lemmas := p.refute(term.NewEvaluator(p.pool, values), all)
			if len(lemmas) == 0 {
				if model, err = p.near(ctx, values, all); model != nil {
					status = smt.Sat
				}
				return err
			}
			if err := p.solver.Assert(lemmas...); err != nil {
				return fmt.Errorf("assert multiples of equations: %w", err)
			}
		}
		status, model = smt.Unknown, nil
		return nil
	})
	return status, model, err
}

// near returns a model of formulas in which the factors of products have the values that they have in a model of the abstraction; nil where
// there is none.
func (p *products) near(ctx context.Context, values term.Assignment, formulas []*term.Term) (model *smt.Model, err error) {
	exact := term.NewEvaluator(p.pool, values)
	var fixed []*term.Term
	for _, t := range p.order {
		for _, x := range append(slices.Clone(t.Args()), t) {
			v, ok := exact.Eval(x)
			if !ok {
				return nil, nil
			}
			fixed = append(fixed, p.pool.Eq(p.abstract(x), v.Term(p.pool)))
		}
	}
	err = smt.Within(p.solver, fixed, func() error {
		model, err = smt.Satisfied(ctx, p.solver, p.pool, formulas)
		return err
	})
	return model, err
}

// refute returns multiples of equations that hold in a model of the abstraction, and which the values of its products violate.
func (p *products) refute(values *term.Evaluator, formulas []*term.Term) []*term.Term {
	factors := p.factors()
	multiplied := map[*term.Term]bool{}
	for _, f := range factors {
		for _, x := range term.Vars(f) {
			multiplied[x] = true
		}
	}
	var lemmas []*term.Term
	seen := map[*term.Term]bool{}
	try := func(sum *term.Term) {
		if seen[sum] || !slices.ContainsFunc(term.Vars(sum), func(x *term.Term) bool { return multiplied[x] }) {
			return
		}
		seen[sum] = true
		zero := p.pool.Numeral(term.Num{}, sum.Sort())
		for _, f := range factors {
			if len(lemmas) == mostMultiples {
				return
			}
			if f.Sort() != sum.Sort() {
				continue
			}
			lemma := p.multiples[multiple{sum, f}]
			if lemma == nil {
				product := p.expand.product([]*term.Term{sum, f})
				lemma = p.pool.Implies(p.pool.Eq(sum, zero), p.abstract(p.pool.Eq(product, zero)))
				p.multiples[multiple{sum, f}] = lemma
			}
			if !values.True(lemma) {
				lemmas = append(lemmas, lemma)
			}
		}
	}
	for _, f := range formulas {
		term.Walk(f, func(t *term.Term) bool {
			if sum := equated(p.pool, t); sum != nil {
				if v, ok := values.Eval(sum); ok && v.Num().IsZero() {
					try(sum)
				}
			}
			return true
		})
	}
	return lemmas
}

// equated is the difference of the two sides of a comparison of sums without products, which may be 0; nil for any other formula.
func equated(pool *term.Pool, t *term.Term) *term.Term {
	switch t.Op() {
	case term.Eq, term.Le, term.Lt:
	default:
		return nil
	}
	if !t.Arg(0).Sort().IsArith() || term.Multiplies(t) {
		return nil
	}
	sum := pool.Sub(t.Arg(0), t.Arg(1))
	if sum.IsNumeral() {
		return nil
	}
	return sum
}

// factors are what products have as proper factors.
func (p *products) factors() []*term.Term {
	var out []*term.Term
	add := func(t *term.Term) {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, t := range p.order {
		for i, x := range t.Args() {
			add(x)
			others := slices.Delete(slices.Clone(t.Args()), i, i+1)
			rest := others[0]
			for _, y := range others[1:] {
				rest = p.pool.Mul(rest, y)
			}
			add(rest)
		}
	}
	return out
}

// small says that the factors of products are small numbers.
func (p *products) small() []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	for _, t := range p.order {
		for _, x := range t.Args() {
			if !seen[x] {
				seen[x] = true
				most := p.pool.Numeral(term.NewInt(mostSmall), x.Sort())
				out = append(out, p.pool.Le(x, most), p.pool.Ge(x, p.pool.Neg(most)))
			}
		}
	}
	return out
}
