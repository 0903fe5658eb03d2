package svlib_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/report"
	"hornbeam/frontend/svlib"
)

// What is wrong with a script is said with its place.
func TestErrors(t *testing.T) {
	body := func(s string) string { return "(define-proc p ((a Int)) ((r Int)) ((b Bool))\n " + s + ")" }
	for _, test := range []struct{ script, want string }{
		{"(declare-var x Int", "1:19: unexpected end of file: the parenthesis at 1:1 is not closed"},
		{"(check-sat)", "1:1: unknown command check-sat"},
		{"x", "1:1: expected a command in parentheses"},
		{"(declare-var |#x| Int)", "1:14: a symbol that begins with # is reserved for tools"},
		{"(declare-var x Int)\n(assert (< x 0))", "2:9: an assertion may not be about the variable x; use assume in a procedure"},
		{"(declare-var x Int)(declare-const x Int)", "1:35: x is already declared at 1:14"},
		{"(verify-call p ())", "1:14: unknown procedure p"},
		{"(get-witness)", "1:1: get-witness without a verify-call before it"},
		{body("(assign (a 1))"), "2:11: the input a of p may not be changed"},
		{body("(assign (r true))"), "2:13: this should have sort Int, but has sort Bool"},
		{body("(assign (r 1) (r 2))"), "2:17: r is changed twice by one statement"},
		{body("(assume r)"), "2:10: this should have sort Bool, but has sort Int"},
		{body("(goto l)"), "2:2: there is no label l in p"},
		{body("(sequence (label l) (label l))"), "2:22: label l occurs twice in p"},
		{body("(break)"), "2:2: break outside of a loop"},
		{body("(call p (1 2) (r))"), "2:10: p takes 1 arguments, got 2"},
		{body("(call p (1) (b))"), "2:15: b has sort Bool, but receives a value of sort Int"},
		{body("(call q (1) (r))"), "2:8: unknown procedure q"},
		{body("(jump l)"), "2:2: unknown statement jump"},
		{body("(! (assume true) :tag)"), "2:19: :tag needs a value"},
		{body("(! (assume true) :check-true (< c 1))"), "2:34: unknown symbol c"},
		{body("(! (assume true) :invariant b)"), "2:19: :invariant belongs to a loop or a label"},
		{body("(! (assume true) :check-true (= (at r nowhere) 1))"), "2:40: there is no tag nowhere"},
		{body("(! (assume true) :tag t)") + "(annotate-tag t :ensures (= r x))", "2:57: unknown symbol x"},
		{"(define-proc p () () () (return))\n(define-proc p () () () (return))", "2:14: procedure p is already defined at 1:14"},
		{"(declare-fun f (Int) Float64)", "1:22: unsupported: sort Float64"},
		{"(push 1)", "1:1: unsupported: command push"},
	} {
		_, err := svlib.Read("s.svlib", []byte(test.script))
		require.EqualError(t, err, "s.svlib:"+test.want, test.script)
	}
}

// Whatever a script looks like, it is translated, or what is wrong or not supported has a place.
func TestBrokenScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.svlib")
	require.NoError(t, err)
	words := []string{"(", ")", "x", "0", "true", "while", "goto", ":tag", ":ensures", "old", "at", "Int", "(return)", "|q|", "call", "!", "-1", "#b1"}
	rapid.Check(t, func(t *rapid.T) {
		src, err := os.ReadFile(rapid.SampledFrom(files).Draw(t, "file"))
		require.NoError(t, err)
		tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(string(src)))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(tokens)-1).Draw(t, "at")
			switch rapid.SampledFrom([]string{"remove", "replace", "swap"}).Draw(t, "change") {
			case "remove":
				tokens[i] = ""
			case "replace":
				tokens[i] = rapid.SampledFrom(words).Draw(t, "word")
			case "swap":
				j := rapid.IntRange(0, len(tokens)-1).Draw(t, "with")
				tokens[i], tokens[j] = tokens[j], tokens[i]
			}
		}
		script, err := svlib.Read("s.svlib", []byte(strings.Join(tokens, " ")))
		var placed *report.Error
		if err != nil {
			require.ErrorAs(t, err, &placed)
			require.Positive(t, placed.Pos.Line)
			return
		}
		for _, c := range script.Calls {
			for _, translate := range []func(*svlib.VerifyCall) (*svlib.Program, error){script.Runs, script.Modular} {
				if _, err := translate(c); err != nil {
					require.True(t, errors.Is(err, report.ErrUnsupported), "%s", err)
				}
			}
		}
	})
}
