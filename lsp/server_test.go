package lsp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/lsp"
	"hornbeam/lsp/document"
	"hornbeam/lsp/protocol"
	"hornbeam/verify"
)

const countText = `// 😀 counts to n
procedure main(n: int) requires n >= 0;
{
  var i: int; var s: int;
  i := 0; s := 0;
  /* é */ while (i < n) {
    i := i + 1; s := s + 1;
  }
  /* 😀 é */ assert s == n;
}
procedure other(x: int)
{
  call helper(x);
}
procedure helper(z: int)
{
  assert z != 14;
}
`

// decided is the verdict of package verify for a text.
func decided(t *testing.T, file, text string, language engine.Languages, set map[string]string) string {
	o, err := verify.NewOptions(set)
	require.NoError(t, err)
	r, err := verify.Program(t.Context(), verify.Request{
		File: file, Source: []byte(text), Language: language, Options: o, Solver: portfolio.Request{Check: true, Stats: engine.NewStats()},
	})
	require.NoError(t, err)
	return r.Word()
}

// A session with a Boogie program: what is wrong with it while it is typed, the run that fails when it is saved, and when that is repaired
// what a proof found, with which the program is verified by its contracts and invariants alone.
func TestBoogieSession(t *testing.T) {
	t.Parallel()
	const uri = "file:///tmp/hornbeam-test/count.bpl"
	c := start(t, `{"debounce": "1ms", "timeout": "60s"}`)
	text := countText
	c.open(uri, "boogie", text)
	c.diagnostics(uri, "none", func(all []protocol.Diagnostic) bool { return len(all) == 0 })
	// Behind letters of two units, and of two bytes.
	c.edit(uri, 2, stretch(text, "s == n"), "s == m")
	wrong := c.say(uri, "unknown variable")
	require.Equal(t, 1, wrong.Severity)
	require.Equal(t, document.Range{Start: document.Position{Line: 8, Character: 25}, End: document.Position{Line: 8, Character: 26}}, wrong.Range)
	c.edit(uri, 3, stretch(strings.Replace(text, "s == n", "s == m", 1), "s == m"), "s == n")
	c.diagnostics(uri, "none", func(all []protocol.Diagnostic) bool { return len(all) == 0 })

	c.save(uri)
	failing := c.say(uri, "unsafe: assertion z != 14")
	require.Equal(t, stretch(text, "assert z"), document.Range{Start: failing.Range.Start, End: document.Position{Line: failing.Range.End.Line, Character: failing.Range.End.Character + 2}})
	require.Equal(t, 1, failing.Severity)
	require.NotEmpty(t, failing.Related)
	require.Contains(t, failing.Related[0].Message, "other begins")
	require.Equal(t, place(text, "other"), failing.Related[0].Location.Range.Start)
	require.Equal(t, uri, failing.Related[0].Location.URI)

	c.edit(uri, 4, stretch(text, "z != 14"), "z == z")
	text = strings.Replace(text, "z != 14", "z == z", 1)
	c.save(uri)
	require.Equal(t, place(text, "main"), c.say(uri, "main: safe").Range.Start)
	require.Equal(t, "safe", c.say(uri, "helper: safe in all runs of").Code)

	annotated := c.inserted(uri, text)
	require.Contains(t, annotated, "invariant")
	require.Equal(t, "unknown", decided(t, "count.bpl", text, engine.Boogie, map[string]string{"modular": "true", "main": "main"}))
	require.Equal(t, "safe", decided(t, "count.bpl", annotated, engine.Boogie, map[string]string{"modular": "true", "main": "main"}))

	hover := ask[*protocol.Hover](c, "textDocument/hover", at(uri, place(text, "while")))
	require.NotNil(t, hover)
	require.Contains(t, hover.Contents.Value, "invariant")
	require.Equal(t, stretch(text, "while"), hover.Range)
	require.Nil(t, ask[*protocol.Hover](c, "textDocument/hover", at(uri, place(text, "var i"))))

	// What a proof said of the text before an edit is not offered after it, and is again when that is undone.
	c.edit(uri, 5, stretch(text, "i := 0"), "i := 1")
	require.Empty(t, ask[[]protocol.CodeAction](c, "textDocument/codeAction", in(uri, whole(text))))
	require.Nil(t, ask[*protocol.Hover](c, "textDocument/hover", at(uri, place(text, "while"))))
	c.edit(uri, 6, stretch(strings.Replace(text, "i := 0", "i := 1", 1), "i := 1"), "i := 0")
	require.NotEmpty(t, ask[[]protocol.CodeAction](c, "textDocument/codeAction", in(uri, whole(text))))
	c.leave()
}

const sumText = `#include <assert.h>
extern int nondet(void);
/* ünï 😀 */ int twice(int x) { return x + x; }
int main(void) {
  int n = nondet(), i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  for (i = 0; i < n; i++) {
    s++;
  }
  /* 😀 */ assert(s == n);
  /* 😀 */ assert(twice(n) != 14);
  return 0;
}
`

