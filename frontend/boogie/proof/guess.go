package proof

import (
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// mostGuesses bounds the guesses at a loop.
const mostGuesses = 48

// Guesses are conditions at a procedure's loops that may be invariants: what the procedure's own text suggests, after Furia and Meyer:
// Inferring loop invariants using postconditions, 2010. They are nothing but candidates. A comparison of integers is guessed in
// its weak forms, as are the signs of variables that the loop changes; what is asserted is guessed as it is, and with one side of a
// comparison in the place of the other, such as the counter for its bound, in quantified formulas too.
func Guesses(p *ast.Procedure, src []byte) []Insertion {
	var out []Insertion
	t := newText(src)
	for _, impl := range p.Implementations {
		g := newGuesses(p, impl)
		for s := range ast.Statements(impl.Body.Stmts) {
			w, ok := s.(*ast.While)
			if !ok {
				continue
			}
			at, ok := t.place(&Claim{Kind: Invariant, Procedure: p, Head: &Head{Pos: w.Pos, Implementation: impl, While: w}})
			if !ok {
				continue
			}
			for _, e := range g.at(w) {
				out = append(out, Insertion{Kind: Invariant, Procedure: p.Name, Condition: ast.String(e), place: at})
			}
		}
	}
	slices.SortStableFunc(out, Insertion.Compare)
	return out
}

// guesses are what guesses at an implementation's loops are made of.
type guesses struct {
	scope []*ast.Variable
	// comparisons are of integers, asserted the conjuncts of assertions outside of loops and of what is ensured.
	comparisons []*ast.Binary
	asserted    []ast.Expr
}

func newGuesses(p *ast.Procedure, impl *ast.Implementation) *guesses {
	g := &guesses{scope: slices.Concat(impl.In, impl.Out, impl.Body.Locals)}
	compare := func(e ast.Expr) bool {
		switch b := e.(type) {
		case *ast.Quantifier, *ast.Lambda, *ast.Let, *ast.CodeExpr:
			return false
		case *ast.Binary:
			if b.Op >= ast.Eq && b.Op <= ast.GreaterEq && b.X.TypeOf() == ast.Type(ast.Int) && g.visible(b) && ast.String(b.X) != ast.String(b.Y) {
				g.comparisons = append(g.comparisons, b)
			}
		}
		return true
	}
	for _, s := range p.Requires {
		ast.Walk(inside(p, impl, s.Cond), compare)
	}
	for _, s := range p.Ensures {
		e := inside(p, impl, s.Cond)
		ast.Walk(e, compare)
		if !s.Free {
			g.assert(e)
		}
	}
	every := func(ast.Stmt) bool { return true }
	ast.WalkStatements(impl.Body.Stmts, every, compare)
	ast.WalkStatements(impl.Body.Stmts, func(s ast.Stmt) bool {
		if a, ok := s.(*ast.Assert); ok {
			g.assert(a.Cond)
		}
		_, loop := s.(*ast.While)
		return !loop
	}, func(ast.Expr) bool { return false })
	return g
}

// inside is a condition of a procedure's contract in terms of an implementation's own parameters, which may have other names.
func inside(p *ast.Procedure, impl *ast.Implementation, e ast.Expr) ast.Expr {
	own, theirs := slices.Concat(impl.In, impl.Out), slices.Concat(p.In, p.Out)
	var visit func(e ast.Expr) ast.Expr
	visit = func(e ast.Expr) ast.Expr {
		if id, ok := e.(*ast.Identifier); ok {
			if i := slices.Index(theirs, id.Decl); i >= 0 && i < len(own) && own[i] != id.Decl {
				other := *id
				other.Name, other.Decl = own[i].Name, own[i]
				return &other
			}
			return e
		}
		return ast.Rewrite(e, visit)
	}
	return visit(e)
}

// assert adds the conjuncts of what has to hold, and of what has to hold under a condition.
func (g *guesses) assert(e ast.Expr) {
	b, ok := e.(*ast.Binary)
	if ok && b.Op == ast.And {
		g.assert(b.X)
		g.assert(b.Y)
		return
	}
	if g.visible(e) {
		g.asserted = append(g.asserted, e)
	}
	// What holds in one case at the end often holds in all until then.
	if ok && b.Op == ast.Implies {
		g.assert(b.Y)
	}
}

// visible reports whether an expression means the same at every place of the implementation.
func (g *guesses) visible(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(e ast.Expr) bool {
		if id, is := e.(*ast.Identifier); is && (id.Decl == nil || id.Decl.Kind != ast.Bound) {
			i := slices.IndexFunc(g.scope, func(v *ast.Variable) bool { return v.Name == id.Name })
			local := id.Decl != nil && id.Decl.Kind != ast.Global && id.Decl.Kind != ast.Constant
			ok = ok && (i < 0 && !local || i >= 0 && g.scope[i] == id.Decl)
		}
		return ok
	})
	return ok
}

