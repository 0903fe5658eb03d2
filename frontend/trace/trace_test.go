package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
)

// program is what run is a run of.
const program = `var total: int;

procedure add(n: int)
{
  total := total + n;
  assert total < 9;
}

procedure main()
{
  var i: int;
  havoc i;
  while (i > 0) {
    call add(1);
    i := i - 1;
  }
}
`

func at(line, column int) chc.Position {
	return chc.Position{File: "p.bpl", Line: line, Column: column}
}

func local(name, value string) []trace.Value { return []trace.Value{{Name: name, Value: value}} }

func global(name, value string) []trace.Value {
	return []trace.Value{{Name: name, Value: value, Global: true}}
}

// run calls add until it fails.
func run(calls int) *trace.Trace {
	first := 9 - calls
	t := &trace.Trace{Steps: []trace.Step{
		{Kind: trace.Start, Procedure: "main", Pos: at(9, 11), Values: global("total", fmt.Sprint(first))},
		{Kind: trace.Nondet, Procedure: "main", Pos: at(12, 3), Text: "havoc i;", Values: local("i", fmt.Sprint(calls+1))},
	}}
	for n := range calls {
		t.Steps = append(t.Steps,
			trace.Step{Kind: trace.Branch, Procedure: "main", Pos: at(13, 3), Text: "while (i > 0): yes"},
			trace.Step{Kind: trace.Call, Procedure: "add", Pos: at(14, 5), Text: "call add(1);", Values: local("n", "1")},
			trace.Step{Kind: trace.Statement, Depth: 1, Procedure: "add", Pos: at(5, 3), Text: "total := total + n;", Values: global("total", fmt.Sprint(first+n+1))})
		if n < calls-1 {
			t.Steps = append(t.Steps,
				trace.Step{Kind: trace.Statement, Depth: 1, Procedure: "add", Pos: at(6, 3), Text: "assert total < 9;"},
				trace.Step{Kind: trace.Return, Procedure: "add", Pos: at(14, 5), Text: "call add(1);"},
				trace.Step{Kind: trace.Statement, Procedure: "main", Pos: at(15, 5), Text: "i := i - 1;", Values: local("i", fmt.Sprint(calls-n))})
		}
	}
	t.Steps = append(t.Steps, trace.Step{Kind: trace.Error, Depth: 1, Procedure: "add", Pos: at(6, 3), Text: "assertion total < 9", Values: global("total", "9")})
	return t
}

func TestText(t *testing.T) {
	text, complete := run(2).Text(false)
	require.True(t, complete)
	require.Equal(t, `p.bpl:9:11: main begins with total = 7
p.bpl:12:3:   havoc i;  i = 3
p.bpl:13:3:   while (i > 0): yes
p.bpl:14:5:   call add(1);  enters add(n = 1)
p.bpl:5:3:     total := total + n;  total = 8
p.bpl:6:3:     assert total < 9;
p.bpl:14:5:   add returns
p.bpl:15:5:   i := i - 1;  i = 2
p.bpl:13:3:   while (i > 0): yes
p.bpl:14:5:   call add(1);  enters add(n = 1)
p.bpl:5:3:     total := total + n;  total = 9
p.bpl:6:3:     error: assertion total < 9 with total = 9
`, text)
	require.Equal(t, "p.bpl:6:3: error: assertion total < 9 with total = 9", run(2).Summary())
}

// What a reader has to know first is the first line, and is in JSON and on the page.
func TestNote(t *testing.T) {
	r := run(2)
	require.NotContains(t, asJSON(t, r), `"note"`)
	r.Note = "something overflows: p.bpl:5:3"
	text, _ := r.Text(false)
	require.True(t, strings.HasPrefix(text, "something overflows: p.bpl:5:3\np.bpl:9:11: main begins"), text)
	require.Contains(t, asJSON(t, r), `{"kind":"run","note":"something overflows: p.bpl:5:3","steps":[`)
	var page bytes.Buffer
	require.NoError(t, r.HTML(&page, "p.bpl", trace.NewFiles("p.bpl", nil), false))
	require.Contains(t, page.String(), "<p>something overflows: p.bpl:5:3.</p>")
}

