package boogie

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
)

// read is a program that must be right.
func read(t require.TestingT, src string, o Options) *ast.Program {
	p, err := Read("f", []byte(src), o)
	require.NoError(t, err, src)
	return p
}

// Every identifier, function and type that a checked program mentions is the one declared, and every expression has a
// type without synonyms and without anything left to infer.
func TestEverythingIsResolved(t *testing.T) {
	for _, src := range examples {
		p := read(t, src, Options{})
		declared := map[*ast.TypeVariable]bool{}
		known := func(vs []*ast.TypeVariable) {
			for _, v := range vs {
				declared[v] = true
			}
		}
		var check func(e ast.Expr) bool
		typed := func(u ast.Type, e ast.Expr) {
			require.NotNil(t, u, "%s in %s", ast.String(e), src)
			for _, v := range ast.FreeVariables(u) {
				require.True(t, declared[v], "%s: %s in %s", ast.String(e), u, src)
			}
		}
		check = func(e ast.Expr) bool {
			if _, ok := e.(*ast.StringLiteral); ok {
				return true
			}
			switch e := e.(type) {
			case *ast.Identifier:
				require.NotNil(t, e.Decl, e.Name)
				require.Equal(t, e.Name, e.Decl.Name)
			case *ast.Application:
				require.NotNil(t, e.Function, e.Name)
				require.Len(t, e.TypeArguments, len(e.Function.TypeParams))
				for _, a := range e.TypeArguments {
					typed(a, e)
				}
			case *ast.Select:
				require.Len(t, e.TypeArguments, len(e.Map.TypeOf().(*ast.Map).Params))
			case *ast.Store:
				require.Len(t, e.TypeArguments, len(e.Map.TypeOf().(*ast.Map).Params))
			case *ast.Quantifier:
				known(e.TypeParams)
			case *ast.Lambda:
				known(e.TypeParams)
			}
			typed(e.TypeOf(), e)
			return true
		}
		statement := func(s ast.Stmt) bool {
			switch s := s.(type) {
			case *ast.Goto:
				require.Len(t, s.Targets, len(s.Labels))
			case *ast.Break:
				require.NotNil(t, s.Target)
			case *ast.Call:
				require.Equal(t, s.Name, s.Procedure.Name)
				require.Len(t, s.TypeArguments, len(s.Procedure.TypeParams))
			}
			return true
		}
		for _, f := range p.Functions {
			known(f.TypeParams)
			ast.Walk(f.Body, check)
		}
		for _, a := range p.Axioms {
			ast.Walk(a.Cond, check)
		}
		for _, d := range p.Procedures {
			known(d.TypeParams)
			ast.WalkSpecifications(d.Requires, check)
			ast.WalkSpecifications(d.Ensures, check)
			for _, i := range d.Implementations {
				known(i.TypeParams)
				require.Same(t, d, i.Procedure)
				ast.WalkStatements(i.Body.Stmts, statement, check)
			}
		}
	}
}

// axiomOf is the condition of the only axiom.
func axiomOf(t require.TestingT, src string) ast.Expr {
	return read(t, src, Options{}).Axioms[0].Cond
}

// Type arguments are recorded for what each use stands for.
func TestTypeArguments(t *testing.T) {
	prelude := "type F _; type R; const f: F int; const r: R; const h: <a>[R, F a]a; function id<a>(x: a): a; function none<a>(): [int]a; "
	for expr, want := range map[string]string{
		"id(1) == 1":                              "int",
		"id(h)[r, f] == 1":                        "int",
		"h[r, f] == 1":                            "int",
		"h[r, f := 2] == h":                       "int",
		"none() == (lambda x: int :: true)":       "bool",
		"none()[0] == 1.5":                        "real",
		"(none(): [int]R)[1] == r":                "R",
		"none() == none()":                        "int",
		"id(none())[2] == r":                      "[int]R",
		"(forall<b> x: b, y: b :: id(x) == y)":    "b",
		"(if true then none() else none())[2][0]": "[int]bool",
		"id(id(7bv8)) ++ 1bv1 == 0bv9":            "bv8",
		"(var x := none(); x[0] == 1)":            "int",
		"none()[1 := f] == none()[2 := f]":        "F int",
	} {
		e := axiomOf(t, prelude+"axiom "+expr+";")
		var args []ast.Type
		ast.Walk(e, func(e ast.Expr) bool {
			switch e := e.(type) {
			case *ast.Application:
				args = append(args, e.TypeArguments...)
			case *ast.Select:
				args = append(args, e.TypeArguments...)
			case *ast.Store:
				args = append(args, e.TypeArguments...)
			}
			return true
		})
		require.NotEmpty(t, args, expr)
		require.Equal(t, want, args[0].String(), expr)
	}
}

