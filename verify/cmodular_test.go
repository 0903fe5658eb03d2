package verify_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// Each function is proved from its own contract, calls do what contracts allow and nothing else, and loops what their invariants allow.
func TestFunctionsOfCAreProvedByContracts(t *testing.T) {
	const inc = "/*@ requires 0 <= x < 1000; ensures \\result == x + 1; */ int inc(int x) { return x + 1; }\n"
	for _, test := range []struct {
		name, text string
		// unproved are the functions that are not proved, proved the others.
		proved, unproved string
	}{
		{"calls by contracts", inc + "int main(void) { int y = inc(3); //@ assert y == 4;\n return 0; }", "inc main", ""},
		{"a precondition that fails", inc + "int f(int x) { return inc(x); }", "inc", "f"},
		{"a postcondition that fails", "/*@ ensures \\result > x; */ int f(int x) { return x; }", "", "f"},
		{"a contract that says too little", "/*@ ensures \\result > 0; */ int one(void) { return 1; }\nint main(void) { int y = one(); //@ assert y == 1;\n return 0; }", "one", "main"},
		{"no contract", "int one(void) { return 1; }\nint main(void) { int y = one(); //@ assert y == 1;\n return 0; }", "main", ""},
		{"an invariant", "/*@ requires 0 <= n <= 100; ensures \\result == n; */ int f(int n) { int i = 0; //@ loop invariant 0 <= i <= n;\n while (i < n) i++; return i; }", "f", ""},
		{"a loop with continue and break", "int f(int n) { int i; //@ loop invariant 0 <= i <= 10;\n for (i = 0; i < 10; i++) { if (i == n) break; if (n) continue; } //@ assert i <= 10;\n return 0; }", "f", ""},
		{"a loop whose test comes last", "int f(int n) { int i = 0; //@ loop invariant 0 <= i < 10;\n do { i++; } while (i < 10); //@ assert i == 10;\n return 0; }", "f", ""},
		{"an invariant that does not hold at first", "int f(int i) { //@ loop invariant i <= 100;\n while (i < 100) i++; return i; }", "", "f"},
		{"an invariant that the body breaks", "int f(void) { int i = 0; //@ loop invariant i < 5;\n while (i < 9) i++; return i; }", "", "f"},
		{"an invariant that says too little", "int f(void) { int i = 0, k = 0; //@ loop invariant i >= 0;\n while (i < 9) { i++; k = 3; } //@ assert k == 3;\n return i; }", "", "f"},
		{"what a loop does not change", "int f(void) { int i = 0, k = 3; //@ loop invariant i >= 0;\n while (i < 9) i++; //@ assert k == 3;\n return i; }", "f", ""},
		{"a global that a callee changes", "int g, h; /*@ ensures \\result == 0; */ int set(void) { g = 1; return 0; }\nint main(void) { set(); //@ assert h == 0;\n //@ assert g == 0;\n return 0; }", "set", "main"},
		{"a global that no callee changes", "int g, h; /*@ ensures \\result == 0; */ int set(void) { g = 1; return 0; }\nint main(void) { set(); //@ assert h == 0;\n return 0; }", "set main", ""},
		{"globals begin as any", "int g; /*@ ensures \\result == 0; */ int f(void) { return g; }\nint main(void) { return f(); }", "main", "f"},
		{"what assigns lists", "int g, h; /*@ assigns g; */ void f(void) { g = 1; }\nint main(void) { f(); //@ assert h == 0;\n return 0; }", "f main", ""},
		{"what assigns does not list", "int g, h; /*@ assigns g; */ void f(void) { g = 1; h = 2; }", "", "f"},
		{"what assigns does not list, in a callee", "int g; static void set(void) { g = 1; } /*@ assigns \\nothing; */ void f(void) { set(); }", "", "f"},
		{"a callee that assigns nothing", "int g; /*@ assigns \\nothing; */ int f(int x); /*@ assigns \\nothing; */ int f(int x) { return x; }\nint main(void) { g = 3; f(1); //@ assert g == 3;\n return 0; }", "f main", ""},
		{"assigns through a pointer", "/*@ assigns \\nothing; */ void f(int *p) { *p = 1; }", "", "f"},
		{"assigns through a pointer that is listed", "/*@ assigns *p; ensures *p == 1; */ void f(int *p) { *p = 1; }\nint main(void) { int x; f(&x); //@ assert x == 1;\n return 0; }", "f main", ""},
		{"memory that is another object by name for the caller", "struct s { int a, b; } x, y; /*@ assigns x.a; */ void f(struct s *p) { x.a = 1; p->b = 7; }\nint main(void) { y.b = 3; f(&y); //@ assert y.b == 3;\n return 0; }", "f", "main"},
		{"the frame of a callee's contract", "int g; /*@ assigns g; */ void set(void) { g = 1; } /*@ assigns \\nothing; */ void f(void) { set(); }", "set", "f"},
		{"recursion", "/*@ requires 0 <= n < 50; ensures \\result == n; */ int f(int n) { return n ? f(n - 1) + 1 : 0; }", "f", ""},
		{"recursion outside of the contract", "/*@ requires 0 <= n < 50; ensures \\result == n; */ int f(int n) { return n ? f(n - 2) + 2 : 0; }", "", "f"},
		{"a pointer", "/*@ requires 0 <= *p < 10; ensures *p == \\old(*p) + 1; */ void up(int *p) { ++*p; }\nint main(void) { int x = 2, y = 1; up(&x); //@ assert x == 3 && y == 1;\n return 0; }", "up main", ""},
		{"a pointer whose object changes", "/*@ ensures \\true; */ void any(int *p) { *p = 7; }\nint main(void) { int x = 2; any(&x); //@ assert x == 2;\n return 0; }", "any", "main"},
		{"two pointers to one object", "/*@ ensures *p == 3; */ void f(int *p, int *q) { *p = 3; *q = 4; }", "", "f"},
		{"a pointer to a global", "int g; int *at = &g; /*@ ensures g == 1; */ void f(int *p) { g = 1; *p = 2; }", "", "f"},
		{"a pointer in what a pointer leads to", "struct s { int v; struct s *next; }; /*@ ensures p->v == 1; */ void f(struct s *p) { p->v = 1; p->next->v = 2; }", "", "f"},
		{"functions that call each other alone", "int b(int); int a(int x) { //@ assert x == 0;\n return x ? b(x - 1) : 0; }\nint b(int x) { return x ? a(x - 1) : 0; }\nint main(void) { return 0; }", "main", "b"},
		{"a contract before a declaration", "int x; /*@ requires 0 <= y < 100; ensures \\result == y + 1 + x - \\old(x); */ int inc(int y);\n/*@ requires x < 50; */ int inc(int x) { return x + 1; }\nint main(void) { int a = inc(40); //@ assert a == 41;\n return 0; }", "inc main", ""},
		{"a contract before a declaration that fails", "int x; /*@ ensures \\result == y + x; */ int add(int y); int add(int x) { return x; }", "", "add"},
		{"both contracts hold", "/*@ requires y < 100; ensures \\true; */ int inc(int y); /*@ requires x < 50; */ int inc(int x) { return x + 1; }\nint f(void) { return inc(60); } int g(int x) { return x > 0 && x < 50 ? inc(x) : 0; }", "inc g", "f"},
		{"what assigns of main does not list", "int g, h; /*@ assigns g; */ int main(void) { int x = 3; if (x) { g = 1; return x; } h = h; return g; }", "", "main"},
		{"what assigns of main lists", "int g, h; /*@ assigns g; */ int main(void) { int x = 3; g = x; return g + h; }", "main", ""},
		{"what assigns of main does not list, in a callee", "int g, h; static void set(int *p) { *p = 1; } /*@ assigns g; */ int main(void) { set(&h); return g; }", "", "main"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := decideC(t.Context(), t, test.text, asked(t, "modular=true", "acsl=true", "int=c"), nil)
			var proved, unproved []string
			for _, p := range r.Modular.Procedures {
				if p.Verified {
					proved = append(proved, p.Procedure)
				} else {
					unproved = append(unproved, p.Procedure)
					require.NotEmpty(t, p.Obligations)
				}
			}
			require.Equal(t, [2]string{test.proved, test.unproved}, [2]string{strings.Join(proved, " "), strings.Join(unproved, " ")}, r.Reason)
			want := engine.Sat
			if test.unproved != "" {
				want = engine.Unknown
			}
			require.Equal(t, want, r.Verdict)
		})
	}
}

