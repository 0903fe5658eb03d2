package z3

// #cgo CFLAGS: -O2
// #cgo LDFLAGS: -lz3
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Open opens a Z3 context whose solvers decide terms of the pool. It is an smt.Opener.
func Open(p *term.Pool, cfg smt.Config) (smt.Context, error) {
	setUp()
	h := C.hb_open(C.bool(cfg.Proofs), uninterpreted())
	if h == nil {
		return nil, errors.New("z3: cannot create a context")
	}
	return &solverContext{
		h: h, pool: p, cfg: cfg,
		sorts: map[*term.Sort]uint32{}, funcs: map[*term.Func]uint32{}, ctors: map[*term.Constructor]uint32{},
		proxies: map[*term.Term]uint32{},
	}, nil
}

var _ smt.Opener = Open

// setUp makes the settings that are the library's, for the whole process: no warnings on standard error, and models as they are found.
var setUp = sync.OnceFunc(func() { C.hb_set_up() })

// uninterpreted is the number by which the library knows constants that have no meaning of their own. It is asked for in a
// context that is closed again, as terms that are made first change what Z3 does with those made later.
var uninterpreted = sync.OnceValue(func() C.uint32_t { return C.hb_uninterpreted() })

// role tells what a Z3 constant of ours is there for.
type role uint8

const (
	plain role = iota // a variable, or an element of an uninterpreted sort
	proxy             // a Boolean that implies an assumption
	name              // a constant that equals a deep term
)

// variable is what a Z3 constant of ours stands for.
type variable struct {
	term *term.Term
	role role
}

// solverContext implements smt.Context.
type solverContext struct {
	h    *C.hb_context // nil once closed
	pool *term.Pool
	cfg  smt.Config

	translator
	sorts    map[*term.Sort]uint32
	sortList []*term.Sort // by index
	funcs    map[*term.Func]uint32
	ctors    map[*term.Constructor]uint32  // the constructor's index; its tester and its selectors follow
	funcList []function                    // by index
	vars     []variable                    // by index
	patterns map[*term.Term][][]*term.Term // of quantifiers, as SetPatterns was told
	proxies  map[*term.Term]uint32         // node of the constant that stands for an assumption
	// facts are nodes that every solver must assert: what elements and named nodes are.
	facts []uint32

	solvers []*solver
	stats   smt.Stats
	// resources is what the library's counter was when the work was last counted.
	resources uint32
}

// NewSolver opens a solver.
func (c *solverContext) NewSolver(params smt.Params) (smt.Solver, error) {
	if c.h == nil {
		return nil, smt.ErrClosed
	}
	s := &solver{ctx: c, params: params, scopes: make([]scope, 1), proxied: map[*term.Term]bool{}}
	if err := s.open(); err != nil {
		return nil, err
	}
	c.solvers = append(c.solvers, s)
	return s, nil
}

// SetPatterns has the quantifier translated with the patterns.
func (c *solverContext) SetPatterns(q *term.Term, patterns [][]*term.Term) {
	if c.patterns == nil {
		c.patterns = map[*term.Term][][]*term.Term{}
	}
	c.patterns[q] = patterns
}

// Stats returns the counts so far; they stay readable after Close.
func (c *solverContext) Stats() smt.Stats { return c.stats }

// Close closes the context and its solvers. Closing again does nothing.
func (c *solverContext) Close() {
	if c.h == nil {
		return
	}
	for _, s := range slices.Clone(c.solvers) {
		s.Close()
	}
	C.hb_close(c.h)
	c.h = nil
}

// failure returns the error that the C side noted while it was doing what, or one that says that it noted none.
func (c *solverContext) failure(what string) error {
	if text := C.hb_take_error(c.h); text != nil {
		return fmt.Errorf("z3: %s: %s", what, C.GoString(text))
	}
	return fmt.Errorf("z3: %s failed", what)
}

// words returns a pointer to the first element that C may read during one call.
func words(w []uint32) *C.uint32_t {
	return (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(w)))
}
