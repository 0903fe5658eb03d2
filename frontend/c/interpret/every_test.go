package interpret_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// everyLimits are enough for what tests try.
var everyLimits = interpret.Limits{Steps: 50_000_000, RunSteps: 100_000, Estimate: 1e12}

func everyRun(t testing.TB, text string, o interpret.Options, l interpret.Limits) interpret.Every {
	t.Helper()
	found, err := interpret.EveryRun(context.Background(), read(t, "test.c", text, c.LP64), o, l)
	require.NoError(t, err, text)
	return found
}

// Values that are only copied and compared are tried once for all that go the same way, and others one by one.
func TestEveryRun(t *testing.T) {
	for _, test := range []struct {
		name, body string
		// runs is how many differ, where all are made.
		runs int
		end  interpret.Kind
	}{
		{"nothing is given", `if (sizeof(int) != 4) reach_error();`, 1, interpret.Ended},
		{"a value that is not used", `int x = ni();`, 1, interpret.Ended},
		{"a range", `int x = ni(); if (x < 3 || x > 6) return 0; if (x * x > 36) reach_error();`, 6, interpret.Ended},
		{"a range, the other way round", `int x = ni(); assume(3 <= x); assume(6 >= x); if (x * x > 36) reach_error();`, 6, interpret.AssumptionFailed},
		{"an error in the range", `int x = ni(); if (x < 3 || x > 6) return 0; if (x * x > 25) reach_error();`, 0, interpret.ErrorReached},
		{"one value", `int x = ni(); if (x == 7) { if (x + x != 14) reach_error(); }`, 3, interpret.Ended},
		{"copies", `int x = ni(), y = x; long z = id(y); int a = (int)z; if (a > 0 && a < 4) { if (x + z > 6) reach_error(); }`, 3, interpret.Ended},
		{"a narrower type", `int x = ni(); if (x < 0 || x > 300) return 0; signed char y = x; if (y == 3) {}`, 8, interpret.Ended},
		{"an unsigned type", `int x = ni(); if ((unsigned)x < 3u) { if (x * 2 > 4) reach_error(); }`, 3, interpret.Ended},
		{"two values", `int x = ni(), y = ni(); if (x < 0 || x > 3 || y < 0 || y > x) return 0; if (x + y > 6) reach_error();`, 8, interpret.Ended},
		{"two values that are compared", `int x = ni(), y = ni(); if (x < 0 || x > 3) return 0; if (y > x) return 0; if (y == 2) reach_error();`, 0, interpret.ErrorReached},
		{"compared the other way round", `int x = ni(), y = ni(); if (y < 0 || y > 3) return 0; if (y > x) return 0; if (x == 2) reach_error();`, 0, interpret.ErrorReached},
		{"compared with itself", `int x = ni(); assume(x >= 0 && x < 200); long y = x; signed char z = x; if (y != x || z > x) reach_error();`, 4, interpret.AssumptionFailed},
		{"in an array", `int a[3]; for (int i = 0; i < 3; i++) a[i] = nc() < 9 ? 3 : 5; int m = a[0]; for (int i = 1; i < 3; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < 3; i++) if (a[i] > m) reach_error();`, 8, interpret.Ended},
		{"sorted", `short a[3]; for (int i = 0; i < 3; i++) { a[i] = nc(); assume(a[i] < 4); } for (int i = 0; i < 2; i++) for (int j = 0; j < 2 - i; j++) if (a[j] > a[j + 1]) { short t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } if (a[0] > a[1] || a[1] > a[2]) reach_error();`, 9, interpret.AssumptionFailed},
		{"orders of five", `int a[5]; for (int i = 0; i < 5; i++) { a[i] = ni(); int x = a[i], j = i; for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1]; a[j] = x; } for (int i = 0; i < 4; i++) if (a[i] > a[i + 1]) reach_error();`, 120, interpret.Ended},
		{"orders of a narrower and a wider type", `unsigned char x = nc(); int y = ni(); unsigned z = (unsigned)ni(); if (x < y && z > (unsigned)y && z == x) reach_error();`, 5, interpret.Ended},
		{"equal ones", `unsigned a = ni(), b = ni(), c = ni(); if (a == b && b == c && a != c) return 1; if (a == b && a + 1 == c) reach_error();`, 0, interpret.ErrorReached},
		{"remainders of what is compared", `int x = ni(), y = ni(); assume(x >= 0 && y >= 0); if (x % 4 == 3 && y % 6 == 1 && x == y) reach_error();`, 0, interpret.ErrorReached},
		{"remainders that differ", `int x = ni(), y = ni(); assume(x >= 0 && y >= 0); if (x % 4 == 2 && y % 6 == 1 && x == y) reach_error();`, 12, interpret.Ended},
		{"remainders behind a comparison", `unsigned x = ni(), y = ni(); if (x < y && y < x + 3u) { if (x % 4 == 2 && y % 4 == 1) reach_error(); }`, 19, interpret.Ended},
		{"a sum with a constant", `unsigned char x = nc(); if (x - '0' < 0 || x - '0' > 9) return 0; if ((unsigned)(x - '0') > 9u) reach_error();`, 3, interpret.Ended},
		{"one of two", `int x = ni(), y = ni(); assume(x >= 0 && x < 4); int m = x > y ? x : y; if (m < x || m < y) reach_error(); assume(m > 5);`, 5, interpret.AssumptionFailed},
		{"a truth value", `_Bool b = nb(); if (b) {} else {}`, 2, interpret.Ended},
		{"as a truth value", `int x = ni(); if (!x) {}`, 3, interpret.Ended},
		{"a switch", `switch (ni()) { case 3: case 4: break; case 9: break; default: ; }`, 6, interpret.Ended},
		{"a switch with an error", `switch (ni()) { case 3: case 4: break; case 9: reach_error(); }`, 0, interpret.ErrorReached},
		{"without a value", `int x; if (x > 5) {}`, 2, interpret.Ended},
		{"a loop", `int n = ni(); if (n < 0 || n > 5) return 0; int s = 0; for (int i = 0; i < n; i++) s += i; if (s > 10) reach_error();`, 8, interpret.Ended},
		{"a byte", `unsigned char x = nc(); if (x / 2 * 2 > x) reach_error();`, 128, interpret.Ended},
		{"assigned anew", `int x = ni(); if (x < 0) return 0; x = 5; if (x > 4) { int y = x; if (y != 5) reach_error(); }`, 2, interpret.Ended},
		{"counted", `int x = ni(); if (x < 0 || x > 3) return 0; x++; if (x > 4) reach_error();`, 3, interpret.Ended},
		{"in memory", `int a[2]; a[0] = ni() ; assume(a[0] == 2147483647 || a[0] != 2147483647);`, 2, interpret.Ended},
		{"bits of a byte", `u.c[0] = nc(); if (u.f.low == 9 && u.f.high == 3) reach_error();`, 0, interpret.ErrorReached},
		{"a byte written in it", `u.i = ni(); assume(u.i >= 0 && u.i < 9000); u.c[0] = 0; if (u.i == 256 * 5) reach_error();`, 0, interpret.ErrorReached},
		{"a byte set in it", `u.i = ni(); assume(u.i >= 0 && u.i < 9000); memset(&u, 0, 1); if (u.i == 256 * 5) reach_error();`, 0, interpret.ErrorReached},
		{"a byte of it", `u.i = ni(); assume(u.i >= 0 && u.i < 9000); if (u.c[1] == 5) reach_error();`, 0, interpret.ErrorReached},
		{"several in one", `u.i = 0; u.c[0] = nc(); u.c[1] = nc(); if (u.i == 256 * 5 + 1) reach_error();`, 0, interpret.ErrorReached},
		{"read in another type", `u.i = ni(); if (u.j <= 5u && u.j == 3u) reach_error();`, 0, interpret.ErrorReached},
		{"a part is copied", `short h; u.i = ni(); assume(u.i >= 0 && u.i < 9000); memcpy(&h, &u, 2); if (h == 77) reach_error();`, 0, interpret.ErrorReached},
		{"all is copied", `int x; u.i = ni(); memcpy(&x, &u, 4); if (x > 77) u.i = 0; assume(u.i != 5);`, 4, interpret.Ended},
		{"written over", `int a[9]; a[1] = ni(); a[1] = ni(); if (a[1] > 3) {}`, 2, interpret.Ended},
		{"in a struct", `struct st r, s = {ni(), 1}; r = give(s); if (r.a > 3) {}`, 2, interpret.Ended},
		{"as a parameter in memory", `if (*where(ni(), &g) > 3) {}`, 2, interpret.Ended},
		{"a remainder", `unsigned x = (unsigned)ni() % 7; if (x > 6) reach_error();`, 14, interpret.Ended},
		{"a remainder with a sign", `int x = ni() % 7; if (x > 6 || x < -6) reach_error();`, 14, interpret.Ended},
		{"a remainder of a negative number", `int x = ni() % -5; if (x == 4) reach_error();`, 0, interpret.ErrorReached},
		{"low bits", `int x = ni() & 5; if (x > 5 || x == 2) reach_error();`, 8, interpret.Ended},
		{"low bits and a remainder", `int y = ni(); assume(y >= 0); int x = y & 1, z = y % 3; if (x == 1 && z == 2) reach_error();`, 0, interpret.ErrorReached},
		{"a remainder and a comparison", `int y = ni(); if (y < 100) { if (y % 10 == 3 && y > 57) reach_error(); }`, 0, interpret.ErrorReached},
		{"a remainder of several", `int s = 0; for (int i = 0; i < 3; i++) s += ni() & 3; if (s > 9) reach_error();`, 37, interpret.Ended},
		{"remainders of different ones", `int s = 0; for (int i = 0; i < 3; i++) s = 4 * s + (ni() & 3); if (s > 63) reach_error();`, 64, interpret.Ended},
		{"high bits", `int x = ni() & 256; if (x != 0 && x != 256) reach_error();`, 512, interpret.Ended},
		{"all bits but low ones", `unsigned char x = nc(); if ((x & ~7) > 250) reach_error();`, 256, interpret.Ended},
		{"an assignment that is computed with", `int x, y = ni(); assume(y >= 0 && y < 900); if ((x = y) * 2 == 14) reach_error();`, 0, interpret.ErrorReached},
		{"a global assignment that is computed with", `assume((g = ni()) >= 0 && g < 900); int y = (g = g) * 2; if (y == 14) reach_error();`, 0, interpret.ErrorReached},
		{"an assignment in memory that is computed with", `int a[2]; a[0] = nc(); if ((a[1] = a[0]) + (a[0] = 0) == 14) reach_error();`, 0, interpret.ErrorReached},
		{"assignments in a row", `int x, y, z[2]; x = z[1] = y = ni(); if (x > 3 && z[1] < 3) reach_error();`, 2, interpret.Ended},
		{"an assignment that is compared", `int x; while ((x = ni()) > 3) return 0;`, 2, interpret.Ended},
		{"global", `g = ni(); if (g < 3) return 0; if (g > 7) return 0; if (g * 2 > 14) reach_error();`, 3, interpret.Ended},
		{"a sum that is taken back", `int a[4], s = 0; for (int i = 0; i < 4; i++) { a[i] = nc(); s += a[i]; } for (int i = 3; i >= 0; i--) s -= a[i]; if (s) reach_error();`, 1, interpret.Ended},
		{"sums that differ", `int s = 0, t = 0; for (int i = 0; i < 4; i++) { int x = nc(); s += x; if (i != 2) t += x; } if (s == t + 77) reach_error();`, 0, interpret.ErrorReached},
		{"sums that wrap around", `unsigned h = 5381, k = 5381; for (int i = 0; i < 4; i++) { unsigned x = ni(); h = h * 33u + x; k = (k << 5) + k; k += x; } if (h != k) reach_error();`, 18, interpret.Repeated},
		{"sums that wrap around in a wider type", `unsigned x = ni(), y = ni(); assume(x > 0xfffffff0u && y > 0xfffffff0u); unsigned s = x + y; unsigned long l = s; if (l > 0xfffffffbu) reach_error();`, 0, interpret.ErrorReached},
		{"sums that wrap around and are ordered", `unsigned x = ni(), y = ni(), z = ni(); assume(x > 0xfffffff0u && y < 20 && z == x); unsigned s = x + y, t = z + y + 5u; if (s > t && x == 0xfffffff6u && y == 7) reach_error();`, 0, interpret.ErrorReached},
		{"a checksum", `unsigned char s = 0, t = 7; for (int i = 0; i < 4; i++) { unsigned char x = nc(); s += x; t = (unsigned char)(t + x); } if ((unsigned char)(s + 7) != t) reach_error();`, 2, interpret.Ended},
		{"counted flags", `int s = 0; for (int i = 0; i < 20; i++) s += nb(); if (s > 20 || s < 0) reach_error();`, 1, interpret.Ended},
		{"as many flags as there are", `int s = 0; for (int i = 0; i < 4; i++) s += nb(); if (s == 4) reach_error();`, 0, interpret.ErrorReached},
		{"digits", `int v = 0; for (int i = 0; i < 3; i++) { unsigned char x = nc(); if (x < '0' || x > '9') return 0; v = v * 10 + (x - '0'); if (v % 10 != x - '0') reach_error(); if (v > 999) reach_error(); }`, 7, interpret.Ended},
		{"digits of a number", `unsigned char x = nc(), y = nc(); assume(x < 10 && y < 10); int v = x * 10 + y; if (v / 10 != x || v % 10 != y) reach_error();`, 3, interpret.AssumptionFailed},
		{"digits that are too great", `unsigned char x = nc(), y = nc(); assume(x < 10 && y < 12); int v = x * 10 + y; if (v / 10 != x) reach_error();`, 0, interpret.ErrorReached},
		{"a quotient", `unsigned char x = nc(); if (x / 100 > 2) reach_error();`, 3, interpret.Ended},
		{"a quotient of a negative number", `int x = ni(); assume(x > -20 && x < 20); if (x / 7 == -2 && x == -17) reach_error();`, 0, interpret.ErrorReached},
		{"high bits of a byte", `unsigned char x = nc(); if (x >> 6 > 3) reach_error();`, 4, interpret.Ended},
		{"a difference", `unsigned char x = nc(), y = nc(); if (x - y > 5 && y + 5 >= x) reach_error();`, 2, interpret.Ended},
		{"a negative multiple", `int x = nc(); int y = 100 - 3 * x; if (y < 10 && x <= 30) reach_error();`, 2, interpret.Ended},
		{"a negative multiple that is great enough", `int x = nc(); int y = 100 - 3 * x; if (y < 10 && x <= 31) reach_error();`, 0, interpret.ErrorReached},
		{"a remainder of what becomes negative", `int x = nc(); int y = 35 - 10 * x; if (y % 10 == -5) reach_error();`, 0, interpret.ErrorReached},
		{"a multiple of a difference", `unsigned char x = nc(), y = nc(); if (2 * x - 2 * y > 5 && x <= y + 4) reach_error();`, 0, interpret.ErrorReached},
		{"a switch on what wraps around", `int x = nc(); unsigned char s = 3 * x; switch (s) { case 2: reach_error(); }`, 0, interpret.ErrorReached},
		{"a remainder of what wraps around", `int x = nc(); unsigned char s = 10 * x; if (s % 10 == 4) reach_error();`, 0, interpret.ErrorReached},
		{"a remainder of a residue that becomes negative", `int x = nc(); assume(x >= 52); unsigned char s = 4 * x; int y = s - 201; if (y % 4 == -1) reach_error();`, 0, interpret.ErrorReached},
		{"low bits of what wraps around", `int x = nc(); unsigned char s = 16 * x; if ((s & 15) != 0) reach_error();`, 1, interpret.Ended},
		{"a divisor", `int y = nc(); assume(y > 0); if (100 / y == 14) reach_error();`, 0, interpret.ErrorReached},
		{"by how much is shifted", `int y = nc(); assume(y < 20); if (1 << y == 256) reach_error();`, 0, interpret.ErrorReached},
		{"a residue that is compared in a wider type", `int x = nc(); unsigned char s = 3 * x; int y = s - 7; if (y == -5) reach_error();`, 0, interpret.ErrorReached},
		{"residues that are ordered", `int x = nc(), z = nc(); assume(z == 5); unsigned char s = 3 * x, t = 3 * x + z; if (s > t && x == 85) reach_error();`, 0, interpret.ErrorReached},
		{"a difference of residues", `int x = nc(); unsigned char s = 3 * x, t = s + 7; int y = t - s; if (y == -249) reach_error();`, 0, interpret.ErrorReached},
		{"a difference of residues, multiplied", `int x = nc(); unsigned char s = 3 * x, t = s + 7; int y = -1 * s + t; if (y == -249) reach_error();`, 0, interpret.ErrorReached},
		{"residues of different widths", `int x = nc(); unsigned char s = 3 * x; unsigned short h = 300 * x, e = 297 * x; if ((unsigned short)(h - s) != e) reach_error();`, 0, interpret.ErrorReached},
		{"a product of a residue", `int x = nc(), z = nc(); unsigned char s = 3 * x; int y = s * z; if (y == 15) reach_error();`, 0, interpret.ErrorReached},
		{"a residue that overflows with a sign", `unsigned x = nc(), u = x * 50331648u + 2566914047u; int y = u; y++;`, 0, interpret.Undefined},
		{"an index", `int a[9] = {0}, x = nc(); assume(x < 8); a[5] = 7; if (a[x] == 7) reach_error();`, 0, interpret.ErrorReached},
		{"an index that is a sum", `int a[9] = {0}, x = nc(); assume(x < 8); a[5] = 7; if (a[x + 1] == 7) reach_error();`, 0, interpret.ErrorReached},
		{"an exclusive or of a sum", `int x = nc(); if (((x + 1) ^ 3) == 70) reach_error();`, 0, interpret.ErrorReached},
		{"an opposite that is computed with", `int x = nc(); if ((-x ^ 3) == -70) reach_error();`, 0, interpret.ErrorReached},
		{"a residue that becomes negative in an unsigned type", `int x = nc(); assume(x >= 3); unsigned char s = 3 * x; unsigned u = s - 7, v = s + 20; if (u > v) reach_error();`, 0, interpret.ErrorReached},
		{"a residue in an unsigned type that wraps around", `int x = nc(); assume(x >= 3); unsigned char s = 3 * x; unsigned u = s, v = s + 20; u -= 7u; if (u > v) reach_error();`, 0, interpret.ErrorReached},
		{"a sum of residues less another one", `int x = nc(); assume(x >= 40); unsigned char s = 3 * x, q = 5 * x, v = s + q + 7; int y = s + q - v; if (y == -7) reach_error();`, 0, interpret.ErrorReached},
		{"a sum of residues and a negative multiple", `int x = nc(); assume(x >= 40); unsigned char s = 3 * x, q = 5 * x, v = s + q + 7; int y = s + q + -1 * v; if (y == -7) reach_error();`, 0, interpret.ErrorReached},
		{"a multiple of a residue", `int x = nc(); unsigned char s = 4 * x; int y = 64 * s; if (y == 64 * 8) reach_error();`, 0, interpret.ErrorReached},
		{"an opposite", `int x = nc(); if (-x == -77) reach_error();`, 0, interpret.ErrorReached},
		{"a complement", `int x = nc(); if (~x + x != -1) reach_error();`, 1, interpret.Ended},
		{"a switch on what falls", `int x = nc(); switch (300 - x) { case 100: case 101: break; case 60: reach_error(); case 90: break; }`, 0, interpret.ErrorReached},
		{"a switch with a range that is left below", `int x = nc(); assume(x < 9); switch (10 - x) { case 4: case 3: reach_error(); }`, 0, interpret.ErrorReached},
		{"a sum that overflows", `int x = ni(), y = ni(); assume(x > 2147483640 && y < 10 && y > -10); int s = x + y;`, 0, interpret.Undefined},
		{"a difference that overflows", `int x = ni(), y = ni(); assume(x < -2147483640 && y > 0 && y < 9); int s = x - y;`, 0, interpret.Undefined},
		{"a product that overflows", `int x = ni(); assume(x >= 0 && x < 300000); x *= 10000;`, 0, interpret.Undefined},
		{"an update that is computed with", `int x = nc(), y = 0; if ((y += x) * y == 49) reach_error();`, 0, interpret.ErrorReached},
		{"an update whose former value is computed with", `int x = nc(); if (x++ * 2 == 20) reach_error();`, 0, interpret.ErrorReached},
		{"an update of memory", `int a[2]; a[1] = nc(); a[1] -= 3; a[1]++; if (a[1] == 77) reach_error();`, 0, interpret.ErrorReached},
		{"an update in another type", `unsigned char x = nc(); x += 250; if (x == 3) reach_error();`, 0, interpret.ErrorReached},
		{"a product", `int x = nc(), y = nc(); if (x * y == 1001) reach_error();`, 0, interpret.ErrorReached},
		{"bits and a mask", `int x = nc() + nc(); if ((x & 5) == 2) reach_error(); if ((x & 511) != x) reach_error();`, 2303, interpret.Ended},
		{"undefined behaviour", `int x = ni(); if (x == 5) x = 1 / (x - 5);`, 0, interpret.Undefined},
		{"an overflow", `int x = ni(); if (x > 2147483646) x++;`, 0, interpret.Undefined},
		{"where objects are", `int x; if (nb()) { if (&x == (int *)(long)&x) {} }`, 0, interpret.Ended},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "int ni(void); _Bool nb(void); unsigned char nc(void); void assume(int); void reach_error(void); int g; long id(int x) { return x; }" +
				" void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); struct st { int a, b; }; struct st give(struct st x) { return x; } int *where(int x, int *to) { int *p = &x; *to = *p; return to; }" +
				" union { int i; unsigned j; unsigned char c[4]; struct { unsigned char low : 4, high : 4; } f; } u; int main(void) { " + test.body + " return 0; }"
			l := everyLimits
			l.Estimate = 1e8
			program := read(t, "test.c", text, c.LP64)
			found, err := interpret.EveryRun(t.Context(), program, interpret.Options{EndAtOverflow: true}, l)
			require.NoError(t, err)
			require.Equal(t, test.end, found.Outcome.Kind, "%+v", found)
			require.Equal(t, test.runs > 0, found.All, "%+v", found)
			if test.runs > 0 {
				require.Equal(t, test.runs, found.Runs, "%+v", found)
			}
			if test.end == interpret.ErrorReached {
				plain, err := interpret.New(program, interpret.Options{})
				require.NoError(t, err)
				out, err := plain.Run(t.Context(), found.Script, nil)
				require.NoError(t, err)
				require.Equal(t, interpret.ErrorReached, out.Kind)
			}
		})
	}
}

