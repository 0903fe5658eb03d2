package folds

import (
	"context"
	"slices"
	"strconv"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Model puts the sum of an array for each argument that stands for one.
func (t *folding) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	p := t.old.Pool
	var functions []*function
	of := func(array *term.Sort, a addend) *function {
		for _, f := range functions {
			if f.a.Sort() == array && f.addend.equal(a) {
				return f
			}
		}
		name := "sum"
		if n := len(functions); n > 0 {
			name += strconv.Itoa(n + 1)
		}
		f := &function{p: p, n: p.Var("n", term.Int), a: p.Var("a", array), addend: a,
			symbol: witness.NewFunction(t.old, name, []*term.Sort{term.Int, array}, term.Int)}
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
			array, at := params[m.array], m.at(p, params)
			if m.element {
				args = append(args, p.Select(array, at))
			} else {
				args = append(args, p.Apply(of(array.Sort(), m.addend).symbol, at, array))
			}
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

// constants are the constant arrays of a sort in the clauses.
func (t *folding) constants(array *term.Sort) []*term.Term {
	var out []*term.Term
	t.old.EachTerm(func(u *term.Term) {
		if u.Op() == term.ConstArray && u.Sort() == array && u.Arg(0).IsNumeral() {
			out = append(out, u)
		}
	})
	return out
}

// function is the function of n and a whose value is the sum of what a's elements from index 0 to before n add.
type function struct {
	p      *term.Pool
	addend addend
	symbol *term.Func
	n, a   *term.Term
	// used reports whether an interpretation applies it.
	used bool
}

func (f *function) definition() witness.Definition {
	p, before := f.p, f.p.Sub(f.n, f.p.Int(1))
	return witness.Definition{Func: f.symbol, Params: []*term.Term{f.n, f.a}, Body: p.Ite(p.Le(f.n, p.Int(0)), p.Int(0),
		p.Add(p.Apply(f.symbol, before, f.a), f.addend.of(p.Select(f.a, before), before)))}
}

// lemmas are what clauses are told of sums that does not follow from the definition where it is unfolded.
func (f *function) lemmas(constants []*term.Term) []witness.Lemma {
	p, a := f.p, f.a
	i, v := p.Var("i", term.Int), p.Var("v", term.Int)
	sum := func(a *term.Term) *term.Term { return p.Apply(f.symbol, f.n, a) }
	changed := p.Ite(within(i, f.n), p.Sub(f.addend.of(v, i), f.addend.of(p.Select(a, i), i)), p.Int(0))
	out := []witness.Lemma{{Vars: []*term.Term{f.n, a, i, v}, Body: p.Eq(sum(p.Store(a, i, v)), p.Add(sum(a), changed))}}
	for _, c := range constants {
		if each := f.addend.of(c.Arg(0), p.Int(0)); f.addend.slope.IsZero() && each.IsNumeral() {
			out = append(out, witness.Lemma{Vars: []*term.Term{f.n}, Body: p.Eq(sum(c), p.Ite(p.Ge(f.n, p.Int(0)), p.Mul(each, f.n), p.Int(0)))})
		}
	}
	return out
}
