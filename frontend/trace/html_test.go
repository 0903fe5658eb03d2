package trace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
	"hornbeam/internal/browsertest"
)

// pageOf writes the page of a trace; without, as a browser without JavaScript would have it.
func pageOf(t *testing.T, r *trace.Trace, files *trace.Files, without bool) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b, "p.bpl", files, false))
	page := b.Bytes()
	if without {
		page = regexp.MustCompile(`(?s)<script>.*</script>`).ReplaceAll(page, nil)
	}
	path := filepath.Join(t.TempDir(), "trace.html")
	require.NoError(t, os.WriteFile(path, page, 0o644))
	return path
}

const (
	now      = `document.querySelector(".s.now").id`
	line     = `document.querySelector(".l.now").id`
	inSight  = `(() => { const r = document.querySelector("%s").getBoundingClientRect(), p = document.getElementById("%s").getBoundingClientRect(); return r.height > 0 && r.top >= p.top && r.bottom <= p.bottom; })()`
	hitsOf   = `document.querySelector("#f0-%d .c").textContent`
	valuesOf = `[...document.querySelectorAll("#state > details:not(.tree)")].map((d) => d.querySelector("b").textContent + ":" + [...d.querySelectorAll("tr")].map((r) => (r.classList.contains("new") ? "*" : "") + r.cells[0].textContent + "=" + r.cells[1].textContent).join(",")).join(" ")`
)

// The pages are looked at in one browser, which takes a while to start.
func TestPageInABrowser(t *testing.T) {
	b := browsertest.Open(t, pageOf(t, run(3), trace.NewFiles("p.bpl", []byte(program)), false), 1200, 900)
	walk(t, b)
	long(t, b)
	withoutScript(t, b)
	generated(t, b)
	values(t, b)
}

