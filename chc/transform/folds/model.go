package folds

import (
	"context"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/ghost"
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
		f := &function{p: p, of: t.old, n: p.Var("n", term.Int), a: p.Var("a", array), addend: a,
			symbol: witness.NewFunction(t.old, name, []*term.Sort{term.Int, array}, term.Int)}
		functions = append(functions, f)
		return f
	}
	return ghost.CarryModel(m, t.old, t.new, func(i int, params []*term.Term) []*term.Term {
		var args []*term.Term
		for _, m := range t.measures[i] {
			array, at := params[m.array], m.at(p, params)
			if m.element {
				args = append(args, p.Select(array, at))
			} else {
				args = append(args, p.Apply(of(array.Sort(), m.addend).symbol, at, array))
			}
		}
		return args
	}, func() []*function { return functions })
}

// function is the function of n and a whose value is the sum of what a's elements from index 0 to before n add.
type function struct {
	p      *term.Pool
	addend addend
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
		p.Add(p.Apply(f.symbol, before, f.a), f.addend.of(p.Select(f.a, before), before)))}
}

// Lemmas are what clauses are told of sums that does not follow from the definition where it is unfolded.
func (f *function) Lemmas() []witness.Lemma {
	p, a := f.p, f.a
	i, v := p.Var("i", term.Int), p.Var("v", term.Int)
	sum := func(a *term.Term) *term.Term { return p.Apply(f.symbol, f.n, a) }
	changed := p.Ite(ghost.Within(i, f.n), p.Sub(f.addend.of(v, i), f.addend.of(p.Select(a, i), i)), p.Int(0))
	out := []witness.Lemma{{Vars: []*term.Term{f.n, a, i, v}, Body: p.Eq(sum(p.Store(a, i, v)), p.Add(sum(a), changed))}}
	for _, c := range ghost.Constants(f.of, a.Sort(), (*term.Term).IsNumeral) {
		if each := f.addend.of(c.Arg(0), p.Int(0)); f.addend.slope.IsZero() && each.IsNumeral() {
			out = append(out, witness.Lemma{Vars: []*term.Term{f.n}, Body: p.Eq(sum(c), p.Ite(p.Ge(f.n, p.Int(0)), p.Mul(each, f.n), p.Int(0)))})
		}
	}
	return out
}
