package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// running is a command in a process of its own.
type running struct {
	*exec.Cmd
	out    *bytes.Buffer
	stderr *bufio.Reader
	stdin  io.WriteCloser
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startWith(t, nil, args...)
}

// startWith starts the command with additional variables in its environment.
func startWith(t *testing.T, environment []string, args ...string) *running {
	t.Helper()
	p := &running{Cmd: exec.Command(binary, args...), out: &bytes.Buffer{}}
	p.Env = append(os.Environ(), environment...)
	p.Stdout = p.out
	stderr, err := p.StderrPipe()
	require.NoError(t, err)
	p.stderr = bufio.NewReader(stderr)
	p.stdin, err = p.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	killer := time.AfterFunc(hang, func() { _ = p.Process.Kill() })
	t.Cleanup(func() { killer.Stop() })
	return p
}

// finish waits for the end of the process.
func (p *running) finish(t *testing.T) result {
	t.Helper()
	messages, err := io.ReadAll(p.stderr)
	require.NoError(t, err)
	_ = p.Wait()
	return result{p.ProcessState.ExitCode(), p.out.String(), string(messages)}
}

func TestSignalsEndInUnknownWithTheStatisticsSoFar(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, passes string
		delay        time.Duration
	}{
		"at once":             {endless, "default", 0},
		"between checks":      {endless, "default", 300 * time.Millisecond},
		"preprocessing":       {pigeons(), "default", 50 * time.Millisecond},
		"inside a long check": {pigeons(), "none", time.Second},
	} {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(name+" "+signal.String(), func(t *testing.T) {
				p := start(t, "solve", "--stats", "--log", "info", "--passes", c.passes, tempFile(t, "endless.smt2", c.text))
				line, err := p.stderr.ReadString('\n')
				require.NoError(t, err)
				require.Contains(t, line, "msg=read")
				time.Sleep(c.delay)
				require.NoError(t, p.Process.Signal(signal))
				r := p.finish(t)
				r.noStrayVerdict(t)
				require.Equal(t, exitOK, r.code, r.err)
				require.Equal(t, "unknown\n", r.out)
				require.Contains(t, r.err, "; interrupted")
				require.Contains(t, r.err, "; time.total")
			})
		}
	}
}

func TestASignalBeforeMainEndsInUnknown(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, c := range []struct {
			command string
			code    int
		}{{"solve", exitOK}, {"hunt", exitInconclusive}} {
			// The runtime's trace of the initialisation of packages says when it has begun.
			p := startWith(t, []string{"GODEBUG=inittrace=1"}, c.command, tempFile(t, "endless.smt2", endless))
			line, err := p.stderr.ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "init ")
			require.NoError(t, p.Process.Signal(signal))
			r := p.finish(t)
			require.Equal(t, c.code, r.code, "%s: %s", c.command, p.ProcessState)
			require.Equal(t, "unknown\n", r.out)
			require.Contains(t, r.err, "; interrupted")
		}
	}
}

func TestASignalWhileReadingEndsInUnknown(t *testing.T) {
	t.Parallel()
	p := exec.Command(binary, "solve", "--stats", "-")
	var messages bytes.Buffer
	p.Stderr = &messages
	stdin, err := p.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	killer := time.AfterFunc(hang, func() { _ = p.Process.Kill() })
	defer killer.Stop()
	// An answer says that the command is up; its input never ends.
	_, err = stdin.Write([]byte(safe + `(echo "up")` + "\n"))
	require.NoError(t, err)
	out := bufio.NewReader(stdout)
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "\"up\"\n", line)
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	_ = p.Wait()
	require.Equal(t, exitOK, p.ProcessState.ExitCode())
	require.Equal(t, "unknown\n", string(rest))
	require.Contains(t, messages.String(), "; interrupted")
	require.Contains(t, messages.String(), "; time.total")
}

func TestASignalEndsEveryFile(t *testing.T) {
	t.Parallel()
	file := tempFile(t, "endless.smt2", endless)
	p := start(t, "solve", "--log", "info", file, file)
	for {
		line, err := p.stderr.ReadString('\n')
		require.NoError(t, err)
		if strings.Contains(line, "msg=read") {
			break
		}
	}
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	r := p.finish(t)
	require.Equal(t, exitOK, r.code)
	require.Equal(t, strings.Repeat(file+": unknown\n", 2), r.out)
}

func TestASecondSignalKills(t *testing.T) {
	t.Parallel()
	// Nobody reads standard output: the command cannot even print its verdict.
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	defer writer.Close()
	require.NoError(t, writer.SetWriteDeadline(time.Now().Add(time.Second)))
	for err == nil {
		_, err = writer.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	cmd := exec.Command(binary, "solve", "--log", "info", tempFile(t, "endless.smt2", endless))
	cmd.Stdout = writer
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for deadline := time.Now().Add(hang); ; {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-done:
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, status.Signaled(), "%s", cmd.ProcessState)
			require.Equal(t, syscall.SIGTERM, status.Signal())
			return
		case <-time.After(300 * time.Millisecond):
			require.True(t, time.Now().Before(deadline), "the command does not end")
		}
	}
}

var boundReached = regexp.MustCompile(`no bug up to (?:recursion )?bound (\d+)`)

// reached is the last bound that a text says was reached.
func reached(t *testing.T, text string) int {
	t.Helper()
	all := boundReached.FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, all, text)
	n, err := strconv.Atoi(all[len(all)-1][1])
	require.NoError(t, err)
	return n
}

func TestASignalKeepsTheBoundThatWasReached(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--all"}} {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			p := start(t, append([]string{"hunt", "--bound", "0", "--progress", "on", tempFile(t, "endless.smt2", endless)}, flags...)...)
			seen := 0
			for seen < 2 {
				line, err := p.stderr.ReadString('\n')
				require.NoError(t, err)
				require.Contains(t, line, "checks/s")
				seen = reached(t, line)
			}
			require.NoError(t, p.Process.Signal(signal))
			r := p.finish(t)
			r.noStrayVerdict(t)
			require.Equal(t, exitInconclusive, r.code, r.err)
			require.Equal(t, "unknown", r.verdict())
			require.Contains(t, r.out+r.err, "interrupted")
			require.GreaterOrEqual(t, reached(t, r.err+r.out), seen)
		}
	}
}
