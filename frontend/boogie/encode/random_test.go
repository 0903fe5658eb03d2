package encode_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/boogie/interpret/interprettest"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/z3"
)

// The verdicts about random programs must be borne out by runs: a refutation by the run that it is, whatever the cut
// points, and a proof by many random ones that do not fail.
func TestRandomProgramsAgainstRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := (&writer{t: t}).program()
		want := ""
		for _, b := range []encode.Blocks{encode.Loops, rapid.SampledFrom(blocks[1:]).Draw(t, "blocks")} {
			e := encoded(t, src, encode.Options{Blocks: b})
			a := portfolio.Solve(context.Background(), portfolio.Request{System: e.System, Open: z3.Open, Check: true, Timeout: 2 * time.Second})
			if a.Verdict == engine.Unknown {
				continue
			}
			got := a.Verdict.String()
			if want == "" {
				want = got
			}
			require.Equal(t, want, got, "blocks %d of\n%s", b, src)
			if a.Verdict == engine.Unsat {
				_, err := trace.Replay(context.Background(), e, a.Refutation, trace.Options{})
				require.NoError(t, err, "the run that a refutation stands for, blocks %d of\n%s", b, src)
				continue
			}
			choices := &interprettest.Random{R: rand.New(rand.NewPCG(1, uint64(b)))}
			for range 30 {
				out, err := interpret.Run(context.Background(), e.Program, choices, interpret.Options{Entry: e.Entries[0], Fuel: 2000})
				require.NoError(t, err)
				require.NotEqual(t, interpret.Failed, out.Kind, "%s: a proof of\n%s", out, src)
			}
		}
	})
}

// writer writes a random program.
type writer struct {
	t *rapid.T
	b strings.Builder
	// vars are the variables to read, targets those to assign, bodies how many procedures can be called.
	vars, targets []string
	bodies        int
	loops, labels int
	inLoop        bool
}

func (w *writer) n(low, high int) int { return rapid.IntRange(low, high).Draw(w.t, "n") }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

func pick[T any](w *writer, xs []T) T { return xs[w.n(0, len(xs)-1)] }

func (w *writer) program() string {
	w.line("const c: int; axiom c > 0 && c < 3;\nvar g: int where g >= 0; var h: int;\nfunction f(x: int): int { x + c }\nfunction u(x: int): int; const zeros: [int]int; axiom zeros[0] == 0;")
	w.line("datatype Pair { P(l: int, r: int) } type Fld _; const unique F: Fld int; const unique G: Fld bool; const unique E: Fld int;")
	w.line("procedure open(x: int) returns (y: int where y >= 0); modifies h; ensures y <= x || h == old(h);")
	for w.bodies = range 2 {
		separate := w.n(0, 2) == 0
		w.vars, w.targets = []string{"g", "h", "c", "a", "b", "r", "s", "x", "y"}, []string{"g", "h", "r", "s", "x", "y"}
		contract := pick(w, []string{"", "", "requires b0 < 30;", "ensures r0 <= 30 || b0 > g;", "free requires a0 >= 0;", "free ensures s0 >= 0;", "ensures g >= old(g) - 20;"})
		if separate {
			w.line("procedure q%d(a0: int, b0: int) returns (r0: int where r0 > a0, s0: int); %s", w.bodies, contract)
			w.line("implementation q%d(b: int, a: int) returns (s: int, r: int) {", w.bodies)
		} else {
			w.line("procedure q%d(a0: int, b0: int) returns (r0: int, s0: int where s0 < b0) %s {", w.bodies, contract)
			w.vars = []string{"g", "h", "c", "a0", "b0", "r0", "s0", "x", "y"}
			w.targets = []string{"g", "h", "r0", "s0", "x", "y"}
		}
		w.body()
	}
	w.bodies = 2
	w.vars, w.targets = []string{"g", "h", "c", "p", "x", "y"}, []string{"g", "h", "x", "y"}
	w.line("procedure main(p: int where p < 5) {")
	w.body()
	return w.b.String()
}

func (w *writer) body() {
	w.line("var x: int where x > g; var y: int; var m: [int]int; var d: Pair; var H: <a>[Fld a]a; var k0, k1, k2, k3, k4, k5: int;")
	w.loops = 0
	if w.n(0, 3) > 0 {
		w.line("x, y := 0, 1; m := zeros;")
	}
	if w.bodies == 2 {
		w.line("g, h, m := 1, 2, zeros;")
	}
	w.statements(2)
	if w.n(0, 2) == 0 || w.bodies == 2 {
		w.check()
	}
	w.line("}")
}

func (w *writer) statements(depth int) {
	for range w.n(1, 3) {
		w.statement(depth)
	}
}

