package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/internal/resulttest"
	"hornbeam/bench/report"
	"hornbeam/bench/result"
	"hornbeam/bench/table"
	"hornbeam/internal/browsertest"
)

// hostile is what a tool can print to break out of a page.
const hostile = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">\n<!-- ]]> &lt; \u2028 ${1+1} `"

// written writes the report on the runs, whose outputs lie beside the results file, and returns its text and file.
func written(t *testing.T, results string, runs []*result.Run, o report.Options) (text, file string) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.Write(&out, []report.Source{{Path: results, Runs: runs}}, o))
	file = filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	return out.String(), file
}

func TestAPageNeedsNothingFromOutside(t *testing.T) {
	runs := resulttest.Competition(1, 30)
	text, _ := written(t, resulttest.File(t, runs), runs, report.Options{})
	for _, word := range []string{"http://", "https://", "src=", "@import", "url(", "<link"} {
		rest := strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, "")
		require.NotContains(t, rest, word)
	}
	require.Contains(t, text, "default-src &#39;none&#39;")
}

func TestNothingFromOutsideIsMarkup(t *testing.T) {
	run := resulttest.Run("<i>tool", "<b>task", result.Sat, result.Unsat, 1)
	run.Detail, run.Track, run.Family, run.Version, run.Host.CPU = hostile, "<u>track", hostile, "<i>1", "<i>cpu"
	run.Options = []string{hostile}
	path := resulttest.File(t, []*result.Run{run})
	run.Stdout = resulttest.Output(t, path, "out/1.txt", hostile)
	text, _ := written(t, path, []*result.Run{run}, report.Options{Title: "<i>title"})
	for _, bad := range []string{"<i>", "<b>task", "<u>track", "<img", "</script><script>document"} {
		require.NotContains(t, text, bad)
	}
	require.Equal(t, 2, strings.Count(text, "</script>"), "the data's end and the script's")
	_, data, _ := strings.Cut(text, `id="data">`)
	require.NotContains(t, data, "\u2028", "which ends a line in a script")
}

// A page on papers has a section for each, and what stands in the tables of the experiments is text.
func TestAPageOnPapers(t *testing.T) {
	good := report.Standing{Text: "confirmed", Class: "good"}
	sheet := &table.Sheet{Title: "Scores", Columns: []table.Column{{Key: "tool", Head: "tool"}}, Rows: [][]table.Cell{{table.Word("<b>tool")}}}
	var out bytes.Buffer
	require.NoError(t, report.WritePapers(&out, &report.Papers{Title: "All <i>papers", Papers: []report.Paper{{
		Name: "paper-one", Title: "One <i>paper", Claim: hostile, Standing: good, Held: 1,
		Findings:    []report.Finding{{Says: "It <i>works", Figures: "2 against 1", Standing: good, Experiment: "trial"}},
		Experiments: []report.Part{{Name: "trial", Title: "A trial", Standing: good, Facts: []string{"<i>3 runs"}, Link: "trial/report.html", Sheets: []*table.Sheet{sheet}}},
	}}}))
	text := out.String()
	for _, part := range []string{`<section id="paper-one"`, `href="#trial"`, `<article id="trial">`, "2 against 1", `<span class="standing good">confirmed</span>`, `href="trial/report.html"`, "&lt;b&gt;tool"} {
		require.Contains(t, text, part)
	}
	for _, bad := range []string{"<i>", "<b>tool", "<script", "<img", "http://"} {
		require.NotContains(t, text, bad)
	}
}

