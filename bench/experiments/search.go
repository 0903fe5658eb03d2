package experiments

import (
	"path"

	"hornbeam/bench/result"
)

// searched are the sizes that a search up to a limit may try, in its order: the powers of two, and then what halves the gaps
// between them, until they are at most an eighth of the size.
func searched(limit int) []int {
	var sizes []int
	for power := 1; power <= limit; power *= 2 {
		sizes = append(sizes, power)
	}
	for parts := 2; parts <= 8; parts *= 2 {
		for power := parts; power <= limit; power *= 2 {
			for k := 1; k < parts; k += 2 {
				if size := power + power/parts*k; size <= limit {
					sizes = append(sizes, size)
				}
			}
		}
	}
	return sizes
}

// search leaves out the runs of a search whose outcomes follow: what a tool does not decide at one size it is taken not to
// decide at larger ones, and what it decides, to decide at smaller ones.
type search struct {
	instances map[string]instance
	bounds    map[[2]string]*bounds
}

// bounds are the largest size that a tool decides in a series of instances, 0 if none is known, and the smallest that it does
// not decide, 0 if none is known.
type bounds struct{ solved, failed int }

func newSearch(instances map[string]instance) *search {
	return &search{instances, map[[2]string]*bounds{}}
}

// of returns the bounds that a run belongs to, and its size.
func (s *search) of(r *result.Run) (*bounds, int) {
	i, ok := s.instances[path.Base(r.Task)]
	if !ok || !i.searched {
		return &bounds{}, 1
	}
	key := [2]string{r.Tool, i.series}
	if s.bounds[key] == nil {
		s.bounds[key] = &bounds{}
	}
	return s.bounds[key], i.Size
}

// Made takes a run into account.
func (s *search) Made(r *result.Run) {
	b, size := s.of(r)
	switch {
	case r.Solved():
		b.solved = max(b.solved, size)
	case b.failed == 0 || size < b.failed:
		b.failed = size
	}
}

// Needed says whether the outcome of a run does not follow from those that were made.
func (s *search) Needed(r *result.Run) bool {
	b, size := s.of(r)
	return size > b.solved && (b.failed == 0 || size < b.failed)
}