// at are the guesses at a loop.
func (g *guesses) at(w *ast.While) []ast.Expr {
	var out []ast.Expr
	seen := map[string]bool{}
	add := func(e ast.Expr) {
		if comparesWithItself(e) {
			return
		}
		if text := ast.String(e); !seen[text] && len(out) < mostGuesses {
			seen[text] = true
			out = append(out, e)
		}
	}
	for _, s := range w.Invariants {
		seen[ast.String(s.Cond)] = true
	}
	touched := touched(w)
	changed := g.integers(touched)
	for _, c := range g.comparisons {
		if ast.Mentions(c, changed) {
			add(compared(ast.LessEq, c.X, c.Y))
			add(compared(ast.LessEq, c.Y, c.X))
		}
	}
	for _, v := range changed {
		add(compared(ast.LessEq, integer(new(big.Int)), named(v)))
	}
	for _, a := range g.asserted {
		if ast.Mentions(a, touched) {
			add(a)
		}
		for _, c := range g.comparisons {
			for _, side := range [][2]ast.Expr{{c.X, c.Y}, {c.Y, c.X}} {
				counter, ok := side[0].(*ast.Identifier)
				if !ok || !slices.Contains(changed, counter.Decl) || ast.Mentions(side[1], changed) {
					continue
				}
				// What the loop does not change is no guess about it.
				if other := replaced(a, side[1], counter); ast.Mentions(other, changed) {
					add(other)
				}
			}
		}
	}
	for _, s := range g.sums(w, changed) {
		add(s)
	}
	return out
}

// touched are the variables that the loop changes, by what it calls, too.
func touched(w *ast.While) []*ast.Variable {
	var out []*ast.Variable
	add := func(v *ast.Variable) {
		if v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	name := func(id *ast.Identifier) {
		if id != nil {
			add(id.Decl)
		}
	}
	for s := range ast.Statements(w.Body) {
		switch s := s.(type) {
		case *ast.Assign:
			for _, l := range s.Left {
				name(ast.Target(l))
			}
		case *ast.Havoc:
			for _, id := range s.Variables {
				name(id)
			}
		case *ast.Call:
			for _, id := range s.Results {
				name(id)
			}
			if s.Procedure != nil {
				for _, v := range s.Procedure.Frame {
					add(v)
				}
			}
		}
	}
	return out
}

// integers are the integer variables of the implementation's own among some.
func (g *guesses) integers(vs []*ast.Variable) []*ast.Variable {
	return slices.DeleteFunc(slices.Clone(vs), func(v *ast.Variable) bool {
		return v.Type != ast.Type(ast.Int) || !slices.Contains(g.scope, v)
	})
}

// mostSummed bounds the variables of which sums are guessed.
const mostSummed = 4

// sums are guesses that two of the variables that the loop changes add up to one that it does not, or differ by it.
func (g *guesses) sums(w *ast.While, changed []*ast.Variable) []ast.Expr {
	var fixed []*ast.Variable
	for _, v := range g.scope {
		if v.Type == ast.Type(ast.Int) && !slices.Contains(changed, v) && len(fixed) < mostSummed && v.Kind == ast.In {
			fixed = append(fixed, v)
		}
	}
	var out []ast.Expr
	changed = changed[:min(len(changed), mostSummed)]
	for i, x := range changed {
		for _, y := range changed[:i] {
			for _, f := range fixed {
				out = append(out, compared(ast.Eq, &ast.Binary{Op: ast.Add, X: named(x), Y: named(y)}, named(f)),
					compared(ast.Eq, named(x), &ast.Binary{Op: ast.Add, X: named(y), Y: named(f)}),
					compared(ast.Eq, named(y), &ast.Binary{Op: ast.Add, X: named(x), Y: named(f)}))
			}
		}
	}
	return out
}

func compared(op ast.BinaryOp, x, y ast.Expr) ast.Expr { return &ast.Binary{Op: op, X: x, Y: y} }

func named(v *ast.Variable) ast.Expr { return &ast.Identifier{Name: v.Name, Decl: v} }

// replaced is an expression with a variable in the place of the parts that are another expression. Quantifiers that bind a name of
// these stay as they are, and so does what lambdas, lets and code are made of.
func replaced(e, old ast.Expr, by *ast.Identifier) ast.Expr {
	text := ast.String(old)
	var visit func(e ast.Expr) ast.Expr
	visit = func(e ast.Expr) ast.Expr {
		switch q := e.(type) {
		case *ast.Lambda, *ast.Let, *ast.CodeExpr:
			return e
		case *ast.Quantifier:
			if slices.ContainsFunc(q.Bound, func(v *ast.Variable) bool { return v.Name == by.Name || mentionsName(old, v.Name) }) {
				return e
			}
		}
		if ast.String(e) == text {
			return by
		}
		return ast.Rewrite(e, visit)
	}
	return visit(e)
}

// comparesWithItself reports whether there is an operation of an expression on itself, as `i < i` is.
func comparesWithItself(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(e ast.Expr) bool {
		b, ok := e.(*ast.Binary)
		found = found || ok && b.Op >= ast.Eq && b.Op <= ast.GreaterEq && ast.String(b.X) == ast.String(b.Y)
		return !found
	})
	return found
}

// mentionsName reports whether a variable of that name is in the expression.
func mentionsName(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(e ast.Expr) bool {
		id, ok := e.(*ast.Identifier)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
