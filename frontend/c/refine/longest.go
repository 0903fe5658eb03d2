package refine

import (
	"context"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// longest says how far runs go.
type longest struct {
	// turns are, for the statements that are loops, the most turns in a row for which a test was true.
	turns map[tree.Node]int
	// depth is, for functions that were called inside themselves, how many of their calls were open at most.
	depth map[*tree.Function]int
}

// sample tries random runs, which end after so many steps, and two in which all numbers are alike, which go ten times as far: a loop that an
// input ends comes to an end soon by chance. It returns how far they went. The error is that of ctx, or says that the program can't be run.
func sample(ctx context.Context, p *tree.Program, o interpret.Options, runs int) (longest, error) {
	out := longest{turns: map[tree.Node]int{}, depth: map[*tree.Function]int{}}
	program, err := interpret.New(p, o)
	if err != nil {
		return longest{}, err
	}
	for seed := uint64(1); seed <= uint64(runs); seed++ {
		c := counter{longest: &out}
		if _, err := program.Run(ctx, program.Random(seed), c.observe); err != nil {
			return longest{}, err
		}
	}
	o.Steps *= 10
	if program, err = interpret.New(p, o); err != nil {
		return longest{}, err
	}
	for n := range int64(2) {
		c := counter{longest: &out}
		if _, err := program.Run(ctx, alike{n, program.Random(1)}, c.observe); err != nil {
			return longest{}, err
		}
	}
	return out, nil
}

// alike answers with one number, but for pointers and arguments, which others choose.
type alike struct {
	number int64
	others interpret.Choices
}

func (a alike) Choose(q interpret.Question) (interpret.Value, error) {
	if _, pointer := q.Type.(*tree.Pointer); pointer || q.Asked == interpret.Argument {
		return a.others.Choose(q)
	}
	return interpret.Int(a.number), nil
}

// counter counts what one run does.
type counter struct {
	longest *longest
	calls   []openCall
}

// openCall is a call that has not returned, with the turns of its loops so far.
type openCall struct {
	function *tree.Function
	turns    map[tree.Node]int
}

func (c *counter) observe(e interpret.Event) {
	switch e.Kind {
	case interpret.Began, interpret.Called:
		c.calls = append(c.calls, openCall{e.Function, map[tree.Node]int{}})
		depth := 0
		for _, call := range c.calls {
			if call.function == e.Function {
				depth++
			}
		}
		if depth > 1 {
			c.longest.depth[e.Function] = max(c.longest.depth[e.Function], depth)
		}
	case interpret.Returned:
		c.calls = c.calls[:max(0, len(c.calls)-1)]
	case interpret.Branched:
		if len(c.calls) == 0 {
			return
		}
		switch e.Node.(type) {
		case *tree.While, *tree.DoWhile, *tree.For:
		default:
			return
		}
		turns := c.calls[len(c.calls)-1].turns
		if !e.Taken {
			delete(turns, e.Node)
			return
		}
		turns[e.Node]++
		c.longest.turns[e.Node] = max(c.longest.turns[e.Node], turns[e.Node])
	}
}
