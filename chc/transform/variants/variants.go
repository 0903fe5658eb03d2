package variants

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/witness"
)

// Pass returns the pass "variants". The passes that simplify returns are run on what it makes: most of the components are
// constant, or equal to others.
func Pass(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "variants",
		Doc: "Writes arguments of datatypes that do not contain themselves as a tag, which says what built the value, and the fields of all " +
			"constructors.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			next, back, err := Spread(ctx, env, sys)
			if err != nil || next == sys {
				return sys, nil, err
			}
			passes := slices.DeleteFunc(simplify(), func(p transform.Pass) bool { return p.Name == "specialise" })
			simple, rest, _, err := transform.Pipeline(ctx, transform.Environment{Open: env.Open}, next, passes)
			if err != nil {
				return nil, nil, err
			}
			return simple, transform.Composition{back, rest}, nil
		},
	}
}

// Spread is the pass without the simplification. Values and their components correspond one to one, so that the two systems have
// the same models and refutations; selectors of the wrong constructor, which the passes before this one guard, yield defaults.
func Spread(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if !guard.HasVariants(sys) {
		return sys, nil, nil
	}
	l := newLayouts(sys)
	if !l.any(sys) {
		return sys, nil, nil
	}
	var err error
	if l.live, err = findLive(ctx, env, sys, l); err != nil {
		return nil, nil, err
	}
	clear(l.of)
	w := newWriter(l)
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		preds[i] = w.predicate(p)
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("writing variants as fields: %w", err)
		}
		clauses[i] = w.clause(c, preds)
	}
	next := transform.Rebuild(sys, preds, clauses)
	return next, &transform.Retyping{Old: sys, New: next, Interpret: w.interpret, Recode: w.recode}, nil
}

// any reports whether an argument has a layout with a tag.
func (l *layouts) any(sys *chc.System) bool {
	return slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool {
		return slices.ContainsFunc(p.Sorts, func(s *term.Sort) bool {
			of := l.layout(s)
			return of != nil && of.tagged()
		})
	})
}

// predicate returns p with the components of its arguments as arguments.
func (l *layouts) predicate(p *chc.Predicate) *chc.Predicate {
	return transform.Spread(p, func(i int) (out []transform.Argument, ok bool) {
		of := l.layout(p.Sorts[i])
		if of == nil {
			return nil, false
		}
		for _, c := range of.components {
			out = append(out, transform.Argument{Sort: c.sort, Suffix: c.suffix})
		}
		return out, true
	})
}

// interpret applies the interpretation of p's successor to the components of p's arguments, and says that live constructors
// built these.
func (l *layouts) interpret(p *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := transform.Parameters(l.pool, p)
	var args, facts []*term.Term
	for _, x := range params {
		args = append(args, l.open(x)...)
		if of := l.layout(x.Sort()); of != nil && len(of.built) < len(x.Sort().Data.Constructors) {
			var built []*term.Term
			for _, c := range of.built {
				built = append(built, l.pool.Is(c, x))
			}
			facts = append(facts, l.pool.Or(built...))
		}
	}
	return witness.Interpretation{Params: params, Body: l.pool.And(append(facts, in.Apply(l.pool, args))...)}, nil
}

// recode computes the value of a variable from those of its components.
func (w *writer) recode(_ int, v *term.Term) (transform.Recoding, bool) {
	parts, ok := w.variables[v]
	return transform.Recoding{Variables: parts, Value: func(values []term.Value) term.Value { return w.close(v.Sort(), values) }}, ok
}
