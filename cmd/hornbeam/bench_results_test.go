package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	record "hornbeam/bench/result"
)

// resultsFile writes runs of tools on tasks, each as "tool task expected verdict seconds".
func resultsFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	f, err := record.Append(path)
	require.NoError(t, err)
	for _, line := range lines {
		words := strings.Fields(line)
		require.Len(t, words, 5)
		r := &record.Run{List: "list", Track: "LIA", Tool: words[0], Task: words[1], Status: record.OK, Limits: record.Limits{Wall: 20}}
		r.Expected, _ = record.ParseVerdict(words[2])
		if r.Verdict, _ = record.ParseVerdict(words[3]); r.Verdict == record.None {
			r.Status = record.Timeout
		}
		require.NoError(t, json.Unmarshal([]byte(words[4]), &r.CPU))
		r.Wall = 2 * r.CPU
		require.NoError(t, f.Write(r))
	}
	require.NoError(t, f.Close())
	return path
}

func TestBenchTablePrintsEveryFormat(t *testing.T) {
	t.Parallel()
	file := resultsFile(t, "a one sat sat 1", "b one sat unsat 2", "a two unsat - 20", "b two unsat unsat 3")
	r := call(t, "", "bench", "table", file)
	require.Zero(t, r.code, r.err)
	require.Less(t, strings.Index(r.out, "Wrong verdicts"), strings.Index(r.out, "Scores"))
	require.Contains(t, r.out, "b: WRONG unsat")
	require.Contains(t, r.out, "PAR-2 cpu, s")
	require.Contains(t, call(t, "", "bench", "table", "--time", "wall", file).out, "PAR-2 wall, s")
	require.Contains(t, call(t, "", "bench", "table", file, "--format", "markdown").out, "## Scores")

	rows, err := csv.NewReader(strings.NewReader(call(t, "", "bench", "table", file, "--format=csv", "--tables", "tasks").out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 5)
	rows, err = csv.NewReader(strings.NewReader(call(t, "", "bench", "table", file, "--format=csv", "--tool", "a").out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2, "one tool has no virtual best beside it")

	require.NoError(t, record.AppendSession(file, &record.Session{Missing: []string{"golem"}}))
	require.Contains(t, call(t, "", "bench", "table", file).out, "golem was asked for and is not installed")

	var scores struct {
		Overall []struct{ Solved, Wrong int }
		Tasks   []any
	}
	require.NoError(t, json.Unmarshal([]byte(call(t, "", "bench", "table", "--format", "json", "--tables", "all", file).out), &scores))
	require.Equal(t, 1, scores.Overall[1].Wrong)
	require.Len(t, scores.Tasks, 2)
}

func TestBenchDiffFailsOnALossOrAWrongVerdict(t *testing.T) {
	t.Parallel()
	old := resultsFile(t, "a one sat sat 1", "a two sat sat 1", "a three sat - 20", "z one sat - 20", "z two sat sat 1")
	for name, test := range map[string]struct {
		new  []string
		code int
		part string
	}{
		"as before": {[]string{"a one sat sat 1", "a two sat sat 1", "a three sat - 20"}, exitOK, "0 wrong, 0 lost"},
		"gained":    {[]string{"a one sat sat 1", "a two sat sat 1", "a three sat sat 2"}, exitOK, "1 gained"},
		"lost":      {[]string{"a one sat - 20", "a two sat sat 1", "a three sat sat 2"}, exitRegressed, "1 lost"},
		"wrong":     {[]string{"a one sat sat 1", "a two sat sat 1", "a three sat unsat 2"}, exitRegressed, "1 wrong"},
		"slower":    {[]string{"a one sat sat 9", "a two sat sat 1", "a three sat - 20"}, exitOK, "1 slower"},
		"missing":   {[]string{"a one sat sat 1"}, exitRegressed, "1 missing"},
	} {
		r := call(t, "", "bench", "diff", old+":tool=a", resultsFile(t, test.new...))
		require.Equal(t, test.code, r.code, name)
		require.Empty(t, r.err, name)
		require.Contains(t, r.out, test.part, name)
	}
	require.Zero(t, call(t, "", "bench", "diff", "--subset", old+":tool=a", resultsFile(t, "a one sat sat 1")).code)
	slow := resultsFile(t, "a one sat sat 9")
	require.NotContains(t, call(t, "", "bench", "diff", "--subset", "--factor", "10", old+":tool=a", slow).out, "1 slower")
	require.NotContains(t, call(t, "", "bench", "diff", "--subset", "--least", "10s", old+":tool=a", slow).out, "1 slower")

	r := call(t, "", "bench", "diff", old+":tool=a", old+":tool=z")
	require.Equal(t, exitRegressed, r.code, "two tools of one file")
	require.Contains(t, r.out, "a → z")
	require.Equal(t, exitOK, call(t, "", "bench", "diff", old, old).code)
	require.Contains(t, call(t, "", "bench", "diff", old+":tool=a", old+":tool=z", "--format", "json").out, `"kind": "lost"`)
}

func TestBenchPlotWritesFiles(t *testing.T) {
	t.Parallel()
	file := resultsFile(t, "a one sat sat 1", "b one sat unsat 2", "a two unsat - 20", "b two unsat unsat 3")
	out := filepath.Join(t.TempDir(), "new", "plots")
	r := call(t, "", "bench", "plot", file, "--out", out, "--format", "svg,png")
	require.Zero(t, r.code, r.err)
	for _, name := range []string{"cactus.svg", "cactus.png", "quantile.svg", "quantile.png", "scatter-1-2.svg", "scatter-1-2.png"} {
		require.Contains(t, r.out, filepath.Join(out, name)+"\n")
		info, err := os.Stat(filepath.Join(out, name))
		require.NoError(t, err)
		require.NotZero(t, info.Size())
	}
	r = call(t, "", "bench", "plot", file, "--out", out, "--kind", "scatter", "--x", "b", "--y", "a")
	require.Equal(t, filepath.Join(out, "scatter-2-1.svg")+"\n", r.out)
}

func TestBenchReportWritesOneFile(t *testing.T) {
	t.Parallel()
	file := resultsFile(t, "a one sat sat 1", "b one sat unsat 2")
	out := filepath.Join(t.TempDir(), "r.html")
	r := call(t, "", "bench", "report", file, "-o", out, "--title", "My runs")
	require.Zero(t, r.code, r.err)
	require.Equal(t, out+"\n", r.out)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(text), "<h1>My runs</h1>")
	require.Contains(t, string(text), "Wrong verdicts (1)")
}

func TestThereIsAReportOfNoRuns(t *testing.T) {
	t.Parallel()
	file := resultsFile(t)
	require.NoError(t, record.AppendSession(file, &record.Session{Tasks: 3, Tools: []record.SessionTool{{Name: "z3"}}, Unread: map[string]int{"z3": 3}, Missing: []string{"golem"}}))
	out := filepath.Join(t.TempDir(), "r.html")
	r := call(t, "", "bench", "report", file, "-o", out)
	require.Zero(t, r.code, r.err)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(text), "z3 does not read 3 of the 3 tasks chosen")
	require.Contains(t, string(text), "golem (not installed)")
	require.Equal(t, exitBadInput, call(t, "", "bench", "table", file).code)
}

func TestBenchScoresRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	file := resultsFile(t, "a one sat sat 1")
	torn := filepath.Join(t.TempDir(), "torn.jsonl")
	require.NoError(t, os.WriteFile(torn, []byte("{\n"), 0o644))
	for _, command := range []string{"table", "plot", "report"} {
		for _, bad := range []string{torn, file + ".missing"} {
			r := call(t, "", "bench", command, bad)
			require.Equal(t, exitBadInput, r.code, command)
			r.oneErrorLine(t)
			require.Contains(t, r.err, bad)
		}
		require.Equal(t, exitUsage, call(t, "", "bench", command).code)
		require.Equal(t, exitBadInput, call(t, "", "bench", command, file, "--tool", "nobody").code)
	}
	for _, args := range [][]string{
		{"table", file, "--tables", "magic"}, {"table", file, "--format", "csv", "--tables", "summary,tasks"}, {"table", file, "--format", "pdf"}, {"table", file, "--time", "real"},
		{"diff", file}, {"diff", file, file, file}, {"diff", file, file, "--factor", "0.5"}, {"diff", file, file, "--factor", "NaN"}, {"diff", file, file, "--least", "soon"},
		{"plot", file, "--kind", "pie"}, {"plot", file, "--format", "gif"}, {"plot", file, "--x", "a"}, {"report", file, "--output-limit", "much"},
	} {
		r := call(t, "", append([]string{"bench"}, args...)...)
		require.Equal(t, exitUsage, r.code, "%v: %s", args, r.err)
		r.oneErrorLine(t)
	}
	for _, args := range [][]string{
		{"diff", file, resultsFile(t, "a other sat sat 1")}, {"diff", file + ":tool=b", file}, {"diff", file, file + ".missing"},
		{"plot", file, "--x", "a", "--y", "b"},
	} {
		r := call(t, "", append([]string{"bench"}, args...)...)
		require.Equal(t, exitBadInput, r.code, "%v: %s", args, r.err)
		require.Empty(t, r.out)
		r.oneErrorLine(t)
	}
}
