package proof

import (
	"context"
	"math/big"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/smt"
)

// Proof is what is known of a safe program: the model of the clauses of a translation of it.
type Proof struct {
	Program     *tree.Program
	Translation *translate.Result
	Encoding    *encode.Encoding
	Model       *witness.Model
	// Entry is the function that runs begin with; "" stands for main.
	Entry string
	// Open opens the solvers that make what holds shorter; nil leaves it as it is.
	Open smt.Opener
}

// Place is a function or the head of a loop with what holds there.
type Place struct {
	Function *tree.Function
	// Statement is the loop, or the label that runs come back to; nil for what is said of the function.
	Statement tree.Statement
	Pos       tree.Pos
	// Requires holds when the function is entered, Ensures when it returns, and Invariants whenever a run comes to the
	// statement: before each test of a while or for loop, before each turn of a do loop, and at a label.
	Requires, Ensures, Invariants []string
}

// Dropped is a part of a proof that there are no words for.
type Dropped struct {
	Pos tree.Pos
	// What is the part as the translation has it, empty where it cannot even be written there.
	What string
	// Why says what there are no words for.
	Why string
}

func (d Dropped) String() string {
	if d.What == "" {
		return d.Pos.String() + ": " + d.Why
	}
	return d.Pos.String() + ": " + d.Why + ": " + d.What
}

// Places are what a proof says of the program's functions and loops, in the program's order, as far as the style has words
// for it, and the parts that were left out since it has not. Executable conditions are only invariants: each can be evaluated
// without undefined behaviour, and holds whenever a run comes to its place, but need not be inductive.
func Places(ctx context.Context, p Proof, style Style) (places []Place, dropped []Dropped) {
	v := &inventor{
		ctx: ctx, Proof: p, style: style, expressions: boogie.NewExpressions(p.Encoding), scopes: Scopes{}, hidden: map[*tree.Function]map[string]bool{},
		unreached: map[string]bool{}, claims: map[place][]*boogie.Claim{},
	}
	for _, o := range p.Program.Globals {
		if o.Storage == tree.Static {
			if v.hidden[o.Function] == nil {
				v.hidden[o.Function] = map[string]bool{}
			}
			v.hidden[o.Function][o.Name] = true
		}
	}
	v.heads = v.findHeads()
	for _, c := range boogie.Claims(p.Encoding, p.Model, boogie.Options{}) {
		if c.Kind == boogie.Requires && c.Formula.IsFalse() {
			v.unreached[c.Procedure.Name] = true
		}
		label := ""
		if c.Head != nil {
			label = c.Head.Label
		}
		at := place{c.Procedure.Name, label}
		v.claims[at] = append(v.claims[at], c)
	}
	for _, f := range p.Program.Functions {
		if f.Body == nil {
			continue
		}
		if style == Logical {
			v.add(Place{Function: f, Pos: f.Pos, Requires: v.common(f, nil, boogie.Requires), Ensures: v.common(f, nil, boogie.Ensures)})
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if s, ok := n.(tree.Statement); ok && slices.Contains(v.statements, s) {
				v.add(Place{Function: f, Statement: s, Pos: s.Pos(), Invariants: v.common(f, s, boogie.Invariant)})
			}
			return true
		})
	}
	return v.out, v.dropped
}

func (v *inventor) add(p Place) {
	if len(p.Requires)+len(p.Ensures)+len(p.Invariants) > 0 {
		v.out = append(v.out, p)
	}
}

// common is what is claimed in all procedures that a function, or a statement of it, is in: it may be in several.
func (v *inventor) common(f *tree.Function, s tree.Statement, kind boogie.Kind) []string {
	in := v.procedures(f, s)
	all := v.inEach(f, s, kind, in, true)
	if len(in) > 1 && slices.ContainsFunc(all, func(texts []string) bool { return !slices.Equal(texts, all[0]) }) {
		// In fewer words it is not the same words.
		all = v.inEach(f, s, kind, in, false)
	}
	if len(all) == 0 {
		return nil
	}
	return slices.DeleteFunc(all[0], func(t string) bool {
		return slices.ContainsFunc(all[1:], func(texts []string) bool { return !slices.Contains(texts, t) })
	})
}

