package encode_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// attributed is a program in which §n§ stands where attributes may.
const attributed = `const §0§ k: int; var §1§ g: int; function §2§ f(§3§ x: int): int; axiom §4§ (forall §5§ x: int :: {f(x)} f(x) > k);
procedure §6§ q(§7§ a: int) returns (§8§ b: int); requires §9§ a > 0; modifies g; ensures §10§ b > a;
procedure §11§ r(a: int) returns (b: int); implementation §12§ r(a: int) returns (b: int) { b := a; }
procedure main() modifies g; { var §13§ x: int; assume §14§ x > 1; g := f(x); call §15§ x := q(x); call x := r(x); if §16§ (x > 3) { x := 1; }
  while (x < 10) invariant §17§ x > 0; { x := x + 1; } assert §18§ x > 0; }`

// with puts an attribute at the n-th place, or with everywhere at all.
func with(n int, attribute string) string {
	src := attributed
	for i := range places {
		text := ""
		if i == n || n == everywhere {
			text = attribute
		}
		src = strings.Replace(src, fmt.Sprintf("§%d§", i), text, 1)
	}
	return src
}

const everywhere = -2

const places = 19

// clauses writes the clauses of a program, or says why it has none; approximated are its places with more behaviours.
func clauses(src string) (text string, approximated []ast.Approximation, err error) {
	program, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	if err != nil {
		return "", nil, err
	}
	e, err := encode.Encode(context.Background(), program, term.NewPool(), encode.Options{})
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	app := func(a *chc.App) {
		if a != nil {
			fmt.Fprintf(&b, "%s%v ", a.Pred.Name, a.Args)
		}
	}
	for _, c := range e.System.Clauses {
		app(c.Head)
		b.WriteString(":- ")
		for i := range c.Body {
			app(&c.Body[i])
		}
		fmt.Fprintln(&b, c.Constraint)
	}
	return b.String(), program.Approximated, nil
}

// Each attribute of the table does what the table says, wherever it stands.
func TestTableOfAttributes(t *testing.T) {
	plain, approximated, err := clauses(with(-1, ""))
	require.NoError(t, err)
	require.Empty(t, approximated)
	implemented := map[string]bool{}
	for _, a := range ast.KnownAttributes {
		require.NotEmpty(t, a.Meaning, a.Name)
		switch a.Effect {
		case ast.Ignored:
			argument := map[string]string{"minimize": " 1", "maximize": " 1"}[a.Name]
			text, approximated, err := clauses(with(everywhere, "{:"+a.Name+argument+"}"))
			require.NoError(t, err, a.Name)
			require.Empty(t, approximated, a.Name)
			require.Equal(t, plain, text, a.Name)
		case ast.NotModelled:
			_, approximated, err := clauses(with(everywhere, "{:"+a.Name+"}"))
			require.NoError(t, err, a.Name)
			require.NotEmpty(t, approximated, a.Name)
			for _, x := range approximated {
				require.Contains(t, x.What, a.Meaning)
			}
		case ast.Refused:
			if a.Name != "datatype" { // of types, of which the program has none
				_, _, err := clauses(with(everywhere, "{:"+a.Name+"}"))
				require.ErrorIs(t, err, boogie.ErrUnsupported, a.Name)
			}
		case ast.Implemented:
			implemented[a.Name] = true
		}
	}
	text, approximated, err := clauses(with(18, `{:nobody.knows "it", 7}`))
	require.NoError(t, err)
	require.Empty(t, approximated)
	require.Equal(t, plain, text)
	for _, x := range implementedAttributes {
		require.True(t, implemented[x.name], x.name)
		delete(implemented, x.name)
	}
	require.Empty(t, implemented, "attributes without an example")
	check(t, encode.Options{}, implementedAttributes)
}

