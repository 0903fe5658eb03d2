package ranges

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// step is an instruction of a program made of gotos.
type step struct {
	// to := from + n, or, if jumps, go to target where from < n, or, if calls, call procedure target.
	jumps, calls bool
	to, from, n  int
	target       int
}

// variables are those of each procedure: globals first.
var variables = []string{"g", "h", "x", "y"}

// drawSteps draws procedures that go and call anywhere.
func drawSteps(rt *rapid.T) [][]step {
	procedures := make([][]step, rapid.IntRange(1, 3).Draw(rt, "procedures"))
	for p := range procedures {
		procedures[p] = make([]step, rapid.IntRange(1, 12).Draw(rt, "steps"))
		for i := range procedures[p] {
			s := step{
				to: rapid.IntRange(0, 3).Draw(rt, "to"), from: rapid.IntRange(0, 3).Draw(rt, "from"), n: rapid.IntRange(-2, 9).Draw(rt, "n"),
			}
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0, 1:
				s.jumps, s.target = true, rapid.IntRange(0, len(procedures[p])).Draw(rt, "target")
			case 2:
				s.calls, s.target = true, rapid.IntRange(0, len(procedures)-1).Draw(rt, "callee")
			}
			procedures[p][i] = s
		}
	}
	return procedures
}

// text is a program of steps in the machine dialect, with a label before each.
func text(procedures [][]step) string {
	var b strings.Builder
	b.WriteString("var g, h: i8;\n")
	for p, steps := range procedures {
		attribute := ""
		if p == 0 {
			attribute = "{:entrypoint} "
		}
		fmt.Fprintf(&b, "procedure %sp%d()\n  modifies g, h;\n{\n  var x, y: i8;\n", attribute, p)
		if p == 0 {
			b.WriteString("  g := 0;\n  h := 3;\n")
		}
		b.WriteString("  x := 1;\n  y := 2;\n")
		for i, s := range steps {
			from := variables[s.from]
			fmt.Fprintf(&b, "L%d:\n", i)
			switch {
			case s.jumps:
				fmt.Fprintf(&b, "  if ($lt.i8(%s, %d)) { goto L%d; }\n", from, s.n, s.target)
			case s.calls:
				fmt.Fprintf(&b, "  call p%d();\n", s.target)
			default:
				fmt.Fprintf(&b, "  %s := $add.i8(%s, %d);\n", variables[s.to], from, s.n)
			}
		}
		fmt.Fprintf(&b, "L%d:\n  return;\n}\n", len(steps))
	}
	return b.String()
}

func parsed(rt require.TestingT, text string) *ast.Program {
	p, err := boogie.Parse("test", []byte(text), boogie.Options{})
	require.NoError(rt, err)
	require.NoError(rt, machine.Declare(p))
	return p
}

// runSteps runs steps, and says before each, and at the end of each procedure, what variables are. It reports false if the run is long.
func runSteps(procedures [][]step, globals *[2]int64, p int, left *int, observe func(p, i int, values [4]int64)) bool {
	values := [4]int64{globals[0], globals[1], 1, 2}
	if p == 0 {
		values[0], values[1] = 0, 3
	}
	for i := 0; ; {
		observe(p, i, values)
		if *left--; *left <= 0 {
			return false
		}
		if i == len(procedures[p]) {
			*globals = [2]int64{values[0], values[1]}
			return true
		}
		s := procedures[p][i]
		i++
		switch {
		case s.jumps && values[s.from] < int64(s.n):
			i = s.target
		case s.jumps:
		case s.calls:
			*globals = [2]int64{values[0], values[1]}
			if !runSteps(procedures, globals, s.target, left, observe) {
				return false
			}
			values[0], values[1] = globals[0], globals[1]
		default:
			values[s.to] = int64(int8(values[s.from] + int64(s.n)))
		}
	}
}

// Whatever loops gotos make, and however procedures call each other, what statements find is in what the analysis says they
// find. It always ends.
func TestRangesHaveAllRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procedures := drawSteps(rt)
		p := parsed(rt, text(procedures))
		r, err := Analyse(rt.Context(), p, Options{PointerBits: 32, Bounded: true})
		require.NoError(rt, err)
		require.False(rt, r.abandoned)
		// The statement behind each label, and the variables by name.
		var stmts [][]ast.Stmt
		var names []map[string]*ast.Variable
		for _, q := range p.Procedures {
			var behind []ast.Stmt
			for i, s := range q.Body.Stmts {
				if _, ok := s.(*ast.Label); ok {
					behind = append(behind, q.Body.Stmts[i+1])
				}
			}
			stmts = append(stmts, behind)
			named := map[string]*ast.Variable{}
			for _, list := range [][]*ast.Variable{p.Globals, q.Body.Locals} {
				for _, v := range list {
					named[v.Name] = v
				}
			}
			names = append(names, named)
		}
		left := 300
		runSteps(procedures, new([2]int64), 0, &left, func(p, i int, values [4]int64) {
			if i == len(procedures[p]) {
				return
			}
			s := r.before[stmts[p][i]]
			require.NotNil(rt, s, "p%d comes to L%d\n%s", p, i, text(procedures))
			for k, name := range variables {
				in, ok := r.get(s, names[p][name])
				require.True(rt, !ok || within(in, big.NewInt(values[k])), "%s is %d at L%d of p%d, and not in %v\n%s", name, values[k], i, p, in, text(procedures))
			}
		})
	})
}

