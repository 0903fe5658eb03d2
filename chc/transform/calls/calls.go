package calls

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/cycle"
	"hornbeam/internal/work"
)

// Pass returns the pass "calls".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "calls",
		Doc: "Enters the loops of a procedure that is called in a loop from the clauses that call it, with what the caller still needs " +
			"as arguments, so that these clauses have one premise only.",
		Repeat: true,
		Run:    run,
	}
}

// changes counts the components that the pass has treated in one Pipeline.
type changes int

// run treats one component after the other. Where P is a predicate of the component, and all its uses are clauses
//
//	B & P(t) & F => H
//
// whose other atoms B determine some arguments of P that no step of the component changes, it is replaced by a predicate Q that has
// the variables of B that F and H mention as further arguments: Q is derived from B and from what P is derived from, by the same
// steps, and the uses become Q & F => H. This is the query-answer transformation (Gallagher and Kafle, "Analysis and Transformation
// Tools for Constrained Horn Clause Verification", 2014) with the whole of the caller's state as the query, so that the
// answers need not be joined with it. Uses that differ in B get predicates of their own.
func run(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if slices.ContainsFunc(sys.Predicates, overDatatypes) {
		return sys, nil, nil
	}
	done := transform.Memo[changes](env)
	if done == nil {
		done = new(changes)
	}
	next := sys
	var back transform.Composition
	for *done < maxChanges {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t := enter(next, len(sys.Clauses))
		work.SpendMade(ctx, sys.Pool)
		if t == nil {
			break
		}
		*done++
		next, back = t.next, append(back, t)
	}
	if next == sys {
		return sys, nil, nil
	}
	return next, back, nil
}

// enter treats the first component that it can, of the last ones first: what is called before them is called from their entries
// then. Predicates without recursion come after all loops, since a loop whose result they are has no caller before they do. It returns
// nil where there is none. The limits count in the number of clauses that there were at first.
func enter(sys *chc.System, clauses int) *translator {
	joined := map[*chc.Predicate]bool{} // those of atoms beside others, which those of calls are
	for _, c := range sys.Clauses {
		if len(c.Body) > 1 {
			for _, a := range c.Body {
				joined[a.Pred] = true
			}
		}
	}
	if len(joined) == 0 {
		return nil
	}
	graph := chc.NewGraph(sys)
	for _, recursive := range []bool{true, false} {
		for _, members := range slices.Backward(graph.Components()) {
			if graph.Recursive(members[0]) != recursive || !slices.ContainsFunc(members, func(p *chc.Predicate) bool { return joined[p] }) {
				continue
			}
			c := cycle.Of(sys.Clauses, members)
			if c == nil || !slices.ContainsFunc(c.Uses, func(u cycle.Use) bool { return inLoop(graph, sys.Clauses[u.Clause]) }) {
				continue
			}
			groups := contexts(sys, c)
			if groups == nil {
				continue
			}
			if n := len(sys.Clauses) + (len(groups)-1)*(len(c.Entries)+len(c.Steps)); n > maxGrowth*clauses {
				continue
			}
			return rewrite(sys, c, groups)
		}
	}
	return nil
}

// inLoop reports whether a clause is a step of a component. What is called outside of loops only keeps its summary, which tells what is
// true of all its calls: programs are proved procedure by procedure with it, and are read so.
func inLoop(graph *chc.Graph, c *chc.Clause) bool {
	return c.Head != nil && slices.ContainsFunc(c.Body, func(a chc.App) bool { return graph.Component(a.Pred) == graph.Component(c.Head.Pred) })
}

// overDatatypes reports whether a predicate has an argument of a datatype. Clauses with such predicates are functional programs over
// lists and trees: what is true of a function is found for it alone, whoever uses it. Structs have been replaced by their fields
// before.
func overDatatypes(p *chc.Predicate) bool {
	return slices.ContainsFunc(p.Sorts, (*term.Sort).IsDatatype)
}
