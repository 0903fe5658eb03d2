package proof_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// vocabulary declares variables of many types, which a formula may speak of at the head of the loop.
const vocabulary = `type T; const unique red, green: T; const limit: int;
datatype Shape { Dot(), Box(width: int, filled: bool) }
type Pair = [int,bool]int;
function f(x: int): int; function g2(x: int, b: bool): int;
var g: int; var a: [int]int; var grid: Pair; var flags: [T]bool; var colour: T;
procedure main(n: int, v: bv8, w: bv8, r: real, s: Shape, other: T) returns (o: int)
  modifies g, a, grid, flags, colour;
{
  var x, y: int; var b: bool; var q: real; var u: bv8; var rows: [int][int]int; var t: T; var m: [int]int; var z: Shape; var p: Pair;
  havoc g, a, grid, flags, colour, o, x, y, b, q, u, rows, t, m, z, p;
  while (*) { havoc g, a, grid, flags, colour, o, x, y, b, q, u, rows, t, m, z, p; }
  %s
  assert x == limit + f(y) + g2(x, b) + (x div y) + (x mod y);
  assert g == old(g) && a == old(a) && grid == old(grid) && flags == old(flags) && colour == old(colour) && n == 0;
  assert colour == red || colour == green;
  assert v == w && u == v && r == q && s == z && s is Box && t == other && o == 0 && m == rows[0] && rows[1] == a && p == grid;
}
%s`

// head encodes the vocabulary with an assertion, or an assumption, and functions; it returns the meaning of the head's
// predicate, and the first failure from there: over the head's arguments, what makes the assertion fail.
func head(t require.TestingT, pool *term.Pool, statement, functions string) (*encode.Encoding, *chc.Predicate, *chc.Clause) {
	src := fmt.Sprintf(vocabulary, statement, functions)
	tree, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	e, err := encode.Encode(context.Background(), tree, pool, encode.Options{})
	require.NoError(t, err, src)
	for _, c := range e.System.Clauses {
		if len(c.Body) == 1 && c.Head != nil && e.Meanings[c.Body[0].Pred].Kind == encode.Point && e.Meanings[c.Head.Pred].Kind == encode.Failure {
			return e, c.Body[0].Pred, c
		}
	}
	require.Fail(t, "no failure")
	return nil, nil, nil
}

// formulas makes random terms over the arguments of a predicate.
type formulas struct {
	t    *rapid.T
	pool *term.Pool
	vars map[string][]*term.Term // by the kind of their type
	byZero, atZero,
	function, function2 *term.Term
}

func (f *formulas) n(low, high int) int { return rapid.IntRange(low, high).Draw(f.t, "n") }

func (f *formulas) pick(kind string) *term.Term {
	return rapid.SampledFrom(f.vars[kind]).Draw(f.t, kind)
}

func (f *formulas) boolean(depth int) *term.Term {
	p := f.pool
	kind := f.n(0, 16)
	if depth == 0 {
		kind = f.n(0, 1)
	}
	d := depth - 1
	switch kind {
	case 0:
		return f.pick("bool")
	case 1:
		return p.Le(f.integer(0), f.integer(0))
	case 2, 3:
		return p.And(f.boolean(d), f.boolean(d))
	case 4, 5:
		return p.Or(f.boolean(d), f.boolean(d))
	case 6:
		return p.Not(f.boolean(d))
	case 7:
		return p.Eq(f.integer(d), f.integer(d))
	case 8:
		return p.Lt(f.real(d), f.real(d))
	case 9:
		return p.Eq(f.shape(d), f.shape(d))
	case 10:
		return p.BV(rapid.SampledFrom([]term.Op{term.BVUle, term.BVSle, term.BVUlt, term.BVSgt}).Draw(f.t, "comparison"), f.bits(d), f.bits(d))
	case 11:
		return p.Eq(f.array(d), f.array(d))
	case 12:
		return p.Eq(f.colour(d), f.colour(d))
	case 13:
		return p.Le(f.colour(d), p.Int(int64(f.n(-1, 3))))
	case 14:
		return p.Divides(term.NewInt(int64(f.n(2, 4))), f.integer(d))
	case 15:
		return p.Select(f.pick("flags"), f.colour(d))
	}
	return rapid.SampledFrom([]func() *term.Term{
		func() *term.Term { return p.Ite(f.boolean(d), f.boolean(d), f.boolean(d)) },
		func() *term.Term { return p.Eq(f.boolean(d), f.boolean(d)) },
		func() *term.Term { return p.Eq(f.bits(d), f.bits(d)) },
		func() *term.Term { return p.Eq(f.pair(d), f.pair(d)) },
		func() *term.Term { return p.IsInt(f.real(d)) },
		func() *term.Term { x := f.shape(d); return p.Is(x.Sort().Data.Constructors[f.n(0, 1)], x) },
	}).Draw(f.t, "boolean")()
}

