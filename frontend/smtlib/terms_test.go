package smtlib

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// define reads src as the body of a constant, after some declarations, and returns it.
func define(t require.TestingT, p *term.Pool, declarations, sort, src string) *term.Term {
	s, err := Read("f", []byte(declarations+"(define-fun defined () "+sort+" "+src+")"), p)
	require.NoError(t, err, src)
	return s.symbols.at(s.symbols.intern([]byte("defined"))).fn.body
}

const someData = "(declare-datatypes ((L 0) (T 0)) (((nil) (cons (hd Int) (tl L))) ((leaf) (node (kids L) (sub T)))))(declare-sort U 0)\n"

const moreData = `(declare-datatype Opt (par (T) ((none) (put (first T) (second (Opt T))))))(declare-datatypes (A B) ((Both (both (l A) (r B) (b Both)) neither)))
(define-fun-rec two () Int 2)(define-funs-rec ((twice ((x Int)) Int) (next ((x Int)) Int)) ((* two (next x)) (+ x 1)))
`

// Closed terms have the values that SMT-LIB gives them.
func TestValues(t *testing.T) {
	for _, c := range [][3]string{
		{"Int", "(div 7 2)", "3"}, {"Int", "(div (- 7) 2)", "(- 4)"}, {"Int", "(div 7 (- 2))", "(- 3)"}, {"Int", "(div (- 7) (- 2))", "4"},
		{"Int", "(mod (- 7) 2)", "1"}, {"Int", "(mod 7 (- 2))", "1"}, {"Int", "(rem 7 (- 2))", "(- 1)"}, {"Int", "(div 100 5 3)", "6"},
		{"Int", "(- 5 2 1)", "2"}, {"Int", "(- 5)", "(- 5)"}, {"Int", "-5", "(- 5)"}, {"Real", "-5.5", "(- 5.5)"}, {"Int", "(+ 1 2 3)", "6"}, {"Int", "(* 2 3 4)", "24"},
		{"Int", "(abs (- 3))", "3"}, {"Int", "(ite (< 1 2 3) 1 0)", "1"}, {"Int", "(ite (< 1 3 2) 1 0)", "0"},
		{"Int", "99999999999999999999999999", "99999999999999999999999999"},
		{"Real", "(/ 1 4 2)", "(/ 1 8)"}, {"Real", "(+ 1 0.5)", "1.5"}, {"Real", "3", "3.0"}, {"Real", "(ite true 1 0.5)", "1.0"},
		{"Int", "(to_int 2.5)", "2"}, {"Int", "(to_int (- 2.5))", "(- 3)"}, {"Real", "(to_real 2)", "2.0"}, {"Bool", "(is_int 2.5)", "false"},
		{"Bool", "(= 1 1.0)", "true"}, {"Bool", "(distinct 1 2 1)", "false"}, {"Bool", "(distinct 1 2 3)", "true"}, {"Bool", "(= 1 1 2)", "false"},
		{"Bool", "(=> true false true)", "true"}, {"Bool", "(=> true true false)", "false"}, {"Bool", "(xor true true true)", "true"},
		{"Bool", "(implies false false)", "true"}, {"Bool", "(iff true false)", "false"}, {"Bool", "(and)", "true"}, {"Bool", "(or)", "false"},
		{"Bool", "((_ divisible 3) 9)", "true"}, {"Bool", "((_ divisible 36893488147419103232) 1)", "false"},
		{"Bool", "(let ((x 1)) (let ((x 2) (y x)) (= y 1)))", "true"}, {"Bool", "(let ((|a b| 1)) (= |a b| 1))", "true"},
		{"Bool", "(! (< 1 2) :weight 0 :foo (a (b) \"c\"))", "true"},
		{"Bool", "(forall ((x Int)) true)", "true"},
		{"Int", "(select (store ((as const (Array Int Int)) 7) 1 2) 1)", "2"}, {"Int", "(select (store ((as const (Array Int Int)) 7) 1 2) 3)", "7"},
		{"Real", "(select ((as const (Array Real Real)) 1) 2)", "1.0"},
		{"Int", "(hd (tl (cons 1 (cons 2 nil))))", "2"}, {"Bool", "((_ is cons) nil)", "false"}, {"Bool", "(is-nil (as nil L))", "true"},
		{"Bool", "((_ is (cons (Int L) L)) (cons 1 nil))", "true"}, {"Bool", "(= (node (cons 1 nil) leaf) leaf)", "false"},
		{"(_ BitVec 8)", "#xff", "#xff"}, {"(_ BitVec 4)", "#b1010", "#xa"}, {"(_ BitVec 8)", "(_ bv257 8)", "#x01"},
		{"(_ BitVec 8)", "(bvadd #xff #x02)", "#x01"}, {"(_ BitVec 8)", "(bvsub #x00 #x01)", "#xff"}, {"(_ BitVec 8)", "(bvmul #x10 #x11)", "#x10"},
		{"(_ BitVec 8)", "(bvudiv #x07 #x00)", "#xff"}, {"(_ BitVec 8)", "(bvurem #x07 #x00)", "#x07"}, {"(_ BitVec 8)", "(bvsdiv #xf9 #x02)", "#xfd"},
		{"(_ BitVec 8)", "(bvsrem #xf9 #x02)", "#xff"}, {"(_ BitVec 8)", "(bvsmod #xf9 #x02)", "#x01"},
		{"(_ BitVec 8)", "(bvshl #x81 #x01)", "#x02"}, {"(_ BitVec 8)", "(bvlshr #x81 #x01)", "#x40"}, {"(_ BitVec 8)", "(bvashr #x81 #x01)", "#xc0"},
		{"(_ BitVec 8)", "(bvnand #x0f #x3c)", "#xf3"}, {"(_ BitVec 8)", "(bvnor #x0f #x3c)", "#xc0"}, {"(_ BitVec 8)", "(bvxnor #x0f #x3c)", "#xcc"},
		{"(_ BitVec 8)", "(bvor #x01 #x02 #x04)", "#x07"}, {"(_ BitVec 8)", "(bvneg (bvnot #x00))", "#x01"},
		{"(_ BitVec 8)", "(concat #xa #b01 #b10)", "#xa6"}, {"(_ BitVec 3)", "((_ extract 4 2) #x14)", "#b101"},
		{"(_ BitVec 8)", "((_ zero_extend 4) #xf)", "#x0f"}, {"(_ BitVec 8)", "((_ sign_extend 4) #xf)", "#xff"},
		{"(_ BitVec 8)", "((_ rotate_left 1) #x81)", "#x03"}, {"(_ BitVec 8)", "((_ rotate_right 1) #x81)", "#xc0"}, {"(_ BitVec 8)", "((_ repeat 2) #xa)", "#xaa"},
		{"(_ BitVec 1)", "(bvcomp #x0a #x0a)", "#b1"}, {"Int", "(bv2nat #x0a)", "10"}, {"(_ BitVec 4)", "((_ int2bv 4) 18)", "#x2"},
		{"Bool", "(bvult #x01 #xff)", "true"}, {"Bool", "(bvslt #x01 #xff)", "false"}, {"Bool", "(bvuge #x01 #xff)", "false"}, {"Bool", "(bvsge #x01 #xff)", "true"},
		{"(_ BitVec 1)", "(bvredor #x00)", "#b0"}, {"(_ BitVec 1)", "(bvredor #x10)", "#b1"}, {"(_ BitVec 1)", "(bvredand #xfe)", "#b0"}, {"(_ BitVec 1)", "(bvredand #xff)", "#b1"},
		{"Int", "(sbv_to_int #xfe)", "(- 2)"}, {"Int", "(sbv_to_int #x7f)", "127"}, {"Int", "(ubv_to_int #xfe)", "254"}, {"(_ BitVec 4)", "((_ int_to_bv 4) (- 3))", "#xd"},
		{"(_ BitVec 8)", "(ext_rotate_left #x81 #x09)", "#x03"}, {"(_ BitVec 8)", "(ext_rotate_right #x81 #x01)", "#xc0"}, {"(_ BitVec 1)", "(ext_rotate_left #b1 #b1)", "#b1"},
		{"(_ BitVec 8)", "(bvudiv_i #x07 #x00)", "#xff"}, {"(_ BitVec 8)", "(bvurem_i #x07 #x00)", "#x07"}, {"(_ BitVec 8)", "(bvsdiv_i #xf9 #x00)", "#x01"},
		{"(_ BitVec 8)", "(bvsrem_i #xf9 #x02)", "#xff"}, {"(_ BitVec 8)", "(bvsmod_i #xf9 #x02)", "#x01"}, {"(_ BitVec 8)", "(bvsmod_i #xf9 #x00)", "#xf9"},
		{"L", "((_ update-field hd) (cons 1 nil) 2)", "(cons 2 nil)"}, {"L", "((_ update tl) nil (cons 1 nil))", "nil"},
		{"Int", "(match (cons 1 (cons 2 nil)) ((nil 0) ((cons x y) (+ x (hd y)))))", "3"}, {"Int", "(match (as nil L) (((cons x _) x) (l (ite (= l nil) 7 8))))", "7"},
		{"Real", "(match leaf ((_ 1.5) (leaf 2)))", "1.5"}, {"Int", "(match nil ((nil 1) (nil 2) ((cons _ _) 3)))", "1"},
		{"Int", "(let ((x nil)) (let ((hd 3) (x (cons 5 x))) (match x (((cons x l) (+ x (match l ((nil hd) (y 9))))) (nil 0)))))", "8"},
		{"Int", "(first (put 1 (as none (Opt Int))))", "1"}, {"Int", "(- (first (second (put 1 (put 2 (as none (Opt Int)))))))", "(- 2)"},
		{"(Opt Real)", "((as put (Opt Real)) 1 (as none (Opt Real)))", "(put 1.0 (as none (Opt Real)))"}, {"Bool", "(is-put (put 1 (put 1.5 (as none (Opt Real)))))", "true"},
		{"Int", "(twice (next 3))", "10"}, {"Bool", "(r (both 1 true (as neither (Both Int Bool))))", "true"}, {"Int", "(match (put 1 (as none (Opt Int))) ((none 0) ((put a b) (match b ((none a) (_ 2))))))", "1"},
		{"Bool", "(bvule #x01 #x01)", "true"}, {"Bool", "(bvsle #xff #x01)", "true"}, {"Bool", "(bvugt #x01 #xff)", "false"}, {"Bool", "(bvsgt #x01 #xff)", "true"},
	} {
		p := term.NewPool()
		s, err := Read("f", []byte(someData+moreData+"(define-fun got () "+c[0]+" "+c[1]+")(define-fun want () "+c[0]+" "+c[2]+")"), p)
		require.NoError(t, err, c[1])
		value := func(name string) term.Value {
			v, ok := valueOf(p, s.symbols.at(s.symbols.intern([]byte(name))).fn.body)
			require.True(t, ok, c[1])
			return v
		}
		got, want := value("got"), value("want")
		require.True(t, got.Equal(want), "%s is %s, not %s", c[1], got, want)
	}
}