func TestLongOutputsAreCutInTheMiddleAndMissingOnesAreNamed(t *testing.T) {
	make := func(task string) *result.Run { return resulttest.Run("a", task, result.Sat, result.Sat, 1) }
	long, gone, away, folder, link := make("long"), make("gone"), make("away"), make("folder"), make("link")
	runs := []*result.Run{long, gone, away, folder, link}
	path := resulttest.File(t, runs)
	long.Stdout = resulttest.Output(t, path, "out/long.txt", "BEGIN"+strings.Repeat("x", 5000)+"MIDDLE"+strings.Repeat("y", 5000)+"END")
	long.Stderr = resulttest.Output(t, path, "out/bytes.txt", "\xff\x00binary")
	gone.Stdout, away.Stdout, folder.Stdout, link.Stdout = "out/gone.txt", "../../secret.txt", "out", "out/link"
	secret := filepath.Join(t.TempDir(), "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte("SECRET"), 0o644))
	require.NoError(t, os.Symlink(secret, filepath.Join(filepath.Dir(path), "out", "link")))
	text, _ := written(t, path, runs, report.Options{OutputBytes: 1000})
	for _, part := range []string{"BEGINxx", "yyEND", "9014 bytes left out; all of it is in out/long.txt", "\uFFFD\u2400binary", "out/gone.txt: not found beside the results", "../../secret.txt: not read, for it lies outside", "out: not a file", "out/link: not found beside the results"} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "MIDDLE")
	require.NotContains(t, text, "SECRET")
	text, _ = written(t, path, runs, report.Options{TotalBytes: 5})
	require.Contains(t, text, "out/bytes.txt: left out, for the report has its 0 MiB of outputs")
}

func TestMissingToolsAreNamed(t *testing.T) {
	runs := []*result.Run{resulttest.Run("a", "t", result.Sat, result.Sat, 1)}
	path := resulttest.File(t, runs)
	require.NoError(t, result.AppendSession(path, &result.Session{Missing: []string{"golem"}}))
	text, _ := written(t, path, runs, report.Options{})
	require.Contains(t, text, "golem was asked for and is not installed")
	require.Contains(t, text, "golem (not installed)", "a row of the scores")
	require.Contains(t, text, "<tr><td>golem</td><td>not installed</td>", "a row of the setting")
}

func TestEveryTwoToolsAreDrawnWhereTheyAreFew(t *testing.T) {
	drawn := func(tools int, pairs report.Pairs) int {
		var runs []*result.Run
		for i := range tools {
			runs = append(runs, resulttest.Run(string(rune('a'+i)), "t", result.Sat, result.Sat, 1))
		}
		text, _ := written(t, "results.jsonl", runs, report.Options{Pairs: pairs})
		return strings.Count(text, `<figure id="scatter-`)
	}
	require.Equal(t, []int{0, 1, 10, 5}, []int{drawn(1, ""), drawn(2, ""), drawn(5, report.AutoPairs), drawn(6, "")})
	require.Equal(t, []int{15, 3}, []int{drawn(6, report.EveryPair), drawn(4, report.FirstPairs)})
}

func TestEqualOutputsAreKeptOnce(t *testing.T) {
	var runs []*result.Run
	for _, task := range []string{"t", "u", "v"} {
		runs = append(runs, resulttest.Run("a", task, result.Sat, result.Sat, 1))
	}
	path := resulttest.File(t, runs)
	for _, r := range runs {
		r.Stdout = resulttest.Output(t, path, "out/"+r.Task, "the same words")
	}
	text, _ := written(t, path, runs, report.Options{})
	require.Equal(t, 1, strings.Count(text, "the same words"))
}

func TestThereIsAReportOfAnything(t *testing.T) {
	for _, runs := range [][]*result.Run{nil, {resulttest.Run("a", "t", result.None, result.None, 0)}} {
		text, _ := written(t, "results.jsonl", runs, report.Options{})
		require.Contains(t, text, "No wrong verdict and no disagreement.")
		require.Contains(t, text, "</html>")
	}
}