// walk goes through a page as its reader would: the failure is in sight at first, keys and clicks go from step to step, and
// the source and the values follow.
func walk(t *testing.T, b *browsertest.Browser) {
	require.Len(t, b.Requests, 1, "the page itself and nothing else: %v", b.Requests)
	b.Screenshot("trace-light")

	// The failure is marked, in the list and in the source, and said in words above.
	require.Equal(t, "s18", b.Eval(now))
	require.Equal(t, "f0-6", b.Eval(line))
	require.Equal(t, true, b.Eval(inSight, ".s.now", "trace"))
	require.Equal(t, true, b.Eval(inSight, ".l.now", "source"))
	require.Equal(t, "✗ Error: assertion total < 9", b.Eval(`document.querySelector("h1").textContent`))
	require.Contains(t, b.Eval(`document.querySelector("header").textContent`), "main line 14 → add line 6")
	require.Equal(t, "✗ error: assertion total < 9", b.Eval(`document.querySelector("#f0-6").nextElementSibling.textContent`))
	require.Equal(t, "add:n=1 main:i=2 globals:*total=9", b.Eval(valuesOf))

	// The word at the column is marked, and names of variables show their values over time, each of which leads to its step.
	require.Equal(t, "assert", b.Eval(`document.querySelector("#source mark").textContent`))
	b.Eval(`[...document.querySelectorAll("#state button")].find((x) => x.textContent === "total").click()`)
	require.Equal(t, "6 → 7 → 8 → 9", b.Eval(`document.querySelector("#state .history").textContent`))
	b.Eval(`document.querySelectorAll("#state .history a")[1].click()`)
	require.Equal(t, "s5", b.Eval(now))
	b.Eval(`[...document.querySelectorAll("#state button")].find((x) => x.textContent === "total").click()`)
	b.Eval(`document.querySelector("#state .tree summary").click(); document.querySelectorAll("#state .tree a")[1].click()`)
	require.Equal(t, "s10", b.Eval(now))
	b.Press("End", "", 35)

	// How often the run came to a line stands beside it.
	for line, want := range map[int]string{5: "3×", 6: "3×", 12: "1×", 13: "3×", 14: "3×", 15: "2×", 1: "", 9: ""} {
		require.Equal(t, want, b.Eval(hitsOf, line), "line %d", line)
	}

	// The keys: to the beginning, forwards, backwards, into a call and out of it, and to the failure.
	press := func(key string, code int) any { b.Press(key, "", code); return b.Eval(now) }
	require.Equal(t, "s1", press("Home", 36))
	require.Equal(t, "s2", press("ArrowDown", 40))
	require.Equal(t, "main:*i=4 globals:total=6", b.Eval(valuesOf))
	require.Equal(t, "s3", press("ArrowDown", 40))
	require.Equal(t, "s4", press("ArrowDown", 40))
	require.Equal(t, "f0-14", b.Eval(line))
	require.Equal(t, "add:*n=1 main:i=4 globals:total=6", b.Eval(valuesOf))
	require.Equal(t, "s5", press("ArrowRight", 39), "into the call")
	require.Equal(t, "f0-5", b.Eval(line))
	require.Equal(t, "add:n=1 main:i=4 globals:*total=7", b.Eval(valuesOf))
	require.Equal(t, "s4", press("ArrowLeft", 37), "out to the call")
	require.Equal(t, "s4", press("ArrowLeft", 37), "which is folded then")
	require.Equal(t, "s7", press("ArrowDown", 40), "and passed over")
	require.Equal(t, "main:i=4 globals:total=7", b.Eval(valuesOf))
	require.Equal(t, "s4", press("ArrowUp", 38))
	require.Equal(t, "s4", press("ArrowRight", 39), "unfolded")
	require.Equal(t, "s5", press("ArrowDown", 40))
	require.Equal(t, "s18", press("End", 35))

	// The mouse: a step, a line (the next step there), the buttons, the calls above and below.
	b.Click(`document.querySelector("#s2 .t")`)
	require.Equal(t, "f0-12", b.Eval(line))
	b.Click(`document.querySelector("#f0-15 code")`)
	require.Equal(t, "s8", b.Eval(now))
	b.Click(`document.querySelector("#f0-15 code")`)
	require.Equal(t, "s14", b.Eval(now))
	b.Click(`document.querySelector("#f0-15 code")`)
	require.Equal(t, "s8", b.Eval(now), "from the beginning again")
	b.Click(`document.querySelector("[data-key=ArrowDown]")`)
	require.Equal(t, "s9", b.Eval(now))
	b.Click(`document.querySelector(".way a")`)
	require.Equal(t, "s16", b.Eval(now), "the call on the way to the failure")
	b.Click(`document.querySelector("[data-key=End]")`)
	b.Click(`document.querySelector("#state a")`)
	require.Equal(t, "s16", b.Eval(now), "the call that the error is inside of")

	// Everything folds, and what is selected is unfolded again.
	b.Click(`document.getElementById("foldall")`)
	require.EqualValues(t, 0, b.Eval(`document.querySelectorAll("#trace details[open]").length`))
	require.Equal(t, "s18", press("End", 35))
	require.Equal(t, true, b.Eval(inSight, ".s.now", "trace"))
	b.Click(`document.getElementById("unfold")`)
	require.EqualValues(t, 0, b.Eval(`document.querySelectorAll("#trace details:not([open])").length`))

	light := b.Eval(`getComputedStyle(document.body).backgroundColor`)
	b.Scheme("dark")
	require.NotEqual(t, light, b.Eval(`getComputedStyle(document.body).backgroundColor`))
	b.Screenshot("trace-dark")
	require.Empty(t, b.Logs)
}

