package process

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

const pretend = "HORNBEAM_TEST_PRETEND_SOLVER"

// TestMain draws fewer random formulas than is usual: each needs a few processes. The test binary also serves as a
// solver that misbehaves.
func TestMain(m *testing.M) {
	if mode := os.Getenv(pretend); mode != "" {
		pretendSolver(mode)
		return
	}
	if err := flag.Set("rapid.checks", "5"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// pretendSolver answers checks as the mode says.
func pretendSolver(mode string) {
	in := bufio.NewReader(os.Stdin)
	for {
		e, err := readSexpr(in)
		if err != nil {
			return
		}
		if !e.isList("check-sat", 1) && !e.isList("check-sat-assuming", 1) {
			if mode == "chatty" {
				fmt.Println("; a comment\nsuccess")
			}
			continue
		}
		switch mode {
		case "chatty":
			fmt.Println("unsupported\n  unsat")
		case "refuse":
			fmt.Println(`(error "arrays like these are not yet supported")`)
		case "error":
			fmt.Println(`(error "line 7: no ""such"" thing")`)
		case "odd":
			fmt.Println("maybe")
		case "die":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		case "hang":
			select {}
		}
	}
}

// eachSolver runs the test with every known solver that is installed.
func eachSolver(t *testing.T, test func(t *testing.T, command string, open smt.Opener)) {
	for _, command := range []string{"z3", "cvc5"} {
		t.Run(command, func(t *testing.T) {
			if _, err := exec.LookPath(command); err != nil {
				t.Skipf("no binary %s on the path, so nothing was tested with it", command)
			}
			open, err := Command(command)
			require.NoError(t, err)
			test(t, command, open)
		})
	}
}

func TestConformance(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		smttest.Conformance(t, open, smttest.Options{Theories: smttest.All, Deep: 3000})
	})
}

func check(t require.TestingT, s smt.Solver, assumptions ...*term.Term) smt.Status {
	status, err := s.Check(context.Background(), assumptions...)
	require.NoError(t, err)
	return status
}

// Every solver agrees with the binding on random formulas.
func TestAgreesWithBinding(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		rapid.Check(t, func(t *rapid.T) {
			sig, err := smttest.NewSignature(term.NewPool(), smttest.All)
			require.NoError(t, err)
			var solvers []smt.Solver
			for _, open := range []smt.Opener{open, z3.Open} {
				c, err := open(sig.Pool, smt.Config{})
				require.NoError(t, err)
				defer c.Close()
				s, err := c.NewSolver(smt.Params{})
				require.NoError(t, err)
				s.SetLimit(smt.Limit{Time: 2 * time.Second})
				solvers = append(solvers, s)
			}
			for range 8 {
				require.NoError(t, solvers[0].Push())
				require.NoError(t, solvers[1].Push())
				g, a := sig.Formula(t, 3), sig.Formula(t, 1)
				require.NoError(t, solvers[0].Assert(g))
				require.NoError(t, solvers[1].Assert(g))
				one, other := check(t, solvers[0], a), check(t, solvers[1], a)
				if one != smt.Unknown && other != smt.Unknown {
					require.Equal(t, other, one, "%v\n%v", g, a)
				}
				if one == smt.Unsat {
					require.NoError(t, solvers[0].Pop())
					require.NoError(t, solvers[1].Pop())
				}
			}
		})
	})
}

// Variables that share a name, or have a name that SMT-LIB reserves or cannot write, are told apart.
func TestNames(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		p := term.NewPool()
		c, err := open(p, smt.Config{Seed: 3})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		var ts, vars []*term.Term
		for i, name := range []string{"x", "div", "select", "a b", "", "x|y", `back\slash`, "@at", ".dot", "let", "?0", "x!!0", "assume!!0", "é", "Int"} {
			n, r := p.Var(name, term.Int), p.Var(name, term.Real)
			vars = append(vars, n, r)
			ts = append(ts, p.Eq(n, p.Int(int64(i))), p.Eq(r, p.Real(term.NewRat(int64(i), 7))))
		}
		require.NoError(t, s.Assert(ts...))
		require.Equal(t, smt.Unsat, check(t, s, p.Gt(vars[0], p.Int(0))))
		require.Equal(t, smt.Sat, check(t, s, p.Ge(vars[0], p.Int(0))))
		m, err := s.Model()
		require.NoError(t, err)
		for i, v := range vars {
			x, ok := m.Lookup(v)
			require.True(t, ok, "%v", v)
			require.Equal(t, v.Sort(), x.Sort())
			want := term.NewInt(int64(i / 2))
			if i%2 == 1 {
				want = term.NewRat(int64(i/2), 7)
			}
			require.True(t, want.Equal(x.Num()), "%v = %v", v, x)
		}
	})
}

