package process

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Command returns an Opener of solvers that run the command: "z3" and "cvc5" (with or without a folder) get the arguments
// that make them read commands and be incremental; anything else is a program and its arguments, separated by blanks. It
// fails when there is no such program.
func Command(command string) (smt.Opener, error) {
	argv := strings.Fields(command)
	if len(argv) == 0 {
		return nil, errors.New("process: an empty solver command")
	}
	if len(argv) == 1 {
		switch filepath.Base(argv[0]) {
		case "z3":
			argv = append(argv, "-in", "-smt2")
		case "cvc5":
			argv = append(argv, "--incremental", "--lang=smt2", "-q")
		}
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return nil, fmt.Errorf("process: solver %s: %w", argv[0], err)
	}
	return func(p *term.Pool, cfg smt.Config) (smt.Context, error) {
		if cfg.Proofs {
			return nil, fmt.Errorf("process: %s: %w", argv[0], smt.ErrNoProofs)
		}
		return &solverContext{argv: argv, pool: p, cfg: cfg, names: newNames(p), proxies: map[*term.Term]string{}}, nil
	}, nil
}

// solverContext implements smt.Context; each solver is a process of its own.
type solverContext struct {
	argv    []string
	pool    *term.Pool
	cfg     smt.Config
	names   *names
	proxies map[*term.Term]string
	solvers []*solver
	stats   smt.Stats
	closed  bool
}

// NewSolver opens a solver. Of the settings, only ArithSolver and Seed reach the process, and only one that is z3: the
// others trade completeness for speed, so that leaving them out is sound.
func (c *solverContext) NewSolver(params smt.Params) (smt.Solver, error) {
	if c.closed {
		return nil, smt.ErrClosed
	}
	s := &solver{ctx: c, params: params, scopes: make([]scope, 1), known: map[any]bool{}}
	c.solvers = append(c.solvers, s)
	return s, nil
}

// SetPatterns does nothing: the solver finds its own patterns.
func (c *solverContext) SetPatterns(*term.Term, [][]*term.Term) {}

// Stats returns the counts so far; they stay readable after Close.
func (c *solverContext) Stats() smt.Stats { return c.stats }

// Close ends all processes. Closing again does nothing.
func (c *solverContext) Close() {
	for _, s := range slices.Clone(c.solvers) {
		s.Close()
	}
	c.closed = true
}
