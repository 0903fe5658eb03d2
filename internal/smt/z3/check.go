package z3

// #include "bridge.h"
import "C"

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unsafe"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Check decides the assertions under the assumptions.
func (s *solver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if s.z == nil {
		return smt.Unknown, smt.ErrClosed
	}
	s.status, s.current, s.core, s.reason = smt.Unknown, false, nil, ""
	if err := ctx.Err(); err != nil {
		s.reason = "canceled"
		return smt.Unknown, err
	}
	if err := s.refresh(); err != nil {
		return smt.Unknown, err
	}
	if s.applied.resources != uint32(min(s.limit.Resources, math.MaxUint32)) {
		if err := s.apply(); err != nil {
			return smt.Unknown, err
		}
	}
	trivial, err := s.prepare(assumptions)
	if err != nil {
		return smt.Unknown, err
	}
	s.assumed = append(s.assumed[:0], assumptions...)
	if s.trivial = trivial; trivial != nil {
		s.status, s.current, s.core = smt.Unsat, true, []*term.Term{trivial}
		s.ctx.stats.Record(smt.Unsat, 0)
		return smt.Unsat, nil
	}
	return s.check(ctx)
}

// prepare turns the assumptions into literals, and gathers the definitions of the proxies that are new here. When an
// assumption is false, it returns that one.
func (s *solver) prepare(assumptions []*term.Term) (*term.Term, error) {
	c := s.ctx
	s.lits, s.definitions, s.origin = s.lits[:0], s.definitions[:0], s.origin[:0]
	top := &s.scopes[len(s.scopes)-1]
	defined := len(top.proxied)
	for _, t := range assumptions {
		if !t.IsBool() {
			return nil, fmt.Errorf("z3: assuming a term of sort %v: %v", t.Sort(), t)
		}
		switch atom, _ := t.Atom(); {
		case t.IsTrue():
			continue
		case t.IsFalse():
			s.forgetProxies(defined)
			c.abandon()
			return t, nil
		case atom.IsVar():
			n, err := c.node(t)
			if err != nil {
				return nil, s.giveUp(defined, err)
			}
			s.lits = append(s.lits, n)
		default:
			n, err := c.node(t)
			if err != nil {
				return nil, s.giveUp(defined, err)
			}
			stand, ok := c.proxies[t]
			if !ok {
				if stand, err = c.constant(term.Bool, variable{term: t, role: proxy}); err != nil {
					return nil, s.giveUp(defined, err)
				}
				c.proxies[t], c.terms[stand] = stand, t
			}
			if !s.proxied[t] {
				s.proxied[t] = true
				top.proxied = append(top.proxied, t)
				s.definitions = append(s.definitions, stand, n)
			}
			s.lits = append(s.lits, stand)
		}
		s.origin = append(s.origin, t)
	}
	if err := c.run(); err != nil {
		s.forgetProxies(defined)
		return nil, err
	}
	return nil, s.assertFacts()
}

func (s *solver) giveUp(defined int, err error) error {
	s.forgetProxies(defined)
	s.ctx.abandon()
	return err
}

// forgetProxies takes back the current scope's definitions from the given one on, which did not reach Z3.
func (s *solver) forgetProxies(from int) {
	top := &s.scopes[len(s.scopes)-1]
	for _, t := range top.proxied[from:] {
		delete(s.proxied, t)
	}
	top.proxied = top.proxied[:from]
}

// check runs what prepare prepared.
func (s *solver) check(ctx context.Context) (smt.Status, error) {
	s.used = append(s.used[:0], make([]uint8, len(s.lits))...)
	if s.bits() {
		// Its settings do not have the limit.
		C.hb_limit(s.ctx.h, C.uint32_t(s.applied.resources))
	}
	var r C.Z3_lbool
	begin := time.Now()
	cause := s.watched(ctx, func() {
		r = C.hb_check(s.ctx.h, s.z, words(s.definitions), C.size_t(len(s.definitions)/2),
			words(s.lits), C.size_t(len(s.lits)), (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s.used))))
	})
	elapsed := time.Since(begin)
	var err error
	switch r {
	case C.Z3_L_TRUE:
		s.status = smt.Sat
	case C.Z3_L_FALSE:
		s.status = smt.Unsat
		for i, used := range s.used {
			if used != 0 {
				s.core = append(s.core, s.origin[i])
			}
		}
	default:
		s.reason, err = s.explain(ctx, cause)
		s.stale = cause != nothing || err != nil || !strings.Contains(s.reason, "incomplete")
	}
	s.current = true
	s.ctx.stats.Record(s.status, elapsed)
	s.count()
	return s.status, err
}

// eachRow is how many resource units stand for a row of the tableau each time that Z3 looks for integers near a rational solution, of
// which its own counter knows nothing: of loops that are written out it counts a tenth to a quarter of the work otherwise.
const eachRow = 5

// eachClause is how many resource units stand for a clause that Z3 makes where terms are bit-vectors. Its own counter does not count the
// clauses that define their bits: a quotient of 32 bits is thousands of them, and a check of such terms has a hundredth of the units of
// others that take as long.
const eachClause = 3

// count brings the count of resources up to date, if it is kept.
func (s *solver) count() {
	c := s.ctx
	if !c.cfg.Count {
		return
	}
	n := C.hb_count(c.h, s.z)
	if n.roundings < s.roundings || n.clauses < s.clauses {
		s.roundings, s.clauses = 0, 0 // another Z3 solver has taken the place of the one before
	}
	c.stats.Resources += uint64(uint32(n.resources) - c.resources)
	c.stats.Resources += eachRow * uint64(n.roundings-s.roundings) * uint64(n.rows)
	if n.bits {
		c.stats.Resources += eachClause * uint64(n.clauses-s.clauses)
	}
	c.resources, s.roundings, s.clauses = uint32(n.resources), n.roundings, n.clauses
}

// explain says why a check was unknown. An interrupted check may have failed with an exception, which is no error.
func (s *solver) explain(ctx context.Context, cause cause) (string, error) {
	text := C.hb_take_error(s.ctx.h)
	switch {
	case ctx.Err() != nil:
		return "canceled", ctx.Err()
	case cause == timedOut:
		return "timeout", nil
	case text != nil:
		return "error", fmt.Errorf("z3: check: %s", C.GoString(text))
	}
	reason := s.z3Reason()
	// Z3 4.13.3 says "canceled" when the resources are spent, as after an interrupt: ours are told apart above.
	if (reason == "canceled" || reason == "unknown") && s.limit.Resources > 0 {
		reason = "resource limit"
	}
	return reason, nil
}

// z3Reason is why Z3 says that the last check was unknown.
func (s *solver) z3Reason() string { return C.GoString(C.hb_reason(s.ctx.h, s.z)) }
