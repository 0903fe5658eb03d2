package smt

import (
	"fmt"

	"hornbeam/chc/term"
)

// Within calls f while the solver has more assertions, which it has no longer when f returns.
func Within(s Solver, assertions []*term.Term, f func() error) (err error) {
	if err := s.Push(); err != nil {
		return fmt.Errorf("open a scope: %w", err)
	}
	defer func() {
		if e := s.Pop(); e != nil && err == nil {
			err = fmt.Errorf("close a scope: %w", e)
		}
	}()
	if err := s.Assert(assertions...); err != nil {
		return fmt.Errorf("assert: %w", err)
	}
	return f()
}
