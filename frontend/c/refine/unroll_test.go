package refine_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/refine"
)

// A loop whose turns are counted by constants, with a bit operation that is exact only turn by turn, is written out in the
// modes that are refined, and in no other. What is known behind its turns is no invariant of the source's loop.
func TestLoopsAreWrittenOut(t *testing.T) {
	text := `unsigned char nd(void); void reach_error(void);
int main(void) { unsigned char x = nd(), y = 0; for (unsigned char c = 0; c < 8; c++) { unsigned char i = 1 << c; if (x & i) y += i; } if (x != y) reach_error(); return 0; }`
	for mode, want := range map[lower.Mode]int{lower.Ranged: 0, lower.Guided: 0, lower.AllVectors: 1, lower.NoVectors: 1} {
		p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{Model: c.ILP32})
		require.NoError(t, err)
		heads := 0
		a, err := refine.Strategies(p, refine.Options{Mode: mode})[0].Begin(t.Context())
		require.NoError(t, err)
		_, err = a.Clauses(t.Context())
		require.NoError(t, err)
		for _, m := range a.Encoding.Meanings {
			if m.Kind == encode.Point && m.Block.Loop {
				heads++
			}
		}
		require.Equal(t, want, heads, mode)
		require.Len(t, a.Translation.Origins.Loops, want, mode)
	}
}

// A branch that no run takes stays where gotos from elsewhere lead into it.
func TestBranchesThatGotosLeadInto(t *testing.T) {
	text := `void reach_error(void);
int main(void) { int i = 1, x = -7; char c = 3; if (x + 8) goto into; for (i = 0; i < 2; i++) { into:; for (int j = 0; j < 3; j++) x ^= c << j; } if (x < 0) reach_error(); return 0; }`
	for _, mode := range []lower.Mode{lower.Ranged, lower.Guided} {
		p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{Model: c.ILP32})
		require.NoError(t, err)
		a, err := refine.Strategies(p, refine.Options{Mode: mode})[0].Begin(t.Context())
		require.NoError(t, err)
		_, err = a.Clauses(t.Context())
		require.NoError(t, err)
	}
}

// Of a loop without a bound that ranges tell, so many turns are written out at first as random runs of the program have.
func TestFirstCopiesOfLoops(t *testing.T) {
	text := `char nd(void); void reach_error(void);
int main(void) { char s[8]; int n = 0; for (int i = 0; i < 7; i++) { s[i] = nd(); } s[7] = 0;
while (s[n]) n++; if (n > 7) reach_error(); return 0; }`
	p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{Model: c.ILP32})
	require.NoError(t, err)
	for _, s := range refine.Strategies(p, refine.Options{Mode: lower.Ranged, Vectors: true}) {
		if s.Name != "bounded vectors" {
			continue
		}
		a, err := s.Begin(t.Context())
		require.NoError(t, err)
		_, err = a.Clauses(t.Context())
		require.NoError(t, err)
		turns := map[string]bool{}
		for _, q := range a.Encoding.System.Predicates {
			if m := regexp.MustCompile(`\$turn\d+\.\S+`).FindString(q.Name); m != "" {
				turns[m] = true
			}
		}
		// Seven of each loop, and the last evaluation of its test.
		require.Len(t, turns, 16)
		return
	}
	t.Fatal("there is no such strategy")
}
