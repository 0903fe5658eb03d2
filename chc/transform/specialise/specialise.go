package specialise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/resolve"
	"hornbeam/chc/witness"
)

// Options bound the pass specialise.
type Options struct {
	// MaxValues is the largest number of values of an argument that is split, unless it is Boolean.
	MaxValues int
	// Spread bounds how much larger the clauses that use an argument may get when they are written once for each of
	// its values, for two values; SpreadPerValue is added for each further one. It tells a program counter from data.
	Spread, SpreadPerValue float64
	// MaxCopies is the largest number of predicates that the split ones may become, all together.
	MaxCopies int
	// MaxClauses bounds the clauses of the result.
	MaxClauses int
	// TriesPerClause bounds the combinations of copies that an attempt to split looks at: so many for each of MaxClauses. Attempts that
	// succeed need less than five.
	TriesPerClause int
	// MaxBranch bounds the instances that one clause may become for given copies in its body.
	MaxBranch int
	// MaxChecks bounds the solver's checks of one attempt to split.
	MaxChecks int
	// Growth and GrowthBase bound the size of the result's constraints: Growth times that of the system's, plus
	// GrowthBase.
	Growth     float64
	GrowthBase int
	// StepSize is the size that the constraints may grow to in any case where it is what a loop counts by that is split.
	StepSize int
	// Share bounds the growth of a stage by that of the predicates: a split by data has as large clauses for each copy, one by control
	// divides them among the copies.
	Share float64
	// MaxWork bounds the size of the constraints that all attempts of stages write.
	MaxWork int
}

// DefaultOptions are the bounds of the pass specialise. On the systems that they were chosen by, arguments that
// are program counters have a spread of 1.0 to 1.45 and data has one of 1.5 to 2.0, and splitting by program counters
// makes the system smaller or at most 1.7 times as large.
func DefaultOptions() Options {
	return Options{
		MaxValues: 16, Spread: 1.5, SpreadPerValue: 0.1, MaxCopies: 200, MaxClauses: 600, MaxBranch: 24, MaxChecks: 1000,
		TriesPerClause: 10, Growth: 1.7, GrowthBase: 30, StepSize: 2000,
	}
}

// Pass returns the pass that turns finite-domain arguments into control flow, with the default bounds.
func Pass() transform.Pass { return With(DefaultOptions()) }

// With returns the pass that splits predicates by the values of arguments that are Boolean or only ever have a
// few constants (a program counter): P(c, x) becomes P_c(x), for those combinations of constants that are reachable when
// all other arguments are ignored.
func With(o Options) transform.Pass {
	return transform.Pass{
		Name:   "specialise",
		Doc:    "Splits predicates by Boolean and program-counter arguments, where that turns data into control flow.",
		Repeat: true,
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			if !turn(env, sys) {
				return sys, nil, nil
			}
			return split(ctx, env, sys, o, nil)
		},
	}
}

// maxSpecialised bounds the runs of the pass in one Pipeline: later ones find program counters that the simplification of
// the earlier ones' results brought to light.
const maxSpecialised = 3

// runCount counts the runs of the pass in one Pipeline.
type runCount int

// turn counts the runs of the pass in a Pipeline and reports whether this one is to do anything. The first run comes
// before everything else, because simplified clauses share more between the values of a program counter, which makes it
// look like data; but where a predicate can be resolved away, that must go first, because splitting it multiplies it.
func turn(env transform.Environment, sys *chc.System) bool {
	runs := transform.Memo[runCount](env)
	if runs == nil {
		return true
	}
	*runs++
	if *runs == 1 {
		loops := make([]bool, len(sys.Predicates))
		for _, c := range sys.Clauses {
			if c.Head != nil && resolve.Occurrences(c.Body, c.Head.Pred) > 0 {
				loops[c.Head.Pred.ID] = true
			}
		}
		return !slices.Contains(loops, false)
	}
	return *runs <= maxSpecialised
}

// split runs the pass. Arguments that have the same number in groups, which is by the predicates' IDs, are split together or not at all;
// each is a group of its own where groups is nil.
func split(ctx context.Context, env transform.Environment, sys *chc.System, o Options, groups [][]int) (*chc.System, transform.Translator, error) {
	by := steps(sys)
	split := controlPositions(sys, o, by)
	size := 0
	for _, c := range sys.Clauses {
		size += c.Constraint.Size()
	}
	for {
		if !split.any() {
			return sys, nil, nil
		}
		x, err := newExploration(env, sys, o, split)
		if err != nil {
			return nil, nil, fmt.Errorf("specialising: %w", err)
		}
		x.maxSize = int(o.Growth*float64(size)) + o.GrowthBase
		if split.counting(by) {
			// What loops count by is worth a copy for each value, while that is not much.
			x.maxSize = max(x.maxSize, min(o.MaxValues*size, o.StepSize))
		}
		err = x.run(ctx)
		x.close()
		switch {
		case err == nil:
			next, back := x.result()
			return next, back, nil
		case !errors.Is(err, errTooMany):
			return nil, nil, fmt.Errorf("specialising: %w", err)
		}
		split = x.fewer(groups)
	}
}

