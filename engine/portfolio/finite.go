package portfolio

import (
	"errors"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/inline"
)

// finiteEngine is the bounded model checker for systems without recursion over integers and truth values: what is left of
// one is a puzzle, and where its numbers have small ranges a SAT solver is by far the fastest.
func finiteEngine() engine.Engine {
	e := inline.BMC()
	e.Fragment = func(sys *chc.System) error {
		graph := chc.NewGraph(sys)
		if slices.ContainsFunc(sys.Predicates, graph.Recursive) {
			return errors.New("the clauses are recursive")
		}
		for _, c := range sys.Clauses {
			parts := []*term.Term{c.Constraint}
			for _, a := range c.Body {
				parts = append(parts, a.Args...)
			}
			if c.Head != nil {
				parts = append(parts, c.Head.Args...)
			}
			if slices.ContainsFunc(parts, func(t *term.Term) bool { return !term.IntegersOnly(t) }) {
				return errors.New("the clauses are not about integers only")
			}
		}
		return nil
	}
	return e
}
