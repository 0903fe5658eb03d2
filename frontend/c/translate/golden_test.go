package translate_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/translate"
)

var update = flag.Bool("update", false, "write the translations of testdata instead of comparing them")

// TestGolden says what programs become, word for word. The files were read and found right.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		for _, property := range []fault.Kind{fault.Assertion, fault.Overflow} {
			golden := strings.TrimSuffix(name, ".c") + ".bpl"
			if property == fault.Overflow {
				if filepath.Base(name) != "arithmetic.c" {
					continue
				}
				golden = strings.TrimSuffix(name, ".c") + "-overflow.bpl"
			}
			t.Run(filepath.Base(golden), func(t *testing.T) {
				text, err := os.ReadFile(name)
				require.NoError(t, err)
				result, err := translate.Translate(t.Context(), read(t, string(text), c.LP64), translate.Options{Faults: fault.Of(property)})
				require.NoError(t, err)
				var out strings.Builder
				require.NoError(t, ast.Print(&out, result.Program))
				if *update {
					require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
				}
				want, err := os.ReadFile(golden)
				require.NoError(t, err)
				require.Equal(t, string(want), out.String())
			})
		}
	}
}
