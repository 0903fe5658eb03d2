package encode

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// command changes the state as a command does, and adds the clauses of its failures.
func (b *body) command(v *visit, s *state, i int, c *flow.Command) {
	if b.leavesOut(c) {
		return
	}
	b.putAll(s, attributesOf(c), s.scope())
	switch c.Kind {
	case flow.Assert:
		if b.options.Modular && v.place.Block.Loop && i < v.place.Block.Invariants() {
			// It is checked on the edges that lead here.
			b.assumeCondition(s, c.Cond, false, s.scope())
			return
		}
		cond := c.Cond
		if c.Under != nil {
			cond = &ast.Binary{Node: ast.Node{Pos: c.Pos, Type: ast.Bool}, Op: ast.Or, X: c.Under, Y: c.Cond}
		}
		b.check(v, s, cond, s.scope(), c.Pos, i).Contract = guardedContract(c)
	case flow.Assume:
		b.assumeCondition(s, c.Cond, c.Negated, s.scope())
	case flow.Assign:
		b.assign(s, c.Source.(*ast.Assign))
	case flow.Havoc:
		vs := make([]*ast.Variable, len(c.Source.(*ast.Havoc).Variables))
		for j, id := range c.Source.(*ast.Havoc).Variables {
			vs[j] = id.Decl
		}
		v.place.Values[c] = b.havoc(s, vs)
	case flow.Call:
		b.call(v, s, i, c)
	}
}

// attributesOf are the attributes of the statement or the invariant that a command comes from.
func attributesOf(c *flow.Command) ast.Attributes {
	if c.Invariant != nil {
		return c.Invariant.Attributes
	}
	return ast.StatementAttributes(c.Source)
}

// check adds the clause for runs in which a condition is false, and assumes it from then on: that is redundant, since a
// run in which it is false has failed.
func (b *body) check(v *visit, s *state, cond ast.Expr, scope *scope, pos chc.Position, before int) *Segment {
	trial := s.clone()
	b.assumeCondition(trial, cond, true, scope)
	segment := &Segment{}
	if !trial.dead {
		segment = b.fail(v, trial, pos, before)
	}
	b.assumeRedundant(s, cond, scope)
	return segment
}

func (b *body) assign(s *state, a *ast.Assign) {
	scope := s.scope()
	vs, values := make([]*ast.Variable, len(a.Left)), make([]*term.Term, len(a.Left))
	for i := range a.Left {
		v, value := a.Value(i)
		vs[i], values[i] = v, b.value(s, value, scope)
	}
	for i, v := range vs {
		if values[i].Op() == term.Add && len(values[i].Args()) > longSum {
			// Sums of sums are written out: what is added up in many steps would have all of them in each.
			named := b.variable(v)
			s.assume(b.pool.Eq(named, values[i]))
			values[i] = named
		}
	}
	for i, v := range vs {
		s.now[v] = values[i]
	}
}

// longSum is how many summands an assigned value may have before it gets a name.
const longSum = 200

// havoc gives variables new values, of which their where clauses hold.
func (b *body) havoc(s *state, vs []*ast.Variable) *Chosen {
	chosen := &Chosen{Variables: vs, Atom: -1}
	for _, v := range vs {
		s.now[v] = b.variable(v)
		chosen.Terms = append(chosen.Terms, s.now[v])
	}
	for _, v := range vs {
		b.assumeWhereOf(s, v)
	}
	return chosen
}

// assumeWhereOf assumes the where clause of a variable of the body, or a global.
func (b *body) assumeWhereOf(s *state, v *ast.Variable) {
	if w := b.graph.Where(v); w != nil {
		b.assumeCondition(s, w, false, b.contract(s))
	}
}

// assumeWhere assumes the where clause of a global, or of a parameter or result of a procedure.
func (e *encoder) assumeWhere(s *state, v *ast.Variable, scope *scope) {
	if v.Where != nil {
		e.assumeCondition(s, v.Where, false, scope)
	}
}

// assumeRedundant assumes what follows from the checks and assumptions that there are: instances may be left out.
func (e *encoder) assumeRedundant(s *state, cond ast.Expr, scope *scope) {
	s.redundant = true
	e.assumeCondition(s, cond, false, scope)
	s.redundant = false
}

// contract is the scope of the procedure's contract at the state: it speaks of the procedure's own parameters.
func (b *body) contract(s *state) *scope {
	impl := b.graph.Implementation
	sc := &scope{now: maps.Clone(s.now), entry: s.entry}
	for i, v := range b.procedure.In {
		sc.now[v] = s.now[impl.In[i]]
	}
	for i, v := range b.procedure.Out {
		if t := s.now[impl.Out[i]]; t != nil {
			sc.now[v] = t
		}
	}
	return sc
}

