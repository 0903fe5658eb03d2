package svlib

import (
	"cmp"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/report"
)

// entryName is the procedure of a translation that runs begin with: it calls the one that the verify-call names.
const entryName = "#verify-call"

// Program is a verify-call as a Boogie program.
type Program struct {
	Script *Script
	Call   *VerifyCall
	Tree   *ast.Program

	// variables and symbols are those of the script by those of the tree.
	variables map[*ast.Variable]*Variable
	symbols   map[any]int
	// terms are the variables of terms by those of the tree, and states those for earlier values.
	terms  map[*ast.Variable]*term.Term
	states map[*ast.Variable]*state
	// procedures are the script's by the tree's names, owners those of results and locals, and roots those that runs may begin
	// with beside the entry.
	procedures, roots map[string]*Procedure
	owners            map[*ast.Variable]*Procedure
	// origins are the statements that those of the tree were made of, heads the loops and labels by the label of the tree.
	origins map[ast.Stmt]*Statement
	heads   map[headKey]*Statement
	// ways are the labels that a choice leads to, by its place.
	ways map[chc.Position][]string
	// sorts are those that types of the tree were made of, by the types' names.
	sorts map[string]*term.Sort
	// claims are the properties by their places in the tree.
	claims map[chc.Position]claimed
}

// headKey names a label of a procedure of the tree.
type headKey struct{ procedure, label string }

// claimed is a property at a statement.
type claimed struct {
	property  *Property
	statement *Statement
}

// Runs translates a verify-call to a program in which a run fails when it breaks an annotation.
func (s *Script) Runs(c *VerifyCall) (*Program, error) { return s.translate(c, false) }

// Modular translates a verify-call to a program in which, beside, loops go on in any state that their invariants allow, and
// calls return in any state that the contract of the procedure allows.
func (s *Script) Modular(c *VerifyCall) (*Program, error) { return s.translate(c, true) }

func (s *Script) translate(c *VerifyCall, modular bool) (p *Program, err error) {
	defer rescue(&err)
	tree := &ast.Program{}
	p = &Program{
		Script: s, Call: c, Tree: tree, variables: map[*ast.Variable]*Variable{}, symbols: map[any]int{},
		terms: map[*ast.Variable]*term.Term{}, states: map[*ast.Variable]*state{}, procedures: map[string]*Procedure{}, roots: map[string]*Procedure{}, owners: map[*ast.Variable]*Procedure{},
		origins: map[ast.Stmt]*Statement{}, heads: map[headKey]*Statement{}, claims: map[chc.Position]claimed{}, sorts: map[string]*term.Sort{}, ways: map[chc.Position][]string{},
	}
	t := &translator{
		Program: p, call: c, modular: modular, types: map[*term.Sort]ast.Type{}, meanings: map[*term.Term]proof.Meaning{},
		expressions: proof.NewExpressions(&encode.Encoding{Program: &ast.Program{}, System: &chc.System{Pool: s.Pool}}),
	}
	t.globals()
	for _, q := range s.reached(c.Procedure) {
		t.procedure(q)
	}
	t.entry()
	for _, f := range t.expressions.Functions() {
		for _, v := range append(slices.Clone(f.Params), f.Result) {
			v.Syntax = ast.SyntaxOf(v.Type)
		}
		t.declare(f)
	}
	if err := boogie.Check(tree, boogie.Options{}); err != nil {
		return nil, err
	}
	return p, nil
}

// reached are the procedures that a call of one may run, in the script's order.
func (s *Script) reached(from *Procedure) []*Procedure {
	found := map[*Procedure]bool{}
	var visit func(p *Procedure)
	visit = func(p *Procedure) {
		if found[p] {
			return
		}
		found[p] = true
		p.Body.each(func(s *Statement) {
			if s.Operation == Call {
				visit(s.Callee)
			}
		})
	}
	visit(from)
	return slices.DeleteFunc(slices.Clone(s.Procedures), func(p *Procedure) bool { return !found[p] })
}

// each calls f for a statement and those in it.
func (s *Statement) each(f func(*Statement)) {
	f(s)
	for _, inner := range s.Body {
		inner.each(f)
	}
}

// properties are those of a statement with an attribute that count for a verify-call.
func (s *Statement) properties(c *VerifyCall, attribute string) []*Property {
	var out []*Property
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Attribute == attribute && (p.Since == c.Index || p.Since < c.Index && !p.Witness) {
			out = append(out, p)
		}
	}
	return out
}

// modifies are the variables that a statement may change, of those that are seen outside of the procedures that it calls.
func (s *Statement) modifies(seen map[*Procedure]bool) map[*Variable]bool {
	out := map[*Variable]bool{}
	s.each(func(s *Statement) {
		for _, v := range s.Targets {
			out[v] = true
		}
		if s.Operation == Call && !seen[s.Callee] {
			seen[s.Callee] = true
			for v := range s.Callee.Body.modifies(seen) {
				if v.Kind == Global {
					out[v] = true
				}
			}
		}
	})
	return out
}

