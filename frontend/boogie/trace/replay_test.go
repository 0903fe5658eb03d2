package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/boogie/interpret/interprettest"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/trace"
	"hornbeam/internal/smt/z3"
)

func encoded(t require.TestingT, src string, o encode.Options) *encode.Encoding {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	e, err := encode.Encode(context.Background(), p, term.NewPool(), o)
	require.NoError(t, err, src)
	return e
}

func solve(e *encode.Encoding, limit time.Duration) engine.Answer {
	return portfolio.Solve(context.Background(), portfolio.Request{System: e.System, Check: true, Open: z3.Open, Timeout: limit})
}

// buggy are programs with a bug, each with a construct of its own, and where the bug is.
var buggy = []struct{ src, at string }{
	{"procedure main() { assert false; }", "1:20"},
	{"procedure main() { var x: int; havoc x; assume x > 5; assert x != 7; }", "1:55"},
	{"procedure main() { var x: int; assert x != 7; }", "1:32"},
	{"var g: int;\nprocedure main(n: int) requires n > 3; { assert g + n != 7; }", "2:42"},
	{"procedure main() { var i: int; i := 0; while (*) { i := i + 1; } assert i != 4; }", "1:66"},
	{"procedure main() { var i: int; i := 0; while (i < 6) { if (*) { i := i + 2; } else { i := i + 3; } } assert i != 7; }", "1:102"},
	{"procedure main() { var i: int; i := 0; L: goto A, B, C; A: i := i + 3; goto L, C; B: i := i + 5; goto L; C: assert i != 13; }", "1:109"},
	{"var held: bool;\nprocedure lock() modifies held; { assert !held; held := true; }\nprocedure main() modifies held; { held := false; call lock(); if (*) { held := false; } call lock(); }", "2:35"},
	{"procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + n; } }\nprocedure main() { var x: int; call x := f(4); assert x != 10; }", "2:48"},
	{"procedure P(a: int, b: int) returns (c: int, d: int) { c := a; d := b; }\nprocedure main() { var x, y: int; x := 1; y := 2; call x, y := P(y, x); assert x == 1; }", "2:73"},
	{"procedure die(lo: int, hi: int) returns (r: int); requires lo <= hi; ensures lo <= r && r <= hi;\nprocedure main() { var x, y: int; call x := die(1, 6); call y := die(x, 6); assert x + y != 12; }", "2:77"},
	{"procedure die(lo: int, hi: int) returns (r: int); requires lo <= hi;\nprocedure main() { var x, y: int; call x := die(1, 6); call y := die(x, 6); }", "2:56"},
	{"var g: int;\nprocedure tick(); modifies g; ensures g == old(g) + 1;\nprocedure main() modifies g; { g := 0; while (*) { call tick(); } assert g != 3; }", "3:67"},
	{"procedure P(x: int where x > 4) returns (y: int) { y := x; }\nprocedure main() { var z: int; call z := P(*); assert z != 6; }", "2:48"},
	{"procedure P(x: int) requires x > 0; { }\nprocedure main() { call P(*); }", "2:20"},
	{"var g: int;\nprocedure P() modifies g; ensures g > old(g); { g := g + 1; if (*) { g := g - 1; } }\nprocedure main() modifies g; { call P(); }", "2:27"},
	{"procedure P() returns (r: int);\nimplementation P() returns (s: int) { s := 1; }\nimplementation P() returns (s: int) { s := 2; }\nprocedure main() { var x, y: int; call x := P(); call y := P(); assert x + y != 3; }", "4:65"},
	{"procedure reach_error() { }\nprocedure P(n: int) { if (n == 2) { call reach_error(); } }\nprocedure main() { call P(1); call P(2); }", "2:37"},
	{"const c: int; axiom c > 10; const d: int; axiom d == c + 1;\nprocedure main() { assert d != 14; }", "2:20"},
	{"type t; const unique a: t; const unique b: t; const c: t;\nprocedure main() { assert c != a && c != b; }", "2:20"},
	{"function f(x: int): int; axiom f(3) > 4;\nprocedure P(n: int) returns (r: int) { r := f(n); }\nprocedure main() { var x, y: int; call x := P(3); call y := P(4); assert x != y; assert x == f(3); }", "3:67"},
	{"procedure main() { var x: int; x := 1 div 0; assert x == 1 div 0; assert x != 5; }", "1:67"},
	{"procedure main() { var x: int; x := 1 mod (1 - 1); assert x != 1 div 0; }", "1:52"},
	{"procedure main() { var x, y: real; assume x > 0.5 && x < 0.75; y := x / 2.0; assert y != 0.3; }", "1:78"},
	{"function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8;\nprocedure main() { var x: bv8; havoc x; assert add(x, 200bv8) != 44bv8; }", "2:41"},
	{"procedure main() { var m: [int,int]int; var i: int; assume i > 1; m[i, 2] := 5; assert m[2, 2] != 5 || m[1, 2] != 6; }", "1:81"},
	{"procedure main() { var m: [int][bool]int; havoc m; assert m[3][true] != m[4][false] + 1; }", "1:52"},
	{"procedure main() { var m: [int]int; var n: int; assume n > 2; m[n - 1] := 1; assert (forall k: int :: 0 <= k && k < n ==> m[k] == 1); }", "1:78"},
	{"procedure main() { var x: int where x > 3; x := 0; if (x == 0) { havoc x; } assert x != 4; }", "1:77"},
	{"var g: int;\nprocedure P() modifies g; { g := g + 1; assert old(g) != 3; }\nprocedure main() modifies g; { g := 2; call P(); call P(); }", "2:41"},
	{"procedure main() { var x: int; x := 0; while (x < 3) invariant x < 3; { x := x + 1; } }", "1:54"},
	{"procedure main() { var x, y: int; x := 0; goto In; while (x < 5) { y := x; In: x := x + 2; } assert x != 6; }", "1:94"},
	{"procedure even(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := odd(n - 1); } }\nprocedure odd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := even(n - 1); } }\nprocedure main() { var r: bool; var n: int; assume n > 3; call r := even(n); assert !r; }", "3:78"},
}