// A term that is printed reads back as itself.
func TestPrintedTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		g := &termGen{t: t, p: p}
		x := g.boolean(4)
		var decl strings.Builder
		for _, v := range term.Vars(x) {
			fmt.Fprintf(&decl, "(declare-var %s %s)", term.QuoteSymbol(v.Name()), v.Sort())
		}
		var b bytes.Buffer
		require.NoError(t, term.Write(&b, x))
		require.Same(t, x, define(t, p, decl.String(), "Bool", b.String()), b.String())
		require.Same(t, x, define(t, p, decl.String(), "Bool", x.String()), x.String())
	})
}

// termGen draws terms over a few variables.
type termGen struct {
	t *rapid.T
	p *term.Pool
}

func (g *termGen) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "op") }

func (g *termGen) boolean(depth int) *term.Term {
	if depth == 0 {
		return g.p.Var([]string{"b", "b c", "let"}[g.pick(3)], term.Bool)
	}
	d := depth - 1
	switch g.pick(12) {
	case 0:
		return g.p.Not(g.boolean(d))
	case 1:
		return g.p.And(g.boolean(d), g.boolean(d))
	case 2:
		return g.p.Or(g.boolean(d), g.boolean(d))
	case 3:
		return g.p.Ite(g.boolean(d), g.boolean(d), g.boolean(d))
	case 4:
		return g.p.Iff(g.boolean(d), g.boolean(d))
	case 5:
		return g.p.Exists([]*term.Term{g.p.Var("x", term.Int)}, g.boolean(d))
	case 6:
		return g.p.Forall([]*term.Term{g.p.Var("y", term.Int), g.p.Var("r", term.Real)}, g.boolean(d))
	case 7:
		return g.p.Lt(g.number(term.Real, d), g.number(term.Real, d))
	case 8:
		return g.p.Divides(term.NewInt(3), g.number(term.Int, d))
	case 9:
		return g.p.BV(term.BVUle, g.vector(d), g.vector(d))
	case 10:
		return g.p.Eq(g.array(d), g.array(d))
	default:
		return g.p.Le(g.number(term.Int, d), g.number(term.Int, d))
	}
}

