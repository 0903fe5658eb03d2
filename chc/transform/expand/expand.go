package expand

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Lengths are the numbers of elements of arguments that are arrays: of an array that is indexed by integers or
// bit-vectors, those with the indices from 0 to one less matter. There is one number for each argument of a predicate, and 0
// stands for an array whose length is not known, and for what is no array. Predicates that are missing have no lengths.
type Lengths map[*chc.Predicate][]int64

// Pass returns the pass "expand", which gives an array whose length is known a variable for each element, as SMT-CBMC's
// encoding for SAT solvers does ("Building SMT-based Software Model Checkers", section 2.3): what a store makes is, element by
// element, an if-then-else over its index, and so is what a select yields. The lengths are of predicates of the system that
// the pass is given, so that it comes before all others. It is not in the list of package passes, because it needs the lengths.
//
// An access outside of an array reads any value, and writes nothing. So the clauses allow more where indices leave their
// arrays: models hold for the old clauses, and a refutation is translated by following its steps with whole arrays, which
// wraps ErrSpurious where that comes out differently.
//
// Arrays stay as they are, all that one is compared with or made from among them, where their lengths differ or a clause has
// something else about them than reads, writes, choices, and equations that only make it true.
func Pass(lengths Lengths) transform.Pass {
	return transform.Pass{
		Name: "expand",
		Doc:  "Replaces arrays of known lengths by a variable for each element, and accesses by choices over their indices.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return expandSystem(ctx, env, sys, firstElements(sys, Expanded(sys, lengths)), false)
		},
	}
}

// Expanded is the part of the lengths that Expand makes use of.
func Expanded(sys *chc.System, lengths Lengths) Lengths {
	out := Lengths{}
	for _, p := range sys.Predicates {
		own := make([]int64, p.Arity())
		for i, s := range p.Sorts {
			if known := lengths[p]; i < len(known) && expandable(s, known[i]) {
				own[i] = known[i]
			}
		}
		out[p] = own
	}
	of := firstElements(sys, out)
	for changed := true; changed; {
		changed = false
		for _, c := range sys.Clauses {
			classes := arrayClassesOf(c, of)
			eachArgument(c, func(p *chc.Predicate, i int, t *term.Term) {
				if of[p][i] != nil && classes.of(t) == nil {
					out[p][i], of[p][i], changed = 0, nil, true
				}
			})
		}
	}
	return out
}

// elements are the indices of an array at which it gets variables, values of the index sort. Arrays with the same elements have the
// same pointer.
type elements struct {
	indices []*term.Term
	// rest is the value elsewhere of arrays that are made from constant ones; nil where there are none.
	rest *term.Term
	// carried is nil but for an index that is an argument; then it has that one's position for each predicate with such an array, and
	// indices has a variable that stands for it.
	carried map[*chc.Predicate]int
}

// chosen has the elements of the predicates' arguments, nil for those that stay as they are.
type chosen map[*chc.Predicate][]*elements

// firstElements are those from 0 to one less than the lengths.
func firstElements(sys *chc.System, lengths Lengths) chosen {
	type key struct {
		index  *term.Sort
		length int64
	}
	made := map[key]*elements{}
	out := chosen{}
	for _, p := range sys.Predicates {
		out[p] = make([]*elements, p.Arity())
		for i, n := range lengths[p] {
			if n == 0 {
				continue
			}
			k := key{p.Sorts[i].Index, n}
			if made[k] == nil {
				made[k] = &elements{}
				for at := range n {
					made[k].indices = append(made[k].indices, indexTerm(sys.Pool, k.index, at))
				}
			}
			out[p][i] = made[k]
		}
	}
	return out
}

// expandable reports whether arrays of a sort have so many elements that can be named.
func expandable(s *term.Sort, length int64) bool {
	if length <= 0 || !s.IsArray() || s.Elem.IsArray() {
		return false
	}
	return s.Index == term.Int || s.Index.IsBitVec() && (s.Index.Width > 62 || length <= 1<<s.Index.Width)
}

func eachArgument(c *chc.Clause, visit func(p *chc.Predicate, i int, t *term.Term)) {
	for _, a := range c.Atoms() {
		for i, t := range a.Args {
			visit(a.Pred, i, t)
		}
	}
}

// expandSystem gives the chosen arguments variables for their elements; if local is set, also other arrays of clauses that are accessed
// at constant indices only. Where nothing is chosen the system stays.
func expandSystem(ctx context.Context, env transform.Environment, sys *chc.System, of chosen, local bool) (*chc.System, transform.Translator, error) {
	if !slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool {
		return slices.ContainsFunc(of[p], func(e *elements) bool { return e != nil })
	}) {
		return sys, nil, nil
	}
	t, err := newTranslator(ctx, env, sys, of, local)
	if err != nil {
		return nil, nil, err
	}
	return t.new, t, nil
}

// newTranslator makes the expanded system, and returns what carries witnesses back from it.
func newTranslator(ctx context.Context, env transform.Environment, sys *chc.System, of chosen, local bool) (*expandTranslator, error) {
	t := &expandTranslator{env: env, old: sys, chosen: of}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	changed := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range sys.Predicates {
		preds[i] = t.predicate(p)
		changed[p] = preds[i]
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("expanding arrays: %w", err)
		}
		classes := arrayClassesOf(c, of)
		if local {
			classes.setLocal(c)
		}
		e := &expander{
			pool: sys.Pool, classes: classes, elements: map[*term.Term]*variables{},
			vectors: map[vectorKey][]*term.Term{}, terms: map[*term.Term]*term.Term{},
			own: map[*elements]*term.Term{}, outside: map[*term.Term]*elements{},
		}
		for _, a := range c.Atoms() {
			for _, which := range of[a.Pred] {
				if which != nil && which.carried != nil {
					e.own[which] = a.Args[which.carried[a.Pred]]
				}
			}
		}
		clauses[i] = e.clause(c, changed, of)
		t.clauses = append(t.clauses, e)
	}
	t.new = transform.Rebuild(sys, preds, clauses)
	return t, nil
}