// An edge of a graph leads to a later block of the weak order, or to the head of a component that it starts in.
func TestWeakOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := parsed(rt, text(drawSteps(rt)))
		for _, q := range p.Procedures {
			g := flow.Build(q.Implementations[0])
			order := weakOrder(g)
			place, heads := map[*flow.Block]int{}, map[*flow.Block][]*flow.Block{}
			var visit func(order []part, around []*flow.Block)
			visit = func(order []part, around []*flow.Block) {
				for _, e := range order {
					place[e.block] = len(place)
					inside := around
					if e.loop {
						inside = append(around[:len(around):len(around)], e.block)
					}
					heads[e.block] = inside
					visit(e.inner, inside)
				}
			}
			visit(order, nil)
			require.Len(rt, place, len(g.Blocks))
			for _, b := range g.Blocks {
				for _, n := range b.Next {
					if place[n] <= place[b] {
						require.Contains(rt, heads[b], n)
					}
				}
			}
		}
	})
}

// at is what is known of a variable before the statement behind a label.
func at(t *testing.T, p *ast.Program, r *Analysis, procedure, label, variable string) interval.Interval {
	for _, q := range p.Procedures {
		for i, s := range q.Body.Stmts {
			if l, ok := s.(*ast.Label); q.Name == procedure && ok && l.Name == label {
				s := r.before[q.Body.Stmts[i+1]]
				require.NotNil(t, s, "no run comes to %s", label)
				for v := range r.slots {
					if v.Name == variable {
						if in, ok := r.get(s, v); ok {
							return in
						}
					}
				}
				return interval.Interval{}
			}
		}
	}
	require.Fail(t, "no label", label)
	return interval.Interval{}
}

// What is known is as precise as it should be: of loops within one another and one after the other, of calls, and of what
// procedures leave that call themselves.
func TestRangesArePrecise(t *testing.T) {
	of := func(low, high int64) interval.Interval { return interval.Between(big.NewInt(low), big.NewInt(high)) }
	for _, c := range []struct {
		name, text, procedure, label, variable string
		want                                   interval.Interval
	}{
		{"a loop", `procedure {:entrypoint} p() { var i: i32; i := 0; H: if ($lt.i32(i, 77)) { i := $add.i32(i, 1); goto H; } A: assert true; }`, "p", "A", "i", of(77, 77)},
		{"a loop in a loop", `procedure {:entrypoint} p() { var i, j: i32; i := 0; H: if ($lt.i32(i, 8)) { j := 0;
G: if ($lt.i32(j, i)) { j := $add.i32(j, 1); goto G; } i := $add.i32(i, 1); goto H; } A: assert true; }`, "p", "A", "i", of(8, 8)},
		{"a counter without a bound", `procedure {:entrypoint} p() { var i: u8; i := 3; H: if (*) { i := $add.u8(i, 2); goto H; } A: assert true; }`, "p", "A", "i", of(1, 255)},
		{"two calls", `procedure {:entrypoint} p() { var x: i32; call x := q(1); call x := q(5); A: assert true; }
procedure q(n: i32) returns (r: i32) { r := $add.i32(n, 1); }`, "p", "A", "x", of(2, 6)},
		{"many calls, one after the other", func() string {
			var b strings.Builder
			b.WriteString("var g: i32;\nprocedure {:entrypoint} p() modifies g; { g := 0;\n")
			for i := range 200 {
				fmt.Fprintf(&b, "call p%d();\n", i)
			}
			b.WriteString("A: assert true; }\n")
			for i := range 200 {
				fmt.Fprintf(&b, "procedure p%d() modifies g; { g := $add.i32(g, 1); }\n", i)
			}
			return b.String()
		}(), "p", "A", "g", of(200, 200)},
		{"a procedure that calls itself", `procedure {:entrypoint} p() { var x: i32; call x := q(9); A: assert true; }
procedure q(n: i32) returns (r: i32) { if ($le.i32(n, 0)) { r := 5; } else { call r := q($sub.i32(n, 1)); } }`, "p", "A", "x", of(5, 5)},
		{"what is not reached", `procedure {:entrypoint} p() { var x: i32; x := 1; if ($lt.i32(x, 0)) { call x := q(7); } call x := q(2); A: assert true; }
procedure q(n: i32) returns (r: i32) { r := n; }`, "p", "A", "x", of(2, 2)},
		{"a call that does not return", `procedure {:entrypoint} p() { var x: i32; x := 1; if (*) { x := 2; call q(); } A: assert true; }
procedure q() { L: goto L; }`, "p", "A", "x", of(1, 1)},
	} {
		p := parsed(t, c.text)
		r, err := Analyse(t.Context(), p, Options{PointerBits: 32, Bounded: true})
		require.NoError(t, err)
		require.False(t, r.abandoned, c.name)
		in := at(t, p, r, c.procedure, c.label, c.variable)
		in = in.Meet(interval.OfType(machine.Type{Bits: 32, Signed: true}))
		if c.variable == "i" && c.want.High.Int64() == 255 {
			in = in.Meet(interval.OfType(machine.Type{Bits: 8}))
		}
		require.True(t, in.In(c.want) && c.want.In(in), "%s: %v", c.name, in)
	}
}