// translator makes the tree.
type translator struct {
	*Program
	call        *VerifyCall
	modular     bool
	types       map[*term.Sort]ast.Type
	meanings    map[*term.Term]proof.Meaning
	expressions *proof.Expressions
	// contracts are the procedures that are verified by themselves since calls are taken by their contracts.
	contracts []*Procedure
}

func (t *translator) declare(d ast.Declaration) { t.Tree.Declarations = append(t.Tree.Declarations, d) }

func (t *translator) fail(pos chc.Position, format string, args ...any) {
	panic(&report.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true})
}

// globals declares constants, functions, axioms and global variables.
func (t *translator) globals() {
	for i, s := range t.Script.Symbols[:t.call.Symbols] {
		if len(s.Domain) > 0 {
			f := &ast.Function{Pos: s.Pos, Name: s.Name, Result: t.declared("", ast.Out, s.Range)}
			for _, d := range s.Domain {
				f.Params = append(f.Params, t.declared("", ast.In, d))
			}
			t.declare(f)
			t.symbols[f] = i
			m := &ast.Map{Range: f.Result.Type}
			for _, v := range f.Params {
				m.Domain = append(m.Domain, v.Type)
			}
			t.meanings[s.Variable] = proof.Meaning{Type: m, Function: f}
			continue
		}
		v := t.declared(s.Name, ast.Constant, s.Range)
		v.Pos = s.Pos
		t.declare(v)
		t.symbols[v] = i
		t.mean(s.Variable, v)
	}
	for _, g := range t.Script.Globals[:t.call.Globals] {
		v := t.variable(g, ast.Global)
		t.declare(v)
	}
	for _, a := range t.Script.Axioms[:t.call.Axioms] {
		t.declare(&ast.Axiom{Pos: a.Pos, Cond: t.expression(a.Pos, a.Formula)})
	}
}

// mean makes a variable of terms stand for one of the tree.
func (t *translator) mean(x *term.Term, v *ast.Variable) {
	t.terms[v] = x
	t.meanings[x] = proof.Meaning{Type: t.typeOf(x.Sort()), Expr: identifier(v)}
}

// variable makes a variable of the tree of one of the script.
func (t *translator) variable(v *Variable, kind ast.VariableKind) *ast.Variable {
	out := t.declared(v.Name, kind, v.Term.Sort())
	out.Pos = v.Pos
	t.variables[out] = v
	t.mean(v.Term, out)
	return out
}

func identifier(v *ast.Variable) *ast.Identifier {
	return &ast.Identifier{Node: ast.Node{Pos: v.Pos}, Name: v.Name, Decl: v}
}

// named is the variable of the tree that a variable of the script became.
func (t *translator) named(v *Variable) *ast.Identifier {
	id, ok := t.meanings[v.Term].Expr.(*ast.Identifier)
	if !ok {
		t.fail(v.Pos, "the variable %s, which is declared behind this verify-call", term.QuoteSymbol(v.Name))
	}
	return identifier(id.Decl)
}

// expression writes a term. What cannot be written is unsupported.
func (t *translator) expression(pos chc.Position, x *term.Term) ast.Expr {
	e, err := t.expressions.Write(x, t.meanings, t.types)
	if err != nil {
		t.fail(pos, "%s", err)
	}
	return e
}

func (t *translator) negation(pos chc.Position, x *term.Term) ast.Expr {
	return t.expression(pos, t.Script.Pool.Not(x))
}

// entry makes the procedure that runs begin with. What the called procedure requires is assumed, since an entry is held to it, but for
// what a witness adds, which has to hold of the call. With Modular, procedures that are called by their contracts are entered with any arguments that these allow, too.
func (t *translator) entry() {
	p := t.call.Procedure
	t.wrapper(entryName, t.call.Pos, p, nil, t.call.Args)
	for i, q := range t.contracts {
		var args []*term.Term
		var in []*ast.Variable
		for _, v := range q.In {
			x := t.Script.Pool.Fresh("#"+v.Name, v.Term.Sort())
			a := t.declared(v.Name, ast.In, v.Term.Sort())
			t.mean(x, a)
			in, args = append(in, a), append(args, x)
		}
		name := fmt.Sprintf("#contract %d", i)
		t.roots[name] = q
		t.wrapper(name, q.Pos, q, in, args)
	}
}

