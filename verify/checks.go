package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/translate"
)

// Check is one of several questions about a program and its result: whether a run violates a check that violates no other one
// before, or whether a run reaches a place.
type Check struct {
	Pos chc.Position
	// What is the kind of fault, or says in a few words what is asked about.
	What string
	// Coverage says that the question is whether a run reaches the place: Unsat is the verdict where one does.
	Coverage bool
	*Result
}

// Word is the verdict as it is printed.
func (c Check) Word() string {
	switch {
	case c.Coverage && c.Verdict == engine.Unsat:
		return "reached"
	case c.Coverage && c.Verdict == engine.Sat:
		return "unreachable"
	}
	return c.Result.Word()
}

// checks is a C program of which each check is decided.
type checks struct{ asked *properties }

// clauses are those of all checks.
func (c *checks) clauses(ctx context.Context) (*chc.System, error) { return c.asked.clauses(ctx) }

// decide decides the checks: all at once, again and again without those that a run violates, and, where no answer comes for the rest,
// one by one. What no clause is about holds.
func (c *checks) decide(ctx context.Context) (*Result, error) {
	p := c.asked
	var which []int
	for i, q := range p.asked {
		if !q.Decidable() {
			return unknown("the property " + q.String() + " is not decided"), nil
		}
		which = append(which, i)
	}
	all := p.union(which)
	whole, err := readC(ctx, p.request, all)
	if err != nil {
		return nil, err
	}
	if why := whole.undecidable(); why != "" {
		return whole.finish(ctx, unknown(why))
	}
	translation, err := translate.Translate(ctx, whole.Tree, whole.options.Translate)
	if err != nil {
		return whole.finish(ctx, unknown(err.Error()))
	}
	open := slices.DeleteFunc(slices.Clone(translation.Checks), func(at fault.Check) bool { return !translation.Decided[at] })
	holds := &Result{Answer: engine.Answer{Verdict: engine.Sat}, Property: all.Name}
	found, err := settle(ctx, open, singles, func(ctx context.Context, group []fault.Check) (*Result, []fault.Check, error) {
		except := map[fault.Check]bool{}
		for _, at := range translation.Checks {
			except[at] = !slices.Contains(group, at)
		}
		r, err := p.part(ctx, all, except, 1)
		if err != nil || r.Verdict != engine.Unsat {
			return r, nil, err
		}
		return r, []fault.Check{{Kind: r.Fault, Pos: r.C.Evidence.Outcome.Pos()}}, nil
	})
	if err != nil {
		return nil, err
	}
	discharged := 0
	for _, at := range translation.Checks {
		if !translation.Decided[at] {
			found[at] = holds
			discharged++
		}
	}
	return c.collect(found, discharged), nil
}

// collect makes a result of those of the checks.
func (c *checks) collect(found map[fault.Check]*Result, discharged int) *Result {
	var list []Check
	for at, r := range found {
		list = append(list, Check{Pos: at.Pos, What: at.Kind.String(), Result: r})
	}
	slices.SortFunc(list, func(a, b Check) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.What, b.What))
	})
	out := &Result{Answer: engine.Answer{Verdict: engine.Sat}}
	for _, k := range list {
		if out.C == nil || rank(k.Result) < rank(out) {
			copied := *k.Result
			out = &copied
		}
	}
	out.Checks = list
	out.Notes = append(slices.Clone(out.Notes), fmt.Sprintf("checks: %d, of which %d hold whatever the program does", len(list), discharged))
	return out
}
