package proof_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
)

// How formulas over the vocabulary are written.
func TestTexts(t *testing.T) {
	p := term.NewPool()
	e, pred, first := head(t, p, "", "")
	claim := &proof.Claim{Kind: proof.Invariant, Procedure: e.Meanings[pred].Procedure, Head: &proof.Head{Implementation: e.Meanings[pred].Procedure.Implementations[0]}}
	v := map[string]*term.Term{}
	for i, a := range e.Meanings[pred].Arguments {
		claim.Names = append(claim.Names, proof.Name{Variable: first.Body[0].Args[i], Argument: a})
		name := ""
		if a.Function != nil {
			name = a.Function.Name
		} else {
			name = a.Variable.Name
		}
		if a.When == encode.AtEntry && a.Variable.Kind == ast.Global {
			name = "old " + name
		}
		v[name] = first.Body[0].Args[i]
	}
	n := func(i int64) *term.Term { return p.Int(i) }
	real := func(i int64) *term.Term { return p.Real(term.NewInt(i)) }
	x, y, limit, b := v["x"], v["y"], v["limit"], v["b"]
	i, j := p.Var("one", term.Int), p.Var("other", term.Int)
	index := p.Var("index", term.Int)
	for _, c := range []struct {
		formula *term.Term
		want    string
	}{
		{p.Le(x, y), "x <= y"},
		{p.Lt(x, y), "x < y"},
		{p.Ge(p.Add(x, n(3)), p.Scale(term.NewInt(2), y)), "x + 3 >= 2 * y"},
		{p.Ge(x, n(0)), "x >= 0"},
		{p.Lt(x, n(0)), "x < 0"},
		{p.Gt(x, n(3)), "x > 3"},
		{p.Le(v["q"], real(-1)), "q <= -1.0"},
		{p.Gt(v["q"], real(-1)), "q > -1.0"},
		{p.Ne(x, n(-5)), "x != -5"},
		{p.Eq(p.Mod(x, n(4)), n(0)), "x mod 4 == 0"},
		{p.Or(p.Ne(x, n(1)), p.Gt(y, n(2))), "x == 1 ==> y > 2"},
		{p.Or(p.Le(v["n"], n(0)), p.Gt(y, n(2)), b), "n > 0 ==> b || y > 2"},
		{p.Or(p.Le(x, n(0)), p.Gt(y, n(2))), "y > 2 || x <= 0"},
		{p.Ite(b, p.Le(x, n(0)), p.Gt(y, n(2))), "if b then x <= 0 else y > 2"},
		{p.Eq(v["g"], p.Add(v["old g"], n(1))), "g == old(g) + 1"},
		{p.Eq(v["colour"], n(0)), "colour == red"},
		{p.Ne(v["colour"], v["t"]), "colour != t"},
		{p.Le(v["colour"], n(5)), "colour == red || colour == green"},
		{p.Gt(v["colour"], n(0)), "colour != red"},
		{p.Lt(v["colour"], n(0)), "false"},
		{p.Eq(v["colour"], n(7)), "false"},
		{p.Select(v["flags"], n(1)), "flags[green]"},
		{p.Eq(p.Select(p.Select(v["grid"], x), b), p.Select(v["f"], y)), "f(y) == grid[x, b]"},
		{p.Eq(p.Select(p.Select(v["g2"], x), b), limit), "g2(x, b) == limit"},
		{p.Eq(v["p"], p.Store(p.Store(v["grid"], x, p.Store(p.Select(v["grid"], x), b, n(1))), y, p.Store(p.Select(p.Store(v["grid"], x, p.Store(p.Select(v["grid"], x), b, n(1))), y), b, n(2)))), "p == grid[x, b := 1][y, b := 2]"},
		{p.Eq(p.Select(v["grid"], x), p.Select(v["p"], y)), "(forall x1: bool :: grid[x, x1] == p[y, x1])"},
		{p.Eq(v["f"], v["m"]), "(forall i: int :: f(i) == m[i])"},
		{p.Eq(v["m"], p.ConstArray(v["m"].Sort(), n(0))), "m == (lambda i: int :: 0)"},
		{p.Forall([]*term.Term{i}, p.Or(p.Lt(i, n(0)), p.Ge(i, x), p.Eq(p.Select(v["m"], i), n(0)))), "(forall i: int :: i >= 0 && i < x ==> m[i] == 0)"},
		{p.Forall([]*term.Term{i, j}, p.Or(p.Not(p.Select(v["flags"], i)), p.Not(p.Select(v["flags"], j)), p.Eq(i, j))), "(forall x1: T, y1: T :: flags[x1] && flags[y1] ==> x1 == y1)"},
		{p.Forall([]*term.Term{i}, p.Eq(p.Select(v["rows"], i), v["m"])), "(forall i: int :: m == rows[i])"},
		{p.Is(v["z"].Sort().Data.Constructors[1], v["z"]), "z is Box"},
		{p.Ite(p.Is(v["z"].Sort().Data.Constructors[1], v["z"]), p.Gt(p.Field(v["z"].Sort().Data.Constructors[1].Selectors[0], v["z"]), n(0)), b), "if z is Box then z->width > 0 else b"},
		{p.Eq(v["z"], p.Construct(v["z"].Sort().Data.Constructors[1], x, b)), "z == Box(x, b)"},
		{p.Eq(p.Extract(3, 0, v["u"]), p.BVNum(term.NewInt(5), 4)), "u[4:0] == 5bv4"},
		{p.BV(term.BVSlt, v["u"], v["w"]), "bvslt_8(u, w)"},
		{p.Eq(p.BV(term.BVAnd, v["u"], v["w"]), v["v"]), "v == bvand_8(w, u)"},
		{p.Eq(p.BV(term.BVAnd, p.Extract(3, 0, v["u"]), p.Extract(3, 0, v["w"])), p.BVNum(term.NewInt(0), 4)), "bvand_4(u[4:0], w[4:0]) == 0bv4"},
		{p.Eq(index, n(0)), ""},
		{p.Eq(p.Ite(p.Eq(y, n(0)), p.Select(v["div by zero"], x), p.IntDiv(x, y)), n(4)), "x div y == 4"},
		{p.Eq(p.Ite(p.Eq(y, n(0)), p.Select(v["mod by zero"], x), p.IntDiv(x, y)), n(4)), "(if y == 0 then x mod 0 else x div y) == 4"},
		{p.Eq(p.Ite(p.Eq(y, n(0)), p.Select(v["div by zero"], y), p.IntDiv(x, y)), n(4)), "(if y == 0 then y div 0 else x div y) == 4"},
	} {
		claim.Formula = c.formula
		conditions, dropped := proof.NewExpressions(e).Conditions(claim)
		if c.want == "" {
			if assert.Len(t, dropped, 1, c.formula.String()) {
				assert.Contains(t, dropped[0].String(), "cannot be written in Boogie")
			}
			continue
		}
		assert.Empty(t, dropped, c.formula.String())
		var texts []string
		for _, c := range conditions {
			texts = append(texts, ast.String(c))
		}
		assert.Equal(t, c.want, strings.Join(texts, "; "), c.formula.String())
	}
	claim.Formula = p.And(b, p.Or(p.Eq(v["z"], v["s"]), p.Le(x, y)), p.Not(p.Or(p.Le(x, n(7)), p.Eq(limit, n(3)))))
	conditions, _ := proof.NewExpressions(e).Conditions(claim)
	require.Len(t, conditions, 4, "conjuncts are conditions of their own")
	// What shares its parts is short when they can have names, and is left out when it would be very long.
	nested := p.Forall([]*term.Term{i}, p.Eq(p.Select(v["m"], i), x))
	for k := range int64(18) {
		nested = p.Ite(p.Eq(p.Select(v["f"], n(k)), x), nested, p.Not(nested))
	}
	claim.Formula = nested
	conditions, _ = proof.NewExpressions(e).Conditions(claim)
	require.Len(t, conditions, 1, "its parts have names")
	require.Less(t, len(ast.String(conditions[0])), 3000)
	chain := p.ConstArray(v["m"].Sort(), n(0))
	for k := range int64(18) {
		chain = p.Ite(p.Eq(p.Select(v["f"], n(k)), x), p.Store(chain, p.Select(chain, x), n(k)), chain)
	}
	claim.Formula = p.Eq(v["m"], chain)
	_, left := proof.NewExpressions(e).Conditions(claim)
	require.Len(t, left, 1)
	require.Contains(t, left[0].Why, "operators")
	low := func(name string) *term.Term { return p.Extract(3, 0, v[name]) }
	claim.Formula = p.And(p.BV(term.BVSle, v["u"], v["w"]), p.BV(term.BVSle, low("u"), low("w")), p.BV(term.BVSle, low("v"), low("w")))
	expressions := proof.NewExpressions(e)
	expressions.Conditions(claim)
	require.Len(t, expressions.Functions(), 2, "an operator has a function for each width")
}

