package decide_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/interpret"
)

// A program that leaves nothing open has one run, which is followed further than others are.
func TestTheOnlyRun(t *testing.T) {
	const loop = `unsigned x = 0; while (x < 8000000) x++; if (x == 8000000) reach_error();`
	for _, test := range []struct {
		name, body string
		want       decide.Verdict
	}{
		{"it reaches the error", loop, decide.Unsafe},
		{"it reaches no error", `unsigned x = 0; while (x < 8000000) x++; if (x != 8000000) reach_error();`, decide.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := c.Read(t.Context(), "test.c", []byte("void reach_error(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
			require.NoError(t, err)
			r, err := decide.Program(t.Context(), p, decide.Options{Explore: 10 * time.Second}, func(context.Context, decide.Question) decide.Decided {
				return decide.Decided{Reason: "too hard"}
			})
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict)
			if test.want == decide.Unsafe {
				require.Equal(t, interpret.ErrorReached, r.Outcome.Kind)
				require.Greater(t, r.Outcome.Steps, int64(10_000_000), "other runs end earlier")
			}
		})
	}
}

// A program that leaves nothing open is proved by its only run; one that is asked for a value, has undefined behaviour or depends
// on where objects are is not.
func TestTheOnlyRunIsAProof(t *testing.T) {
	const loop = `unsigned h = 1; for (int i = 0; i < %s; i++) h = h * 33u ^ (unsigned)i; if (h == 0) reach_error();`
	for _, test := range []struct {
		body string
		want bool
	}{
		{strings.ReplaceAll(loop, "%s", "100"), true},
		{strings.ReplaceAll(loop, "%s", "100000"), true},
		{`assume(0); reach_error();`, true},
		{`int x = 2147483647; x++; if (x > 0) reach_error();`, true},
		{`int x = nd(); if (x != x) reach_error();`, false},
		{`int a[2] = {0}; volatile int i = 2; if (a[i] != a[i]) reach_error();`, false},
		{`int x; if (x != x) reach_error();`, false},
		{`int x; if ((unsigned long)&x == 0) reach_error();`, false},
	} {
		p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void assume(int); void reach_error(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
		require.NoError(t, err)
		never := func(ctx context.Context, _ decide.Question) decide.Decided {
			if test.want {
				<-ctx.Done() // the run is the proof
			}
			return decide.Decided{Reason: "too hard"}
		}
		o := decide.Options{OnlyRun: true, Explore: time.Second}
		r, err := decide.Program(t.Context(), p, o, never)
		require.NoError(t, err, test.body)
		require.Equal(t, test.want, r.OnlyRun, test.body)
		require.Equal(t, test.want, r.Verdict == decide.Safe, "%s: %s", test.body, r.Reason)
		overflow := ""
		if strings.Contains(test.body, "x++") {
			overflow = "assumed test.c:1:94: 2147483647 + 1 does not fit in int"
		}
		require.Equal(t, overflow, overflowed(r.Assumptions(t.Context(), p, o)), test.body)
		o.OnlyRun, test.want = false, false
		r, err = decide.Program(t.Context(), p, o, never)
		require.NoError(t, err, test.body)
		require.Equal(t, decide.Unknown, r.Verdict, test.body)
	}
}
