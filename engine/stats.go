package engine

import (
	"slices"
	"sync"
	"time"
)

// Stats is an ordered table of counters that one or more goroutines write and others read (for progress, --stats).
type Stats struct {
	mu     sync.Mutex
	names  []string
	values map[string]int64
	times  map[string]time.Duration
	// whole is what this is a part of, nil for no part; parts are those that are not ended.
	whole *Stats
	label string
	parts []*Stats
}

// NewStats returns an empty table.
func NewStats() *Stats {
	return &Stats{values: map[string]int64{}, times: map[string]time.Duration{}}
}

func (s *Stats) note(name string) {
	if _, ok := s.values[name]; ok {
		return
	}
	if _, ok := s.times[name]; ok {
		return
	}
	s.names = append(s.names, name)
}

// Add increases a counter.
func (s *Stats) Add(name string, n int64) {
	if s == nil {
		return
	}
	s.whole.Add(name, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(name)
	s.values[name] += n
}

// Set stores a counter's value.
func (s *Stats) Set(name string, n int64) {
	if s == nil {
		return
	}
	s.whole.Set(name, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(name)
	s.values[name] = n
}

// AddTime increases a duration.
func (s *Stats) AddTime(name string, d time.Duration) {
	if s == nil {
		return
	}
	s.whole.AddTime(name, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(name)
	s.times[name] += d
}

// Get returns a counter, zero when it was never written.
func (s *Stats) Get(name string) int64 {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}

// Row is one line of the table: a count, or a duration when IsTime.
type Row struct {
	Name   string
	Count  int64
	Time   time.Duration
	IsTime bool
}

// Rows returns a snapshot in first-written order.
func (s *Stats) Rows() []Row {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]Row, 0, len(s.names))
	for _, n := range s.names {
		if d, ok := s.times[n]; ok {
			rows = append(rows, Row{Name: n, Time: d, IsTime: true})
			continue
		}
		rows = append(rows, Row{Name: n, Count: s.values[n]})
	}
	return rows
}

// Part is a table of what a part of the work counts, such as a strategy, until it is ended: everything goes into s as well. Labels
// of parts of parts begin with those of what they are parts of.
func (s *Stats) Part(label string) *Stats {
	if s == nil {
		return nil
	}
	if s.label != "" {
		label = s.label + " " + label
	}
	p := NewStats()
	p.whole, p.label = s, label
	for w := s; w != nil; w = w.whole {
		w.mu.Lock()
		w.parts = append(w.parts, p)
		w.mu.Unlock()
	}
	return p
}

// End says that a part of the work is over: Running has it no longer.
func (s *Stats) End() {
	if s == nil {
		return
	}
	for w := s.whole; w != nil; w = w.whole {
		w.mu.Lock()
		w.parts = slices.DeleteFunc(w.parts, func(p *Stats) bool { return p == s })
		w.mu.Unlock()
	}
}

// Running are the parts of the work that are not over and have no parts themselves, in the order in which they began.
func (s *Stats) Running() []*Stats {
	s.mu.Lock()
	parts := slices.Clone(s.parts)
	s.mu.Unlock()
	return slices.DeleteFunc(parts, func(p *Stats) bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.parts) > 0
	})
}

// Label is the name of a part.
func (s *Stats) Label() string { return s.label }
