package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contracted has contracts of all kinds.
const contracted = `#include "smack-contracts.h"
int g, h;
const int k = 4;
int half(int n) {
  requires(n >= 0 && n % 2 == 0);
  ensures(2 * result() == old(n) && 2 * result() == n);
  n = n / 2;
  return n;
}
void twice(int a[4], int i) {
  requires(0 <= i && i < 4 && a[i] < 100 && a[i] > -100);
  ensures(a[i] == 2 * old(a[i]) && h == old(h));
  a[i] *= 2;
  i = 9;
  if (i < 10)
    return;
}
`

const usesContracts = `int main(void) {
  int a[4] = {1, 2, 3, 4}, i = 0;
  twice(a, 2);
  if (half(a[2]) != 3)
    return 1;
  do {
    invariant(i < 3);
    i++;
  } while (i < 3);
  while (i < 9) {
    int j = i;
    invariant(j == i && j < 9);
    invariant(i <= 9);
    i++;
    if (i == 7)
      continue;
  }
  return 0;
}
`

// Contracts are checked where they say: requirements at calls, what is ensured at returns, invariants at the heads of loops.
func TestContracts(t *testing.T) {
	type change struct{ from, to, want string }
	for _, c := range []change{
		{"", "", "safe"},
		{"half(a[2])", "half(a[1])", "safe"},
		{"half(a[2])", "half(a[3] + 1)", "unsafe"},
		{"n = n / 2", "n = n / 2 + g", "safe"},
		{"n = n / 2", "g = 1; n = n / 2 + g", "unsafe"},
		{"== old(n)", "== old(n) - g", "safe"},
		{"h == old(h));", "h == old(h)); h = 1;", "unsafe"},
		{"== old(a[i])", "== a[i]", "safe"},
		{"2 * old(a[i])", "2 * a[i]", "unsafe"},
		{"i < 10", "i < 9", "safe"},
		{"invariant(i < 3)", "invariant(i < 2)", "unsafe"},
		{"invariant(i <= 9)", "invariant(i < 9)", "unsafe"},
		{"j < 9", "j < 8", "unsafe"},
	} {
		text := strings.Replace(contracted+usesContracts, c.from, c.to, 1)
		r := call(t, "", "verify", "--explore", "0s", "--trace", "none", tempFile(t, "p.c", text))
		require.Equal(t, c.want+"\n", r.out, "%v: %s", c, r.err)
	}
}

// Of a library any function may be called, in any state that it requires, and what its functions require is asserted where
// another one calls it.
func TestLibraries(t *testing.T) {
	const begin = "#include \"smack-contracts.h\"\n#define CELLS 3\nint g, a[CELLS];\nconst int k = 4;\n"
	for _, c := range []struct{ text, want string }{
		{contracted, "safe"},
		{contracted + "int lib(int n) { requires(n > 3 && n < 100); ensures(result() > 7); return half(2 * n) + k; }", "safe"},
		{contracted + "int lib(int n) { requires(n > 3 && n < 100); ensures(result() > 8); return half(2 * n) + k; }", "unsafe"},
		{contracted + "int lib(int n) { requires(n > 3 && n < 100); ensures(result() > 7); return half(n) + k; }", "unsafe"},
		{begin + "int p(void) { requires(g > 0); ensures(result() > 10); return g + 10; }", "safe"},
		{begin + "int p(void) { requires(g >= 0); ensures(result() > 10); return g + 10; }", "unsafe"},
		{begin + "void p(void) { ensures(g == 0); }", "unsafe"},
		{begin + "void p(void) { ensures(k == 4); }", "safe"},
		{begin + "void p(int i) { requires(i >= 0 && i < CELLS); ensures(forall(\"x\", qvar(\"x\", int) != i || a[qvar(\"x\", int)] == 5)); a[i] = 5; }", "safe"},
		{begin + "void p(int i) { requires(i >= 0 && i < CELLS); ensures(forall(\"x\", qvar(\"x\", int) < 0 || qvar(\"x\", int) >= CELLS || a[qvar(\"x\", int)] == 5)); a[i] = 5; }", "unsafe"},
		{begin + "void p(int i) { ensures(!exists(\"x\", qvar(\"x\", char) == i && i > 200)); }", "safe"},
		{begin + "void p(int i) { requires(exists(\"x\", qvar(\"x\", char) == i)); ensures(i < 128); }", "safe"},
		// What is required of all values cannot be assumed of one.
		{begin + "void p(void) { requires(forall(\"x\", qvar(\"x\", char) == g)); ensures(g == 1); }", "unknown"},
		{begin + "void p(void) { ensures(exists(\"x\", qvar(\"x\", int) == g)); }", "unknown"},
		{begin + "void q(void) { requires(exists(\"x\", qvar(\"x\", char) == g)); ensures(g < 128); } void p(void) { ensures(1); q(); }", "unknown"},
		// Locals are not known where a function begins or ends.
		{begin + "void p(void) { int i = 0; ensures(i == 0); }", "unknown"},
	} {
		file := tempFile(t, "p.c", c.text)
		r := call(t, "", "verify", "--explore", "0s", "--trace", "none", file)
		require.Equal(t, c.want+"\n", r.out, "%s: %s", c.text, r.err)
		if c.want == "unsafe" {
			r = call(t, "", "verify", "--trace", "none", "--harness", file+".harness.c", file)
			require.Equal(t, "unsafe\n", r.out)
			require.Contains(t, r.err, "there is no harness: gcc does not check contracts")
		}
	}
	// Signed integers that wrap around do so in libraries too, if that is asked.
	file := tempFile(t, "p.c", begin+"int p(void) { requires(g > 0); ensures(result() > 10); return g + 10; }")
	r := call(t, "", "verify", "--int", "wrap", "--trace", "none", file)
	require.Equal(t, "unsafe\n", r.out)
}
