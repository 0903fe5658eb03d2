package portfolio

import (
	"slices"
	"sync"

	"hornbeam/engine"
)

// sharedSink lets several strategies and engines write to one sink.
type sharedSink struct {
	mu   sync.Mutex
	sink engine.Sink
}

// Enabled reports whether anyone reads the events.
func (s *sharedSink) Enabled() bool { return s.sink != nil && s.sink.Enabled() }

// Emit writes an event.
func (s *sharedSink) Emit(e engine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Emit(e)
}

// markedSink ends each event with a field that says where it comes from.
type markedSink struct {
	*sharedSink
	marks []engine.Field
}

// Emit writes the event with the marks as its last fields.
func (s markedSink) Emit(e engine.Event) {
	e.Fields = append(slices.Clip(e.Fields), s.marks...)
	s.sharedSink.Emit(e)
}

// marked returns the sink for one of several writers; nil stays nil.
func marked(s engine.Sink, name, value string) engine.Sink {
	mark := engine.Field{Name: name, Value: value}
	switch s := s.(type) {
	case nil:
		return nil
	case markedSink:
		return markedSink{s.sharedSink, append(slices.Clip(s.marks), mark)}
	case *sharedSink:
		return markedSink{s, []engine.Field{mark}}
	default:
		return markedSink{&sharedSink{sink: s}, []engine.Field{mark}}
	}
}
