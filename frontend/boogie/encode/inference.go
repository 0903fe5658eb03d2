package encode

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// offer fills Encoding.Candidates from the program's candidates: invariants for the heads of loops, what is
// ensured for summaries, the negation of what is required for failures, and each of the others also under what is
// required. What a formula over a predicate's arguments cannot express is left out. Nothing else of the encoding changes.
func (e *encoder) offer() {
	var guards []*ast.Variable
	for _, v := range e.program.Constants {
		if v.Attributes.Has("existential") && v.Type == ast.Bool && e.symbols.constants[v] != nil && e.symbols.constants[v].IsFalse() {
			guards = append(guards, v)
			e.symbols.constants[v] = e.pool.True()
		}
	}
	approximation, notes := e.encoding.System.Approximation, e.encoding.System.Notes
	for _, pred := range e.encoding.System.Predicates {
		if fs := e.candidatesFor(pred); len(fs) > 0 {
			e.encoding.Candidates[pred] = fs
		}
	}
	for _, v := range guards {
		e.symbols.constants[v] = e.pool.False()
	}
	e.encoding.System.Approximation, e.encoding.System.Notes = approximation, notes
}

// candidatesFor are the candidates for a predicate, over its canonical parameters.
func (e *encoder) candidatesFor(pred *chc.Predicate) []*term.Term {
	m := e.encoding.Meanings[pred]
	c := &candidateMaker{encoder: e, params: map[*term.Term]bool{}, known: map[*term.Term]bool{}, to: map[*term.Term]*term.Term{}}
	now, entry := map[*ast.Variable]*term.Term{}, map[*ast.Variable]*term.Term{}
	for i, t := range witness.CanonicalParams(e.pool, pred) {
		c.params[t] = true
		switch a := m.Arguments[i]; {
		case a.When == Always:
			if symbol := e.symbols.value(a); symbol.IsVar() {
				c.to[symbol] = t
			}
		case a.When == AtEntry && a.Variable.Kind == ast.Global:
			entry[a.Variable] = t
			if now[a.Variable] == nil && !slices.Contains(e.effects[m.Procedure].writes, a.Variable) {
				now[a.Variable] = t
			}
		default:
			now[a.Variable] = t
		}
	}
	// The contract uses the procedure's parameters, a body its implementation's.
	before := maps.Clone(entry)
	for i, v := range m.Procedure.In {
		if m.Graph != nil {
			now[v] = now[m.Graph.Implementation.In[i]]
		}
		before[v] = now[v]
	}
	required := e.pool.True()
	for _, spec := range m.Procedure.Requires {
		if e.inferred(spec) {
			for _, f := range c.formulas(spec.Cond, before, entry) {
				required = e.pool.And(required, f)
				if m.Kind == Failure {
					c.add(e.pool.Not(f))
				}
			}
		}
	}
	var stated []*term.Term
	switch m.Kind {
	case Failure:
		c.add(e.pool.Not(required))
	case Summary:
		for _, spec := range m.Procedure.Ensures {
			if e.inferred(spec) {
				stated = append(stated, c.formulas(spec.Cond, now, entry)...)
			}
		}
	case Point:
		if !m.Block.Loop {
			break
		}
		for _, command := range m.Block.Commands[:m.Block.Invariants()] {
			if command.Kind == flow.Assert && guardedContract(command) != nil {
				stated = append(stated, c.formulas(command.Cond, now, entry)...)
			}
		}
	}
	for _, f := range stated {
		c.add(f)
		c.add(e.pool.Implies(required, f))
	}
	return c.out
}

// inferred reports whether a specification is a candidate, or existential constants guard it.
func (e *encoder) inferred(s *ast.Specification) bool {
	return !s.Free && (s.Candidate() || len(existentialsIn(s.Cond)) > 0)
}

// candidateMaker makes the candidates of one predicate, whose parameters it knows; to has those that stand for constants
// and functions.
type candidateMaker struct {
	*encoder
	params, known map[*term.Term]bool
	to            map[*term.Term]*term.Term
	out           []*term.Term
}

func (c *candidateMaker) add(f *term.Term) {
	if !f.IsTrue() && !f.IsFalse() && !c.known[f] {
		c.known[f] = true
		c.out = append(c.out, f)
	}
}

// formulas are the conjuncts of a condition; none when the condition needs more than a formula without quantifiers over the
// parameters.
func (c *candidateMaker) formulas(cond ast.Expr, now, entry map[*ast.Variable]*term.Term) (out []*term.Term) {
	defer func() {
		// A candidate that is not supported is left out; the program need not be refused for it.
		if p := recover(); p != nil {
			if _, ok := p.(unsupported); !ok {
				panic(p)
			}
			out = nil
		}
	}()
	reads, old := flow.Variables{}, flow.Variables{}
	flow.Reads(cond, reads, old)
	for v := range reads {
		if now[v] == nil {
			return nil
		}
	}
	for v := range old {
		if entry[v] == nil {
			return nil
		}
	}
	if quantified(cond) {
		return nil
	}
	s := &state{now: now, entry: entry}
	f := c.pool.Substitute(c.formula(s, cond, false, s.scope()), c.to)
	if len(s.facts) > 0 || len(s.universals) > 0 || slices.ContainsFunc(term.Vars(f), func(v *term.Term) bool { return !c.params[v] }) {
		return nil
	}
	return term.Conjuncts(f)
}

// specifications drops the candidates that are not taken to hold.
func (e *encoder) specifications(specs []*ast.Specification) []*ast.Specification {
	out := func(s *ast.Specification) bool { return s.Candidate() && !e.options.Surviving[s.Pos] }
	if !slices.ContainsFunc(specs, out) {
		return specs
	}
	return slices.DeleteFunc(slices.Clone(specs), out)
}

// leavesOut reports whether a command is a candidate that is not taken to hold.
func (e *encoder) leavesOut(c *flow.Command) bool {
	return c.Candidate() && !e.options.Surviving[c.Pos]
}

// guardedContract is, of an assertion that is a candidate or that an existential constant guards, the specification that
// says the same; nil for other commands.
func guardedContract(c *flow.Command) *ast.Specification {
	if c.Candidate() || len(existentialsIn(c.Cond)) > 0 {
		return &ast.Specification{Pos: c.Pos, Attributes: attributesOf(c), Cond: c.Cond}
	}
	return nil
}

// existentialsIn are the constants marked {:existential true} that an expression mentions.
func existentialsIn(x ast.Expr) []*ast.Variable {
	var out []*ast.Variable
	ast.Inspect(x, func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && id.Decl.Kind == ast.Constant && id.Decl.Type == ast.Bool && id.Decl.Attributes.Has("existential") && !slices.Contains(out, id.Decl) {
			out = append(out, id.Decl)
		}
		return true
	})
	return out
}
