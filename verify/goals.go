package verify

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/goals"
	"hornbeam/frontend/boogie/interpret"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/internal/work"
)

const (
	// exploration is how long runs on concrete values look for places that a program reaches, before engines are asked,
	// explorationShare the most of the time that there is which goes into that, and chance how long they do so for some of the places,
	// as long as these have choices.
	exploration      = 10 * time.Second
	explorationShare = 0.25
	chance           = 100 * time.Millisecond
	// fruitless is how many times in a row these runs find nothing before they end, and sampled one in how many places is
	// looked for at a time: runs pass the others, which are found thereby.
	fruitless = 2
	sampled   = 4
)

// boogieGoals is a Boogie program of which each goal is decided: what may fail, or with Options.Cover what runs reach.
type boogieGoals struct {
	*Boogie
	goals []*goals.Goal
	// contracts are what may fail.
	contracts []*goals.Goal
}

// readBoogie reads a Boogie program and what is asked about it.
func readBoogie(ctx context.Context, req Request) (prepared, error) {
	p, err := ReadBoogie(ctx, req)
	if err != nil {
		return nil, err
	}
	o := req.Options
	if !o.All && !o.Cover {
		return p, nil
	}
	if o.Modular {
		return nil, optionError("--modular verifies each procedure by itself; --all and --cover are about runs of the whole program")
	}
	g := &boogieGoals{Boogie: p}
	isError := func(q *ast.Procedure) bool {
		return slices.Contains(slices.Concat(replay.ErrorProcedures, o.Errors), q.Name)
	}
	g.contracts = goals.Failures(p.Tree, isError)
	g.goals = g.contracts
	if o.Cover {
		g.goals = goals.Places(p.Tree, isError)
	}
	return g, nil
}

// decide decides the goals together for as long as runs reach one after the other, or a proof answers all that are left, and
// then in halves.
func (g *boogieGoals) decide(ctx context.Context) (*Result, error) {
	if end, limited := ctx.Deadline(); limited {
		// What is left is for saying what was found.
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(end)*9/10)
		defer stop()
	}
	found, err := g.explore(ctx)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(g.goals), func(goal *goals.Goal) bool { return found[goal] != nil })
	answers, err := settle(ctx, open, halves, g.ask)
	if err != nil {
		return nil, err
	}
	maps.Copy(answers, found)
	out := &Result{Answer: engine.Answer{Verdict: engine.Sat}}
	var list []Check
	for _, goal := range g.goals {
		r := answers[goal]
		if rank(r) < rank(out) {
			copied := *r
			out = &copied
		}
		list = append(list, Check{What: goal.What, Pos: goal.Pos, Coverage: g.request.Options.Cover, Result: r})
	}
	out.Checks = list
	out.Notes = append(slices.Clone(out.Notes), tally(list, g.request.Options.Cover))
	return out, nil
}

// explore finds goals by runs on concrete values, for a part of the time.
func (g *boogieGoals) explore(ctx context.Context) (map[*goals.Goal]*Result, error) {
	found := map[*goals.Goal]*Result{}
	ctx, stop := work.WithTimeout(ctx, shareOf(ctx, exploration, explorationShare))
	defer stop()
	random := rand.New(rand.NewPCG(g.request.Solver.Seed, 0))
	failed := 0
	for failed < fruitless && ctx.Err() == nil {
		var group []*goals.Goal
		for _, goal := range g.goals {
			if found[goal] == nil && random.IntN(sampled) == 0 {
				group = append(group, goal)
			}
		}
		r, hit, err := g.askBy(ctx, group, func(p *Boogie, ctx context.Context) (*Result, *encode.Segment, error) {
			return p.rounds(ctx, func(ctx context.Context, _ portfolio.Request) portfolio.Witness {
				failing, ok := p.run(ctx, chance)
				if !ok {
					return portfolio.Witness{Reason: "no run fails"}
				}
				return portfolio.Witness{Engine: "runs", Strategy: "runs", Refutation: failing}
			})
		})
		if err != nil {
			return nil, err
		}
		if r.Verdict != engine.Unsat {
			failed++
			continue
		}
		failed = 0
		for _, goal := range hit {
			if found[goal] == nil {
				found[goal] = r
			}
		}
	}
	return found, nil
}