// long looks at a long trace, which shows the way to the failure: calls that returned and the middle of long loops are folded.
func long(t *testing.T, b *browsertest.Browser) {
	b.Show(pageOf(t, run(9), trace.NewFiles("p.bpl", []byte(program)), false))
	require.Equal(t, "turns 2 to 7 of the loop at line 13", b.Eval(`document.querySelector(".turns summary").textContent`))
	require.Equal(t, false, b.Eval(`document.querySelector(".turns").open`))
	require.Equal(t, "s4 s46 s52", b.Eval(`[...document.querySelectorAll("#trace > ol > li > .call > summary > .s")].map((s) => s.id).join(" ")`), "calls of the turns in sight")
	require.Equal(t, "s52", b.Eval(`[...document.querySelectorAll("#trace > ol > li > .call[open] > summary > .s")].map((s) => s.id).join(" ")`), "the call that fails")
	require.Equal(t, "inline", b.Eval(`getComputedStyle(document.querySelector("#s4 .inside")).display`))
	require.Equal(t, "none", b.Eval(`getComputedStyle(document.querySelector("#s52 .inside")).display`))
	// What is selected is brought in sight, in windows that do not hold everything.
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1000, "height": 400, "deviceScaleFactor": 1, "mobile": false}, nil)
	for _, key := range []struct {
		name string
		code int
	}{{"Home", 36}, {"End", 35}} {
		b.Press(key.name, "", key.code)
		require.Equal(t, true, b.Eval(inSight, ".s.now", "trace"), key.name)
		require.Equal(t, true, b.Eval(inSight, ".l.now", "source"), key.name)
	}
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1000, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	// Folded turns are passed over, but what happened in them counts.
	b.Eval(`document.getElementById("s8").querySelector(".t").click()`)
	b.Press("ArrowDown", "", 40)
	require.Equal(t, "s45", b.Eval(now))
	require.Equal(t, "main:i=3 globals:total=7", b.Eval(valuesOf))
	require.Empty(t, b.Logs)
}

// withoutScript looks at a page without JavaScript: a list beside the source, of which each step leads to its line.
func withoutScript(t *testing.T, b *browsertest.Browser) {
	b.Show(pageOf(t, run(9), trace.NewFiles("p.bpl", []byte(program)), true))
	require.EqualValues(t, 0, b.Eval(`document.scripts.length`))
	require.Equal(t, false, b.Eval(`[...document.querySelectorAll("#bar, #state")].some((e) => e.checkVisibility())`), "nothing that needs a script")
	require.Equal(t, true, b.Eval(`document.getElementById("s54").checkVisibility() && document.getElementById("f0-6").checkVisibility()`))
	b.Click(`document.querySelector("#s54 .at")`)
	require.Equal(t, "#f0-6", b.Eval(`location.hash`))
	require.Equal(t, true, b.Eval(`document.querySelector("#f0-6").matches(":target")`))
	b.Click(`document.querySelector(".turns summary")`)
	require.Equal(t, true, b.Eval(`document.querySelector(".turns").open`))
	require.Empty(t, b.Logs)
}

// values looks at what is said of variables: a new value of a whole map is one of its entries too, the values of a call are
// gone after it, and long ones are there in full.
func values(t *testing.T, b *browsertest.Browser) {
	long := strings.Repeat("1234567890", 20)
	in := func(kind trace.Kind, depth int, procedure string, values ...trace.Value) trace.Step {
		return trace.Step{Kind: kind, Depth: depth, Procedure: procedure, Pos: at(5+depth, 1), Values: values}
	}
	r := &trace.Trace{Steps: []trace.Step{
		in(trace.Start, 0, "main", global("m", "[else: 0]")...),
		in(trace.Statement, 0, "main", global("m[3]", "4")...),
		in(trace.Call, 0, "f", local("x", "1")...),
		in(trace.Statement, 1, "f", global("m", "[else: 7]")...),
		in(trace.Return, 0, "f", local("y", long)...),
		{Kind: trace.Omitted, Text: "5 steps"},
		in(trace.Statement, 2, "g", local("z", "1")...),
		in(trace.Error, 2, "g"),
	}}
	b.Show(pageOf(t, r, trace.NewFiles("p.bpl", []byte(program)), false))
	var got []any
	for range r.Steps {
		got = append([]any{b.Eval(valuesOf)}, got...)
		b.Press("ArrowUp", "", 38)
	}
	require.Equal(t, []any{
		"main: globals:*m=[else: 0]", "main: globals:m before=[else: 0],*m[3]=4", "f:*x=1 main: globals:m before=[else: 0],m[3]=4",
		"f:x=1 main: globals:*m=[else: 7]", "main:*y=" + long + " globals:m=[else: 7]", "globals:m=[else: 7]",
		"g:*z=1 …: …: globals:m=[else: 7]", "g:z=1 …: …: globals:m=[else: 7]",
	}, got)
	require.Equal(t, "f", b.Eval(`document.querySelector("#s5").dataset.procedure`))
	require.Less(t, len(b.Eval(`document.querySelector("#s5 samp").textContent`).(string)), 80, "cut in the list")
	require.Empty(t, b.Logs)
}