func TestElements(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		p := term.NewPool()
		c, err := open(p, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		thing := p.Uninterpreted("Thing")
		u, v := p.Var("u", thing), p.Var("v", thing)
		require.NoError(t, s.Push())
		require.NoError(t, s.Assert(p.Eq(u, p.Element(thing, 1))))
		require.Equal(t, smt.Unsat, check(t, s, p.Eq(u, p.Element(thing, 2))))
		require.NoError(t, s.Pop())
		require.NoError(t, s.Assert(p.Or(p.Eq(u, p.Element(thing, 1)), p.Eq(u, p.Element(thing, 4))), p.Ne(u, p.Element(thing, 1)), p.Ne(u, v)))
		require.Equal(t, smt.Sat, check(t, s))
		m, err := s.Model()
		require.NoError(t, err)
		x, _ := m.Lookup(u)
		require.Equal(t, p.Element(thing, 4), x.Term(p))
		y, _ := m.Lookup(v)
		require.NotEqual(t, p.Element(thing, 4), y.Term(p))
	})
}

func TestQuantifiers(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		p := term.NewPool()
		c, err := open(p, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		x, y := p.Var("x", term.Int), p.Var("y", term.Int)
		f := p.DeclareFunc("f", []*term.Sort{term.Int}, term.Int)
		require.NoError(t, s.Assert(p.Forall([]*term.Term{y}, p.Ge(p.Apply(f, y), x)), p.Eq(p.Apply(f, p.Int(2)), y), p.Le(y, p.Int(5))))
		require.Equal(t, smt.Unsat, check(t, s, p.Gt(x, p.Int(5))))
		require.NotEqual(t, smt.Unsat, check(t, s, p.Le(x, p.Int(5))))
	})
}

func misbehaving(t *testing.T, mode string) smt.Solver {
	t.Setenv(pretend, mode)
	open, err := Command(os.Args[0] + " ignored")
	require.NoError(t, err)
	p := term.NewPool()
	c, err := open(p, smt.Config{})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.NoError(t, s.Assert(p.Var("b", term.Bool)))
	return s
}

// What a solver complains of comes back in the error.
func TestSolversText(t *testing.T) {
	for mode, want := range map[string]string{"error": `line 7: no "such" thing`, "odd": "maybe", "die": "out of luck"} {
		s := misbehaving(t, mode)
		for range 2 {
			status, err := s.Check(context.Background())
			require.ErrorContains(t, err, want)
			require.Equal(t, smt.Unknown, status)
		}
		_, err := s.Model()
		require.Error(t, err)
	}
	refusing := misbehaving(t, "refuse")
	require.Equal(t, smt.Unknown, check(t, refusing), "what a solver cannot do is no failure")
	require.Contains(t, refusing.ReasonUnknown(), "not yet supported")
	require.Equal(t, smt.Unsat, check(t, misbehaving(t, "chatty")), "success and unsupported are no answers")
}

