package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Invariant problems have the answers that they say in their first line, in pairs of which one is infeasible; check confirms each.
func TestSyGuSProblems(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "sygus", "*.sl"))
	require.NoError(t, err)
	require.Len(t, files, 22)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			first, _, _ := strings.Cut(string(src), "\n")
			r := call(t, "", "solve", "--proof", "--timeout", "2m", file)
			switch first {
			case "; expected: invariant":
				require.Regexp(t, `^\(\n\(define-fun `, r.out, r.err)
			case "; expected: infeasible":
				require.Regexp(t, `^infeasible\n\(refutation`, r.out, r.err)
			default:
				require.Fail(t, "no answer is expected", first)
			}
			answer := filepath.Join(t.TempDir(), "answer")
			require.NoError(t, os.WriteFile(answer, []byte(r.out), 0o600))
			require.Equal(t, "confirmed\n", call(t, "", "check", file, answer).out)
		})
	}
}
