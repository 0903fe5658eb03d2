package proof_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/tree"
)

const layouts = `struct s { int x; };
static int
f(int n)
{
  int i = 0;
  while (i < n)
    i++;
  for (;;) { do i--; while (i > 0); break; }
again: i++;
  if (i < 9) goto again;
  return i;
}
#define LOOP(n) while (n) n--
int g(void) { return 1; } int h(int n) { LOOP(n); return n; }
// a comment
unsigned  k(void) { return 2; }
int main(void) { return f(g()) + h(2) + k(); }
`

// everywhere is something that holds at each function and loop.
func everywhere(t *testing.T, text string) []proof.Place {
	t.Helper()
	p, err := c.Read(context.Background(), "p.c", []byte(text), c.Options{Model: c.LP64})
	require.NoError(t, err)
	var out []proof.Place
	for _, f := range p.Functions {
		out = append(out, proof.Place{Function: f, Pos: f.Pos, Requires: []string{"A"}, Ensures: []string{"B"}})
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch s := n.(type) {
			case *tree.While, *tree.DoWhile, *tree.For, *tree.Label:
				out = append(out, proof.Place{Function: f, Statement: s.(tree.Statement), Pos: n.Pos(), Invariants: []string{"C", "D"}})
			}
			return true
		})
	}
	return out
}

// Annotations stand before what they are about, on lines of their own where that has one, and what macros have is left out.
func TestAnnotate(t *testing.T) {
	text, left := proof.Annotate([]byte(layouts), "p.c", everywhere(t, layouts))
	require.Equal(t, 1, left)
	require.Equal(t, `struct s { int x; };
/*@ requires A;
    ensures B; */
static int
f(int n)
{
  int i = 0;
  /*@ loop invariant C;
      loop invariant D; */
  while (i < n)
    i++;
  /*@ loop invariant C;
      loop invariant D; */
  for (;;) { /*@ loop invariant C; loop invariant D; */ do i--; while (i > 0); break; }
again: /*@ assert C; assert D; */ i++;
  if (i < 9) goto again;
  return i;
}
#define LOOP(n) while (n) n--
/*@ requires A;
    ensures B; */
int g(void) { return 1; } /*@ requires A; ensures B; */ int h(int n) { LOOP(n); return n; }
// a comment
/*@ requires A;
    ensures B; */
unsigned  k(void) { return 2; }
/*@ requires A;
    ensures B; */
int main(void) { return f(g()) + h(2) + k(); }
`, string(text))
}

// Without the comments, and the space around them, the annotated program is the program.
func TestAnnotationsAreComments(t *testing.T) {
	text, _ := proof.Annotate([]byte(layouts), "p.c", everywhere(t, layouts))
	bare := regexp.MustCompile(`(?s)/\*@.*?\*/`).ReplaceAll(text, nil)
	require.Equal(t, strings.Fields(layouts), strings.Fields(string(bare)))
	_, err := c.Read(context.Background(), "p.c", text, c.Options{Model: c.LP64})
	require.NoError(t, err)
	require.True(t, bytes.Contains(text, []byte("/*@")))
}

// What is elsewhere is not written.
func TestOtherFiles(t *testing.T) {
	places := everywhere(t, layouts)
	for i := range places {
		places[i].Pos.Line += 3
	}
	_, left := proof.Annotate([]byte("int x;\n"), "p.c", places)
	require.Equal(t, len(places), left)
	_, left = proof.Annotate([]byte(layouts), "other.c", places)
	require.Equal(t, len(places), left)
}

// The list has the conditions in the order of their places.
func TestText(t *testing.T) {
	places := everywhere(t, "int f(void) { L: goto L; }\nint main(void) { while (f()); }")
	require.Equal(t, `p.c:1:5: function f
  requires A;
  ensures B;
p.c:1:15: label L in f
  invariant C;
  invariant D;
p.c:2:5: function main
  requires A;
  ensures B;
p.c:2:18: loop in main
  invariant C;
  invariant D;
`, string(proof.Text(places)))
	documents := proof.Documents(places)
	require.Equal(t, "L", documents[1].Label)
	require.True(t, documents[3].Loop)
	require.False(t, documents[0].Loop)
}