func asJSON(t *testing.T, r *trace.Trace) string {
	text, err := json.Marshal(r.Document())
	require.NoError(t, err)
	return string(text)
}

// Every kind of step has its form, and a place that is not fully known is told as far as it is.
func TestTextOfEveryKind(t *testing.T) {
	of := func(s trace.Step) string {
		s.Depth = 1
		text, _ := (&trace.Trace{Steps: []trace.Step{s}}).Text(false)
		return strings.TrimSuffix(text, "\n")
	}
	xs := []trace.Value{{Name: "x", Value: "1"}, {Name: "m[2]", Value: "3"}}
	for _, c := range []struct {
		step trace.Step
		want string
	}{
		{trace.Step{Kind: trace.Start, Procedure: "f", Pos: at(1, 2)}, "p.bpl:1:2: f begins"},
		{trace.Step{Kind: trace.Locals, Pos: at(1, 2), Values: xs}, "p.bpl:1:2:     x = 1, m[2] = 3"},
		{trace.Step{Kind: trace.Nondet, Pos: at(1, 0), Text: "havoc x;", Values: xs}, "p.bpl:1:     havoc x;  x = 1, m[2] = 3"},
		{trace.Step{Kind: trace.Return, Procedure: "f", Text: "call x := f();", Values: xs}, "    f returns with x = 1, m[2] = 3"},
		{trace.Step{Kind: trace.Record, Values: xs}, "    x = 1, m[2] = 3"},
		{trace.Step{Kind: trace.State, Text: "loop"}, "    state loop"},
		{trace.Step{Kind: trace.Statement, Text: "a\nb"}, "    a b"},
		{trace.Step{Kind: trace.Error}, "    error: an error"},
		{trace.Step{Kind: trace.Omitted, Text: "5 steps"}, "… 5 steps left out"},
	} {
		require.Equal(t, c.want, of(c.step))
	}
}

