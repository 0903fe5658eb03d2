package chc

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// system builds a system over predicates p0, p1, … without arguments from clauses written `head body…`; head -1 is a
// query. A clause with a body atom -1 has the constraint false.
func system(n int, clauses ...[]int) *System {
	p := term.NewPool()
	s := &System{Pool: p}
	for i := range n {
		s.Predicates = append(s.Predicates, &Predicate{ID: i, Name: fmt.Sprintf("p%d", i)})
	}
	for i, ints := range clauses {
		c := &Clause{ID: i, Constraint: p.True()}
		if ints[0] >= 0 {
			c.Head = &App{Pred: s.Predicates[ints[0]]}
		}
		for _, b := range ints[1:] {
			if b < 0 {
				c.Constraint = p.False()
			} else {
				c.Body = append(c.Body, App{Pred: s.Predicates[b]})
			}
		}
		s.Clauses = append(s.Clauses, c)
	}
	return s
}

func drawSystem(t *rapid.T) *System {
	n := rapid.IntRange(1, 9).Draw(t, "predicates")
	var clauses [][]int
	for range rapid.IntRange(0, 18).Draw(t, "clauses") {
		c := []int{rapid.IntRange(-1, n-1).Draw(t, "head")}
		for range rapid.IntRange(0, 3).Draw(t, "atoms") {
			c = append(c, rapid.IntRange(-1, n-1).Draw(t, "atom"))
		}
		clauses = append(clauses, c)
	}
	return system(n, clauses...)
}

// reachable is the transitive closure of the edges from bodies to heads that avoid the nodes in without.
func reachable(s *System, without []int) [][]bool {
	n := len(s.Predicates)
	r := make([][]bool, n)
	for i := range r {
		r[i] = make([]bool, n)
	}
	for _, c := range s.Clauses {
		for _, b := range c.Body {
			if c.Head != nil && !slices.Contains(without, b.Pred.ID) && !slices.Contains(without, c.Head.Pred.ID) {
				r[b.Pred.ID][c.Head.Pred.ID] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		g := NewGraph(s)
		r := reachable(s, nil)
		for _, p := range s.Predicates {
			require.Equal(t, r[p.ID][p.ID], g.Recursive(p))
			require.Contains(t, g.Components()[g.Component(p)], p)
			for _, q := range s.Predicates {
				same := p == q || r[p.ID][q.ID] && r[q.ID][p.ID]
				require.Equal(t, same, g.Component(p) == g.Component(q))
				if r[p.ID][q.ID] {
					require.LessOrEqual(t, g.Component(p), g.Component(q))
				}
			}
			for _, q := range g.Successors(p) {
				require.Contains(t, g.pred[q.ID], p.ID)
			}
		}
	})
}

// Every cycle meets the cut points, and none of them can be left out; a cut point is on a cycle.
func TestCutPoints(t *testing.T) {
	acyclic := func(s *System, without []int) bool {
		r := reachable(s, without)
		for i := range r {
			if r[i][i] {
				return false
			}
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		g := NewGraph(s)
		var cuts []int
		for _, p := range g.CutPoints() {
			require.True(t, g.Recursive(p))
			cuts = append(cuts, p.ID)
		}
		require.True(t, slices.IsSorted(cuts))
		require.True(t, acyclic(s, cuts))
		require.True(t, g.acyclicWithout(cuts))
		for i := range cuts {
			rest := slices.Delete(slices.Clone(cuts), i, i+1)
			require.False(t, acyclic(s, rest), "cut point %d is not needed", cuts[i])
			require.False(t, g.acyclicWithout(rest))
		}
	})
}

// In larger graphs the rules alone do not find the cut points, and what was guessed can turn out not to be needed.
func TestCutPointsOfLargeGraphs(t *testing.T) {
	for seed := range int64(150) {
		r := rand.New(rand.NewSource(seed))
		var clauses [][]int
		for range 120 {
			clauses = append(clauses, []int{r.Intn(40), r.Intn(40)})
		}
		g := NewGraph(system(40, clauses...))
		require.True(t, g.acyclicWithout(g.cuts()))
		for i := range g.cuts() {
			require.False(t, g.acyclicWithout(slices.Delete(slices.Clone(g.cuts()), i, i+1)))
		}
	}
}

// A loop's cut point is its head: where it is entered.
func TestCutPointsAreLoopHeads(t *testing.T) {
	// entry p3; outer loop p3 p1 p0 with an inner loop p1 p2.
	s := system(5, []int{3}, []int{1, 3}, []int{2, 1}, []int{1, 2}, []int{0, 1}, []int{3, 0}, []int{4, 0}, []int{-1, 4})
	require.Equal(t, []*Predicate{s.Predicates[1]}, NewGraph(s).CutPoints())
	s = system(3, []int{1}, []int{0, 1}, []int{2, 0}, []int{1, 2})
	require.Equal(t, []*Predicate{s.Predicates[1]}, NewGraph(s).CutPoints())
}

func TestReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		g := NewGraph(s)
		// Both are least fixed points: repeat the rule until nothing changes.
		n := len(s.Predicates)
		forward, backward := make([]bool, n), make([]bool, n)
		for range n + 1 {
			for _, c := range s.Clauses {
				if c.Constraint.IsFalse() {
					continue
				}
				all := true
				for _, b := range c.Body {
					all = all && forward[b.Pred.ID]
				}
				if c.Head != nil && all {
					forward[c.Head.Pred.ID] = true
				}
				if c.Head == nil || backward[c.Head.Pred.ID] {
					for _, b := range c.Body {
						backward[b.Pred.ID] = true
					}
				}
			}
		}
		require.Equal(t, forward, g.Forward())
		require.Equal(t, backward, g.Backward())
	})
}

