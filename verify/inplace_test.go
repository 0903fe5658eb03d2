package verify_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/verify"
)

// sums has comments and layout that are to stay, a loop of each kind, contracts at a procedure with a body and at one without, and a
// procedure that is wrong.
const sums = `// Sums: the comments /* stay */, and so do blanks.
var g: int;

procedure {:inline 0} double(n: int) returns (r: int)
  requires n >= 0;

{
  var i: int;   i := 0; r := 0;
  while (i < n) { // ( in a comment
    r := r + 2;	i := i + 1;
  }
}

procedure count(k: int);
  modifies g;
implementation count(k: int) {
  g := 0;
again: // a label
  if (g < k) { g := g + 1; goto again; }
  assert k < 0 || g == k;
}

procedure main(k: int) modifies g; {
  var x: int; call x := double(3); assert x == 6;
  call count(k);
}
`

const wrong = "\nprocedure wrong() modifies g; { g := 1; while (*) { g := g + 2; } assert g != 3; }"

func annotated(t *testing.T, src string, o verify.AnnotateOptions) *verify.Annotation {
	t.Helper()
	a, err := verify.Annotate(t.Context(), boogieRequest(t, src), o)
	require.NoError(t, err)
	require.Empty(t, a.Reason)
	rest := a.Text
	for _, c := range []byte(src) {
		i := bytes.IndexByte(rest, c)
		require.GreaterOrEqual(t, i, 0, "a byte is missing in\n%s", a.Text)
		rest = rest[i+1:]
	}
	return a
}

func boogieRequest(t *testing.T, src string) verify.Request {
	t.Helper()
	options, err := verify.NewOptions(map[string]string{"runs": "0"})
	require.NoError(t, err)
	return verify.Request{File: "p.bpl", Source: []byte(src), Language: engine.Boogie, Options: options,
		Solver: portfolio.Request{Check: true, Stats: engine.NewStats(), Simplify: time.Second}}
}

// modular is the verdict of modular verification.
func modular(t *testing.T, src []byte) engine.Verdict {
	t.Helper()
	req := boogieRequest(t, string(src))
	req.Options.Modular = true
	r, err := verify.Program(t.Context(), req)
	require.NoError(t, err)
	return r.Verdict
}

// What annotate inserts makes a program modularly verified that is not without, and leaves every byte as it is.
func TestAnnotate(t *testing.T) {
	all := verify.AnnotateOptions{Invariants: true, Contracts: true}
	require.NotEqual(t, engine.Sat, modular(t, []byte(sums)))
	a := annotated(t, sums, all)
	require.Equal(t, engine.Sat, modular(t, a.Text))
	for _, p := range a.Procedures {
		require.Empty(t, p.Unproved, p.Name)
	}
	for _, name := range []string{"fibonacci", "lock", "array-init"} {
		src, err := os.ReadFile("../examples/" + name + ".bpl")
		require.NoError(t, err)
		require.Equal(t, engine.Sat, modular(t, annotated(t, string(src), all).Text), name)
	}
	// Lines that are inserted end as the others do.
	crlf := annotated(t, strings.ReplaceAll(sums, "\n", "\r\n"), all)
	require.Equal(t, string(a.Text), strings.ReplaceAll(string(crlf.Text), "\r\n", "\n"))
	require.NotContains(t, strings.ReplaceAll(string(crlf.Text), "\r\n", ""), "\n")
}

// Procedures of a program that is wrong keep what is proved about them.
func TestAnnotateWrongPrograms(t *testing.T) {
	a := annotated(t, sums+wrong, verify.AnnotateOptions{Invariants: true, Contracts: true})
	for _, p := range a.Procedures {
		require.Equal(t, p.Name == "wrong", len(p.Unproved) > 0, p.Name)
		require.Equal(t, p.Name == "count" || p.Name == "double", p.Invariants > 0, p.Name)
	}
	require.Positive(t, a.Procedures[0].Contracts)
	require.Equal(t, engine.Sat, modular(t, []byte(strings.Replace(string(a.Text), wrong, "", 1))), "%s", a.Text)
}