// A search among too many runs ends soon.
func TestTooManyRunsAreNotTried(t *testing.T) {
	for body, more := range map[string]bool{
		`int x = ni(); if (x * x == 3) reach_error();`:                                                                false,
		`int s = 0; for (int i = 0; i < 40; i++) s = s + s + nb(); if (s == 77) return 1;`:                            false,
		`int s = 0; for (int i = 0; i < 100; i++) if (nb()) s++; if (s > 100) reach_error();`:                         true,
		`int x = ni(), y = ni(); if (x >= 0 && x < 100000 && y * x == 7) reach_error();`:                              false,
		`int x = ni(); if (x < 0 || x > 30000) return 0; if (x * x > 900000000) reach_error();`:                       true,
		`int x = ni(), y = ni(); if (x < 0 || x > 99 || y < 0 || y > 99) return 0; if ((x ^ y) > 127) reach_error();`: true,
	} {
		text := "int ni(void); _Bool nb(void); void reach_error(void); int main(void) { " + body + " return 0; }"
		found := everyRun(t, text, interpret.Options{}, interpret.Limits{Steps: 400_000, RunSteps: 100_000, Estimate: 1e8})
		require.False(t, found.All, body)
		require.Equal(t, more, found.More, "%s: %+v", body, found)
		found = everyRun(t, text, interpret.Options{}, interpret.Limits{Steps: 1e9, RunSteps: 100_000, Estimate: 1e8})
		require.Equal(t, more, found.All, "%s: %+v", body, found)
	}
}

