package transform

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// The expanded constraint holds for the bits of vectors exactly when the constraint does; where all vectors are narrow,
// none is left.
func TestBitBlastIsExact(t *testing.T) {
	held, mixed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		v := &vectors{t: t, p: term.NewPool(), width: rapid.IntRange(1, 5).Draw(t, "width"), anyDivisor: true}
		f := v.formula(2)
		c := &chc.Clause{Constraint: f}
		sys := &chc.System{Pool: v.p, Clauses: []*chc.Clause{c}}
		b := &bitBlast{opts: BitBlastOptions{Width: rapid.IntRange(1, 10).Draw(t, "narrow")}, pool: v.p, old: sys}
		x := newCircuits(b)
		next := x.clause(c, nil)
		wide := false
		term.Walk(f, func(u *term.Term) bool {
			wide = wide || u.Sort().IsBitVec() && !b.narrow(u.Sort()) || u.Op() == term.NatToBV
			return true
		})
		if wide {
			mixed++
		} else {
			require.False(t, hasBitVectors(&chc.System{Clauses: []*chc.Clause{next}}), "%v", next.Constraint)
		}
		for _, y := range next.Vars() {
			require.False(t, b.narrow(y.Sort()), "%v", next.Constraint)
		}
		for range 20 {
			old := v.assignment(c.Vars())
			vals := term.MapAssignment{}
			for y, val := range old {
				code, ok := x.codes[y]
				if !ok {
					vals[y] = val
					continue
				}
				parts := make([]term.Value, len(code.variables))
				for i, bit := range code.variables {
					parts[i] = term.BoolValue(val.Num().BigInt().Bit(i) == 1)
					vals[bit] = parts[i]
				}
				require.Equal(t, val.String(), code.value(parts).String())
			}
			want := term.NewEvaluator(v.p, old).True(f)
			require.Equal(t, want, term.NewEvaluator(v.p, vals).True(next.Constraint), "%v\n%v\n%v", f, next.Constraint, old)
			if want {
				held++
			}
		}
	})
	require.Positive(t, held)
	require.Positive(t, mixed)
}

func TestBitBlastCarriesWitnessesBack(t *testing.T) {
	carriesVectorsBack(t, BitBlastWith(BitBlastOptions{Width: 64, Bits: 64}))
}

// Predicates with too many bits and vectors that are too wide keep their arguments; what they hand over is put together
// from bits.
func TestBitBlastKeepsWhatIsTooLarge(t *testing.T) {
	p := term.NewPool()
	byteSort, word := p.BitVec(8), p.BitVec(32)
	small := &chc.Predicate{ID: 0, Name: "small", Sorts: []*term.Sort{byteSort, word}, ArgNames: []string{"b", "w"}}
	large := &chc.Predicate{ID: 1, Name: "large", Sorts: []*term.Sort{byteSort, byteSort}}
	x, y, w := p.Var("x", byteSort), p.Var("y", byteSort), p.Var("w", word)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{small, large}, Clauses: []*chc.Clause{{
		Body:       []chc.App{{Pred: small, Args: []*term.Term{x, w}}},
		Constraint: p.Eq(p.ZeroExtend(24, p.BV(term.BVAdd, x, y)), w),
		Head:       &chc.App{Pred: large, Args: []*term.Term{x, y}},
	}}}
	next, back, err := BitBlastWith(BitBlastOptions{Width: 8, Bits: 8}).Run(t.Context(), Environment{}, sys)
	require.NoError(t, err)
	require.NotNil(t, back)
	require.Equal(t, 9, next.Predicates[0].Arity())
	require.Equal(t, "b.7", next.Predicates[0].ArgNames[7])
	require.Equal(t, "w", next.Predicates[0].ArgNames[8])
	require.Equal(t, large.Sorts, next.Predicates[1].Sorts)
	require.Equal(t, byteSort, next.Clauses[0].Head.Args[0].Sort())
	require.False(t, next.Clauses[0].Head.Args[0].IsVar())
	same, back, err := BitBlastWith(BitBlastOptions{Width: 7, Bits: 8}).Run(t.Context(), Environment{}, sys)
	require.NoError(t, err)
	require.Same(t, sys, same)
	require.Nil(t, back)
}
