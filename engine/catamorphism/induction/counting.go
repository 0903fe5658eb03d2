package induction

import (
	"context"
	"maps"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// place is an argument of a function.
type place struct {
	fn  *term.Func
	arg int
}

// counting are the arguments of functions that count: a number that a definition compares with a constant, or hands on with one added to
// it, such as how many elements are still to be taken. What is true of them is often true only where they are not negative, and is about
// their sums.
type counting map[place]bool

// compared are the parameters of a definition that a formula over them compares with constants.
func compared(p *term.Pool, d witness.Definition, f *term.Term) counting {
	out := counting{}
	term.Walk(f, func(t *term.Term) bool {
		if t.Op() == term.Le && t.Arg(0).Sort() == term.Int {
			if l := p.Linear(p.Sub(t.Arg(0), t.Arg(1))); len(l.Monomials) == 1 {
				if i := slices.Index(d.Params, l.Monomials[0].Term); i >= 0 {
					out[place{d.Func, i}] = true
				}
			}
		}
		return true
	})
	return out
}

// findCounting returns the arguments that count in definitions, those that are compared with constants among them.
func findCounting(p *term.Pool, ds []witness.Definition, compared counting) counting {
	out := maps.Clone(compared)
	for before := -1; before < len(out); {
		before = len(out)
		for _, d := range ds {
			term.Walk(d.Body, func(t *term.Term) bool {
				if t.Op() != term.Apply {
					return true
				}
				for i, a := range t.Args() {
					if a.Sort() != term.Int {
						continue
					}
					l := p.Linear(a)
					if len(l.Monomials) != 1 || !l.Monomials[0].Coef.IsOne() {
						continue
					}
					own := slices.Index(d.Params, l.Monomials[0].Term)
					if own >= 0 && (!l.Const.IsZero() || out[place{t.Func(), i}]) {
						out[place{t.Func(), i}], out[place{d.Func, own}] = true, true
					}
				}
				return true
			})
		}
	}
	return out
}

// conditional is a formula under the condition that its variables that stand where numbers count are not negative; the formula itself
// where there are none.
func (c counting) conditional(p *term.Pool, f *term.Term) *term.Term {
	var variables []*term.Term
	term.Walk(f, func(t *term.Term) bool {
		if t.Op() == term.Apply {
			for i, a := range t.Args() {
				if !c[place{t.Func(), i}] {
					continue
				}
				for _, x := range term.Vars(a) {
					if x.Sort() == term.Int && !slices.Contains(variables, x) {
						variables = append(variables, x)
					}
				}
			}
		}
		return true
	})
	out := []*term.Term{f}
	for _, x := range variables {
		out = append(out, p.Lt(x, p.Int(0)))
	}
	return p.Or(out...)
}

// addsUp reports whether a function adds numbers up.
func addsUp(d witness.Definition) bool {
	if d.Func.Range != term.Int {
		return false
	}
	found := false
	term.Walk(d.Body, func(t *term.Term) bool {
		found = found || t.Op() == term.Add && slices.ContainsFunc(t.Args(), func(a *term.Term) bool { return a.Op() == term.Apply })
		return !found
	})
	return found
}

// signs proves of the functions whose results are numbers that these are not negative, which equations do not say.
func (pr *Prover) signs(ctx context.Context) error {
	p := pr.sys.Pool
	pr.quick = true
	defer func() { pr.quick = false }()
	counts := findCounting(p, pr.model.Definitions, pr.compared)
	for ; pr.signed < len(pr.model.Definitions); pr.signed++ {
		d := pr.model.Definitions[pr.signed]
		if d.Func.Range != term.Int {
			continue
		}
		body := counts.conditional(p, p.Ge(p.Apply(d.Func, d.Params...), p.Int(0)))
		lemma, ok, err := pr.induct(ctx, body, pr.model.Lemmas)
		if err != nil {
			return err
		}
		if ok {
			pr.basic = append(pr.basic, lemma)
			pr.model.Lemmas = append(pr.model.Lemmas, lemma)
		}
	}
	return nil
}

// measure defines the sizes of the recursive datatypes that functions are about. It reports whether there are any that are not defined
// yet.
func (pr *Prover) measure() bool {
	if pr.measured {
		return false
	}
	pr.measured = true
	var sorts []*term.Sort
	for _, d := range pr.model.Definitions {
		for _, s := range append(slices.Clone(d.Func.Domain), d.Func.Range) {
			if s.Data != nil && !slices.Contains(sorts, s) {
				sorts = append(sorts, s)
			}
		}
	}
	before := len(pr.model.Definitions)
	for _, s := range sorts {
		if d, ok := pr.size(s); ok {
			pr.model.Definitions = append(pr.model.Definitions, d)
		}
	}
	return len(pr.model.Definitions) > before
}

// size defines the number of recursive constructors in a value of a datatype; ok is false where there are none.
func (pr *Prover) size(s *term.Sort) (d witness.Definition, ok bool) {
	p := pr.sys.Pool
	x := p.Var("x0", s)
	d.Func = witness.NewFunction(pr.sys, "size-of-"+s.Name, []*term.Sort{s}, term.Int)
	d.Params, d.Body = []*term.Term{x}, p.Int(0)
	for _, c := range s.Data.Constructors {
		inner := []*term.Term{p.Int(1)}
		for _, f := range c.Selectors {
			if f.Sort == s {
				inner = append(inner, p.Apply(d.Func, p.Field(f, x)))
			}
		}
		if len(inner) > 1 {
			ok = true
			d.Body = p.Ite(p.Is(c, x), p.Add(inner...), d.Body)
		}
	}
	return d, ok
}
