package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Check decides the assertions under the assumptions.
func (s *solver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if s.closed {
		return smt.Unknown, smt.ErrClosed
	}
	s.status, s.current, s.core, s.reason = smt.Unknown, false, nil, ""
	if err := ctx.Err(); err != nil {
		s.reason = "canceled"
		return smt.Unknown, err
	}
	for _, t := range assumptions {
		if t.Pool() != s.ctx.pool || !t.IsBool() {
			return smt.Unknown, fmt.Errorf("process: assuming %v, which is not Boolean or of another pool", t)
		}
		if t.IsFalse() {
			s.status, s.core = smt.Unsat, []*term.Term{t}
			s.ctx.stats.Record(smt.Unsat, 0)
			return smt.Unsat, nil
		}
	}
	if err := s.run(); err != nil {
		return smt.Unknown, err
	}
	literals, err := s.literals(assumptions)
	if err != nil {
		return smt.Unknown, err
	}
	begin := time.Now()
	s.status, err = s.decide(ctx, literals, assumptions)
	s.current = err == nil && s.pipe != nil
	s.ctx.stats.Record(s.status, time.Since(begin))
	return s.status, err
}

// literals returns the text of one literal for each assumption, true for true, after defining the proxies that are new.
func (s *solver) literals(assumptions []*term.Term) ([]string, error) {
	out := make([]string, len(assumptions))
	for i, t := range assumptions {
		atom, _ := t.Atom()
		if t.IsTrue() {
			continue
		}
		if atom.IsVar() {
			text, err := s.print(t)
			if err != nil {
				return nil, err
			}
			out[i] = text
			continue
		}
		proxy := s.ctx.proxy(t)
		if !s.known[proxyOf{t}] {
			text, err := s.print(t)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&s.text, "(declare-fun %s () Bool)\n(assert (=> %s %s))\n", proxy, proxy, text)
			s.remember(proxyOf{t})
		}
		out[i] = proxy
	}
	return out, nil
}

// proxyOf is the key of a term's proxy among what is known.
type proxyOf struct{ t *term.Term }

// proxy returns the name of the literal that stands for the assumption t in all solvers of the context.
func (c *solverContext) proxy(t *term.Term) string {
	name, ok := c.proxies[t]
	if !ok {
		for {
			name = fmt.Sprintf("assume!!%d", len(c.proxies)+c.names.count)
			if c.names.take(name, proxyOf{t}) {
				break
			}
			c.names.count++
		}
		c.proxies[t] = name
	}
	return name
}

// decide runs the check and, after unsat, asks which assumptions were used.
func (s *solver) decide(ctx context.Context, literals []string, assumptions []*term.Term) (smt.Status, error) {
	used := false
	for _, l := range literals {
		used = used || l != ""
	}
	if used {
		fmt.Fprintf(&s.text, "(check-sat-assuming (%s))\n", strings.Join(literals, " "))
	} else {
		s.text.WriteString("(check-sat)\n")
	}
	replies, cause, err := s.guarded(ctx, s.limit.Time, 1)
	switch {
	case cause == timedOut:
		s.reason = "timeout"
		return smt.Unknown, nil
	case err != nil && ctx.Err() != nil:
		s.reason = "canceled"
		return smt.Unknown, ctx.Err()
	case errors.Is(err, errUnsupported):
		s.reason = err.Error()
		return smt.Unknown, nil
	case err != nil:
		return smt.Unknown, err
	}
	switch reply := replies[0].String(); reply {
	case "sat":
		return smt.Sat, nil
	case "unsat":
		if used {
			s.core, err = s.unsatAssumptions(ctx, literals, assumptions)
		}
		if err != nil {
			return smt.Unknown, err
		}
		return smt.Unsat, nil
	case "unknown", "timeout":
		s.reason = "unknown"
		s.text.WriteString("(get-info :reason-unknown)\n")
		if replies, _, err := s.guarded(ctx, s.limit.Time, 1); err == nil {
			s.reason = strings.Trim(strings.TrimPrefix(replies[0].String(), "(:reason-unknown"), " )")
		}
		return smt.Unknown, ctx.Err()
	default:
		s.end()
		return smt.Unknown, fmt.Errorf("%w: %s answered %s to a check", smt.ErrProcess, s.ctx.argv[0], reply)
	}
}

// unsatAssumptions asks for the core.
func (s *solver) unsatAssumptions(ctx context.Context, literals []string, assumptions []*term.Term) ([]*term.Term, error) {
	s.text.WriteString("(get-unsat-assumptions)\n")
	replies, _, err := s.guarded(ctx, s.limit.Time, 1)
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, e := range replies[0].list {
		in[e.String()] = true
	}
	var core []*term.Term
	for i, l := range literals {
		if l != "" && in[strings.ReplaceAll(l, "|", "")] {
			core = append(core, assumptions[i])
		}
	}
	return core, nil
}

type cause int32

const (
	nothing cause = iota
	cancelled
	timedOut
)

// guarded sends what is to be told and reads n replies; the process is killed when ctx is cancelled or the time is over.
// After an error there is no process.
func (s *solver) guarded(ctx context.Context, limit time.Duration, n int) ([]*sexpr, cause, error) {
	p := s.pipe
	var why atomic.Int32
	kill := func(c cause) {
		if why.CompareAndSwap(int32(nothing), int32(c)) {
			p.kill()
		}
	}
	finished := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		kill(cancelled)
		close(finished)
	})
	var timer *time.Timer
	if limit > 0 {
		timer = time.AfterFunc(limit, func() { kill(timedOut) })
	}
	replies, err := p.exchange(s.text.Bytes(), n)
	s.text.Reset()
	if timer != nil {
		timer.Stop()
	}
	if !stop() {
		<-finished
	}
	// From here on a timer that still fires finds its cause taken.
	c := cause(why.Swap(int32(timedOut)))
	if err != nil || c != nothing {
		said := s.end()
		switch {
		case c != nothing:
			err = errors.New("process: interrupted")
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			err = fmt.Errorf("%w: %s ended: %s", smt.ErrProcess, s.ctx.argv[0], said)
		default:
			err = fmt.Errorf("%w: %s: %w", smt.ErrProcess, s.ctx.argv[0], err)
		}
	}
	return replies, c, err
}