func TestHangingSolverIsKilled(t *testing.T) {
	s := misbehaving(t, "hang")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := s.Check(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	s.SetLimit(smt.Limit{Time: 10 * time.Millisecond})
	require.Equal(t, smt.Unknown, check(t, s))
	require.Equal(t, "timeout", s.ReasonUnknown())
	s.Close()
}

func TestCommand(t *testing.T) {
	for _, command := range []string{"", "  ", "no-such-solver-anywhere", "no/such/folder/z3"} {
		_, err := Command(command)
		require.Error(t, err, "%q", command)
	}
	open, err := Command(os.Args[0])
	require.NoError(t, err)
	_, err = open(term.NewPool(), smt.Config{Proofs: true})
	require.ErrorIs(t, err, smt.ErrNoProofs)
}

func TestReadSexpr(t *testing.T) {
	for text, want := range map[string]string{
		"  ; comment (\n abc def":                               "abc",
		"(a (b c) () 12 #b01)":                                  "(a (b c) () 12 #b01)",
		"(define-fun |a b| () Int 1)":                           "(define-fun a b () Int 1)",
		`(error "say ""no"" (now)")`:                            `(error say "no" (now))`,
		"(let ((x 1))(f x))":                                    "(let ((x 1)) (f x))",
		"unsat\n(another)":                                      "unsat",
		strings.Repeat("(", 50000) + strings.Repeat(")", 50000): "",
	} {
		e, err := readSexpr(bufio.NewReader(strings.NewReader(text)))
		require.NoError(t, err, text)
		if want != "" {
			require.Equal(t, want, e.String())
		}
	}
	for _, text := range []string{"", "(a", "(a |b", `("a`, ")", "; only a comment"} {
		_, err := readSexpr(bufio.NewReader(strings.NewReader(text)))
		require.Error(t, err, "%q", text)
	}
}

// Values as solvers print them.
func TestReadValue(t *testing.T) {
	p := term.NewPool()
	lists, err := p.Datatypes(term.DatatypeDecl{Name: "L", Constructors: []term.ConstructorDecl{
		{Name: "nil"}, {Name: "cons", Selectors: []term.SelectorDecl{{Name: "hd", Sort: term.Of(term.Int)}, {Name: "tl", Sort: term.Declared(0)}}},
	}})
	require.NoError(t, err)
	array := p.Array(term.Int, term.Int)
	flags := p.Array(p.BitVec(2), term.Bool)
	for _, c := range []struct {
		sort       *term.Sort
		text, want string
	}{
		{term.Int, "(- 5)", "(- 5)"},
		{term.Int, "123456789012345678901234567890", "123456789012345678901234567890"},
		{term.Real, "(- (/ 1.0 3.0))", "(- (/ 1.0 3.0))"},
		{term.Real, "(/ (- 1) 3)", "(- (/ 1.0 3.0))"},
		{term.Real, "2.50", "(/ 5.0 2.0)"},
		{term.Bool, "(= ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 1) 4 1))", "true"},
		{p.BitVec(8), "#x1f", "#x1f"},
		{p.BitVec(8), "(_ bv31 8)", "#x1f"},
		{p.BitVec(3), "#b101", "#b101"},
		{array, "(store (store ((as const (Array Int Int)) 0) 1 2) (- 7) 3)", "(store (store ((as const (Array Int Int)) 0) (- 7) 3) 1 2)"},
		{array, "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 2))) (store a!1 2 3))", "(store (store ((as const (Array Int Int)) 0) 1 2) 2 3)"},
		{array, "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 2))) (let ((a!2 (store a!1 2 3))) (store a!2 3 4)))", "(store (store (store ((as const (Array Int Int)) 0) 1 2) 2 3) 3 4)"},
		{array, "(lambda ((x!1 Int)) (ite (= x!1 4) 5 (ite (= x!1 9) 1 6)))", "(store (store ((as const (Array Int Int)) 6) 4 5) 9 1)"},
		{flags, "(lambda ((x (_ BitVec 2))) (and (not (= x #b01)) (not (= x #b10))))", "(store (store ((as const (Array (_ BitVec 2) Bool)) false) #b00 true) #b11 true)"},
		{lists[0], "(cons 1 (let ((t (as nil L))) (cons 2 t)))", "(cons 1 (cons 2 nil))"},
		{lists[0], "((as cons L) 1 nil)", "(cons 1 nil)"},
		// What preprocessing leaves: any term without constants.
		{term.Int, "(let ((a!1 (= (store ((as const (Array Int Int)) 0) 1 2) ((as const (Array Int Int)) 0)))) (+ 2 (ite a!1 5 7)))", "9"},
		{term.Int, "(select (store ((as const (Array Int Int)) 0) 1 (- 2)) (+ 3 (* (- 1) 2)))", "(- 2)"},
		{term.Int, "(hd (tl (cons 1 (cons (mod (- 7) 3) nil))))", "2"},
		{term.Bool, "(and (distinct nil (cons 1 nil)) ((_ is cons) (cons 1 nil)) (not (is-cons nil)) (=> false true) (xor true false))", "true"},
		{term.Bool, "(= Thing!val!0 Thing!val!1)", "false"},
		{term.Bool, "(= (as @Thing_0 Thing) (as @Thing_0 Thing))", "true"},
		{term.Bool, "(= (store ((as const (Array Thing L)) nil) Thing!val!0 nil) ((as const (Array Thing L)) nil))", "true"},
		{term.Bool, "(<= 1 (to_int 2.5) 2)", "true"},
		{term.Real, "(+ 1.0 (to_real (- 3)))", "(- 2.0)"},
		{term.Real, "(- 2)", "(- 2.0)"},
		{p.BitVec(8), "(bvadd #x0f (concat #b1 ((_ extract 6 0) #x01)) ((_ zero_extend 4) #x3))", "#x93"},
		{p.BitVec(4), "((_ int2bv 4) (bv2nat #x7))", "#x7"},
		{p.Array(term.Int, array), "(store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 3 (lambda ((x Int)) (ite (= x 1) 1 0)))",
			"(store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 3 (store ((as const (Array Int Int)) 0) 1 1))"},
	} {
		e, err := readSexpr(bufio.NewReader(strings.NewReader(c.text)))
		require.NoError(t, err)
		r := newValueReader(p, lists[0], p.Uninterpreted("Thing"))
		v, err := r.value(c.sort, e)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, v.String(), c.text)
	}
	for text, sort := range map[string]*term.Sort{
		"(root-obj (+ (^ x 2) (- 2)) 1)": term.Real, "1.5": term.Int, "maybe": term.Bool, "(/ 1 0)": term.Real, "#b0x": p.BitVec(3),
		"(_ as-array k!0)": array, "(cons 1)": lists[0], "cons": lists[0], "(is-cons 1)": term.Bool, "(bvadd #b1 #b11)": p.BitVec(1),
		"(bvnot #b1 #b1)": p.BitVec(1), "(bvule #b1 #b1 #b1)": term.Bool, "((_ extract 3 0) #b1)": p.BitVec(4), "(+ true 1)": term.Int,
		"(div 1 0)": term.Int, "(select 1 2)": term.Int, "(store 1 2 3)": array, "((as const Int) 1)": array, "(f 1)": term.Int,
		"(ite true 1)": term.Int, "(and 1 2)": term.Bool, "(_ bv9 3)": p.BitVec(3), "((_ zero_extend 1) 4)": p.BitVec(4), "(= 1 true)": term.Bool,
		"(abs 1 2)": term.Int, "(concat 1 2)": p.BitVec(2), "(lambda ((x Int) (y Int)) x)": array,
		"(lambda ((x Int)) (f x))": array, "()": lists[0],
	} {
		e, err := readSexpr(bufio.NewReader(strings.NewReader(text)))
		require.NoError(t, err)
		r := newValueReader(p, lists[0], p.Uninterpreted("Thing"))
		_, err = r.value(sort, e)
		require.Error(t, err, text)
	}
}