func (g *termGen) number(s *term.Sort, depth int) *term.Term {
	if depth == 0 {
		if g.pick(2) == 0 {
			return g.p.Numeral(term.NewInt(int64(g.pick(9)-4)), s)
		}
		if s == term.Real {
			return g.p.Var("r", s)
		}
		return g.p.Var([]string{"x", "y"}[g.pick(2)], s)
	}
	d := depth - 1
	switch k := g.pick(8); {
	case k == 0:
		return g.p.Add(g.number(s, d), g.number(s, d))
	case k == 1:
		return g.p.Mul(g.number(s, d), g.number(s, d))
	case k == 2:
		return g.p.Ite(g.boolean(d), g.number(s, d), g.number(s, d))
	case k == 3:
		return g.p.Abs(g.number(s, d))
	case k == 4 && s == term.Real:
		return g.p.Div(g.number(s, d), g.number(s, d))
	case k == 5 && s == term.Real:
		return g.p.ToReal(g.number(term.Int, d))
	case k == 4:
		return g.p.IntDiv(g.number(s, d), g.number(s, d))
	case k == 5:
		return g.p.Mod(g.number(s, d), g.number(s, d))
	case k == 6 && s == term.Int:
		return g.p.Select(g.array(d), g.number(s, d))
	case k == 7 && s == term.Int:
		return g.p.ToInt(g.number(term.Real, d))
	}
	return g.p.Sub(g.number(s, d), g.number(s, d))
}