// inEach is what is claimed in each of a function's procedures, or at each of a statement's places, reduced if it may be.
func (v *inventor) inEach(f *tree.Function, s tree.Statement, kind boogie.Kind, in []place, short bool) [][]string {
	var out [][]string
	for _, at := range in {
		if v.unreached[at.procedure] && (s != nil || kind != boogie.Requires) {
			continue
		}
		texts := []string{}
		for _, c := range v.claims[at] {
			if c.Kind == kind && (c.Head == nil || c.Head.While == nil) {
				texts = append(texts, v.texts(c, f, s, short)...)
			}
		}
		out = append(out, texts)
	}
	return out
}

// procedures are the places of a statement in the translation, or those of the procedures that a function became.
func (v *inventor) procedures(f *tree.Function, s tree.Statement) []place {
	var out []place
	if s != nil {
		for _, at := range v.places {
			if v.heads[at] == s {
				out = append(out, at)
			}
		}
		return out
	}
	for _, p := range v.Encoding.Program.Procedures {
		if v.Translation.Origins.Functions[p.Name] == f {
			out = append(out, place{p.Name, ""})
		}
	}
	return out
}

// place is a head of a loop in the translation.
type place struct{ procedure, label string }

type inventor struct {
	ctx context.Context
	Proof
	style       Style
	expressions *boogie.Expressions
	// findHeads finds the statements whose iterations begin at labels of the translation, places the labels in order.
	heads      map[place]tree.Statement
	places     []place
	statements []tree.Statement
	scopes     Scopes
	// hidden are static objects of functions: the tree doesn't say where their names are known.
	hidden    map[*tree.Function]map[string]bool
	unreached map[string]bool
	claims    map[place][]*boogie.Claim
	out       []Place
	dropped   []Dropped
}

// findHeads finds the statements whose iterations begin at labels of the translation.
func (v *inventor) findHeads() map[place]tree.Statement {
	out := map[place]tree.Statement{}
	for _, d := range v.Translation.Program.Declarations {
		var body *ast.Body
		name := ""
		switch d := d.(type) {
		case *ast.Procedure:
			body, name = d.Body, d.Name
		case *ast.Implementation:
			body, name = d.Body, d.Name
		}
		if body == nil {
			continue
		}
		ast.WalkStatements(body.Stmts, func(s ast.Stmt) bool {
			if l, ok := s.(*ast.Label); ok {
				at := place{name, l.Name}
				if loop := v.Translation.Origins.Loops[l]; loop != nil {
					out[at] = loop
					v.places, v.statements = append(v.places, at), append(v.statements, loop)
				} else if label := v.Translation.Origins.Labels[l]; label != nil {
					out[at] = label
					v.places, v.statements = append(v.places, at), append(v.statements, label)
				}
			}
			return true
		}, func(ast.Expr) bool { return false })
	}
	return out
}

// texts writes what is claimed of a function, or at a statement of it, in few words if it is to be short.
func (v *inventor) texts(c *boogie.Claim, f *tree.Function, s tree.Statement, short bool) []string {
	if f.Name == v.entry() {
		c = v.begun(c)
	}
	if c.Kind != boogie.Requires {
		c = v.entered(c)
	}
	pos := f.Pos
	if s != nil {
		pos = s.Pos()
	}
	x := &expresser{source: v.Translation.Origins, procedure: c.Procedure, style: v.style, kind: c.Kind, visible: func(o *tree.Object) bool {
		if s == nil {
			return o.Storage == tree.Global && before(o.Pos, f.Pos) || o.Storage == tree.Parameter && o.Function == f
		}
		return !v.hidden[f][o.Name] && v.scopes.Visible(f, s, o)
	}}
	if short && v.Open != nil && v.style == Logical {
		c = v.reduced(c, x)
	}
	conditions, dropped := v.expressions.Conditions(c)
	for _, d := range dropped {
		v.drop(Dropped{Pos: pos, Why: d.Why})
	}
	var out []string
	for _, e := range conditions {
		switch text, err := x.condition(e); {
		case err != nil:
			v.drop(Dropped{pos, ast.String(e), err.Error()})
		case !slices.Contains(out, text):
			out = append(out, text)
		}
	}
	return out
}

