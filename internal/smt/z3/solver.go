package z3

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// solver implements smt.Solver.
type solver struct {
	ctx    *solverContext
	z      C.Z3_solver // nil once closed
	params smt.Params
	limit  smt.Limit
	// applied is what the Z3 solver was last told.
	applied appliedParams
	// roundings and clauses are what the Z3 solver had counted of them when its work was last counted.
	roundings, clauses C.uint32_t

	// stale says that the last check was interrupted. Z3 may have lost assertions then (an interrupted preprocessing
	// forgets what it was at), so the Z3 solver is replaced before it is used again.
	stale bool
	// scopes has the base scope and one for each Push. What was asserted is kept, because a stale solver and some settings
	// need a new Z3 solver.
	scopes  []scope
	proxied map[*term.Term]bool // assumptions whose proxy is defined in a scope that is open

	// The last check.
	status  smt.Status
	current bool       // nothing was asserted, pushed or popped since
	trivial *term.Term // an assumption that is false
	assumed []*term.Term
	core    []*term.Term
	reason  string

	// Scratch of Check.
	lits, definitions []uint32
	origin            []*term.Term
	used              []uint8
	asserts           []uint32
}

type scope struct {
	asserted []*term.Term
	proxied  []*term.Term
	facts    int // how many of the context's facts were asserted in this scope or below it
}

type appliedParams struct {
	smt.Params
	resources uint32
}

// open makes the Z3 solver.
func (s *solver) open() error {
	s.z = C.hb_solver(s.ctx.h, C.bool(s.params.Auto), C.bool(s.params.Finite), C.bool(s.params.Blast))
	if s.z == nil {
		return s.ctx.failure("creating a solver")
	}
	if err := s.apply(); err != nil {
		C.hb_solver_free(s.ctx.h, s.z)
		s.z = nil
		return err
	}
	return nil
}

// apply tells Z3 the settings.
func (s *solver) apply() error {
	s.applied = appliedParams{s.params, uint32(min(s.limit.Resources, math.MaxUint32))}
	p := C.hb_params{
		arith_solver: C.uint32_t(s.params.ArithSolver),
		ignore_int:   C.bool(s.params.IgnoreInt),
		weak_arrays:  C.bool(s.params.WeakArrays),
		matching:     C.bool(s.params.Matching),
		bits:         C.bool(s.bits()),
		seed:         C.uint32_t(s.ctx.cfg.Seed & math.MaxInt32),
		rlimit:       C.uint32_t(s.applied.resources),
	}
	if !C.hb_set_params(s.ctx.h, s.z, &p) {
		return s.ctx.failure("setting parameters")
	}
	return nil
}

// bits reports whether the solver is a SAT solver, which has few of the settings.
func (s *solver) bits() bool { return s.params.Finite || s.params.Blast }

// refresh replaces a stale Z3 solver.
func (s *solver) refresh() error {
	if !s.stale {
		return nil
	}
	return s.reopen()
}

// reopen replaces the Z3 solver by a new one in the same state, without what the old one had learned.
func (s *solver) reopen() error {
	C.hb_solver_free(s.ctx.h, s.z)
	s.z = nil
	if err := s.open(); err != nil {
		return err
	}
	s.stale = false
	old := s.scopes
	s.scopes = make([]scope, 0, len(old))
	s.proxied = map[*term.Term]bool{}
	for i, sc := range old {
		if i > 0 && !C.hb_push(s.ctx.h, s.z) {
			return s.ctx.failure("push")
		}
		s.scopes = append(s.scopes, scope{facts: s.known()})
		if err := s.Assert(sc.asserted...); err != nil {
			return err
		}
	}
	return nil
}

// known is how many of the context's facts were asserted in the open scopes.
func (s *solver) known() int {
	if len(s.scopes) == 0 {
		return 0
	}
	return s.scopes[len(s.scopes)-1].facts
}

// Assert adds Boolean terms to the current scope.
func (s *solver) Assert(ts ...*term.Term) error {
	if s.z == nil {
		return smt.ErrClosed
	}
	s.current = false
	for _, t := range ts {
		if !t.IsBool() {
			return fmt.Errorf("z3: asserting a term of sort %v: %v", t.Sort(), t)
		}
	}
	if err := s.refresh(); err != nil {
		return err
	}
	var err error
	if s.asserts, err = s.ctx.nodes(s.asserts[:0], ts...); err != nil {
		return err
	}
	if err := s.assertFacts(); err != nil {
		return err
	}
	if len(ts) > 0 && !C.hb_assert(s.ctx.h, s.z, words(s.asserts), C.size_t(len(s.asserts))) {
		return s.ctx.failure("assert")
	}
	top := &s.scopes[len(s.scopes)-1]
	top.asserted = append(top.asserted, ts...)
	return nil
}

// assertFacts asserts those of the context's facts that are new to this solver.
func (s *solver) assertFacts() error {
	top := &s.scopes[len(s.scopes)-1]
	facts := s.ctx.facts[top.facts:]
	if len(facts) > 0 && !C.hb_assert(s.ctx.h, s.z, words(facts), C.size_t(len(facts))) {
		return s.ctx.failure("assert")
	}
	top.facts = len(s.ctx.facts)
	return nil
}

// Push opens a scope.
func (s *solver) Push() error {
	if s.z == nil {
		return smt.ErrClosed
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.current = false
	if !C.hb_push(s.ctx.h, s.z) {
		return s.ctx.failure("push")
	}
	s.scopes = append(s.scopes, scope{facts: s.known()})
	return nil
}

// Pop closes the latest scope.
func (s *solver) Pop() error {
	if s.z == nil {
		return smt.ErrClosed
	}
	if len(s.scopes) == 1 {
		return errors.New("z3: pop without a push")
	}
	s.current = false
	if !s.stale && !bool(C.hb_pop(s.ctx.h, s.z, 1)) {
		return s.ctx.failure("pop")
	}
	last := len(s.scopes) - 1
	for _, t := range s.scopes[last].proxied {
		delete(s.proxied, t)
	}
	s.scopes[last] = scope{}
	s.scopes = s.scopes[:last]
	return nil
}

// SetLimit bounds each of the following checks.
func (s *solver) SetLimit(l smt.Limit) { s.limit = l }

// SetParams changes the settings. A change of ArithSolver, Auto, Finite or Blast opens a new Z3 solver with the same assertions, so that
// what the old one had learned is lost; the others take effect in place.
func (s *solver) SetParams(p smt.Params) error {
	if s.z == nil {
		return smt.ErrClosed
	}
	if p == s.params {
		return nil
	}
	old := s.params
	s.params = p
	s.current = false
	if p.ArithSolver != old.ArithSolver || p.Auto != old.Auto || p.Finite != old.Finite || p.Blast != old.Blast {
		return s.reopen()
	}
	return s.apply()
}

// Core returns the assumptions that the last check's refutation used.
func (s *solver) Core() []*term.Term { return slices.Clone(s.core) }

// ReasonUnknown says why the last check was unknown.
func (s *solver) ReasonUnknown() string { return s.reason }

// Close closes the solver. Closing again does nothing.
func (s *solver) Close() {
	if s.z == nil {
		return
	}
	C.hb_solver_free(s.ctx.h, s.z)
	s.z = nil
	if i := slices.Index(s.ctx.solvers, s); i >= 0 {
		s.ctx.solvers = slices.Delete(s.ctx.solvers, i, i+1)
	}
}