func (g *termGen) array(depth int) *term.Term {
	s := g.p.Array(term.Int, term.Int)
	if depth == 0 {
		return g.p.Var("a", s)
	}
	if g.pick(2) == 0 {
		return g.p.ConstArray(s, g.number(term.Int, depth-1))
	}
	return g.p.Store(g.array(depth-1), g.number(term.Int, depth-1), g.number(term.Int, depth-1))
}

func (g *termGen) vector(depth int) *term.Term {
	if depth == 0 {
		return g.p.Var("v", g.p.BitVec(8))
	}
	d := depth - 1
	switch g.pick(6) {
	case 0:
		return g.p.BVNum(term.NewInt(int64(g.pick(256))), 8)
	case 1:
		return g.p.BV(term.BVNot, g.vector(d))
	case 2:
		return g.p.BV(term.BVConcat, g.p.Extract(7, 4, g.vector(d)), g.p.Extract(3, 0, g.vector(d)))
	case 3:
		return g.p.RotateLeft(3, g.vector(d))
	case 4:
		return g.p.Extract(7, 0, g.p.SignExtend(4, g.vector(d)))
	}
	ops := []term.Op{term.BVAdd, term.BVMul, term.BVUdiv, term.BVSrem, term.BVShl, term.BVXor, term.BVNand}
	return g.p.BV(ops[g.pick(len(ops))], g.vector(d), g.vector(d))
}

// Terms may be nested far deeper than a goroutine's call stack would like, in every way that they can be.
func TestDeepTerms(t *testing.T) {
	const n = 30000
	nest := func(open, core, close string) string {
		return strings.Repeat(open, n) + core + strings.Repeat(close, n)
	}
	for _, f := range []string{
		nest("(not (and b ", "c", "))"),
		nest("(ite (< x 3) ", "b", " c)"),
		nest("(or (and ", "b", " c) b)"),
		"(= x " + nest("(select (store a ", "x", " 2) 3)") + ")",
		"(= x " + nest("(f (+ 1 ", "x", "))") + ")",
		"(= x " + nest("(ite b (+ x 1) ", "x", ")") + ")",
		nest("(let ((b (not b))) ", "b", ")"),
		nest("(let ((u ", "b", ")) u)"),
		nest("(exists ((b Bool)) ", "b", ")"),
		nest("(! ", "b", " :weight 1)"),
	} {
		p := term.NewPool()
		s, err := Read("f", []byte("(declare-fun P (Int Bool Bool (Array Int Int)) Bool)(define-fun f ((y Int)) Int (ite (> y 2) y 2))"+
			"(assert (forall ((x Int)(b Bool)(c Bool)(a (Array Int Int))) (=> "+f+" (P x b c a))))"), p)
		require.NoError(t, err)
		require.Len(t, s.System.Clauses, 1)
		_, err = Read("f", []byte(strings.Repeat("(assert ", n)), p)
		require.Error(t, err)
	}
	// With predicates at the bottom, formulas are walked recursively, but to a limit.
	_, err := Read("f", []byte(preds+"(assert (=> "+nest("(or z (and (not ", "(P 1)", ") z))")+" false))"), term.NewPool())
	require.Error(t, err)
	body := strings.Repeat("(or z (and z ", 3000) + "(P 1)" + strings.Repeat("))", 3000)
	s, err := Read("f", []byte(preds+"(assert (=> "+body+" false))"), term.NewPool())
	require.NoError(t, err)
	require.Greater(t, len(s.System.Predicates), len(s.Declared))
}
