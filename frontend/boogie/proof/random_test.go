package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/engine"
)

// What a proof says of a random program is enough to verify it procedure by procedure.
func TestRandomProgramsRoundTrip(t *testing.T) {
	safe, dropped, said := 0, 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		src := (&writer{t: t}).program()
		r := roundTrip(t, src, rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "simplify"))
		if r.verdict != engine.Sat {
			return
		}
		safe++
		for _, word := range []string{"requires", "ensures", "invariant"} {
			said[word] += strings.Count(r.text, "  "+word)
		}
		if len(r.dropped) > 0 {
			dropped++
			return
		}
		require.Empty(t, r.why, "%s\nannotated\n%s", src, r.annotated)
	})
	t.Logf("%d safe programs with %v; of %d a part of the proof could not be written", safe, said, dropped)
}

// writer writes a random program of procedures that call each other, with loops of all sorts.
type writer struct {
	t       *rapid.T
	b       strings.Builder
	vars    []string
	targets []string
	// callees can be called, each with a number of parameters and of results.
	callees []callee
	labels  int
	depth   int
	// natural says that variables never become negative, which is what assertions say.
	natural bool
}

type callee struct {
	name    string
	in, out int
}

func (w *writer) n(low, high int) int { return rapid.IntRange(low, high).Draw(w.t, "n") }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

func pick[T any](w *writer, xs []T) T { return xs[w.n(0, len(xs)-1)] }

func (w *writer) program() string {
	w.natural = w.n(0, 2) > 0
	w.line("type color; const unique red, green: color; const limit: int; axiom limit >= 0 && limit <= 3;")
	w.line("var g, h: int; var flag: bool; var paint: color; var a: [int]int; var grid: [int,bool]int;\nfunction u(x: int): int;")
	w.line("procedure choose() returns (x: int); modifies h; ensures x >= 0; ensures h >= 0; free ensures h == old(h) || x > 0;")
	w.line("procedure reach_error() { assert true; }")
	w.line("procedure unused(x: int) { assert x > 0; call unused(x - 1); }")
	w.callees = []callee{{"choose", 0, 1}}
	procedures := w.n(1, 3)
	for i := range procedures {
		p := callee{fmt.Sprintf("p%d", i), w.n(0, 2), w.n(0, 2)}
		recursive := w.n(0, 3) == 0
		if recursive {
			w.callees = append(w.callees, p)
		}
		w.procedure(p, []string{"", "", "requires g >= 0;", "free requires g <= 9;", "free requires flag;", "free requires h >= 0;", "ensures g >= old(g) - 9;", "free ensures h <= 5;", "requires flag; ensures flag;"}[w.n(0, 8)])
		if !recursive {
			w.callees = append(w.callees, p)
		}
	}
	w.procedure(callee{"{:entrypoint} main", 1, 0}, []string{"", "requires g == 0;", "requires flag && h == 1;"}[w.n(0, 2)])
	return w.b.String()
}