// Each bug is found and replayed, wherever procedures are cut into clauses, and fails where it should.
func TestBugsReplay(t *testing.T) {
	for _, c := range buggy {
		for _, blocks := range []encode.Blocks{encode.Loops, encode.Basic, encode.Single} {
			e := encoded(t, c.src, encode.Options{Blocks: blocks})
			a := solve(e, time.Minute)
			require.NotNil(t, a.Refutation, "%s: %s", c.src, a.Reason)
			run, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
			require.NoError(t, err, "%s\n%v", c.src, blocks)
			last := run.Steps[len(run.Steps)-1]
			require.Equal(t, trace.Error, last.Kind)
			assert.Equal(t, "f.bpl:"+c.at, last.Pos.String(), c.src)
		}
	}
}

// A refutation that is none of the program's makes no trace: whatever value of its choices is changed, the run goes
// elsewhere, unless it fails all the same.
func TestWrongRefutationsDoNotReplay(t *testing.T) {
	e := encoded(t, "procedure P(n: int) { var x: int; havoc x; assert n + x != 7; }\nprocedure main() { var n: int; havoc n; assume n == 3; call P(n); }", encode.Options{})
	a := solve(e, time.Minute)
	require.NotNil(t, a.Refutation, a.Reason)
	changed := 0
	for i, s := range a.Refutation.Steps {
		for v, old := range s.Values {
			s.Values[v] = term.NumValue(old.Num().Add(term.NewInt(1)), old.Sort())
			_, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
			s.Values[v] = old
			if err != nil {
				require.NotErrorIs(t, err, replay.ErrUndetermined, "step %d %s", i, v)
				changed++
			}
		}
	}
	require.GreaterOrEqual(t, changed, 2, "the values of two havocs matter")
	a.Refutation.Steps = a.Refutation.Steps[:len(a.Refutation.Steps)-1]
	_, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
	require.Error(t, err, "a refutation without its query")
}