func (f *formulas) integer(depth int) *term.Term {
	p := f.pool
	kind := f.n(0, 15)
	if depth == 0 {
		kind = f.n(0, 2)
	}
	d := depth - 1
	switch kind {
	case 0, 1:
		return f.pick("int")
	case 2:
		return p.Int(int64(f.n(-3, 5)))
	case 3, 4:
		return p.Add(f.integer(d), f.integer(d))
	case 5:
		return p.Scale(term.NewInt(int64(f.n(-3, 3))), f.integer(d))
	case 6:
		return p.IntDiv(f.integer(d), p.Int(int64(rapid.SampledFrom([]int{2, 3, -2}).Draw(f.t, "divisor"))))
	case 7:
		return p.Mod(f.integer(d), p.Int(3))
	case 8:
		x, y := f.integer(0), f.pick("int")
		if f.n(0, 1) == 0 {
			return p.Ite(p.Eq(y, p.Int(0)), p.Select(f.byZero, x), p.IntDiv(x, y))
		}
		return p.Ite(p.Eq(y, p.Int(0)), p.Select(f.atZero, x), p.Mod(x, y))
	case 9:
		return p.Select(f.array(d), f.integer(d))
	case 10:
		return p.Select(p.Select(f.pair(d), f.integer(d)), f.boolean(d))
	case 11:
		return p.Select(f.function, f.integer(d))
	case 12:
		return p.Select(p.Select(f.function2, f.integer(d)), f.boolean(d))
	case 13:
		return p.Ite(f.boolean(d), f.integer(d), f.integer(d))
	case 14:
		return rapid.SampledFrom([]func() *term.Term{
			func() *term.Term { return p.Abs(f.integer(d)) },
			func() *term.Term { return p.ToInt(f.real(d)) },
			func() *term.Term { return p.BVToNat(f.bits(d)) },
		}).Draw(f.t, "integer")()
	}
	x := f.pick("shape")
	box := x.Sort().Data.Constructors[1]
	return p.Ite(p.Is(box, x), p.Field(box.Selectors[0], x), f.integer(0))
}

func (f *formulas) real(depth int) *term.Term {
	p := f.pool
	kind := f.n(0, 6)
	if depth == 0 {
		kind = f.n(0, 1)
	}
	switch kind {
	case 0:
		return f.pick("real")
	case 1:
		return p.Real(term.NewRat(int64(f.n(-4, 4)), int64(f.n(1, 4))))
	case 2, 3:
		return p.Add(f.real(depth-1), f.real(depth-1))
	case 4:
		return p.Scale(term.NewRat(int64(f.n(-2, 2)), 3), f.real(depth-1))
	case 5:
		return p.ToReal(f.integer(depth - 1))
	}
	return p.Ite(f.boolean(depth-1), f.real(depth-1), f.real(depth-1))
}

func (f *formulas) bits(depth int) *term.Term {
	p := f.pool
	kind := f.n(0, 9)
	if depth == 0 {
		kind = f.n(0, 1)
	}
	d := depth - 1
	switch kind {
	case 0:
		return f.pick("bv8")
	case 1:
		return p.BVNum(term.NewInt(int64(f.n(0, 255))), 8)
	case 2:
		return p.BV(rapid.SampledFrom([]term.Op{term.BVNot, term.BVNeg}).Draw(f.t, "unary"), f.bits(d))
	case 3, 4:
		return p.BV(rapid.SampledFrom([]term.Op{term.BVAnd, term.BVOr, term.BVXor, term.BVAdd, term.BVSub, term.BVShl, term.BVLshr, term.BVAshr}).Draw(f.t, "binary"), f.bits(d), f.bits(d))
	case 5:
		k := f.n(1, 7)
		return p.BV(term.BVConcat, p.Extract(k-1, 0, f.bits(d)), p.Extract(7, k, f.bits(d)))
	case 6:
		return p.ZeroExtend(3, p.Extract(6, 2, f.bits(d)))
	case 7:
		return p.SignExtend(2, p.Extract(5, 0, f.bits(d)))
	case 8:
		return rapid.SampledFrom([]func() *term.Term{
			func() *term.Term { return p.RotateLeft(3, f.bits(d)) },
			func() *term.Term { return p.Repeat(4, p.Extract(3, 2, f.bits(d))) },
			func() *term.Term { return p.NatToBV(8, f.integer(d)) },
			func() *term.Term { return p.ZeroExtend(7, p.BV(term.BVComp, f.bits(d), f.bits(d))) },
		}).Draw(f.t, "bits")()
	}
	return p.Ite(f.boolean(d), f.bits(d), f.bits(d))
}

