package lsp

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
	"hornbeam/lsp/document"
	"hornbeam/lsp/inspect"
	"hornbeam/lsp/protocol"
)

// severities and codes are the protocol's words for findings.
var (
	severities = map[inspect.Severity]int{
		inspect.Wrong: protocol.Error, inspect.Broken: protocol.Error, inspect.Open: protocol.Warning, inspect.Note: protocol.Information,
		inspect.Proved: protocol.Hint,
	}
	codes = map[inspect.Severity]string{inspect.Broken: "unsafe", inspect.Open: "unknown", inspect.Note: "unknown", inspect.Proved: "safe"}
)

// publish sends all that is to be said of a text.
func (s *server) publish(t *text) {
	t.publishing.Lock()
	defer t.publishing.Unlock()
	s.mu.Lock()
	if t.closed {
		s.mu.Unlock()
		return
	}
	now, verified, version := t.now, t.verified, t.version
	syntax, verdicts, runs := t.syntax, t.verdicts, s.runs
	s.mu.Unlock()
	out := protocol.Diagnostics{URI: t.uri, Version: version, Diagnostics: []protocol.Diagnostic{}}
	for _, f := range syntax {
		out.Diagnostics = append(out.Diagnostics, diagnostic(now, f))
	}
	stale := verified != nil && verified.String() != now.String()
	files := files{server: s, own: t, verified: verified, read: map[string]*document.Text{}}
	for _, f := range verdicts {
		d := diagnostic(now, f)
		switch {
		case stale && f.Severity == inspect.Proved:
			continue
		case stale:
			// The run is one of the text before: its places have moved.
			d.Message += "\n(before the last edits; save to verify again)"
		case runs:
			d.Related = files.related(f.Run)
		default:
			for _, n := range f.Run {
				d.Message += "\n" + n.Text
			}
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	if reflect.DeepEqual(out, t.published) {
		return
	}
	t.published = out
	s.notify("textDocument/publishDiagnostics", out)
}

func diagnostic(now *document.Text, f located) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: now.Range(f.Span), Severity: severities[f.Severity], Code: codes[f.Severity], Source: "hornbeam", Message: f.Message,
	}
}

// files finds places in files that are open, or on the disk.
type files struct {
	server *server
	// own is the text that is talked about, which was verified.
	own      *text
	verified *document.Text
	read     map[string]*document.Text
}

// related are the steps of a run whose files are there.
func (f files) related(run []trace.Note) []protocol.Related {
	var out []protocol.Related
	for _, n := range run {
		if at, ok := f.location(n.Pos); ok {
			out = append(out, protocol.Related{Location: at, Message: n.Text})
		}
	}
	return out
}

// mostOfFile is the size of files that are read for their places, in bytes.
const mostOfFile = 16 << 20

func (f files) location(at chc.Position) (protocol.Location, bool) {
	if at.File == f.own.name || at.File == "" {
		return protocol.Location{URI: f.own.uri, Range: f.verified.Range(f.verified.Token(f.own.find(f.verified, at)))}, true
	}
	lines, known := f.read[at.File]
	if !known {
		if info, err := os.Stat(at.File); err == nil && info.Mode().IsRegular() && info.Size() <= mostOfFile {
			if text, err := os.ReadFile(at.File); err == nil {
				lines = document.New(string(text))
			}
		}
		f.read[at.File] = lines
	}
	uri, ok := address(at.File)
	if lines == nil || !ok {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: uri, Range: lines.Range(lines.Token(lines.Find(at, false)))}, true
}

// address is the URI of a file on the disk.
func address(file string) (string, bool) {
	name, err := filepath.Abs(file)
	uri := url.URL{Scheme: "file", Path: name}
	return uri.String(), err == nil
}

// included is the offset of the line of a C program that includes a file; 0 if none does directly.
func included(text, file string) int {
	offset := 0
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok && strings.HasPrefix(strings.TrimSpace(rest), "include") &&
			strings.Contains(rest, filepath.Base(file)) {
			return offset + len(line) - len(strings.TrimLeft(line, " \t"))
		}
		offset += len(line)
	}
	return 0
}