// Where clauses have more runs than the program, a refutation may be none: then it is said that nothing is known.
func TestSpuriousRefutations(t *testing.T) {
	e := encoded(t, "function f(x: int): int; axiom (forall x: int :: f(x) > f(x + 1));\nprocedure main() { assert f(0) <= f(7); }", encode.Options{})
	a := solve(e, time.Minute)
	require.Equal(t, chc.Over, e.System.Approximation)
	require.NotNil(t, a.Refutation)
	_, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
	require.Error(t, err)
	// And a bug is one although the clauses have more runs.
	e = encoded(t, "procedure main() { var m: [int]int; var n: int; assume n == 3 && (forall i: int :: 2 <= i && i < n ==> m[i] == i); assert m[2] != 2; }", encode.Options{})
	require.Equal(t, chc.Over, e.System.Approximation)
	a = solve(e, time.Minute)
	require.Equal(t, engine.Unknown, a.Verdict)
	_, err = replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
	require.NoError(t, err)
}

func TestLongRunsAreUndetermined(t *testing.T) {
	e := encoded(t, "procedure main() { var i: int; i := 0; while (i < 8) { i := i + 1; } assert i != 8; }", encode.Options{})
	a := solve(e, time.Minute)
	_, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{Fuel: 10})
	require.ErrorIs(t, err, replay.ErrUndetermined)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = replay.Replay(ctx, e, a.Refutation, replay.Options{Fuel: 1024})
	require.True(t, errors.Is(err, context.Canceled) || errors.Is(err, replay.ErrUndetermined) || err == nil)
}

// Corral's instrumentation leaves a flag where assertions were; the bug is that the entry's exit is reached.
func TestExitOfAnInstrumentedProgram(t *testing.T) {
	e := encoded(t, `var ok: bool;
procedure P(x: int) modifies ok; { ok := ok && x != 3; if (!ok) { return; } }
procedure {:entrypoint} main() modifies ok; { var x: int; ok := true; call P(x); if (ok) { call P(x + 1); } assume {:OldAssert} !ok; }`, encode.Options{})
	a := solve(e, time.Minute)
	require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
	run, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
	require.NoError(t, err)
	require.Contains(t, run.Steps[len(run.Steps)-1].Text, "the exit of main is reached")
}

func replayed(t *testing.T, src string) *trace.Trace {
	e := encoded(t, src, encode.Options{})
	a := solve(e, time.Minute)
	require.NotNil(t, a.Refutation, a.Reason)
	run, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
	require.NoError(t, err)
	return run
}

func TestTextAndJSON(t *testing.T) {
	run := replayed(t, `var g: int;
procedure P(n: int) returns (r: int)
  modifies g;
{
  g := n;
  r := n + 1;
}
procedure main()
  modifies g;
{
  var i, j: int;
  var m: [int]int;
  assume j == 5;
  i := 0;
  while (i < 1) {
    call i := P(i);
    m[i] := 4;
  }
  if (*) {
    assert i + j == 7 && m[1] == 4;
  } else {
    assume false;
  }
}
`)
	text, complete := run.Text(false)
	require.True(t, complete)
	body := strings.Split(strings.TrimSuffix(text, "\n"), "\n")[2:]
	require.Equal(t, []string{
		"f.bpl:13:3:   assume j == 5;",
		"f.bpl:14:3:   i := 0;  i = 0",
		"f.bpl:15:3:   while (i < 1): yes",
		"f.bpl:16:5:   call i := P(i);  enters P(n = 0)",
		"f.bpl:5:3:     g := n;  g = 0",
		"f.bpl:6:3:     r := n + 1;  r = 1",
		"f.bpl:16:5:   P returns with i = 1",
		"f.bpl:17:5:   m[i] := 4;  m[1] = 4",
		"f.bpl:15:3:   while (i < 1): no",
		"f.bpl:19:3:   if (*): yes",
	}, body[:len(body)-1])
	require.Regexp(t, `^f.bpl:20:5:   error: assertion i \+ j == 7 && m\[1\] == 4 with i = 1, j = 5, m = \[.*else: -?\d+\]$`, body[len(body)-1])
	require.Regexp(t, `^f.bpl:8:11: main begins with g = -?\d+\nf.bpl:10:1:   j = 5, m = \[`, text)
	b, err := json.Marshal(run.Document())
	require.NoError(t, err)
	require.Contains(t, string(b), `{"kind":"return","depth":0,"procedure":"P","file":"f.bpl","line":16,"column":5,"text":"call i := P(i);","values":[{"name":"i","value":"1"}]}`)
	require.Contains(t, string(b), `{"kind":"nondet","depth":0,"procedure":"main","file":"f.bpl","line":19,"column":3,"text":"if (*): yes"}`, "the way is chosen")
	require.Contains(t, string(b), `"kind":"branch","depth":0,"procedure":"main","file":"f.bpl","line":15,"column":3,`, "the way is decided")
}

