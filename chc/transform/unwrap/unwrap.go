package unwrap

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/witness"
)

// Pass returns the pass "unwrap".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "unwrap",
		Doc: "Replaces arguments that are always the same function of some number, such as its remainder, by that number, from which " +
			"the function's value is computed where it is used.",
		Run: func(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return unwrap(ctx, sys)
		},
	}
}

// image is a function that arguments are values of: that maps x to (mod x modulus) + low, or what form is with x for its variable.
type image struct {
	modulus, low term.Num
	form         *term.Term
}

// formVar is the variable of an image's form.
func formVar(p *term.Pool) *term.Term { return p.Var("unwrap.number", term.Int) }

func (r image) of(x *term.Term) *term.Term {
	p := x.Pool()
	if r.form != nil {
		return p.Substitute(r.form, map[*term.Term]*term.Term{formVar(p): x})
	}
	return p.Add(p.Mod(x, p.IntNum(r.modulus)), p.IntNum(r.low))
}

func (r image) equal(s image) bool {
	return r.modulus.Equal(s.modulus) && r.low.Equal(s.low) && r.form == s.form
}

// number returns x where t is r.of(x).
func (r image) number(t *term.Term) (*term.Term, bool) {
	p := t.Pool()
	if r.form != nil {
		s, x, ok := asForm(t)
		return x, ok && s.equal(r)
	}
	if t.IsNumeral() {
		n := t.Num().Sub(r.low)
		return p.IntNum(n), n.Sign() >= 0 && n.Cmp(r.modulus) < 0
	}
	s, ok := asRemainder(t)
	if !ok || !s.equal(r) {
		return nil, false
	}
	l := p.Linear(p.Linear(t).Monomials[0].Term.Arg(0))
	// A remainder by the same modulus that is part of the number may be any number that has it.
	for _, m := range l.Monomials {
		if m.Term.Op() == term.Mod && m.Term.Arg(1).IsNumeral() && m.Term.Arg(1).Num().Equal(r.modulus) && m.Coef.IsInt() {
			l = l.Without(m.Term).AddTerm(m.Coef, m.Term.Arg(0))
		}
	}
	return p.FromLinear(l, term.Int), true
}

// asImage reads a term as the value of a function that is not linear.
func asImage(t *term.Term) (image, bool) {
	r, ok := asRemainder(t)
	if ok {
		for _, m := range t.Pool().Linear(t.Pool().Linear(t).Monomials[0].Term.Arg(0)).Monomials {
			ok = ok && (m.Term.IsVar() || m.Term.Op() == term.Mod)
		}
		if ok {
			return r, true
		}
	}
	if r, _, ok := asForm(t); ok {
		return r, true
	}
	return asRemainder(t)
}

// asForm reads a term over a single variable as a function of that, unless it is linear.
func asForm(t *term.Term) (image, *term.Term, bool) {
	if t.Sort() != term.Int || t.HasQuantifier() {
		return image{}, nil, false
	}
	vars := term.Vars(t)
	if len(vars) != 1 || vars[0].Sort() != term.Int {
		return image{}, nil, false
	}
	if l := t.Pool().Linear(t); len(l.Monomials) == 1 && l.Monomials[0].Term == vars[0] {
		return image{}, nil, false
	}
	return image{form: t.Pool().Substitute(t, map[*term.Term]*term.Term{vars[0]: formVar(t.Pool())})}, vars[0], true
}

// asRemainder reads a term as a remainder by a numeral with a constant added.
func asRemainder(t *term.Term) (image, bool) {
	if t.Sort() != term.Int {
		return image{}, false
	}
	l := t.Pool().Linear(t)
	if len(l.Monomials) != 1 || !l.Monomials[0].Coef.IsOne() {
		return image{}, false
	}
	m := l.Monomials[0].Term
	if m.Op() != term.Mod || !m.Arg(1).IsNumeral() || m.Arg(1).Num().Sign() <= 0 {
		return image{}, false
	}
	return image{modulus: m.Arg(1).Num(), low: l.Const}, true
}

// place is an argument of a predicate.
type place struct{ pred, position int }

// unwrapping is one run of the pass and its Translator. A predicate of the old system holds of a remainder when its successor holds of
// some number with that remainder.
type unwrapping struct {
	old, new *chc.System
	places   map[place]image
	// recoded has, for each clause, the variables that are remainders of new ones.
	recoded []map[*term.Term]*term.Term
	of      []map[*term.Term]image
}

func unwrap(ctx context.Context, sys *chc.System) (*chc.System, transform.Translator, error) {
	t := &unwrapping{old: sys, places: places(sys)}
	if len(t.places) == 0 {
		return sys, nil, nil
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		clauses[i] = t.clause(c)
	}
	t.new = transform.Rebuild(sys, sys.Predicates, clauses)
	return t.new, t, nil
}