// A map whose type is found out only later is instantiated then, at each of its uses.
func TestMapsAreInferred(t *testing.T) {
	prelude := "function any<a>(): a; const m: <a>[a]a; const r: { f: [int]int, g: bool }; "
	e := axiomOf(t, prelude+"axiom any()[1 := 2][true := false] == m;")
	outer := e.(*ast.Binary).X.(*ast.Store)
	require.Equal(t, "<a>[a]a", outer.Type.String())
	require.Equal(t, []ast.Type{ast.Bool}, outer.TypeArguments)
	require.Equal(t, []ast.Type{ast.Int}, outer.Map.(*ast.Store).TypeArguments)
	e = axiomOf(t, prelude+"axiom any()[1, true] == { f: any(), g: any()[2.5] } && any()[3] == r;")
	selects := e.(*ast.Binary).X.(*ast.Binary)
	require.Equal(t, "[int, bool]{ f: int, g: int }", selects.X.(*ast.Select).Map.TypeOf().String())
	require.Equal(t, "[int]{ f: [int]int, g: bool }", e.(*ast.Binary).Y.(*ast.Binary).X.(*ast.Select).Map.TypeOf().String())
	for expr, want := range map[string]string{
		"any()[1 := true] == m":           "f:1:87: a map of type <a>[a]a is used as one of type [int]bool",
		"any()[1, 2 := 3] == m":           "f:1:87: a map of type <a>[a]a takes 1 index argument, got 2",
		"any()[1] == any() && any() == m": "",
		"(var x := any(); x[x] == 1)":     "f:1:100: the type of this map contains itself",
		"any() ++ any() == true":          "f:1:88: the result of ++ has type bv0, but should have type bool",
	} {
		_, err := Read("f", []byte(prelude+"axiom "+expr+";"), Options{})
		if want == "" {
			require.NoError(t, err, expr)
		} else {
			require.EqualError(t, err, want, expr)
		}
	}
}

// Bit-vectors whose width is not given get it from what they are compared with.
func TestWidthsAreInferred(t *testing.T) {
	e := axiomOf(t, "function any<a>(): a; axiom any() ++ 3bv4 == 7bv12;")
	left := e.(*ast.Binary).X.(*ast.Binary)
	require.Equal(t, "bv12", left.Type.String())
	require.Equal(t, "bv8", left.X.TypeOf().String())
	e = axiomOf(t, "function any<a>(): a; axiom any()[8:2] == 7bv6;")
	require.Equal(t, "bv8", e.(*ast.Binary).X.(*ast.Extract).X.TypeOf().String())
}

// Surplus high bits of a literal are dropped; all other literals keep their values.
func TestLiterals(t *testing.T) {
	e := axiomOf(t, "axiom 300bv8 == 44bv8;").(*ast.Binary)
	require.Equal(t, int64(44), e.X.(*ast.BitVectorLiteral).Value.Int64())
	e = axiomOf(t, "axiom 0012 == 12345678901234567890;").(*ast.Binary)
	require.Equal(t, "12", e.X.(*ast.IntLiteral).Value.String())
	require.Equal(t, "12345678901234567890", e.Y.(*ast.IntLiteral).Value.String())
	e = axiomOf(t, "axiom 2.50e-2 == 25e3;").(*ast.Binary)
	require.Equal(t, "1/40", e.X.(*ast.RealLiteral).Value.String())
	require.Equal(t, "25000/1", e.Y.(*ast.RealLiteral).Value.String())
}

// In Ultimate's dialect / of integers is div once the program is checked; in Boogie it is a real.
func TestDivision(t *testing.T) {
	src := "axiom 7 / 2 == %s;"
	e := read(t, strings.ReplaceAll(src, "%s", "3"), Options{Dialect: DialectUltimate}).Axioms[0].Cond
	require.Equal(t, "7 div 2 == 3", ast.String(e))
	e = read(t, strings.ReplaceAll(src, "%s", "3.5"), Options{}).Axioms[0].Cond
	require.Equal(t, ast.Real, e.(*ast.Binary).X.TypeOf())
	for _, mark := range []string{"//#Safe", "// #Unsafe", "  //#Safe; more"} {
		read(t, mark+"\naxiom 7 / 2 == 3;", Options{})
	}
}