func (t *translator) wrapper(name string, pos chc.Position, p *Procedure, in []*ast.Variable, args []*term.Term) {
	body := &ast.Body{Pos: pos, End: pos}
	call := &ast.Call{Pos: pos, Name: treeName(p)}
	actual := map[*term.Term]*term.Term{}
	for i, v := range p.In {
		actual[v.Term] = args[i]
		call.Args = append(call.Args, t.expression(pos, args[i]))
	}
	for _, r := range p.Body.properties(t.call, ":requires") {
		condition := t.expression(r.Pos, t.Script.Pool.Substitute(r.Formula, actual))
		if name == entryName && r.Witness {
			body.Stmts = append(body.Stmts, &ast.Assert{Pos: r.Pos, Cond: condition})
		} else {
			body.Stmts = append(body.Stmts, &ast.Assume{Pos: r.Pos, Cond: condition})
		}
	}
	for i, v := range p.Out {
		local := t.declared(fmt.Sprintf("#%d", i), ast.Local, v.Term.Sort())
		body.Locals = append(body.Locals, local)
		call.Results = append(call.Results, identifier(local))
	}
	body.Stmts = append(body.Stmts, call)
	t.declare(&ast.Procedure{Pos: pos, Name: name, In: in, Body: body, Attributes: ast.Attributes{{Name: "entrypoint"}}})
}

// treeName is the name of a procedure in the tree, where some names mean an error.
func treeName(p *Procedure) string {
	if slices.Contains(trace.ErrorProcedures, p.Name) {
		return "#" + p.Name
	}
	return p.Name
}

// procedure translates a procedure. What it requires and ensures becomes its contract, but for what is about its locals, which
// is asserted where it returns.
func (t *translator) procedure(p *Procedure) {
	out := &ast.Procedure{Pos: p.Pos, Name: treeName(p), Body: &ast.Body{Pos: p.Body.Pos, End: p.Body.Pos}}
	t.procedures[out.Name] = p
	for _, v := range p.In {
		out.In = append(out.In, t.variable(v, ast.In))
	}
	for _, v := range p.Out {
		out.Out = append(out.Out, t.variable(v, ast.Out))
		t.owners[out.Out[len(out.Out)-1]] = p
	}
	for _, v := range p.Locals {
		out.Body.Locals = append(out.Body.Locals, t.variable(v, ast.Local))
		t.owners[out.Body.Locals[len(out.Body.Locals)-1]] = p
	}
	b := &body{translator: t, procedure: p, tree: out, saved: map[*Statement][]saving{}}
	b.states()
	var atExit []*Property
	for _, r := range p.Body.properties(t.call, ":requires") {
		out.Requires = append(out.Requires, t.specification(r, p.Body))
	}
	for _, e := range p.Body.properties(t.call, ":ensures") {
		if b.isLocal(e.Formula) {
			atExit = append(atExit, e)
		} else {
			out.Ensures = append(out.Ensures, t.specification(e, p.Body))
		}
	}
	b.exits = len(atExit) > 0
	b.statement(p.Body)
	if b.exits {
		b.label("#exit")
		for _, e := range atExit {
			b.assert(e, p.Body)
		}
	}
	out.Body.Stmts = b.stmts
	t.declare(out)
}

// specification is a property as a specification, noted by its place.
func (t *translator) specification(p *Property, s *Statement) *ast.Specification {
	t.claims[p.Pos] = claimed{p, s}
	return &ast.Specification{Pos: p.Pos, Cond: t.expression(p.Pos, p.Formula)}
}

// hasContract reports whether calls of a procedure are taken by its contract.
func (t *translator) hasContract(p *Procedure) bool {
	return t.modular && len(p.Body.properties(t.call, ":ensures")) > 0
}

// Open names what annotations ask for beyond safety, or cannot be judged, so that no verdict that all is correct is possible;
// empty for nothing.
func (s *Script) Open(c *VerifyCall) string {
	var open []string
	for _, p := range s.reached(c.Procedure) {
		p.Body.each(func(s *Statement) {
			for attribute := range liveness {
				for _, l := range s.properties(c, attribute) {
					open = append(open, fmt.Sprintf("%s: %s, a property of runs that do not end", l.Pos, l.Attribute))
				}
			}
			if s != p.Body {
				for _, e := range s.properties(c, ":ensures") {
					open = append(open, fmt.Sprintf("%s: the contract of a statement that is not the body of a procedure", e.Pos))
				}
			}
		})
	}
	if len(open) == 0 {
		return ""
	}
	return slices.MinFunc(open, cmp.Compare[string])
}

// Claims reports whether annotations are to be proofs beside being true of runs: invariants, and the contracts of procedures
// that are called by others. exact says that a refutation of Modular is one of the script, too.
func (s *Script) Claims(c *VerifyCall) (some, exact bool) {
	exact = true
	for _, p := range s.reached(c.Procedure) {
		p.Body.each(func(s *Statement) {
			if len(s.properties(c, ":invariant")) > 0 {
				some = true
				exact = exact && s.Operation == While
			}
			some = some || s.Operation == Call && len(s.Callee.Body.properties(c, ":ensures")) > 0
		})
	}
	return some, exact
}