// places finds the arguments that are remainders in every clause's head, or there such arguments of its body. Some clause takes the
// remainder.
func places(sys *chc.System) map[place]image {
	found := map[place]image{}
	sources := map[place][]*chc.Clause{}
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		for i, t := range c.Head.Args {
			at := place{c.Head.Pred.ID, i}
			sources[at] = append(sources[at], c)
			if r, ok := asImage(t); ok {
				if _, known := found[at]; !known {
					found[at] = r
				}
			}
		}
	}
	handed := func(c *chc.Clause, t *term.Term) (image, bool) {
		for _, b := range c.Body {
			for i, x := range b.Args {
				if r, ok := found[place{b.Pred.ID, i}]; ok && x == t && x.IsVar() {
					return r, true
				}
			}
		}
		return image{}, false
	}
	// What is only handed on is found after what it is handed on from.
	for changed := true; changed; {
		changed = false
		for _, p := range sys.Predicates {
			for i := range p.Sorts {
				at := place{p.ID, i}
				if _, known := found[at]; known {
					continue
				}
				for _, c := range sources[at] {
					if r, ok := handed(c, c.Head.Args[i]); ok {
						found[at], changed = r, true
						break
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for at, r := range found {
			for _, c := range sources[at] {
				t := c.Head.Args[at.position]
				if _, ok := r.number(t); ok {
					continue
				}
				if s, ok := handed(c, t); !ok || !s.equal(r) {
					delete(found, at)
					changed = true
					break
				}
			}
		}
	}
	return found
}

// clause returns the clause with numbers for remainders.
func (t *unwrapping) clause(c *chc.Clause) *chc.Clause {
	p := t.old.Pool
	sub, numbers, kinds := map[*term.Term]*term.Term{}, map[*term.Term]*term.Term{}, map[*term.Term]image{}
	var equations []*term.Term
	out := *c
	out.Body = nil
	for _, b := range c.Body {
		args := slices.Clone(b.Args)
		for i, x := range b.Args {
			r, ok := t.places[place{b.Pred.ID, i}]
			if !ok {
				continue
			}
			g := p.Fresh("number", term.Int)
			args[i] = g
			if x.IsVar() && sub[x] == nil {
				sub[x], numbers[x], kinds[x] = r.of(g), g, r
			} else {
				equations = append(equations, p.Eq(x, r.of(g)))
			}
		}
		out.Body = append(out.Body, chc.App{Pred: b.Pred, Args: args})
	}
	replaced := func(u *term.Term) *term.Term { return p.Substitute(u, sub) }
	for k, b := range out.Body {
		for i, x := range b.Args {
			if _, ok := t.places[place{b.Pred.ID, i}]; !ok {
				out.Body[k].Args[i] = replaced(x)
			}
		}
	}
	out.Constraint = replaced(p.And(append(equations, c.Constraint)...))
	if c.Head != nil {
		h := chc.App{Pred: c.Head.Pred, Args: slices.Clone(c.Head.Args)}
		for i, x := range c.Head.Args {
			r, ok := t.places[place{h.Pred.ID, i}]
			h.Args[i] = replaced(x)
			if !ok {
				continue
			}
			if k, same := kinds[x]; same && k.equal(r) {
				h.Args[i] = numbers[x]
			} else if n, ok := r.number(h.Args[i]); ok {
				h.Args[i] = n
			} else {
				n, _ := r.number(x)
				h.Args[i] = replaced(n)
			}
		}
		out.Head = &h
	}
	t.recoded, t.of = append(t.recoded, numbers), append(t.of, kinds)
	return &out
}

// Model says of a remainder that the successor holds of some number that has it.
func (t *unwrapping) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	p := t.old.Pool
	return transform.CarryModel(m, t.old.Predicates, t.new.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		pred := t.old.Predicates[i]
		params := transform.Parameters(p, pred)
		args := slices.Clone(params)
		var equations []*term.Term
		for k := range args {
			if r, ok := t.places[place{i, k}]; ok {
				args[k] = p.Fresh("number", term.Int)
				equations = append(equations, p.Eq(params[k], r.of(args[k])))
			}
		}
		if len(equations) == 0 {
			return in, nil
		}
		conjuncts := append([]*term.Term{in.Apply(p, args)}, equations...)
		body, ok := qe.NewProjector(p, params, qe.DefaultWork, qe.DefaultNodes).Exists(conjuncts...)
		if !ok {
			return in, fmt.Errorf("%w: no formula without quantifiers says which remainders it holds of", transform.ErrGaveUp)
		}
		return witness.Interpretation{Params: params, Body: body}, nil
	})
}

// Refutation takes the remainders.
func (t *unwrapping) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return transform.RecodeSteps(t.old.Pool, r, t.old.Clauses, t.new.Clauses, func(clause int, x *term.Term) (transform.Recoding, bool) {
		g, ok := t.recoded[clause][x]
		if !ok {
			return transform.Recoding{}, false
		}
		kind := t.of[clause][x]
		return transform.Recoding{Variables: []*term.Term{g}, Value: func(vs []term.Value) term.Value {
			n := kind.of(t.old.Pool.IntNum(vs[0].Num()))
			return term.NumValue(n.Num(), term.Int)
		}}, true
	})
}
