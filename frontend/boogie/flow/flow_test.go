package flow_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// graph is the graph of the last procedure's first body.
func graph(t *testing.T, src string) *flow.Graph {
	t.Helper()
	p, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err)
	impls := p.Procedures[len(p.Procedures)-1].Implementations
	return flow.Build(impls[0])
}

// shape writes a graph: each block's index, with ^ when it is a loop's head, its number of commands and its successors.
func shape(g *flow.Graph) string {
	var b strings.Builder
	for i, block := range g.Blocks {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d", block.Index)
		if block.Loop {
			b.WriteString("^")
		}
		if block == g.Exit {
			b.WriteString(" exit")
			continue
		}
		fmt.Fprintf(&b, " %d ->", len(block.Commands))
		for _, n := range block.Next {
			fmt.Fprintf(&b, " %d", n.Index)
		}
	}
	return b.String()
}

func TestGraphs(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"straight", `procedure p() { var x: int; x := 1; assert x == 1; }`, "0 2 -> 1; 1 exit"},
		{"if", `procedure p(b: bool) { var x: int; if (b) { x := 1; } else { x := 2; } x := 3; }`, "0 0 -> 2 1; 1 2 -> 3; 2 2 -> 3; 3 1 -> 4; 4 exit"},
		{"if without else", `procedure p() { if (*) { return; } }`, "0 0 -> 3 1; 1 0 -> 2; 2 0 -> 4; 3 0 -> 4; 4 exit"},
		{"loop", `procedure p(n: int) { var i: int; while (i < n) invariant i >= 0; free invariant i < 9; { i := i + 1; } }`, "0 0 -> 1; 1^ 2 -> 5 2; 2 1 -> 3; 3 0 -> 4; 4 exit; 5 2 -> 1"},
		{"a loop that is never left", `procedure p() { while (true) { } L: goto L; }`, "0 0 -> 1; 1^ 0 -> 5 2; 2 1 -> 3; 3 0 -> 4; 4^ 0 -> 4; 5 1 -> 1"},
		{"what is not reached", `procedure p() { return; assert false; }`, "0 0 -> 1; 1 exit"},
		{"no exit", `procedure p() { L: goto L; }`, "0 0 -> 1; 1^ 0 -> 1"},
	} {
		require.Equal(t, c.want, shape(graph(t, c.src)), c.name)
	}
}

// After Split every block has one command at most, but for the invariants of a loop.
func TestSplit(t *testing.T) {
	g := graph(t, `procedure p(n: int) { var i: int; i := 0; i := i + 1; while (i < n) invariant i >= 0; invariant i > 0; { i := i + 1; i := i + 2; } }`)
	g.Split()
	require.Equal(t, "0 1 -> 1; 1 1 -> 2; 2^ 2 -> 6 3; 3 1 -> 4; 4 0 -> 5; 5 exit; 6 1 -> 7; 7 1 -> 8; 8 1 -> 2", shape(g))
	h := graph(t, `procedure p() { var i: int; H: assert i >= 0; assert i > 1; i := 5; assert i > 3; goto H; }`)
	h.Split()
	require.Equal(t, "0 0 -> 1; 1^ 2 -> 2; 2 1 -> 3; 3 1 -> 1", shape(h))
}

func TestLive(t *testing.T) {
	const src = `var g, h: int;
procedure q(a: int) returns (r: int); modifies g; ensures r > old(h);
procedure o(x: int, y: int) returns (z: int where z > y);
implementation o(a: int, b: int) returns (c: int) {
  var u: int; var v: int where v > u;
  assert {:verified_under u > 0} a > 0;
  havoc v;
  call u := q(a + v);
  havoc c;
}`
	g := graph(t, src)
	live := g.Live(flow.Variables{g.Implementation.Out[0]: true}, func(p *ast.Procedure) (reads, changes flow.Variables) {
		reads = flow.Variables{}
		for _, e := range p.Ensures {
			flow.Reads(e.Cond, nil, reads)
		}
		return reads, nil
	})
	var names []string
	for v := range live.At(g.Blocks[0]) {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	// u is read by what the assertion holds under and by v's where clause, b by that of the result.
	require.Equal(t, []string{"a", "b", "h", "u"}, names)
	require.Equal(t, []*ast.Variable{g.Implementation.In[1], g.Implementation.Out[0]}, slices.SortedFunc(maps.Keys(g.WhereReads(g.Implementation.Out[0])), func(a, b *ast.Variable) int { return strings.Compare(a.Name, b.Name) }))
}

// The blocks of a loop are those from which its head is reached again without leaving through it.
func TestLoopBlocks(t *testing.T) {
	g := graph(t, `procedure p(n: int) { var i, j: int; while (i < n) { while (j < n) { j := j + 1; } i := i + 1; } i := 9; }`)
	var sizes []int
	for _, b := range g.Blocks {
		if b.Loop {
			sizes = append(sizes, len(g.LoopBlocks(b)))
		}
	}
	require.Equal(t, []int{6, 2}, sizes)
}