// An application of a function has a value in the model at the values of its arguments, which may be applications, too;
// there is none for what stands below a quantifier.
func TestNestedApplications(t *testing.T) {
	eachSolver(t, func(t *testing.T, _ string, open smt.Opener) {
		p := term.NewPool()
		c, err := open(p, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		s.SetLimit(smt.Limit{Time: 5 * time.Second})
		f := p.DeclareFunc("f", []*term.Sort{term.Int}, term.Int)
		x := p.Var("x", term.Int)
		g := x
		for range 4 {
			g = p.Apply(f, p.Add(g, p.Int(1)))
		}
		formulas := []*term.Term{p.Eq(g, p.Int(72)), p.Ne(p.Apply(f, p.Int(0)), p.Apply(f, x))}
		require.NoError(t, s.Assert(formulas...))
		require.Equal(t, smt.Sat, check(t, s))
		m, err := s.Model()
		require.NoError(t, err)
		e := term.NewEvaluator(p, m)
		for _, g := range formulas {
			require.True(t, e.True(g), "%v\n%v", m, g)
		}
		y := p.Var("y", term.Int)
		require.NoError(t, s.Assert(p.Or(p.Ge(x, p.Int(-1000)), p.Forall([]*term.Term{y}, p.Ge(p.Apply(f, p.Add(y, x)), y)))))
		if check(t, s) == smt.Sat {
			_, err = s.Model()
			require.NoError(t, err)
		}
	})
}