// The iterations of a loop are counted where constants bound them, those of loops in it are found anew in each.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		text       string
		iterations int
		ends       bool
	}{
		{`i := 0; H: if ($lt.u8(i, 5)) { i := $add.u8(i, 1); goto H; }`, 6, true},
		{`i := 0; H: i := $add.u8(i, 1); if ($lt.u8(i, 5)) { goto H; }`, 5, true},
		{`i := 0; H: if ($lt.u8(i, 30)) { i := $add.u8(i, 1); goto H; }`, 10, false},
		{`i := 0; H: if (*) { i := $add.u8(i, 1); goto H; }`, 10, false},
		{`i := 0; H: if ($lt.u8(i, 6)) { j := 0; G: if ($lt.u8(j, 2)) { j := $add.u8(j, 1); goto G; } i := $add.u8(i, j); goto H; }`, 4, true},
		{`i := 7; H: i := $add.u8(i, 1);`, 1, true},
		{`i := 0; goto E; H: i := $add.u8(i, 1); goto H; E: assert true;`, 0, true},
	} {
		p := parsed(t, "procedure {:entrypoint} p() { var i, j: u8; "+c.text+" }")
		r, err := Analyse(t.Context(), p, Options{PointerBits: 32, Bounded: true})
		require.NoError(t, err)
		iterations, ends, err := r.Iterations("p", "H", 10)
		require.NoError(t, err)
		require.Equal(t, c.iterations, iterations, c.text)
		require.Equal(t, c.ends, ends, c.text)
	}
}

// manyLoops is a program of procedures that are called one after the other and change globals in loops.
func manyLoops(procedures, globals int) string {
	var b strings.Builder
	for g := range globals {
		fmt.Fprintf(&b, "var g%d: i32;\n", g)
	}
	b.WriteString("procedure {:entrypoint} main() modifies")
	for g := range globals {
		fmt.Fprintf(&b, "%s g%d", map[bool]string{true: "", false: ","}[g == 0], g)
	}
	b.WriteString(";\n{\n")
	for p := range procedures {
		fmt.Fprintf(&b, "  call p%d(%d);\n", p, p)
	}
	b.WriteString("}\n")
	for p := range procedures {
		g, h := p%globals, (7*p+1)%globals
		fmt.Fprintf(&b, `procedure p%d(n: i32) modifies g%d, g%d;
{
  var i, j: i32;
  i := 0;
H: if ($lt.i32(i, %d)) {
    j := i;
G:  if ($gt.i32(j, 0)) {
      g%d := $add.i32(g%d, $and.i32(j, 7));
      if (g%d == %d) { goto E; }
      j := $sub.i32(j, 1);
      goto G;
    }
E:  i := $add.i32(i, 1);
    goto H;
  }
  g%d := $rem.i32(n, %d);
}
`, p, g, h, 5+p%17, g, g, h, p, h, p+3)
	}
	return b.String()
}

// BenchmarkRanges analyses a program of about 100 kB.
func BenchmarkRanges(b *testing.B) {
	p := parsed(b, manyLoops(300, 60))
	for b.Loop() {
		r, err := Analyse(b.Context(), p, Options{PointerBits: 32, Bounded: true})
		require.NoError(b, err)
		require.False(b, r.abandoned)
	}
}
