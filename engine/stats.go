package engine

import (
	"sync"
	"time"
)

// Stats is an ordered table of counters that one or more goroutines write and others read (for progress, --stats).
type Stats struct {
	mu     sync.Mutex
	names  []string
	values map[string]int64
	times  map[string]time.Duration
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
