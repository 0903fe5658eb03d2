package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// Reading through stores and choices changes no value, and leaves no read of either behind.
func TestReadThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		sort := p.Array(term.Int, term.Int)
		arrays := []*term.Term{p.Var("a", sort), p.Var("b", sort), p.ConstArray(sort, p.Int(7))}
		numbers := []*term.Term{p.Var("i", term.Int), p.Var("j", term.Int), p.Int(0), p.Int(1)}
		conditions := []*term.Term{p.Var("c", term.Bool)}
		one := func(of []*term.Term) *term.Term { return rapid.SampledFrom(of).Draw(t, "operand") }
		for range rapid.IntRange(1, 12).Draw(t, "operations") {
			switch rapid.IntRange(0, 4).Draw(t, "operation") {
			case 4:
				numbers = append(numbers, p.Ite(one(conditions), one(numbers), one(numbers)))
			case 0:
				arrays = append(arrays, p.Store(one(arrays), one(numbers), one(numbers)))
			case 1:
				arrays = append(arrays, p.Ite(one(conditions), one(arrays), one(arrays)))
			case 2:
				numbers = append(numbers, p.Select(one(arrays), one(numbers)))
			default:
				conditions = append(conditions, p.Le(one(numbers), one(numbers)))
			}
		}
		f := p.And(p.Eq(one(numbers), one(numbers)), p.Or(one(conditions), p.Le(p.Select(one(arrays), one(numbers)), one(numbers))))
		through, ok := readThrough(p, f, 10_000)
		require.True(t, ok)
		term.Walk(through, func(u *term.Term) bool {
			require.False(t, u.Op() == term.Select && u.Arg(0).Op() != term.Var, "%s", u)
			return true
		})
		draw := func(name string) term.Value {
			return term.NumValue(term.NewInt(int64(rapid.IntRange(-1, 2).Draw(t, name))), term.Int)
		}
		array := func(name string) term.Value {
			stored := p.Store(p.Store(p.ConstArray(sort, draw(name).Term(p)), p.Int(0), draw(name).Term(p)), p.Int(1), draw(name).Term(p))
			v, ok := term.NewEvaluator(p, term.MapAssignment{}).Eval(stored)
			require.True(t, ok)
			return v
		}
		e := term.NewEvaluator(p, term.MapAssignment{
			p.Var("a", sort): array("a"), p.Var("b", sort): array("b"), p.Var("i", term.Int): draw("i"), p.Var("j", term.Int): draw("j"),
			p.Var("c", term.Bool): term.BoolValue(rapid.Bool().Draw(t, "c")),
		})
		require.Equal(t, e.True(f), e.True(through))
		require.Equal(t, e.False(f), e.False(through))
	})
}
