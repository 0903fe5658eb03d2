package term

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Goroutines that build the same terms at the same time get the same pointers.
func TestConcurrentInterning(t *testing.T) {
	p := NewPool()
	const workers = 8
	results := make([][]*Term, workers)
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range workers {
		done.Add(1)
		go func() {
			defer done.Done()
			start.Wait()
			var out []*Term
			arr := p.Array(Int, p.BitVec(8))
			f := p.DeclareFunc("f", []*Sort{Int}, arr)
			for j := range 300 {
				x, y := p.Var(fmt.Sprint("x", j), Int), p.Var(fmt.Sprint("x", j+1), Int)
				atom := p.Le(p.Add(p.Scale(NewInt(int64(j+2)), x), y), p.Int(int64(j*100)))
				out = append(out, x, y, atom, p.Or(atom, p.Not(p.Var("b", Bool))), p.Select(p.Apply(f, x), y))
			}
			out = append(out, p.And(out[3], out[8]), p.Forall([]*Term{out[0]}, out[2]))
			results[i] = out
		}()
	}
	start.Done()
	done.Wait()
	for i := 1; i < workers; i++ {
		require.Len(t, results[i], len(results[0]))
		for j := range results[0] {
			require.Same(t, results[0][j], results[i][j])
		}
	}
	ids := map[uint32]bool{}
	for _, x := range results[0] {
		Walk(x, func(u *Term) bool {
			for _, a := range u.Args() {
				require.Less(t, a.ID(), u.ID())
			}
			require.Positive(t, u.ID())
			require.LessOrEqual(t, int(u.ID()), p.Len())
			ids[u.ID()] = true
			return true
		})
	}
}

func TestConcurrentFreshVariablesDiffer(t *testing.T) {
	p := NewPool()
	taken := p.Var("k!3", Int)
	var mu sync.Mutex
	seen := map[*Term]bool{taken: true}
	var done sync.WaitGroup
	for range 4 {
		done.Add(1)
		go func() {
			defer done.Done()
			for range 200 {
				v := p.Fresh("k", Int)
				mu.Lock()
				if seen[v] {
					t.Errorf("%v is not fresh", v)
				}
				seen[v] = true
				mu.Unlock()
			}
		}()
	}
	done.Wait()
	require.Len(t, seen, 801)
}

func TestFreshNamesDoNotGrow(t *testing.T) {
	p := NewPool()
	v := p.Var("x", Int)
	for range 5 {
		v = p.Fresh(v.Name(), Int)
	}
	require.Equal(t, 1, strings.Count(v.Name(), "!"))
	require.True(t, strings.HasPrefix(v.Name(), "x!"))
	require.True(t, strings.HasPrefix(p.Fresh("a!b", Int).Name(), "a!b!"))
}

func TestSortsAreInterned(t *testing.T) {
	p := NewPool()
	require.Same(t, p.BitVec(8), p.BitVec(8))
	require.Same(t, p.BitVec(200), p.BitVec(200))
	require.NotSame(t, p.BitVec(8), p.BitVec(9))
	require.Same(t, p.Array(Int, p.BitVec(8)), p.Array(Int, p.BitVec(8)))
	require.Same(t, p.Uninterpreted("A"), p.Uninterpreted("A"))
	require.Equal(t, "(Array Int (Array (_ BitVec 8) |my sort|))",
		p.Array(Int, p.Array(p.BitVec(8), p.Uninterpreted("my sort"))).String())
	require.Same(t, p.Var("x", Int), p.Var("x", Int))
	require.NotSame(t, p.Var("x", Int), p.Var("x", Real))
	f := p.DeclareFunc("f", []*Sort{Int}, Bool)
	require.Same(t, f, p.DeclareFunc("f", []*Sort{Int}, Bool))
	require.NotSame(t, f, p.DeclareFunc("f", []*Sort{Real}, Bool))
	require.NotSame(t, f, p.DeclareFunc("f", []*Sort{Int}, Int))
	require.Panics(t, func() { p.BitVec(0) })
}

func TestIllSortedTermsPanic(t *testing.T) {
	p := NewPool()
	x, r, b, v := p.Var("x", Int), p.Var("r", Real), p.Var("b", Bool), p.Var("v", p.BitVec(4))
	a := p.Var("a", p.Array(Int, Real))
	f := p.DeclareFunc("f", []*Sort{Int}, Int)
	for name, build := range map[string]func(){
		"not":      func() { p.Not(x) },
		"and":      func() { p.And(b, x) },
		"ite":      func() { p.Ite(b, x, r) },
		"eq":       func() { p.Eq(x, r) },
		"iff":      func() { p.Iff(x, x) },
		"le":       func() { p.Le(b, b) },
		"lt":       func() { p.Lt(x, r) },
		"add":      func() { p.Add(x, r) },
		"no sum":   func() { p.Add() },
		"mul":      func() { p.Mul(b, b) },
		"fraction": func() { p.Numeral(NewRat(1, 2), Int) },
		"scale":    func() { p.Scale(NewRat(1, 2), x) },
		"div":      func() { p.Div(x, x) },
		"mod":      func() { p.Mod(r, r) },
		"to_real":  func() { p.ToReal(r) },
		"select":   func() { p.Select(a, r) },
		"store":    func() { p.Store(a, x, x) },
		"apply":    func() { p.Apply(f, r) },
		"arity":    func() { p.Apply(f) },
		"bvadd":    func() { p.BV(BVAdd, v, p.Var("w", p.BitVec(5))) },
		"extract":  func() { p.Extract(4, 0, v) },
		"forall":   func() { p.Forall([]*Term{p.Int(1)}, p.Le(x, p.Int(0))) },
		"value":    func() { TermValue(x) },
		"subst":    func() { p.Substitute(x, map[*Term]*Term{x: r}) },
	} {
		require.Panics(t, build, name)
	}
}
