package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/families"
)

// Programs have the verdicts that they are said to have, with arrays by theory and expanded; a bug's run is replayed either way.
func TestArraysByTheoryAndExpanded(t *testing.T) {
	t.Parallel()
	bounded := []string{"hunt", "--engine", "bmc", "--bound", "0", "--explore", "0s", "--option", "inline.direction=forward",
		"--option", "inline.start=1000000", "--option", "inline.prove=false", "--option", "inline.constants=true"}
	folder := t.TempDir()
	for _, p := range families.All() {
		// bellman-ford-any takes long to prove, whatever its size.
		if p.Language != families.C || p.Name == "bellman-ford-any" {
			continue
		}
		for _, bug := range []bool{false, true} {
			var text strings.Builder
			require.NoError(t, p.Write(&text, p.Sized(4, bug)))
			file := filepath.Join(folder, p.Name+".c")
			require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
			for _, arrays := range []string{"theory", "expand"} {
				if p.Name == "partition-any" && arrays == "expand" && !bug {
					continue // it takes long to prove
				}
				r := call(t, "", append(bounded, "--arrays", arrays, file)...)
				if bug {
					require.Equal(t, exitBug, r.code, "%s %s: %s", p.Name, arrays, r.err)
					require.Contains(t, r.out, "unsafe\n")
					require.Contains(t, r.out, "reach_error is called")
					continue
				}
				require.Equal(t, exitInconclusive, r.code, "%s %s: %s", p.Name, arrays, r.err)
				require.Contains(t, r.err, "; no bug at any recursion bound\n")
				if p.Name != "heap" { // whose objects are as many as calls of malloc
					require.NotContains(t, r.err, "leaves arrays")
				}
			}
		}
	}
}
