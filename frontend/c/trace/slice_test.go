package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	ctrace "hornbeam/frontend/c/trace"
	"hornbeam/frontend/trace"
)

// What the failure depends on is kept, and nothing else: the lines with "keep" behind them.
func TestSlice(t *testing.T) {
	t.Parallel()
	const head = "extern void reach_error(void); extern int nd(void); int scanf(const char *, ...); int printf(const char *, ...); void abort(void) __attribute__((noreturn));\n"
	for name, text := range map[string]string{
		"data": `int main(void) { // keep
  int a = nd(); // keep
  int b = a + 1; // keep
  int c = b * 2;
  c++;
  if (b > 7) // keep
    reach_error(); // keep
}`,
		"overwritten": `int main(void) { // keep
  int a = 3;
  a = nd(); // keep
  if (a == 5) reach_error(); // keep
}`,
		"loops": `int main(void) { // keep
  int s = 0, i, n = 0; // keep
  for (i = 0; i < 3; i++) // keep
    s += i; // keep
  for (i = 0; i < 3; i++)
    n += i;
  printf("%d", n);
  if (s == 3) // keep
    reach_error(); // keep
}`,
		"early return": `int f(int x) {
  if (x > 10) // keep
    return 1;
  x = x + 1; // keep
  return x; // keep
}
int main(void) { // keep
  int y = f(nd()); // keep
  int z = f(4);
  if (y == 4) reach_error(); // keep
}`,
		"calls": `int g;
void set(int v) {
  g = v; // keep
}
int unused(int v) { return v; }
int main(void) { // keep
  set(1);
  unused(3);
  set(2); // keep
  if (g == 2) reach_error(); // keep
}`,
		"pointers": `void put(int *p, int v) {
  *p = v; // keep
}
int main(void) { // keep
  int a = 0, b = 0;
  int other = 5;
  put(&a, 4); // keep
  other++;
  if (a == 4) reach_error(); // keep
}`,
		"input": `int main(void) { // keep
  int n, m = 2;
  scanf("%d", &n); // keep
  m = m * m;
  if (n == 7) reach_error(); // keep
}`,
		"elements of an array": `int main(void) { // keep
  int a[4];
  a[0] = 1;
  a[1] = 2; // keep
  a[2] = 3;
  int *p = a; // keep
  if (p[1] == 2) reach_error(); // keep
}`,
		"structs in memory": `struct s { int x, y; } g;
void set(struct s *p, int v) {
  p->x = v;
  p->y = v + 1; // keep
}
int main(void) { // keep
  struct s other = {0};
  set(&g, 1); // keep
  set(&other, 2);
  if (g.y == 2) reach_error(); // keep
}`,
		"assumptions of a call": `void assume(int c) { if (!c) abort(); }
int main(void) { // keep
  int a = nd(); // keep
  assume(a > 3);
  if (a == 7) reach_error(); // keep
}`,
	} {
		kept := map[int]bool{}
		for _, s := range failing(t, name, head+text).Slice().Steps {
			kept[s.Pos.Line] = true
		}
		for i, line := range strings.Split(head+text, "\n") {
			require.Equal(t, strings.HasSuffix(line, "// keep"), kept[i+1], "%s: %s", name, line)
		}
	}
}

// failing is the trace of a run of a program that fails, with the least number from 0 to 9 as the answer to every question.
func failing(t *testing.T, name, text string) *trace.Trace {
	p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{})
	require.NoError(t, err, name)
	for answer := int64(0); answer < 10; answer++ {
		r := ctrace.NewRecorder()
		r.Source("test.c", []byte(text))
		runner, err := interpret.New(p, interpret.Options{})
		require.NoError(t, err)
		out, err := runner.Watch(t.Context(), constant(answer), r.Observe, r.Access)
		require.NoError(t, err)
		if out.Kind == interpret.ErrorReached {
			return r.Trace()
		}
	}
	require.Fail(t, "no run fails", name)
	return nil
}

// The failure has the values that its condition read: of arrays and structs those elements and fields, also what nothing has assigned.
func TestValuesOfTheFailure(t *testing.T) {
	t.Parallel()
	const head = "#include <assert.h>\nextern int nd(void);\n"
	for text, want := range map[string]string{
		`int main(void) { int n = nd(), a[10]; for (int i = 0; i < 10; i++) a[i] = i * n; assert(a[4] < 20 && n < 100); }`: "a[4] = 20, n = 5",
		`int a[10]; int main(void) { int n = nd(); assert(a[2] != n || a[3] > 7); }`:                                       "a[2] = 0, a[3] = 0, n = 0",
		`struct s { int x, y; } g = {1, 2}; int main(void) { struct s *p = &g; p->x = nd(); assert(p->y == p->x); }`:       "p = &g, g.y = 2, g.x = 0",
		`int main(void) { int n = nd(), a[2]; a[1] = n; assert(n != 3 || n == 7 && a[1] == 2); }`:                          "n = 3",
		`#include <stdlib.h>
struct s { int x; struct s *next; };
int main(void) { struct s *p = malloc(sizeof *p); p->x = nd(); p->next = p; assert(p->next->x > 5); }`: "p = allocated object 1, allocated object 1.next = allocated object 1, allocated object 1.x = 0",
		`#include <stdlib.h>
struct s { int x, y; };
int main(void) { struct s *p = malloc(3 * sizeof *p); p[2].y = nd(); assert(p[2].y > 5); }`: "p = allocated object 1, allocated object 1[2].y = 0",
		`int main(void) { unsigned char u[4]; int *p = (int *)u; *p = 258; assert(u[nd()] != 1); }`: "u[1] = 1, nd() = 1",
	} {
		s := failing(t, text, head+text).Slice().Failure()
		var values []string
		for _, v := range s.Values {
			values = append(values, v.Name+" = "+v.Value)
		}
		require.Equal(t, want, strings.Join(values, ", "), text)
	}
}

// Statements that follow each other in one line are one line of the text; a turn of a loop is another.
func TestOneLineForEachVisit(t *testing.T) {
	t.Parallel()
	const text = `extern void reach_error(void); extern int nd(void);
void set(int *p) { int a = nd(); int b = a + 1; *p = b; }
int main(void) {
  int x; set(&x);
  int i = 0; while (i < 2) { i++; x = x + i; }
  if (x == 7) reach_error();
}`
	shown, _ := failing(t, "visits", text).Slice().Text(false)
	var visited []string
	for line := range strings.Lines(shown) {
		at := strings.Split(line, ":")
		visited = append(visited, at[1])
	}
	require.Equal(t, []string{"3", "4", "2", "5", "5", "5", "6", "6"}, visited, shown)
	require.Contains(t, shown, "  a = 3, b = 4, x = 4\n")
	require.Contains(t, shown, "  i = 2, x = 7\n")
}

// constant answers every question with one value.
type constant int64

func (c constant) Choose(interpret.Question) (interpret.Value, error) {
	return interpret.Int(int64(c)), nil
}
