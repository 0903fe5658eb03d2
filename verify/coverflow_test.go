package verify_test

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c/lower"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// Each strategy is worth what its integers are: a proof over unbounded ones holds for runs without overflow, and for all when
// none of its operations may overflow, or none is proved to; the others' proofs hold for all runs.
func TestStrategies(t *testing.T) {
	const (
		overflows = `int x = nd(); if (x > 0 && x + 1 < 0) reach_error();`
		never     = `int x = nd(); if (x > 0 && x < 100) if (x + 1 < 0) reach_error();`
		checks    = `int x = nd(), y = nd(); if (x > 0 && y > x && y < 100 && x + y < 0) reach_error();`
		reaches   = `int x = nd(); if (x > 0 && x + 1 == 7) reach_error();`
		sums      = `unsigned x = 0, y = 0; while (nd()) { x += 2 * (unsigned)nd(); y++; if (4 * x + 2 * y == 7) reach_error(); }`
		signed    = `int x = nd(), y = nd(); if (x > 0 && y > x && y < 100 && 4 * x + 2 * y == 7) reach_error();`
		unsigned  = `unsigned x = nd(); if (x / 2 == 1u << 31) reach_error();`
	)
	both := []string{"int=c"}
	for _, test := range []struct {
		name, body string
		options    []string
		decides    []string
		want       engine.Verdict
		strategy   string
		assumed    string
	}{
		{"an assumption", overflows, both, []string{"unbounded"}, engine.Sat, "unbounded", "assumed test.c:1:103"},
		{"an assumption that is refuted", overflows, both, []string{"unbounded", "checked"}, engine.Sat, "unbounded", "assumed test.c:1:103"},
		{"a bug behind the overflow", overflows, both, []string{"unbounded", "checked", "ranged"}, engine.Unsat, "ranged", "assumed test.c:1:103: 2147483647 + 1 does not fit in int"},
		{"ranges exclude overflows", never, both, []string{"unbounded"}, engine.Sat, "unbounded", ""},
		{"a proof that nothing overflows", checks, both, []string{"unbounded", "checked"}, engine.Sat, "checked", ""},
		{"no proof that nothing overflows", checks, both, []string{"unbounded"}, engine.Sat, "unbounded", "assumed test.c:1:133"},
		{"a bug without overflow", reaches, both, []string{"unbounded"}, engine.Unsat, "unbounded", ""},
		{"wrap-around", unsigned, both, []string{"ranged"}, engine.Sat, "ranged", ""},
		{"bit-vectors", unsigned, []string{"int=c", "bits=auto"}, []string{"vectors"}, engine.Sat, "vectors", ""},
		{"sums modulo 2^32", sums, []string{"int=c", "bits=auto"}, []string{"congruences"}, engine.Sat, "congruences", ""},
		{"no sums modulo 2^32 of signed numbers", signed, []string{"int=c", "bits=auto"}, []string{"congruences"}, engine.Unknown, "ranged", ""},
		{"no bit-vectors unless asked", unsigned, both, []string{"vectors"}, engine.Unknown, "ranged", ""},
		{"no assumption unless asked", overflows, nil, []string{"unbounded"}, engine.Unknown, "only", ""},
		{"an overflow is the error", overflows, []string{"int=c", "property=no-overflow"}, []string{"checked"}, engine.Unsat, "checked", ""},
		{"no overflow is the error", never, []string{"int=c", "property=no-overflow"}, []string{"checked"}, engine.Sat, "checked", ""},
		{"nothing", overflows, both, nil, engine.Unknown, "ranged", ""},
		{"what can't be handled", `if (nd()) longjmp();`, both, []string{"unbounded", "ranged", "checked"}, engine.Unknown, "ranged", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "int nd(void); void reach_error(void); void longjmp(void); int main(void) { " + test.body + " return 0; }"
			s := &solver{decides: test.decides}
			r := decideC(t.Context(), t, text, asked(t, test.options...), s.decide)
			require.Equal(t, test.want, r.Verdict, r.Reason)
			require.Equal(t, test.strategy, r.Representation)
			require.Equal(t, test.assumed, overflowed(r.Assumptions))
			require.Equal(t, test.want == engine.Unknown, r.Reason != "")
		})
	}
}

