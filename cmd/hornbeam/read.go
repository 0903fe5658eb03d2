package main

import (
	"io"
	"os"
	"runtime"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// allStacks is what every goroutine is doing, to find what was left behind.
func allStacks() string {
	b := make([]byte, 1<<16)
	return string(b[:runtime.Stack(b, true)])
}

// readFile reads a file, or standard input when its name is "-", and returns the name to use in messages.
func readFile(file string, stdin io.Reader) (string, []byte, error) {
	if file == "-" {
		src, err := io.ReadAll(stdin)
		return "<stdin>", src, err
	}
	src, err := os.ReadFile(file)
	return file, src, err
}

// readScript reads a Horn file, or standard input when its name is "-". The script also comes with an error that wraps
// smtlib.ErrUnsupported.
func readScript(file string, stdin io.Reader) (*smtlib.Script, error) {
	name, src, err := readFile(file, stdin)
	if err != nil {
		return nil, err
	}
	return smtlib.Read(name, src, term.NewPool())
}
