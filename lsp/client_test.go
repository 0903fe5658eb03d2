package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/lsp"
	"hornbeam/lsp/document"
	"hornbeam/lsp/protocol"
)

// patience is how long a test waits for a message; it ends only tests that fail.
const patience = time.Minute

// message is one of the server's, or an answer of the client's.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// client is an editor that talks to a server over pipes.
type client struct {
	t        *testing.T
	to       *os.File
	incoming chan message
	// kept are messages that were read and not asked for yet.
	kept  []message
	calls int
	// ended has what Serve returned.
	ended chan error
}

// connect starts a server without telling it anything.
func connect(t *testing.T) *client {
	fromClient, to, err := os.Pipe()
	require.NoError(t, err)
	from, toClient, err := os.Pipe()
	require.NoError(t, err)
	c := &client{t: t, to: to, incoming: make(chan message, 1000), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := lsp.Serve(ctx, lsp.Options{In: fromClient, Out: toClient, Version: "test"})
		toClient.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.incoming)
		for in := bufio.NewReader(from); ; {
			header, err := textproto.NewReader(in).ReadMIMEHeader()
			if err != nil {
				return
			}
			n, _ := strconv.Atoi(header.Get("Content-Length"))
			body := make([]byte, n)
			if _, err := io.ReadFull(in, body); err != nil {
				return
			}
			var m message
			if err := json.Unmarshal(body, &m); err != nil {
				m.Method = "broken: " + string(body)
			}
			c.incoming <- m
		}
	}()
	t.Cleanup(func() {
		cancel()
		to.Close()
		fromClient.Close()
		from.Close()
	})
	return c
}

// start starts a server and a session with it.
func start(t *testing.T, options string) *client {
	c := connect(t)
	answer := c.call("initialize", `{"processId": null, "rootUri": null, "initializationOptions": `+options+`, "capabilities": {
		"window": {"workDoneProgress": true}, "textDocument": {"publishDiagnostics": {"relatedInformation": true}}}}`)
	require.Nil(t, answer.Error)
	c.notify("initialized", `{}`)
	return c
}

// raw writes bytes.
func (c *client) raw(text string) {
	_, err := io.WriteString(c.to, text)
	require.NoError(c.t, err)
}

func (c *client) send(body string) {
	c.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (c *client) notify(method, params string) {
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "method": %q, "params": %s}`, method, params))
}

// next waits for a message that fits, and keeps the others. Requests of the server are answered.
func (c *client) next(what string, fits func(message) bool) message {
	if i := slices.IndexFunc(c.kept, fits); i >= 0 {
		m := c.kept[i]
		c.kept = slices.Delete(c.kept, i, i+1)
		return m
	}
	limit := time.After(patience)
	for {
		select {
		case m, open := <-c.incoming:
			require.True(c.t, open, "the server left while waiting for %s", what)
			if m.Method != "" && m.ID != nil {
				c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, "result": null}`, m.ID))
			}
			if fits(m) {
				return m
			}
			c.kept = append(c.kept, m)
		case <-limit:
			require.Fail(c.t, "no message", "waiting for %s; kept %s", what, encoded(c.kept))
		}
	}
}

// call sends a request and waits for its answer.
func (c *client) call(method, params string) message {
	c.calls++
	id := strconv.Itoa(c.calls)
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, "method": %q, "params": %s}`, id, method, params))
	return c.next("the answer to "+method, func(m message) bool { return m.Method == "" && string(m.ID) == id })
}

// ask sends a request and takes its result apart.
func ask[T any](c *client, method, params string) T {
	m := c.call(method, params)
	require.Nil(c.t, m.Error, method)
	var out T
	require.NoError(c.t, json.Unmarshal(m.Result, &out))
	return out
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (c *client) open(uri, language, text string) {
	c.notify("textDocument/didOpen", encoded(map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": language, "version": 1, "text": text}}))
}

// edit replaces a stretch.
func (c *client) edit(uri string, version int, at document.Range, text string) {
	c.notify("textDocument/didChange", encoded(map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []any{map[string]any{"range": at, "text": text}},
	}))
}

func (c *client) save(uri string) {
	c.notify("textDocument/didSave", encoded(map[string]any{"textDocument": map[string]any{"uri": uri}}))
}

// diagnostics waits until those of a text satisfy what is wanted.
func (c *client) diagnostics(uri, what string, wanted func([]protocol.Diagnostic) bool) []protocol.Diagnostic {
	var d protocol.Diagnostics
	c.next("diagnostics: "+what, func(m message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		d = protocol.Diagnostics{}
		require.NoError(c.t, json.Unmarshal(m.Params, &d))
		return d.URI == uri && wanted(d.Diagnostics)
	})
	return d.Diagnostics
}

// say waits until a diagnostic has a text, and returns it.
func (c *client) say(uri, text string) protocol.Diagnostic {
	fits := func(d protocol.Diagnostic) bool { return strings.Contains(d.Message, text) }
	all := c.diagnostics(uri, text, func(all []protocol.Diagnostic) bool { return slices.ContainsFunc(all, fits) })
	return all[slices.IndexFunc(all, fits)]
}

// place is a position of a text that a word of it begins at.
func place(text, word string) document.Position {
	return document.New(text).Position(strings.Index(text, word))
}

// stretch is that of the first occurrence of a word.
func stretch(text, word string) document.Range {
	i := strings.Index(text, word)
	return document.New(text).Range(document.Span{From: i, To: i + len(word)})
}

// in is the parameters of a request about a stretch.
func in(uri string, at document.Range) string {
	return encoded(map[string]any{"textDocument": map[string]any{"uri": uri}, "range": at, "context": map[string]any{"diagnostics": []any{}}})
}

// at is the parameters of a request about a place.
func at(uri string, p document.Position) string {
	return encoded(map[string]any{"textDocument": map[string]any{"uri": uri}, "position": p})
}

// whole is all of a text.
func whole(text string) document.Range {
	return document.New(text).Range(document.Span{From: 0, To: len(text)})
}

// inserted waits for hints in a text, and returns it with the last action that is offered for it.
func (c *client) inserted(uri, text string) string {
	require.Eventually(c.t, func() bool {
		return len(ask[[]protocol.InlayHint](c, "textDocument/inlayHint", in(uri, whole(text)))) > 0
	}, patience, 20*time.Millisecond)
	actions := ask[[]protocol.CodeAction](c, "textDocument/codeAction", in(uri, whole(text)))
	require.NotEmpty(c.t, actions)
	edits := actions[len(actions)-1].Edit.Changes[uri]
	require.NotEmpty(c.t, edits)
	return applied(text, edits)
}

// applied is a text after edits, as an editor makes them: from the last to the first.
func applied(text string, edits []protocol.TextEdit) string {
	out := text
	lines := document.New(text)
	for _, e := range slices.Backward(edits) {
		from, to := lines.Offset(e.Range.Start), lines.Offset(e.Range.End)
		out = out[:from] + e.Text + out[to:]
	}
	return out
}

// leave ends the session as the protocol wants it.
func (c *client) leave() {
	require.Nil(c.t, c.call("shutdown", "null").Error)
	c.notify("exit", "null")
	require.NoError(c.t, <-c.ended)
}
