package rounds_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/witness/rounds"
)

// drawNumber draws an Int term over the variables.
func drawNumber(t *rapid.T, p *term.Pool, vars []*term.Term, depth int) *term.Term {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		if rapid.IntRange(0, 3).Draw(t, "constant") == 0 {
			return p.Int(rapid.Int64Range(-4, 4).Draw(t, "numeral"))
		}
		return rapid.SampledFrom(vars).Draw(t, "variable")
	}
	sub := func() *term.Term { return drawNumber(t, p, vars, depth-1) }
	switch rapid.IntRange(0, 7).Draw(t, "operator") {
	case 0, 1:
		return p.Add(sub(), sub())
	case 2:
		return p.Mul(sub(), sub())
	case 3:
		return p.IntDiv(sub(), p.Int(rapid.Int64Range(-3, 3).Draw(t, "divisor")))
	case 4:
		return p.Mod(sub(), p.Int(rapid.Int64Range(-3, 3).Draw(t, "divisor")))
	case 5:
		return p.Ite(drawTruth(t, p, vars, depth-1), sub(), sub())
	case 6:
		return p.Abs(sub())
	}
	return p.Sub(sub(), sub())
}

// drawTruth draws a Boolean term over the variables.
func drawTruth(t *rapid.T, p *term.Pool, vars []*term.Term, depth int) *term.Term {
	a, b := drawNumber(t, p, vars, max(0, depth-1)), drawNumber(t, p, vars, max(0, depth-1))
	choice := rapid.IntRange(0, 8).Draw(t, "connective")
	if depth == 0 {
		choice %= 5
	}
	switch choice {
	case 0, 1:
		return p.Le(a, b)
	case 2:
		return p.Eq(a, b)
	case 3:
		return p.Divides(term.NewInt(rapid.Int64Range(1, 3).Draw(t, "divisor")), a)
	case 4:
		return p.Lt(p.ToReal(a), p.ToReal(b))
	case 5:
		return p.And(drawTruth(t, p, vars, depth-1), drawTruth(t, p, vars, depth-1))
	case 6:
		return p.Or(drawTruth(t, p, vars, depth-1), drawTruth(t, p, vars, depth-1))
	case 7:
		return p.Eq(drawTruth(t, p, vars, depth-1), drawTruth(t, p, vars, depth-1))
	}
	return p.Not(drawTruth(t, p, vars, depth-1))
}

// What is known of a term over all rounds is its value in each one.
func TestRoundsAgreeWithEachRound(t *testing.T) {
	known, moving, open := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		vars := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
		values, increments := map[*term.Term]term.Value{}, map[*term.Term]term.Num{}
		for _, x := range vars {
			values[x] = term.NumValue(term.NewInt(rapid.Int64Range(-9, 9).Draw(t, "value")), term.Int)
			increments[x] = term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "increment"))
		}
		count := rapid.Int64Range(1, 8).Draw(t, "rounds")
		r := rounds.New(p, values, increments, vars, term.NewInt(count-1))
		f := drawTruth(t, p, vars, 3)
		if rapid.Bool().Draw(t, "number") {
			f = drawNumber(t, p, vars, 3)
		}
		got, ok := r.Eval(f)
		if !ok {
			open++
			return
		}
		known++
		if !got.Step.IsZero() {
			moving++
		}
		for i := range count {
			at := term.NewInt(i)
			now := term.MapAssignment{}
			for _, x := range vars {
				now[x] = term.NumValue(values[x].Num().Add(increments[x].Mul(at)), term.Int)
			}
			want, ok := term.NewEvaluator(p, now).Eval(f)
			require.True(t, ok, "%s in round %d", f, i)
			if f.Sort() == term.Int {
				require.True(t, want.Num().Equal(got.At(at)), "%s in round %d is %s, not %s", f, i, want, got.At(at))
			} else {
				require.Equal(t, want.Bool(), got.Base.Bool(), "%s in round %d", f, i)
			}
		}
	})
	require.Positive(t, moving)
	require.Positive(t, open)
	require.Greater(t, known, open/4)
}