// generated looks at the page of a generated program, whose own steps lie folded in the lines of its source; both texts are
// there, and what a step selects is in its own.
func generated(t *testing.T, b *browsertest.Browser) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.c"), []byte("int main(void) {\n  int x = input();\n  assert(x);\n}\n"), 0o644))
	bpl := filepath.Join(folder, "main.bpl")
	in := func(kind trace.Kind, line int, text string, values ...trace.Value) trace.Step {
		return trace.Step{Kind: kind, Procedure: "main", Pos: chc.Position{File: bpl, Line: line, Column: 1}, Text: text, Values: values}
	}
	source := func(kind trace.Kind, line int, text string, inside []trace.Step, values ...trace.Value) trace.Step {
		return trace.Step{Kind: kind, Procedure: "main", Pos: chc.Position{File: "main.c", Line: line, Column: 3}, Text: text, Inside: inside, Values: values}
	}
	r := &trace.Trace{Steps: []trace.Step{
		source(trace.Start, 2, "", []trace.Step{in(trace.Start, 1, "")}),
		source(trace.Nondet, 2, "int x = input();", []trace.Step{in(trace.Nondet, 2, "havoc $1;", local("$1", "0")...), in(trace.Statement, 3, "$2 := $1;", local("$2", "0")...)}, local("x", "0")...),
		source(trace.Error, 3, "assertion $2 != 0", []trace.Step{in(trace.Error, 4, "assertion $2 != 0", local("$2", "0")...)}),
	}}
	show := func() {
		b.Show(pageOf(t, r, trace.NewFiles(bpl, []byte("procedure main() {\nhavoc $1;\n$2 := $1;\nassert $2 != 0;\n}\n")), false))
	}
	show()
	files := `[...document.querySelectorAll(".file")].map((f) => f.hidden ? "" : f.textContent.includes("procedure") ? "bpl" : "c").join("")`
	require.Equal(t, "c", b.Eval(files))
	require.Equal(t, "main:x=0", b.Eval(valuesOf))
	press := func(key string, code int) any { b.Press(key, "", code); return b.Eval(now) }
	require.Equal(t, "s2", press("ArrowUp", 38))
	require.Equal(t, "s2", press("ArrowRight", 39), "unfolded")
	require.Equal(t, "s2-1", press("ArrowDown", 40))
	require.Equal(t, "bpl", b.Eval(files))
	require.Equal(t, "main:*$1=0", b.Eval(valuesOf), "the program's own variables")
	require.Equal(t, "s2", press("ArrowLeft", 37), "out to the line")
	require.Equal(t, "c", b.Eval(files))
	require.Equal(t, "main:*x=0", b.Eval(valuesOf))
	b.Click(`document.querySelectorAll(".files a")[1]`)
	require.Equal(t, "bpl", b.Eval(files))
	require.EqualValues(t, 2, b.Eval(`document.querySelectorAll(".l.fails").length`), "marked in both texts")

	// Where the source is not at hand, that is said, and the program is shown.
	require.NoError(t, os.Remove(filepath.Join(folder, "main.c")))
	show()
	require.Contains(t, b.Eval(`document.querySelector(".missing").textContent`), "main.c")
	require.Equal(t, "f0-4", b.Eval(line))
	require.Empty(t, b.Logs)
}
