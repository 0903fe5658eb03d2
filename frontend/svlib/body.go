package svlib

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/proof"
)

// body translates the body of a procedure. All control flow becomes jumps between labels, since SV-LIB's may lead into loops
// and branches.
type body struct {
	*translator
	procedure *Procedure
	tree      *ast.Procedure
	stmts     []ast.Stmt
	// saved are the values to be kept at the beginning of statements.
	saved map[*Statement][]saving
	// next and last are the labels of the innermost loop's next turn and end.
	next, last string
	count      int
	// exits says that returns lead to the label #exit.
	exits bool
}

// saving is a variable of the tree that keeps the value of one of the script.
type saving struct {
	into *ast.Variable
	from *Variable
}

func (b *body) add(s ast.Stmt, from *Statement) {
	b.stmts = append(b.stmts, s)
	if from != nil {
		b.origins[s] = from
	}
}

// fresh returns a label that the script cannot have.
func (b *body) fresh(name string) string {
	b.count++
	return fmt.Sprintf("#%s %d", name, b.count)
}

// label puts a label here; a run that comes from above goes on there.
func (b *body) label(name string) { b.add(&ast.Label{Pos: b.procedure.Pos, Name: name}, nil) }

func (b *body) jump(pos chc.Position, from *Statement, labels ...string) {
	b.add(&ast.Goto{Pos: pos, Labels: labels}, from)
}

// states declares the variables for earlier values that formulas of the procedure are about.
func (b *body) states() {
	ofProcedure := map[*term.Term]bool{}
	b.procedure.Body.each(func(s *Statement) {
		for _, p := range s.Properties {
			if p.Formula != nil && p.Since <= b.call.Index {
				for _, v := range term.Vars(p.Formula) {
					ofProcedure[v] = true
				}
			}
		}
	})
	earlier := slices.SortedFunc(maps.Keys(b.Script.states), func(x, y *term.Term) int { return cmp.Compare(x.Name(), y.Name()) })
	for _, x := range earlier {
		st := b.Script.states[x]
		if !ofProcedure[x] {
			continue
		}
		atEntry := st.at == nil || st.at == b.procedure.Body
		if atEntry && st.variable.Kind == Global {
			b.meanings[x] = proof.Meaning{Type: b.typeOf(x.Sort()), Expr: &ast.Old{X: b.named(st.variable)}}
			continue
		}
		v := b.declared("#at "+x.Name(), ast.Local, x.Sort())
		b.mean(x, v)
		b.Program.states[v] = st
		b.owners[v] = b.procedure
		b.tree.Body.Locals = append(b.tree.Body.Locals, v)
		at := st.at
		if atEntry {
			at = b.procedure.Body
		}
		b.saved[at] = append(b.saved[at], saving{v, st.variable})
	}
}

// isLocal reports whether a formula is about locals, or earlier values that are kept in locals.
func (b *body) isLocal(f *term.Term) bool {
	return slices.ContainsFunc(term.Vars(f), func(x *term.Term) bool {
		id, ok := b.meanings[x].Expr.(*ast.Identifier)
		return ok && id.Decl.Kind == ast.Local
	})
}

func (b *body) assert(p *Property, s *Statement) {
	spec := b.specification(p, s)
	b.add(&ast.Assert{Pos: p.Pos, Cond: spec.Cond}, s)
}

func (b *body) assume(pos chc.Position, cond ast.Expr, s *Statement) {
	b.add(&ast.Assume{Pos: pos, Cond: cond}, s)
}

// havoc gives variables any values, in an order of their own.
func (b *body) havoc(pos chc.Position, vs map[*Variable]bool, s *Statement) {
	h := &ast.Havoc{Pos: pos}
	for v := range vs {
		h.Variables = append(h.Variables, b.named(v))
	}
	slices.SortFunc(h.Variables, func(x, y *ast.Identifier) int { return cmp.Compare(x.Name, y.Name) })
	if len(vs) > 0 {
		b.add(h, s)
	}
}