// procedure writes one, possibly with a separate implementation that calls its parameters otherwise; names may be those
// of globals.
func (w *writer) procedure(p callee, contract string) {
	names := func(prefix string, n int, hiding string) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf("%s%d", prefix, i))
		}
		if n > 0 && w.n(0, 4) == 0 && !strings.Contains(contract, hiding) {
			out[0] = hiding
		}
		return out
	}
	typed := func(names []string) string {
		var out []string
		for _, n := range names {
			out = append(out, n+": int")
		}
		return strings.Join(out, ", ")
	}
	in, out := names("i", p.in, "h"), names("o", p.out, "g")
	if w.n(0, 2) == 0 {
		w.line("procedure %s(%s) returns (%s); %s", p.name, typed(in), typed(out), contract)
		in, out = names("j", p.in, "h"), names("r", p.out, "g")
		w.line("implementation %s(%s) returns (%s) {", strings.TrimPrefix(p.name, "{:entrypoint} "), typed(in), typed(out))
	} else {
		w.line("procedure %s(%s) returns (%s) %s {", p.name, typed(in), typed(out), contract)
	}
	w.line("var x, y: int; var b: bool; var k0, k1, k2: int;")
	w.vars = append(append([]string{"g", "h", "x", "y", "limit"}, in...), out...)
	w.targets = append([]string{"g", "h", "x", "y"}, out...)
	if w.natural || w.n(0, 1) == 0 {
		w.line("x := 0; y := 0; b := false;")
	}
	if w.natural {
		for _, o := range out {
			w.line("%s := 0;", o)
		}
		if strings.HasSuffix(p.name, "main") {
			w.vars = slices.DeleteFunc(w.vars, func(v string) bool { return v == in[0] })
			if in[0] != "h" {
				w.line("h := 1;")
			}
			w.line("g := 0; flag := true;")
		}
	}
	for _, n := range in {
		if n == "h" {
			// It hides the global, and cannot be changed.
			w.targets[1] = "x"
		}
	}
	w.depth = 0
	w.statements(2)
	if strings.HasSuffix(p.name, "main") {
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
	kind := w.n(0, 15)
	if depth == 0 {
		kind = w.n(0, 8)
	}
	switch kind {
	case 0, 1:
		w.line("%s := %s;", pick(w, w.targets), w.term(1))
	case 2:
		w.line("%s := %s;", pick(w, []string{"b", "flag"}), w.condition(1))
	case 3:
		v := pick(w, w.targets)
		w.line("havoc %s; assume %s >= 0;", v, v)
	case 4:
		w.line("assume %s;", w.condition(1))
	case 5:
		w.line("%s[%s] := %s;", "a", w.term(0), w.term(0))
	case 6:
		w.line("grid[%s, %s] := %s;", w.term(0), pick(w, []string{"b", "true"}), w.term(0))
	case 7:
		w.line("paint := %s;", pick(w, []string{"red", "green"}))
	case 8:
		w.check()
	case 9:
		w.line("if (%s) {", w.guard())
		w.statements(depth - 1)
		if w.n(0, 1) == 0 {
			w.line("} else {")
			w.statements(depth - 1)
		}
		w.line("}")
	case 10, 11:
		k := fmt.Sprintf("k%d", w.depth)
		w.depth++
		invariant := ""
		if w.n(0, 2) == 0 {
			invariant = "invariant " + k + " >= 0;"
		}
		w.line("%s := 0;\nwhile (%s < %s) %s {\n%s := %s + 1;", k, k, pick(w, []string{"2", "limit", "5"}), invariant, k, k)
		w.statements(depth - 1)
		w.line("}")
		w.depth--
	case 12:
		w.labels++
		l := w.labels
		w.line("L%d: %s", l, pick(w, []string{"", "assume g >= 0;", "assert true; assume x > 0 || h > 0;"}))
		w.statements(depth - 1)
		w.line("goto L%d, M%d; M%d:", l, l, l)
	case 13:
		w.labels++
		l := w.labels
		w.line("B%d: while (*) {", l)
		w.statements(depth - 1)
		w.line("if (%s) { break B%d; } if (*) { goto B%d; } }", w.guard(), l, l)
	case 14, 15:
		c := pick(w, w.callees)
		var args, results []string
		for range c.in {
			args = append(args, w.term(1))
		}
		for i := range c.out {
			results = append(results, []string{"x", "y"}[i])
		}
		assign := ""
		if len(results) > 0 {
			assign = strings.Join(results, ", ") + " := "
		}
		w.line("call %s%s(%s);", assign, c.name, strings.Join(args, ", "))
	}
}

// check writes something that is not likely to fail.
func (w *writer) check() {
	if w.natural && w.n(0, 4) > 0 {
		w.line("assert %s >= 0;", pick(w, w.vars))
		return
	}
	switch w.n(0, 5) {
	case 0:
		w.line("if (%s && %s) { call reach_error(); }", w.condition(0), w.condition(0))
	case 1:
		w.line("assert paint == red || paint != red || %s;", w.condition(0))
	default:
		w.line("assert %s || %s || %s;", w.condition(0), w.condition(0), w.condition(1))
	}
}

func (w *writer) guard() string {
	if w.n(0, 2) == 0 {
		return "*"
	}
	return w.condition(1)
}

func (w *writer) term(depth int) string {
	kind := w.n(0, 11)
	if depth == 0 {
		kind = w.n(0, 4)
	}
	switch kind {
	case 0, 1, 2, 3:
		return pick(w, w.vars)
	case 4:
		return fmt.Sprint(w.n(0, 3))
	case 5:
		if w.natural {
			x, y := w.term(depth-1), w.term(depth-1)
			return fmt.Sprintf("(if %s >= %s then %s - %s else 1)", x, y, x, y)
		}
		return "(" + w.term(depth-1) + " - " + w.term(depth-1) + ")"
	case 6, 7, 8:
		m := pick(w, []string{"a[" + w.term(depth-1) + "]", "grid[" + w.term(depth-1) + ", flag]", "u(" + w.term(depth-1) + ")"})
		if w.natural {
			return fmt.Sprintf("(if %s >= 0 then %s else 0)", m, m)
		}
		return m
	case 9:
		return fmt.Sprintf("(%s %s %s)", w.term(depth-1), pick(w, []string{"div", "mod"}), pick(w, []string{"2", "3", "(1 + limit)"}))
	case 10:
		return fmt.Sprintf("(if %s then %s else %s)", w.condition(depth-1), w.term(depth-1), w.term(depth-1))
	}
	return "(" + w.term(depth-1) + " + " + w.term(depth-1) + ")"
}

func (w *writer) condition(depth int) string {
	if depth > 0 && w.n(0, 2) == 0 {
		return fmt.Sprintf("(%s %s %s)", w.condition(depth-1), pick(w, []string{"&&", "||", "==>", "<==>"}), w.condition(depth-1))
	}
	switch w.n(0, 7) {
	case 0:
		return pick(w, []string{"flag", "b"})
	case 1:
		return "paint == " + pick(w, []string{"red", "green"})
	}
	return fmt.Sprintf("%s %s %s", w.term(depth), pick(w, []string{"==", "!=", "<", "<=", ">", ">="}), w.term(depth))
}