// Sums modulo 2^width are what one engine is asked for, unless others were chosen.
func TestEngineOfCongruences(t *testing.T) {
	text := "unsigned nd(void); void reach_error(void); int main(void) { unsigned x = 2 * nd(); if (x == 7) reach_error(); return 0; }"
	for chosen, want := range map[string]string{"": "affine", "auto": "affine", "spacer": ""} {
		engines := map[string]string{}
		var mu sync.Mutex
		_, err := verify.Program(t.Context(), verify.Request{
			File: "test.c", Source: []byte(text), Language: engine.C, Options: asked(t, "int=c", "bits=auto"),
			Decide: func(_ context.Context, strategy string, req portfolio.Request) portfolio.Witness {
				mu.Lock()
				defer mu.Unlock()
				engines[strategy] = req.Engine
				if strategy == "congruences" {
					assert.Equal(t, "7", req.Options["affine.points"])
					assert.Equal(t, "true", req.Options["affine.congruences"])
				}
				return portfolio.Witness{Reason: "it is too hard"}
			},
			Solver: portfolio.Request{Check: true, Open: z3.Open, Stats: engine.NewStats(), Engine: chosen, Options: map[string]string{"affine.points": "7"}},
		})
		require.NoError(t, err)
		require.Equal(t, want, engines["congruences"])
		require.Equal(t, cmp.Or(chosen, "auto"), engines["vectors"])
	}
}

// A proof with an assumption is the answer before the time is over, though the others go on for as long as they may.
func TestAnAssumptionIsNotLost(t *testing.T) {
	text := "int nd(void); void reach_error(void); int main(void) { int x = nd(); if (x > 0 && x + 1 < 0) reach_error(); return 0; }"
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	s := &solver{decides: []string{"unbounded"}, wait: true}
	r := decideC(ctx, t, text, asked(t, "int=c"), s.decide)
	require.NoError(t, ctx.Err())
	require.Equal(t, engine.Sat, r.Verdict)
	require.Equal(t, "assumed test.c:1:83", overflowed(r.Assumptions))
	require.Equal(t, map[string]int{"unbounded": 1, "ranged": 1, "checked": 1}, s.asked)
}

// Of a run with a signed overflow is told where the first one is, and of others nothing; nor is it where overflows are no
// matter of undefined behaviour.
func TestWhereARunOverflows(t *testing.T) {
	for _, test := range []struct {
		body, want string
		options    []string
	}{
		{`int x = 2147483647; x++; if (x < 0) reach_error();`, "2147483647 + 1 does not fit in int", nil},
		{`int x = 2147483647; unsigned y = x; y++; x = y; if (x < 0) reach_error();`, "", nil},
		{`int x = 7; if (x == 7) reach_error(); x = 2147483647; x++;`, "", nil},
		{`int x = 2147483647; x++; if (x == 0) reach_error();`, "", nil},
		{`int x = 2147483647; x++; reach_error();`, "", []string{"property=no-overflow"}},
		{`int x = 7; if (x == 7) reach_error();`, "", []string{"int=defined"}},
	} {
		text := "void reach_error(void); int main(void) { " + test.body + " return 0; }"
		o := asked(t, append(test.options, "explore=10s")...)
		o.Witness = true
		r := decideC(t.Context(), t, text, o, hard)
		if test.want == "" {
			require.Empty(t, overflowed(r.Assumptions), test.body)
		} else {
			require.Contains(t, overflowed(r.Assumptions), test.want, test.body)
		}
	}
}

// It is told where a run overflows from which other turns of a loop are left out than from one that looks for overflows.
func TestWhereARunOfManyTurnsOverflows(t *testing.T) {
	for n := range 20 {
		sum := strings.Repeat("(unsigned)((i & 1048575) << 1) + ", 20+n) + "1"
		text := "void reach_error(void); int main(void) { unsigned y = 0; int z = 2147483000; for (int i = 0; i < 1000000; i++) { y = " + sum +
			"; if (i == 999999) { z += 1000; reach_error(); } } return 0; }"
		r := decideC(t.Context(), t, text, asked(t, "explore=10s"), hard)
		require.Equal(t, engine.Unsat, r.Verdict, r.Reason)
		require.Contains(t, overflowed(r.Assumptions), "2147483000 + 1000 does not fit in int", "%d summands", 20+n)
	}
}

