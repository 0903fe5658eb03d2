package encode

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// functions knows what functions mean.
type functions struct {
	*encoder
	recursive map[*ast.Function]bool
	// instances has what stands for a function with type parameters and without a body at each choice of types, by name
	// and types; those are in order, and ofFunction has the choices by the function.
	instances  map[string]*ast.Function
	ordered    []*ast.Function
	ofFunction map[*ast.Function][][]ast.Type
	// ofProcedures has the type parameters of procedures. A function at one of them is taken for another one than at any
	// other type, though that may be the same type: so nothing is known of the one from the other.
	ofProcedures map[*ast.TypeVariable]bool
}

func newFunctions(e *encoder) *functions {
	f := &functions{
		encoder: e, recursive: map[*ast.Function]bool{}, instances: map[string]*ast.Function{}, ofFunction: map[*ast.Function][][]ast.Type{},
		ofProcedures: map[*ast.TypeVariable]bool{},
	}
	for _, p := range e.procedures {
		for _, v := range p.TypeParams {
			f.ofProcedures[v] = true
		}
		for _, impl := range p.Implementations {
			for _, v := range impl.TypeParams {
				f.ofProcedures[v] = true
			}
		}
	}
	f.findRecursive()
	return f
}

// findRecursive finds the functions whose bodies apply them, directly or by others.
func (f *functions) findRecursive() {
	const (
		open = 1 + iota
		closed
	)
	state := map[*ast.Function]int{}
	var stack []*ast.Function
	var visit func(*ast.Function)
	visit = func(g *ast.Function) {
		state[g] = open
		stack = append(stack, g)
		ast.Walk(g.Body, func(x ast.Expr) bool {
			if a, ok := x.(*ast.Application); ok && a.Function.Body != nil {
				switch state[a.Function] {
				case 0:
					visit(a.Function)
				case open:
					// Everything on the stack from there on is on a cycle.
					for i := len(stack) - 1; ; i-- {
						f.recursive[stack[i]] = true
						if stack[i] == a.Function {
							break
						}
					}
				}
			}
			return true
		})
		stack = stack[:len(stack)-1]
		state[g] = closed
	}
	for _, g := range f.program.Functions {
		if g.Body != nil && state[g] == 0 {
			visit(g)
		}
	}
}

// instanceName names a function with type parameters at types. Type parameters of procedures, and types that a run puts for
// them, are told apart by their places.
func (f *functions) instanceName(g *ast.Function, types []ast.Type) string {
	name := g.Name
	for _, t := range types {
		name += " " + t.String()
		switch t := t.(type) {
		case *ast.TypeVariable:
			name += "@" + t.Pos.String()
		case *ast.Constructed:
			if !slices.Contains(f.program.Types, t.Decl) {
				name += "@" + t.Decl.Pos.String()
			}
		}
		name += ","
	}
	return name
}

// instance is the function that stands for one with type parameters at a choice of types; nil when these are not known.
func (f *functions) instance(g *ast.Function, types []ast.Type) *ast.Function {
	key := f.instanceName(g, types)
	of := map[*ast.TypeVariable]ast.Type{}
	for i, t := range types {
		if v, ok := t.(*ast.TypeVariable); !ast.Ground(t) && !(ok && f.ofProcedures[v]) {
			return nil
		}
		of[g.TypeParams[i]] = t
	}
	if f.instances[key] == nil {
		substituted := func(v *ast.Variable) *ast.Variable {
			return &ast.Variable{Pos: v.Pos, Kind: v.Kind, Name: v.Name, Type: ast.Substitute(v.Type, of)}
		}
		h := &ast.Function{Pos: g.Pos, Name: key, Result: substituted(g.Result)}
		for _, v := range g.Params {
			h.Params = append(h.Params, substituted(v))
		}
		f.instances[key] = h
		f.ordered = append(f.ordered, h)
		f.ofFunction[g] = append(f.ofFunction[g], types)
	}
	return f.instances[key]
}

// typesOf are the types that an application's type parameters stand for.
func typesOf(x *ast.Application, types map[*ast.TypeVariable]ast.Type) []ast.Type {
	out := make([]ast.Type, len(x.TypeArguments))
	for i, t := range x.TypeArguments {
		out[i] = ast.Substitute(t, types)
	}
	return out
}

// expansion is the body of a function with one, and the scope in which it stands for the application; nil for others.
func (f *functions) expansion(s *state, x *ast.Application, sc *scope) (ast.Expr, *scope) {
	g := x.Function
	if g.Body == nil || f.recursive[g] || g.Builtin() != "" {
		return nil, nil
	}
	inner := &scope{now: map[*ast.Variable]*term.Term{}, types: ast.Bind(nil, g.TypeParams, typesOf(x, sc.types)), bound: sc.bound}
	for i, arg := range x.Args {
		inner.now[g.Params[i]] = f.value(s, arg, sc)
	}
	return g.Body, inner
}

