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
		r := rounds.New(p, values, increments, nil, vars, term.NewInt(count-1))
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

// drawArray draws an array term over the variables and numbers that change.
func drawArray(t *rapid.T, p *term.Pool, arrays, vars []*term.Term, depth int) *term.Term {
	if depth == 0 {
		return rapid.SampledFrom(arrays).Draw(t, "array")
	}
	sub := func() *term.Term { return drawArray(t, p, arrays, vars, depth-1) }
	index := func() *term.Term {
		if rapid.IntRange(0, 5).Draw(t, "moving index") == 0 {
			return vars[0]
		}
		return p.Int(rapid.Int64Range(0, 3).Draw(t, "index"))
	}
	switch rapid.IntRange(0, 3).Draw(t, "operator") {
	case 0:
		return p.ConstArray(arrays[0].Sort(), p.Add(p.Select(sub(), index()), vars[0]))
	case 1:
		return p.Ite(p.Le(p.Select(sub(), index()), vars[1]), sub(), sub())
	}
	return p.Store(sub(), index(), p.Add(vars[1], p.Select(sub(), index())))
}

// What is known of arrays and records over all rounds is their value in each one.
func TestRoundsOfArraysAgreeWithEachRound(t *testing.T) {
	known, moving, open, different := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		sort := p.Array(term.Int, term.Int)
		number := func(name string, most int64) int64 { return rapid.Int64Range(-most, most).Draw(t, name) }
		vars := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int)}
		arrays := []*term.Term{p.Var("a", sort), p.Var("b", sort)}
		values, increments, next := map[*term.Term]term.Value{}, map[*term.Term]term.Num{}, map[*term.Term]term.Value{}
		// in has the values in a round, of arrays element by element: those at 0 to 3, and the one elsewhere.
		in := make([]term.MapAssignment, rapid.IntRange(1, 6).Draw(t, "rounds"))
		for i := range in {
			in[i] = term.MapAssignment{}
		}
		for _, x := range vars {
			v, d := number("value", 5), number("increment", 2)
			values[x], increments[x] = term.NumValue(term.NewInt(v), term.Int), term.NewInt(d)
			for i := range in {
				in[i][x] = term.NumValue(term.NewInt(v+int64(i)*d), term.Int)
			}
		}
		for _, a := range arrays {
			var elements, steps [5]int64
			for k := range elements {
				elements[k] = number("element", 4)
				if rapid.Bool().Draw(t, "moves") {
					steps[k] = number("step", 2)
				}
			}
			at := func(i int) term.Value {
				of := func(k int) *term.Term { return p.Int(elements[k] + int64(i)*steps[k]) }
				out := p.ConstArray(sort, of(4))
				for k := range 4 {
					out = p.Store(out, p.Int(int64(k)), of(k))
				}
				return term.TermValue(out)
			}
			values[a], next[a] = at(0), at(1)
			for i := range in {
				in[i][a] = at(i)
			}
		}
		r := rounds.New(p, values, increments, next, append(vars, arrays...), term.NewInt(int64(len(in)-1)))
		f := drawArray(t, p, arrays, vars, rapid.IntRange(0, 3).Draw(t, "depth"))
		if rapid.Bool().Draw(t, "equation") {
			f = p.Eq(f, drawArray(t, p, arrays, vars, 1))
		}
		got, ok := r.Eval(f)
		if !ok {
			open++
			return
		}
		known++
		if got.Next.Sort() != nil {
			moving++
		}
		for i := range in {
			want, ok := term.NewEvaluator(p, in[i]).Eval(f)
			require.True(t, ok, "%s in round %d", f, i)
			v, ok := got.Value(p, term.NewInt(int64(i)))
			require.True(t, ok)
			require.True(t, want.Equal(v), "%s in round %d is %s, not %s", f, i, want, v)
			if want.Sort() == term.Bool && !want.Bool() {
				different++
			}
		}
	})
	require.Positive(t, moving)
	require.Positive(t, open)
	require.Positive(t, different)
	require.Greater(t, known, open/4)
}