// A session with a C program, each check of which has a verdict.
func TestCSession(t *testing.T) {
	t.Parallel()
	const uri = "file:///tmp/hornbeam-test/sum%20all.c"
	c := start(t, `{"debounce": "1ms", "timeout": "60s"}`)
	text := sumText
	c.open(uri, "c", strings.Replace(text, "twice(n)", "thrice(m)", 1))
	c.say(uri, "m")
	c.edit(uri, 2, stretch(strings.Replace(text, "twice(n)", "thrice(m)", 1), "thrice(m)"), "twice(n)")
	c.save(uri)
	failing := c.say(uri, "unsafe: the assertion does not hold")
	require.Equal(t, place(text, "assert(twice"), failing.Range.Start, encoded(failing))
	require.True(t, slices.ContainsFunc(failing.Related, func(r protocol.Related) bool {
		return strings.Contains(r.Message, "n = 7") && strings.Contains(r.Message, "nondet()") && r.Location.Range.Start.Line == 4
	}), failing.Related)

	c.edit(uri, 3, stretch(text, "14"), "15")
	text = strings.Replace(text, "14", "15", 1)
	moved := c.say(uri, "before the last edits")
	require.Equal(t, place(text, "assert(twice"), moved.Range.Start)
	c.save(uri)
	require.Equal(t, place(text, "main"), c.say(uri, "safe: 2 checks").Range.Start)
	annotated := c.inserted(uri, text)
	require.Contains(t, annotated, "/*@ loop invariant")
	require.Equal(t, "safe", decided(t, "sum.c", annotated, engine.C, nil))
	hover := ask[*protocol.Hover](c, "textDocument/hover", at(uri, place(text, "for")))
	require.NotNil(t, hover)
	require.Contains(t, hover.Contents.Value, "invariant")
	hover = ask[*protocol.Hover](c, "textDocument/hover", at(uri, place(text, "twice(n)")))
	require.NotNil(t, hover)
	require.Contains(t, hover.Contents.Value, "ensures")
	require.Equal(t, stretch(text, "twice"), document.Range{Start: place(text, "twice"), End: document.Position{Line: 2, Character: place(text, "twice").Character + 5}})
	c.leave()
}

// What a proof says of a function in a header is inserted there, together with what it says of the program, as long as the header is in the
// editor as on the disk.
func TestInsertIntoHeaders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const header = "static unsigned fill(unsigned n) {\n  unsigned i = 0, s = 0;\n  while (i < n) {\n    i++;\n    s += 2;\n  }\n  return s;\n}\n"
	const text = "#include <assert.h>\n#include \"ring.h\"\nextern unsigned nondet(void);\nint main(void) {\n  unsigned n = nondet(), k = 0;\n  if (n > 100) return 0;\n" +
		"  while (k < n) k++;\n  assert(fill(k) == 2 * n);\n  return 0;\n}\n"
	path := filepath.Join(folder, "ring.h")
	require.NoError(t, os.WriteFile(path, []byte(header), 0o600))
	uri, included := "file://"+filepath.Join(folder, "use.c"), "file://"+path
	c := start(t, `{"debounce": "1ms", "timeout": "60s"}`)
	c.open(uri, "c", text)
	c.save(uri)
	c.say(uri, "safe: 1 check")
	last := func() protocol.CodeAction {
		actions := ask[[]protocol.CodeAction](c, "textDocument/codeAction", in(uri, whole(text)))
		require.NotEmpty(t, actions)
		return actions[len(actions)-1]
	}
	require.Contains(t, last().Title, "includes")
	changes := last().Edit.Changes
	require.Len(t, changes, 2)
	for name, before := range map[string]string{uri: text, included: header} {
		after := applied(before, changes[name])
		require.Contains(t, after, "/*@ loop invariant")
		require.NoError(t, os.WriteFile(strings.TrimPrefix(name, "file://"), []byte(after), 0o600))
	}
	annotated, err := os.ReadFile(filepath.Join(folder, "use.c"))
	require.NoError(t, err)
	require.Equal(t, "safe", decided(t, filepath.Join(folder, "use.c"), string(annotated), engine.C, nil))
	require.NoError(t, os.WriteFile(path, []byte(header), 0o600))

	// The invariant of a loop in the header is not one of what stands at its place in the program.
	require.Nil(t, ask[*protocol.Hover](c, "textDocument/hover", at(uri, document.Position{Line: 2, Character: 3})))
	c.open(included, "c", header+"\n")
	require.Contains(t, last().Title, "in this file")
	c.leave()
}

