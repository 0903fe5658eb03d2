package c

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/tree"
)

// read reads a program that must be right.
func read(t *testing.T, model tree.Model, text string) *tree.Program {
	t.Helper()
	p, err := Read(context.Background(), "test.c", []byte(text), Options{Model: model})
	require.NoError(t, err)
	wellTyped(t, p)
	return p
}

func TestReadsAProgramWithLoopsAndArrays(t *testing.T) {
	p := read(t, ILP32, `
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
	p := read(t, LP64, `
[[nodiscard]] static int f([[maybe_unused]] int x) __attribute__((noinline)) { switch (x) { case 1: x++; [[fallthrough]]; case 2: x++; } return x; }
struct [[deprecated("old")]] S { int a [[maybe_unused]]; };
[[noreturn]] void die(void);
typeof_unqual(const int) g;
int main(void) { if (f(1)) die(); return g; }`)
	require.NotNil(t, p.Function("f").Body)
	require.True(t, p.Function("die").NoReturn)
}
