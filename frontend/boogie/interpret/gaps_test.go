package interpret_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/interpret"
)

// outcomeOf runs a program whose choices are defaults.
func outcomeOf(t require.TestingT, src string) interpret.Outcome {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	out, err := interpret.Run(context.Background(), p, ints(), interpret.Options{Entry: p.Procedures[len(p.Procedures)-1]})
	require.NoError(t, err, src)
	return out
}

// A condition on all integers that reads finite maps and compares shifted integers is decided, and as the integers near
// the numbers in it say.
func TestAllIntegersOfMaps(t *testing.T) {
	held, failed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		draw := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
		number := func() string { return draw("0", "1", "2", "5", "9", "13") }
		at := func() string {
			return draw("x", "x + "+number(), number()+" + x", "x - "+number(), "plus(x, "+number()+")")
		}
		value := func() string { return draw("m", "n", "flip(m)") + "[" + at() + "]" }
		atom := func() string {
			return draw(at()+draw(" < ", " <= ", " == ", " != ", " > ")+number(), value()+draw(" == ", " != ", " < ")+draw(value(), number()), "le("+number()+", "+at()+")")
		}
		body := atom()
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			body = "(" + body + draw(" && ", " || ", " ==> ", " <==> ") + "(" + draw("", "!") + "(" + atom() + ")))"
		}
		var stores strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "stores") {
			fmt.Fprintf(&stores, "%s[%s] := %s; ", draw("m", "n"), number(), number())
		}
		src := `function plus(a: int, b: int): int { a + b }
function {:inline} le(a: int, b: int): bool { a <= b }
function flip(m: [int]int): [int]int { m[1 := 2] }
procedure main() { var m, n: [int]int; ` + stores.String() + "assert (forall x: int :: "
		all := outcomeOf(t, src+body+"); }")
		near := outcomeOf(t, src+"-30 <= x && x <= 30 ==> ("+body+")); }")
		require.Contains(t, []interpret.Kind{interpret.Finished, interpret.Failed}, all.Kind, "%s %s", src+body, all.What)
		require.Equal(t, near.Kind, all.Kind, src+body)
		if all.Kind == interpret.Finished {
			held++
		} else {
			failed++
		}
	})
	require.Positive(t, held)
	require.Positive(t, failed)
}

// Between two integers that matter one is looked at.
func TestIntegersBetween(t *testing.T) {
	for body, want := range map[string]interpret.Kind{"le(x, 3) || le(9, x)": interpret.Failed, "le(x, 3) || le(4, x)": interpret.Finished, "le(x, 3) || le(5, x)": interpret.Failed} {
		out := outcomeOf(t, "function le(a: int, b: int): bool { a <= b } procedure main() { assert (forall x: int :: "+body+"); }")
		require.Equal(t, want, out.Kind, body)
	}
}

// What has other parts is not decided when no integer that stands out is a witness.
func TestAllIntegersOfOtherConditions(t *testing.T) {
	for _, body := range []string{"x * x >= 0", "2 * x != 7", "m[x + x] == 0", "m[m[x]] == 0", "m[x] + 1 == 1", "x mod 2 < 2", "m[x] - x <= m[0 - x] + 10 || true ==> x == x"} {
		out := outcomeOf(t, "procedure main() { var m: [int]int; assert (forall x: int :: "+body+"); }")
		require.Equal(t, interpret.Undetermined, out.Kind, "%s: %s", body, out.What)
	}
}

// An assumption that a chosen map does not satisfy says what the map would have to be.
func TestRepairs(t *testing.T) {
	out := outcomeOf(t, "procedure main() { var m: [int]int; assume (forall x: int :: 2 <= x && x < 5 ==> m[x + 1] == 7 + 1); }")
	require.Equal(t, interpret.Blocked, out.Kind)
	var got []string
	for _, r := range out.Repairs {
		got = append(got, fmt.Sprint(r.Variable.Name, r.Index, "=", r.Value))
	}
	require.Equal(t, []string{"m3=8", "m4=8", "m5=8"}, got)

	out = outcomeOf(t, "procedure main() { var m: [int]int; assume (forall x: int :: x < 5 ==> 3 == m[x]); }")
	require.Len(t, out.Repairs, 1)
	require.Nil(t, out.Repairs[0].Index, "what holds of all integers on one side is the value elsewhere")

	m := interpret.NewMap(out.Repairs[0].Variable.Type, interpret.NewInt(0))
	m, err := m.Store(interpret.NewInt(9), interpret.NewInt(1))
	require.NoError(t, err)
	v, err := interpret.Apply(m, []interpret.Repair{{Index: interpret.NewInt(4), Value: interpret.NewInt(6)}, {Value: interpret.NewInt(5)}})
	require.NoError(t, err)
	require.Equal(t, "[4: 6, 9: 1, else: 5]", v.String())
	require.Empty(t, outcomeOf(t, "var g: [int]int; procedure main() { assume (forall x: int :: x < 5 ==> g[x] == 1); }").Repairs, "a global may be known elsewhere")
}
