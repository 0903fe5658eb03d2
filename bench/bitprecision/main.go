package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"hornbeam/bench"
	"hornbeam/bench/task"
)

// modes are those of the option --bits, in the order of the table.
var modes = []string{"nobv", "allbv", "cexg", "ranged"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bitprecision:", err)
		os.Exit(1)
	}
}

// settings are what a measurement is made with.
type settings struct {
	hornbeam       string
	limit, explore time.Duration
}

// command is the program without the process around it.
func command(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("bitprecision", flag.ContinueOnError)
	flags.SetOutput(progress)
	var s settings
	flags.DurationVar(&s.limit, "limit", 15*time.Second, "wall time of a run")
	flags.DurationVar(&s.explore, "explore", 0, "for how long runs are tried at random beside the proof")
	flags.StringVar(&s.hornbeam, "hornbeam", "", "the program to run; without it, it is built from the sources in the current module")
	lists := flags.String("lists", "", "only lists of tasks whose name this expression matches")
	results := flags.String("results", "", "where the table goes; standard output unless it is given")
	folders := []string{}
	flags.Func("tasks", "a folder in which lists of tasks are looked for; may be given several times", func(f string) error {
		folders = append(folders, f)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("read the flags: %w", err)
	}
	wanted, err := regexp.Compile(*lists)
	if err != nil {
		return fmt.Errorf("read the flag -lists: %w", err)
	}
	e, err := bench.LoadExperiment("bit-precision")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bitprecision")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	tasks, absent, err := e.Tasks(append(folders, "."), dir)
	if err != nil {
		return err
	}
	for _, a := range absent {
		fmt.Fprintf(progress, "there are no tasks %s\n", a)
	}
	if s.hornbeam == "" {
		s.hornbeam = filepath.Join(dir, "hornbeam")
		if text, err := exec.CommandContext(ctx, "go", "build", "-o", s.hornbeam, "./cmd/hornbeam").CombinedOutput(); err != nil {
			return fmt.Errorf("build hornbeam: %w: %s", err, text)
		}
	}
	var t table
	for _, task := range slices.DeleteFunc(tasks, func(t task.Task) bool { return !reachability(t) || !wanted.MatchString(t.List) }) {
		for _, mode := range modes {
			r, err := s.run(ctx, task, mode)
			if err != nil {
				return fmt.Errorf("run %s on %s: %w", mode, task.Name, err)
			}
			t.add(group(task), mode, r)
			fmt.Fprintf(progress, "%-6s %-8s %-8s %6.2f s %2.0f rounds  %s\n", mode, r.expected, r.verdict, r.seconds, r.statistics["bits.rounds"], task.Name)
		}
	}
	text := t.markdown(s)
	if *results == "" {
		_, err = io.WriteString(out, text)
		return err
	}
	return os.WriteFile(*results, []byte(text), 0o644)
}

// reachability tells whether a task asks for an error that is reached, which is what the table is about.
func reachability(t task.Task) bool {
	return slices.Contains([]string{"", "assert", "unreach-call"}, t.Property)
}

// group is what a task is counted with: its list and the folder in it.
func group(t task.Task) string {
	if folder, _, ok := strings.Cut(t.Name, "/"); ok {
		return t.List + "/" + folder
	}
	return t.List
}

// measured is one run.
type measured struct {
	expected, verdict string
	seconds           float64
	statistics        map[string]float64
}

// run decides a task in a mode.
func (s settings) run(ctx context.Context, t task.Task, mode string) (measured, error) {
	args := []string{"verify", "--json", "--bits", mode, "--explore", s.explore.String(), "--timeout", s.limit.String(), "--memory", "4G"}
	switch t.DataModel {
	case "ILP32":
		args = append(args, "--32")
	case "LP64":
		args = append(args, "--64")
	}
	late, cancel := context.WithTimeout(ctx, s.limit+5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(late, s.hornbeam, append(args, t.Inputs[0])...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	begin := time.Now()
	err := cmd.Run()
	m := measured{expected: string(t.Expected), verdict: "unknown", seconds: time.Since(begin).Seconds()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return m, ctx.Err()
	case late.Err() != nil:
		return m, nil
	case err != nil && !errors.As(err, &exit):
		return m, err
	}
	verdict, rest, _ := strings.Cut(out.String(), "\n")
	var report struct{ Statistics map[string]float64 }
	if json.Unmarshal([]byte(rest), &report) == nil {
		m.verdict, m.statistics = verdict, report.Statistics
	}
	return m, nil
}
