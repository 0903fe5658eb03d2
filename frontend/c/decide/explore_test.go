package decide_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/interpret"
)

// A program that leaves nothing open has one run, which is followed further than others are.
func TestTheOnlyRun(t *testing.T) {
	const loop = `unsigned x = 0; while (x < 8000000) x++; if (x == 8000000) reach_error();`
	for _, test := range []struct {
		name, body string
		want       decide.Verdict
	}{
		{"it reaches the error", loop, decide.Unsafe},
		{"it reaches no error", `unsigned x = 0; while (x < 8000000) x++; if (x != 8000000) reach_error();`, decide.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := c.Read(t.Context(), "test.c", []byte("void reach_error(void); int main(void) { "+test.body+" return 0; }"), c.Options{Model: c.LP64})
			require.NoError(t, err)
			r, err := decide.Program(t.Context(), p, decide.Options{Explore: 10 * time.Second}, func(context.Context, decide.Question) decide.Decided {
				return decide.Decided{Reason: "too hard"}
			})
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict)
			if test.want == decide.Unsafe {
				require.Equal(t, interpret.ErrorReached, r.Outcome.Kind)
				require.Greater(t, r.Outcome.Steps, int64(10_000_000), "other runs end earlier")
			}
		})
	}
}