func TestThePageWorksInABrowser(t *testing.T) {
	runs := resulttest.Competition(1, 300)
	runs[0].Detail = hostile
	path := resulttest.File(t, runs)
	for i, r := range runs[:30] {
		r.Stdout = resulttest.Output(t, path, "out/"+r.Tool+".txt", hostile)
		if i == 1 {
			r.Stderr = resulttest.Output(t, path, "out/err.txt", "a line of error")
		}
	}
	_, file := written(t, path, runs, report.Options{Title: "Test report"})
	b := browsertest.Open(t, file, 1400, 900)
	require.Len(t, b.Requests, 1, "the page itself and nothing else: %v", b.Requests)
	require.Equal(t, "Test report", b.Eval(`document.title`))
	b.Screenshot("light-top")

	// The wrong verdicts come before everything else.
	require.Equal(t, true, b.Eval(`document.querySelector("main > section").id === "findings" && document.querySelector("#findings table").rows.length > 1`))
	require.NotZero(t, b.Eval(`document.querySelectorAll("#plots figure svg").length`))

	// A mark of a scatter plot names its task, and opens what the tools printed on it.
	require.NotZero(t, b.Eval(`document.querySelectorAll("#plots a.spot").length`))
	b.Eval(`document.querySelector("#plots a.spot").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
	require.Equal(t, true, b.Eval(`byId("details").open && document.querySelector("#plots a.spot title").textContent.startsWith(byId("details-title").textContent + ": ")`))
	b.Click(`document.getElementById("close")`)

	// A table is sorted with the mouse: downwards, upwards, and as it was.
	solved := `[...document.querySelectorAll("#summary tbody tr")].map((r) => Number(r.cells[3].dataset.value))`
	was := b.Eval(solved).([]any)
	head := `document.querySelectorAll("#summary th")[3].querySelector("button")`
	require.Equal(t, "solved", b.Eval(head+`.textContent`))
	b.Click(head)
	require.Equal(t, true, b.Eval(`((v) => v.every((x, i) => !i || v[i - 1] >= x))(%s)`, solved))
	require.Equal(t, "descending", b.Eval(`document.querySelectorAll("#summary th")[3].getAttribute("aria-sort")`))
	b.Click(head)
	require.Equal(t, true, b.Eval(`((v) => v.every((x, i) => !i || v[i - 1] <= x))(%s)`, solved))
	b.Click(head)
	require.Equal(t, was, b.Eval(solved))

	// And with the keyboard.
	name := `document.querySelectorAll("#list th")[2]`
	require.Equal(t, "task", b.Eval(name+`.textContent`))
	b.Eval(name + `.querySelector("button").focus()`)
	b.Press("Enter", "\r", 13)
	require.Equal(t, "ascending", b.Eval(name+`.getAttribute("aria-sort")`))
	b.Press(" ", " ", 32)
	require.Equal(t, "descending", b.Eval(name+`.getAttribute("aria-sort")`))
	require.Equal(t, true, b.Eval(`((v) => v.length === 200 && v.every((x, i) => !i || v[i - 1].localeCompare(x, "en", {numeric: true}) >= 0))([...document.querySelectorAll("#list tbody tr")].map((r) => r.cells[2].textContent))`))

	// Only a part of the list is in the page until it is asked for.
	b.Click(`document.getElementById("more")`)
	require.EqualValues(t, 300, b.Eval(`document.querySelectorAll("#list tbody tr").length`))
	require.Equal(t, true, b.Eval(`document.querySelector(".more").hidden`))

	// The filter takes what is typed.
	b.Click(`document.getElementById("filter")`)
	b.Call("Input.insertText", map[string]any{"text": "family-3 Z3:timeout"}, nil)
	rows := b.Eval(`[...document.querySelectorAll("#list tbody tr")].map((r) => r.textContent)`).([]any)
	want := 0
	for _, r := range runs {
		if r.Family == "family-3" && r.Tool == "z3" && r.Status == result.Timeout {
			want++
		}
	}
	require.NotZero(t, want)
	require.Len(t, rows, want)
	b.Screenshot("filtered")
	b.Eval(`(() => { const f = document.getElementById("filter"); f.value = ""; f.dispatchEvent(new Event("input")); const c = document.getElementById("choice"); c.value = "wrong"; c.dispatchEvent(new Event("change")); })()`)
	require.Equal(t, true, b.Eval(`((rows) => rows.length > 0 && rows.length < 40)(document.querySelectorAll("#list tbody tr"))`))

	// A click on a task shows what was printed, as text.
	b.Eval(`(() => { const c = document.getElementById("choice"); c.value = "all"; c.dispatchEvent(new Event("change")); const f = document.getElementById("filter"); f.value = "task-0000"; f.dispatchEvent(new Event("input")); })()`)
	require.Equal(t, false, b.Eval(`document.getElementById("details").open`))
	b.Click(`document.querySelector("#list tbody td.task button")`)
	require.Equal(t, true, b.Eval(`document.getElementById("details").open`))
	printed := b.Eval(`[...document.querySelectorAll("#details pre")].map((p) => p.textContent)`).([]any)
	require.Equal(t, []any{hostile, hostile, "a line of error", hostile}, printed)
	b.Screenshot("details")
	b.Press("Escape", "", 27)
	require.Equal(t, false, b.Eval(`document.getElementById("details").open`))

	// The findings open the same.
	b.Click(`document.querySelector("#findings td.task button")`)
	require.Equal(t, true, b.Eval(`document.getElementById("details").open`))
	b.Click(`document.getElementById("close")`)
	require.Equal(t, false, b.Eval(`document.getElementById("details").open`))

	// Nothing that was printed ran, and nothing was loaded or complained of.
	require.Equal(t, "Test report", b.Eval(`document.title`))
	require.Zero(t, b.Eval(`document.images.length`))
	require.Len(t, b.Requests, 1)
	require.Empty(t, b.Logs)

	// Each track has its plots.
	require.EqualValues(t, 4, b.Eval(`document.querySelectorAll("#tracks figure svg").length`))

	// Long tables have a filter too.
	b.Eval(`document.querySelector("#families details").open = true`)
	b.Click(`document.querySelector("#families input")`)
	b.Call("Input.insertText", map[string]any{"text": "lia-lin family-2 z3"}, nil)
	require.EqualValues(t, 1, b.Eval(`[...document.querySelectorAll("#families tbody tr")].filter((r) => !r.hidden).length`))

	// Both schemes can be read.
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		for _, element := range []string{`document.body`, `document.querySelector("#findings")`, `document.querySelector("#findings h2")`, `document.querySelector(".muted")`, `document.querySelector("#list td button")`, `document.querySelector("#list td.number")`, `document.querySelector("figure svg")`} {
			require.GreaterOrEqual(t, b.Eval(contrast, element), 4.5, "%s: %s", scheme, element)
		}
		b.Eval(`document.querySelector("#summary").scrollIntoView()`)
		b.Screenshot(scheme + "-scores")
		b.Eval(`document.querySelector("#plots").scrollIntoView()`)
		b.Screenshot(scheme + "-plots")
	}
	b.Eval(`scrollTo(0, 0)`)
	b.Screenshot("dark-top")
}

// contrast is WCAG's ratio of an element's colour to that of the first background behind it.
const contrast = `((e) => {
  const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const front = light(getComputedStyle(e).color);
  let behind = e;
  while (behind.parentElement && getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const back = light(getComputedStyle(behind).backgroundColor);
  return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
})(%s)`

func TestThousandsOfTasksStayUsable(t *testing.T) {
	runs := slices.DeleteFunc(resulttest.Competition(2, 4000), func(r *result.Run) bool { return r.Tool == "golem" })
	text, file := written(t, resulttest.File(t, runs[:1]), runs, report.Options{})
	require.Less(t, len(text), 16<<20)
	b := browsertest.Open(t, file, 1400, 900)
	require.EqualValues(t, 200, b.Eval(`document.querySelectorAll("#list tbody tr").length`))
	require.Equal(t, "4000 of 4000 tasks", b.Eval(`document.getElementById("count").textContent`))
	b.Click(`document.querySelectorAll("#list th")[2].querySelector("button")`)
	b.Eval(`(() => { const f = document.getElementById("filter"); f.value = "task-3999"; f.dispatchEvent(new Event("input")); })()`)
	require.EqualValues(t, 1, b.Eval(`document.querySelectorAll("#list tbody tr").length`))
	require.Empty(t, b.Logs)
}