func (w *writer) statement(depth int) {
	kind := w.n(0, 13)
	if depth == 0 {
		kind = w.n(0, 6)
	}
	switch kind {
	case 0, 1:
		w.line("%s := %s;", pick(w, w.targets), w.term(2))
	case 2:
		i := w.n(0, len(w.targets)-2)
		w.line("%s, %s := %s, %s;", w.targets[i], w.targets[i+1], w.term(1), w.term(1))
	case 3:
		v := pick(w, w.targets)
		w.line("havoc %s; assume 0 <= %s && %s <= 4;", v, v, v)
	case 4:
		w.line("assume %s;", w.condition(1))
	case 5:
		switch w.n(0, 4) {
		case 0, 1:
			w.line("m[%s] := %s;", w.term(0), w.term(1))
		case 2:
			w.line("d := %s;", w.pair())
		case 3:
			w.line("d->%s := %s;", pick(w, []string{"l", "r"}), w.term(1))
		case 4:
			w.line("H[%s] := %s; H[G] := %s;", pick(w, []string{"F", "E"}), w.term(1), w.condition(0))
		}
	case 6:
		if w.inLoop {
			w.line("if (%s) { break; }", w.condition(0))
		} else {
			w.line("call %s := open(%s);", pick(w, w.targets), w.term(1))
		}
	case 7, 8:
		guard := "*"
		if kind == 7 {
			guard = w.condition(1)
		}
		w.line("if (%s) {", guard)
		w.statements(depth - 1)
		if w.n(0, 1) == 0 {
			w.line("} else {")
			w.statements(depth - 1)
		}
		w.line("}")
	case 9, 10:
		if w.loops > 5 {
			return
		}
		k, outer := w.loops, w.inLoop
		w.loops++
		w.line("k%d := 0;\nwhile (k%d < %d) invariant k%d >= 0; {\nk%d := k%d + 1;", k, k, w.n(0, 3), k, k, k)
		w.inLoop = true
		w.statements(depth - 1)
		w.inLoop = outer
		w.line("}")
	case 11:
		if w.bodies > 0 {
			i := w.n(0, len(w.targets)-2)
			w.line("call %s, %s := q%d(%s, %s);", w.targets[i], w.targets[i+1], w.n(0, w.bodies-1), w.term(1), w.term(1))
		}
	case 12:
		w.labels++
		l := w.labels
		w.line("goto A%d, B%d; A%d:", l, l, l)
		w.statements(depth - 1)
		w.line("goto C%d; B%d:", l, l)
		w.statements(depth - 1)
		w.line("if (%s) { return; } C%d:", w.condition(0), l)
	case 13:
		w.check()
	}
}

// check writes an assertion that is not likely to fail.
func (w *writer) check() {
	bound := pick(w, []int{3, 9, 20, 50})
	w.line("assert %s <= %d || %s;", w.term(1), bound, w.condition(1))
}

func (w *writer) pair() string {
	switch w.n(0, 2) {
	case 0:
		return fmt.Sprintf("P(%s, %s)", w.term(0), w.term(0))
	case 1:
		return fmt.Sprintf("d->(r := %s)", w.term(0))
	}
	return "d"
}

func (w *writer) term(depth int) string {
	kind := w.n(0, 14)
	if depth == 0 {
		kind = w.n(0, 4)
	}
	switch kind {
	case 0, 1, 2:
		return pick(w, w.vars)
	case 3:
		return fmt.Sprint(w.n(0, 4))
	case 4:
		return "old(" + pick(w, []string{"g", "h"}) + ")"
	case 5:
		return "(" + w.term(depth-1) + " - " + w.term(depth-1) + ")"
	case 6:
		return "m[" + w.term(depth-1) + "]"
	case 7:
		return "f(" + w.term(depth-1) + ")"
	case 8:
		return fmt.Sprintf("(if %s then %s else %s)", w.condition(depth-1), w.term(depth-1), w.term(depth-1))
	case 9:
		return fmt.Sprintf("(%s %s %s)", w.term(depth-1), pick(w, []string{"div", "mod"}), pick(w, []string{"2", "-3", "c", "h"}))
	case 10:
		return "u(" + w.term(depth-1) + ")"
	case 11:
		return "(" + w.pair() + ")->" + pick(w, []string{"l", "r"})
	case 12:
		return "H[" + pick(w, []string{"F", "E"}) + "]"
	case 13:
		return fmt.Sprintf("(lambda i: int :: %s)[%s]", pick(w, []string{"3", "x", "g"}), w.term(0))
	}
	return "(" + w.term(depth-1) + " + " + w.term(depth-1) + ")"
}

func (w *writer) condition(depth int) string {
	if depth > 0 && w.n(0, 3) == 0 {
		return fmt.Sprintf("(%s %s %s)", w.condition(depth-1), pick(w, []string{"&&", "||", "==>", "<==", "<==>"}), w.condition(depth-1))
	}
	switch w.n(0, 11) {
	case 0:
		return "H[G]"
	case 1:
		return fmt.Sprintf("%s == %s", w.pair(), w.pair())
	}
	return fmt.Sprintf("%s %s %s", w.term(1), pick(w, []string{"==", "!=", "<", "<=", ">", ">="}), w.term(1))
}