// chooser writes programs that copy, compare and compute with what they are given.
type chooser struct {
	t       *rapid.T
	b       strings.Builder
	vars    []string
	marks   int
	indent  string
	nesting int
	// bare leaves out what computes the trace from values, so that only where control goes tells runs apart.
	bare bool
}

func (m *chooser) pick(options ...string) string { return rapid.SampledFrom(options).Draw(m.t, "pick") }

var copyTypes = []string{"signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"}

func (m *chooser) line(format string, args ...any) {
	fmt.Fprintf(&m.b, "%s%s\n", m.indent, fmt.Sprintf(format, args...))
}

// copied is a copy of a variable, mostly.
func (m *chooser) copied() string {
	x := rapid.SampledFrom(m.vars).Draw(m.t, "variable")
	switch rapid.IntRange(0, 12).Draw(m.t, "copy") {
	case 6:
		return fmt.Sprintf("(%s %s %s)", x, m.pick("+", "-", "-", "*"), rapid.SampledFrom(m.vars).Draw(m.t, "variable"))
	case 7:
		return fmt.Sprintf("(%s %s)", x, m.pick("/ 3", "/ 10", ">> 2", "<< 3", "* 10", "* 7u", "% 10", "& 7", "/ -2", "* -3", "* 0x9e3779b1u", "* 6364136223846793005u"))
	case 8:
		return fmt.Sprintf("(%s%s)", m.pick("-", "~"), x)
	case 0, 1:
		return fmt.Sprintf("(%s)%s", rapid.SampledFrom(copyTypes).Draw(m.t, "type"), x)
	case 2:
		return fmt.Sprintf("%s(%s)", m.pick("same", "narrow"), x)
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, m.pick("+", "-", "*", "&", "^"), m.pick("1", "3", "-2", "200"))
	case 4:
		return fmt.Sprintf("(%s %s)", x, m.pick("% 3", "% 4", "& 3", "& 2", "% -5", "% 6u", "& 12"))
	case 5:
		return fmt.Sprintf("(%s)(%s)%s", rapid.SampledFrom(copyTypes).Draw(m.t, "type"), rapid.SampledFrom(copyTypes).Draw(m.t, "type"), x)
	}
	return x
}

