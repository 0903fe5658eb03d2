package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const floatsBegin = `#include <math.h>
#include <fenv.h>
extern void reach_error(void); extern float nf(void); extern double nd(void); extern long double nl(void); extern int ni(void);
static void check(int holds) { if (!holds) reach_error(); }
`

// floatsHold are programs about floating numbers that are proved: what is exact, and what follows from how results are rounded.
var floatsHold = map[string]string{
	"order":                      `int main(void) { double x = nd(), y = nd(), z = nd(); if (x < y && y <= z) check(x < z && !(z <= x) && x != z); check(!(x < y && x == y)); }`,
	"what is no number":          `int main(void) { float x = nf(); if (x != x) check(!(x < 1) && !(x >= 1) && !(x == x) && isnan(x) && !isinf(x) && x != 0); else check(!isnan(x)); if (x) check(x != 0); }`,
	"zeros":                      `int main(void) { double x = nd(); if (x == 0) check(x <= -0.0 && x >= 0.0 && !(x < 0) && !x && -x == x && fabs(x) == 0); check(signbit(-0.0) && !signbit(0.0)); }`,
	"signs":                      `int main(void) { double x = nd(); if (x == x) check(fabs(x) >= 0 && -(-x) == x && (x < 0 ? fabs(x) == -x : fabs(x) == x) && copysign(x, -1.0) <= 0); }`,
	"kinds":                      `int main(void) { double x = nd(); check(isnan(x) || isinf(x) || isfinite(x)); if (isnormal(x)) check(fpclassify(x) == FP_NORMAL && x != 0); if (fpclassify(x) == FP_SUBNORMAL) check(fabs(x) < 1e-307); }`,
	"constants":                  `int main(void) { check(0.1 + 0.2 != 0.3); check(0.1f + 0.2f == 0.3f); check((float)16777217 == 16777216.0f); check(1.0 / 3 * 3 == 1.0); check((int)-2.9 == -2); check(sqrt(2.0) * sqrt(2.0) != 2.0); check(fmod(5.5, -2.0) == 1.5); }`,
	"loops that are written out": `int main(void) { double t = 0; for (int i = 0; i < 10; i++) t += 0.1; check(t != 1.0); check(t > 0.99); }`,
	"sums of two signs":          `int main(void) { float x = nf(), y = nf(); if (x > 0 && y > 0) check(x + y >= x); if (x > y && isfinite(x)) check(x - y > 0); }`,
	"products":                   `int main(void) { float x = nf(), y = nf(); check(!(x * x < 0)); if (x >= 0 && x <= 4) check(x * x <= 16); if (x > 1 && x < 9 && y > 1 && y < 9) check(x * y >= x && x / y <= x); }`,
	"loops that stay in bounds":  `int main(void) { float x = nf(), y = 0; if (!(x >= -10 && x <= 10)) return 0; for (int i = 0; i < 1000; i++) { y = y * 0.5f + x; check(y >= -30 && y <= 30); } }`,
	"roots":                      `int main(void) { double x = nd(); if (x >= 1) check(sqrt(x) >= 1 && sqrt(x) <= x); if (x < 0) check(isnan(sqrt(x))); }`,
	"integers":                   `int main(void) { int n = ni(); double x = n; if (n > 0) check(x >= 1); if (n < 100 && n > -100) check((int)x == n && (float)n == x); }`,
	"rounding to integers":       `int main(void) { float x = nf(); if (x >= 0 && x < 100) { check(floorf(x) <= x && ceilf(x) >= x && truncf(x) <= x); int i = x; check(i <= x); } }`,
	"other formats":              `int main(void) { float x = nf(), y = nf(); double a = x, b = y; if (x < y) check(a < b); check(2.1L != 2.1 && (float)2.1L == 2.1f); }`,
	"bytes":                      `int main(void) { float x = nf(); unsigned u; __builtin_memcpy(&u, &x, 4); if (u >> 31 && x == x) check(x <= 0); union { double d; struct { unsigned low, high; } w; } v; v.d = 1.0; check(v.w.high == 0x3ff00000 && v.w.low == 0); v.w.high |= 0x80000000; check(v.d == -1.0); }`,
	"memory":                     `double a[4], *p = a + 1; struct { float f; double d; } s, t; int main(void) { check(p[1] == 0); *p = 2.5; check(a[1] == 2.5); s.f = 1.5f; t = s; check(t.f == 1.5f && t.d == 0); __builtin_memset(a, 0, sizeof a); check(a[1] == 0); }`,
	"parts":                      `int main(void) { double x = nd(), w, f = modf(x, &w); if (x < 0) check(w >= x && f >= x); check(modf(-2.75, &w) == -0.75 && w == -2); }`,
	"directions of rounding":     `int main(void) { check(fegetround() == FE_TONEAREST && lrint(-2.5) == -2); check(fesetround(FE_UPWARD) == 0 && rint(1.2) == 2 && rint(-1.2) == -1); check(fesetround(3) != 0 && fegetround() == FE_UPWARD); }`,
}

// floatsFail are programs that can reach the error, in a way that a proof about numbers without rounding overlooks.
var floatsFail = map[string]string{
	"nothing is no number":       `int main(void) { double x = nd(); check(x == x); }`,
	"comparisons are a choice":   `int main(void) { double x = nd(), y = nd(); check(x < y || x >= y); }`,
	"zeros have signs":           `int main(void) { double x = nd(); if (x == 0) check(1 / x > 0); }`,
	"sums are associative":       `int main(void) { check((0.1 + 0.2) + 0.3 == 0.1 + (0.2 + 0.3)); }`,
	"floats hold integers":       `int main(void) { int n = 16777216 + (ni() & 3); float x = n; check((int)x == n); }`,
	"infinity has a difference":  `int main(void) { double x = nd(); if (x > 0) check(x - x == 0); }`,
	"quotients of zeros":         `int main(void) { double x = nd(), y = nd(); if (x >= 0 && y >= 0) check(x / y >= 0); }`,
	"products of small numbers":  `int main(void) { double x = nd(); if (x > 0) check(x * x > 0); }`,
	"a sum that is exact":        `int main(void) { double x = nd(); if (x > 3 && x < 5) check(x * 2 <= 9.5); }`,
	"bytes of what is no number": `int main(void) { float x = nf(); unsigned u; __builtin_memcpy(&u, &x, 4); if ((u & 0x7f800000) == 0x7f800000) check(x == x); }`,
	"rounding downwards":         `int main(void) { double x = nd(); if (x > -5 && x < 5) check(floor(x) == trunc(x)); }`,
	"a subnormal float":          `int main(void) { double x = nd(); if (x > 0 && x < 1e-40) check((float)x == x); }`,
	"modf stores":                `int main(void) { double x = 1; check(x + modf(2.5, &x) == 2.5); }`,
	"an effect that may not be":  `int main(void) { if (ni()) fesetround(FE_UPWARD); check(rint(0.5) == 0); }`,
}

// Proofs about floating numbers are found, and none overlooks what rounding does.
func TestFloats(t *testing.T) {
	for name, text := range floatsHold {
		t.Run(name, func(t *testing.T) {
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--timeout", "60s", tempFile(t, "p.c", floatsBegin+text))
			require.Equal(t, "safe", r.verdict(), r.err)
		})
	}
	for name, text := range floatsFail {
		t.Run(name, func(t *testing.T) {
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--timeout", "10s", tempFile(t, "p.c", floatsBegin+text))
			require.Contains(t, []string{"unsafe", "unknown"}, r.verdict(), r.err)
		})
	}
}
