package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/svcomp"
)

// properties is a C program of which several properties are asked.
type properties struct {
	request Request
	asked   []svcomp.Property
	// whole is the program with what is asked first.
	whole *C
}

// readProperties reads a C program and the properties that are asked of it.
func readProperties(ctx context.Context, req Request) (prepared, error) {
	names := strings.Split(req.Options.Property, ",")
	if i := slices.Index(names, "all"); i >= 0 {
		names = slices.Replace(names, i, i+1, svcomp.All...)
	}
	p := &properties{request: req}
	for _, name := range names {
		property, err := propertyOf(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.asked, func(q svcomp.Property) bool { return q.Name == property.Name }) {
			p.asked = append(p.asked, property)
		}
	}
	for _, q := range p.asked[1:] {
		if first := p.asked[0]; q.Entry != first.Entry || q.Faults.Has(fault.Assertion) && first.Faults.Has(fault.Assertion) {
			return nil, optionError("--property: %s and %s are not of the same runs: ask them one by one", first, q)
		}
	}
	var err error
	if p.whole, err = readC(ctx, req, p.asked[0]); err != nil {
		return nil, err
	}
	switch {
	case req.Options.Modular:
		return &modularC{p}, nil
	case req.Options.All || req.Options.Unwind > 0:
		return &checks{p}, nil
	case len(p.asked) == 1:
		return p.whole, nil
	}
	return p, nil
}

// clauses are those of the property that is asked first.
func (p *properties) clauses(ctx context.Context) (*chc.System, error) { return p.whole.clauses(ctx) }

// decide decides the properties: all at once, as what holds of all faults holds of each property, and without those that a run
// violates; and then one by one those that are open still.
func (p *properties) decide(ctx context.Context) (*Result, error) {
	results := make([]*Result, len(p.asked))
	open := func() (out []int) {
		for i, r := range results {
			if r == nil {
				out = append(out, i)
			}
		}
		return out
	}
	for i, q := range p.asked {
		if !q.Decidable() {
			results[i] = unknown("the property " + q.String() + " is not decided")
		}
	}
	for left := open(); len(left) > 1; left = open() {
		union := p.union(left)
		r, err := p.part(ctx, union, nil, 2)
		switch {
		case err != nil:
			return nil, err
		case r.Verdict == engine.Sat:
			for _, i := range left {
				results[i] = r
			}
		case r.Verdict == engine.Unsat:
			for _, i := range left {
				if p.asked[i].Faults.Has(r.Fault) {
					results[i] = r
				}
			}
		}
		if r.Verdict == engine.Unknown {
			break
		}
	}
	left := open()
	for k, i := range left {
		r, err := p.part(ctx, p.asked[i], nil, len(left)-k)
		if err != nil {
			return nil, err
		}
		results[i] = r
	}
	return p.collect(results), nil
}

// union returns the property that holds where all the properties at the indices hold.
func (p *properties) union(which []int) svcomp.Property {
	out := svcomp.Property{Entry: p.asked[which[0]].Entry, Name: p.asked[which[0]].Name}
	for _, i := range which {
		out = out.Union(p.asked[i])
	}
	return out
}

// part decides a property within a share of the time. Runs end at the checks except.
func (p *properties) part(ctx context.Context, property svcomp.Property, except map[fault.Check]bool, shares int) (*Result, error) {
	if end, ok := ctx.Deadline(); ok {
		// What is left is for saying what was found.
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(end)*9/10/time.Duration(shares))
		defer stop()
	}
	c, err := readC(ctx, p.request, property)
	if err != nil {
		return nil, fmt.Errorf("read the program for the property %s: %w", property, err)
	}
	c.options.Translate.Except = except
	return c.decide(ctx)
}

// rank is the order of results in which the first is that of the program: a violation, no answer, a proof.
func rank(r *Result) int {
	return slices.Index([]engine.Verdict{engine.Unsat, engine.Unknown, engine.Sat}, r.Verdict)
}

// collect returns the result of the program: that of the first property that is violated, else of the first that is open, else of the first.
func (p *properties) collect(results []*Result) *Result {
	var worst *Result
	var named []*Result
	for i, r := range results {
		own := *r
		own.Property = p.asked[i].Name
		named = append(named, &own)
		if worst == nil || rank(r) < rank(worst) {
			worst = &own
		}
	}
	out := *worst
	out.Properties = named
	return &out
}
