package lexical

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRewrite(t *testing.T) {
	for text, want := range map[string]string{
		"int f(void) __attribute__((noinline)) { return 1; }":        "int f(void)                           { return 1; }",
		"int f(void) __attribute__((constructor)) { }":               "int f(void) __attribute__((constructor)) { }",
		"int f(void) __attribute__((noinline));":                     "int f(void) __attribute__((noinline));",
		"f() __attribute__((a)) /* b */ __attribute__((c(\")\"))) {": "f()                                                    {",
		"struct __attribute__((unused)) { int x; };":                 "struct __attribute__((unused)) { int x; };",
		"f(); __attribute__((fallthrough)); case 1:":                 "f();                             ; case 1:",
		"out: __attribute__((unused)) x = 1;":                        "out:                         x = 1;",
		"{ __attribute__((aligned(8))) int x; }":                     "{ __attribute__((aligned(8))) int x; }",
		"#define F __attribute__((__fallthrough__))\n":               "#define F                                 \n",
		"[[nodiscard]] int f([[maybe_unused]] int x);":               "              int f(                 int x);",
		"typeof(const int) x; __typeof__( volatile x) y;":            "typeof(      int) x; __typeof__(          x) y;",
		"[[noreturn]] void f(void);":                                 "_Noreturn    void f(void);",
		"struct [[gnu::packed]] S { };":                              "struct [[gnu::packed]] S { };",
		"[[deprecated(\"]]\")]] int x = a[b[1]];":                    "                     int x = a[b[1]];",
		"<% a<:1:> %> %:define X %:%: \"<%\" '%>' // <%\n a <= b":    "{  a[ 1]  }  # define X ##   \"<%\" '%>' // <%\n a <= b",
		"u8\"a\" xu8\"b\" u8'c'":                                     "  \"a\" xu8\"b\" u8'c'",
	} {
		got := []byte(text)
		Rewrite(got)
		require.Equal(t, want, string(got))
	}
}

// Whatever the text, nothing is moved: lines stay where they are.
func TestRewriteMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"__attribute__", "((", "))", "(", ")", "[[", "]]", "x", "\n", " ", "\"", "'", "/*", "*/", "//", "\\", "<%", "%:", "{", ";", "noreturn", "u8"})).Draw(t, "parts")
		var text []byte
		for _, p := range parts {
			text = append(text, p...)
		}
		got := append([]byte{}, text...)
		Rewrite(got)
		require.Len(t, got, len(text))
		for i := range text {
			require.Equal(t, text[i] == '\n', got[i] == '\n', "%q became %q", text, got)
		}
	})
}
