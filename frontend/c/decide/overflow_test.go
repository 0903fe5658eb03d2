package decide_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/translate"
	"hornbeam/internal/smt/z3"
)

// solver decides the clauses of some strategies and gives up on those of the others, at once or, with a wait, when its context ends.
// It counts the questions of each.
type solver struct {
	decides []string
	wait    bool

	mu    sync.Mutex
	asked map[string]int
}

func (s *solver) decide(ctx context.Context, q decide.Question) decide.Decided {
	s.mu.Lock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[q.Strategy]++
	s.mu.Unlock()
	if !slices.Contains(s.decides, q.Strategy) {
		if s.wait {
			<-ctx.Done()
		}
		return decide.Decided{Reason: q.Strategy + " is too hard"}
	}
	a := portfolio.Solve(ctx, portfolio.Request{System: q.Encoding.System, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()})
	return decide.Decided{Model: a.Model, Refutation: a.Refutation, Reason: a.Reason}
}

// overflowed are the places of the overflow that is assumed not to happen, joined; none if nothing is assumed.
func overflowed(entries []ledger.Entry) string {
	for _, e := range entries {
		if e.Kind == ledger.SignedOverflow {
			return "assumed " + strings.Join(e.Names, ", ")
		}
	}
	return ""
}

// Each strategy is worth what its integers are: a proof over unbounded ones holds for runs without overflow, and for all when
// none of its operations may overflow, or none is proved to; the others' proofs hold for all runs.
func TestStrategies(t *testing.T) {
	const (
		overflows = `int x = nd(); if (x > 0 && x + 1 < 0) reach_error();`
		never     = `int x = nd(); if (x > 0 && x < 100) if (x + 1 < 0) reach_error();`
		checks    = `int x = nd(), y = nd(); if (x > 0 && y > x && y < 100 && x + y < 0) reach_error();`
		reaches   = `int x = nd(); if (x > 0 && x + 1 == 7) reach_error();`
		unsigned  = `unsigned x = nd(); if (x / 2 == 1u << 31) reach_error();`
	)
	both := decide.Options{Defined: true}
	for _, test := range []struct {
		name, body string
		options    decide.Options
		decides    []string
		want       decide.Verdict
		strategy   string
		assumed    string
	}{
		{"an assumption", overflows, both, []string{"unbounded"}, decide.Safe, "unbounded", "assumed test.c:1:103"},
		{"an assumption that is refuted", overflows, both, []string{"unbounded", "checked"}, decide.Safe, "unbounded", "assumed test.c:1:103"},
		{"a bug behind the overflow", overflows, both, []string{"unbounded", "checked", "ranged"}, decide.Unsafe, "ranged", "assumed test.c:1:103: 2147483647 + 1 does not fit in int"},
		{"ranges exclude overflows", never, both, []string{"unbounded"}, decide.Safe, "unbounded", ""},
		{"a proof that nothing overflows", checks, both, []string{"unbounded", "checked"}, decide.Safe, "checked", ""},
		{"no proof that nothing overflows", checks, both, []string{"unbounded"}, decide.Safe, "unbounded", "assumed test.c:1:133"},
		{"a bug without overflow", reaches, both, []string{"unbounded"}, decide.Unsafe, "unbounded", ""},
		{"wrap-around", unsigned, both, []string{"ranged"}, decide.Safe, "ranged", ""},
		{"bit-vectors", unsigned, decide.Options{Defined: true, Vectors: true}, []string{"vectors"}, decide.Safe, "vectors", ""},
		{"no bit-vectors unless asked", unsigned, both, []string{"vectors"}, decide.Unknown, "ranged", ""},
		{"no assumption unless asked", overflows, decide.Options{}, []string{"unbounded"}, decide.Unknown, "only", ""},
		{"an overflow is the error", overflows, decide.Options{Defined: true, Translate: translate.Options{Property: translate.NoOverflow}}, []string{"checked"}, decide.Unsafe, "checked", ""},
		{"no overflow is the error", never, decide.Options{Defined: true, Translate: translate.Options{Property: translate.NoOverflow}}, []string{"checked"}, decide.Safe, "checked", ""},
		{"nothing", overflows, both, nil, decide.Unknown, "ranged", ""},
		{"what can't be handled", `if (nd()) longjmp();`, both, []string{"unbounded", "ranged", "checked"}, decide.Unknown, "ranged", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); void longjmp(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
			require.NoError(t, err)
			s := &solver{decides: test.decides}
			r, err := decide.Program(t.Context(), p, test.options, s.decide)
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict, r.Reason)
			require.Equal(t, test.strategy, r.Strategy)
			require.Equal(t, test.assumed, overflowed(r.Assumptions(t.Context(), p, test.options)))
			require.Equal(t, test.want == decide.Unknown, r.Reason != "")
		})
	}
}

