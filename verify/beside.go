package verify

import (
	"context"

	"hornbeam/internal/work"
)

// besideShare is the share of work that a search has beside a proof, which has 1.
const besideShare = 0.5

// search looks for something that decides a program, such as a run that fails, beside a proof.
type search[T any] struct {
	done chan struct{}
	// part is the proof's where work is counted, nil elsewhere.
	part        *work.Part
	stop, proof context.CancelFunc
	found       T
	ok          bool
}

// beside begins a search. The context returned is for the proof, and ends when the search has found something. The caller calls end.
func beside[T any](ctx context.Context, look func(context.Context) (T, bool)) (*search[T], context.Context) {
	s := &search[T]{done: make(chan struct{})}
	var proof, looking context.Context
	proof, s.proof = context.WithCancel(ctx)
	looking, s.stop = context.WithCancel(ctx)
	line := work.Of(ctx).Line()
	s.part = line.Group(1).Join(work.Terms{})
	own := line.Group(besideShare).Join(work.Terms{})
	go func() {
		defer close(s.done)
		own.Begin()
		defer own.Leave()
		if s.found, s.ok = look(work.With(looking, own)); s.ok {
			s.proof()
		}
	}()
	line.Start()
	s.part.Begin()
	return s, work.With(proof, s.part)
}

// end ends the search, which may use up its time if wait is set, and returns what it found.
func (s *search[T]) end(wait bool) (T, bool) {
	if !wait {
		s.stop()
	}
	s.part.Leave()
	<-s.done
	s.stop()
	s.proof()
	return s.found, s.ok
}
