package boogie

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/report"
)

// readAnything reads src with all options: it may fail, but with a place, and what it understands it can print, and
// reads as the same again.
func readAnything(t require.TestingT, src []byte) {
	for _, o := range []Options{{}, {Dialect: DialectUltimate, Strict: true}, {Dialect: DialectBoogie, Lenient: true}} {
		p, err := Parse("f", src, o)
		if err != nil {
			placed(t, err)
			continue
		}
		text := printed(t, p)
		o.Dialect = DialectBoogie
		if p.Dialect == ast.Ultimate {
			o.Dialect = DialectUltimate
		}
		again, err := Parse("printed", []byte(text), o)
		require.NoError(t, err, text)
		require.Equal(t, text, printed(t, again))
		for _, entry := range Entries(p) {
			Prune(p, entry)
		}
		if err := Check(p, o); err != nil {
			placed(t, err)
			continue
		}
		// What has been checked means the same when it is printed and read by Boogie.
		if len(p.Approximated) == 0 && !strings.Contains(text, "Vec") && len(p.Declarations) == len(again.Declarations) {
			_, err = Read("checked", []byte(printed(t, p)), Options{Dialect: DialectBoogie, Strict: o.Strict})
			require.NoError(t, err, printed(t, p))
		}
	}
}

// placed checks that an error is what the package promises.
func placed(t require.TestingT, err error) {
	var es Errors
	require.True(t, errors.As(err, &es), "%v", err)
	require.NotEmpty(t, es)
	require.LessOrEqual(t, len(es), report.Most)
	for _, e := range es {
		require.NotZero(t, e.Pos.Column, e.Msg)
		require.NotEmpty(t, e.Msg)
		require.Equal(t, errors.Is(err, ErrUnsupported), e.Unsupported)
	}
}

// Damaged programs never make the reader panic.
func TestDamagedPrograms(t *testing.T) {
	pieces := []string{"(", ")", "[", "]", "{", "}", "{:a ", ";", ",", ":", ":=", "::", "==", "<", ">", "==>", "&&", "-", "!", "*", "%", "|{", "}|",
		"\"", "\\", "\n#", "/*", "//", "1", "1bv1", "1.5", "x", "T", "int", "bool", "if ", "then ", "else ", "old(", "forall ", "lambda ", "while (*) ",
		"call ", "goto ", "return", "break ", "var ", "const ", "type ", "function ", "procedure ", "<a>", "a", "\x00", "\xff", "é"}
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom(examples).Draw(t, "seed"))
		other := []byte(rapid.SampledFrom(examples).Draw(t, "other"))
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			i := rapid.IntRange(0, len(src)).Draw(t, "at")
			j := min(len(src), i+rapid.IntRange(0, 12).Draw(t, "length"))
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0: // delete
				src = append(src[:i:i], src[j:]...)
			case 1: // repeat
				src = append(src[:j:j], src[i:]...)
			case 2: // put in something from elsewhere
				k := rapid.IntRange(0, len(other)).Draw(t, "from")
				src = append(append(src[:i:i], other[k:min(len(other), k+20)]...), src[i:]...)
			case 3:
				src = append(append(src[:i:i], rapid.SampledFrom(pieces).Draw(t, "piece")...), src[j:]...)
			}
		}
		readAnything(t, src)
	})
}

// Meaningless trees are refused, not tripped over.
func TestCheckRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newGrower(t).program()
		if err := Check(p, Options{}); err != nil {
			var es Errors
			require.True(t, errors.As(err, &es), "%v", err)
		}
	})
}

// What nests as deeply as is allowed goes through everything.
func TestDeepPrograms(t *testing.T) {
	const n, long = maxNesting - 10, 10_000
	for _, src := range []string{
		"axiom " + strings.Repeat("(", n) + "true" + strings.Repeat(")", n) + ";",
		"axiom " + strings.Repeat("!", n) + "true;",
		"axiom true" + strings.Repeat(" && true", maxHeight-10) + ";",
		"axiom true" + strings.Repeat(" ==> true", long) + ";",
		"axiom 0" + strings.Repeat(" + 1", long) + " > 0;",
		"const m: [int]int; axiom m" + strings.Repeat("[0 := 1]", long) + " == m;",
		"const x: real; axiom x" + strings.Repeat(" ** x", long) + " == x;",
		"axiom " + strings.Repeat("if true then true else ", n) + "true;",
		"axiom " + strings.Repeat("(forall x: int :: ", n/2) + "true" + strings.Repeat(")", n/2) + ";",
		"function f<a>(x: a): int; axiom " + strings.Repeat("f(", n) + "1" + strings.Repeat(")", n) + " == 1;",
		"procedure p() { " + strings.Repeat("while (*) {", n/2) + strings.Repeat("}", n/2) + "}",
		"procedure p() { " + strings.Repeat("if (*) { } else ", n-5) + "{ } }",
	} {
		p := read(t, src, Options{})
		text := printed(t, p)
		_, err := Parse("printed", []byte(text), Options{})
		require.NoError(t, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range append([]string{generated, baseLibrary}, examples...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { readAnything(t, src) })
}
