package trace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	ctrace "hornbeam/frontend/c/trace"
	"hornbeam/frontend/trace"
)

// A call of the library is a step of its line: what its definition does is none, and what it calls of the program is.
func TestLibraryIsOneStep(t *testing.T) {
	const text = `unsigned long strlen(const char *); char *strcpy(char *, const char *); void reach_error(void);
int snprintf(char *, unsigned long, const char *, ...);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int up(const void *x, const void *y) { return *(char *)x - *(char *)y; }
int main(void) {
  char b[9];
  strcpy(b, "cab");
  unsigned long length = strlen(b);
  qsort(b, 2, 1, up);
  snprintf(b, 9, "%c%d", b[0], 7);
  if (length == 3 && b[0] == 'a')
    reach_error();
  return 0;
}
`
	p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{})
	require.NoError(t, err)
	r := ctrace.NewRecorder()
	runner, err := interpret.New(p, interpret.Options{})
	require.NoError(t, err)
	out, err := runner.Watch(t.Context(), interpret.NewScript(), r.Observe, r.Access)
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, out.Kind, out)
	steps := map[int][]string{}
	for _, s := range r.Trace().Steps {
		if s.Kind != trace.Error {
			steps[s.Pos.Line] = append(steps[s.Pos.Line], s.Procedure)
		}
		for _, v := range s.Values {
			require.Contains(t, []string{"length", "x", "y", "up()"}, v.Name)
		}
	}
	require.Equal(t, map[int][]string{
		5: {"main"}, 7: {"main"}, 8: {"main"}, 9: {"main", "up", "up"}, 4: {"up"}, 10: {"main"}, 11: {"main"}, 12: {"main"},
	}, steps)
}
