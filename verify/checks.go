package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/translate"
)

// Check is a check of a C program and what was found out about it: whether a run violates it that violates no other one before.
type Check struct {
	fault.Check
	*Result
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
	found := map[fault.Check]*Result{}
	open := func() (out []fault.Check) {
		for _, at := range translation.Checks {
			if found[at] == nil {
				out = append(out, at)
			}
		}
		return out
	}
	holds := &Result{Answer: engine.Answer{Verdict: engine.Sat}, Property: all.Name}
	for _, at := range translation.Checks {
		if !translation.Decided[at] {
			found[at] = holds
		}
	}
	discharged := len(found)
	except := map[fault.Check]bool{}
	for len(open()) > 0 {
		r, err := p.part(ctx, all, except, 2)
		if err != nil {
			return nil, err
		}
		if r.Verdict == engine.Unsat {
			at := violated(r)
			if except[at] {
				break
			}
			except[at], found[at] = true, r
			continue
		}
		if r.Verdict == engine.Unknown && len(r.beyond) > 0 {
			// Nothing else is found within the bound, and of no check alone.
			for _, at := range open() {
				found[at] = r
			}
		}
		if r.Verdict == engine.Sat {
			holds = r
			for _, at := range open() {
				found[at] = r
			}
		}
		break
	}
	left := open()
	for k, at := range left {
		others := maps.Clone(except)
		for _, other := range translation.Checks {
			others[other] = other != at
		}
		r, err := p.part(ctx, all, others, len(left)-k)
		if err != nil {
			return nil, err
		}
		if r.Verdict == engine.Unsat && violated(r) != at {
			r = unknown("another check was violated")
		}
		found[at] = r
	}
	return c.collect(found, discharged), nil
}

// violated is the check that the run of an unsafe program violates.
func violated(r *Result) fault.Check {
	return fault.Check{Kind: r.Fault, Pos: r.C.Evidence.Outcome.Pos()}
}

// collect makes a result of those of the checks.
func (c *checks) collect(found map[fault.Check]*Result, discharged int) *Result {
	var list []Check
	for at, r := range found {
		list = append(list, Check{at, r})
	}
	slices.SortFunc(list, func(a, b Check) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.Kind, b.Kind))
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