// begin is what is done before a statement: values are kept and properties checked. At loops and labels these are checked each
// time that a run comes there, and a body's contract is the procedure's.
func (b *body) begin(s *Statement) {
	for _, k := range b.saved[s] {
		b.add(&ast.Assign{Pos: s.Pos, Left: []ast.Expr{identifier(k.into)}, Right: []ast.Expr{b.named(k.from)}}, nil)
	}
	if s.Operation != While && s.Operation != LabelHere {
		b.checks(s, ":check-true")
	}
	if s != b.procedure.Body {
		b.checks(s, ":requires")
	}
}

func (b *body) checks(s *Statement, attribute string) {
	for _, p := range s.properties(b.call, attribute) {
		b.assert(p, s)
	}
}

// head is what is done at a loop or label each time that a run comes there. What is asserted right behind a label is an
// invariant for Boogie, so that another label ends that where there is more. modified is what the loop changes.
func (b *body) head(s *Statement, label string, modified func() map[*Variable]bool) {
	b.heads[headKey{b.tree.Name, label}] = s
	b.label(label)
	b.checks(s, ":invariant")
	b.checks(s, ":check-true")
	b.label(b.fresh("behind"))
	if invariants := s.properties(b.call, ":invariant"); b.modular && len(invariants) > 0 {
		b.havoc(s.Pos, modified(), s)
		for _, p := range invariants {
			b.assume(p.Pos, b.expression(p.Pos, p.Formula), nil)
		}
	}
}

func (b *body) statement(s *Statement) {
	b.begin(s)
	switch s.Operation {
	case Assume:
		b.assume(s.Pos, b.expression(s.Pos, s.Condition), s)
	case Assign:
		a := &ast.Assign{Pos: s.Pos}
		for i, v := range s.Targets {
			a.Left, a.Right = append(a.Left, b.named(v)), append(a.Right, b.expression(s.Pos, s.Values[i]))
		}
		b.add(a, s)
	case Havoc:
		h := &ast.Havoc{Pos: s.Pos}
		for _, v := range s.Targets {
			h.Variables = append(h.Variables, b.named(v))
		}
		b.add(h, s)
	case Sequence:
		for _, inner := range s.Body {
			b.statement(inner)
		}
	case Call:
		b.callOf(s)
	case Return:
		if b.exits {
			b.jump(s.Pos, nil, "#exit")
		} else {
			b.add(&ast.Return{Pos: s.Pos}, nil)
		}
	case LabelHere:
		b.head(s, s.Label, func() map[*Variable]bool { return b.procedure.Body.modifies(map[*Procedure]bool{}) })
	case Goto:
		b.jump(s.Pos, nil, s.Label)
	case If:
		b.branch(s)
	case While:
		b.loop(s)
	case Break:
		b.jump(s.Pos, nil, b.last)
	case Continue:
		b.jump(s.Pos, nil, b.next)
	case Choice:
		b.choice(s)
	}
	if s != b.procedure.Body {
		b.checks(s, ":ensures")
	}
}

func (b *body) branch(s *Statement) {
	yes, no, end := b.fresh("then"), b.fresh("else"), b.fresh("end")
	b.jump(s.Pos, nil, yes, no)
	b.label(yes)
	b.assume(s.Pos, b.expression(s.Pos, s.Condition), s)
	b.statement(s.Body[0])
	b.jump(s.Pos, nil, end)
	b.label(no)
	b.assume(s.Pos, b.negation(s.Pos, s.Condition), s)
	if len(s.Body) > 1 {
		b.statement(s.Body[1])
	}
	b.label(end)
}

func (b *body) loop(s *Statement) {
	outerNext, outerLast := b.next, b.last
	into, past := b.fresh("turn"), b.fresh("leave")
	b.next, b.last = b.fresh("while"), b.fresh("done")
	b.head(s, b.next, func() map[*Variable]bool { return s.modifies(map[*Procedure]bool{}) })
	b.jump(s.Pos, nil, into, past)
	b.label(into)
	b.assume(s.Pos, b.expression(s.Pos, s.Condition), s)
	b.statement(s.Body[0])
	b.jump(s.Pos, nil, b.next)
	b.label(past)
	b.assume(s.Pos, b.negation(s.Pos, s.Condition), s)
	b.label(b.last)
	b.next, b.last = outerNext, outerLast
}

