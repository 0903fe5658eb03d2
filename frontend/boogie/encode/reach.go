package encode

import (
	"fmt"
	"slices"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// findEntries chooses the procedures that runs begin with.
func (e *encoder) findEntries() error {
	withBody := func(p *ast.Procedure) bool { return len(p.Implementations) > 0 }
	byName := func(name string) *ast.Procedure {
		if i := slices.IndexFunc(e.program.Procedures, func(p *ast.Procedure) bool { return p.Name == name }); i >= 0 {
			return e.program.Procedures[i]
		}
		return nil
	}
	if e.options.Entry != "" {
		p := byName(e.options.Entry)
		switch {
		case p == nil:
			return fmt.Errorf("there is no procedure %s", e.options.Entry)
		case !withBody(p):
			return fmt.Errorf("%s: the procedure %s has no body", p.Pos, p.Name)
		}
		e.entries = []*ast.Procedure{p}
		e.roots = e.entries
		if e.options.Native {
			e.addReached()
		}
		return nil
	}
	for _, name := range boogie.Entries(e.source) {
		if p := byName(name); p != nil && withBody(p) {
			e.entries = append(e.entries, p)
		}
	}
	e.addCycles()
	e.roots = slices.Clone(e.entries)
	if !e.options.Modular || e.options.Native && !e.options.Everywhere {
		if e.options.Native {
			e.addReached()
		}
		return nil
	}
	e.entries = slices.DeleteFunc(slices.Clone(e.program.Procedures), func(p *ast.Procedure) bool { return !withBody(p) })
	if e.options.Native {
		e.addReached()
		e.entries = slices.DeleteFunc(e.entries, func(p *ast.Procedure) bool { return e.inlined[p] })
		for _, p := range e.entries {
			if !e.called[p] && !slices.Contains(e.roots, p) {
				e.roots = append(e.roots, p)
			}
		}
	}
	return nil
}

// addCycles makes entries of procedures that only procedures call which they call, too, and which no entry reaches. It
// does nothing where the source says where runs begin.
func (e *encoder) addCycles() {
	for _, p := range e.entries {
		if p.Name == "ULTIMATE.start" || isEntryPoint(p) {
			return
		}
	}
	reached := map[*ast.Procedure]bool{}
	for _, p := range e.entries {
		e.below(p, reached)
	}
	below := map[*ast.Procedure]map[*ast.Procedure]bool{}
	for _, p := range e.program.Procedures {
		// One that is marked {:inline n} is not verified for itself.
		if _, inline := p.Attributes.Int("inline"); !reached[p] && len(p.Implementations) > 0 && !(inline && len(e.entries) > 0) {
			below[p] = map[*ast.Procedure]bool{}
			e.below(p, below[p])
		}
	}
	for _, p := range e.program.Procedures {
		if below[p] == nil || p.LoopOf != nil {
			continue
		}
		root := true
		for q, set := range below {
			root = root && (!set[p] || below[p][q])
		}
		if root {
			e.entries = append(e.entries, p)
		}
	}
}

// isEntryPoint reports whether a procedure or one of its bodies is marked {:entrypoint}.
func isEntryPoint(p *ast.Procedure) bool {
	return p.Attributes.Has("entrypoint") ||
		slices.ContainsFunc(p.Implementations, func(i *ast.Implementation) bool { return i.Attributes.Has("entrypoint") })
}

// addReached makes an entry of every procedure that the entries reach and that is not taken by its body where it is called.
func (e *encoder) addReached() {
	reached, onStack := map[*ast.Procedure]bool{}, map[*ast.Procedure]bool{}
	recursive := map[*ast.Procedure]bool{}
	var order []*ast.Procedure
	var visit func(p *ast.Procedure)
	visit = func(p *ast.Procedure) {
		if reached[p] || e.isError(p) {
			return
		}
		reached[p], onStack[p] = true, true
		order = append(order, p)
		for _, q := range e.callees(p) {
			e.called[q] = true
			recursive[q] = recursive[q] || onStack[q]
			visit(q)
		}
		onStack[p] = false
	}
	for _, p := range e.entries {
		visit(p)
	}
	for _, p := range order {
		_, inline := p.Attributes.Int("inline")
		e.inlined[p] = inline && e.called[p] && !recursive[p] && len(p.Implementations) > 0
		if len(p.Implementations) > 0 && !e.inlined[p] && !slices.Contains(e.entries, p) {
			e.entries = append(e.entries, p)
		}
	}
}

// below adds a procedure and what it calls, directly or by others.
func (e *encoder) below(p *ast.Procedure, set map[*ast.Procedure]bool) {
	if set[p] {
		return
	}
	set[p] = true
	for _, q := range e.callees(p) {
		e.below(q, set)
	}
}

// callees are the procedures that the bodies of a procedure call, one for each call.
func (e *encoder) callees(p *ast.Procedure) []*ast.Procedure {
	var out []*ast.Procedure
	for _, impl := range p.Implementations {
		for _, c := range e.graph(impl).Commands() {
			if s, ok := c.Source.(*ast.Call); ok {
				out = append(out, s.Procedure)
			}
		}
	}
	return out
}

// isError reports whether entering a procedure is an error.
func (e *encoder) isError(p *ast.Procedure) bool {
	return len(e.atExit) == 0 && (slices.Contains(errorNames, p.Name) || slices.Contains(e.options.ErrorProcedures, p.Name))
}

// reach finds the procedures that entries reach, and builds their graphs.
func (e *encoder) reach() {
	seen := map[*ast.Procedure]bool{}
	var visit func(p *ast.Procedure)
	visit = func(p *ast.Procedure) {
		if seen[p] {
			return
		}
		seen[p] = true
		e.procedures = append(e.procedures, p)
		if e.isError(p) && !slices.Contains(e.entries, p) {
			return
		}
		for _, impl := range p.Implementations {
			e.graphs[p] = append(e.graphs[p], e.graph(impl))
		}
		for _, q := range e.callees(p) {
			visit(q)
		}
	}
	for _, p := range e.entries {
		visit(p)
	}
}
