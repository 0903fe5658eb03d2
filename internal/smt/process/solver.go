package process

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// solver implements smt.Solver.
type solver struct {
	ctx    *solverContext
	params smt.Params
	limit  smt.Limit
	closed bool

	// pipe is the running process; nil when there is none, and then the next check starts one and tells it all of scopes.
	pipe *pipe
	text bytes.Buffer // what the process is to be told before the next check

	scopes []scope
	// known has what is declared in the open scopes: variables, functions, sorts, and terms whose proxy is defined.
	known map[any]bool
	// applications are applications of uninterpreted functions to whose values the model must speak.
	applications []*term.Term

	status  smt.Status
	current bool // nothing was asserted, pushed or popped since the last check
	core    []*term.Term
	reason  string
}

type scope struct {
	asserted     []*term.Term
	declared     []any
	applications int // how many there were when the scope was opened
}

// Assert adds Boolean terms to the current scope.
func (s *solver) Assert(ts ...*term.Term) error {
	if s.closed {
		return smt.ErrClosed
	}
	s.current = false
	for _, t := range ts {
		if t.Pool() != s.ctx.pool {
			return fmt.Errorf("process: a term of another pool: %v", t)
		}
		if !t.IsBool() {
			return fmt.Errorf("process: asserting a term of sort %v: %v", t.Sort(), t)
		}
	}
	top := &s.scopes[len(s.scopes)-1]
	if err := s.tell(ts); err != nil {
		s.end() // it was told a part
		return err
	}
	top.asserted = append(top.asserted, ts...)
	return nil
}

// tell writes assertions for the process, if it runs.
func (s *solver) tell(ts []*term.Term) error {
	if s.pipe == nil {
		return nil
	}
	for _, t := range ts {
		if err := s.tellOne(t); err != nil {
			return err
		}
	}
	return nil
}

func (s *solver) tellOne(t *term.Term) error {
	printed, err := s.print(t)
	if err != nil {
		return err
	}
	fmt.Fprintf(&s.text, "(assert %s)\n", printed)
	return nil
}

// print declares what t needs and returns its text.
func (s *solver) print(t *term.Term) (string, error) {
	t = s.ctx.names.prepare(t)
	if err := s.declare(t); err != nil {
		return "", err
	}
	if err := s.numberElements(); err != nil {
		return "", err
	}
	return term.Format(t), nil
}

// numberElements tells elements of uninterpreted sorts apart: the variable that stands for one has the element's index as
// its number. It looks only at elements that are declared and have no number in the open scopes.
func (s *solver) numberElements() error {
	p := s.ctx.pool
	for _, e := range s.ctx.names.elements {
		v := s.ctx.names.renamed[e]
		if !s.known[v] || s.known[e] {
			continue
		}
		f := p.DeclareFunc("number!"+e.Sort().Name, []*term.Sort{e.Sort()}, term.Int)
		if err := s.declareFunc(f); err != nil {
			return err
		}
		s.remember(e)
		fmt.Fprintf(&s.text, "(assert (= (%s %v) %v))\n", term.QuoteSymbol(f.Name), v, e.Num())
	}
	return nil
}

// Push opens a scope.
func (s *solver) Push() error {
	if s.closed {
		return smt.ErrClosed
	}
	s.current = false
	s.push()
	return nil
}

func (s *solver) push() {
	s.scopes = append(s.scopes, scope{applications: len(s.applications)})
	if s.pipe != nil {
		s.text.WriteString("(push 1)\n")
	}
}

// Pop closes the latest scope.
func (s *solver) Pop() error {
	if s.closed {
		return smt.ErrClosed
	}
	last := len(s.scopes) - 1
	if last == 0 {
		return errors.New("process: pop without a push")
	}
	s.current = false
	for _, key := range s.scopes[last].declared {
		delete(s.known, key)
	}
	s.applications = s.applications[:min(len(s.applications), s.scopes[last].applications)]
	s.scopes[last] = scope{}
	s.scopes = s.scopes[:last]
	if s.pipe != nil {
		s.text.WriteString("(pop 1)\n")
	}
	return nil
}

// run starts the process when there is none, and tells it everything.
func (s *solver) run() error {
	if s.pipe != nil {
		return nil
	}
	p, err := start(s.ctx.argv)
	if err != nil {
		return err
	}
	s.pipe = p
	s.text.Reset()
	s.header()
	old := s.scopes
	s.scopes, s.known, s.applications = nil, map[any]bool{}, nil
	for i, sc := range old {
		if i == 0 {
			s.scopes = append(s.scopes, scope{})
		} else {
			s.push()
		}
		s.scopes[i].asserted = sc.asserted
		if err := s.tell(sc.asserted); err != nil {
			s.scopes = append(s.scopes, old[i+1:]...)
			s.end()
			return err
		}
	}
	return nil
}

// header sets the options. Unknown ones are answered with unsupported by what follows SMT-LIB, so few are sent.
func (s *solver) header() {
	s.text.WriteString("(set-option :print-success false)\n(set-option :produce-models true)\n")
	s.text.WriteString("(set-option :produce-unsat-assumptions true)\n")
	seed := s.ctx.cfg.Seed & (1<<31 - 1)
	switch filepath.Base(s.ctx.argv[0]) {
	case "z3":
		fmt.Fprintf(&s.text, "(set-option :smt.random_seed %d)\n(set-option :sat.random_seed %d)\n", seed, seed)
		if s.params.ArithSolver != 0 {
			fmt.Fprintf(&s.text, "(set-option :smt.arith.solver %d)\n", s.params.ArithSolver)
		}
	case "cvc5":
		// Datatypes below arrays are refused without being asked for.
		fmt.Fprintf(&s.text, "(set-option :seed %d)\n(set-option :dt-nested-rec true)\n", seed)
	}
	if s.limit.Resources > 0 {
		fmt.Fprintf(&s.text, "(set-option :reproducible-resource-limit %d)\n", s.limit.Resources)
	}
	s.text.WriteString("(set-logic ALL)\n")
}

// end ends the process, if it runs, and returns what it said.
func (s *solver) end() string {
	if s.pipe == nil {
		return ""
	}
	said := s.pipe.close()
	s.pipe = nil
	s.text.Reset()
	return said
}

// SetLimit bounds each of the following checks. A change of Resources starts a new process.
func (s *solver) SetLimit(l smt.Limit) {
	if l.Resources != s.limit.Resources {
		s.end()
	}
	s.limit = l
}

// SetParams changes the settings. A change of ArithSolver starts a new process with the same assertions; the others do
// not reach the process.
func (s *solver) SetParams(p smt.Params) error {
	if s.closed {
		return smt.ErrClosed
	}
	s.current = false
	if p.ArithSolver != s.params.ArithSolver {
		s.end()
	}
	s.params = p
	return nil
}

// Core returns the assumptions that the last check's refutation used.
func (s *solver) Core() []*term.Term { return slices.Clone(s.core) }

// Proof returns smt.ErrNoProofs.
func (s *solver) Proof() (*smt.Proof, error) {
	if s.closed {
		return nil, smt.ErrClosed
	}
	return nil, smt.ErrNoProofs
}

// ReasonUnknown says why the last check was unknown.
func (s *solver) ReasonUnknown() string { return s.reason }

// Close ends the process. Closing again does nothing.
func (s *solver) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.end()
	if i := slices.Index(s.ctx.solvers, s); i >= 0 {
		s.ctx.solvers = slices.Delete(s.ctx.solvers, i, i+1)
	}
}
