package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/internal/resulttest"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

func example() *score.Board {
	return score.New([]*result.Run{
		resulttest.Run("a", "one", result.Sat, result.Sat, 1.5), resulttest.Run("b", "one", result.Sat, result.Sat, 3),
		resulttest.Run("a", "two", result.Unsat, result.None, 20), resulttest.Run("b", "two", result.Unsat, result.Sat, 120),
		resulttest.Run("a", "three", result.None, result.Unsat, 2), resulttest.Run("b", "three", result.None, result.Unknown, 2),
	}, score.Options{})
}

func sheets(b *score.Board, long bool, names ...string) []*table.Sheet {
	return table.Sheets(b, score.Of(b), table.Options{Time: score.CPU, Tables: names, Long: long})
}

func written(t *testing.T, format table.Format, s []*table.Sheet) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, table.Write(&out, format, s))
	return out.String()
}

func TestTextIsAlignedAndWrongVerdictsComeFirst(t *testing.T) {
	require.Equal(t, strings.TrimPrefix(`
Wrong verdicts
A verdict that contradicts the expected one, or another repeat of the same tool.
 track  task  expected  answers
─────────────────────────────────────
 list   two   unsat     b: WRONG sat

Scores
no verdict is known of 1 of 3 tasks: answers there are counted as unconfirmed, not as solved
 track  tool          tasks  solved  in 1 s  sat  unsat  wrong  unconfirmed  unknown  timeout  error  PAR-2 cpu, s  cpu, s  cpu/solved, s  peak, MiB  SV-COMP  CHC-COMP  punished
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 all    a                 3       1       0    1      0      0            1        0        1      0         27.17   23.50          23.50         50        2         2         2
 all    b                 3       1       0    1      0      1            0        1        0      0         27.67   125.0          125.0         50      -30         1       -63
 all    virtual best      3       1       0    1      0      0            1        0        1      0         27.17   23.50          23.50                   2         2         2

CPU time compared
 track  A  B  both solved  lower quartile  median A/B  upper quartile  geometric mean
──────────────────────────────────────────────────────────────────────────────────────
 all    a  b            1             0.5         0.5             0.5             0.5

Tasks
 track  task   expected  a        cpu, s  b          cpu, s
────────────────────────────────────────────────────────────
 list   one    sat       sat        1.50  sat          3.00
 list   three  -         unsat?     2.00  unknown      2.00
 list   two    unsat     timeout   20.00  WRONG sat   120.0
`, "\n"), written(t, table.Text, sheets(example(), false, table.Summary, table.Ratios, table.Tasks, table.Wrong, table.Disagreements)))
}

func TestMissingToolsHaveARowInEveryFormat(t *testing.T) {
	runs := []*result.Run{resulttest.Run("a", "one", result.Sat, result.Sat, 1), resulttest.Run("a", "two", result.Sat, result.Sat, 1)}
	b := score.New(runs, score.Options{Missing: []string{"golem", "a", "cbmc", "golem"}})
	require.Equal(t, []string{"golem", "cbmc"}, b.Missing, "each once, and none that ran")
	text := written(t, table.Text, sheets(b, false, table.Summary))
	require.Regexp(t, `(?m)^ all +golem \(not installed\) +2 +2 *$`, text)
	require.Regexp(t, `(?m)^ all +cbmc \(not installed\) +2 +2 *$`, text)
	require.Contains(t, written(t, table.Markdown, sheets(b, false, table.Summary)), "| all | golem (not installed) | 2 | 2 |")
	rows, err := csv.NewReader(strings.NewReader(written(t, table.CSV, sheets(b, true, table.Summary)))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 4)
	require.Equal(t, []string{"all", "", "golem", "2", "2", ""}, rows[2][:6])
	var out bytes.Buffer
	require.NoError(t, table.WriteJSON(&out, b, score.Of(b), false))
	require.Contains(t, out.String(), "\"missing\": [\n    \"golem\",\n    \"cbmc\"\n  ]")
}

func TestMarkdownHasAHeadAndAlignment(t *testing.T) {
	text := written(t, table.Markdown, sheets(example(), false, table.Ratios))
	require.Equal(t, strings.TrimPrefix(`
## CPU time compared

| track | A | B | both solved | lower quartile | median A/B | upper quartile | geometric mean |
|:--- |:--- |:--- | ---:| ---:| ---:| ---:| ---:|
| all | a | b | 1 | 0.5 | 0.5 | 0.5 | 0.5 |
`, "\n"), text)
}

