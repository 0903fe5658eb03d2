package encode

import (
	"slices"
	"strings"

	"hornbeam/chc/ledger"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// Obligations counts what can fail in the procedures that runs reach.
type Obligations struct {
	// Assertions and Invariants are in bodies, Preconditions are of calls, Postconditions of procedures with bodies; free
	// ones and candidates are not counted.
	Assertions, Invariants, Preconditions, Postconditions int
	// ErrorCalls are calls of the procedures ErrorProcedures, which may not be entered, and Exits the entries whose exit is
	// an error, as in what Corral made.
	ErrorCalls, Exits int
	ErrorProcedures   []string
}

// Count is how many there are; when there are none, no run can fail.
func (o Obligations) Count() int {
	return o.Assertions + o.Invariants + o.Preconditions + o.Postconditions + o.ErrorCalls + o.Exits
}

// LookedFor lists what was looked for.
func (o Obligations) LookedFor() string {
	return "assertions, invariants of loops, preconditions of calls, postconditions of bodies, calls of " + strings.Join(o.ErrorProcedures, ", ")
}

// findObligations counts what can fail.
func (e *encoder) findObligations() Obligations {
	o := Obligations{Exits: len(e.atExit), ErrorProcedures: slices.Concat(errorNames, e.options.ErrorProcedures)}
	for _, p := range e.procedures {
		if len(e.graphs[p]) > 0 {
			o.Postconditions += len(obliging(e.specifications(p.Ensures)))
		}
		for _, g := range e.graphs[p] {
			for _, c := range g.Commands() {
				call, isCall := c.Source.(*ast.Call)
				switch {
				case c.Kind == flow.Assert && e.leavesOut(c):
				case c.Kind == flow.Assert && c.Invariant != nil:
					o.Invariants++
				case c.Kind == flow.Assert:
					o.Assertions++
				case isCall && e.isError(call.Procedure):
					o.ErrorCalls++
				case isCall && !call.Free:
					o.Preconditions += len(obliging(e.specifications(call.Procedure.Requires)))
				}
			}
		}
	}
	return o
}

// obliging are the specifications that are to be checked.
func obliging(specs []*ast.Specification) []*ast.Specification {
	return slices.DeleteFunc(slices.Clone(specs), func(s *ast.Specification) bool { return s.Free })
}

// assume fills the ledger with what a verdict on the program rests on.
func (e *encoder) assume() {
	l := &e.encoding.Assumptions
	e.assumeEntries(l)
	e.assumeContracts(l)
	e.assumeMeanings(l)
	if slices.ContainsFunc(e.program.Axioms, says) {
		l.Add(ledger.Entry{Kind: ledger.Axioms, What: "the axioms do not contradict each other"})
	}
	if names := e.infinite(); len(names) > 0 {
		l.Add(ledger.Entry{Kind: ledger.Types, What: "types that the program leaves open have infinitely many values", Names: names, For: ledger.SafeOnly})
	}
}

// says reports whether an axiom is more than the value of a constant.
func says(a *ast.Axiom) bool {
	eq, ok := a.Cond.(*ast.Binary)
	if !ok || eq.Op != ast.Eq {
		return true
	}
	constant := func(x ast.Expr) bool { id, ok := x.(*ast.Identifier); return ok && id.Decl.Kind == ast.Constant }
	return !constant(eq.X) && !constant(eq.Y)
}

// assumeEntries says where runs begin, when the user and the program have left that open.
func (e *encoder) assumeEntries(l *ledger.Ledger) {
	chosen := e.options.Entry != "" || slices.ContainsFunc(e.roots, func(p *ast.Procedure) bool { return isEntryPoint(p) || p.Name == "ULTIMATE.start" })
	if !chosen && !e.options.Modular && (len(e.roots) != 1 || e.roots[0].Name != "main") {
		l.Add(ledger.Entry{Kind: ledger.EntryPoint, What: "runs begin with the procedures that no other one calls", Names: names(e.roots)})
	}
	var required []*ast.Procedure
	for _, p := range e.roots {
		where := slices.ContainsFunc(slices.Concat(p.In, e.program.Globals), func(v *ast.Variable) bool { return v.Where != nil })
		if where || len(e.specifications(p.Requires)) > 0 {
			required = append(required, p)
		}
	}
	if len(required) > 0 {
		l.Add(ledger.Entry{Kind: ledger.EntryPoint, What: "runs begin in states that the where clauses and preconditions of the entry allow", Names: names(required)})
	}
	var left []*ast.Procedure
	for _, p := range e.program.Procedures {
		if len(p.Implementations) > 0 && p.LoopOf == nil && !slices.Contains(e.procedures, p) {
			left = append(left, p)
		}
	}
	if len(left) > 0 {
		l.Add(ledger.Entry{Kind: ledger.EntryPoint, What: "procedures that no run reaches are not checked", Names: names(left), For: ledger.SafeOnly})
	}
}

func names(ps []*ast.Procedure) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return out
}

