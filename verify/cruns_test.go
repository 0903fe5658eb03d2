package verify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c/interpret"
)

// A program that leaves nothing open has one run, which is followed further than others are.
func TestTheOnlyRun(t *testing.T) {
	// The turns are not alike, so that none are left out.
	const loop = `unsigned x = 0, h = 1; while (x < 8000000) { x++; h = h * 33u ^ x; } if (x == 8000000) reach_error();`
	for _, test := range []struct {
		name, body string
		want       engine.Verdict
	}{
		{"it reaches the error", loop, engine.Unsat},
		{"it reaches no error", `unsigned x = 0, h = 1; while (x < 8000000) { x++; h = h * 33u ^ x; } if (x != 8000000) reach_error();`, engine.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "void reach_error(void); int main(void) { " + test.body + " return 0; }"
			o := asked(t, "explore=10s")
			o.Witness = true
			r := decideC(t.Context(), t, text, o, hard)
			require.Equal(t, test.want, r.Verdict)
			if test.want == engine.Unsat {
				require.Equal(t, interpret.ErrorReached, r.C.Evidence.Outcome.Kind)
				require.Greater(t, r.C.Evidence.Outcome.Steps, int64(10_000_000), "other runs end earlier")
			}
		})
	}
}

// A program whose runs can all be made is proved by them: its only one, or one for each class of values that make no difference. One that has
// too many of them, has undefined behaviour or depends on where objects are is not.
func TestAllRunsAreAProof(t *testing.T) {
	const loop = `unsigned h = 1; for (int i = 0; i < %s; i++) h = h * 33u ^ (unsigned)i; if (h == 0) reach_error();`
	for _, test := range []struct {
		body string
		want bool
	}{
		{strings.ReplaceAll(loop, "%s", "100"), true},
		{strings.ReplaceAll(loop, "%s", "100000"), true},
		{`assume(0); reach_error();`, true},
		{`int x = 2147483647; x++; if (x > 0) reach_error();`, true},
		{`int x = nd(); if (x * 2 == 7) reach_error();`, false},
		{`int a[2] = {0}; volatile int i = 2; if (a[i] != a[i]) reach_error();`, false},
		{`int x = nd(); if (x != x) reach_error();`, true},
		{`int x = nd(); if (x < 1 || x > 9) return 0; int s = 0; for (int i = 1; i <= x; i++) s += i; if (2 * s != x * (x + 1)) reach_error();`, true},
		{`int x = nd(); if (x < 0 || x > 60000) return 0; unsigned y = x; for (int i = 0; i < 20; i++) y = y / 2; if (y != 0) reach_error();`, true},
		{`int x = nd(); if (x > 5) x = 2147483647; x++; if (x == 77) reach_error();`, true},
		{`int x = nd(); if (x > 5) { x = 2147483647; x++; } else x = 0; if (x > 0) reach_error();`, true},
		{`int x; if (x * 2 == 7) reach_error();`, false},
		{`int a[2] = {1, 2}; int i = nd(); if (i < 0 || i > 1) return 0; if (a[i] / (i + 1) != 1 || 1 << i > 2) reach_error();`, true},
		{`int x; if ((unsigned long)&x == 0) reach_error();`, false},
		{`int s = 0; while (1) { s = nd() > 3 ? (s + 1) % 5 : 0; if (s > 4) reach_error(); }`, true},
	} {
		text := "int nd(void); void assume(int); void reach_error(void); int main(void) { " + test.body + " return 0; }"
		never := func(ctx context.Context, _ string, _ portfolio.Request) portfolio.Witness {
			if test.want {
				<-ctx.Done() // the run is the proof
			}
			return portfolio.Witness{Reason: "too hard"}
		}
		o := asked(t, "explore=1s")
		r := decideC(t.Context(), t, text, o, never)
		require.Equal(t, test.want, r.Verdict == engine.Sat, "%s: %s", test.body, r.Reason)
		require.Equal(t, test.want, r.C.Evidence != nil && r.C.Evidence.AllRuns, test.body)
		overflow := ""
		if at := strings.Index(text, "x++"); at >= 0 && test.want {
			overflow = fmt.Sprintf("assumed test.c:1:%d: 2147483647 + 1 does not fit in int", at+1)
		}
		require.Equal(t, overflow, overflowed(r.Assumptions), test.body)
		for _, a := range r.Assumptions {
			require.NotContains(t, []ledger.Kind{ledger.Accesses, ledger.Division, ledger.Shift}, a.Kind, "runs show it")
		}
		o.Witness, test.want = true, false
		r = decideC(t.Context(), t, text, o, never)
		require.Equal(t, engine.Unknown, r.Verdict, test.body)
	}
}