// expandTranslator carries witnesses back over Expand.
type expandTranslator struct {
	env      transform.Environment
	old, new *chc.System
	chosen   chosen
	// clauses has what rewrote each clause, by the clauses' IDs.
	clauses []*expander
}

// predicate is p with the elements of its arrays as arguments; p itself when none is expanded.
func (t *expandTranslator) predicate(p *chc.Predicate) *chc.Predicate {
	return transform.Spread(p, func(i int) ([]transform.Argument, bool) {
		of := t.chosen[p][i]
		if of == nil {
			return nil, false
		}
		elements := make([]transform.Argument, len(of.indices))
		for k, index := range of.indices {
			elements[k] = transform.Argument{Sort: p.Sorts[i].Elem, Suffix: elementName("", index)}
		}
		return elements, true
	})
}

func elementName(array string, index *term.Term) string {
	if index.IsVar() {
		return array + "." + index.Name()
	}
	return fmt.Sprintf("%s.%v", array, index.Num())
}

// indexTerm is the index of an element as a term of the index sort.
func indexTerm(p *term.Pool, s *term.Sort, k int64) *term.Term {
	if s.IsBitVec() {
		return p.BVNum(term.NewInt(k), s.Width)
	}
	return p.Int(k)
}

// Model replaces the variables for elements by selects.
func (t *expandTranslator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	pool := t.old.Pool
	return transform.CarryModel(m, t.old.Predicates, t.new.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		p := t.old.Predicates[i]
		sub := map[*term.Term]*term.Term{}
		var params []*term.Term
		elements := make([][]*term.Term, p.Arity())
		rest := in.Params
		for j, s := range p.Sorts {
			of := t.chosen[p][j]
			if of == nil {
				params, rest = append(params, rest[0]), rest[1:]
				continue
			}
			params = append(params, pool.Fresh("a", s))
			elements[j], rest = rest[:len(of.indices)], rest[len(of.indices):]
		}
		for j, of := range t.chosen[p] {
			for k, x := range elements[j] {
				index := of.indices[k]
				if of.carried != nil {
					index = params[of.carried[p]]
				}
				sub[x] = pool.Select(params[j], index)
			}
		}
		return witness.Interpretation{Params: params, Body: pool.Substitute(in.Body, sub)}, nil
	})
}

// Refutation follows the steps with whole arrays: an atom has the values that its premise derived, and an array that no
// premise determines has the elements' values, and a default elsewhere.
func (t *expandTranslator) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	rec := transform.NewRecoverer(t.env, t.old.Pool)
	defer rec.Close()
	return transform.CarrySteps(t.old.Pool, r, func(s witness.Step, heads [][]term.Value) (witness.Step, []term.Value, error) {
		id := s.Clause.ID
		if id >= len(t.new.Clauses) || t.new.Clauses[id] != s.Clause {
			return witness.Step{}, nil, fmt.Errorf("the clause is not of the expanded system")
		}
		in := t.instance(t.old.Clauses[id], s, heads)
		head, ok := rec.Evaluate(&in)
		if !ok {
			var err error
			if head, err = rec.Solve(ctx, &in); errors.Is(err, transform.ErrNoInstance) {
				return witness.Step{}, nil, fmt.Errorf("%w: an index leaves its array", transform.ErrSpurious)
			} else if err != nil {
				return witness.Step{}, nil, err
			}
		}
		return witness.Step{Clause: in.Clause, Values: in.Values, Premises: s.Premises}, head, nil
	})
}

// CarriesRepeats says that repeated steps are carried back.
func (t *expandTranslator) CarriesRepeats() bool { return true }

// instance is the step of an old clause that a step stands for, without the arrays that its premises give.
func (t *expandTranslator) instance(c *chc.Clause, s witness.Step, heads [][]term.Value) transform.Instance {
	in := transform.Instance{Clause: c, Premises: s.Premises, Hints: map[*term.Term]term.Value{}}
	given := map[*term.Term]bool{}
	for i, a := range c.Body {
		in.Body = append(in.Body, heads[s.Premises[i]])
		for _, x := range a.Args {
			given[x] = true
		}
	}
	for _, v := range c.Vars() {
		expanded := t.clauses[c.ID].elements[v]
		switch value, ok := s.Values[v]; {
		case expanded != nil && !given[v]:
			in.Hints[v] = expanded.value(t.old.Pool, v.Sort(), s.Values)
		case expanded == nil && ok:
			in.Hints[v] = value
		}
	}
	return in
}

// variables are those of an array's elements.
type variables struct {
	of *elements
	// indices are those of the elements in the clause, values or variables of it.
	indices []*term.Term
	vars    []*term.Term
}

// value is the array whose elements have the variables' values, and a default elsewhere.
func (v *variables) value(p *term.Pool, s *term.Sort, values map[*term.Term]term.Value) term.Value {
	a := term.DefaultValue(p, s).Term(p)
	if v.of.rest != nil {
		a = p.ConstArray(s, v.of.rest)
	}
	for k, x := range v.vars {
		index := v.indices[k]
		if at, ok := values[index]; ok {
			index = at.Term(p)
		}
		if value, ok := values[x]; ok && index.IsValue() {
			a = p.Store(a, index, value.Term(p))
		}
	}
	return term.TermValue(a)
}