// Both drawings are well formed, show everything, and are the same each time.
func TestDrawings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		s.Predicates[0].Name = `odd "<&\ name`
		var dot, svg, again bytes.Buffer
		require.NoError(t, NewGraph(s).WriteDOT(&dot))
		require.NoError(t, NewGraph(s).WriteSVG(&svg))
		require.NoError(t, NewGraph(s).WriteSVG(&again))
		require.Equal(t, svg.String(), again.String())
		drawn := svg.String()
		var size [2]float64
		var boxes [][4]float64
		var lines []string
		for d := xml.NewDecoder(&svg); ; {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			e, ok := tok.(xml.StartElement)
			attr := func(name string) (x float64) {
				i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
				_, err := fmt.Sscan(e.Attr[i].Value, &x)
				require.NoError(t, err)
				return x
			}
			if ok && e.Name.Local == "svg" {
				size = [2]float64{attr("width"), attr("height")}
			}
			if ok && e.Name.Local == "path" {
				lines = append(lines, e.Attr[slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "d" })].Value)
			}
			if ok && e.Name.Local == "rect" {
				boxes = append(boxes, [4]float64{attr("x"), attr("y"), attr("x") + attr("width"), attr("y") + attr("height")})
			}
		}
		require.Equal(t, len(s.Clauses) > 0, strings.Contains(drawn, "<title>clause 0\n(assert "), "the clauses are told")
		require.Len(t, boxes, len(s.Predicates)+2)
		for i, b := range boxes {
			require.True(t, b[0] >= 0 && b[1] >= 0 && b[2] <= size[0] && b[3] <= size[1], "%v outside of %v", b, size)
			for _, c := range boxes[:i] {
				require.True(t, b[2] <= c[0] || c[2] <= b[0] || b[3] <= c[1] || c[3] <= b[1], "%v overlaps %v", b, c)
			}
		}
		for _, line := range lines {
			for _, at := range level(t, line) {
				for _, b := range boxes {
					require.False(t, b[1] < at[1] && at[1] < b[3] && at[0] < b[2]-1 && b[0]+1 < at[2], "%s runs through %v", line, b)
				}
			}
		}
		require.Equal(t, 1, strings.Count(dot.String(), "{"+"\n"))
		require.Contains(t, dot.String(), `label="odd \"<&\\ name"`)
		for _, c := range s.Clauses {
			for _, a := range c.Body {
				require.Contains(t, dot.String(), fmt.Sprintf("p%d -> ", a.Pred.ID))
			}
		}
	})
}

// level are the straight level stretches of a path: the left end, the height and the right end of each.
func level(t require.TestingT, path string) [][3]float64 {
	var out [][3]float64
	var x, y float64
	for _, word := range strings.FieldsFunc(strings.NewReplacer("M", " M", "L", " L", "Q", " Q", "C", " C").Replace(path), func(r rune) bool { return r == ' ' }) {
		straight := strings.HasPrefix(word, "L")
		var toX, toY float64
		_, err := fmt.Sscanf(strings.TrimLeft(word, "MLQC"), "%f,%f", &toX, &toY)
		require.NoError(t, err)
		if straight && y == toY {
			out = append(out, [3]float64{min(x, toX), y, max(x, toX)})
		}
		x, y = toX, toY
	}
	return out
}