func (m *chooser) condition() string {
	switch rapid.IntRange(0, 5).Draw(m.t, "condition") {
	case 0:
		return fmt.Sprintf("%s%s", m.pick("", "!"), m.copied())
	case 1:
		return fmt.Sprintf("%s %s %s", m.copied(), m.pick("<", "<=", ">", ">=", "==", "!="), m.copied())
	case 2:
		return fmt.Sprintf("%s %s %s", m.pick("0", "5", "-3", "100", "200u", "-100", "70000"), m.pick("<", "<=", ">", ">=", "==", "!="), m.copied())
	}
	return fmt.Sprintf("%s %s %s", m.copied(), m.pick("<", "<=", ">", ">=", "==", "!="), m.pick("0", "5", "-3", "100", "200u", "-100", "70000", "127", "128", "255"))
}

func (m *chooser) mark() {
	m.marks++
	m.line("trace = trace * 31u + %du;", m.marks)
}

func (m *chooser) statement() {
	switch k := rapid.IntRange(0, 11).Draw(m.t, "statement"); {
	case k == 10:
		m.line("%s %s %s;", rapid.SampledFrom([]string{"a[0]", "u.i", "s.x", "v0", m.vars[len(m.vars)-1]}).Draw(m.t, "place"), m.pick("+=", "-=", "*=", "+="), m.copied())
	case k == 11:
		m.line("%s = %s + %s;", rapid.SampledFrom(m.vars).Draw(m.t, "variable"), m.copied(), m.copied())
	case m.bare && (k == 4 || k == 6):
		m.mark()
	case k == 0:
		m.line("%s = %s;", rapid.SampledFrom(m.vars).Draw(m.t, "variable"), m.copied())
	case k == 1:
		name := fmt.Sprintf("v%d", len(m.vars))
		m.line("%s %s = %s;", rapid.SampledFrom(copyTypes).Draw(m.t, "type"), name, m.copied())
		m.vars = append(m.vars, name)
	case k == 2:
		m.line("%s%s;", rapid.SampledFrom(m.vars).Draw(m.t, "variable"), m.pick("++", "--", " += 2", " ^= 1", " *= 3", " /= 3", " %= 10", " <<= 2"))
	case k == 3:
		m.line("switch (%s) { case 1: trace += 5; break; case 3: case 4: trace += 7; break; case -2: trace += 9; break; case 100: trace += 11; }", m.copied())
	case k == 4:
		m.line("trace += (unsigned)%s;", m.copied())
	case k == 6:
		x, y := rapid.SampledFrom(m.vars).Draw(m.t, "variable"), rapid.SampledFrom([]string{"a[0]", "u.c[1]", "s.x", "s.z", m.vars[0]}).Draw(m.t, "place")
		m.line(m.pick("trace += (unsigned)(%s = %s);", "trace += (unsigned)(%s = %s) * 2;", "if ((%s = %s) < 5) trace += 77u;", "trace += ((%s = %s), 5u);"), m.pick(x, y), m.copied())
		m.line("%s = %s = %s;", x, y, m.copied())
	case k == 5:
		m.memory()
	case m.nesting < 2:
		m.nesting++
		outer, vars := m.indent, len(m.vars)
		m.line("if (%s) {", m.condition())
		m.indent += "\t"
		m.mark()
		m.statement()
		m.vars = m.vars[:vars]
		m.indent = outer
		m.line("} else {")
		m.indent += "\t"
		m.statement()
		m.vars = m.vars[:vars]
		m.indent = outer
		m.line("}")
		m.nesting--
	}
}

