package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadTasks(t *testing.T) {
	list := filepath.Join(t.TempDir(), "verdicts.tsv")
	require.NoError(t, os.WriteFile(list, []byte("# file\texpected\tfamily\na.smt2\tsat\tx\nb.smt2\tunsat\n\n"), 0o600))
	tasks, err := readTasks(list)
	require.NoError(t, err)
	require.Equal(t, []task{{"a.smt2", "sat"}, {"b.smt2", "unsat"}}, tasks)
}

func TestPrintTable(t *testing.T) {
	tasks := []task{{"a", "sat"}, {"b", "unsat"}, {"c", "sat"}}
	results := make([][]outcome, len(variants))
	for i := range results {
		results[i] = []outcome{{"sat", 1}, {"unsat", 2}, {"unknown", 9}}
	}
	results[1] = []outcome{{"sat", 4}, {"sat", 5}, {"sat", 6}}
	var out strings.Builder
	printTable(&out, "Tasks", tasks, results, 10)
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, "| all on | 2 | 1 | 1 | 0 | 0 | 0 | 3.0 s | 3.0 s |", lines[4])
	require.Equal(t, "| no array projection | 2 | 2 | 0 | 1 | 1 | 1 | 4.0 s | 1.0 s |", lines[5])
}
