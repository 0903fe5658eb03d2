package interpret_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// libraryCalls are expressions on the strings s and t, the character k, the integer n, the double x and y, which use
// functions of C's library.
var libraryCalls = []string{
	`strlen(s)`, `strnlen(s, n & 7)`, `sign(strcmp(s, t))`, `sign(strncmp(s, t, n & 7))`, `sign(memcmp(s, t, 2))`,
	`sign(strcasecmp(s, t))`, `sign(strncasecmp(s, t, 3))`,
	`at(strchr(s, k), s)`, `at(strrchr(s, k), s)`, `at(strstr(s, t), s)`, `at(strpbrk(s, t), s)`, `at(memchr(s, k, strlen(s)), s)`,
	`strspn(s, t)`, `strcspn(s, t)`, `digest(strcpy(b, s), 16)`, `digest(strncpy(b, s, n & 15), 16)`, `digest(strcat(strcpy(b, s), t), 24)`,
	`digest(strncat(strcpy(b, s), t, n & 3), 24)`, `digest(memset(b, k, n & 15), 16)`, `digest(memcpy(b, s, strlen(s)), 16)`,
	`digest(memmove(b + 1, b, 5), 16)`, `digest(strdup(s), strlen(s) + 1)`, `at(stpcpy(b, s), b)`, `at(mempcpy(b, s, strlen(s)), b)`,
	`atoi(s)`, `atol(s)`, `strtol(s, &end, 0)`, `at(end, s)`, `strtol(s, &end, 16)`, `at(end, s)`, `strtoul(s, 0, 10)`, `strtoll(t, 0, n & 1 ? 8 : 36)`,
	`strtoull(s, &end, 0)`, `at(end, s)`, `strtoll(s, &end, 0)`, `atoll(s)`, `strtol("99999999999999999999", 0, 10)`, `strtol("-99999999999999999999", 0, 10)`,
	`strtoul("-18446744073709551616", 0, 10)`, `strtoul("-1", 0, 10)`, `strtol("0xg", &end, 16)`, `*end`,
	`digest(strndup(s, 2), 1)`, `digest(stpncpy(b, s, 9) - strnlen(s, 9), 9)`, `at(memrchr(s, k, strlen(s)), s)`, `at(strchrnul(s, k), s)`,
	`at(memccpy(b, s, k, strlen(s)), b)`, `at(index(s, k), s)`, `at(rindex(s, k), s)`, `sign(bcmp(s, t, 1))`, `isdigit('1') + isalpha('c') + isspace(' ')`,
	`sorted(n, k)`, `found(n)`, `snprintf(b, 7, "%d|%u|%s|%c%%|%lx", n, (unsigned)k, s, 'q', (long)n)`, `digest(b, 7)`,
	`sprintf(b, "%i %lld %llx %lu", n, n * 5ll, n * 7ll, n * 1ul)`, `digest(b, strlen(b))`, `snprintf(0, 0, "%s%s", s, t)`,
	`((size_t (*)(const char *))strlen)(s)`, `sign(applied(strcmp, s, t))`,
	`abs(n | 1)`, `labs(n * 3l)`, `llabs(-n * 5ll)`,
	`!!isalpha(k)`, `!!isdigit(k)`, `!!isalnum(k)`, `!!isspace(k)`, `!!isupper(k)`, `!!islower(k)`, `!!isxdigit(k)`, `!!ispunct(k)`,
	`!!isprint(k)`, `!!isgraph(k)`, `!!iscntrl(k)`, `!!isblank(k)`, `toupper(k)`, `tolower(k)`,
	`__builtin_popcount(n)`, `__builtin_popcountll(n)`, `__builtin_clz(n | 1)`, `__builtin_ctzl(n | 16)`, `__builtin_ffs(n)`, `__builtin_parity(n)`,
	`__builtin_clrsb(n)`, `__builtin_bswap16(n)`, `__builtin_bswap32(n)`, `__builtin_bswap64(n)`, `__builtin_expect(n, 1)`,
	`__builtin_add_overflow(n, 2147483000, &small)`, `small`, `__builtin_mul_overflow(n, n, &wide)`, `wide`, `__builtin_sub_overflow(k, n, &tiny)`, `tiny`,
	`bits(fabs(x))`, `bits(floor(x))`, `bits(ceil(x))`, `bits(trunc(x))`, `bits(round(x))`, `bits(rint(x))`, `bits(sqrt(x))`, `bits(fmod(x, y))`,
	`bits(fmin(x, y))`, `bits(fmax(x, y))`, `bits(copysign(x, y))`, `bits(remainder(x, y))`, `bits(fdim(x, y))`, `bits(fma(x, y, 0.1))`,
	`bits(sqrtf(x))`, `bits(floorf(y))`, `bits(roundf(x))`, `bits(fmodf(x, y))`, `bits(modf(x, &whole))`, `bits(whole)`, `bits(frexp(x, &small))`, `bits(ldexp(y, n & 31))`,
	`lround(fmin(x, 1e9))`, `lrint(y)`, `!!isnan(x / y - x / y)`, `!!isinf(x / y)`, `!!signbit(x)`, `!!isfinite(y)`, `!!isnormal(x)`, `isless(x, y)`,
	`bits(rounded(x, FE_UPWARD))`, `bits(rounded(x, FE_DOWNWARD))`, `bits(rounded(y, FE_TOWARDZERO))`, `fesetround(FE_DOWNWARD)`, `fegetround()`,
	`lrint(fmin(y, x) < 0 ? y : 0.5)`, `fesetround(FE_TONEAREST)`,
	`(char *)calloc(3, 5) != 0`, `digest(calloc(3, 5), 15)`, `digest(realloc(strcpy(malloc(4), "abc"), 9), 4)`,
	`digest(__builtin_alloca(4) ? strcpy(b, t) : 0, 5)`, `mix(0, (long)(long double)n)`, `(long)((long double)fmin(x, 1e15) * 2)`,
}

