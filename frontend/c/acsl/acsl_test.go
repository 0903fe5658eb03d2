package acsl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/tree"
)

func noType(name string) bool { return name == "u32" }

// one is the only clause of a text.
func one(t *testing.T, text string) Clause {
	t.Helper()
	comments := Comments("f.c", []byte(text))
	require.Len(t, comments, 1, text)
	clauses := comments[0].Clauses(noType)
	require.Len(t, clauses, 1, text)
	return clauses[0]
}

func TestConditionsBecomeC(t *testing.T) {
	const i = "__CONTRACT_integer("
	for text, want := range map[string]string{
		`x`:                           "x",
		`\true && !\false`:            "((1) && ((!(0))))",
		`a ==> b ==> c`:               "(!(a) || ((!(b) || (c))))",
		`a <==> b`:                    "(!(a) == !(b))",
		`a ^^ b`:                      "(!(a) != !(b))",
		`0 <= x < n`:                  "((" + i + "0) <= " + i + "x)) && (" + i + "x) < " + i + "n)))",
		`x + 1 == -y * 2`:             "((" + "(" + i + "x) + " + i + "1)) == ((-" + i + "y)) * " + i + "2))))",
		`p->a[k].b == *q`:             "((" + i + "p->a[k].b) == " + i + "(*q))))",
		`\result == \old(x)`:          "((" + i + "__CONTRACT_result()) == " + i + "__CONTRACT_old(x))))",
		`\at(x, Pre) != \null`:        "((" + i + "__CONTRACT_old(x)) != " + i + "((void *)0))))",
		`(u32) x`:                     "((u32)x)",
		`(unsigned char) x`:           "((unsigned char)x)",
		`c ? x : y`:                   "(c ? " + i + "x) : " + i + "y))",
		`\forall integer k; k`:        `__CONTRACT_forall("k", __CONTRACT_variable("k", 0LL))`,
		`\exists integer k, m; m`:     `__CONTRACT_exists("k", __CONTRACT_exists("m", __CONTRACT_variable("m", 0LL)))`,
		`\forall int k; k > 0`:        `__CONTRACT_forall("k", ((` + i + `__CONTRACT_variable("k", (int)0)) > ` + i + `0))))`,
		`\forall u32 k, m; m`:         `__CONTRACT_forall("k", __CONTRACT_forall("m", __CONTRACT_variable("m", (u32)0)))`,
		`\exists int k, integer m; m`: `__CONTRACT_exists("k", __CONTRACT_exists("m", __CONTRACT_variable("m", 0LL)))`,
		`name: x`:                     "x",
	} {
		c := one(t, "/*@ assert "+text+"; */")
		require.Equal(t, Clause{Kind: Assert, Pos: c.Pos, Condition: want}, c, text)
	}
}

func TestClausesHaveTheirPlaces(t *testing.T) {
	comments := Comments("f.c", []byte("char *s = \"/*@ assert 0; */\"; // /*@ assert 0; */\n/* plain */ int x; /*@ requires a;\n  @ ensures b; @*/\n//@ loop invariant c; assigns d, \\nothing;\n/*@null@*/"))
	require.Len(t, comments, 3)
	require.Equal(t, tree.Pos{File: "f.c", Line: 2, Column: 20}, comments[0].Begin)
	require.Equal(t, tree.Pos{File: "f.c", Line: 3, Column: 19}, comments[0].End)
	require.Equal(t, []Clause{
		{Kind: Requires, Pos: tree.Pos{File: "f.c", Line: 2, Column: 33}, Condition: "a"},
		{Kind: Ensures, Pos: tree.Pos{File: "f.c", Line: 3, Column: 13}, Condition: "b"},
	}, comments[0].Clauses(noType))
	require.Equal(t, []Clause{
		{Kind: Invariant, Pos: tree.Pos{File: "f.c", Line: 4, Column: 20}, Condition: "c"},
		{Kind: Assigns, Pos: tree.Pos{File: "f.c", Line: 4, Column: 31}, Condition: `d , \nothing`},
	}, comments[1].Clauses(noType))
	require.Empty(t, comments[2].Clauses(noType), "an annotation of another tool")
}

