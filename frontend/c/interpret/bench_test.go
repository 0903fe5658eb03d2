package interpret_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// benchmark runs a program, and tells how many steps it does in a second.
func benchmark(b *testing.B, text string) {
	p := prepare(b, text, c.LP64, interpret.Options{Steps: 100_000_000})
	var steps int64
	for b.Loop() {
		out, err := p.Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(b, err)
		require.Equal(b, interpret.Ended, out.Kind, "%s", out)
		steps += out.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
}

func BenchmarkLoop(b *testing.B) {
	benchmark(b, `int main(void) {
  int s = 0;
  for (int i = 0; i < 1000000; i++) {
    if (i % 3 == 0)
      s += i;
    else
      s ^= 5;
  }
  return s;
}`)
}

func BenchmarkArray(b *testing.B) {
	benchmark(b, `int a[1000];
int main(void) {
  for (int k = 0; k < 1000; k++)
    for (int i = 0; i < 999; i++)
      if (a[i] <= a[i + 1])
        a[i + 1] = a[i] + k;
  return a[999];
}`)
}

func BenchmarkPointers(b *testing.B) {
	benchmark(b, `struct cell { int value; struct cell *next; } cells[100];
int main(void) {
  for (int i = 0; i < 99; i++)
    cells[i].next = &cells[i + 1];
  int s = 0;
  for (int k = 0; k < 5000; k++)
    for (struct cell *c = cells; c; c = c->next)
      s += c->value++;
  return s;
}`)
}

func BenchmarkCalls(b *testing.B) {
	benchmark(b, `int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(25); }`)
}