const hornText = `(set-logic HORN)
(declare-fun |inv é| (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (|inv é| x y))))
(assert (forall ((x Int) (y Int)) (=> (and (|inv é| x y) (< x 10)) (|inv é| (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (|inv é| x y) (not (= x y))) false)))
(check-sat)
(get-model)
(assert (forall ((x Int) (y Int)) (=> (and (|inv é| x y) (= x 3)) false)))
(check-sat)
(get-model)
`

// A session with a script of two checks: each has its verdict, the predicate the interpretation of the first, and every command that is
// wrong its error.
func TestHornSession(t *testing.T) {
	t.Parallel()
	const uri = "file:///tmp/hornbeam-test/inv.smt2"
	c := start(t, `{"debounce": "1ms", "timeout": "60s"}`)
	broken := strings.Replace(strings.Replace(hornText, "(+ x 1)", "(+ x true)", 1), "(= x 3)", "(= w 3)", 1)
	c.open(uri, "smt2", broken)
	all := c.diagnostics(uri, "two errors", func(all []protocol.Diagnostic) bool { return len(all) == 2 })
	require.Equal(t, place(broken, "true)"), all[0].Range.Start)
	require.Equal(t, place(broken, "w 3"), all[1].Range.Start)
	c.notify("textDocument/didChange", encoded(map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": hornText}},
	}))
	c.save(uri)
	require.Equal(t, document.Position{Line: 5}, c.say(uri, "sat: the clauses have a model").Range.Start)
	failing := c.say(uri, "unsat")
	require.Equal(t, document.Position{Line: 8}, failing.Range.Start)
	require.Contains(t, failing.Related[0].Message, "0 0) is derived")
	require.Equal(t, 2, failing.Related[0].Location.Range.Start.Line)
	hover := ask[*protocol.Hover](c, "textDocument/hover", at(uri, document.Position{Line: 4, Character: 46}))
	require.NotNil(t, hover)
	require.Contains(t, hover.Contents.Value, "(define-fun |inv é| ((A Int) (B Int)) Bool")
	annotated := c.inserted(uri, hornText)
	require.Contains(t, annotated, "; (|inv é| A B) = ")
	require.Equal(t, hornText, strings.Join(slices.DeleteFunc(strings.SplitAfter(annotated, "\n"), func(line string) bool { return strings.HasPrefix(line, ";") }), ""))
	c.leave()
}

// hardText takes an engine longer than a test may.
const hardText = `procedure main(n: int) requires n > 0;
{
  var i: int; var c: int;
  i := n; c := 0;
  while (i != 1) {
    if (i mod 2 == 0) { i := i div 2; } else { i := 3 * i + 1; }
    c := c + 1;
    assert c != 7 * i * i + 1000003;
  }
}
`

// An edit ends the verification of the text before, whose verdict never comes, and so does the user. What waits behind it has its turn.
func TestEditCancels(t *testing.T) {
	t.Parallel()
	const uri, other = "file:///tmp/hornbeam-test/hard.bpl", "file:///tmp/hornbeam-test/easy.bpl"
	c := start(t, `{"debounce": "1ms", "timeout": "0s"}`)
	progress := func(kind string) (token string) {
		c.next(kind, func(m message) bool {
			var p protocol.Progress
			if m.Method != "$/progress" || json.Unmarshal(m.Params, &p) != nil || p.Value.Kind != kind {
				return false
			}
			token = p.Token
			return true
		})
		return token
	}
	c.open(uri, "boogie", hardText)
	c.open(other, "boogie", "procedure main() { assert 1 < 2; }\n")
	c.save(uri)
	first := progress("begin")
	c.save(other)
	c.edit(uri, 2, stretch(hardText, "c := 0;"), "c := 1;")
	require.Equal(t, first, progress("end"))
	c.say(other, "main: safe")
	c.save(uri)
	const third = "hornbeam-3"
	for progress("begin") != third {
	}
	c.notify("window/workDoneProgress/cancel", encoded(protocol.Token{Token: third}))
	for progress("end") != third {
	}
	for _, m := range c.kept {
		require.False(t, m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "hard.bpl") && strings.Contains(string(m.Params), "unknown"), string(m.Params))
	}
	c.leave()
}

