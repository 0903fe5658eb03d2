package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hornbeam/bench/result"
	"hornbeam/bench/task"
	"hornbeam/bench/tool"
)

// The test's own program is also the supervisor, the tool, and a benchmark that is to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "supervise":
			if err := Supervise(context.Background(), os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		case "tool":
			behave(os.Args[2:])
			os.Exit(0)
		case "benchmark":
			benchmark(os.Args[2], os.Args[3])
			os.Exit(0)
		}
	}
	// Under the race detector every process would wait a second before it ends.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// behave is a tool that behaves as it is told: a list of NAME or NAME=VALUE, one after the other.
func behave(steps []string) {
	for _, step := range steps {
		name, value, _ := strings.Cut(step, "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "say":
			fmt.Println(value)
		case "mutter":
			fmt.Fprintln(os.Stderr, value)
		case "unended":
			fmt.Print(value)
		case "exit":
			os.Exit(number)
		case "sleep":
			time.Sleep(time.Duration(number) * time.Millisecond)
		case "crash":
			// Go's own handlers would make an exit code of it.
			if err := syscall.Exec("/bin/sh", []string{"sh", "-c", fmt.Sprintf("kill -%d $$", number)}, nil); err != nil {
				panic(err)
			}
		case "kill-parent":
			if err := syscall.Kill(os.Getppid(), syscall.Signal(number)); err != nil {
				panic(err)
			}
		case "stubborn":
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		case "late":
			// Says its verdict when it is asked to end, and does not end.
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, syscall.SIGTERM)
			go func() {
				<-asked
				fmt.Println(value)
			}()
		case "flood":
			line := append(bytes.Repeat([]byte("many words "), 100), '\n')
			for range number << 20 / len(line) {
				os.Stdout.Write(line)
			}
		case "burn":
			// Uses the given milliseconds of CPU time, however long that takes.
			for {
				var r syscall.Rusage
				if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil || r.Utime.Nano()+r.Stime.Nano() > int64(number)*1e6 {
					break
				}
			}
		case "fill":
			hold(number)
		case "fill-forever":
			for i := 0; ; i++ {
				hold(8)
			}
		case "note-pid":
			f, err := os.OpenFile(value, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, os.Getpid())
			f.Close()
		case "await":
			// Waits until so many processes have noted themselves in a file.
			count, path, _ := strings.Cut(value, ":")
			for {
				text, _ := os.ReadFile(path)
				if n, _ := strconv.Atoi(count); bytes.Count(text, []byte("\n")) >= n {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
		case "fork", "fork-wait", "fork-away":
			// The children do the steps behind, split by commas; away is into a session of their own, whose parent ends.
			fork(name, strings.Split(value, ","))
		case "chain":
			// One process after the other uses 150 milliseconds of CPU time, and leaves the next one to nobody.
			behave([]string{"burn=150"})
			if number > 1 {
				fork("fork-away", []string{fmt.Sprintf("chain+%d", number-1)})
			}
		case "first-time":
			// Ends here with the verdict unless the file is not there yet.
			if _, err := os.Stat(value); err == nil {
				fmt.Println("sat")
				os.Exit(0)
			}
		case "cores":
			fmt.Printf("%d core\n", len(allowedCores()))
		case "litter":
			folder, err := os.Getwd()
			if err != nil || os.Getenv("TMPDIR") != folder || os.WriteFile("litter", []byte("x"), 0o644) != nil {
				panic(folder)
			}
			fmt.Println(folder)
		case "input":
			// The task's file.
		default:
			panic(name)
		}
	}
}

var held [][]byte

// hold takes some MiB of memory and keeps them.
func hold(mib int) {
	block := make([]byte, mib<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	held = append(held, block)
}

func fork(how string, steps []string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	for i := range steps {
		// A + stands for the = of a child's step.
		steps[i] = strings.Replace(steps[i], "+", "=", 1)
	}
	if how == "fork-away" {
		// The middle process ends at once, so that the child has no parent of the tool's.
		cmd := exec.Command(self, append([]string{"tool", "fork=" + strings.ReplaceAll(strings.Join(steps, ","), "=", "+")}, "exit=0")...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Run(); err != nil {
			panic(err)
		}
		return
	}
	cmd := exec.Command(self, append([]string{"tool"}, steps...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	if how == "fork-wait" {
		if err := cmd.Wait(); err != nil {
			panic(err)
		}
	}
}

// acting is a tool that does the steps, with the verdicts of Horn solvers.
func acting(name string, steps ...string) *tool.Tool {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	command := append([]string{self, "tool"}, steps...)
	return &tool.Tool{Name: name, Path: self, Command: append(command, "input={file}"), Reads: []string{"smt2"},
		Verdict:   tool.Reading{Words: map[string]result.Verdict{"sat": result.Sat, "unsat": result.Unsat, "unknown": result.Unknown}},
		ExitCodes: map[int]result.Verdict{42: result.Reject}}
}

// benchmark runs a slow tool on many tasks until it is done.
func benchmark(folder, results string) {
	tasks, err := task.Load(folder)
	if err != nil {
		panic(err)
	}
	tools := []*tool.Tool{
		acting("a", "note-pid="+results+".pids", "sleep=30", "fork-away=note-pid+"+results+".pids,sleep+60000", "say=sat"),
		acting("b", "note-pid="+results+".pids", "say=unsat"),
	}
	if _, err := Run(context.Background(), tasks, tools, testConfig(results)); err != nil {
		panic(err)
	}
}

func testConfig(results string) Config {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Config{Limits: result.Limits{Wall: 60}, Results: results, OutputLimit: 1 << 20, Grace: 200 * time.Millisecond, Supervisor: []string{self, "supervise"}}
}
