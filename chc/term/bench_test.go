package term

import (
	"fmt"
	"testing"
)

func benchVars(p *Pool, n int, s *Sort) []*Term {
	out := make([]*Term, n)
	for i := range out {
		out[i] = p.Var(fmt.Sprintf("x%d", i), s)
	}
	return out
}

// A term that exists already: what interning costs at least.
func BenchmarkNotHit(b *testing.B) {
	p := NewPool()
	x := p.Var("x", Bool)
	b.ReportAllocs()
	for b.Loop() {
		p.Not(x)
	}
}

func BenchmarkNumeralHit(b *testing.B) {
	p := NewPool()
	b.ReportAllocs()
	for b.Loop() {
		p.Int(17)
	}
}

func BenchmarkVarHit(b *testing.B) {
	p := NewPool()
	p.Var("some_variable!17", Int)
	b.ReportAllocs()
	for b.Loop() {
		p.Var("some_variable!17", Int)
	}
}

func BenchmarkAnd(b *testing.B) {
	for _, n := range []int{2, 10, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := NewPool()
			xs := benchVars(p, n, Bool)
			for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
				xs[i], xs[j] = xs[j], xs[i]
			}
			b.ReportAllocs()
			for b.Loop() {
				p.And(xs...)
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{2, 10, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := NewPool()
			xs := benchVars(p, n, Int)
			for i := range xs {
				xs[i] = p.Scale(NewInt(int64(i%5-7)), xs[i])
			}
			b.ReportAllocs()
			for b.Loop() {
				p.Add(xs...)
			}
		})
	}
}

// Bounds on one variable, half of them new.
func BenchmarkLeNew(b *testing.B) {
	p := NewPool()
	xs := benchVars(p, 4, Int)
	i := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		p.Le(xs[i&3], p.Int(i>>3))
		i++
	}
}

func BenchmarkLeHit(b *testing.B) {
	p := NewPool()
	x, c := p.Var("x", Int), p.Int(5)
	b.ReportAllocs()
	for b.Loop() {
		p.Le(x, c)
	}
}

func BenchmarkLeSumHit(b *testing.B) {
	p := NewPool()
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	s, u := p.Add(p.Scale(NewInt(2), x), y), p.Add(z, p.Int(3))
	b.ReportAllocs()
	for b.Loop() {
		p.Le(s, u)
	}
}

// benchFormula is a transition-like formula over n variables.
func benchFormula(p *Pool, n int) ([]*Term, *Term) {
	xs := benchVars(p, n, Int)
	var parts []*Term
	for i := range n {
		x, y, z := xs[i], xs[(i+1)%n], xs[(i*7+3)%n]
		parts = append(parts, p.Or(p.Le(p.Add(x, y), p.Int(int64(i))), p.And(p.Eq(x, p.Add(z, p.Int(1))), p.Ge(y, p.Int(0)))),
			p.Implies(p.Gt(z, x), p.Lt(p.Sub(p.Scale(NewInt(3), x), z), y)))
	}
	return xs, p.And(parts...)
}

func BenchmarkBuildFormula(b *testing.B) {
	p := NewPool()
	b.ReportAllocs()
	for b.Loop() {
		benchFormula(p, 100)
	}
}

// Renaming a formula of 1000 atoms, with a substitution made anew each time.
func BenchmarkSubstitute(b *testing.B) {
	p := NewPool()
	xs, f := benchFormula(p, 200)
	m := map[*Term]*Term{}
	for _, x := range xs {
		m[x] = p.Fresh(x.Name(), Int)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Substitute(f, m)
	}
	b.ReportMetric(float64(f.Size()), "nodes")
}

// Evaluating a formula of 1000 atoms, with an evaluator made anew each time.
func BenchmarkEvaluate(b *testing.B) {
	p := NewPool()
	xs, f := benchFormula(p, 200)
	m := MapAssignment{}
	for i, x := range xs {
		m[x] = NumValue(NewInt(int64(-i)), Int)
	}
	var atoms []*Term
	Walk(f, func(t *Term) bool {
		if t.IsBool() {
			atoms = append(atoms, t)
		}
		return t.IsBool()
	})
	b.ReportAllocs()
	for b.Loop() {
		e := NewEvaluator(p, m)
		for _, a := range atoms {
			e.True(a)
		}
	}
	b.ReportMetric(float64(len(atoms)), "atoms")
}

func BenchmarkVars(b *testing.B) {
	p := NewPool()
	_, f := benchFormula(p, 200)
	b.ReportAllocs()
	for b.Loop() {
		Vars(f)
	}
}

func BenchmarkFormat(b *testing.B) {
	p := NewPool()
	_, f := benchFormula(p, 200)
	b.ReportAllocs()
	for b.Loop() {
		Format(f)
	}
}

// Two goroutines building the same terms.
func BenchmarkParallel(b *testing.B) {
	p := NewPool()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			benchFormula(p, 10)
		}
	})
}

// BenchmarkWalk visits what 2000 steps of a hash function make, small and large.
func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{2, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := NewPool()
			t := p.Var("x", Int)
			for i := range n {
				t = p.Add(p.Mul(t, t), p.Var(fmt.Sprint("y", i), Int))
			}
			b.ReportAllocs()
			for b.Loop() {
				Walk(t, func(*Term) bool { return true })
			}
		})
	}
}
