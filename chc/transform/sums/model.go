package sums

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/ghost"
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
		f := &function{p: p, of: t.old, n: p.Var("n", term.Int), a: p.Var("a", array), weight: w,
			symbol: witness.NewFunction(t.old, w.name(array), []*term.Sort{term.Int, array}, term.Int)}
		functions = append(functions, f)
		return f
	}
	return ghost.CarryModel(m, t.old, t.new, func(i int, params []*term.Term) []*term.Term {
		var args []*term.Term
		for _, m := range t.measures[i] {
			array := params[m.position]
			args = append(args, p.Apply(of(array.Sort(), m.weight).symbol, m.weight.end, array))
		}
		return args
	}, func() []*function { return functions })
}

// function is the function of n and a whose value is the sum of the weights of a's elements from index 0 to before n.
type function struct {
	p      *term.Pool
	weight weight
	symbol *term.Func
	n, a   *term.Term
	// of has the clauses, whose constant arrays the lemmas are about, too.
	of *chc.System
}

// Symbol is what an interpretation applies.
func (f *function) Symbol() *term.Func { return f.symbol }

// Definition is by recursion over the end.
func (f *function) Definition() witness.Definition {
	p, before := f.p, f.p.Sub(f.n, f.p.Int(1))
	return witness.Definition{Func: f.symbol, Params: []*term.Term{f.n, f.a}, Body: p.Ite(p.Le(f.n, p.Int(0)), p.Int(0),
		p.Add(p.Apply(f.symbol, before, f.a), f.weight.of(p.Select(f.a, before))))}
}

// Lemmas are what clauses are told of sums, those first that make sums of arrays that others are about.
func (f *function) Lemmas() []witness.Lemma {
	p, a := f.p, f.a
	i, j, v := p.Var("i", term.Int), p.Var("j", term.Int), p.Var("v", a.Sort().Elem)
	sum := func(a *term.Term) *term.Term { return p.Apply(f.symbol, f.n, a) }
	lemma := func(body *term.Term, vars ...*term.Term) witness.Lemma {
		return witness.Lemma{Vars: append([]*term.Term{f.n}, vars...), Body: body}
	}
	at := func(i *term.Term) *term.Term { return f.weight.of(p.Select(a, i)) }
	outside := func(i *term.Term) *term.Term { return p.Not(ghost.Within(i, f.n)) }
	changed := p.Ite(ghost.Within(i, f.n), p.Sub(f.weight.of(v), at(i)), p.Int(0))
	out := []witness.Lemma{lemma(p.Eq(sum(p.Store(a, i, v)), p.Add(sum(a), changed)), a, i, v)}
	for _, c := range ghost.Constants(f.of, a.Sort(), isConstant) {
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
