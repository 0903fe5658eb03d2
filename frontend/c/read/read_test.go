package read

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// read reads a program that must be right.
func read(t *testing.T, model tree.Model, text string) *tree.Program {
	t.Helper()
	p, err := Program(context.Background(), "test.c", []byte(text), source.Options{Model: model})
	require.NoError(t, err)
	wellTyped(t, p)
	return p
}

func TestReadsAProgramWithLoopsAndArrays(t *testing.T) {
	p := read(t, tree.ILP32, `
extern int nondet(void);
void reach_error(void);
int a[10];
int main() {
	int i, s = 0;
	for (i = 0; i < 10; i++) a[i] = nondet();
	for (i = 0; i < 10; i++) { s += a[i]; if (s > 100) reach_error(); }
	return 0;
}`)
	main := p.Function("main")
	require.NotNil(t, main)
	require.NotNil(t, main.Body)
	require.Len(t, main.Locals, 2)
	require.Len(t, p.Globals, 1)
	require.False(t, p.Globals[0].Escapes)
	require.True(t, p.Globals[0].Written)
}

// What clang and C23 write, which gcc of other versions does not read.
func TestAttributesThatOthersRead(t *testing.T) {
	p := read(t, tree.LP64, `
[[nodiscard]] static int f([[maybe_unused]] int x) __attribute__((noinline)) { switch (x) { case 1: x++; [[fallthrough]]; case 2: x++; } return x; }
struct [[deprecated("old")]] S { int a [[maybe_unused]]; };
[[noreturn]] void die(void);
typeof_unqual(const int) g;
int main(void) { if (f(1)) die(); return g; }`)
	require.NotNil(t, p.Function("f").Body)
	require.True(t, p.Function("die").NoReturn)
	p = read(t, tree.LP64, `[[gnu::noreturn]] void die(void); [[_Noreturn]] void end(void); [[gnu::constructor]] static void begin(void) {} [[gnu::weak, nodiscard]] int w(void);
struct [[gnu::packed]] S { char a; int b; }; struct U { char a [[gnu::aligned(8)]]; [[gnu::aligned(8)]] int b; };
struct [[gnu::packed, gnu::aligned(2)]] V { char a; int b; }; struct W { char a; int b [[gnu::packed]]; };
struct [[__gnu__::__packed__]] X { char a; int b; }; struct [[packed]] Y { char a; int b; }; enum [[gnu::packed]] E { A }; int n = 1'000'000, h = 0xff'ff; double d = 1'0.2'5e1'0;
_Static_assert(sizeof(struct S) == 5 && sizeof(struct U) == 16 && sizeof(struct V) == 6 && sizeof(struct W) == 5 && sizeof(struct X) == 5 && sizeof(struct Y) == 8 && sizeof(enum E) == 1, "");
_Static_assert(1'000'000 == 1000000 && 0xff'ff == 65535 && 0b1010'0101 == 165 && '1' == 49 && (int)(1'0.2'5e1'0 / 10000000) == 10250, "");
int main(void) { int *p = nullptr; int nullptr = 3; if (p) die(); else end(); return nullptr + w(); }`)
	require.True(t, p.Function("die").NoReturn && p.Function("end").NoReturn && p.Function("w").Weak)
}
