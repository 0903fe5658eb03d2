package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"

	"hornbeam/lsp/protocol"
)

// Options are what a server needs of its program.
type Options struct {
	// In and Out are the connection.
	In  io.Reader
	Out io.Writer
	// Version is Hornbeam's.
	Version string
	// Log receives what goes wrong; nil drops it.
	Log *slog.Logger
	// Configure returns the settings for files in a folder, by the names of inspect.Settings' table, and those of the engines. nil stands
	// for the defaults.
	Configure func(folder string) (set, engines map[string]string, err error)
}

// ErrAbandoned is the error of a session that the client left without a request to shut down.
var ErrAbandoned = errors.New("the client left without shutting the server down")

// The error codes of the protocol that JSON-RPC does not have.
const notInitialized = jrpc2.Code(-32002)

// farewell is how long what is running has to end when the client has left.
const farewell = 500 * time.Millisecond

// server is a session with one client.
type server struct {
	Options
	rpc *jrpc2.Server
	// ctx ends with the session.
	ctx  context.Context
	gone chan struct{}
	once sync.Once
	// asked counts requests, work what else runs.
	asked, work sync.WaitGroup
	// turn has room for the one verification that runs.
	turn chan struct{}

	mu sync.Mutex
	// initialized and ended say where the session is, leaving that a request to shut down has come, and left that the client is gone.
	initialized, ended      bool
	leaving, left           bool
	progress, refresh, runs bool
	tokens                  int
	// own are the client's settings, told the messages about settings that were shown.
	own, ownEngines map[string]string
	told            map[string]bool
	texts           map[string]*text
}

// Serve answers a client until it leaves, or ctx ends. The error is nil when the client has shut the server down before, and otherwise
// ErrAbandoned, or wraps the context's.
func Serve(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		Options: o, ctx: ctx, gone: make(chan struct{}), turn: make(chan struct{}, 1), texts: map[string]*text{}, told: map[string]bool{},
	}
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: 4})
	stream := protocol.NewStream(o.In, o.Out)
	s.rpc.Start(stream)
	var err error
	select {
	case <-s.gone:
	case <-ctx.Done():
		err = ctx.Err()
	}
	cancel()
	s.closeAll()
	// The library stops when it reads the end of the stream. Its Stop closes a channel to which the message being read may be sent.
	stream.Close()
	await(func() {
		// Its error is how the session ended, which is known.
		_ = s.rpc.Wait()
		s.work.Wait()
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil:
		return fmt.Errorf("serve an editor: %w", err)
	case s.leaving:
		return nil
	}
	return ErrAbandoned
}

// await waits for something to end, for a moment.
func await(end func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		end()
	}()
	select {
	case <-done:
	case <-time.After(farewell):
	}
}

// Assign returns who answers a method; nil for a method that is not known.
func (s *server) Assign(_ context.Context, method string) jrpc2.Handler {
	switch method {
	case "initialize":
		return s.counted(guarded(s, method, s.initialize))
	case "exit":
		s.mu.Lock()
		s.left = true
		s.mu.Unlock()
		return func(context.Context, *jrpc2.Request) (any, error) {
			// What was asked before is answered.
			await(s.asked.Wait)
			s.once.Do(func() { close(s.gone) })
			return nil, nil
		}
	}
	if method == "shutdown" {
		// Methods are assigned in order, and answered at once: exit may be right behind.
		s.mu.Lock()
		s.leaving = true
		s.mu.Unlock()
	}
	handler := s.handler(method)
	if handler == nil {
		return nil
	}
	return s.counted(func(ctx context.Context, r *jrpc2.Request) (any, error) {
		s.mu.Lock()
		initialized, ended := s.initialized, s.ended
		s.mu.Unlock()
		switch {
		case !initialized:
			return nil, jrpc2.Errorf(notInitialized, "%s before initialize", method)
		case ended:
			return nil, jrpc2.Errorf(jrpc2.InvalidRequest, "%s after shutdown", method)
		}
		return handler(ctx, r)
	})
}

// counted is a handler that asked counts from now on until it has answered, unless the client is gone: then asked is waited for, which must
// not begin to count again.
func (s *server) counted(h jrpc2.Handler) jrpc2.Handler {
	s.mu.Lock()
	left := s.left
	s.mu.Unlock()
	if left {
		return h
	}
	s.asked.Add(1)
	return func(ctx context.Context, r *jrpc2.Request) (any, error) {
		defer s.asked.Done()
		return h(ctx, r)
	}
}