func (f *formulas) array(depth int) *term.Term {
	p := f.pool
	kind := f.n(0, 5)
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		return f.pick("map")
	case 2:
		return p.Select(f.pick("rows"), f.integer(depth-1))
	case 3:
		return p.ConstArray(f.vars["map"][0].Sort(), f.integer(depth-1))
	case 4:
		return p.Ite(f.boolean(depth-1), f.array(depth-1), f.array(depth-1))
	}
	return p.Store(f.array(depth-1), f.integer(depth-1), f.integer(depth-1))
}

// pair is a map of two indices.
func (f *formulas) pair(depth int) *term.Term {
	p := f.pool
	if depth == 0 || f.n(0, 2) == 0 {
		return f.pick("pair")
	}
	m, i := f.pair(depth-1), f.integer(depth-1)
	row := p.Store(p.Select(m, i), f.boolean(depth-1), f.integer(depth-1))
	if f.n(0, 2) == 0 {
		row = p.Store(row, f.boolean(0), f.integer(0))
	}
	return p.Store(m, i, row)
}

func (f *formulas) colour(depth int) *term.Term {
	if depth > 0 && f.n(0, 2) == 0 {
		return f.pool.Ite(f.boolean(depth-1), f.colour(depth-1), f.colour(depth-1))
	}
	if f.n(0, 2) == 0 {
		return f.pool.Int(int64(f.n(0, 1)))
	}
	return f.pick("colour")
}

func (f *formulas) shape(depth int) *term.Term {
	cs := f.vars["shape"][0].Sort().Data.Constructors
	switch {
	case depth == 0 || f.n(0, 2) == 0:
		return f.pick("shape")
	case f.n(0, 2) == 0:
		return f.pool.Construct(cs[0])
	}
	return f.pool.Construct(cs[1], f.integer(depth-1), f.boolean(depth-1))
}

// kinds are the names of the types of the vocabulary.
var kinds = map[string]string{
	"int": "int", "bool": "bool", "real": "real", "bv8": "bv8", "[int]int": "map", "[int,bool]int": "pair", "[int, bool]int": "pair",
	"[int][int]int": "rows", "[T]bool": "flags", "T": "colour", "Shape": "shape",
}

// newFormulas makes formulas over the arguments of the head's predicate, and the claim that speaks of them.
func newFormulas(t *rapid.T, pool *term.Pool, e *encode.Encoding, pred *chc.Predicate, args []*term.Term) (*formulas, *proof.Claim) {
	m := e.Meanings[pred]
	f := &formulas{t: t, pool: pool, vars: map[string][]*term.Term{}}
	claim := &proof.Claim{Kind: proof.Invariant, Procedure: m.Procedure, Head: &proof.Head{Implementation: m.Procedure.Implementations[0]}}
	for i, a := range m.Arguments {
		claim.Names = append(claim.Names, proof.Name{Variable: args[i], Argument: a})
		op, zero := a.ByZero()
		switch {
		case zero && op == ast.Div:
			f.byZero = args[i]
		case zero:
			f.atZero = args[i]
		case a.Function != nil && a.Function.Name == "f":
			f.function = args[i]
		case a.Function != nil:
			f.function2 = args[i]
		default:
			kind := kinds[a.Variable.Type.String()]
			require.NotEmpty(t, kind, a.Variable.Type.String())
			f.vars[kind] = append(f.vars[kind], args[i])
		}
	}
	return f, claim
}

// A formula that is written as conditions of the program, read again and encoded again is the same formula.
func TestConditionsMeanTheirFormulas(t *testing.T) {
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		e, pred, first := head(t, pool, "", "")
		f, claim := newFormulas(t, pool, e, pred, first.Body[0].Args)
		claim.Formula = f.boolean(f.n(1, 4))
		if text, dropped := requireSame(t, e, pred, claim, f.vars["colour"]); len(dropped) == 0 {
			require.NotEmpty(t, text)
			written++
		} else {
			require.Contains(t, dropped[0].Why, "row of a map of several indices", "%s", claim.Formula)
		}
	})
	t.Logf("%d formulas written", written)
}

// What occurs many times in a formula is written a few times only, and means the same.
func TestSharedPartsHaveNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		e, pred, first := head(t, pool, "", "")
		f, claim := newFormulas(t, pool, e, pred, first.Body[0].Args)
		x, c := f.integer(1), f.boolean(1)
		for range f.n(4, 6) {
			if f.n(0, 2) == 0 {
				c = pool.Eq(c, pool.Le(x, f.integer(0)))
			}
			x = pool.Ite(c, pool.Add(x, f.integer(0)), pool.Scale(term.NewInt(2), x))
		}
		claim.Formula = pool.Or(pool.Eq(pool.Mod(x, pool.Int(7)), f.integer(0)), pool.And(c, f.boolean(1)))
		text, dropped := requireSame(t, e, pred, claim, f.vars["colour"])
		require.Empty(t, dropped)
		require.Less(t, len(text), 80*claim.Formula.Size()+200, text)
	})
}

