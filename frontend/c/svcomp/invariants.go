package svcomp

import (
	"math/big"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Proof is what is known of a safe program: the model of the clauses of a translation of it.
type Proof struct {
	Program     *tree.Program
	Translation *translate.Result
	Encoding    *encode.Encoding
	Model       *witness.Model
	// Entry is the function that runs begin with; "" stands for main.
	Entry string
}

// Invariants are what a proof says of the loops of the program, as far as C has words for it: parts about temporaries,
// addresses, memory behind pointers or what variables were before are left out, so that they need not be inductive. Each
// can be evaluated without undefined behaviour, and holds whenever a run comes to the place.
func Invariants(p Proof) []Invariant {
	v := &inventor{Proof: p, expressions: proof.NewExpressions(p.Encoding), scopes: scopes{}, hidden: map[*tree.Function]map[string]bool{}}
	for _, o := range p.Program.Globals {
		if o.Storage == tree.Static {
			if v.hidden[o.Function] == nil {
				v.hidden[o.Function] = map[string]bool{}
			}
			v.hidden[o.Function][o.Name] = true
		}
	}
	heads := v.heads()
	claims := proof.Claims(p.Encoding, p.Model, proof.Options{})
	unreached := map[string]bool{}
	said := map[place][]string{}
	for _, c := range claims {
		switch {
		case c.Kind == proof.Requires && c.Formula.IsFalse():
			unreached[c.Procedure.Name] = true
		case c.Kind == proof.Invariant && c.Head.While == nil:
			at := place{c.Procedure.Name, c.Head.Label}
			if s := heads[at]; s != nil {
				said[at] = v.texts(c, s)
			}
		}
	}
	var out []Invariant
	for _, f := range p.Program.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			s, ok := n.(tree.Statement)
			if !ok {
				return true
			}
			// A statement may be in several procedures; what holds in all of them holds.
			var common []string
			seen := false
			for _, at := range v.places {
				if heads[at] != s || unreached[at.procedure] {
					continue
				}
				if !seen {
					common, seen = said[at], true
					continue
				}
				common = slices.DeleteFunc(slices.Clone(common), func(t string) bool { return !slices.Contains(said[at], t) })
			}
			if len(common) == 0 {
				return true
			}
			i := Invariant{Loop: true, Pos: s.Pos(), Function: f}
			switch s := s.(type) {
			case *tree.DoWhile:
				// The invariant of such a loop is one of its test, and this one holds before its body.
				first := firstStatement(s.Body)
				if first == nil {
					return true
				}
				i.Loop, i.Pos = false, first.Pos()
			case *tree.Label:
				i.Loop = false
			}
			for _, t := range common {
				i.Text = t
				out = append(out, i)
			}
			return true
		})
	}
	return out
}

// place is a head of a loop in the translation.
type place struct{ procedure, label string }

type inventor struct {
	Proof
	expressions *proof.Expressions
	places      []place
	scopes      scopes
	// hidden are static objects of functions: the tree doesn't say where their names are known.
	hidden map[*tree.Function]map[string]bool
}

// heads are the statements whose iterations begin at labels of the translation.
func (v *inventor) heads() map[place]tree.Statement {
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
				if loop := v.Translation.Source.Loops[l]; loop != nil {
					out[at] = loop
					v.places = append(v.places, at)
				} else if label := v.Translation.Source.Labels[l]; label != nil {
					out[at] = label
					v.places = append(v.places, at)
				}
			}
			return true
		}, func(ast.Expr) bool { return false })
	}
	return out
}

// texts writes what is claimed at a statement in C.
func (v *inventor) texts(c *proof.Claim, s tree.Statement) []string {
	f := v.Translation.Source.Functions[c.Procedure.Name]
	if f == nil || f.Body == nil {
		return nil
	}
	if f.Name == v.entry() {
		c = v.begun(c)
	}
	conditions, _ := v.expressions.Conditions(c)
	x := &expresser{source: v.Translation.Source, procedure: c.Procedure, visible: func(o *tree.Object) bool {
		return !v.hidden[f][o.Name] && v.scopes.visible(f, s, o)
	}}
	var out []string
	for _, e := range conditions {
		if text, ok := x.condition(e); ok && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
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
func (v *inventor) begun(c *proof.Claim) *proof.Claim {
	pool := v.Encoding.System.Pool
	values := map[*term.Term]*term.Term{}
	for _, n := range c.Names {
		if n.Argument.When != encode.AtEntry || n.Argument.Variable == nil || n.Argument.Variable.Kind != ast.Global {
			continue
		}
		o := v.Translation.Source.Named(c.Procedure.Name, n.Argument.Variable.Name)
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

// firstStatement is the first statement of a block, if its place is known to be where it begins.
func firstStatement(s tree.Statement) tree.Statement {
	b, ok := s.(*tree.Block)
	if !ok || len(b.Statements) == 0 {
		return nil
	}
	switch s := b.Statements[0].(type) {
	case *tree.Declare, *tree.Block, *tree.Case:
		return nil
	default:
		return s
	}
}