// handler returns who answers a method within a session.
func (s *server) handler(method string) jrpc2.Handler {
	switch method {
	case "shutdown":
		return guarded(s, method, func(*struct{}) (any, error) {
			s.mu.Lock()
			s.ended = true
			s.mu.Unlock()
			s.closeAll()
			return nil, nil
		})
	case "initialized", "$/setTrace", "$/cancelRequest", "workspace/didChangeWatchedFiles":
		return func(context.Context, *jrpc2.Request) (any, error) { return nil, nil }
	case "workspace/didChangeConfiguration":
		return guarded(s, method, s.configure)
	case "textDocument/didOpen":
		return guarded(s, method, s.open)
	case "textDocument/didChange":
		return guarded(s, method, s.change)
	case "textDocument/didSave":
		return guarded(s, method, s.save)
	case "textDocument/didClose":
		return guarded(s, method, s.close)
	case "window/workDoneProgress/cancel":
		return guarded(s, method, s.cancelWork)
	case "textDocument/hover":
		return guarded(s, method, s.hover)
	case "textDocument/inlayHint":
		return guarded(s, method, s.inlayHints)
	case "textDocument/codeAction":
		return guarded(s, method, s.codeActions)
	}
	return nil
}

// guarded answers with what f returns for the parameters. Parameters of another form are an error, and a panic is an internal one.
func guarded[P any](s *server, method string, f func(*P) (any, error)) jrpc2.Handler {
	return func(_ context.Context, r *jrpc2.Request) (result any, err error) {
		defer func() {
			if v := recover(); v != nil {
				s.Log.Error("panic", "method", method, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
				result, err = nil, jrpc2.Errorf(jrpc2.InternalError, "internal error: %v", v)
			}
		}()
		p := new(P)
		if r.HasParams() {
			if err := r.UnmarshalParams(p); err != nil {
				return nil, err
			}
		}
		return f(p)
	}
}

// begin runs f beside the session, which waits for it in the end. A panic of f is logged.
func (s *server) begin(what string, f func()) {
	s.work.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				s.Log.Error("panic", "in", what, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			}
		}()
		f()
	})
}

// notify sends a notification. Whether the client has left is seen elsewhere.
func (s *server) notify(method string, params any) {
	if err := s.rpc.Notify(s.ctx, method, params); err != nil {
		s.Log.Debug("not sent", "method", method, "error", err)
	}
}

// callTime bounds the time that a client has to answer.
const callTime = 5 * time.Second

// call sends a request and reports whether the client agreed.
func (s *server) call(method string, params any) bool {
	ctx, stop := context.WithTimeout(s.ctx, callTime)
	defer stop()
	_, err := s.rpc.Callback(ctx, method, params)
	return err == nil
}

// show shows a message to the user.
func (s *server) show(severity int, message string) {
	s.notify("window/showMessage", protocol.Message{Type: severity, Message: message})
}

// initialize begins the session.
func (s *server) initialize(p *protocol.Initialize) (any, error) {
	s.mu.Lock()
	if s.initialized {
		s.mu.Unlock()
		return nil, jrpc2.Errorf(jrpc2.InvalidRequest, "initialize twice")
	}
	s.initialized = true
	s.progress = p.Capabilities.Window.Progress
	s.refresh = p.Capabilities.Workspace.InlayHint.Refresh
	s.runs = p.Capabilities.TextDocument.Publish.Related
	s.mu.Unlock()
	s.setOwn(p.Options)
	return protocol.Initialized{
		Capabilities: protocol.Capabilities{
			Encoding: "utf-16", Sync: protocol.Sync{OpenClose: true, Change: 2, Save: true}, Hover: true, InlayHint: true,
			CodeAction: protocol.CodeActionOptions{Kinds: []string{actionKind}},
		},
		Server: protocol.ServerInfo{Name: "hornbeam", Version: s.Version},
	}, nil
}

// errUnknown is the error for a text that is not open.
func errUnknown(uri string) error {
	return jrpc2.Errorf(jrpc2.InvalidParams, "%s is not open", uri)
}