func (b *body) choice(s *Statement) {
	labels := make([]string, len(s.Body))
	for i := range s.Body {
		labels[i] = b.fresh("choice")
	}
	end := b.fresh("end")
	b.jump(s.Pos, s, labels...)
	b.ways[s.Pos] = labels
	for i, inner := range s.Body {
		b.label(labels[i])
		b.statement(inner)
		b.jump(s.Pos, nil, end)
	}
	b.label(end)
}

// callOf translates a call: by the body of the procedure, or by its contract.
func (b *body) callOf(s *Statement) {
	if !b.hasContract(s.Callee) {
		c := &ast.Call{Pos: s.Pos, Name: treeName(s.Callee)}
		for _, a := range s.Values {
			c.Args = append(c.Args, b.expression(s.Pos, a))
		}
		for _, v := range s.Targets {
			c.Results = append(c.Results, b.named(v))
		}
		b.add(c, s)
		if required := s.Callee.Body.properties(b.call, ":requires"); len(required) > 0 {
			// A precondition fails at the call.
			all := *required[0]
			for _, r := range required[1:] {
				all.Text = fmt.Sprintf("(and %s %s)", all.Text, r.Text)
			}
			b.claims[s.Pos] = claimed{&all, s.Callee.Body}
		}
		return
	}
	if !slices.Contains(b.contracts, s.Callee) {
		b.contracts = append(b.contracts, s.Callee)
	}
	// The arguments, and the state before, have to outlive the call in variables of their own.
	meaning := map[*term.Term]*term.Term{}
	keep := func(x *term.Term, value ast.Expr) {
		y := b.Script.Pool.Fresh("#kept", x.Sort())
		v := b.declared("#"+y.Name(), ast.Local, x.Sort())
		b.mean(y, v)
		b.tree.Body.Locals = append(b.tree.Body.Locals, v)
		b.add(&ast.Assign{Pos: s.Pos, Left: []ast.Expr{identifier(v)}, Right: []ast.Expr{value}}, nil)
		meaning[x] = y
	}
	for i, v := range s.Callee.In {
		keep(v.Term, b.expression(s.Pos, s.Values[i]))
	}
	for _, r := range s.Callee.Body.properties(b.call, ":requires") {
		b.claims[r.Pos] = claimed{r, s.Callee.Body}
		b.add(&ast.Assert{Pos: r.Pos, Cond: b.expression(r.Pos, b.Script.Pool.Substitute(r.Formula, meaning))}, s)
	}
	ensured := s.Callee.Body.properties(b.call, ":ensures")
	for _, e := range ensured {
		for _, x := range term.Vars(e.Formula) {
			if st := b.Script.states[x]; st != nil && meaning[x] == nil && st.variable.Kind == Global && (st.at == nil || st.at == s.Callee.Body) {
				keep(x, b.named(st.variable))
			}
		}
	}
	modified := s.Callee.Body.modifies(map[*Procedure]bool{})
	maps.DeleteFunc(modified, func(v *Variable, _ bool) bool { return v.Kind != Global })
	for i, v := range s.Callee.Out {
		modified[s.Targets[i]] = true
		meaning[v.Term] = s.Targets[i].Term
	}
	b.havoc(s.Pos, modified, s)
	for _, e := range ensured {
		for _, x := range term.Vars(e.Formula) {
			if slices.ContainsFunc(s.Callee.Locals, func(v *Variable) bool { return v.Term == x }) || b.Script.states[x] != nil && meaning[x] == nil {
				b.fail(e.Pos, "a contract about the locals of a procedure that is called")
			}
		}
		b.assume(e.Pos, b.expression(e.Pos, b.Script.Pool.Substitute(e.Formula, meaning)), nil)
	}
}