// The globals that a procedure may change are those that its clause names and those that it changes, with all that it
// calls; a strict check wants the clause to name them.
func TestFrames(t *testing.T) {
	src := `var a, b, c, d: int; var m: [int]int;
procedure p() { call q(); }
procedure q() modifies d; { m[1] := 2; call r(); call p(); }
procedure r() modifies b; { }
procedure s(); modifies c;
procedure t() { havoc a; call s(); }
procedure u() returns (x: int) { call x := v(); }
procedure v() returns (a: int) { a := 1; }
procedure w1() { havoc c; } procedure w2() { call w1(); } procedure w3() { call w2(); }`
	p := read(t, src, Options{})
	var frames []string
	for _, d := range p.Procedures {
		var names []string
		for _, v := range d.Frame {
			names = append(names, v.Name)
		}
		frames = append(frames, d.Name+":"+strings.Join(names, ","))
	}
	require.Equal(t, []string{"p:b,d,m", "q:b,d,m", "r:b", "s:c", "t:a,c", "u:", "v:", "w1:c", "w2:c", "w3:c"}, frames)

	_, err := Read("f", []byte(strings.Split(src, "procedure w1")[0]), Options{Strict: true})
	require.EqualError(t, err, strings.Join([]string{
		"f:2:17: q changes d, which is not in the modifies clause of p",
		"f:3:29: m is changed, but not in the modifies clause of q",
		"f:3:40: r changes b, which is not in the modifies clause of q",
		"f:6:23: a is changed, but not in the modifies clause of t",
		"f:6:26: s changes c, which is not in the modifies clause of t",
	}, "\n"))
	read(t, "var g: int; implementation p() { g := 1; } procedure p(); modifies g; procedure q() modifies g; { call p(); }", Options{Strict: true})
}

// Implementations belong to their procedures whatever their parameters and type parameters are called.
func TestImplementations(t *testing.T) {
	p := read(t, `implementation p<c, d>(u: [c]d, v: d) returns (w: c) { } procedure p<a, b>(x: [b]a, y: a) returns (z: b);
procedure q(x: int) { } implementation q(y: int) { y: goto y; }`, Options{})
	i := p.Procedures[0].Implementations
	require.Len(t, i, 1)
	require.Equal(t, []ast.Type{i[0].TypeParams[1], i[0].TypeParams[0]}, i[0].TypeArguments)
	q := p.Procedures[1]
	require.Len(t, q.Implementations, 2)
	require.Same(t, q.In[0], q.Implementations[0].In[0])
	require.NotSame(t, q.In[0], q.Implementations[1].In[0])
}

// Break and goto lead to the statements that they name.
func TestJumps(t *testing.T) {
	p := read(t, `procedure p() {
  outer: while (*) { inner: if (*) { while (*) { break; } break inner; } break; }
  here: goto there, here; there:
}`, Options{})
	stmts := p.Procedures[0].Body.Stmts
	outer := stmts[1].(*ast.While)
	inner := outer.Body[1].(*ast.If)
	loop := inner.Then[0].(*ast.While)
	require.Same(t, loop, loop.Body[0].(*ast.Break).Target)
	require.Same(t, inner, inner.Then[1].(*ast.Break).Target)
	require.Same(t, outer, outer.Body[2].(*ast.Break).Target)
	require.Equal(t, []*ast.Label{stmts[4].(*ast.Label), stmts[2].(*ast.Label)}, stmts[3].(*ast.Goto).Targets)
}

// Inner declarations hide outer ones.
func TestScopes(t *testing.T) {
	p := read(t, `const x: bool; procedure x(y: int) { var x: int; assert x == 1 && (forall x: real, y: bool :: x > 1.0 && y) && x > y; }
axiom x && (var x := !x; (forall x: int :: x > 1) && x) && x;`, Options{})
	cond := p.Procedures[0].Body.Stmts[0].(*ast.Assert).Cond
	var types []string
	ast.Walk(cond, func(e ast.Expr) bool {
		if v, ok := e.(*ast.Identifier); ok {
			types = append(types, v.Name+":"+v.Type.String())
		}
		return true
	})
	require.Equal(t, []string{"x:int", "x:real", "y:bool", "x:int", "y:int"}, types)
}

