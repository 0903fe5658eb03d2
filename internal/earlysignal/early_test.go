package earlysignal

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// raised names the environment variable with the signal that a test process sends itself while packages are initialised.
const raised = "EARLYSIGNAL_TEST_RAISE"

// _ stands for the initialisation of a package that a signal interrupts. The process never gets further.
var _ = func() bool {
	sig := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[os.Getenv(raised)]
	if sig == 0 {
		return false
	}
	if os.Getenv(raised+"_HANDLED") != "" {
		c := make(chan os.Signal, 1)
		signal.Notify(c, sig)
		Handled()
		_ = syscall.Kill(os.Getpid(), sig)
		<-c
		signal.Stop(c)
	}
	_ = syscall.Kill(os.Getpid(), sig)
	select {}
}()

// raise runs this test's program, with the arguments of a command, so that the signal reaches it during initialisation.
func raise(t *testing.T, sig string, handled bool, args ...string) (state *os.ProcessState, out, messages string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	cmd := &exec.Cmd{Path: self, Args: append([]string{"hornbeam"}, args...), Env: append(os.Environ(), raised+"="+sig), Stdout: &stdout, Stderr: &stderr}
	if handled {
		cmd.Env = append(cmd.Env, raised+"_HANDLED=1")
	}
	_ = cmd.Run()
	return cmd.ProcessState, stdout.String(), stderr.String()
}

func TestASignalDuringInitialisationEndsAsTheCommandDoes(t *testing.T) {
	for _, c := range []struct {
		args []string
		out  string
		code int
	}{
		{[]string{"solve", "x.smt2"}, "unknown\n", 0},
		{[]string{"--timeout", "3", "solve", "x.smt2"}, "unknown\n", 0},
		{[]string{"hunt", "solve"}, "unknown\n", 5},
		{[]string{"verify", "x.c"}, "unknown\n", 5},
		{[]string{"check", "x", "y"}, "undecided\n", 5},
		{[]string{"show", "x"}, "", 5},
		{[]string{"options"}, "", 1},
		{nil, "", 1},
	} {
		for _, sig := range []string{"INT", "TERM"} {
			state, out, messages := raise(t, sig, false, c.args...)
			require.Equal(t, c.code, state.ExitCode(), "%v %s", c.args, state)
			require.Equal(t, c.out, out, c.args)
			require.Contains(t, messages, "interrupted before the command began")
		}
	}
}

func TestASecondSignalKillsAfterTheFirstWasHandled(t *testing.T) {
	state, out, messages := raise(t, "TERM", true, "solve", "x.smt2")
	status := state.Sys().(syscall.WaitStatus)
	require.True(t, status.Signaled(), "%s", state)
	require.Equal(t, syscall.SIGTERM, status.Signal())
	require.Empty(t, out+messages)
}
