package verify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lower"
)

// The contract of a function without a body says what calls do, and the assumptions name the function.
func TestContractsStandForFunctionsWithoutABody(t *testing.T) {
	const trusted = "functions without a body do what their contracts say: f"
	const begin = "extern void reach_error(void); int g; "
	for _, test := range []struct {
		name, text string
		verdict    engine.Verdict
		trusted    bool
	}{
		{"what is ensured holds", "/*@ ensures \\result >= x; assigns \\nothing; */ int f(int x); int main(void) { if (f(3) < 3) reach_error(); }", engine.Sat, true},
		{"nothing else does", "/*@ ensures \\result >= x; assigns \\nothing; */ int f(int x); int main(void) { if (f(3) > 3) reach_error(); }", engine.Unsat, true},
		{"what is required is asserted", "/*@ requires x > 0; */ int f(int x); int main(void) { f(0); }", engine.Unsat, true},
		{"and holds", "/*@ requires x > 0; */ int f(int x); int main(void) { f(1); }", engine.Sat, true},
		{"cbmc's clauses", "int f(int x) __CPROVER_requires(x > 0) __CPROVER_ensures(__CPROVER_return_value > x); int main(void) { if (f(1) <= 1) reach_error(); }", engine.Sat, true},
		{"memory by an argument", "/*@ assigns *p; ensures *p == \\old(*p) + 1; */ void f(int *p); int main(void) { int x = 3; f(&x); if (x != 4) reach_error(); }", engine.Sat, true},
		{"memory that is not ensured", "/*@ assigns *p; ensures \\result == 0; */ int f(int *p); int main(void) { int x = 3; f(&x); if (x != 3) reach_error(); }", engine.Unsat, true},
		{"assigns nothing", "/*@ assigns \\nothing; */ void f(int *p); int main(void) { g = 1; f(&g); if (g != 1) reach_error(); }", engine.Sat, true},
		{"a call through a pointer", "/*@ ensures \\result > 0; */ int f(void); int (*p)(void) = f; int main(void) { if (p() <= 0) reach_error(); }", engine.Sat, true},
		{"a struct", "typedef struct { int a, b; } pair; /*@ ensures \\result.a < \\result.b; */ pair f(int s); int main(void) { pair p = f(1); if (p.a == p.b) reach_error(); }", engine.Sat, true},
		{"two declarations", "/*@ ensures \\result > x; */ int f(int x); /*@ ensures \\result < y + 2; */ int f(int y); int main(void) { if (f(1) != 2) reach_error(); }", engine.Sat, true},
		{"a global that is assigned", "/*@ assigns g; ensures g == 1; */ void f(void); int main(void) { g = 0; f(); if (g == 0) reach_error(); }", engine.Sat, true},
		{"a global that is assigned, and nothing is ensured of it", "/*@ assigns g; */ void f(void); int main(void) { g = 0; f(); if (g == 7) reach_error(); }", engine.Unsat, true},
		{"a global that is not assigned", "int h; /*@ assigns g; */ void f(void); int main(void) { h = 3; f(); if (h != 3) reach_error(); }", engine.Sat, true},
		{"a global by its old value", "/*@ assigns g; ensures g == \\old(g) + 1; */ void f(void); int main(void) { g = 3; f(); f(); if (g != 5) reach_error(); }", engine.Sat, true},
		{"a static object of the file", "static int s; /*@ assigns s; ensures s >= 0; */ void f(void); int main(void) { s = -1; f(); if (s < 0) reach_error(); }", engine.Sat, true},
		{"a static object of the file, of any value", "static int s; /*@ assigns s; */ void f(void); int main(void) { s = 1; f(); if (s != 1) reach_error(); }", engine.Unsat, true},
		{"an array of the program", "int a[3]; /*@ assigns a[0 .. 2]; ensures a[1] == 4; */ void f(void); int main(void) { a[1] = a[2] = 0; f(); if (a[1] != 4) reach_error(); }", engine.Sat, true},
		{"an array of the program, of any values", "int a[3]; /*@ assigns a[1]; ensures a[1] == 4; */ void f(void); int main(void) { a[1] = 0; f(); if (a[1] == 4 && a[2] == 9) reach_error(); }", engine.Unsat, true},
		{"a struct of the program", "struct { int x, y; } s; /*@ assigns s.x; ensures s.x == 2; */ void f(void); int main(void) { f(); if (s.x != 2) reach_error(); }", engine.Sat, true},
		{"a struct of the program, of any values", "struct { char x, y; } s; /*@ assigns s; */ void f(void); int main(void) { s.y = 0; f(); if (s.y == 2) reach_error(); }", engine.Unsat, true},
		{"a pointer of the program", "int *q; /*@ assigns q; ensures q == \\null; */ void f(void); int main(void) { q = &g; f(); if (q) reach_error(); }", engine.Sat, true},
		{"a pointer of the program, of any value", "int *q; /*@ assigns q; */ void f(void); int main(void) { q = &g; f(); if (!q) reach_error(); }", engine.Unsat, true},
		{"a global and an argument", "/*@ assigns g, *p; ensures g == *p; */ void f(int *p); int main(void) { int x = 3; g = 4; f(&x); if (g != x) reach_error(); }", engine.Sat, true},
		{"a floating number", "double d; /*@ assigns d; ensures d > 1.0; */ void f(void); int main(void) { d = 0; f(); if (d <= 0.5) reach_error(); }", engine.Sat, true},
		// What it does is not known where the contract speaks of more of the program's memory: nothing is assumed.
		{"memory behind a global", "int *q; /*@ assigns *q; ensures *q == 1; */ void f(void); int main(void) { q = &g; g = 0; f(); if (g == 0) reach_error(); }", engine.Unsat, false},
		{"pointers in a struct", "struct { int *p; } s; /*@ assigns s; ensures s.p == \\null; */ void f(void); int main(void) { s.p = &g; f(); if (s.p) reach_error(); }", engine.Unsat, false},
		{"an object that is const", "const int c = 1; /*@ assigns c; ensures c == 2; */ void f(void); int main(void) { f(); if (c == 1) reach_error(); }", engine.Unsat, false},
		{"a global, and no list", "/*@ ensures g == 1; */ void f(void); int main(void) { g = 0; f(); if (g == 0) reach_error(); }", engine.Unsat, false},
		{"a global in one of two declarations", "/*@ ensures \\result > x; */ int f(int x); /*@ ensures g == 1; */ int f(int x); int main(void) { g = 0; f(1); if (g == 0) reach_error(); }", engine.Unsat, false},
		{"a global that one of two declarations lists", "/*@ ensures \\result > x; assigns \\nothing; */ int f(int x); /*@ assigns g; ensures g == 1; */ int f(int x); int main(void) { g = 0; f(1); if (g == 0) reach_error(); }", engine.Sat, true},
		{"a function of the library", "int abs(int x); /*@ ensures \\result > 100; */ int abs(int x); int main(void) { if (abs(3) <= 100) reach_error(); }", engine.Unsat, false},
		{"a weak function", "/*@ ensures \\result > 0; */ int f(void) __attribute__((weak)); int main(void) { if (!f) reach_error(); }", engine.Unsat, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := verdict(t, begin+test.text, lower.Ranged, time.Minute)
			require.Equal(t, test.verdict, r.Verdict, r.Reason)
			var all []string
			for _, e := range r.Assumptions {
				all = append(all, e.String())
			}
			if test.trusted {
				require.Contains(t, all, trusted)
			} else {
				require.NotContains(t, all, trusted)
			}
		})
	}
}

// What is wrong in such a contract is an error of the input.
func TestAContractWithoutABodyThatCannotBeRead(t *testing.T) {
	_, err := c.Read(t.Context(), "test.c", []byte("/*@ ensures \\result > nowhere; */\nint f(int x);\nint main(void) { return f(1); }"), c.Options{ACSL: true})
	require.EqualError(t, err, "test.c:1:13: undefined: nowhere")
}
