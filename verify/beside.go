package verify

import "context"

// search looks for something that decides a program, such as a run that fails, beside a proof.
type search[T any] struct {
	done        chan struct{}
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
	go func() {
		defer close(s.done)
		if s.found, s.ok = look(looking); s.ok {
			s.proof()
		}
	}()
	return s, proof
}

// end ends the search, which may use up its time if wait is set, and returns what it found.
func (s *search[T]) end(wait bool) (T, bool) {
	if !wait {
		s.stop()
	}
	<-s.done
	s.stop()
	s.proof()
	return s.found, s.ok
}
