package process

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// pipe is a running solver.
type pipe struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr tail
}

// tail keeps the first bytes of what is written to it.
type tail struct{ bytes.Buffer }

const maxStderr = 4096

func (t *tail) Write(p []byte) (int, error) {
	if room := maxStderr - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// start starts the solver.
func start(argv []string) (*pipe, error) {
	p := &pipe{cmd: exec.Command(argv[0], argv[1:]...)}
	p.cmd.Stderr = &p.stderr
	// A grandchild that survives a kill must not keep us waiting for its end of the pipe.
	p.cmd.WaitDelay = 100 * time.Millisecond
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("process: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("process: %w", err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("process: starting %s: %w", argv[0], err)
	}
	return p, nil
}

// kill ends the process; what is being read or written then fails. It may be called at any time, from any goroutine.
func (p *pipe) kill() { _ = p.cmd.Process.Kill() } // it fails only when the process has ended

// close ends the process, waits for it, and returns what it wrote to standard error and how it ended.
func (p *pipe) close() string {
	_ = p.in.Close() // the process is ended anyway
	p.kill()
	err := p.cmd.Wait()
	text := strings.TrimSpace(p.stderr.String())
	if text == "" && err != nil {
		text = err.Error()
	}
	return text
}

// exchange sends text and reads n replies. Replies of a bare success or unsupported are not counted; a reply (error ...)
// is returned as an error.
func (p *pipe) exchange(text []byte, n int) ([]*sexpr, error) {
	sent := make(chan error, 1)
	go func() {
		// A solver that writes while we write, and waits until it is read, must not wait for ever.
		_, err := p.in.Write(text)
		sent <- err
	}()
	replies := make([]*sexpr, 0, n)
	for len(replies) < n {
		e, err := readSexpr(p.out)
		if err == nil {
			err = refusal(e)
		}
		if err != nil {
			p.kill() // so that the sender ends
			<-sent
			return nil, err
		}
		if e.list != nil || e.quoted || e.atom != "success" && e.atom != "unsupported" {
			replies = append(replies, e)
		}
	}
	if err := <-sent; err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	return replies, nil
}

// errUnsupported is wrapped by what a solver says of a problem that it can read and not decide.
var errUnsupported = errors.New("unsupported")

// refusal is the error that a reply reports, if it does.
func refusal(e *sexpr) error {
	if !e.isList("error", 2) {
		return nil
	}
	text := strings.Join(strings.Fields(e.list[1].atom), " ")
	// In cvc5's words: constant arrays with different values that stores connect, or whose element is no value.
	if strings.Contains(text, "not yet support") || strings.Contains(text, "expected a value") {
		return fmt.Errorf("%w: %s", errUnsupported, text)
	}
	return errors.New(text)
}
