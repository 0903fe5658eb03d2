package portfolio

import (
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// metered wraps an opener so that what its contexts did is added to the statistics when they are closed: checks by
// result, and the time spent inside them, of all phases together.
func metered(open smt.Opener, stats *engine.Stats) smt.Opener {
	if open == nil || stats == nil {
		return open
	}
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		ctx, err := open(p, c)
		if err != nil {
			return nil, err
		}
		return &meter{Context: ctx, stats: stats}, nil
	}
}

// meter is a context that reports to the statistics.
type meter struct {
	smt.Context
	stats  *engine.Stats
	closed bool
}

func (m *meter) Close() {
	if !m.closed {
		m.closed = true
		s := m.Stats()
		m.stats.Add("checks.sat", int64(s.Sat))
		m.stats.Add("checks.unsat", int64(s.Unsat))
		m.stats.Add("checks.unknown", int64(s.Unknown))
		m.stats.AddTime("time.in-checks", s.InCheck)
	}
	m.Context.Close()
}