// Quantified conditions are tried with the values that matter: what is not tried proves nothing.
func TestQuantifiedContractsAreChecked(t *testing.T) {
	const (
		fill = "/*@ requires 0 <= n <= 1000; ensures \\forall integer i; 0 <= i < n ==> a[i] == 0; */ void fill(int *a, int n) { int i;\n" +
			"/*@ loop invariant 0 <= i <= n; loop invariant \\forall integer k; 0 <= k < i ==> a[k] == 0; */\n for (i = 0; i < n; i++) a[i] = 0; }\n"
		largest = "/*@ requires 0 < n <= 1000; ensures \\forall integer i; 0 <= i < n ==> a[i] <= \\result; ensures \\exists integer i; 0 <= i < n && a[i] == \\result; */\n" +
			"int largest(int *a, int n) { int i, m = a[0];\n" +
			"/*@ loop invariant 1 <= i <= n; loop invariant \\forall integer k; 0 <= k < i ==> a[k] <= m; loop invariant \\exists integer k; 0 <= k < i && a[k] == m; */\n" +
			" for (i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }\n"
		copied = "int s[9], d[9]; /*@ requires 0 <= n <= 9; assigns d; ensures \\forall integer i; 0 <= i < n ==> d[i] == s[i]; */ void copy(int n) { int i;\n" +
			"/*@ loop invariant 0 <= i <= n; loop invariant \\forall integer k; 0 <= k < i ==> d[k] == s[k]; */\n for (i = 0; i < n; i++) d[i] = s[i]; }\n"
		find = "/*@ requires 0 <= n <= 1000; ensures \\result >= 0 ==> a[\\result] == x; ensures \\result == -1 ==> (\\forall integer i; 0 <= i < n ==> a[i] != x); */\n" +
			"int find(int *a, int n, int x) { int i;\n/*@ loop invariant 0 <= i <= n; loop invariant \\forall integer k; 0 <= k < i ==> a[k] != x; */\n" +
			" for (i = 0; i < n; i++) if (a[i] == x) return i; return -1; }\n"
	)
	for _, test := range []struct {
		name, text, unproved string
	}{
		{"an array is filled", fill, ""},
		{"one element is left out", strings.ReplaceAll(fill, "i = 0; i < n", "i = 1; i < n"), "fill"},
		{"one element too many", strings.ReplaceAll(fill, "i < n ==>", "i <= n ==>"), "fill"},
		{"the largest element", largest, ""},
		{"larger than the largest element", strings.ReplaceAll(largest, "a[i] == \\result", "a[i] > \\result"), "largest"},
		{"elements are copied", copied + "int main(void) { int x, i = 6; s[3] = 5; s[6] = 1; copy(7); //@ assert d[3] == 5;\n x = d[i]; //@ assert x == 1;\n return 0; }", ""},
		{"what is not copied", copied + "int main(void) { s[3] = 5; copy(3); //@ assert d[3] == 5;\n return 0; }", "main"},
		{"an index that is found later", copied + "extern int any(void); int main(void) { int i; copy(7); i = any(); if (0 <= i && i < 7) { int x = d[i]; //@ assert x == s[i];\n } return 0; }", ""},
		{"an element is found", find, ""},
		{"what is required of elements", "/*@ requires \\forall integer i; 0 <= i < 9 ==> a[i] > 0; ensures \\result > 0; */ int f(int *a) { return a[4]; }\n" +
			"int x[9]; int g(void) { int i; for (i = 0; i < 9; i++) x[i] = i; return f(x); }", "g"},
		{"some value for all, or for each another one", "int a[9]; /*@ requires \\forall integer i; 0 <= i < 9 ==> (\\exists integer j; 0 <= j < 9 && a[j] == i); */\n" +
			"int f(void) { //@ assert \\exists integer j; 0 <= j < 9 && (\\forall integer i; 0 <= i < 9 ==> a[j] == i);\n return 0; }", "f"},
		{"an index read in a loop is not guessed", "int a[9]; /*@ requires \\forall integer i; 0 <= i < 9 ==> a[i] == 1; */ int f(void) { int i; for (i = 0; i < 3; i++) { int x = a[i]; a[i + 1] = 2;\n" +
			" //@ assert x == 1;\n } return 0; }", "f"},
		{"an index read again and again is not guessed", "int a[9]; /*@ requires \\forall integer i; 0 <= i < 9 ==> a[i] == 1; */ int f(int n) { int i = 0; again: if (a[i] == 1 && i < n) { i++; goto again; }\n" +
			" //@ assert i == 0;\n return 0; }", "f"},
		{"what elements were", "int a[9]; /*@ assigns a; ensures \\forall int i; 0 <= i < 9 ==> a[i] == \\old(a[i]) + 1; */ void inc(void) { int i;\n" +
			"/*@ loop invariant 0 <= i <= 9; loop invariant \\forall int k; 0 <= k < i ==> a[k] == \\at(a[k], Pre) + 1;\n loop invariant \\forall int k; i <= k < 9 ==> a[k] == \\at(a[k], Pre); */\n" +
			" for (i = 0; i < 9; i++) a[i]++; }\nint main(void) { int j = 3; a[3] = 1; inc(); inc(); //@ assert a[j] == 3;\n return 0; }", ""},
		{"what elements were, one of which changes", "int a[9]; /*@ ensures \\forall int i; 0 <= i < 9 ==> a[i] == \\old(a[i]); */ void f(int k) { if (0 <= k && k < 9) a[k] = 1; }", "f"},
		{"what elements were, after another change", "int a[9]; /*@ assigns a; ensures \\forall int i; 0 <= i < 9 ==> a[i] == \\old(a[i]); */ void same(void) { a[0] = a[0]; }\n" +
			"int main(void) { int i = 2; a[2] = 1; same(); a[2] = 2; same(); //@ assert a[i] == 1;\n return 0; }", "main"},
		{"what elements were of an array with fewer", "int a[9], b[30]; /*@ assigns a; ensures \\forall int i; 0 <= i < 9 ==> a[i] == \\old(a[i]); */ void same(void) { a[0] = a[0]; }\n" +
			"/*@ requires \\forall int i; 0 <= i < 20 ==> b[i] == 0; ensures \\forall int i; 0 <= i < 30 ==> b[i] == 0; */ void f(void) { same(); }", "f"},
		{"a truth value has two values", "/*@ requires \\forall boolean c; x != c + 3; ensures x != 5; */ void f(int x) { }", "f"},
		{"what is required of no element", "int a[9]; /*@ requires !(\\exists int i; 0 <= i < 9 && a[i] == 1); ensures a[2] != 1 && a[3] != 1; */ void f(void) { }", ""},
		{"what is required of no element, without a value to try", "int a[9], x; /*@ requires !(\\exists int i; 0 <= i < 9 && a[i] == 1); ensures x; */ void f(void) { }", "f"},
		{"what is not so of all", "int a[9], x; /*@ requires a[3] != 1; ensures x == 3 ==> !(\\forall int i; 0 <= i <= x ==> a[i] == 1); */ void f(void) { }", ""},
		{"what is so of all, without a value to try", "/*@ ensures !(\\forall int i; i == i); */ void f(void) { }", "f"},
		{"an equivalence", "int a[9]; /*@ ensures (\\forall integer i; 0 <= i < 9 ==> a[i] == 0) <==> \\result == 1; */ int f(void) { return 1; }", "f"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := decideC(t.Context(), t, test.text, asked(t, "modular=true", "acsl=true", "int=c"), nil)
			var unproved []string
			for _, p := range r.Modular.Procedures {
				if !p.Verified {
					unproved = append(unproved, p.Procedure)
				}
			}
			require.Equal(t, test.unproved, strings.Join(unproved, " "), r.Reason)
			require.Equal(t, test.unproved == "", r.Verdict == engine.Sat)
		})
	}
}

