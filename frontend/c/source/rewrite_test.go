package source

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRewrite(t *testing.T) {
	for text, want := range map[string]string{
		"int f(void) __attribute__((noinline)) { return 1; }":         "int f(void)                           { return 1; }",
		"int f(void) __attribute__((constructor)) { }":                "int f(void) __attribute__((constructor)) { }",
		"int f(void) __attribute__((noinline));":                      "int f(void) __attribute__((noinline));",
		"f() __attribute__((a)) /* b */ __attribute__((c(\")\"))) {":  "f()                                                    {",
		"struct __attribute__((unused)) { int x; };":                  "struct __attribute__((unused)) { int x; };",
		"f(); __attribute__((fallthrough)); case 1:":                  "f();                             ; case 1:",
		"out: __attribute__((unused)) x = 1;":                         "out:                         x = 1;",
		"{ __attribute__((aligned(8))) int x; }":                      "{ __attribute__((aligned(8))) int x; }",
		"#define F __attribute__((__fallthrough__))\n":                "#define F                                 \n",
		"[[nodiscard]] int f([[maybe_unused]] int x);":                "              int f(                 int x);",
		"typeof(const int) x; __typeof__( volatile x) y;":             "typeof(int const) x; __typeof__( x volatile) y;",
		"[[noreturn]] void f(void);":                                  "_Noreturn    void f(void);",
		"struct [[gnu::packed]] S { };":                               "struct __g(packed)     S { };",
		"[[__gnu__::__aligned__(8), unused, gnu::packed]] int x;":     "__g(__aligned__(8))__g(packed)                   int x;",
		"enum __attribute__((packed)) E { A };":                       "__attribute__((Packed)) enum E { A };",
		"enum __attribute__((unused)) E { A };":                       "enum                         E { A };",
		"x = 1'000'000u + 0xf'f-'0';":                                 "x = 1000000u   + 0xff -'0';",
		"typeof(const struct s *) x;":                                 "typeof(struct s const *) x;",
		"__builtin_types_compatible_p(const volatile T, const int *)": "__builtin_types_compatible_p(T const volatile, int const *)",
		"[[deprecated(\"]]\")]] int x = a[b[1]];":                     "                     int x = a[b[1]];",
		"<% a<:1:> %> %:define X %:%: \"<%\" '%>' // <%\n a <= b":     "{  a[ 1]  }  # define X ##   \"<%\" '%>' // <%\n a <= b",
		"u8\"a\" xu8\"b\" u8'c'":                                      "  \"a\" xu8\"b\" u8'c'",
	} {
		got := []byte(text)
		rewrite(got)
		require.Equal(t, want, string(got))
	}
}

// Whatever the text, nothing is moved: lines stay where they are.
func TestRewriteMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"__attribute__", "((", "))", "(", ")", "[[", "]]", "x", "\n", " ", "\"", "'", "/*", "*/", "//", "\\", "<%", "%:", "{", ";", "noreturn", "u8", "gnu::packed", "enum", "const ", "typeof", "1'0", ","})).Draw(t, "parts")
		var text []byte
		for _, p := range parts {
			text = append(text, p...)
		}
		got := append([]byte{}, text...)
		rewrite(got)
		require.Len(t, got, len(text))
		for i := range text {
			require.Equal(t, text[i] == '\n', got[i] == '\n', "%q became %q", text, got)
		}
	})
}
