package trace

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
)

func at(line, column int) chc.Position {
	return chc.Position{File: "p.bpl", Line: line, Column: column}
}

// randomRun is a run with calls, returns, loops and perhaps steps that were not kept.
func randomRun(t *rapid.T) []Step {
	steps := []Step{{Kind: Start, Pos: at(1, 1)}}
	depth := 0
	kinds := []Kind{Statement, Statement, Branch, Call, Call, Return, Nondet, Omitted}
	for range rapid.IntRange(0, 120).Draw(t, "steps") {
		s := Step{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Depth: depth, Pos: at(rapid.IntRange(1, 5).Draw(t, "line"), 1)}
		switch s.Kind {
		case Call:
			depth++
		case Return:
			if depth == 0 {
				continue
			}
			depth--
			s.Depth = depth
		case Omitted:
			s = Step{Kind: Omitted, Text: "some steps"}
			depth = rapid.IntRange(0, 300).Draw(t, "depth")
		}
		steps = append(steps, s)
	}
	return append(steps, Step{Kind: Error, Depth: depth, Pos: at(9, 1)})
}

// Nothing is lost by folding, and nothing is told in another order.
func TestFoldKeepsEveryStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := randomRun(t)
		next := 0
		var check func(parts []part, nesting int)
		check = func(parts []part, nesting int) {
			require.LessOrEqual(t, nesting, 2*maxNesting)
			for _, p := range parts {
				if p.loop {
					require.GreaterOrEqual(t, p.last-p.first+1, minFolded)
					require.Equal(t, p.step, p.inside[0].step)
				} else {
					require.Equal(t, next, p.step)
					next++
				}
				if !p.loop && len(p.inside) > 0 {
					require.Equal(t, Call, steps[p.step].Kind)
				}
				check(p.inside, nesting+1)
			}
		}
		check(fold(steps), 0)
		require.Equal(t, len(steps), next)
	})
}

// shape is parts in a line: the lines of steps, calls in parentheses, folded turns in brackets.
func shape(steps []Step, parts []part) string {
	s := ""
	for _, p := range parts {
		switch {
		case p.loop:
			s += fmt.Sprintf(" [%d-%d:%s]", p.first, p.last, shape(steps, p.inside))
		case len(p.inside) > 0:
			s += fmt.Sprintf(" %d(%s)", steps[p.step].Pos.Line, shape(steps, p.inside))
		default:
			s += fmt.Sprintf(" %d", steps[p.step].Pos.Line)
		}
	}
	return s
}

func lines(lines ...int) []Step {
	var steps []Step
	for _, l := range lines {
		steps = append(steps, Step{Kind: Statement, Pos: at(l, 1)})
	}
	return steps
}

func TestFoldOfLoops(t *testing.T) {
	for _, c := range []struct {
		about string
		steps []Step
		want  string
	}{
		{"short loops are kept", lines(1, 2, 3, 2, 3, 2, 3, 2, 4), " 1 2 3 2 3 2 3 2 4"},
		{"the first and the last iterations are kept", lines(1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 4), " 1 2 3 [2-6: 2 3 2 3 2 3 2 3 2 3] 2 3 2 4"},
		{"loops after each other", lines(1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2), " 1 [2-6: 1 1 1 1 1] 1 1 2 [2-6: 2 2 2 2 2] 2 2"},
		{"loops inside of loops", lines(1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 3, 1, 4), " 1 2 [2-6: 2 2 2 2 2] 2 2 1 3 1 4"},
	} {
		require.Equal(t, c.want, shape(c.steps, fold(c.steps)), c.about)
	}
	gap := append(append(lines(2, 2, 2, 2, 2, 2, 2, 2), Step{Kind: Omitted}), lines(2, 2, 2)...)
	require.Equal(t, " 2 [2-6: 2 2 2 2 2] 2 2 0 2 2 2", shape(gap, fold(gap)), "turns are not counted over a gap")
	var calls []Step
	for range 8 {
		calls = append(calls, Step{Kind: Call, Pos: at(1, 1)}, Step{Kind: Statement, Depth: 1, Pos: at(2, 1)}, Step{Kind: Return, Pos: at(1, 1)})
	}
	require.Equal(t, " 1( 2) 1 [2-6: 1( 2) 1 1( 2) 1 1( 2) 1 1( 2) 1 1( 2) 1] 1( 2) 1 1( 2) 1", shape(calls, fold(calls)), "a loop around a call")
}