// Only what is asked for is inserted.
func TestAnnotateOnly(t *testing.T) {
	for _, test := range []struct {
		options verify.AnnotateOptions
		// with are the procedures with invariants.
		with []string
	}{
		{verify.AnnotateOptions{Invariants: true}, []string{"double", "count"}},
		{verify.AnnotateOptions{Contracts: true}, nil},
		{verify.AnnotateOptions{Invariants: true, Contracts: true, Procedure: "double"}, []string{"double"}},
	} {
		var with []string
		for _, p := range annotated(t, sums, test.options).Procedures {
			if p.Invariants > 0 {
				with = append(with, p.Name)
			}
			if !test.options.Contracts || p.Name != "double" && test.options.Procedure != "" {
				require.Zero(t, p.Contracts, p.Name)
			}
		}
		require.Equal(t, test.with, with, test)
	}
}

// A procedure that is not proved keeps what holds at its loops, and modular verification is rest with what does not hold.
func TestAnnotateKeepsInvariantsOfWhatIsNotProved(t *testing.T) {
	src := "procedure Up(n: int, m: int)\n  requires n >= 0;\n  ensures true;\n{\n  var i, rest: int;\n  i := 0; rest := n;\n" +
		"  while (true) {\n    if (i >= n) { break; }\n    i := i + 1; rest := rest - 1;\n  }\n  assert i == n && rest == 0;\n  assert i > m;\n}\n"
	a := annotated(t, src, verify.AnnotateOptions{Invariants: true, Contracts: true})
	require.Len(t, a.Procedures, 1)
	require.Len(t, a.Procedures[0].Unproved, 1)
	require.Contains(t, a.Procedures[0].Unproved[0], "i > m")
	for _, want := range []string{"invariant i <= n;", "invariant 0 <= rest;", "invariant rest + i == n;"} {
		require.Contains(t, string(a.Text), want)
	}
	require.NotContains(t, string(a.Text), "m <= i")
	require.NotContains(t, string(a.Text), "invariant true")
	require.NotContains(t, string(a.Text), "i == i")
}

// heap has the arrays of a language with objects in one map, with the types that Dafny prints, a contract that is not that of the
// implementation's own parameters, and no word of what holds at its loops.
const heap = `type ref; type Field a; type Box; type Heap = <a>[ref, Field a]a;
function box<T>(T): Box; function unbox<T>(Box): T; axiom (forall<T> x: T :: {box(x)} unbox(box(x)) == x);
function index(int): Field Box; function number<T>(Field T): int; axiom (forall i: int :: {index(i)} number(index(i)) == i);
function length(a: ref): int; axiom (forall o: ref :: {length(o)} 0 <= length(o));
function read<a>(h: Heap, r: ref, f: Field a): a { h[r, f] }
var heap: Heap;
procedure Fill(array: ref, value: int); modifies heap;
  ensures (forall j: int :: 0 <= j && j < length(array) ==> (unbox(read(heap, array, index(j))): int) == value);
implementation Fill(a: ref, v: int) {
  var i: int; i := 0;
  while (i < length(a)) {
    heap := heap[a, index(i) := box(v)]; i := i + 1;
  }
}
procedure Search(array: ref, key: int) returns (found: int);
  ensures found < 0 ==> (forall j: int :: 0 <= j && j < length(array) ==> (unbox(read(heap, array, index(j))): int) != key);
implementation Search(a: ref, k: int) returns (r: int) {
  r := 0;
  while (true) {
    if (length(a) <= r) { break; }
    if ((unbox(read(heap, a, index(r))): int) == k) { return; }
    r := r + 1;
  }
  r := -1;
}
`

// What is ensured is guessed at loops up to the counter, in quantified formulas and for what holds in a case only, too. Time that is
// limited makes no difference where it is enough.
func TestAnnotateArraysInAHeap(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	req := boogieRequest(t, heap)
	req.Solver.Engine = "houdini"
	a, err := verify.Annotate(ctx, req, verify.AnnotateOptions{Invariants: true, Contracts: true})
	require.NoError(t, err)
	for _, p := range a.Procedures {
		require.Empty(t, p.Unproved, "%s\n%s", p.Name, a.Text)
	}
	require.Equal(t, engine.Sat, modular(t, a.Text))
	require.NotContains(t, string(a.Text), "r < r")
}
