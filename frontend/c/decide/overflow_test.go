package decide_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/translate"
	"hornbeam/internal/smt/z3"
)

// later decides clauses only after it has given up some times.
func later(times int, calls *int) decide.Decider {
	return func(ctx context.Context, e *encode.Encoding) decide.Decided {
		if *calls++; *calls <= times {
			return decide.Decided{Reason: "too hard"}
		}
		a := portfolio.Solve(ctx, portfolio.Request{System: e.System, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()})
		return decide.Decided{Model: a.Model, Refutation: a.Refutation, Reason: a.Reason}
	}
}

// A proof may be one of all runs without an overflow, if that is allowed and there is no other, and then that is said. Bugs
// are those of the machine.
func TestWithoutOverflows(t *testing.T) {
	const overflows = `int x = nd(); if (x > 0 && x + 1 < 0) reach_error();`
	const reaches = `int x = nd(); if (x > 0 && x + 1 < 7) reach_error();`
	for _, test := range []struct {
		name, body string
		options    decide.Options
		times      int
		want       decide.Verdict
		assumed    bool
		calls      int
	}{
		{"only without overflows", overflows, decide.Options{Assume: true}, 1, decide.Safe, true, 2},
		{"not without being asked", overflows, decide.Options{}, 1, decide.Unknown, false, 1},
		{"not instead of a bug", overflows, decide.Options{Assume: true}, 0, decide.Unsafe, false, 1},
		{"not instead of a proof", `unsigned x = nd(); if (x / 2 == 1u << 31) reach_error();`, decide.Options{Assume: true}, 0, decide.Safe, false, 1},
		{"a bug without overflows", reaches, decide.Options{Assume: true}, 1, decide.Unsafe, false, 2},
		{"nothing", overflows, decide.Options{Assume: true}, 9, decide.Unknown, false, 2},
		{"not of overflows themselves", overflows, decide.Options{Assume: true, Translate: translate.Options{Property: translate.NoOverflow}}, 1, decide.Unknown, false, 1},
		{"not without bounds", overflows, decide.Options{Assume: true, Unbounded: true}, 1, decide.Unknown, false, 1},
		{"not in other modes", overflows, decide.Options{Assume: true, Mode: bits.AllVectors}, 1, decide.Unknown, false, 1},
		{"not where a run may come to what can't be handled", `if (nd()) longjmp();`, decide.Options{Assume: true}, 0, decide.Unknown, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); void longjmp(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
			require.NoError(t, err)
			calls := 0
			r, err := decide.Program(t.Context(), p, test.options, later(test.times, &calls))
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict, r.Reason)
			require.Equal(t, test.calls, calls)
			assumed := false
			for _, a := range r.Translation.Assumptions.Safe() {
				assumed = assumed || a.What == decide.NoSignedOverflow
			}
			require.Equal(t, test.assumed, assumed)
			require.Equal(t, test.want == decide.Unknown, r.Reason != "")
		})
	}
}

// A proof without overflows is the answer when one of all runs, which is tried before and after, takes all of the time; a bug
// that is found in the end is the answer in spite of it.
func TestWithoutOverflowsInTheEnd(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); int main(void) { int x = nd(); if (x > 0 && x + 1 < 0) reach_error(); return 0; }"), c.Options{Model: c.LP64})
	require.NoError(t, err)
	for _, hard := range []int{9, 1} {
		ctx, stop := context.WithTimeout(t.Context(), 4*time.Second)
		calls, none := 0, 0
		r, err := decide.Program(ctx, p, decide.Options{Assume: true}, func(ctx context.Context, e *encode.Encoding) decide.Decided {
			if calls++; calls != 2 && calls <= hard {
				<-ctx.Done()
				return decide.Decided{Reason: "too hard"}
			}
			return later(0, &none)(ctx, e)
		})
		stop()
		require.NoError(t, err)
		require.Equal(t, 3, calls)
		require.Equal(t, map[int]decide.Verdict{9: decide.Safe, 1: decide.Unsafe}[hard], r.Verdict, r.Reason)
		if hard == 9 {
			entries := r.Translation.Assumptions.Safe()
			require.Equal(t, decide.NoSignedOverflow, entries[len(entries)-1].What)
		}
	}
}

// Of a run with a signed overflow is told where the first one is, and of others nothing; nor is it where overflows are no
// matter of undefined behaviour.
func TestWhereARunOverflows(t *testing.T) {
	for _, test := range []struct {
		body, want string
		o          decide.Options
	}{
		{`int x = 2147483647; x++; if (x < 0) reach_error();`, "2147483647 + 1 does not fit in int", decide.Options{}},
		{`int x = 2147483647; unsigned y = x; y++; x = y; if (x < 0) reach_error();`, "", decide.Options{}},
		{`int x = 7; if (x == 7) reach_error(); x = 2147483647; x++;`, "", decide.Options{}},
		{`int x = 2147483647; x++; if (x == 0) reach_error();`, "", decide.Options{}},
		{`int x = 2147483647; x++; reach_error();`, "", decide.Options{Translate: translate.Options{Property: translate.NoOverflow}}},
		{`int x = 7; if (x == 7) reach_error();`, "", decide.Options{Translate: translate.Options{EndAtOverflow: true}}},
	} {
		p, err := c.Read(t.Context(), "test.c", []byte("void reach_error(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
		require.NoError(t, err)
		test.o.Explore = 10 * time.Second
		r, err := decide.Program(t.Context(), p, test.o, func(context.Context, *encode.Encoding) decide.Decided { return decide.Decided{} })
		require.NoError(t, err)
		o, overflows := r.Overflow(t.Context(), p, test.o)
		require.Equal(t, test.want != "", overflows, "%s: %s", test.body, o)
		if overflows {
			require.Equal(t, test.want, o.What)
		}
	}
}

// When the time is over before a refutation is run again, nothing is known, and nothing is wrong.
func TestNoTimeToReplay(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); int main(void) { int x = nd(), y = 0; "+strings.Repeat("y++; ", 3000)+"if (x > 7 && x < 9 && y) reach_error(); return 0; }"), c.Options{Model: c.ILP32})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := decide.Program(ctx, p, decide.Options{Mode: bits.AllVectors}, func(ctx context.Context, e *encode.Encoding) decide.Decided {
		a := portfolio.Solve(ctx, portfolio.Request{System: e.System, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()})
		cancel()
		return decide.Decided{Model: a.Model, Refutation: a.Refutation, Reason: a.Reason}
	})
	require.NoError(t, err)
	require.Equal(t, decide.Unknown, r.Verdict)
	require.Equal(t, "no time is left to run what was found", r.Reason)
	require.False(t, r.Internal)
}