// requireSame requires that a claim that is written, read and encoded again is the same formula. It returns the text, or
// what could not be written.
func requireSame(t require.TestingT, e *encode.Encoding, pred *chc.Predicate, claim *proof.Claim, colours []*term.Term) (string, []proof.Dropped) {
	pool := e.System.Pool
	args := make([]*term.Term, len(claim.Names))
	for i, n := range claim.Names {
		args[i] = n.Variable
	}
	x := proof.NewExpressions(e)
	conditions, dropped := x.Conditions(claim)
	if len(dropped) > 0 {
		return "", dropped
	}
	var texts, functions []string
	for _, c := range conditions {
		texts = append(texts, "("+ast.String(c)+")")
	}
	for _, fn := range x.Functions() {
		functions = append(functions, ast.DeclarationString(fn))
	}
	text := "true"
	if len(texts) > 0 {
		text = strings.Join(texts, " && ")
	}
	// Of the values of T two are constants; the others are larger than any number that is mentioned.
	others := func(vs []*term.Term) (out []*term.Term) {
		for _, c := range vs {
			out = append(out, pool.Or(pool.Eq(c, pool.Int(0)), pool.Eq(c, pool.Int(1)), pool.Gt(c, pool.Int(10))))
		}
		return out
	}
	// What an assertion of the conditions fails with contradicts the formula, what one of their negation fails with
	// implies it. Either may name an index at which maps differ, so that neither is the negation of the other.
	for _, negated := range []bool{false, true} {
		statement, other := "assert "+text+";", claim.Formula
		if negated {
			statement, other = "assert !("+text+");", pool.Not(claim.Formula)
		}
		again, pred2, clause := head(t, pool, statement, strings.Join(functions, "\n"))
		if again.Segments[clause].Before != 0 {
			// It cannot fail, as the encoder sees by itself.
			requireUnsat(t, pool, fmt.Sprintf("%s\nis written as\n%s", claim.Formula, text), append(others(colours), pool.Not(other))...)
			continue
		}
		require.Len(t, clause.Body[0].Args, len(args), "%s and %s", pred2.Name, text)
		same := map[*term.Term]*term.Term{}
		for i, a := range clause.Body[0].Args {
			require.Equal(t, argumentName(e.Meanings[pred].Arguments[i]), argumentName(again.Meanings[pred2].Arguments[i]))
			same[args[i]] = a
			if from, to := args[i].Sort().Data, a.Sort().Data; from != nil {
				// Each encoding declares its own datatypes.
				box := to.Constructors[1]
				same[args[i]] = pool.Ite(pool.Is(to.Constructors[0], a), pool.Construct(from.Constructors[0]),
					pool.Construct(from.Constructors[1], pool.Field(box.Selectors[0], a), pool.Field(box.Selectors[1], a)))
			}
		}
		premises := []*term.Term{clause.Constraint, pool.Substitute(other, same)}
		for _, f := range others(colours) {
			premises = append(premises, pool.Substitute(f, same))
		}
		requireUnsat(t, pool, fmt.Sprintf("%s\nis written as\n%s", claim.Formula, text), premises...)
	}
	return text, nil
}

func argumentName(a encode.Argument) string {
	if a.Function != nil {
		return a.Function.Name
	}
	return fmt.Sprint(a.When, a.Variable.Name)
}

// requireUnsat has the solver look for an assignment that makes all formulas true. That it finds none in a short time is
// taken for there being none.
func requireUnsat(t require.TestingT, pool *term.Pool, what string, fs ...*term.Term) {
	solvers, err := z3.Open(pool, smt.Config{})
	require.NoError(t, err)
	defer solvers.Close()
	s, err := solvers.NewSolver(smt.Params{})
	require.NoError(t, err)
	defer s.Close()
	s.SetLimit(smt.Limit{Time: 100 * time.Millisecond})
	require.NoError(t, s.Assert(fs...))
	status, err := s.Check(context.Background())
	require.NoError(t, err)
	if status == smt.Sat {
		// Solvers do not always say of Boolean indices that they are the same; only values count.
		m, err := s.Model()
		require.NoError(t, err)
		e := term.NewEvaluator(pool, term.Complete(pool, m))
		require.False(t, e.True(pool.And(fs...)), what)
	}
}
