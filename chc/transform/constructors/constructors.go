package constructors

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/witness"
)

// Pass returns the pass "constructors".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "constructors",
		Doc: "Replaces an argument of a datatype with several constructors by the fields of the one constructor that it is " +
			"always built with.",
		Repeat: true,
		Run:    specialiseConstructors,
	}
}

// specialiseConstructors replaces the arguments of which the analysis knows the constructor: P(c(x, y)) becomes P'(x, y).
// It is exact: P(t) stands for "t is a c, and P' of its fields". Predicates and clauses that the analysis finds underivable
// are removed. A field that is always built with one constructor, too, is replaced when the pass is repeated.
func specialiseConstructors(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if !guard.HasVariants(sys) {
		return sys, nil, nil
	}
	a := analyseConstructors(sys)
	if !a.found() {
		return sys, nil, nil
	}
	t := &constructorTranslator{old: sys, unique: a.of, replacements: make([]transform.Replacement, len(sys.Predicates))}
	var preds []*chc.Predicate
	changed := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range sys.Predicates {
		if a.of[i] == nil {
			continue
		}
		q := a.predicate(p)
		changed[p] = q
		preds = append(preds, q)
	}
	var clauses []*chc.Clause
	for _, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("specialising constructors: %w", err)
		}
		if a.facts(c) == nil {
			continue
		}
		d, fields := a.rewrite(c, changed)
		clauses = append(clauses, d)
		t.origins = append(t.origins, c)
		t.fields = append(t.fields, fields)
	}
	t.new = transform.Rebuild(sys, preds, clauses)
	n := 0
	for i := range sys.Predicates {
		if a.of[i] != nil {
			t.replacements[i].Pred = t.new.Predicates[n]
			n++
		}
	}
	return t.new, t, nil
}

// constructorAnalysis is the abstract interpretation of a system by the constructors of its predicates' arguments.
type constructorAnalysis struct {
	sys *chc.System
	// of holds, for each predicate that something is derived of, its arguments' constructors: nil where they differ.
	of [][]*term.Constructor
}

func analyseConstructors(sys *chc.System) *constructorAnalysis {
	a := &constructorAnalysis{sys: sys, of: make([][]*term.Constructor, len(sys.Predicates))}
	// An argument's constructor is found once and given up once, so there are few rounds.
	for changed := true; changed; {
		changed = false
		for _, c := range sys.Clauses {
			if c.Head != nil && a.apply(c) {
				changed = true
			}
		}
	}
	return a
}

// apply joins the constructors that the clause derives to those of its head's predicate and reports whether that changed.
func (a *constructorAnalysis) apply(c *chc.Clause) bool {
	known := a.facts(c)
	if known == nil {
		return false
	}
	old := a.of[c.Head.Pred.ID]
	changed := old == nil
	if changed {
		old = make([]*term.Constructor, len(c.Head.Args))
	}
	for i, t := range c.Head.Args {
		switch ctor := known.constructor(t); {
		case a.of[c.Head.Pred.ID] == nil:
			old[i] = ctor
		case old[i] != nil && old[i] != ctor:
			old[i] = nil
			changed = true
		}
	}
	a.of[c.Head.Pred.ID] = old
	return changed
}

// found reports whether some argument always has the same constructor.
func (a *constructorAnalysis) found() bool {
	for _, of := range a.of {
		for _, c := range of {
			if c != nil {
				return true
			}
		}
	}
	return false
}

// knownConstructors are the constructors of terms under a clause's premise.
type knownConstructors map[*term.Term]*term.Constructor

// constructor returns the constructor of t's value; nil when it is not known or t's datatype has only one.
func (k knownConstructors) constructor(t *term.Term) *term.Constructor {
	if !t.Sort().IsDatatype() || len(t.Sort().Data.Constructors) == 1 {
		return nil
	}
	switch {
	case t.Op() == term.Construct:
		return t.Ctor()
	case k[t] != nil:
		return k[t]
	case t.IsIte():
		if c := k.constructor(t.Arg(1)); c == k.constructor(t.Arg(2)) {
			return c
		}
	}
	return nil
}