const libraryPrelude = `#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <ctype.h>
#include <math.h>
#include <fenv.h>
static unsigned long long mix(unsigned long long h, long long x) { return (h ^ x) * 1099511628211ull; }
static unsigned long long bits(double d) { unsigned long long r; memcpy(&r, &d, 8); return d != d ? 1 : r; }
static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const void *p, const void *from) { return p ? (const char *)p - (const char *)from : -1; }
static unsigned long long digest(const void *p, int n) {
  unsigned long long h = 7;
  for (int i = 0; i < n; i++)
    h = mix(h, ((const unsigned char *)p)[i]);
  return h;
}
static int up(const void *x, const void *y) { int a = *(const int *)x, b = *(const int *)y; return a < b ? -1 : a > b; }
static unsigned long long sorted(int n, int k) {
  int a[6] = {n, k, 3, -n, 3, k ^ n};
  qsort(a, 6, sizeof *a, up);
  return digest(a, sizeof a);
}
static long found(int n) {
  int a[5] = {-3, 0, 12, 77, 65536};
  return at(bsearch(&n, a, 5, sizeof *a, up), a);
}
static int applied(int (*f)(const char *, const char *), const char *s, const char *t) { return f(s, t); }
static double rounded(double x, int mode) {
  fesetround(mode);
  double r = rint(x);
  fesetround(FE_TONEAREST);
  return r;
}
char *strdup(const char *);
char *stpcpy(char *, const char *);
void *mempcpy(void *, const void *, size_t);
size_t strnlen(const char *, size_t);
char *strndup(const char *, size_t), *stpncpy(char *, const char *, size_t), *strchrnul(const char *, int);
void *memrchr(const void *, int, size_t), *memccpy(void *, const void *, int, size_t);
`

// Functions of C's library do what GNU's do, whatever they are called with.
func TestLibraryAgreesWithGCC(t *testing.T) {
	inputs := []string{
		`"horn", "or", 'o', 12, 2.5, -1.5`, `"", "x", 0, -3, -0.0, 3.0`, `"  -0x1fz", "077", ' ', 77, 1e300, 0.1`, `"abcABC", "cba", 'C', 2147483647, -7.25, 2.0`,
		`"2147483647", "zz", '7', -2147483647 - 1, 4503599627370497.5, 1.0`, `"a\xff_b", "\xff", 0xff, 255, 0.49999999999999994, -3.75`, `"aXbX", "X", 'X', 65536, 6.0, 4.0`,
	}
	var b strings.Builder
	b.WriteString(libraryPrelude)
	b.WriteString("char text[64], b[64]; char *end; int small; long long wide; signed char tiny; double whole;\n")
	for i, call := range libraryCalls {
		fmt.Fprintf(&b, "unsigned long long c%d(const char *s, const char *t, int k, int n, double x, double y) { return %s; }\n", i, call)
	}
	for j, in := range inputs {
		fmt.Fprintf(&b, "unsigned long long results%d[%d];\nvoid f%d(void) {\n  memset(b, 1, sizeof b);\n", j, len(libraryCalls), j)
		for i := range libraryCalls {
			fmt.Fprintf(&b, "  results%d[%d] = c%d(%s);\n", j, i, i, in)
		}
		b.WriteString("}\n")
	}
	b.WriteString("int main(void) {\n")
	for j := range inputs {
		fmt.Fprintf(&b, "  f%d();\n  for (int i = 0; i < %d; i++) printf(\"%%llu\\n\", results%d[i]);\n", j, len(libraryCalls), j)
	}
	b.WriteString("}\n")
	want := strings.Fields(compileAndRun(t, b.String(), "-fno-builtin", "-lm"))
	require.Len(t, want, len(inputs)*len(libraryCalls))
	program := read(t, "library.c", b.String(), c.LP64)
	for j := range inputs {
		p, err := interpret.New(program, interpret.Options{Entry: fmt.Sprintf("f%d", j)})
		require.NoError(t, err)
		var got []string
		out, err := p.Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
			if e.Kind == interpret.Assigned && strings.HasPrefix(e.Target, "results") {
				got = append(got, e.Value.String())
			}
		})
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind, "%s, after %d calls", out, len(got))
		require.Len(t, got, len(libraryCalls))
		for i := range libraryCalls {
			require.Equal(t, want[j*len(libraryCalls)+i], got[i], "%s with %s", libraryCalls[i], inputs[j])
		}
	}
}

