package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	ctrace "hornbeam/frontend/c/trace"
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
		p, err := c.Read(t.Context(), "test.c", []byte(head+text), c.Options{})
		require.NoError(t, err, name)
		run := func(answer int64) (*ctrace.Recorder, interpret.Outcome) {
			r := ctrace.NewRecorder()
			runner, err := interpret.New(p, interpret.Options{})
			require.NoError(t, err)
			out, err := runner.Watch(t.Context(), constant(answer), r.Observe, r.Access)
			require.NoError(t, err)
			return r, out
		}
		var r *ctrace.Recorder
		for answer := int64(0); answer < 10; answer++ {
			recorder, out := run(answer)
			if out.Kind == interpret.ErrorReached {
				r = recorder
				break
			}
		}
		require.NotNil(t, r, name)
		kept := map[int]bool{}
		for _, s := range r.Trace().Slice().Steps {
			kept[s.Pos.Line] = true
		}
		for i, line := range strings.Split(head+text, "\n") {
			require.Equal(t, strings.HasSuffix(line, "// keep"), kept[i+1], "%s: %s", name, line)
		}
	}
}

// constant answers every question with one value.
type constant int64

func (c constant) Choose(interpret.Question) (interpret.Value, error) {
	return interpret.Int(int64(c)), nil
}
