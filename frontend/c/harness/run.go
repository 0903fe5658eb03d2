package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// Command is how gcc makes a program of a harness. For 32 bits and for overflows that program has no library, as one for 32
// bits is hardly ever there, and gcc's own for overflows would come before what the harness defines.
func Command(model tree.Model, asked fault.Set, program, file string) []string {
	command := []string{"gcc", "-std=gnu11", "-O0", "-fno-strict-aliasing", "-w"}
	alone := []string{"-DHORNBEAM_ALONE", "-nostdlib", "-static", "-fno-stack-protector", "-fno-pic", "-no-pie"}
	sanitized := sanitizers(asked)
	if hosted(asked) {
		command = append(command, "-DHORNBEAM_HOSTED", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
		if !asked.Has(fault.Overflow) {
			command = append(command, "-fno-sanitize=signed-integer-overflow")
		}
		sanitized = nil
	}
	if len(sanitized) > 0 {
		command = append(command, "-fsanitize="+strings.Join(sanitized, ","))
	}
	if !asked.Has(fault.Overflow, fault.Division, fault.Shift) {
		command = append(command, "-fwrapv")
	}
	if model.PointerBytes == 4 {
		command = append(command, "-m32", "-msse2", "-mfpmath=sse")
	} else {
		command = append(command, "-m64")
	}
	if len(sanitized) > 0 || model.PointerBytes == 4 && !hosted(asked) {
		command = append(command, alone...)
		return append(command, "-o", program, file)
	}
	return append(command, "-o", program, file, "-lm")
}

// sanitizers are those of gcc that catch the faults.
func sanitizers(asked fault.Set) []string {
	var out []string
	for _, s := range []struct {
		kind  fault.Kind
		names string
	}{
		{fault.Overflow, "signed-integer-overflow,integer-divide-by-zero,shift"}, {fault.Division, "signed-integer-overflow,integer-divide-by-zero"},
		// What overflows wraps around then, too.
		{fault.Shift, "signed-integer-overflow,shift"},
		{fault.Unreachable, "unreachable"},
	} {
		if asked.Has(s.kind) {
			out = append(out, s.names)
		}
	}
	return out
}

// hosted tells whether faults are looked for that are caught only where C's library is: those of memory.
func hosted(asked fault.Set) bool {
	return asked.Has(fault.Dereference, fault.Free, fault.Cleanup, fault.Lost)
}

// Silent are the kinds of faults that no sanitizer of gcc catches.
var Silent = fault.Of(fault.UnsignedOverflow, fault.Conversion, fault.Uninitialised)

// Limits of the run of a harness.
const (
	runTime     = 10 * time.Second
	runMemoryKB = 1 << 20
)

// Exit is what a harness exits with when the error is reached.
const Exit = 107

var (
	// ErrCompile is wrapped by errors of harnesses that gcc does not make a program of.
	ErrCompile = errors.New("gcc does not compile the harness")
	// ErrNotRun is wrapped by errors of programs that this machine cannot run.
	ErrNotRun = errors.New("this machine runs no program of 32 bits, and there is no qemu-i386 (Debian's package qemu-user)")
)

// Confirm compiles a harness with gcc, which has to be on the path, and runs it, both under limits and in a folder of its own.
// It reports whether the error was reached.
func Confirm(ctx context.Context, model tree.Model, asked fault.Set, text []byte) (bool, error) {
	dir, err := os.MkdirTemp("", "hornbeam-harness")
	if err != nil {
		return false, fmt.Errorf("run a harness: %w", err)
	}
	defer os.RemoveAll(dir)
	file, program := filepath.Join(dir, "harness.c"), filepath.Join(dir, "harness")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return false, fmt.Errorf("run a harness: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*runTime)
	defer cancel()
	command := Command(model, asked, program, file)
	if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w: %w: %s", ErrCompile, err, firstLine(string(out)))
	}
	ctx, stop := context.WithTimeout(ctx, runTime)
	defer stop()
	limit := runMemoryKB
	if hosted(asked) {
		limit = 0 // Beside each byte of all that there may be, a sanitizer has room for what it knows of it.
	}
	err = Run(ctx, program, limit, nil)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &exit):
		return exit.ExitCode() == Exit, nil
	}
	return false, fmt.Errorf("run a harness: %w", err)
}

// notExecutable is what a shell exits with when the kernel does not take a program.
const notExecutable = 126

// Run runs a program that gcc made, in the program's folder, with a limit of its address space in KB (0: none), and writes what
// it prints to out. A program of 32 bits that the kernel does not take is run by qemu-i386. The errors are those of exec.Cmd.Run,
// and ErrNotRun.
func Run(ctx context.Context, program string, memoryKB int, out io.Writer) error {
	limit := ""
	if memoryKB > 0 {
		limit = fmt.Sprintf("ulimit -v %d; ", memoryKB)
	}
	err := runIn(ctx, filepath.Dir(program), out, "/bin/sh", "-c", limit+`exec "$0"`, program)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != notExecutable {
		return err
	}
	emulator, missing := exec.LookPath("qemu-i386")
	if missing != nil {
		return ErrNotRun
	}
	command := []string{emulator}
	if memoryKB > 0 {
		command = append(command, "-R", fmt.Sprint(memoryKB<<10)) // It reserves all that a pointer can address otherwise.
	}
	return runIn(ctx, filepath.Dir(program), out, append(command, program)...)
}

func runIn(ctx context.Context, dir string, out io.Writer, command ...string) error {
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Dir, run.Stdout, run.WaitDelay = dir, out, time.Second
	return run.Run()
}

// firstLine is the first line that tells an error.
func firstLine(s string) string {
	line := ""
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		if strings.Contains(l, "error") || strings.Contains(l, "undefined reference") {
			return l
		}
		if line == "" {
			line = l
		}
	}
	return line
}