// Operations on vectors are as wide as their operands' types need: the quotient of the least number by -1 needs one more bit.
func TestNarrowVectors(t *testing.T) {
	text := "signed char nd(void); void reach_error(void); int main(void) { signed char x = nd(), y = nd(); " +
		"if (x == -128 && y == -1 && (x / y != 128 || x * y != 128 || x % y != 0)) reach_error(); return 0; }"
	r := decideC(t.Context(), t, text, asked(t, "bits=allbv", "explore=0s"), spacer)
	require.Equal(t, engine.Sat, r.Verdict, r.Reason)
}

// A program without loops is tried as bit-vectors early, as one whose loops are written out is.
func TestUnwoundVectors(t *testing.T) {
	text := "unsigned nd(void); void reach_error(void); static unsigned swap(unsigned x) { return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24; } " +
		"int main(void) { unsigned x = nd(); if (swap(swap(x)) != x) reach_error(); return 0; }"
	s := &solver{decides: []string{"unwound vectors"}}
	r := decideC(t.Context(), t, text, asked(t, "bits=auto", "int=c", "explore=0s"), s.decide)
	require.Equal(t, engine.Sat, r.Verdict, r.Reason)
}

// When the time is over before a refutation is run again, nothing is known, and nothing is wrong.
func TestNoTimeToReplay(t *testing.T) {
	text := "int nd(void); void reach_error(void); int main(void) { int x = nd(), y = 0; " + strings.Repeat("y++; ", 3000) + "if (x > 7 && x < 9 && y) reach_error(); return 0; }"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := decideC(ctx, t, text, asked(t, "bits=allbv", "32=true"), func(ctx context.Context, strategy string, req portfolio.Request) portfolio.Witness {
		defer cancel()
		return spacer(ctx, strategy, req)
	})
	require.Equal(t, engine.Unknown, r.Verdict)
	require.Equal(t, "no time is left to run what was found", r.Reason)
	require.False(t, r.Internal)
}

// Of two runs that reach the error the one without overflow is shown, however seldom it is.
func TestARunWithoutOverflowIsPreferred(t *testing.T) {
	text := "int nd(void); void reach_error(void); int main(void) { int x = nd(); if (x > 3 && x + 2147483000 < 0 || x == 3) reach_error(); return 0; }"
	r := decideC(t.Context(), t, text, asked(t, "int=c", "explore=10s"), (&solver{}).decide)
	require.Equal(t, engine.Unsat, r.Verdict)
	require.Empty(t, overflowed(r.Assumptions))

	r = decideC(t.Context(), t, text, asked(t, "explore=10s"), (&solver{}).decide)
	require.NotEmpty(t, overflowed(r.Assumptions), "the search finds the one with an overflow first, or this test shows nothing")
}

// A run through an overflow that is found while a proof with an assumption waits for a better one is the answer.
func TestARunIsWorthMoreThanAnAssumption(t *testing.T) {
	text := "int nd(void); void reach_error(void); int main(void) { int n = 0; while (nd() != 7) n++; int x = nd(); if (n > 3000 && x > 0 && x + 2147483000 < 0) reach_error(); return 0; }"
	s := &solver{decides: []string{"unbounded"}, wait: true}
	r := decideC(t.Context(), t, text, asked(t, "int=c", "explore=20s"), s.decide)
	require.Equal(t, engine.Unsat, r.Verdict, r.Reason)
	require.NotEmpty(t, overflowed(r.Assumptions))
}

// A proof in integers without bounds that an overflow breaks says what to do.
func TestReasonWithoutBounds(t *testing.T) {
	const text = "extern int nd(void); extern void reach_error(void); int main(void) { int x = nd(); if (x > 0 && x + 1 < x) reach_error(); return 0; }"
	r := verdict(t, text, lower.NoVectors, time.Minute)
	require.Equal(t, engine.Unknown, r.Verdict)
	require.Contains(t, r.Reason, "needs that no integer overflows, and one does at test.c:1:")
	require.Contains(t, r.Reason, "use --bits auto or --bits ranged, which represent wrap-around")
}