// drop takes note of what is left out, once.
func (v *inventor) drop(d Dropped) {
	if !slices.Contains(v.dropped, d) {
		v.dropped = append(v.dropped, d)
	}
}

// entered is a claim with the values that are required of a procedure in place of what its parameters, globals and memory were
// when it was entered.
func (v *inventor) entered(c *boogie.Claim) *boogie.Claim {
	pool := v.Encoding.System.Pool
	required := map[*ast.Variable]*term.Term{}
	for _, r := range v.claims[place{c.Procedure.Name, ""}] {
		if r.Kind != boogie.Requires {
			continue
		}
		variables := map[*term.Term]*ast.Variable{}
		for _, n := range r.Names {
			variables[n.Variable] = n.Argument.Variable
		}
		for _, part := range r.Parts(pool) {
			if part.Op() != term.Eq {
				continue
			}
			for i := range 2 {
				if known := variables[part.Arg(i)]; known != nil && part.Arg(1-i).IsGround() {
					required[known] = part.Arg(1 - i)
				}
			}
		}
	}
	values := map[*term.Term]*term.Term{}
	for _, n := range c.Names {
		if t := required[n.Argument.Variable]; t != nil && n.Argument.When == encode.AtEntry {
			values[n.Variable] = t
		}
	}
	if len(values) == 0 {
		return c
	}
	out := *c
	out.Formula = pool.Substitute(c.Formula, values)
	return &out
}

// entry is the function that runs begin with, if nothing calls it.
func (v *inventor) entry() string {
	name := v.Entry
	if name == "" {
		name = "main"
	}
	for _, f := range v.Program.Functions {
		if f.Body == nil {
			continue
		}
		called := false
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				called = called || n.Function != nil && n.Function.Name == name
			case *tree.FunctionAddress:
				called = called || n.Function.Name == name
			}
			return !called
		})
		if called {
			return ""
		}
	}
	return name
}

// begun is a claim about the entry with the values that globals begin with in place of what they were when it was entered.
func (v *inventor) begun(c *boogie.Claim) *boogie.Claim {
	pool := v.Encoding.System.Pool
	values := map[*term.Term]*term.Term{}
	for _, n := range c.Names {
		if n.Argument.When != encode.AtEntry || n.Argument.Variable == nil || n.Argument.Variable.Kind != ast.Global {
			continue
		}
		o := v.Translation.Origins.Named(c.Procedure.Name, n.Argument.Variable.Name)
		if o == nil || o.Object == nil || o.Region != nil || o.Behind || o.Object.External || o.Object.Storage > tree.Static {
			continue
		}
		number := new(big.Int)
		switch i := o.Object.Init; {
		case len(i) == 0:
		case len(i) == 1 && len(o.Path) == 0 && !o.Map:
			constant, ok := i[0].Value.(*tree.Constant)
			if !ok {
				continue
			}
			number = constant.Int
		default:
			continue
		}
		if t := filled(pool, n.Variable.Sort(), number); t != nil {
			values[n.Variable] = t
		}
	}
	out := *c
	out.Formula = pool.Substitute(c.Formula, values)
	return &out
}

// filled is a number, or a map that has it everywhere; nil for other sorts.
func filled(p *term.Pool, s *term.Sort, n *big.Int) *term.Term {
	switch s.Kind {
	case term.IntKind:
		return p.IntNum(term.NumFromBig(n))
	case term.ArrayKind:
		if e := filled(p, s.Elem, n); e != nil {
			return p.ConstArray(s, e)
		}
	}
	return nil
}