// What a model says of the program is claimed where it holds, and entries are held to nothing.
func TestClaims(t *testing.T) {
	tree, err := boogie.Read("test.bpl", []byte(`
var g: bv16;
procedure p(x: bv16) { g := x; L: assert g != 9bv16; goto L, M; M: }
procedure main(k: bv16) { call p(k); while (*) { call main(k); } }
`), boogie.Options{})
	require.NoError(t, err)
	pool := term.NewPool()
	e, err := encode.Encode(context.Background(), tree, pool, encode.Options{Entry: "main"})
	require.NoError(t, err)
	model := witness.NewModel()
	for _, pred := range e.System.Predicates {
		i := witness.True(pool, pred)
		for k, s := range pred.Sorts {
			if k > 0 && s == i.Params[k-1].Sort() {
				i.Body = pool.BV(term.BVSle, i.Params[k], i.Params[k-1])
			} else {
				i.Body = pool.BV(term.BVUle, i.Params[k], pool.BV(term.BVOr, i.Params[k], pool.BVNum(term.NewInt(1), 16)))
			}
		}
		model.Interpretations[pred] = i
	}
	claims := proof.Claims(e, model, proof.Options{})
	words := map[proof.Kind]string{proof.Requires: "requires", proof.Ensures: "ensures", proof.Invariant: "invariant"}
	var places []string
	for _, c := range claims {
		places = append(places, c.Procedure.Name+" "+words[c.Kind])
	}
	require.Equal(t, []string{"p requires", "p ensures", "p invariant", "main ensures", "main invariant"}, places)
	require.Equal(t, "L", claims[2].Head.Label)
	require.NotNil(t, claims[4].Head.While)
	require.Equal(t, 3, claims[2].Pos.Line)

	require.Empty(t, proof.Annotate(e, claims))
	var b strings.Builder
	require.NoError(t, ast.Print(&b, tree))
	_, err = boogie.Read("annotated.bpl", []byte(b.String()), boogie.Options{Strict: true})
	require.NoError(t, err, "the operators that the conditions need are declared: %s", b.String())
	require.Equal(t, 1, strings.Count(b.String(), `{:bvbuiltin "bvsle"}`), b.String())
}

// An error procedure that Corral's instrumentation leaves is one like any other.
func TestErrorProceduresOfInstrumentedPrograms(t *testing.T) {
	r := roundTrip(t, `
var ok: bool; var n: int;
procedure reach_error() { n := 1; }
procedure {:entrypoint} start() { ok := true; n := 0; call reach_error(); call main(); assume {:OldAssert} !ok; }
procedure main() { if (n == 0) { ok := false; } }`, 0)
	require.Empty(t, r.why, r.annotated)
	require.NotContains(t, r.annotated, "requires false;")
	require.Contains(t, r.annotated, "ensures false;")
}