// What an assignment gives a variable is the variable with what is inside changed.
func TestAssignedValues(t *testing.T) {
	p := read(t, "var m: [int][bool]{ f: int }; datatype D { C(g: [int]int) } var d: D; "+
		"procedure p() { m[1][true]!f, d->g[2] := 3, 4; }", Options{})
	s := p.Procedures[0].Body.Stmts[0].(*ast.Assign)
	v, e := s.Value(0)
	require.Same(t, p.Globals[0], v)
	require.Equal(t, "m[1 := m[1][true := m[1][true]->(f := 3)]]", ast.String(e))
	require.Equal(t, v.Type, e.TypeOf())
	v, e = s.Value(1)
	require.Same(t, p.Globals[1], v)
	require.Equal(t, "d->(g := d->g[2 := 4])", ast.String(e))
}

// An extern declaration stands aside for another one, an ignored one is known but not part of the program.
func TestExternAndIgnore(t *testing.T) {
	p := read(t, `type {:extern} T a; type T; const {:extern} c: T; const {:extern} c: int; function {:ignore} f(): int { 1 }
axiom {:ignore} 1 == true; axiom 1 == 1; var {:extern} c2: int; const c2: bool;`, Options{})
	require.Len(t, p.Types, 1)
	require.Empty(t, p.Types[0].Params)
	require.Len(t, p.Constants, 2)
	require.Equal(t, "T", p.Constants[0].Type.String())
	require.Empty(t, p.Globals)
	require.Empty(t, p.Functions)
	require.Len(t, p.Axioms, 1)
}

// Of several sources that are one program, #if knows which one it is in.
func TestConditionalLines(t *testing.T) {
	src := "#if FILE_0\nconst a: int;\n#elsif FILE_1\nconst b: int;\n#if EXTRA\nconst c: int;\n#endif\n#else\nconst d: int;\n#endif\n"
	for want, o := range map[string]Options{"a": {}, "b": {Index: 1}, "b c": {Index: 1, Defines: []string{"EXTRA"}},
		"a ": {Defines: []string{"FILE_1"}}, "d": {Index: 2}} {
		p := read(t, src, o)
		var names []string
		for _, v := range p.Constants {
			names = append(names, v.Name)
			require.Equal(t, strings.Index(src, "const "+v.Name), strings.Index(src, strings.Split(src, "\n")[v.Pos.Line-1]))
		}
		require.Equal(t, strings.TrimSpace(want), strings.Join(names, " "))
	}
}

// A tree may be checked again; it says the same then.
func TestCheckTwice(t *testing.T) {
	for _, src := range examples {
		p := read(t, src, Options{})
		before, procedures := printed(t, p), len(p.Procedures)
		require.NoError(t, Check(p, Options{}), src)
		require.Equal(t, before, printed(t, p))
		require.Len(t, p.Procedures, procedures)
	}
}

// Types that would be exponentially large are refused, and quickly.
func TestLargeTypes(t *testing.T) {
	var b strings.Builder
	b.WriteString("type T0 = int;")
	for i := range 60 {
		fmt.Fprintf(&b, "type T%d = [T%d]T%d;", i+1, i, i)
	}
	_, err := Read("f", []byte(b.String()+"var x: T60;"), Options{})
	require.ErrorContains(t, err, "has more than 10000 parts")
	_, err = Read("f", []byte("function f<a>(x: a): [a]a; axiom "+strings.Repeat("f(", 60)+"1"+strings.Repeat(")", 60)+" == 1;"), Options{})
	require.ErrorContains(t, err, "has more than 10000 parts")
}

// The same for records that are made of one another.
func TestLargeRecords(t *testing.T) {
	chain := strings.Repeat("(var x := { a: x, b: x }; ", 60) + "x" + strings.Repeat(")", 60)
	_, err := Read("f", []byte("const x: int; axiom "+chain+" == "+chain+";"), Options{})
	require.ErrorContains(t, err, "has more than 10000 parts")
}

// A type variable can't be solved by a type that contains it.
func TestInfiniteTypes(t *testing.T) {
	_, err := Read("f", []byte("function f<a>(x: a, y: [int]a): bool; function g<a>(): a; axiom (var x := g(); f(x, x));"), Options{})
	require.ErrorContains(t, err, "argument 2 of f should have type [int]a, but has type a")
}