// memory stores copies in memory, and reads them in several ways.
func (m *chooser) memory() {
	x := rapid.SampledFrom(m.vars).Draw(m.t, "variable")
	switch rapid.IntRange(0, 9).Draw(m.t, "memory") {
	case 0, 1:
		m.line("a[%s] = %s;", m.pick("0", "1"), m.copied())
	case 2, 3:
		m.line("%s = a[%s];", x, m.pick("0", "1"))
	case 4:
		m.line("s.%s = %s; r = s;", m.pick("x", "y"), m.copied())
	case 5:
		m.line("%s = %s.%s;", x, m.pick("s", "r"), m.pick("x", "y", "z"))
	case 6:
		m.line("u.i = %s;", m.copied())
	case 7:
		m.line("u.%s = %s;", m.pick("c[1]", "h[1]", "s"), m.copied())
	case 8:
		m.line("%s = u.%s;", x, m.pick("i", "j", "c[0]", "c[1]", "h[0]", "s"))
	case 9:
		m.line("%s;", m.pick("memcpy(a + 1, a, sizeof *a)", "memcpy(&u, &s, 4)", "memcpy(&r, &s, 6)", "memset(a, 0, 5)", "t = r, r = s, s = t", "t = give(r), s = t"))
	}
}

// What any values lead to is found by trying every run: a class of runs has no value that goes another way.
func TestEveryRunIsEveryRun(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		m := &chooser{t: t, indent: "\t", bare: rapid.Bool().Draw(t, "bare")}
		options := interpret.Options{EndAtOverflow: rapid.Bool().Draw(t, "overflow")}
		inputs := rapid.SliceOfN(rapid.SampledFrom([]string{"sc", "uc", "bo", "in"}), 1, 2).Draw(t, "inputs")
		for i, f := range inputs {
			name := fmt.Sprintf("v%d", i)
			m.line("%s %s = %s();", rapid.SampledFrom(copyTypes[4:]).Draw(t, "type"), name, f)
			m.vars = append(m.vars, name)
		}
		for range rapid.IntRange(2, 7).Draw(t, "statements") {
			m.statement()
		}
		program := func(trace uint32) string {
			return "signed char sc(void); unsigned char uc(void); _Bool bo(void); int in(void); void reach_error(void);\n" +
				"void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n" +
				"struct st { int x; short y, z : 9; } s, r, t;\nstruct st give(struct st x) { struct st y = x; return y; }\nunion { int i; unsigned j; unsigned char c[4]; short h[2]; signed char s; } u;\nlong a[2];\n" +
				"long same(long x) { return x; }\nshort narrow(short x) { short y = x; return y; }\n" +
				"int main(void) {\n\tunsigned trace = 1;\n" + m.b.String() + fmt.Sprintf("\tif (trace == %du) reach_error();\n\treturn 0;\n}\n", trace)
		}
		// One run, with any values, has a trace; where that is an error, some run is to be found that reaches it.
		var values []interpret.Value
		for range inputs {
			values = append(values, interpret.Int(rapid.OneOf(rapid.Int64Range(-130, 260), rapid.Int64()).Draw(t, "value")))
		}
		var trace uint32
		at := 0
		choices := chooseFunc(func(interpret.Question) (interpret.Value, error) { at++; return values[at-1], nil })
		text := program(0)
		out, err := prepare(tt, text, c.LP64, options).Run(context.Background(), choices, func(e interpret.Event) {
			if e.Kind == interpret.Assigned && e.Target == "trace" {
				trace = uint32(e.Value.Bits())
			}
		})
		require.NoError(t, err)
		if out.Kind != interpret.Ended {
			// It overflows, which is to be found, too.
			trace = 0
		}
		l := everyLimits
		l.Steps = 2_000_000
		found, err := interpret.EveryRun(context.Background(), read(tt, "test.c", program(trace), c.LP64), options, l)
		require.NoError(t, err, program(trace))
		require.False(t, found.All, "%s\nfor %v", program(trace), values)
	})
}

type chooseFunc func(q interpret.Question) (interpret.Value, error)

func (f chooseFunc) Choose(q interpret.Question) (interpret.Value, error) { return f(q) }