func TestCSVHasEveryColumnAndUnroundedNumbers(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, table.CSV, sheets(example(), false, table.Summary)))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 4)
	column := func(name string) (values []string) {
		for i, head := range rows[0] {
			if head == name {
				for _, row := range rows[1:] {
					values = append(values, row[i])
				}
			}
		}
		return values
	}
	require.Equal(t, []string{"a", "b", "virtual best"}, column("tool"))
	require.Equal(t, []string{"0", "0", "0"}, column("rejected"))
	require.Equal(t, []string{"27.166666666666668", "27.666666666666668", "27.166666666666668"}, column("par2_cpu"))
	require.Equal(t, []string{"52428800", "52428800", ""}, column("memory"))
	require.Equal(t, []string{"2", "-30", "2"}, column("points"), "a number that begins with a minus stays one")

	rows, err = csv.NewReader(strings.NewReader(written(t, table.CSV, sheets(example(), true, table.Tasks)))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+6)
	require.Equal(t, []string{"list", "list", "", "two", "", "unsat", "b", "wrong", "sat", "120", "120", "52428800", "1", "0"}, rows[6])
}

func TestNamesFromOutsideBreakNoTable(t *testing.T) {
	b := score.New([]*result.Run{resulttest.Run("a|b", "x\n\x1b[31m|*_<i>,\"q\"", result.Sat, result.Unsat, 1)}, score.Options{})
	names := []string{table.Wrong, table.Tasks}
	text := written(t, table.Text, sheets(b, false, names...))
	require.NotContains(t, text, "\x1b")
	require.Contains(t, text, "x\uFFFD\uFFFD[31m|*_<i>,\"q\"")
	md := written(t, table.Markdown, sheets(b, false, names...))
	require.NotContains(t, md, "\x1b")
	for _, line := range strings.Split(md, "\n") {
		if strings.Contains(line, "x\uFFFD") && strings.HasPrefix(line, "|") {
			require.Contains(t, line, `\|`)
			require.NotContains(t, line, "<i>")
		}
	}
	rows, err := csv.NewReader(strings.NewReader(written(t, table.CSV, sheets(b, true, table.Tasks)))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
}

func TestJSONHasScoresAndOnDemandTasks(t *testing.T) {
	b := example()
	var out bytes.Buffer
	require.NoError(t, table.WriteJSON(&out, b, score.Of(b), true))
	var got struct {
		Overall []struct {
			Tool   string
			Solved int
		}
		Wrong []struct{ Task string }
		Tasks []struct {
			Task  string
			Cells []*score.Cell
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	require.Equal(t, "b", got.Overall[1].Tool)
	require.Equal(t, "two", got.Wrong[0].Task)
	require.Len(t, got.Tasks, 3)
	require.Equal(t, score.Wrong, got.Tasks[2].Cells[1].Outcome)
	out.Reset()
	require.NoError(t, table.WriteJSON(&out, b, score.Of(b), false))
	require.NotContains(t, out.String(), `"tasks": [`)
}

func TestAnUnknownFormatIsAnError(t *testing.T) {
	require.ErrorContains(t, table.Write(&bytes.Buffer{}, "html", nil), "no format is called")
}

func TestADiffSaysWhatChangedAndByWhichMeasure(t *testing.T) {
	before := []*result.Run{resulttest.Run("a", "kept", result.Sat, result.Sat, 1), resulttest.Run("a", "lost", result.Sat, result.Sat, 1), resulttest.Run("a", "gone", result.Sat, result.Sat, 1)}
	after := []*result.Run{resulttest.Run("a", "kept", result.Sat, result.Sat, 3), resulttest.Run("a", "lost", result.Sat, result.Unsat, 1)}
	d, err := score.Compare(score.New(before, score.Options{}), score.New(after, score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.Equal(t, strings.TrimPrefix(`
a
2 tasks run in both, 2 solved before and 1 now: 1 wrong, 0 lost, 1 missing, 0 gained, 1 slower, 0 faster. 1 tasks run only before, 0 only now. CPU time new/old: median 3, quartiles 3 and 3, over 1 tasks. Faster and slower: cpu time by more than a factor of 1.5 and 0.2 s.
 change   track  task  expected  old  cpu, s  new          cpu, s
──────────────────────────────────────────────────────────────────
 wrong    list   lost  sat       sat    1.00  WRONG unsat    1.00
 missing  list   gone  sat       sat    1.00  not run
 slower   list   kept  sat       sat    1.00  sat            3.00
`, "\n"), written(t, table.Text, table.DiffSheets(d)))
	rows, err := csv.NewReader(strings.NewReader(written(t, table.CSV, table.DiffSheets(d)))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"", "wrong", "list", "", "lost", "", "sat", "sat", "1", "WRONG unsat", "1"}, rows[1])
	var out bytes.Buffer
	require.NoError(t, table.WriteDiffJSON(&out, d))
	require.Contains(t, out.String(), `"kind": "missing"`)
}