// The lines that a run comes to are in sight, with some around them, and each line is once in the listing.
func TestStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reached := make([]bool, rapid.IntRange(0, 600).Draw(t, "lines"))
		for range rapid.IntRange(0, 4).Draw(t, "reached") {
			if len(reached) > 0 {
				reached[rapid.IntRange(0, len(reached)-1).Draw(t, "line")] = true
			}
		}
		next := 0
		for _, s := range stretches(reached) {
			require.Equal(t, next, s.from)
			require.Greater(t, s.to, s.from)
			next = s.to
			if s.folded {
				require.GreaterOrEqual(t, s.to-s.from, minGap)
				for i := max(0, s.from-around); i < min(len(reached), s.to+around); i++ {
					require.False(t, reached[i], "line %d is near the stretch from %d to %d", i, s.from, s.to)
				}
			}
		}
		require.Equal(t, len(reached), next)
	})
}

// A line is counted each time that a run comes to it, not for each of its statements.
func TestHits(t *testing.T) {
	in := func(kind Kind, depth, line, column int) Step {
		return Step{Kind: kind, Depth: depth, Pos: at(line, column)}
	}
	p := &page{all: []Step{
		in(Start, 0, 1, 1),
		in(Statement, 0, 2, 1), in(Statement, 0, 2, 9), // two on a line
		in(Branch, 0, 3, 1), in(Statement, 0, 3, 9), in(Branch, 0, 3, 1), in(Statement, 0, 3, 9), in(Branch, 0, 3, 1), // a loop on a line
		in(Call, 0, 4, 1), in(Locals, 1, 5, 1), in(Statement, 1, 5, 1), in(Return, 0, 4, 1), in(Statement, 0, 4, 9), // the rest of the line
		in(Call, 0, 6, 1), in(Statement, 1, 5, 1), in(Call, 1, 6, 1), in(Statement, 2, 5, 1), in(Error, 2, 5, 1), // the failing line is one that was counted
	}}
	require.Equal(t, map[hit]int{{"p.bpl", 2}: 1, {"p.bpl", 3}: 3, {"p.bpl", 4}: 1, {"p.bpl", 5}: 3, {"p.bpl", 6}: 2}, p.hits())
	p.all = []Step{in(Call, 0, 1, 1), in(Statement, 1, 5, 1), in(Return, 0, 1, 1), in(Call, 0, 2, 1), in(Statement, 1, 5, 40), in(Error, 1, 5, 50)}
	require.Equal(t, 2, p.hits()[hit{"p.bpl", 5}], "procedures that stand in one line")
	p.all = []Step{in(Statement, 0, 1, 12), in(Branch, 0, 1, 3), in(Statement, 0, 2, 1), in(Statement, 0, 1, 30), in(Branch, 0, 1, 3), in(Statement, 0, 3, 1)}
	require.Equal(t, 2, p.hits()[hit{"p.bpl", 1}], "a loop whose head has parts that are run from right to left")
}

// Calls that are too deep for a browser are not put into each other.
func TestFoldOfDeepCalls(t *testing.T) {
	var steps []Step
	for depth := range 1000 {
		steps = append(steps, Step{Kind: Call, Depth: depth, Pos: at(1, 1)})
	}
	steps = append(steps, Step{Kind: Error, Depth: 1000})
	var deepest func(parts []part) int
	deepest = func(parts []part) int {
		n := 0
		for _, p := range parts {
			n = max(n, 1+deepest(p.inside))
		}
		return n
	}
	require.InDelta(t, maxNesting, deepest(fold(steps)), 2)
}
