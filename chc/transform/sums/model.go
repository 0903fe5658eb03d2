package sums

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Model puts the sum of an array for each argument that stands for one.
func (t *addition) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	p := t.old.Pool
	var functions []*function
	of := func(array *term.Sort, w weight) *function {
		w.end = nil // it is an argument
		for _, f := range functions {
			if f.a.Sort() == array && f.weight == w {
				return f
			}
		}
		f := &function{p: p, n: p.Var("n", term.Int), a: p.Var("a", array), weight: w,
			symbol: witness.NewFunction(t.old, w.name(array), []*term.Sort{term.Int, array}, term.Int)}
		functions = append(functions, f)
		return f
	}
	out, err := transform.CarryModel(m, t.old.Predicates, t.new.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		if len(t.measures[i]) == 0 {
			return in, nil
		}
		params := transform.Parameters(p, t.old.Predicates[i])
		args := slices.Clone(params)
		for _, m := range t.measures[i] {
			array := params[m.position]
			args = append(args, p.Apply(of(array.Sort(), m.weight).symbol, m.weight.end, array))
		}
		body := in.Apply(p, args)
		term.Walk(body, func(u *term.Term) bool {
			for _, f := range functions {
				f.used = f.used || u.Func() == f.symbol
			}
			return true
		})
		return witness.Interpretation{Params: params, Body: body}, nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range functions {
		if f.used {
			out.Definitions = append(out.Definitions, f.definition())
			out.Lemmas = append(out.Lemmas, f.lemmas(t.constants(f.a.Sort()))...)
		}
	}
	return out, nil
}

// constants are the constant arrays of a sort in the clauses whose elements are known.
func (t *addition) constants(array *term.Sort) []*term.Term {
	var out []*term.Term
	t.old.EachTerm(func(u *term.Term) {
		if u.Op() == term.ConstArray && u.Sort() == array && isConstant(u.Arg(0)) {
			out = append(out, u)
		}
	})
	return out
}

// function is the function of n and a whose value is the sum of the weights of a's elements from index 0 to before n.
type function struct {
	p      *term.Pool
	weight weight
	symbol *term.Func
	n, a   *term.Term
	// used reports whether an interpretation applies it.
	used bool
}

func (f *function) definition() witness.Definition {
	p, before := f.p, f.p.Sub(f.n, f.p.Int(1))
	return witness.Definition{Func: f.symbol, Params: []*term.Term{f.n, f.a}, Body: p.Ite(p.Le(f.n, p.Int(0)), p.Int(0),
		p.Add(p.Apply(f.symbol, before, f.a), f.weight.of(p.Select(f.a, before))))}
}

// lemmas are what clauses are told of sums, those first that make sums of arrays that others are about.
func (f *function) lemmas(constants []*term.Term) []witness.Lemma {
	p, a := f.p, f.a
	i, j, v := p.Var("i", term.Int), p.Var("j", term.Int), p.Var("v", a.Sort().Elem)
	sum := func(a *term.Term) *term.Term { return p.Apply(f.symbol, f.n, a) }
	lemma := func(body *term.Term, vars ...*term.Term) witness.Lemma {
		return witness.Lemma{Vars: append([]*term.Term{f.n}, vars...), Body: body}
	}
	at := func(i *term.Term) *term.Term { return f.weight.of(p.Select(a, i)) }
	outside := func(i *term.Term) *term.Term { return p.Not(within(i, f.n)) }
	changed := p.Ite(within(i, f.n), p.Sub(f.weight.of(v), at(i)), p.Int(0))
	out := []witness.Lemma{lemma(p.Eq(sum(p.Store(a, i, v)), p.Add(sum(a), changed)), a, i, v)}
	for _, c := range constants {
		out = append(out, lemma(p.Eq(sum(c), p.Ite(p.Ge(f.n, p.Int(0)), p.Mul(f.weight.of(c.Arg(0)), f.n), p.Int(0)))))
	}
	out = append(out,
		lemma(p.Ge(sum(a), p.Int(0)), a),
		lemma(p.Or(outside(i), p.Le(at(i), sum(a))), a, i),
		lemma(p.Or(outside(i), outside(j), p.Eq(i, j), p.Le(p.Add(at(i), at(j)), sum(a))), a, i, j),
	)
	if f.weight.counts(a.Sort()) {
		out = append(out,
			lemma(p.Or(p.Lt(f.n, p.Int(0)), p.Le(sum(a), f.n)), a),
			lemma(p.Or(outside(i), p.Le(sum(a), p.Add(at(i), p.Sub(f.n, p.Int(1))))), a, i),
		)
	}
	return out
}
