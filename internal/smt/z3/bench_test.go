package z3

import (
	"context"
	"fmt"
	"testing"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// step is a transition of n counters: a formula of the kind that the engines check all the time.
func step(p *term.Pool, n int) (trans *term.Term, now, next []*term.Term) {
	var ts []*term.Term
	for i := range n {
		now = append(now, p.Var(fmt.Sprintf("x%d", i), term.Int))
		next = append(next, p.Var(fmt.Sprintf("x%d'", i), term.Int))
	}
	for i := range n {
		other := now[(i+1)%n]
		ts = append(ts, p.Or(
			p.And(p.Lt(now[i], other), p.Eq(next[i], p.Add(now[i], p.Int(int64(i+1))))),
			p.And(p.Ge(now[i], other), p.Eq(next[i], p.Sub(now[i], other))),
		))
	}
	return p.And(ts...), now, next
}

// BenchmarkCheck is one incremental check under two assumptions that need proxies, alternately sat and unsat.
func BenchmarkCheck(b *testing.B) {
	p := term.NewPool()
	_, s := open(b, p, smt.Config{}, smt.Params{})
	trans, now, next := step(p, 6)
	if err := s.Assert(trans); err != nil {
		b.Fatal(err)
	}
	low := p.Ge(now[0], p.Int(0))
	goals := []*term.Term{p.Lt(next[0], p.Sub(now[0], now[1])), p.Gt(next[0], p.Int(5))}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i := 0; b.Loop(); i++ {
		if _, err := s.Check(ctx, low, goals[i%2]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckNothing is what a check costs beside Z3's own work.
func BenchmarkCheckNothing(b *testing.B) {
	for _, limit := range []smt.Limit{{}, {Resources: 100000}, {Time: 1e9}} {
		b.Run(fmt.Sprintf("%+v", limit), func(b *testing.B) {
			p := term.NewPool()
			_, s := open(b, p, smt.Config{}, smt.Params{})
			s.SetLimit(limit)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for b.Loop() {
				if _, err := s.Check(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTranslate is the translation of new terms, an operation being one node.
func BenchmarkTranslate(b *testing.B) {
	p := term.NewPool()
	trans, now, _ := step(p, 40)
	for i := range 1000 {
		trans = p.And(trans, p.Or(p.Le(p.Add(now[i%40], p.Scale(term.NewInt(int64(i)), now[(i+7)%40])), p.Int(int64(i))), flag(p, i)))
	}
	size := trans.Size()
	for range b.N/size + 1 {
		b.StopTimer()
		c, err := Open(p, smt.Config{})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := c.(*solverContext).nodes(nil, trans); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		c.Close()
		b.StartTimer()
	}
}

func flag(p *term.Pool, i int) *term.Term { return p.Var(fmt.Sprintf("b%d", i), term.Bool) }

// BenchmarkModel reads a model of 200 constants.
func BenchmarkModel(b *testing.B) {
	p := term.NewPool()
	_, s := open(b, p, smt.Config{}, smt.Params{})
	trans, now, next := step(p, 100)
	if err := s.Assert(trans); err != nil {
		b.Fatal(err)
	}
	if status, err := s.Check(context.Background()); status != smt.Sat {
		b.Fatal(status, err)
	}
	for b.Loop() {
		m, err := s.Model()
		if err != nil || m.Len() != len(now)+len(next) {
			b.Fatal(m, err)
		}
	}
}

// BenchmarkAsserted is a term that was translated before, asserted in a scope of its own.
func BenchmarkAsserted(b *testing.B) {
	p := term.NewPool()
	_, s := open(b, p, smt.Config{}, smt.Params{})
	trans, now, _ := step(p, 6)
	if err := s.Assert(trans); err != nil {
		b.Fatal(err)
	}
	lit := p.Le(now[0], p.Int(3))
	for b.Loop() {
		if s.Push() != nil || s.Assert(lit) != nil || s.Pop() != nil {
			b.Fatal("failed")
		}
	}
}