// positions of arguments, sorted, by the predicates' IDs.
type splitPositions [][]int

func (s splitPositions) any() bool {
	return slices.ContainsFunc(s, func(ps []int) bool { return len(ps) > 0 })
}

// counting reports whether a position that is split is one of those by which loops count.
func (s splitPositions) counting(by []map[int]bool) bool {
	for i, ks := range s {
		if slices.ContainsFunc(ks, func(k int) bool { return by[i][k] }) {
			return true
		}
	}
	return false
}

// specialCopy is a predicate for one combination of the values of its split arguments.
type specialCopy struct {
	of     *chc.Predicate
	values []*term.Term
	// seq numbers the copies in the order in which they were reached.
	seq  int
	pred *chc.Predicate
}

// result builds the specialised system.
func (x *exploration) result() (*chc.System, transform.Translator) {
	var preds []*chc.Predicate
	replacement := make([][]*specialCopy, len(x.sys.Predicates))
	for _, p := range x.sys.Predicates {
		replacement[p.ID] = x.copies[p.ID]
		for _, c := range replacement[p.ID] {
			c.pred = x.predicate(p, c, len(preds))
			preds = append(preds, c.pred)
		}
	}
	clauses := make([]*chc.Clause, len(x.instances))
	for i, in := range x.instances {
		c := *in.draft.Clause()
		c.Body = make([]chc.App, len(in.draft.Body))
		for j, a := range in.draft.Body {
			c.Body[j] = x.shrink(a, in.body[j])
		}
		if c.Head != nil {
			h := x.shrink(*in.draft.Head, in.head)
			c.Head = &h
		}
		c.ID = i
		clauses[i] = &c
	}
	next := *x.sys
	next.Predicates, next.Clauses = preds, clauses
	from := make([]*resolve.Derivation, len(clauses))
	for i, in := range x.instances {
		from[i] = &resolve.Derivation{
			Clause: clauses[i], Use: &resolve.Derivation{Clause: in.draft.From}, Atoms: identityAtoms(len(clauses[i].Body)),
			UseValues: resolve.DefinedAs(in.draft.From.Vars(), nil, resolve.CloseDefinitions(x.pool, in.draft.Define)),
		}
	}
	return &next, &translator{
		Resolution: resolve.Resolution{Env: x.env, Old: x.sys, New: &next, From: from},
		split:      x.split, copies: replacement,
	}
}

func identityAtoms(n int) []int {
	atoms := make([]int, n)
	for i := range atoms {
		atoms[i] = i
	}
	return atoms
}

// predicate makes the predicate of a copy; a predicate without split arguments keeps its name.
func (x *exploration) predicate(p *chc.Predicate, c *specialCopy, id int) *chc.Predicate {
	q := &chc.Predicate{ID: id, Name: p.Name}
	split := x.split[p.ID]
	for i, v := range c.values {
		sep := ","
		if i == 0 {
			sep = "@"
		}
		q.Name += sep + v.String()
	}
	for i, s := range p.Sorts {
		if slices.Contains(split, i) {
			continue
		}
		q.Sorts = append(q.Sorts, s)
		if p.ArgNames != nil {
			q.ArgNames = append(q.ArgNames, p.ArgNames[i])
		}
	}
	return q
}

// shrink drops an atom's split arguments.
func (x *exploration) shrink(a chc.App, c *specialCopy) chc.App {
	split := x.split[a.Pred.ID]
	var args []*term.Term
	for i, t := range a.Args {
		if !slices.Contains(split, i) {
			args = append(args, t)
		}
	}
	return chc.App{Pred: c.pred, Args: args}
}

// translator carries witnesses back over the splitting of predicates.
type translator struct {
	resolve.Resolution
	split  splitPositions
	copies [][]*specialCopy
}

// Model interprets P(x) as the disjunction, over P's copies, of "x's split arguments are the copy's values" and the
// copy's interpretation: false for other values, which no clause derives.
func (t *translator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	pool := t.Old.Pool
	out := witness.NewModel()
	for _, p := range t.Old.Predicates {
		params := witness.CanonicalParams(pool, p)
		split := t.split[p.ID]
		var rest []*term.Term
		for i, v := range params {
			if !slices.Contains(split, i) {
				rest = append(rest, v)
			}
		}
		var cases []*term.Term
		for _, c := range t.copies[p.ID] {
			in, ok := m.Interpretations[c.pred]
			if !ok {
				return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", c.pred.Name)
			}
			parts := []*term.Term{in.Apply(pool, rest)}
			for j, i := range split {
				parts = append(parts, pool.Eq(params[i], c.values[j]))
			}
			cases = append(cases, pool.And(parts...))
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: pool.Or(cases...)}
	}
	return out, nil
}
