package interpret

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// definition is what an axiom `forall xs :: f(xs) == body` says that a function without a body is.
type definition struct {
	axiom      *ast.Axiom
	typeParams []*ast.TypeVariable
	params     []*ast.Variable
	body       ast.Expr
}

// definitionsIn finds axioms that define a function at all arguments by what does not depend on it. With what they say for
// the function they hold, whatever the rest of the program is.
func definitionsIn(p *ast.Program) map[*ast.Function]*definition {
	out := map[*ast.Function]*definition{}
	for _, a := range p.Axioms {
		for _, d := range possible(a) {
			if f := d.function; out[f] == nil && !depends(d.body, f, out, map[*ast.Function]bool{}) {
				out[f] = &d.definition
				break
			}
		}
	}
	return out
}

type candidate struct {
	definition
	function *ast.Function
}

// possible are the ways in which an axiom may be read as a definition.
func possible(a *ast.Axiom) []candidate {
	x, ok := a.Cond.(*ast.Quantifier)
	if !ok || x.Exists {
		return nil
	}
	eq, ok := x.Body.(*ast.Binary)
	if !ok || eq.Op != ast.Eq && eq.Op != ast.Iff || !ast.Equal(eq.X.TypeOf(), eq.Y.TypeOf()) {
		return nil
	}
	var out []candidate
	for _, sides := range [][2]ast.Expr{{eq.X, eq.Y}, {eq.Y, eq.X}} {
		left := sides[0]
		if c, ok := left.(*ast.Coercion); ok {
			left = c.X
		}
		f, ok := left.(*ast.Application)
		if !ok || f.Function.Body != nil || f.Function.Datatype != nil || f.Function.Builtin() != "" {
			continue
		}
		// The arguments are the bound variables, each once, and the types the bound type variables.
		params := make([]*ast.Variable, len(f.Args))
		for i, arg := range f.Args {
			if id, ok := arg.(*ast.Identifier); ok && slices.Contains(x.Bound, id.Decl) && !slices.Contains(params, id.Decl) {
				params[i] = id.Decl
			}
		}
		types := make([]*ast.TypeVariable, len(f.TypeArguments))
		for i, t := range f.TypeArguments {
			if v, ok := t.(*ast.TypeVariable); ok && slices.Contains(x.TypeParams, v) && !slices.Contains(types, v) {
				types[i] = v
			}
		}
		if slices.Contains(params, nil) || slices.Contains(types, nil) || len(params) != len(x.Bound) || len(types) != len(x.TypeParams) {
			continue
		}
		out = append(out, candidate{definition{a, types, params, sides[1]}, f.Function})
	}
	return out
}

// depends reports whether an expression depends on a function, by bodies and definitions, too.
func depends(x ast.Expr, f *ast.Function, definitions map[*ast.Function]*definition, seen map[*ast.Function]bool) bool {
	found := false
	ast.Inspect(x, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.CodeExpr:
			found = true
		case *ast.Application:
			g := x.Function
			switch {
			case g == f:
				found = true
			case seen[g]:
			case g.Body != nil:
				seen[g] = true
				found = found || depends(g.Body, f, definitions, seen)
			case definitions[g] != nil:
				seen[g] = true
				found = found || depends(definitions[g].body, f, definitions, seen)
			}
		}
		return !found
	})
	return found
}
