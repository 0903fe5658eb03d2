package verify_test

import (
	"bytes"
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
	src := "procedure Up(n: int, m: int)\n  requires n >= 0;\n{\n  var i, rest: int;\n  i := 0; rest := n;\n" +
		"  while (true) {\n    if (i >= n) { break; }\n    i := i + 1; rest := rest - 1;\n  }\n  assert i == n && rest == 0;\n  assert i > m;\n}\n"
	a := annotated(t, src, verify.AnnotateOptions{Invariants: true, Contracts: true})
	require.Len(t, a.Procedures, 1)
	require.Len(t, a.Procedures[0].Unproved, 1)
	require.Contains(t, a.Procedures[0].Unproved[0], "i > m")
	for _, want := range []string{"invariant i <= n;", "invariant 0 <= rest;", "invariant rest + i == n;"} {
		require.Contains(t, string(a.Text), want)
	}
	require.NotContains(t, string(a.Text), "m <= i")
	require.NotContains(t, string(a.Text), "i == i")
}
