package lsp

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/lsp/document"
	"hornbeam/lsp/inspect"
	"hornbeam/lsp/protocol"
)

// text is one that is open. Its fields are guarded by the server's mutex.
type text struct {
	uri, name string
	language  engine.Languages
	version   int
	now       *document.Text
	closed    bool

	// timer starts the reading of the text when it has rested. reading says that it is being read, again that it has changed since and
	// has rested.
	timer          *time.Timer
	reading, again bool
	// syntax are what is wrong with it, verdicts what was found out when it was saved. Both move with edits.
	syntax, verdicts []located
	// report is what the verdicts are from, and verified the text that it is about; nil before there is one.
	report   *inspect.Report
	verified *document.Text
	// stop ends the verification that runs or waits; token is its name for the client.
	stop  context.CancelFunc
	token string

	// publishing is held while diagnostics are sent, so that they come in order; published are those that were sent last.
	publishing sync.Mutex
	published  protocol.Diagnostics
}

// located is a finding at a stretch of the text as it is now.
type located struct {
	inspect.Finding
	document.Span
}

// fileOf is the path of a URI, or what stands for one where it is none of a file.
func fileOf(uri string) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil || u.Path == "" && u.Opaque == "":
		return uri
	case u.Scheme == "file":
		return u.Path
	case u.Path != "":
		return path.Base(u.Path)
	}
	return path.Base(u.Opaque)
}

// open takes a text that was opened, and reads it.
func (s *server) open(p *protocol.DidOpen) (any, error) {
	d := p.Document
	t := &text{uri: d.URI, name: fileOf(d.URI), version: d.Version, now: document.New(d.Text)}
	t.language = inspect.LanguageOf(t.name, d.Language)
	s.mu.Lock()
	old := s.texts[d.URI]
	s.texts[d.URI] = t
	s.mu.Unlock()
	if old != nil {
		s.forget(old)
	}
	s.rest(t, 0)
	return nil, nil
}

// text is the open one of a name.
func (s *server) text(uri string) (*text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.texts[uri]; t != nil {
		return t, nil
	}
	return nil, errUnknown(uri)
}

// change edits a text: what runs on it ends, and it is read when it has rested.
func (s *server) change(p *protocol.DidChange) (any, error) {
	t, err := s.text(p.Document.URI)
	if err != nil {
		s.Log.Debug("change", "error", err)
		return nil, err
	}
	settings := s.settings(t.name)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.version = p.Document.Version
	for _, e := range p.Edits {
		now, change, err := t.now.Apply(e)
		if err != nil {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s", err)
		}
		t.now = now
		t.syntax, t.verdicts = moved(t.syntax, change), moved(t.verdicts, change)
	}
	if t.verified != nil && t.verified.String() == t.now.String() {
		// What was undone is known still.
		t.verdicts = locate(t, t.report.Findings)
	}
	if t.stop != nil {
		t.stop()
	}
	s.restLocked(t, settings.Debounce)
	return nil, nil
}

// moved are findings after a change, without those in it.
func moved(findings []located, c document.Change) []located {
	var out []located
	for _, f := range findings {
		if span, ok := f.Move(c); ok {
			f.Span = span
			out = append(out, f)
		}
	}
	return out
}

// locate finds the stretches of findings about a text as it is now.
func locate(t *text, findings []inspect.Finding) []located {
	out := make([]located, 0, len(findings))
	for _, f := range findings {
		at := 0
		if f.Pos.File == t.name || f.Pos.File == "" {
			at = t.find(t.now, f.Pos)
		} else {
			at = included(t.now.String(), f.Pos.File)
			f.Message = fmt.Sprintf("in %s: %s", f.Pos, f.Message)
		}
		out = append(out, located{f, t.now.Token(at)})
	}
	return out
}

// find is the offset of a place in a state of the text.
func (t *text) find(in *document.Text, at chc.Position) int {
	return in.Find(at, t.language != engine.C)
}

// rest reads a text after it has rested for a time.
func (s *server) rest(t *text, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restLocked(t, d)
}

func (s *server) restLocked(t *text, d time.Duration) {
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.closed || s.ended {
		return
	}
	t.timer = time.AfterFunc(d, func() { s.read(t) })
}

