package prune

import (
	"context"
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// FreeArguments returns the pass "free-arguments".
func FreeArguments() transform.Pass {
	return transform.Pass{
		Name:   "free-arguments",
		Doc:    "Removes predicate arguments that may have any value: every clause derives the predicate for all of them.",
		Repeat: true,
		Run:    removeFreeArguments,
	}
}

// removeFreeArguments removes the argument positions for which every clause with that head has a variable that nothing
// else in the clause restricts. It is the dual of slicing: there no user looks at the argument, here no definition does.
func removeFreeArguments(_ context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	bound := boundArguments(sys)
	next, back, err := dropArguments(env, sys, bound)
	if next == sys || err != nil {
		return next, nil, err
	}
	return next, &freeTranslator{ClauseTranslator: back.(*transform.ClauseTranslator)}, nil
}

// boundArguments computes the complement of the free positions: the least set such that a position is bound when in some
// clause its head argument is not a variable, or a variable that occurs elsewhere than at free positions of the body.
func boundArguments(sys *chc.System) positions {
	bound := newPositions(sys)
	type position struct{ pred, arg int }
	var work []position
	bind := func(p position) {
		if !bound[p.pred][p.arg] {
			bound[p.pred][p.arg] = true
			work = append(work, p)
		}
	}
	// binds[p][i] lists the head positions whose variable occurs at position i of a body atom with predicate p.
	binds := make([][][]position, len(sys.Predicates))
	for i, p := range sys.Predicates {
		binds[i] = make([][]position, p.Arity())
	}
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		at := map[*term.Term]position{}
		for i, t := range c.Head.Args {
			here := position{c.Head.Pred.ID, i}
			there, twice := at[t]
			switch {
			case !t.IsVar():
				bind(here)
			case twice:
				bind(there)
				bind(here)
			default:
				at[t] = here
			}
		}
		restrict := func(ts ...*term.Term) {
			for _, v := range term.Vars(ts...) {
				if p, ok := at[v]; ok {
					bind(p)
				}
			}
		}
		for _, t := range c.Head.Args {
			if !t.IsVar() {
				restrict(t)
			}
		}
		restrict(c.Constraint)
		for _, a := range c.Body {
			for i, t := range a.Args {
				for _, v := range term.Vars(t) {
					if p, ok := at[v]; ok {
						binds[a.Pred.ID][i] = append(binds[a.Pred.ID][i], p)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, q := range binds[p.pred][p.arg] {
			bind(q)
		}
	}
	return bound
}

// freeTranslator translates refutations from their end: the values of a step's removed head arguments are those that the
// step's use needs.
type freeTranslator struct {
	*transform.ClauseTranslator
}

// values are the values of a step of an old clause that derives what d demands, with an evaluator for them.
func (c *freeTranslator) values(old *chc.Clause, s witness.Step, d demand) (map[*term.Term]term.Value, *term.Evaluator) {
	values := map[*term.Term]term.Value{}
	for _, x := range old.Vars() {
		val, ok := s.Values[x]
		if !ok {
			val = term.DefaultValue(c.Old.Pool, x.Sort())
		}
		values[x] = val
	}
	for j, val := range d {
		if val != nil {
			values[old.Head.Args[j]] = *val
		}
	}
	return values, term.NewEvaluator(c.Old.Pool, term.MapAssignment(values))
}

// demand is a list of values, one for each argument of a head; nil for those that were not removed.
type demand []*term.Value

func (d demand) key() string {
	var b strings.Builder
	for _, v := range d {
		if v != nil {
			b.WriteString(v.String())
		}
		b.WriteByte('|')
	}
	return b.String()
}

// variant is one of the old steps that a new step stands for.
type variant struct {
	values   map[*term.Term]term.Value
	premises []string // keys of the premises' variants
	// repeat is what a repetition becomes; the others are not set then.
	repeat *repeatVariant
}

// Refutation makes, of every step, one old step for each list of values that its uses need.
func (c *freeTranslator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	n := len(r.Steps)
	demands := make([][]demand, n)
	variants := make([]map[string]*variant, n)
	for i := range variants {
		variants[i] = map[string]*variant{}
	}
	ask := func(i int, d demand) string {
		k := d.key()
		if variants[i][k] == nil {
			variants[i][k] = &variant{}
			demands[i] = append(demands[i], d)
		}
		return k
	}
	if n > 0 {
		ask(n-1, nil)
	}
	for i := n - 1; i >= 0; i-- {
		s := r.Steps[i]
		if s.Repeat != nil {
			for _, d := range demands[i] {
				var err error
				if variants[i][d.key()].repeat, err = c.repeat(s, d, ask); err != nil {
					return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
				}
			}
			continue
		}
		old := c.Origins[s.Clause.ID][0].Clause
		for _, d := range demands[i] {
			v := variants[i][d.key()]
			var ev *term.Evaluator
			v.values, ev = c.values(old, s, d)
			for j, a := range old.Body {
				want, err := c.demand(ev, a)
				if err != nil {
					return nil, fmt.Errorf("translating step %d of a refutation (clause %d): %w", i, old.ID, err)
				}
				v.premises = append(v.premises, ask(s.Premises[j], want))
			}
		}
	}
	return c.emit(r, demands, variants), nil
}

// demand evaluates the removed arguments of a body atom.
func (c *freeTranslator) demand(ev *term.Evaluator, a chc.App) (demand, error) {
	kept := c.Replacements[a.Pred.ID].Keep
	if kept == nil {
		return nil, nil
	}
	d := make(demand, len(a.Args))
	for j, t := range a.Args {
		if len(kept) > 0 && kept[0] == j {
			kept = kept[1:]
			continue
		}
		v, ok := ev.Eval(t)
		if !ok {
			return nil, fmt.Errorf("%w: the value of %s is not determined", transform.ErrGaveUp, t)
		}
		d[j] = &v
	}
	return d, nil
}

// emit writes the variants down, premises first.
func (c *freeTranslator) emit(r *witness.Refutation, demands [][]demand, variants []map[string]*variant) *witness.Refutation {
	out := &witness.Refutation{}
	index := make([]map[string]int, len(r.Steps))
	for i, s := range r.Steps {
		index[i] = map[string]int{}
		for _, d := range demands[i] {
			v := variants[i][d.key()]
			if v.repeat != nil {
				rest, last := make([]int, len(s.Premises)), make([]int, len(s.Premises))
				for k, q := range s.Premises {
					rest[k], last[k] = index[q][v.repeat.needs[k]], index[q][v.repeat.lastNeeds[k]]
				}
				last[0] = len(out.Steps)
				out.Steps = append(out.Steps, witness.Step{Repeat: v.repeat.rest, Premises: rest})
				out.WriteOut(v.repeat.last, last)
				index[i][d.key()] = len(out.Steps) - 1
				continue
			}
			step := witness.Step{Clause: c.Origins[s.Clause.ID][0].Clause, Values: v.values}
			for j, k := range v.premises {
				step.Premises = append(step.Premises, index[s.Premises[j]][k])
			}
			index[i][d.key()] = len(out.Steps)
			out.Steps = append(out.Steps, step)
		}
	}
	return out
}