// Places that are valid become a pointer and the numbers of the first and the last element behind it.
func TestValidPlacesBecomeCalls(t *testing.T) {
	const i = "__CONTRACT_integer("
	for text, want := range map[string]string{
		`\valid(p)`:                    "(__CONTRACT_valid(p, 0, 0, 1))",
		`\valid_read(&s->next)`:        "(__CONTRACT_valid((&s->next), 0, 0, 0))",
		`\valid(p, q)`:                 "(__CONTRACT_valid(p, 0, 0, 1) && __CONTRACT_valid(q, 0, 0, 1))",
		`\valid(p + (0 .. n - 1))`:     "(__CONTRACT_valid(p, " + i + "0), (" + i + "n) - " + i + "1)), 1))",
		`\valid{Here}(&a[k][i .. j])`:  "(__CONTRACT_valid(a[k], " + i + "i), " + i + "j), 1))",
		`\valid((char *)p + (0 .. 7))`: "(__CONTRACT_valid(((char *)p), " + i + "0), " + i + "7), 1))",
	} {
		c := one(t, "/*@ assert "+text+"; */")
		require.Equal(t, Clause{Kind: Assert, Pos: c.Pos, Condition: want, Valid: true}, c, text)
	}
	require.False(t, one(t, "/*@ assert x; */").Valid)
}

// What is not read does not keep the clauses behind it from being read.
func TestWhatIsNotReadIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		`requires \separated(p, q);`:          `\separated`,
		`requires \valid((0 .. n) + p);`:      "these places",
		`requires \valid(a[0 .. n]);`:         "these places",
		`requires \valid(p + (a .. b .. c));`: "a range of ranges",
		`requires \valid{L}(p);`:              `\valid at the label L`,
		`ensures \old(\valid(p));`:            `\valid in what is kept of the function's beginning`,
		`requires p(x);`:                      "the call of p",
		`ensures \at(x, L) == 1;`:             "the label L",
		`assert a[0 .. n] == 1;`:              "a range of elements",
		`behavior b: assumes x;`:              "behavior",
		`loop variant n - i;`:                 "loop variant",
		`loop assigns x;`:                     "loop assigns",
		`requires x +;`:                       `";"`,
		`requires x`:                          `"ensures" where ";" is expected`,
		`predicate p(integer x) = x > 0;`:     "predicate",
		`requires \forall int *k; *k > 0;`:    "a quantifier over the type int *",
		`invariant x > 0;`:                    "invariant outside of a loop's annotation",
	} {
		clauses := Comments("f.c", []byte("/*@ "+text+" ensures y; */"))[0].Clauses(noType)
		require.Equal(t, want, clauses[0].Missing, text)
		if text[len(text)-1] == ';' {
			require.Equal(t, "y", clauses[len(clauses)-1].Condition, text)
		}
	}
}

func TestClausesOfCBMCAreCut(t *testing.T) {
	text := []byte("int f(int x)\n  __CPROVER_requires(x > 0 /* ) */ && g(x)[0])\n  __CPROVER_ensures(__CPROVER_return_value == __CPROVER_old(x) + 1) {\n while (x) __CPROVER_loop_invariant(x >= 0\n) x--; __CPROVER_assume(x); }\n")
	comments := Cut("f.c", text)
	require.Equal(t, "int f(int x)\n                                              \n                                                                    {\n while (x)                                \n  x--; __CPROVER_assume(x); }\n", string(text))
	require.Len(t, comments, 3)
	require.Equal(t, "the call of g", comments[0].Clauses(noType)[0].Missing)
	require.Equal(t, []Clause{{Kind: Ensures, Pos: tree.Pos{File: "f.c", Line: 3, Column: 21}, Condition: "((__CONTRACT_result() == (__CONTRACT_old(x) + 1)))"}}, comments[1].Clauses(noType))
	require.Equal(t, []Clause{{Kind: Invariant, Pos: tree.Pos{File: "f.c", Line: 4, Column: 37}, Condition: "((x >= 0))"}}, comments[2].Clauses(noType))
}

func TestAnnotationsThatAreNotCompiledAreLeftOut(t *testing.T) {
	text := []byte("//@ assert a;\n#if 0\n/* #endif\n#endif */ //@ assert b;\n# if 1 /*\n*/ // '\n//@ assert c;\n # endif\n#else\n//@ assert d;\nint x;\n#endif\nchar *s = \"\\\n#if\"; //@ assert e;\n")
	require.Equal(t, []Group{{3, 8}, {6, 7}, {10, 11}}, Groups(text))
	conditions := func(comments []Comment) (out []string) {
		for _, c := range comments {
			out = append(out, c.Clauses(noType)[0].Condition)
		}
		return out
	}
	counting, left := Compiled(Comments("f.c", text), Groups(text), func() map[int]bool { return map[int]bool{11: true, 13: true} })
	require.Equal(t, []string{"a", "d", "e"}, conditions(counting))
	require.Equal(t, []string{"b", "c"}, conditions(left))
}
