package encode_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
)

// offered are the candidates of a program by the predicate, with the names of its arguments.
func offered(t *testing.T, src string, o encode.Options) (map[string][]string, *encode.Encoding) {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err)
	e, err := encode.Encode(context.Background(), p, term.NewPool(), o)
	require.NoError(t, err)
	out := map[string][]string{}
	for _, pred := range e.System.Predicates {
		for _, f := range e.Candidates[pred] {
			names := map[*term.Term]*term.Term{}
			for _, v := range term.Vars(f) {
				for i := range pred.Sorts {
					if v == e.System.Pool.Var(pred.Name+"$"+string(rune('0'+i)), pred.Sorts[i]) {
						names[v] = e.System.Pool.Var(pred.ArgNames[i], pred.Sorts[i])
					}
				}
				require.Contains(t, names, v, "a candidate speaks of the predicate's parameters alone")
			}
			out[pred.Name] = append(out[pred.Name], e.System.Pool.Substitute(f, names).String())
		}
	}
	return out, e
}

// Candidates go to the predicates that they are about, and to no others.
func TestOfferedCandidates(t *testing.T) {
	const src = `const {:existential true} b: bool; const c: int; var g, h: int;
procedure p(x: int) returns (r: int) modifies g;
  requires {:candidate} x > c; requires x > -7; free requires x < 7;
  ensures {:candidate} r >= g - old(g); ensures b ==> h > r; ensures r >= 0;
{
  var i: int;
  i := 0;
  while (i < x) invariant {:candidate} i >= 0 && i <= h; invariant i >= -1; { i := i + 1; g := g + 1; }
  L: assert {:candidate} g > i; i := i * 2; if (*) { goto L; }
  r := i;
}
procedure {:entrypoint} main() modifies g; { var y: int; call y := p(3); assert {:candidate} y > 3; }`
	got, e := offered(t, src, encode.Options{})
	require.Equal(t, map[string][]string{
		"p fails":     {"(>= c x)"},
		"p":           {"(>= (+ |old(g)| r) g)", "(or (>= c x) (>= (+ |old(g)| r) g))", "(< r |old(h)|)", "(or (>= c x) (< r |old(h)|))"},
		"p at line 8": {"(>= i 0)", "(or (>= c x) (>= i 0))", "(>= |old(h)| i)", "(or (>= c x) (>= |old(h)| i))"},
		"p at L":      {"(> g i)", "(or (>= c x) (> g i))"},
	}, got)
	require.Equal(t, chc.Exact, e.System.Approximation)
	got, _ = offered(t, src, encode.Options{Modular: true})
	require.Empty(t, got, "contracts have an inference of their own")
}

// What no formula over a predicate's arguments says is not offered, and leaves the clauses as they were.
func TestCandidatesThatAreNotOffered(t *testing.T) {
	got, e := offered(t, `procedure main(a: [int]int, n: int) {
  var i: int;
  i := 0;
  while (i < n)
    invariant {:candidate} (forall j: int :: a[j] == 0);
    invariant {:candidate} (exists j: int :: a[j] == i);
    invariant {:candidate} (lambda j: int :: j) == a;
    invariant {:candidate} i >= 0;
  { i := i + 1; }
  assert i >= 0;
}`, encode.Options{})
	require.Equal(t, map[string][]string{"main at line 4": {"(>= i 0)"}}, got)
	require.Equal(t, chc.Exact, e.System.Approximation)
	require.Empty(t, e.System.Notes)
}