// What is asserted for all of ACSL's integers is checked for those of 64 bits: that is no assumption where others are left out.
func TestQuantifiersSayWhatTheyAreNotCheckedFor(t *testing.T) {
	for text, bounded := range map[string]bool{
		"\\forall integer k; 0 <= k < x ==> k < x": false,
		"\\exists integer k; x <= k <= x":          false,
		"\\forall integer k; k <= k":               true,
		"\\forall integer k; k < x ==> k <= x":     true,
	} {
		r := decideC(t.Context(), t, "int f(int x) { //@ assert "+text+";\n return 0; }", asked(t, "modular=true", "acsl=true", "int=c"), nil)
		require.Equal(t, bounded, slices.ContainsFunc(r.Assumptions, func(a ledger.Entry) bool { return strings.Contains(a.What, "64-bit integers") }), text)
	}
}

// A run of main from the program's beginning that needs no contract is a bug.
func TestRunsOfMainAreBugsWithContractsToo(t *testing.T) {
	r := decideC(t.Context(), t, "int g = 1; int main(void) { g++; //@ assert g == 1;\n return 0; }", asked(t, "modular=true", "acsl=true", "explore=1s"), nil)
	require.Equal(t, engine.Unsat, r.Verdict)
}

// incomplete are the examples whose annotations do not prove them function by function, with the reason.
var incomplete = map[string]string{
	"function-pointers-safe.c":  "no contract says what a function does that a pointer leads to",
	"paths-that-end-safe.c":     "a function that nothing calls has an error",
	"strings-safe.c":            "there is no proof within the time",
	"array-parameters-safe.c":   "there is no proof by contracts within the time",
	"bit-identities-safe.c":     "takes long",
	"continue-in-for-safe.c":    "takes long",
	"do-while-continue-safe.c":  "takes long",
	"filled-heap-array-safe.c":  "takes long",
	"goto-everywhere-safe.c":    "takes long",
	"lists-safe.c":              "takes long",
	"scopes-safe.c":             "takes long",
	"two-dimensions-safe.c":     "takes long",
	"unsigned-countdown-safe.c": "takes long",
	"struct-copies-safe.c":      "no annotation speaks of elements of structs in arrays",
}

// What --annotate writes of an example is proved again function by function.
func TestAnnotatedExamplesAreProvedByContracts(t *testing.T) {
	files, err := filepath.Glob("../examples/c/*-safe.c")
	require.NoError(t, err)
	require.Greater(t, len(files), len(incomplete)+20)
	for _, file := range files {
		name := filepath.Base(file)
		if incomplete[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			words := []string{"acsl=true", "int=c"}
			if strings.Contains(name, "-32-") {
				words = append(words, "32=true")
			}
			o := asked(t, words...)
			o.Proof, o.Annotate = true, true
			ask := func(text []byte, o verify.Options) *verify.Result {
				r, err := verify.Program(t.Context(), verify.Request{
					File: name, Source: text, Language: engine.C, Options: o,
					Solver: portfolio.Request{Check: true, Open: z3.Open, Stats: engine.NewStats()},
				})
				require.NoError(t, err)
				return r
			}
			r := ask(text, o)
			require.Equal(t, engine.Sat, r.Verdict, r.Reason)
			again := ask(r.Proof.Annotated, asked(t, slices.Concat(words, []string{"modular=true"})...))
			require.Equal(t, engine.Sat, again.Verdict, again.Reason)
		})
	}
}