func TestLongTracesAndValuesAreCut(t *testing.T) {
	var src strings.Builder
	for i := range 450 {
		fmt.Fprintf(&src, "m[%d] := %d;\n", i, i)
	}
	run := replayed(t, "procedure main() { var m, n: [int]int;\n"+src.String()+"n := m; assert n[449] != 449; }")
	text, complete := run.Text(false)
	require.False(t, complete)
	require.Less(t, strings.Count(text, "\n"), 410)
	require.Contains(t, text, "\n… ")
	require.Contains(t, text, "…\n", "a long value")
	full, complete := run.Text(true)
	require.True(t, complete)
	require.Greater(t, strings.Count(full, "\n"), 450)
}

func TestObligations(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"procedure P() returns (r: int);\nprocedure main() { var x: int; call x := P(); assert x > 0; }", "f.bpl:2:47: in main, x > 0 may not hold"},
		{"procedure P(x: int) requires x > 0; { }\nprocedure main() { call P(0); }", "f.bpl:2:20: in main, x > 0 may not hold (f.bpl:1:21)"},
		{"procedure P() returns (x: int) ensures x > 0; { x := 0; }", "f.bpl:1:32: in P, x > 0 may not hold (f.bpl:1:32)"},
	} {
		e := encoded(t, c.src, encode.Options{Modular: true})
		a := solve(e, time.Minute)
		require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
		require.Equal(t, c.want, replay.Obligation(e, a.Refutation))
	}
}

// What the interpreter runs into by chance is never proved impossible, and what the clauses refute replays: two
// implementations of the language against each other.
func TestRandomPrograms(t *testing.T) {
	failing, safe := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		src := randomProgram(r)
		e := encoded(t, src, encode.Options{Blocks: encode.Blocks(r.IntN(3))})
		fails := false
		for i := range uint64(60) {
			out, err := interpret.Run(context.Background(), e.Program, &interprettest.Random{R: rand.New(rand.NewPCG(seed, i))}, interpret.Options{Entry: e.Entries[0], Fuel: 300})
			require.NoError(t, err)
			fails = fails || out.Kind == interpret.Failed
		}
		a := solve(e, 2*time.Second)
		require.False(t, a.Internal, "%s\n%s", src, a.Reason)
		if fails {
			failing++
			require.NotEqual(t, engine.Sat, a.Verdict, "a program that fails is called safe:\n%s", src)
		}
		switch a.Verdict {
		case engine.Sat:
			safe++
		case engine.Unsat:
			_, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
			if !errors.Is(err, replay.ErrUndetermined) {
				require.NoError(t, err, src)
			}
		}
	}
	require.Greater(t, failing, 4)
	require.Greater(t, safe, 4)
}