// call executes a call: of a procedure with bodies by its summary and its failure, of others by the contract.
func (b *body) call(v *visit, s *state, i int, c *flow.Command) {
	stmt := c.Source.(*ast.Call)
	q := stmt.Procedure
	caller := s.scope()
	before := &scope{now: maps.Clone(s.now), entry: s.now}
	chosen := &Chosen{Atom: -1}
	v.place.Values[c] = chosen
	for j, formal := range q.In {
		if stmt.Args[j] == nil {
			before.now[formal] = b.variable(formal)
			chosen.Variables, chosen.Terms = append(chosen.Variables, formal), append(chosen.Terms, before.now[formal])
			continue
		}
		before.now[formal] = b.passed(b.value(s, stmt.Args[j], caller), b.sort(formal.Type, formal.Pos), stmt)
	}
	for j, formal := range q.In {
		if stmt.Args[j] == nil {
			b.assumeWhere(s, formal, before)
		}
	}
	for _, spec := range b.specifications(q.Requires) {
		switch {
		case !spec.Free && (!stmt.Free || spec.Candidate()):
			b.check(v, s, spec.Cond, before, stmt.Pos, i).Contract = spec
		case spec.Free && b.options.Modular && !spec.Attributes.Has("always_assume"):
		case !spec.Free && b.byContract(q):
		default:
			b.assumeCondition(s, spec.Cond, false, before)
		}
	}
	if b.isError(q) {
		b.fail(v, s, stmt.Pos, i).Callee = q
		s.dead = true
		return
	}
	after := &scope{now: maps.Clone(s.now), entry: s.now}
	for _, formal := range q.In {
		after.now[formal] = before.now[formal]
	}
	for _, g := range q.Frame {
		after.now[g] = b.variable(g)
		chosen.Variables, chosen.Terms = append(chosen.Variables, g), append(chosen.Terms, after.now[g])
	}
	for _, result := range q.Out {
		after.now[result] = b.variable(result)
		chosen.Variables, chosen.Terms = append(chosen.Variables, result), append(chosen.Terms, after.now[result])
	}
	if b.byContract(q) {
		for _, x := range slices.Concat(q.Frame, q.Out) {
			if !b.options.Native || len(q.Implementations) == 0 {
				b.assumeWhere(s, x, after)
			}
		}
		for _, spec := range b.specifications(q.Ensures) {
			b.assumeCondition(s, spec.Cond, false, after)
		}
	} else {
		callee := &state{now: after.now, entry: s.now}
		if b.effects[q].mayFail {
			b.fail(v, s, stmt.Pos, i, callee.atom(b.encoder, b.failure(q))).Callee = q
		}
		chosen.Atom = len(s.atoms)
		s.atoms = append(s.atoms, callee.atom(b.encoder, b.summary(q)))
	}
	entry := s.now
	s.now = maps.Clone(entry)
	for _, g := range q.Frame {
		s.now[g] = after.now[g]
	}
	for j, id := range stmt.Results {
		if id != nil {
			s.now[id.Decl] = b.passed(after.now[q.Out[j]], b.sort(id.Decl.Type, id.Pos), stmt)
		}
	}
}

// passed is a value that a call passes where one of the sort is taken. The bodies of a procedure with type parameters, for
// which integers stand, take those of other sorts for any values.
func (b *body) passed(t *term.Term, sort *term.Sort, call *ast.Call) *term.Term {
	if t.Sort() == sort {
		return t
	}
	return b.arbitrary(&scope{}, call.Pos, "what a call passes to or from "+call.Procedure.Name+", which has type parameters,", sort)
}

// entryState is the state in which a run begins with a procedure.
func (e *encoder) entryState(p *ast.Procedure) *state {
	s := &state{now: map[*ast.Variable]*term.Term{}, entry: map[*ast.Variable]*term.Term{}}
	needed := maps.Clone(e.effects[p].readSet)
	for _, v := range e.program.Globals {
		if v.Where != nil {
			needed[v] = true
			flow.Reads(v.Where, needed, nil)
		}
	}
	for _, v := range p.In {
		s.now[v] = e.variable(v)
		flow.Reads(v.Where, needed, nil)
	}
	for _, v := range e.inOrder(needed) {
		s.now[v] = e.variable(v)
		s.entry[v] = s.now[v]
	}
	if !e.options.Native || !e.called[p] {
		for _, v := range slices.Concat(e.program.Globals, p.In) {
			e.assumeWhere(s, v, s.scope())
		}
	}
	for _, spec := range e.specifications(p.Requires) {
		e.assumeCondition(s, spec.Cond, false, s.scope())
	}
	// What comes out is of interest only where the error is that something does.
	for _, v := range e.effects[p].writes {
		s.now[v] = e.variable(v)
	}
	for _, v := range p.Out {
		s.now[v] = e.variable(v)
	}
	for _, f := range e.symbols.all() {
		s.assume(f)
	}
	s.universals = append(s.universals, e.symbols.universals...)
	return s
}

// checkInvariants adds the clauses for runs that come to a loop in a state in which an invariant does not hold.
func (b *body) checkInvariants(v *visit, s *state, head *flow.Block) {
	at := s.clone()
	for _, c := range head.Commands[:head.Invariants()] {
		if c.Kind == flow.Assert && !b.leavesOut(c) {
			contract := c.Invariant
			if contract == nil {
				contract = guardedContract(c)
			}
			b.check(v, at, c.Cond, at.scope(), c.Pos, len(v.place.Block.Commands)).Contract = contract
		}
	}
}

// forget gives new values to all that a loop may change.
func (b *body) forget(s *state, head *flow.Block) {
	changed := map[*ast.Variable]bool{}
	for block := range b.graph.LoopBlocks(head) {
		for _, c := range block.Commands {
			switch stmt := c.Source.(type) {
			case *ast.Havoc:
				for _, id := range stmt.Variables {
					changed[id.Decl] = true
				}
			case *ast.Assign:
				for _, l := range stmt.Left {
					changed[ast.Target(l).Decl] = true
				}
			case *ast.Call:
				for _, id := range stmt.Results {
					if id != nil {
						changed[id.Decl] = true
					}
				}
				for _, g := range stmt.Procedure.Frame {
					changed[g] = true
				}
			}
		}
	}
	var vs []*ast.Variable
	for _, v := range b.variables() {
		if changed[v] && s.now[v] != nil {
			vs = append(vs, v)
		}
	}
	if !b.options.Native {
		b.havoc(s, vs)
		return
	}
	for _, v := range vs {
		s.now[v] = b.variable(v)
	}
}