// assumeContracts says what is taken from contracts without being checked.
func (e *encoder) assumeContracts(l *ledger.Ledger) {
	var free []string
	specifications := func(specs []*ast.Specification) {
		for _, s := range specs {
			if s.Free && !slices.Contains(free, s.Pos.String()) {
				free = append(free, s.Pos.String())
			}
		}
	}
	for _, p := range e.procedures {
		if len(p.Implementations) == 0 && !e.isError(p) {
			what := "procedures without a body do what their contracts allow"
			if a := p.Attributes.Find("verify"); p.Body != nil || a != nil {
				what = "procedures marked {:verify false} do what their contracts allow"
			}
			l.Add(ledger.Entry{Kind: ledger.Undefined, What: what, Names: []string{p.Name}})
			specifications(p.Requires)
			continue
		}
		specifications(p.Requires)
		specifications(p.Ensures)
		for _, g := range e.graphs[p] {
			for _, c := range g.Commands() {
				if c.Invariant != nil {
					specifications([]*ast.Specification{c.Invariant})
				}
			}
		}
	}
	if len(free) > 0 {
		l.Add(ledger.Entry{Kind: ledger.Contracts, What: "free preconditions, postconditions and invariants hold", Names: free})
	}
}

// assumeMeanings says what is an error, or none, by convention.
func (e *encoder) assumeMeanings(l *ledger.Ledger) {
	for _, p := range e.procedures {
		if e.isError(p) && !slices.Contains(e.entries, p) && !slices.Contains(e.options.ErrorProcedures, p.Name) {
			l.Add(ledger.Entry{Kind: ledger.Meaning, What: "entering a procedure of this name is an error", Names: []string{p.Name}})
		}
		if e.atExit[p] {
			l.Add(ledger.Entry{Kind: ledger.Meaning, What: "reaching the exit of the entry is the error, as Corral's instrumentation means it", Names: []string{p.Name}})
		}
	}
	if e.options.Modular {
		return
	}
	for _, c := range ast.Candidates(e.program) {
		l.Add(ledger.Entry{Kind: ledger.Meaning, What: "what is marked {:candidate} is not checked", Names: []string{c.Pos.String()}, For: ledger.SafeOnly})
	}
	for _, v := range e.program.Constants {
		if t := e.symbols.constants[v]; v.Attributes.Has("existential") && t != nil && t.IsFalse() {
			l.Add(ledger.Entry{Kind: ledger.Meaning, What: "what existential constants guard is not checked", Names: []string{v.Name}, For: ledger.SafeOnly})
		}
	}
}

// infinite are the types without a definition for which it matters that they have infinitely many values: maps from them are
// compared, which may be equal at all of finitely many indices.
func (e *encoder) infinite() []string {
	var out []string
	add := func(t ast.Type) {
		for _, name := range openIndices(t) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	seen := map[*ast.Function]bool{}
	var visit func(x ast.Expr)
	visit = func(x ast.Expr) {
		ast.Inspect(x, func(x ast.Expr) bool {
			switch x := x.(type) {
			case *ast.Binary:
				if x.Op == ast.Eq || x.Op == ast.Neq {
					add(x.X.TypeOf())
				}
			case *ast.Application:
				if f := x.Function; f.Body != nil && !seen[f] {
					seen[f] = true
					visit(f.Body)
				}
			}
			return true
		})
	}
	e.eachReached(visit)
	return out
}

// eachReached calls visit for the axioms and for the expressions of all procedures that are reached.
func (e *encoder) eachReached(visit func(ast.Expr)) {
	for _, a := range e.program.Axioms {
		visit(a.Cond)
	}
	for _, v := range e.program.Globals {
		visit(v.Where)
	}
	for _, p := range e.procedures {
		for _, s := range slices.Concat(p.Requires, p.Ensures) {
			visit(s.Cond)
		}
		for _, v := range slices.Concat(p.In, p.Out) {
			visit(v.Where)
		}
		for _, g := range e.graphs[p] {
			for _, v := range g.Implementation.Body.Locals {
				visit(v.Where)
			}
			for _, c := range g.Commands() {
				eachExpression(c, visit)
			}
		}
	}
}

// openIndices are the names of the uninterpreted types and type parameters from which maps in a type lead.
func openIndices(t ast.Type) []string {
	var out []string
	seen := map[*ast.TypeDecl]bool{}
	var visit func(t ast.Type, index bool)
	visit = func(t ast.Type, index bool) {
		switch t := t.(type) {
		case *ast.TypeVariable:
			if index {
				out = append(out, t.Name)
			}
		case *ast.Constructed:
			for _, a := range t.Args {
				visit(a, index)
			}
			if len(t.Decl.Constructors) == 0 {
				if index {
					out = append(out, t.Decl.Name)
				}
				return
			}
			if seen[t.Decl] && !index {
				return
			}
			seen[t.Decl] = true
			for _, c := range t.Decl.Constructors {
				for _, f := range c.Params {
					if _, recursive := f.Type.(*ast.Constructed); !recursive {
						visit(t.FieldType(f), index)
					}
				}
			}
		case *ast.Map:
			for _, d := range t.Domain {
				visit(d, true)
			}
			visit(t.Range, index)
		case *ast.Record:
			for _, f := range t.Fields {
				visit(f.Type, index)
			}
		}
	}
	visit(t, false)
	return out
}
