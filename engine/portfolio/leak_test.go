package portfolio

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// counted is an opener that counts the contexts that are open.
func counted(open *atomic.Int64) smt.Opener {
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		ctx, err := z3.Open(p, c)
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &countedContext{Context: ctx, open: open}, nil
	}
}

type countedContext struct {
	smt.Context
	open   *atomic.Int64
	closed bool
}

func (c *countedContext) Close() {
	if !c.closed {
		c.closed = true
		c.open.Add(-1)
	}
	c.Context.Close()
}

// fermat counts three numbers up and asks whether the cubes of two are that of the third: no engine gets to an end with
// it. With an array among the arguments more strategies take part, with two calls in a clause others.
func fermat(array, nonLinear bool) *chc.System {
	p := term.NewPool()
	pred := &chc.Predicate{Name: "counted"}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}}
	var args, zero []*term.Term
	for _, name := range []string{"x", "y", "z"} {
		args, zero = append(args, p.Var(name, term.Int)), append(zero, p.Int(1))
	}
	if array {
		a := p.Var("a", p.Array(term.Int, term.Int))
		args, zero = append(args, a), append(zero, a)
	}
	for _, a := range args {
		pred.Sorts = append(pred.Sorts, a.Sort())
	}
	add := func(head []*term.Term, constraint *term.Term, body ...chc.App) {
		c := &chc.Clause{ID: len(sys.Clauses), Constraint: constraint, Body: body}
		if head != nil {
			c.Head = &chc.App{Pred: pred, Args: head}
		}
		sys.Clauses = append(sys.Clauses, c)
	}
	body := []chc.App{{Pred: pred, Args: args}}
	if nonLinear {
		body = append(body, body[0])
	}
	add(zero, p.True())
	for i := range 3 {
		next := slices.Clone(args)
		next[i] = p.Add(args[i], p.Int(1))
		if array {
			next[3] = p.Store(args[3], args[0], args[1])
		}
		add(next, p.True(), body...)
	}
	cube := func(x *term.Term) *term.Term { return p.Mul(x, p.Mul(x, x)) }
	add(nil, p.Eq(p.Add(cube(args[0]), cube(args[1])), cube(args[2])), body[0])
	return sys
}

// Whenever a request is cancelled, no goroutine and no solver of it is left when Solve returns.
func TestCancellationLeavesNothingBehind(t *testing.T) {
	for _, c := range []struct {
		array, nonLinear bool
		engine           string
	}{{false, false, Auto}, {true, false, Auto}, {true, true, Auto}, {false, true, "inline,houdini,gpdr"}, {false, false, "bmc,catamorphism"}} {
		requireNothingLeft(t, c.engine, func(ctx context.Context, open smt.Opener) engine.Answer {
			return Solve(ctx, Request{System: fermat(c.array, c.nonLinear), Engine: c.engine, Open: open, Check: true, Memory: 8 << 30})
		})
	}
	// Here some strategies stand still when the end comes.
	requireNothingLeft(t, "short turns", func(ctx context.Context, open smt.Opener) engine.Answer {
		sys := fermat(true, true)
		c := defaultTable().schedule(Request{System: sys})
		c.slice = 5 * time.Millisecond
		for i := range c.others {
			c.others[i].start = 0
		}
		return c.run(ctx, Request{System: sys, Open: open})
	})
}

func requireNothingLeft(t *testing.T, what string, run func(context.Context, smt.Opener) engine.Answer) {
	t.Helper()
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		var open atomic.Int64
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithTimeout(context.Background(), after)
		a := run(ctx, counted(&open))
		require.Equal(t, engine.Unknown, a.Verdict, what)
		require.False(t, a.Internal, a.Reason)
		require.Contains(t, a.Reason, "timeout")
		require.Zero(t, open.Load(), "%s after %s", what, after)
		cancel()
		// A goroutine that has sent its last word may not have returned yet.
		for patience := 0; runtime.NumGoroutine() > before; patience++ {
			if patience > 20000 {
				stacks := make([]byte, 1<<16)
				t.Fatalf("%s after %s: left behind\n%s", what, after, stacks[:runtime.Stack(stacks, true)])
			}
			time.Sleep(time.Millisecond)
		}
	}
}