// apply is the value of an application.
func (f *functions) apply(s *state, x *ast.Application, sc *scope) *term.Term {
	g := x.Function
	if g.Datatype != nil {
		return f.datatypes.construct(s, x, sc)
	}
	if op := g.Builtin(); op != "" {
		name, indices := g.BuiltinOperator()
		args, sort := f.values(s, x.Args, sc), f.sortIn(sc, x.Type, x.Pos)
		if t := f.builtin(name, indices, args); t != nil && t.Sort() == sort {
			return t
		}
		if t := f.mapOperator(s, op, args, sc, x.Pos, sort); t != nil {
			return t
		}
		return f.arbitrary(sc, x.Pos, "the function "+g.Name+" ("+op+")", f.sortIn(sc, x.Type, x.Pos))
	}
	if body, inner := f.expansion(s, x, sc); body != nil {
		return f.value(s, body, inner)
	}
	if len(g.TypeParams) > 0 && g.Body == nil {
		if h := f.instance(g, typesOf(x, sc.types)); h != nil {
			f.approximate(x.Pos, "what is assumed of the function %s, which has type parameters, is used for some types", g.Name)
			g = h
		}
	}
	if len(g.TypeParams) > 0 {
		return f.arbitrary(sc, x.Pos, "the function "+g.Name+", which has type parameters and no body that could be expanded", f.sortIn(sc, x.Type, x.Pos))
	}
	if g.Body != nil {
		f.approximate(x.Pos, "the definition of %s is recursive and used a few times only", g.Name)
	}
	t := f.symbols.function(g)
	for _, a := range x.Args {
		t = f.pool.Select(t, f.value(s, a, sc))
	}
	return t
}

// sort is the sort of the map that a function without a definition becomes.
func (f *functions) sort(g *ast.Function) *term.Sort {
	var pos chc.Position = g.Pos
	s := f.encoder.sort(g.Result.Type, pos)
	for i := len(g.Params) - 1; i >= 0; i-- {
		s = f.pool.Array(f.encoder.sort(g.Params[i].Type, pos), s)
	}
	return s
}

// appliedIn calls visit for the functions without an expansion and the constants that an expression depends on.
func (f *functions) appliedIn(x ast.Expr, function func(*ast.Function), constant func(*ast.Variable)) {
	seen := map[string]bool{}
	var walk func(ast.Expr, map[*ast.TypeVariable]ast.Type)
	walk = func(x ast.Expr, types map[*ast.TypeVariable]ast.Type) {
		ast.Inspect(x, func(x ast.Expr) bool {
			switch x := x.(type) {
			case *ast.Identifier:
				if x.Decl.Kind == ast.Constant {
					constant(x.Decl)
				}
			case *ast.CodeExpr:
				for _, v := range x.Body.Locals {
					walk(v.Where, types)
				}
				ast.WalkStatements(x.Body.Stmts, func(ast.Stmt) bool { return true }, func(x ast.Expr) bool {
					walk(x, types)
					return false
				})
			case *ast.Binary:
				switch x.Op {
				case ast.Div, ast.Mod, ast.RealDiv:
					if !nonZero(x.Y) {
						function(map[ast.BinaryOp]*ast.Function{ast.Div: byZeroDiv, ast.Mod: byZeroMod, ast.RealDiv: byZeroReal}[x.Op])
					}
				}
			case *ast.Application:
				g := x.Function
				key := g.Name
				args := typesOf(x, types)
				for _, t := range args {
					key += " " + t.String()
				}
				inner := ast.Bind(nil, g.TypeParams, args)
				switch op := g.Builtin(); {
				case op == "div" || op == "mod" || op == "rem" || op == "/":
					if len(x.Args) == 2 && nonZero(x.Args[1]) {
						break
					}
					function(map[string]*ast.Function{"div": byZeroDiv, "mod": byZeroMod, "rem": byZeroMod, "/": byZeroReal}[op])
				case op != "" || seen[key]:
				case g.Body != nil && !f.recursive[g]:
					seen[key] = true
					walk(g.Body, inner)
				case g.Datatype == nil:
					seen[key] = true
					function(g)
					if g.Body != nil {
						walk(g.Body, inner)
					} else if len(g.TypeParams) > 0 {
						if h := f.instance(g, args); h != nil {
							function(h)
						}
					}
				}
			}
			return true
		})
	}
	walk(x, nil)
}

// nonZero reports whether an expression is obviously not zero.
func nonZero(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.IntLiteral:
		return x.Value.Sign() != 0
	case *ast.RealLiteral:
		return x.Value.Sign() != 0
	case *ast.Unary:
		return (x.Op == ast.Negate || x.Op == ast.ToReal) && nonZero(x.X)
	case *ast.Coercion:
		return nonZero(x.X)
	}
	return false
}
