package work

import (
	"context"
	"time"

	"hornbeam/internal/cputime"
)

type partKey struct{}

type deadlineKey struct{}

// epoch is what the time is counted from where no Part counts work.
var epoch = time.Now()

// deadline bounds the work of a part.
type deadline struct {
	part   *Part
	at     time.Duration
	cancel context.CancelCauseFunc
	// outer is the deadline that the context had before, nil for none.
	outer *deadline
}

// With returns a context under which the part counts the work; ctx itself where p is nil.
func With(ctx context.Context, p *Part) context.Context {
	if p == nil {
		return ctx
	}
	return context.WithValue(ctx, partKey{}, p)
}

// Alone returns a context under which work is counted, by a part that has a line for itself.
func Alone(ctx context.Context) context.Context {
	l := NewLine(nil)
	p := l.Group(1).Join(Terms{})
	l.Start()
	p.Begin()
	return With(ctx, p)
}

// Uncounted returns a context under which nobody counts work, for work that is counted as a whole.
func Uncounted(ctx context.Context) context.Context {
	return context.WithValue(ctx, partKey{}, (*Part)(nil))
}

// Of returns the part that counts the work under a context, or nil where time counts.
func Of(ctx context.Context) *Part {
	p, _ := ctx.Value(partKey{}).(*Part)
	return p
}

// Now is how far the part of ctx is, as a span of work or of time since a fixed point.
func Now(ctx context.Context) time.Duration {
	if p := Of(ctx); p != nil {
		return p.spent()
	}
	return time.Since(epoch)
}

// Since is the work, or the time, since Now returned begin.
func Since(ctx context.Context, begin time.Duration) time.Duration { return Now(ctx) - begin }

// WithTimeout is context.WithTimeout where time counts. Where a part counts work, the context ends when the part has done so much
// more. Its cause is context.DeadlineExceeded in both cases.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	p := Of(ctx)
	if p == nil {
		return context.WithTimeout(ctx, limit)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	outer, _ := ctx.Value(deadlineKey{}).(*deadline)
	d := &deadline{part: p, at: p.spent() + limit, cancel: cancel, outer: outer}
	p.expect(d)
	return context.WithValue(ctx, deadlineKey{}, d), func() {
		p.forget(d)
		cancel(context.Canceled)
	}
}

// Left is the work that the deadlines of ctx leave, and whether there are any.
func Left(ctx context.Context) (left time.Duration, ok bool) {
	for d, _ := ctx.Value(deadlineKey{}).(*deadline); d != nil; d = d.outer {
		if l := d.at - d.part.spent(); !ok || l < left {
			left, ok = l, true
		}
	}
	return left, ok
}

// Measured calls f with a function that tells f's goroutine how much work has been done in f, or, where time counts, how much processor
// time has been spent in it.
func Measured(ctx context.Context, f func(spent func() time.Duration)) {
	if Of(ctx) == nil {
		cputime.Measured(f)
		return
	}
	begin := Now(ctx)
	f(func() time.Duration { return Since(ctx, begin) })
}

// Spend counts work of the part of ctx that no solver counts, and waits for the part's turn; nothing where time counts.
func Spend(ctx context.Context, work time.Duration) {
	if p := Of(ctx); p != nil {
		p.Spend(work)
	}
}