// learn notes that t's value was built by c; false when it is known to be built by another.
func (k knownConstructors) learn(t *term.Term, c *term.Constructor) bool {
	if c == nil {
		return true
	}
	if old := k.constructor(t); old != nil {
		return old == c
	}
	k[t] = c
	return true
}

// facts returns the constructors that the clause's premise implies, nil when it is never true: some atom's predicate has no
// instance, or a term would need two constructors.
func (a *constructorAnalysis) facts(c *chc.Clause) knownConstructors {
	k := knownConstructors{}
	for _, b := range c.Body {
		of := a.of[b.Pred.ID]
		if of == nil {
			return nil
		}
		for i, t := range b.Args {
			if !k.learn(t, of[i]) {
				return nil
			}
		}
	}
	var equal [][2]*term.Term
	for _, f := range term.Conjuncts(c.Constraint) {
		switch atom, positive := f.Atom(); {
		case atom.Op() == term.Is:
			ctor := atom.Ctor()
			if !positive {
				if ctor = other(ctor); ctor == nil {
					continue
				}
			}
			if !k.learn(atom.Arg(0), ctor) {
				return nil
			}
		case atom.Op() == term.Eq && atom.Arg(0).Sort().IsDatatype():
			if positive {
				equal = append(equal, [2]*term.Term{atom.Arg(0), atom.Arg(1)})
				continue
			}
			// Being a constructor without fields is written as an equation.
			for i, t := range atom.Args() {
				if t.Op() == term.Construct && len(t.Args()) == 0 && !k.learn(atom.Arg(1-i), other(t.Ctor())) {
					return nil
				}
			}
		}
	}
	for n := -1; n != len(k); {
		n = len(k)
		for _, e := range equal {
			if !k.learn(e[0], k.constructor(e[1])) || !k.learn(e[1], k.constructor(e[0])) {
				return nil
			}
		}
	}
	return k
}

// other returns the constructor of a datatype with two that is not c; else nil.
func other(c *term.Constructor) *term.Constructor {
	if all := c.Data.Constructors; len(all) == 2 {
		return all[1-c.Index]
	}
	return nil
}

// constructorTranslator carries witnesses back over specialiseConstructors.
type constructorTranslator struct {
	old, new *chc.System
	// unique holds the constructors of the old predicates' arguments.
	unique       [][]*term.Constructor
	replacements []transform.Replacement
	// origins and fields are, by the new clauses' IDs, the old clauses and the variables that stand for the fields of a
	// variable of the old clause.
	origins []*chc.Clause
	fields  []map[*term.Term]*term.Term
}

// Model interprets P(t) as "t was built by the constructor, and P' of its fields".
func (t *constructorTranslator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	pool := t.old.Pool
	out := m.Clone()
	clear(out.Interpretations)
	for i, p := range t.old.Predicates {
		q := t.replacements[i].Pred
		if q == nil {
			out.Interpretations[p] = witness.False(pool, p)
			continue
		}
		in, ok := m.Interpretations[q]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", q.Name)
		}
		params := transform.Parameters(pool, p)
		var args, parts []*term.Term
		for j, x := range params {
			c := t.unique[i][j]
			if c == nil {
				args = append(args, x)
				continue
			}
			parts = append(parts, pool.Is(c, x))
			for _, sel := range c.Selectors {
				args = append(args, pool.Field(sel, x))
			}
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: pool.And(append(parts, in.Apply(pool, args))...)}
	}
	return out, nil
}

// Refutation builds the values of variables from those of their fields; steps and premises stay.
func (t *constructorTranslator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	pool := t.old.Pool
	return transform.RecodeSteps(pool, r, t.origins, t.new.Clauses, func(clause int, v *term.Term) (transform.Recoding, bool) {
		built, ok := t.fields[clause][v]
		if !ok {
			return transform.Recoding{}, false
		}
		return transform.Recoding{Variables: built.Args(), Value: func(fields []term.Value) term.Value {
			args := make([]*term.Term, len(fields))
			for i, f := range fields {
				args[i] = f.Term(pool)
			}
			return term.TermValue(pool.Construct(built.Ctor(), args...))
		}}, true
	})
}

// CarriesRepeats says that repeated steps are carried back.
func (t *constructorTranslator) CarriesRepeats() bool { return true }