// What is malformed has an error, and the session goes on.
func TestMalformedMessages(t *testing.T) {
	t.Parallel()
	c := connect(t)
	require.Equal(t, -32002, c.call("textDocument/hover", `{}`).Error.Code)
	require.Nil(t, c.call("initialize", `{"capabilities": {}, "initializationOptions": {"timeout": "soon", "colour": 1, "option": {"x": 1}}}`).Error)
	for _, want := range []string{"there is no setting colour", "timeout", "option.x"} {
		c.next(want, func(m message) bool {
			return m.Method == "window/showMessage" && strings.Contains(string(m.Params), want)
		})
	}
	nameless := func(code int) {
		c.next("an error", func(m message) bool { return m.Error != nil && m.Error.Code == code && string(m.ID) == "null" })
	}
	c.send(`{"jsonrpc": "2.0", "id": 7, "method":`)
	nameless(-32700)
	c.raw("Content-Length: many\r\n\r\n")
	nameless(-32700)
	c.raw("Content-Length: -5\r\n\r\n")
	nameless(-32700)
	c.raw("GET / HTTP/1.1\r\nHost: here\r\n\r\n")
	nameless(-32700)
	c.raw(strings.Repeat("x", 100000) + "\r\n\r\n")
	nameless(-32700)
	c.send("\xff\xfe")
	nameless(-32700)
	require.Equal(t, -32600, c.call("initialize", `{}`).Error.Code)
	require.Equal(t, -32601, c.call("textDocument/definition", `{}`).Error.Code)
	require.Equal(t, -32600, c.call("", `{}`).Error.Code)
	require.Equal(t, -32602, c.call("textDocument/hover", `{"textDocument": {"uri": "file:///nowhere"}, "position": {"line": 0, "character": 0}}`).Error.Code)
	require.Equal(t, -32602, c.call("textDocument/hover", `{"textDocument": 7}`).Error.Code)
	require.Equal(t, -32602, c.call("textDocument/inlayHint", `["a"]`).Error.Code)
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "$/unknown", "window/workDoneProgress/cancel", "workspace/didChangeConfiguration"} {
		for _, params := range []string{`null`, `{}`, `[]`, `7`, `{"textDocument": {"uri": "%"}}`, `{"settings": [1]}`} {
			c.notify(method, params)
		}
	}
	const uri = "untitled:Untitled-1"
	c.open(uri, "boogie", "procedure p() { assert x; }\n")
	c.say(uri, "unknown variable")
	// A range that ends before it starts, and places that are not there.
	far := document.Position{Line: 1 << 30, Character: 1 << 30}
	c.edit(uri, 2, document.Range{Start: far, End: document.Position{}}, "y")
	c.edit(uri, 3, document.Range{Start: document.Position{Line: -3, Character: -3}, End: document.Position{Line: -1, Character: 5}}, "// 😀")
	c.edit(uri, 4, document.Range{Start: far, End: far}, "procedure q() { assert zz; }")
	c.say(uri, "zz")
	require.Nil(t, c.call("textDocument/hover", at(uri, far)).Error)
	require.Nil(t, c.call("shutdown", "null").Error)
	require.Equal(t, -32600, c.call("textDocument/hover", `{}`).Error.Code)
	c.notify("exit", "null")
	require.NoError(t, <-c.ended)
}

// A client that leaves at any moment ends the session.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	for _, last := range []string{"", "Content-Le", "Content-Length: 100\r\n\r\n{\"jsonrpc\"", "Content-Length: 4\r\n\r\n"} {
		c := start(t, `{"timeout": "0s"}`)
		c.open("file:///tmp/hornbeam-test/hard.bpl", "boogie", hardText)
		c.save("file:///tmp/hornbeam-test/hard.bpl")
		c.raw(last)
		require.NoError(t, c.to.Close())
		require.ErrorIs(t, <-c.ended, lsp.ErrAbandoned)
	}
}

// A text that is closed has no diagnostics any more, and one that is not in a language of Hornbeam's has none at all.
func TestClose(t *testing.T) {
	t.Parallel()
	c := start(t, `{"debounce": "1ms"}`)
	c.open("file:///tmp/hornbeam-test/a.bpl", "boogie", "procedure p() { assert x; }\n")
	c.say("file:///tmp/hornbeam-test/a.bpl", "unknown variable")
	c.notify("textDocument/didClose", `{"textDocument": {"uri": "file:///tmp/hornbeam-test/a.bpl"}}`)
	c.diagnostics("file:///tmp/hornbeam-test/a.bpl", "none", func(all []protocol.Diagnostic) bool { return len(all) == 0 })
	c.open("file:///tmp/hornbeam-test/a.txt", "plaintext", "procedure p() { assert x; }\n")
	c.save("file:///tmp/hornbeam-test/a.txt")
	c.diagnostics("file:///tmp/hornbeam-test/a.txt", "none", func(all []protocol.Diagnostic) bool { return len(all) == 0 })
	c.leave()
}

// What a client sends behind its farewell is not answered, and does no harm while the server stops.
func TestMessagesBehindExit(t *testing.T) {
	frame := func(message string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message) }
	text := frame(`{"jsonrpc":"2.0","method":"exit"}`) + strings.Repeat(frame(`{"jsonrpc":"2.0","method":"initialized","params":{}}`), 200)
	for range 300 {
		err := lsp.Serve(t.Context(), lsp.Options{In: strings.NewReader(text), Out: io.Discard, Version: "test"})
		require.ErrorIs(t, err, lsp.ErrAbandoned)
	}
}
