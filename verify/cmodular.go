package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// modularC is a C program of which each function is proved by itself.
type modularC struct{ asked *properties }

// clauses are those of the function that is proved first.
func (m *modularC) clauses(ctx context.Context) (*chc.System, error) {
	names, err := m.functions()
	if err != nil {
		return nil, err
	}
	c, err := readC(ctx, m.request(names[0]), m.asked.asked[0])
	if err != nil {
		return nil, err
	}
	return c.clauses(ctx)
}

// functions are the names of those that are proved: all that are no part of others, or the one that --main names.
func (m *modularC) functions() ([]string, error) {
	names := m.asked.whole.Tree.Separate
	main := m.asked.request.Options.Main
	switch {
	case main != "" && !slices.Contains(names, main):
		return nil, optionError("--main %s: with --modular that function has no contract of its own, and is proved with its callers", main)
	case main != "":
		return []string{main}, nil
	case len(names) == 0:
		return nil, optionError("--modular: %s has no function with a body", m.asked.request.File)
	}
	return names, nil
}

// request asks for a function by itself.
func (m *modularC) request(name string) Request {
	req := m.asked.request
	req.alone, req.Options.Main, req.Options.Proof, req.Options.Annotate = name, "", false, false
	if name != "main" {
		req.Options.Explore = 0
	}
	return req
}

// decide proves the functions, one after the other. What cannot be proved by contracts and invariants need not be a bug, unless a run
// of main from the program's beginning shows it.
func (m *modularC) decide(ctx context.Context) (*Result, error) {
	names, err := m.functions()
	if err != nil {
		return nil, err
	}
	var which []int
	for i, q := range m.asked.asked {
		if !q.Decidable() {
			return unknown("the property " + q.String() + " is not decided"), nil
		}
		which = append(which, i)
	}
	property := m.asked.union(which)
	out := &Result{Answer: engine.Answer{Verdict: engine.Sat, Engine: "contracts"}, Property: property.Name, Modular: &Modular{}}
	said := map[string]bool{}
	for i, name := range names {
		r, err := m.alone(ctx, name, property, len(names)-i)
		if err != nil {
			return nil, err
		}
		if r.Verdict == engine.Unsat && !r.C.Tree.Library {
			return r, nil
		}
		proved := ModularProcedure{Procedure: name, Verified: r.Verdict == engine.Sat}
		if !proved.Verified {
			what := fmt.Sprintf("in %s, %s", name, unproved(r))
			proved.Obligations = []string{what}
			if out.Verdict == engine.Sat {
				out.Verdict, out.Engine, out.Obligation = engine.Unknown, "", what
				out.Reason = "not proved by contracts and invariants alone: " + what
			}
		}
		out.Modular.Procedures = append(out.Modular.Procedures, proved)
		for _, a := range r.Assumptions {
			if !said[a.String()] {
				said[a.String()] = true
				out.Assumptions = append(out.Assumptions, a)
			}
		}
	}
	if out.Verdict == engine.Unknown {
		out.Assumptions = nil
	}
	return out, nil
}

// alone proves a function by itself within a share of the time. It ends where something is found that contracts and invariants do not
// prove; main may still be proved of the runs without overflows then.
func (m *modularC) alone(ctx context.Context, name string, property svcomp.Property, shares int) (*Result, error) {
	if end, ok := ctx.Deadline(); ok {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(end)*9/10/time.Duration(shares))
		defer stop()
	}
	c, err := readC(ctx, m.request(name), property)
	if err != nil {
		return nil, fmt.Errorf("read the program for the function %s: %w", name, err)
	}
	if reason := outside(ctx, c); reason != "" {
		return unknown(reason), nil
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	var lock sync.Mutex
	found := ""
	c.options.Unproved = func(at chc.Position, what string) {
		lock.Lock()
		defer lock.Unlock()
		if found == "" {
			found = obligation(at, what)
		}
		if c.Tree.Library {
			stop()
		}
	}
	r, err := c.decide(inner)
	if err != nil {
		return nil, err
	}
	lock.Lock()
	defer lock.Unlock()
	if r.Verdict == engine.Unknown && found != "" {
		r.Obligation = found
	}
	return r, nil
}

// outside says what a function may change that its clause does not list; empty if there is nothing, or no clause. It is found in a
// translation, without runs: no solver is asked.
func outside(ctx context.Context, c *C) string {
	checks := false
	tree.Inspect(c.Tree.Function("main").Body, func(n tree.Node) bool {
		h, ok := n.(*tree.Havoc)
		checks = checks || ok && h.Check
		return !checks
	})
	if !checks {
		return ""
	}
	t, err := translate.Translate(ctx, c.Tree, c.options.Translate)
	if err != nil || len(t.Outside) == 0 {
		return ""
	}
	return cmp.Or(t.Outside[0], "memory behind a pointer") + " may change, which assigns does not list"
}

// obligation says of what is at a place that it is not proved.
func obligation(at chc.Position, what string) string {
	// Conditions are said in names of the translation.
	if what, condition, _ := strings.Cut(what, " "); condition == "" && what != "assertion" {
		return fmt.Sprintf("what is at %s may not hold: %s", at, what)
	}
	return fmt.Sprintf("what is at %s may not hold", at)
}

// unproved says what of a function is not proved.
func unproved(r *Result) string {
	if r.Verdict == engine.Unsat {
		return obligation(r.C.Evidence.Outcome.Pos(), r.Fault.String())
	}
	return cmp.Or(r.Obligation, r.Reason)
}