// randomProgram is a small program over globals g and h, a map m, and procedures that call each other.
func randomProgram(r *rand.Rand) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 || r.IntN(3) == 0 {
			return pick("g", "h", "x", "y", "0", "1", "2", "3", "old(g)", "m[x]", "m[1]", "c")
		}
		return "(" + expression(depth-1) + pick(" + ", " - ", " + ", " div 2 + ", " mod 3 - ") + expression(depth-1) + ")"
	}
	condition := func() string {
		return expression(1) + pick(" < ", " <= ", " == ", " != ") + expression(1)
	}
	var statements func(depth int) string
	statements = func(depth int) string {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			switch n := r.IntN(12); {
			case n < 4 || depth == 0:
				b.WriteString(pick("g", "h", "x", "y", "m[x]", "m[1]") + " := " + expression(2) + ";\n")
			case n < 5:
				b.WriteString("havoc " + pick("g", "x", "x, y", "m") + ";\n")
			case n < 7:
				b.WriteString("if (" + pick("*", condition()) + ") {\n" + statements(depth-1) + "} else {\n" + statements(depth-1) + "}\n")
			case n < 8:
				b.WriteString("y := 0;\nwhile (y < " + pick("1", "2") + ") {\n" + statements(0) + "y := " + pick("y + 1", "2", "y + 2") + ";\n}\n")
			case n < 9:
				b.WriteString("call x := " + pick("P", "Q") + "(" + expression(1) + ", " + pick(expression(1), "*") + ");\n")
			case n < 10:
				b.WriteString("assume " + condition() + ";\n")
			default:
				b.WriteString(pick("call h := R(x);\n", "x, g := g, "+expression(1)+";\n", "assert "+condition()+" || "+condition()+";\n"))
			}
		}
		return b.String()
	}
	body := func() string { return "{\nvar y: int;\n" + statements(2) + "}\n" }
	return "var g, h: int;\nvar m: [int]int;\nconst c: int;\naxiom 0 <= c && c <= 2;\n" +
		"procedure R(a: int) returns (r: int);\n  modifies g;\n  ensures r >= a && g == old(g) + 1;\n" +
		"procedure P(a: int, b: int) returns (x: int)\n" + body() +
		"procedure Q(a: int, b: int) returns (x: int)\n{\nvar y: int;\nx := a;\nif (b > 0) {\ncall x := Q(a + 1, b - 1);\n}\n" + pick("", "assert x >= a;\n") + "}\n" +
		"procedure main() returns (x: int)\n{\nvar y: int;\ncall x := P(1, 2);\n" + statements(2) + "assert " + condition() + " || " + condition() + pick("", " || true") + ";\n}\n"
}

// Clauses know of a map that an assumption about all integers describes only some entries; the replay chooses the others.
func TestMapsThatAssumptionsDescribe(t *testing.T) {
	const src = `function {:inline} le(a: int, b: int): bool { a <= b }
procedure fill(M: [int]int, dst: int, val: int, len: int) returns (R: [int]int) {
  assume (forall x: int :: le(dst, x) && x < dst + len ==> R[x] == val);
  assume (forall x: int :: x < dst ==> R[x] == M[x]);
  assume (forall x: int :: le(dst + len, x) ==> R[x] == M[x]);
}
procedure copy(M: [int]int, S: [int]int, dst: int, src: int, len: int) returns (R: [int]int) {
  assume (forall x: int :: le(dst, x) && x < dst + len ==> R[x] == S[src - dst + x]);
  assume (forall x: int :: x < dst ==> R[x] == M[x]);
  assume (forall x: int :: le(dst + len, x) ==> R[x] == M[x]);
}
procedure main() {
  var m, n: [int]int; var p: int;
  assume p > 100;
  m[p] := 5;
  call m := fill(m, p + 1, 7, 40);
  call n := copy(n, m, 1000, p, 10);
  assert m[p] != 5 || m[p + 3] != 7 || n[1003] != 7 || n[1000] != 5;
}
`
	run := replayed(t, src)
	text, _ := run.Text(true)
	require.Regexp(t, `R = \[.*1000: 5, 1001: 7, .*1009: 7`, text)
}