// tally says how many checks have which answer.
func tally(list []Check, cover bool) string {
	counts := map[engine.Verdict]int{}
	for _, c := range list {
		counts[c.Verdict]++
	}
	what, holds, fails := "checks", "safe", "unsafe"
	if cover {
		what, holds, fails = "places", "unreachable", "reached"
	}
	return fmt.Sprintf("%s: %d, of which %d are %s, %d %s and %d open", what, len(list), counts[engine.Unsat], fails, counts[engine.Sat], holds, counts[engine.Unknown])
}

// ask decides a group of goals. Those that the run of an unsafe result reaches are returned beside it.
func (g *boogieGoals) ask(ctx context.Context, group []*goals.Goal) (*Result, []*goals.Goal, error) {
	return g.askBy(ctx, group, (*Boogie).refine)
}

// askBy decides a group of goals in some way.
func (g *boogieGoals) askBy(
	ctx context.Context, group []*goals.Goal, decide func(*Boogie, context.Context) (*Result, *encode.Segment, error),
) (*Result, []*goals.Goal, error) {
	goals.Ask(g.goals, group)
	reached := map[*goals.Goal]bool{}
	run := &Boogie{Tree: g.Tree, request: g.request, observe: func(e interpret.Event) {
		if e.Kind == interpret.Begun {
			clear(reached) // the run before this one was none of the program
		}
		if s, ok := e.Stmt.(*ast.Assert); ok && g.request.Options.Cover && e.Kind == interpret.Stepped {
			if goal := g.of(s.Attributes); goal != nil {
				reached[goal] = true
			}
		}
	}}
	stats := g.request.Solver.Stats
	stats.Set("inline.explored", 0)
	if err := run.Encode(ctx); err != nil {
		r, err := Unread(ctx, err)
		return r, nil, err
	}
	r, failing, err := decide(run, ctx)
	if err != nil {
		return nil, nil, err
	}
	switch r.Verdict {
	case engine.Sat:
		r.Assumptions = g.assumptions(run.Encoding.Assumptions.Safe())
	case engine.Unsat:
		r.Assumptions = g.assumptions(run.Encoding.Assumptions.Unsafe())
		if goal := g.of(violated(failing)); goal != nil {
			reached[goal] = true
			if last := &r.Trace.Steps[len(r.Trace.Steps)-1]; g.request.Options.Cover {
				last.Sought, last.Text = true, goal.What
			}
		}
	default:
		// The engines of a portfolio work on clauses in which a bound means something else.
		if bound := stats.Get("inline.explored"); bound > 0 && g.request.Solver.Engine != portfolio.Auto {
			r.Reason = fmt.Sprintf("no run up to recursion bound %d: %s", bound, r.Reason)
		}
	}
	return r, slices.Collect(maps.Keys(reached)), nil
}

// of is the goal that is about what has the attributes; nil if there is none.
func (g *boogieGoals) of(as ast.Attributes) *goals.Goal {
	if i := slices.IndexFunc(g.goals, func(goal *goals.Goal) bool { return goal.Has(as) }); i >= 0 {
		return g.goals[i]
	}
	return nil
}

// violated returns the attributes of the assertion, specification or call at which runs of a segment fail.
func violated(s *encode.Segment) ast.Attributes {
	switch {
	case s == nil:
		return nil
	case s.Contract != nil:
		return s.Contract.Attributes
	}
	command := s.Last.Block.Commands[s.Before]
	switch source := command.Source.(type) {
	case *ast.Assert:
		return source.Attributes
	case *ast.Call:
		return source.Attributes
	}
	if command.Invariant != nil {
		return command.Invariant.Attributes
	}
	return nil
}

// assumptions are those of an answer, but that the contracts hold which are goals of their own.
func (g *boogieGoals) assumptions(entries []ledger.Entry) []ledger.Entry {
	var out []ledger.Entry
	for _, e := range entries {
		if e.Kind == ledger.Contracts {
			e.Names = slices.DeleteFunc(slices.Clone(e.Names), func(name string) bool {
				return slices.ContainsFunc(g.contracts, func(s *goals.Goal) bool { return s.Pos.String() == name })
			})
			if len(e.Names) == 0 {
				continue
			}
		}
		out = append(out, e)
	}
	return out
}