// read reads a text. One that is being read is read once more afterwards.
func (s *server) read(t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.closed || s.ctx.Err() != nil {
		return
	}
	if t.reading {
		t.again = true
		return
	}
	t.reading = true
	s.begin("reading", func() {
		for {
			settings := s.settings(t.name)
			s.mu.Lock()
			now := t.now
			s.mu.Unlock()
			findings := inspect.Read(s.ctx, s.file(t, now, settings))
			s.mu.Lock()
			fits := t.now == now && !t.closed
			if fits {
				t.syntax = locate(t, findings)
			}
			again := t.again && !t.closed && s.ctx.Err() == nil
			t.again = false
			t.reading = again
			s.mu.Unlock()
			if fits {
				s.publish(t)
			}
			if !again {
				return
			}
		}
	})
}

// file is what is inspected of a text.
func (s *server) file(t *text, now *document.Text, settings inspect.Settings) inspect.File {
	return inspect.File{Name: t.name, Text: now.String(), Language: t.language, Settings: settings, Log: s.Log}
}

// save verifies a text that was saved, instead of what runs on it.
func (s *server) save(p *protocol.About) (any, error) {
	t, err := s.text(p.Document.URI)
	if err != nil {
		return nil, err
	}
	s.rest(t, 0)
	ctx, stop := context.WithCancel(s.ctx)
	s.mu.Lock()
	if t.stop != nil {
		t.stop()
	}
	s.tokens++
	t.stop, t.token = stop, fmt.Sprintf("hornbeam-%d", s.tokens)
	now, token := t.now, t.token
	s.mu.Unlock()
	done := make(chan struct{})
	s.begin("verification", func() {
		defer close(done)
		defer stop()
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return
		}
		s.verify(ctx, t, now)
	})
	if s.progress {
		s.begin("progress", func() { s.report(t, token, done) })
	}
	return nil, nil
}

// verify verifies a text and publishes what is found out about it, for as long as it is not edited.
func (s *server) verify(ctx context.Context, t *text, now *document.Text) {
	inspect.Verify(ctx, s.file(t, now, s.settings(t.name)), func(r inspect.Report) {
		s.mu.Lock()
		fits := t.now == now && !t.closed && ctx.Err() == nil
		if fits {
			t.report, t.verified = &r, now
			t.verdicts = locate(t, r.Findings)
		}
		s.mu.Unlock()
		if !fits {
			return
		}
		s.publish(t)
		if s.refresh {
			s.begin("refresh", func() { s.call("workspace/inlayHint/refresh", nil) })
		}
	})
}

// report shows the progress of a verification until it is done.
func (s *server) report(t *text, token string, done <-chan struct{}) {
	if !s.call("window/workDoneProgress/create", protocol.Token{Token: token}) {
		return
	}
	s.notify("$/progress", protocol.Progress{Token: token, Value: protocol.WorkProgress{
		Kind: "begin", Title: "Hornbeam", Message: "verifying " + path.Base(t.name), Cancellable: true,
	}})
	select {
	case <-done:
	case <-s.ctx.Done():
	}
	s.notify("$/progress", protocol.Progress{Token: token, Value: protocol.WorkProgress{Kind: "end"}})
}

// cancelWork ends a verification that the user does not want to go on.
func (s *server) cancelWork(p *protocol.Token) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.texts {
		if t.token == p.Token && t.stop != nil {
			t.stop()
		}
	}
	return nil, nil
}

// close forgets a text that was closed, and takes back what was said of it.
func (s *server) close(p *protocol.About) (any, error) {
	t, err := s.text(p.Document.URI)
	if err != nil {
		return nil, err
	}
	s.forget(t)
	s.mu.Lock()
	delete(s.texts, t.uri)
	s.mu.Unlock()
	t.publishing.Lock()
	defer t.publishing.Unlock()
	s.notify("textDocument/publishDiagnostics", protocol.Diagnostics{URI: t.uri, Version: t.version, Diagnostics: []protocol.Diagnostic{}})
	return nil, nil
}

// forget ends what runs on a text.
func (s *server) forget(t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.closed = true
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.stop != nil {
		t.stop()
	}
}

// closeAll ends what runs on all texts.
func (s *server) closeAll() {
	s.mu.Lock()
	texts := make([]*text, 0, len(s.texts))
	for _, t := range s.texts {
		texts = append(texts, t)
	}
	s.mu.Unlock()
	for _, t := range texts {
		s.forget(t)
	}
}