// implementedAttributes has a program for each attribute with a meaning, whose verdict would be another one without it.
var implementedAttributes = []example{
	{"extern", safe, `const {:extern} c: bool; const c: int; procedure main() { assert c == c + 0; }`},
	{"ignore", unsafe, `procedure main() { assert false; } axiom {:ignore} false;`},
	{"existential", unsafe, `const {:existential true} c: bool; procedure main() { assert !c; assert false; }`},
	{"builtin", safe, `function {:builtin "abs"} f(x: int): int; procedure main(x: int) { assert f(x) >= 0; }`},
	{"bvbuiltin", safe, `function {:bvbuiltin "bvadd"} f(x: bv8, y: bv8): bv8; procedure main() { assert f(255bv8, 1bv8) == 0bv8; }`},
	{"indices", safe, "//#Safe\nfunction {:builtin \"zero_extend\"} {:indices 8} f(x: bv8) returns (y: bv16); procedure main() { assert f(255bv8) == 255bv16; }"},
	{"smtdefined", safe, `function {:smtdefined "((as const (Array Int Int)) 0)"} f(): [int]int; procedure main(x: int) { assert f()[x] == 0; }`},
	{"inline", safe, `procedure {:inline 1} p(x: int) { assert x > 0; } procedure main() { }`},
	{"define", safe, `function {:define} f(x: int): int { x + 1 } procedure main() { assert f(1) == 2; }`},
	{"pool", safe, `procedure main(m: [int]int) { assume (forall {:pool "p"} i: int :: m[i + i] == 1); assume {:add_to_pool "p", 3} true; assert m[6] == 1; }`},
	{"add_to_pool", safe, `procedure main(m: [int]int) { assume (forall {:pool "p"} i: int :: m[i * i + i] == 1); assume {:add_to_pool "p", 3} true; assert m[12] == 1; }`},
	{"assumption", safe, `procedure main(n: int) { var {:assumption} a: bool; assert a; a := a && n > 0; assert a <==> n > 0; }`},
	{"entrypoint", safe, `procedure {:entrypoint} p() { } procedure main() { assert false; }`},
	{"verify", safe, `procedure {:verify false} p() returns (x: int); ensures x > 0; implementation p() returns (x: int) { x := 0; assert false; } procedure main() { var x: int; call x := p(); assert x > 0; }`},
	{"verified_under", safe, `procedure main(b: bool) { assume b; assert {:verified_under b} false; }`},
	{"always_assume", safe, `procedure p() returns (x: int) { x := 1; } procedure main() { var x: int; call x := p(); assert x == 1; }`},
	{"candidate", safe, `procedure main(x: int) { assert {:candidate} x > 0; }`},
	{"OldAssert", unsafe, `procedure main(x: int) { assume {:OldAssert} x > 0; }`},
}

func TestAttributesThatAreNotFollowed(t *testing.T) {
	for src, what := range map[string]string{
		`function {:smtdefined "(foo x)"} f(x: int): int; procedure main() { assert f(1) == 0; }`:         "not understood",
		`function {:smtdefined "(+ x 1)"} f(x: bool): int; procedure main() { }`:                          "not understood",
		`function {:overapproximation "f"} f(x: int): int; procedure main() { assert f(1) == 0; }`:        "fewer behaviours",
		`procedure p(x: int); requires x > 0; procedure main(b: bool) { call {:verified_under b} p(0); }`: "assertions only",
		`procedure main(b: bool) { while (*) invariant {:verified_under b} false; { } }`:                  "assertions only",
		`procedure {:selective_checking} main() { assert false; assume {:start_checking_here} true; }`:    "only assumed",
	} {
		_, approximated, err := clauses(src)
		require.NoError(t, err, src)
		require.Len(t, approximated, 1, src)
		require.Contains(t, approximated[0].What, what)
	}
	_, approximated, err := clauses(`function {:overapproximation "f"} f(x: int): int; procedure main() { assert false; }`)
	require.NoError(t, err)
	require.Empty(t, approximated, "the function is not applied")
	_, _, err = clauses(`type {:builtin "Bool"} B; procedure main(x: B) { }`)
	require.ErrorIs(t, err, boogie.ErrUnsupported)
	_, _, err = clauses(`type {:datatype} D; procedure main(x: D) { }`)
	require.ErrorIs(t, err, boogie.ErrUnsupported)
}
