package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/execute"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/internal/work"
)

func encoded(t *testing.T, name, src string, o encode.Options) *encode.Encoding {
	p, err := boogie.Read(name, []byte(src), boogie.Options{})
	require.NoError(t, err)
	e, err := encode.Encode(t.Context(), p, term.NewPool(), o)
	require.NoError(t, err)
	return e
}

// refuted runs a program that fails, and checks that the run is a refutation and replays.
func refuted(t *testing.T, src string, o encode.Options) (*witness.Refutation, execute.Stats) {
	e := encoded(t, "f.bpl", src, o)
	r, stats := execute.Refute(t.Context(), e, execute.Options{Chance: 20 * time.Second})
	require.NotNil(t, r, src)
	require.NoError(t, witness.CheckRefutation(context.Background(), e.System, r), src)
	_, err := trace.Replay(t.Context(), e, r, trace.Options{})
	require.NoError(t, err, src)
	return r, stats
}

// Bugs after thousands of turns or calls are found in one run when there is no choice, where procedures are cut at loops.
func TestDeepBugs(t *testing.T) {
	for _, src := range []string{
		"procedure main() { var i: int; i := 0; while (i < 3000) { i := i + 1; assert i < 2900; } }",
		"procedure main() { var i, j, n: int; i := 0; n := 0; while (i < 40) { j := 0; while (j < 50) { j := j + 1; n := n + 1; } i := i + 1; } assert n != 2000; }",
		"procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + n; } }\nprocedure main() { var x: int; call x := f(400); assert x != 80200; }",
		"procedure step(n: int) returns (r: int) { assert n != 1500; r := n + 1; }\nprocedure ULTIMATE.start() { var x: int; x := 0; while (true) { call x := step(x); } }",
		"var m: [int]int; procedure main() modifies m; { var i: int; i := 0; while (i < 300) { m[i] := 2 * i; i := i + 1; } assert m[250] != 500; }",
		"var b: bool; procedure main() modifies b; { var i: int; i := 0; b := true; while (i != 1001) { if (b) { b := false; } else { b := true; } i := i + 1; } assert b; }",
		"procedure main() { var x: real; var i: int; x := 0.0; i := 0; while (i < 900) { x := x + 0.5; i := i + 1; } assert x < 450.0; }",
		"procedure main() { var x: bv8; var i: int; i := 0; x := 0bv8; while (i < 600) { x := add(x, 1bv8); i := i + 1; } assert x != 88bv8; }\nfunction {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8;",
	} {
		_, stats := refuted(t, src, encode.Options{})
		require.LessOrEqual(t, stats.Runs, 2, src)
	}
}

// What a program leaves open is chosen so that the run goes on and fails.
func TestChoices(t *testing.T) {
	for _, src := range []string{
		"procedure main() { var x: int; havoc x; assume x > 1000 && x < 1003; assert x != 1002; }",
		"procedure main() { var x, y: int; havoc x; y := x; assume 2 * y == 84; assert x != 42; }",
		"procedure main(n: int) requires n > 10; { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != n; }",
		"procedure main() { var i: int; i := 0; while (*) { i := i + 1; } assert i != 2; }",
		"procedure die(lo: int, hi: int) returns (r: int); requires lo <= hi; ensures lo <= r && r <= hi;\nprocedure main() { var x, y: int; call x := die(1, 6); call y := die(x, 6); assert x + y != 12; }",
		"procedure main() { var b, c: bool; havoc b; c := !b; assume c || b; assert b; }",
		"var ok: bool;\nprocedure P(x: int) modifies ok; { ok := ok && x != 3; if (!ok) { return; } }\nprocedure {:entrypoint} main() modifies ok; { var x: int; ok := true; call P(x); if (ok) { call P(x + 1); } assume {:OldAssert} !ok; }",
		"procedure reach_error() { }\nprocedure P(n: int) { if (n == 2) { call reach_error(); } }\nprocedure main() { call P(1); call P(2); }",
		"const c: int; axiom c > 10; const d: int; axiom d == c + 1;\nprocedure main() { assert d == 14; }",
	} {
		refuted(t, src, encode.Options{})
	}
}

// Without a choice there is one run, whose end is the end; and none fails of a program that does not.
func TestProgramsWithoutBugs(t *testing.T) {
	for src, runs := range map[string]int{
		"procedure main() { var i: int; i := 0; while (i < 100) { i := i + 1; } assert i == 100; }":                                                        1,
		"procedure main() { var i: int; i := 0; while (i < 10) { i := i + 2; } assume i == 7; assert false; }":                                             1,
		"procedure f(n: int) returns (r: int) { r := n + 1; }\nprocedure main() { var x: int; call x := f(3); assert x == 4; }":                            1,
		"procedure main() { var x: int; x := 5; if (x > 4) { x := 1; } else { assert false; } }\nprocedure other() { var y: int; y := 1; assert y == 1; }": 2,
	} {
		e := encoded(t, "f.bpl", src, encode.Options{})
		r, stats := execute.Refute(t.Context(), e, execute.Options{})
		require.Nil(t, r, src)
		require.Equal(t, runs, stats.Runs, src)
	}
	e := encoded(t, "f.bpl", "procedure main() { while (true) { } assert false; }\nprocedure forever(n: int) { call forever(n + 1); assert false; }", encode.Options{})
	_, stats := execute.Refute(t.Context(), e, execute.Options{Steps: 2000, Chance: time.Millisecond})
	require.LessOrEqual(t, stats.Runs, 3, "runs that are too long end")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, _ := execute.Refute(ctx, e, execute.Options{})
	require.Nil(t, r)
}

// Where work is counted, runs that end before their first step count, too: else they would go on for ever.
func TestRunsWithoutStepsAreWork(t *testing.T) {
	e := encoded(t, "f.bpl", "var a: [int]int; procedure main() { assume a[0] == 1 && a[1] == 5 && a[2] == 7; assert a[3] != 9; }", encode.Options{})
	guarded, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	r, stats := execute.Refute(work.Alone(guarded), e, execute.Options{Chance: time.Millisecond})
	require.Nil(t, r)
	require.Positive(t, stats.Runs)
	require.Less(t, stats.Runs, 1000)
}

// Whatever fails among the examples is a refutation that replays.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*.bpl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	found := 0
	// A slow machine finds as many, later.
	for chance := 50 * time.Millisecond; found < 3 && chance < time.Minute; chance *= 4 {
		found = 0
		for _, f := range files {
			src, err := os.ReadFile(f)
			require.NoError(t, err)
			e := encoded(t, f, string(src), encode.Options{})
			r, _ := execute.Refute(t.Context(), e, execute.Options{Chance: chance, Steps: 5000})
			if r == nil {
				continue
			}
			require.NoError(t, witness.CheckRefutation(context.Background(), e.System, r), f)
			if _, err := trace.Replay(t.Context(), e, r, trace.Options{}); err != nil {
				require.ErrorIs(t, err, trace.ErrUndetermined, f)
			}
			found++
		}
	}
	t.Logf("%d of %d programs fail", found, len(files))
	require.GreaterOrEqual(t, found, 3)
}