// A proof with an assumption is the answer before the time is over, though the others go on for as long as they may.
func TestAnAssumptionIsNotLost(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); int main(void) { int x = nd(); if (x > 0 && x + 1 < 0) reach_error(); return 0; }"), c.Options{Model: c.LP64})
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	s := &solver{decides: []string{"unbounded"}, wait: true}
	r, err := decide.Program(ctx, p, decide.Options{Defined: true}, s.decide)
	require.NoError(t, err)
	require.NoError(t, ctx.Err())
	require.Equal(t, decide.Safe, r.Verdict)
	require.Equal(t, "assumed test.c:1:83", overflowed(r.Assumptions(ctx, p, decide.Options{Defined: true})))
	require.Equal(t, map[string]int{"unbounded": 1, "ranged": 1, "checked": 1}, s.asked)
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
		r, err := decide.Program(t.Context(), p, test.o, func(context.Context, decide.Question) decide.Decided { return decide.Decided{} })
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
	r, err := decide.Program(ctx, p, decide.Options{Mode: bits.AllVectors}, func(ctx context.Context, q decide.Question) decide.Decided {
		a := portfolio.Solve(ctx, portfolio.Request{System: q.Encoding.System, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()})
		cancel()
		return decide.Decided{Model: a.Model, Refutation: a.Refutation, Reason: a.Reason}
	})
	require.NoError(t, err)
	require.Equal(t, decide.Unknown, r.Verdict)
	require.Equal(t, "no time is left to run what was found", r.Reason)
	require.False(t, r.Internal)
}

// Of two runs that reach the error the one without overflow is shown, however seldom it is.
func TestARunWithoutOverflowIsPreferred(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); int main(void) { int x = nd(); if (x > 3 && x + 2147483000 < 0 || x == 3) reach_error(); return 0; }"), c.Options{Model: c.LP64})
	require.NoError(t, err)
	o := decide.Options{Defined: true, Explore: 10 * time.Second}
	r, err := decide.Program(t.Context(), p, o, (&solver{}).decide)
	require.NoError(t, err)
	require.Equal(t, decide.Unsafe, r.Verdict)
	_, overflows := r.Overflow(t.Context(), p, o)
	require.False(t, overflows)

	o.Defined = false
	r, err = decide.Program(t.Context(), p, o, (&solver{}).decide)
	require.NoError(t, err)
	_, overflows = r.Overflow(t.Context(), p, o)
	require.True(t, overflows, "the search finds the one with an overflow first, or this test shows nothing")
}

// A run through an overflow that is found while a proof with an assumption waits for a better one is the answer.
func TestARunIsWorthMoreThanAnAssumption(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte("int nd(void); void reach_error(void); int main(void) { int n = 0; while (nd() != 7) n++; int x = nd(); if (n > 3000 && x > 0 && x + 2147483000 < 0) reach_error(); return 0; }"), c.Options{Model: c.LP64})
	require.NoError(t, err)
	s := &solver{decides: []string{"unbounded"}, wait: true}
	r, err := decide.Program(t.Context(), p, decide.Options{Defined: true, Explore: 20 * time.Second}, s.decide)
	require.NoError(t, err)
	require.Equal(t, decide.Unsafe, r.Verdict, r.Reason)
	require.NotEmpty(t, overflowed(r.Assumptions(t.Context(), p, decide.Options{Defined: true})))
}

// A proof in integers without bounds that an overflow breaks says what to do.
func TestReasonWithoutBounds(t *testing.T) {
	const text = "extern int nd(void); extern void reach_error(void); int main(void) { int x = nd(); if (x > 0 && x + 1 < x) reach_error(); return 0; }"
	r := verdict(t, text, bits.NoVectors, time.Minute)
	require.Equal(t, decide.Unknown, r.Verdict)
	require.Contains(t, r.Reason, "needs that no integer overflows, and one does at test.c:1:")
	require.Contains(t, r.Reason, "use --bits auto or --bits ranged, which represent wrap-around")
}
