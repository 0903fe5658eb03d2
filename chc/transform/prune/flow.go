package prune

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// flowNote is the note on the approximation in the system without arguments that only guard steps.
const flowNote = "what flows into no value that a query reads is arbitrary"

// Flow returns the pass "flow"; what it leaves is simplified by the given passes.
func Flow(passes func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "flow",
		Doc: "Forgets the arguments from which no value flows into what a query reads: they only guard steps, which over-approximates; " +
			"a contract's invariant is mostly about few of its variables.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return flow(ctx, env, sys, passes)
		},
	}
}

func flow(ctx context.Context, env transform.Environment, sys *chc.System, passes func() []transform.Pass) (*chc.System, transform.Translator, error) {
	next, back, err := forget(env, sys, flowing(sys), flowNote)
	if err != nil || next == sys {
		return sys, nil, err
	}
	simple, rest, _, err := transform.Pipeline(ctx, transform.Environment{Open: env.Open}, next, passes())
	if err != nil {
		return nil, nil, fmt.Errorf("simplifying what flows: %w", err)
	}
	return simple, &havocked{transform.Composition{back, rest}, sys, flowNote}, nil
}

// flowing returns the positions whose values flow into what queries read: the least set that has the arguments of the variables of the
// queries' constraints, and of those that the head's arguments in the set are made from.
func flowing(sys *chc.System) positions {
	keep := newPositions(sys)
	for _, c := range sys.Clauses {
		if c.Head == nil {
			compared(c, keep)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range sys.Clauses {
			made := sources(c, keep)
			for _, a := range c.Body {
				for j, t := range a.Args {
					if !keep[a.Pred.ID][j] && slices.ContainsFunc(term.Vars(t), func(x *term.Term) bool { return made[x] }) {
						keep[a.Pred.ID][j], changed = true, true
					}
				}
			}
		}
	}
	return keep
}

// compared keeps the arguments that the atoms of a query compare with each other or with something else than the constraint.
func compared(c *chc.Clause, keep positions) {
	uses := map[*term.Term]int{}
	for _, a := range c.Body {
		for _, t := range a.Args {
			uses[t]++
		}
	}
	for _, a := range c.Body {
		for j, t := range a.Args {
			if !t.IsVar() || uses[t] > 1 {
				keep[a.Pred.ID][j] = true
			}
		}
	}
}

// sources are the variables of a clause that the kept arguments of its head are made from, or of a query all of its constraint's.
func sources(c *chc.Clause, keep positions) map[*term.Term]bool {
	made := map[*term.Term]bool{}
	var work []*term.Term
	add := func(t *term.Term) {
		for _, x := range term.Vars(t) {
			if !made[x] {
				made[x] = true
				work = append(work, x)
			}
		}
	}
	if c.Head == nil {
		add(c.Constraint)
		return made
	}
	for j, t := range c.Head.Args {
		if keep[c.Head.Pred.ID][j] {
			add(t)
		}
	}
	if len(work) == 0 {
		return made
	}
	// What a variable is that no atom of the body determines is said by equations.
	given := map[*term.Term]bool{}
	for _, a := range c.Body {
		for _, t := range a.Args {
			for _, x := range term.Vars(t) {
				given[x] = true
			}
		}
	}
	equations := map[*term.Term][]*term.Term{}
	term.Walk(c.Constraint, func(t *term.Term) bool {
		if t.Op() == term.Eq {
			for _, x := range term.Vars(t) {
				if !given[x] && !slices.Contains(equations[x], t) {
					equations[x] = append(equations[x], t)
				}
			}
		}
		return true
	})
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, t := range equations[x] {
			add(t)
		}
	}
	return made
}