// What functions of the library and functions without a body give is what they may give: each program ends without an error,
// whatever is answered.
func TestLibraryResultsAreInRange(t *testing.T) {
	const head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\n#include <time.h>\n#include <unistd.h>\n" +
		"extern void reach_error(void);\n#define check(c) if (!(c)) reach_error()\n" +
		"void look(const int *); void change(int *); long nd(void); struct s { int v; const struct s *p; }; void both(struct s *);\n"
	for _, body := range []string{
		`errno = ERANGE; check(errno == ERANGE);`,
		`check(errno == 0); errno = 3; getchar(); check(errno != 0);`,
		`int c = getchar(); check(c >= -1 && c <= 255); c = fgetc(stdin); check(c >= -1 && c <= 255); c = ungetc(c, stdin); check(c >= -1 && c <= 255);`,
		`int c = putchar(65); check(c >= -1 && c <= 255); check(puts("a") >= -1); check(printf("%d", 1) >= -1);`,
		`long t = nd() >> 12; check(difftime(t, t) == 0 && difftime(t, t - 3) == 3);`,
		`int r = rand(); check(r >= 0 && r <= RAND_MAX); check(random() >= 0);`,
		`char b[9]; char *p = fgets(b, 9, stdin); check(!p || p == b);`,
		`char b[3]; long n = read(0, b, 3); check(n >= -1 && n <= 3); n = write(1, b, 2); check(n >= -1 && n <= 2);`,
		`char b[3] = "ab"; if (read(0, b, 1) <= 1) check(b[1] == 'b');`,
		`int b[3]; unsigned long n = fread(b, 4, 3, stdin); check(n <= 3);`,
		`check(strerror(3) != 0); int y = isatty(1); check(y == 0 || y == 1);`,
		`time_t t; time_t r = time(&t); check(r == t && r >= -1); check(clock() >= -1); check(sleep(4) <= 4); check(getpid() > 0);`,
		`int x; int n = scanf("%d", &x); check(n >= -1); n = close(3); check(n == 0 || n == -1);`,
		`int x = 1, y = 2; look(&x); change(&y); check(x == 1);`,
		`int x[3] = {1, 1, 1}, y = 1; change(&x[1]); check(y == 1);`,
	} {
		p := prepare(t, head+"int main(void) { "+body+" return 0; }", c.LP64, interpret.Options{})
		for seed := range uint64(15) {
			out, err := p.Run(context.Background(), interpret.NewRandom(seed, []int64{1, 2}), nil)
			require.NoError(t, err)
			require.Equal(t, interpret.Ended, out.Kind, "%s\n%s", body, out)
		}
	}
}

// What a function without a body changes is chosen, and so is what a run cannot compute: it stops there.
func TestFunctionsWithoutBodiesChange(t *testing.T) {
	const head = "extern void reach_error(void); struct s { int v; struct s *p; }; void f(int *), g(struct s *), h(const struct s *), k(struct s);\n"
	for _, body := range []string{
		`int x = 1; f(&x); if (x != 1) reach_error();`,
		`int x[3] = {1, 1, 1}; f(x); if (x[2] != 1) reach_error();`,
		`struct s a = {1}, b = {1, &a}; g(&b); if (a.v != 1) reach_error();`,
		`struct s a = {1}, b = {1, &a}; h(&b); if (b.v != 1) return 0; if (a.v != 1) reach_error();`,
		`struct s a = {1}, b = {1, &a}; k(b); if (a.v != 1) reach_error();`,
		`void (*q)(int *) = f; int x = 1; q(&x); if (x != 1) reach_error();`,
		`if (nd()) __builtin_trap();`,
	} {
		p := prepare(t, head+"int nd(void);int main(void) { "+body+" return 0; }", c.LP64, interpret.Options{})
		reached := false
		for seed := range uint64(40) {
			out, err := p.Run(context.Background(), interpret.NewRandom(seed, nil), nil)
			require.NoError(t, err)
			require.Contains(t, []interpret.Kind{interpret.Ended, interpret.ErrorReached}, out.Kind, "%s\n%s", body, out)
			reached = reached || out.Kind == interpret.ErrorReached
		}
		require.True(t, reached, body)
	}
	for _, body := range []string{
		`char *e; strtod("1x", &e);`, `wchar_t b[4]; wcscpy(b, L"ab");`, `int q; remquo(7, 2, &q);`, `char b[9]; sprintf(b, "%5d", 5);`,
		`fenv_t e; fegetenv(&e);`, `div(7, 2);`,
	} {
		p := prepare(t, "#include <stdlib.h>\n#include <stdio.h>\n#include <wchar.h>\n#include <math.h>\n#include <fenv.h>\nint main(void) { "+body+" return 0; }", c.LP64, interpret.Options{})
		out, err := p.Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, interpret.Undetermined, out.Kind, "%s\n%s", body, out)
	}
}