func TestDocument(t *testing.T) {
	b, err := json.Marshal((&trace.Trace{Steps: []trace.Step{
		{Kind: trace.Start, Procedure: "main", Pos: at(9, 11), Values: global("g", "1")},
		{Kind: trace.Error, Depth: 1, Procedure: "f", Pos: at(2, 3), Source: chc.Position{File: "f.c", Line: 7}, Library: true, Text: "assertion x", Values: local("x", "false")},
	}}).Document())
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "run", "steps": [
		{"kind": "start", "depth": 0, "procedure": "main", "file": "p.bpl", "line": 9, "column": 11, "values": [{"name": "g", "value": "1", "global": true}]},
		{"kind": "error", "depth": 1, "procedure": "f", "file": "p.bpl", "line": 2, "column": 3, "source": {"file": "f.c", "line": 7}, "library": true,
		 "text": "assertion x", "values": [{"name": "x", "value": "false"}]}]}`, string(b))
}

// What a program was made from is found from the present folder, from the program's, and beside the program; what is no
// text, or no file, is not shown.
func TestFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	here := write("here.c", "int x;\r\n  int y;\r\n")
	write("output/there.c", "int z;")
	write("binary.c", "int\x00z;")
	write("latin.c", "int \xe9;")
	program := filepath.Join(folder, "p.bpl")
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe.c"), 0o644)) // which nobody writes to
	files := trace.NewFiles(program, []byte("var g: int;\n"))
	require.Equal(t, []string{"var g: int;"}, files.Lines(program), "what was read, whatever the file says now")
	require.Equal(t, []string{"int x;", "  int y;"}, files.Lines(here))
	for _, name := range []string{"here.c", "/nowhere/at/all/here.c", `c:\work\here.c`, "./here.c"} {
		require.Len(t, files.Lines(name), 2, name)
	}
	require.Equal(t, []string{"int z;"}, files.Lines("./output/there.c"))
	for _, name := range []string{"missing.c", "output", "", "binary.c", "latin.c", "pipe.c"} {
		require.Nil(t, files.Lines(name), name)
	}
	require.Equal(t, "  int y;", files.Line(chc.Position{File: "here.c", Line: 2, Column: 3}))
	for _, line := range []int{0, 3, -1} {
		require.Empty(t, files.Line(chc.Position{File: "here.c", Line: line}))
	}
}

// Whatever a program's names and texts are, they are text in the page.
func TestPageEscapes(t *testing.T) {
	const evil = `</script><script>alert(1)</script><img src="http://example.org/x.png">`
	r := run(1)
	r.Steps[1].Text, r.Steps[1].Values[0] = evil, trace.Value{Name: evil, Value: evil + `" onclick="x`}
	r.Steps[len(r.Steps)-1].Text = evil
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b, evil, trace.NewFiles("p.bpl", []byte(evil+"\n"+program)), false))
	require.Equal(t, 1, strings.Count(b.String(), "<script>"))
	require.Equal(t, 1, strings.Count(b.String(), "</script>"))
	require.NotContains(t, b.String(), "<img")
	require.NotContains(t, b.String(), `" onclick="x`)
}

// The middle of a very long run is left out and said to be, unless everything is asked for.
func TestPageOfALongRun(t *testing.T) {
	r := run(3)
	middle := make([]trace.Step, 7_000)
	for i := range middle {
		middle[i] = trace.Step{Kind: trace.Statement, Procedure: "main", Pos: at(15, 5), Text: fmt.Sprintf("step %d;", i)}
	}
	r.Steps = append(append(r.Steps[:2:2], middle...), r.Steps[2:]...)
	page := func(full bool) string {
		var b bytes.Buffer
		require.NoError(t, r.HTML(&b, "p.bpl", trace.NewFiles("p.bpl", []byte(program)), full))
		return b.String()
	}
	short := page(false)
	has := func(page, part string) bool { return strings.Contains(page, part) } // a failure would print the page
	require.True(t, has(short, "1018 steps left out"))
	require.False(t, has(short, "step 1500;"))
	require.True(t, has(short, "7002×"), "the lines' counts are those of the whole run")
	require.True(t, has(page(true), "step 1500;"))
}

// Lines of a source that is not at hand, in which nothing was recorded, are one step; in a very long run the generated
// program's own steps are left out in the middle.
func TestPageOfUnknownLines(t *testing.T) {
	in := func(kind trace.Kind, line int, values ...trace.Value) trace.Step {
		return trace.Step{
			Kind: kind, Procedure: "main", Pos: chc.Position{File: "main.c", Line: line, Column: 1}, Values: values,
			Inside: []trace.Step{{Kind: trace.Statement, Procedure: "main", Pos: at(line, 1), Text: fmt.Sprintf("own %d;", line)}, {Kind: trace.Statement, Procedure: "main", Pos: at(line, 5), Text: "more;"}},
		}
	}
	page := func(r *trace.Trace) string {
		var b bytes.Buffer
		require.NoError(t, r.HTML(&b, "p.bpl", trace.NewFiles("p.bpl", []byte(program)), false))
		return b.String()
	}
	r := &trace.Trace{Steps: []trace.Step{in(trace.Start, 1), in(trace.Record, 2), in(trace.Record, 3), in(trace.Record, 4, local("x", "1")...), in(trace.Record, 5), in(trace.Error, 6)}}
	text := page(r)
	require.Contains(t, text, "reached, then lines 3<")
	require.Contains(t, text, ">reached<")
	for line := 1; line <= 6; line++ {
		require.Contains(t, text, fmt.Sprintf("own %d;", line))
	}
	shown, complete := r.Text(false)
	require.True(t, complete)
	require.Equal(t, "main.c:1:1: main begins\nmain.c:4:1:   x = 1\nmain.c:6:1:   error: an error\n", shown)

	steps := []trace.Step{in(trace.Start, 1)}
	for i := range 3200 {
		s := in(trace.Record, 2, local("x", fmt.Sprint(i))...)
		s.Inside = append(s.Inside, s.Inside...)
		steps = append(steps, s)
	}
	text = page(&trace.Trace{Steps: append(steps, in(trace.Error, 6))})
	require.Less(t, strings.Count(text, "own 2;"), 3200*2-300)
	require.True(t, strings.Contains(text, `id="s1-1"`) && strings.Contains(text, `id="s3201-1"`))
}
