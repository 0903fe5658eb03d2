package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"hornbeam/bench/families"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "hunting:", err)
		os.Exit(1)
	}
}

// command is the program without the process around it.
func command(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("hunting", flag.ContinueOnError)
	flags.SetOutput(progress)
	var l limits
	flags.DurationVar(&l.time, "limit", 20*time.Second, "wall time of a run")
	flags.IntVar(&l.memory, "memory", 2048, "memory of a run, in MiB")
	hornbeam := flags.String("hornbeam", "", "the program to run; without it, it is built from the sources in the current module")
	results := flags.String("results", "bench/hunting/results.md", "where the tables go")
	runs := flags.String("runs", filepath.Join(os.TempDir(), "hornbeam-hunting-runs.jsonl"), "where the runs are kept")
	jobs := flags.Int("jobs", 2, "runs at a time")
	deepest := flags.Int("deepest", 4096, "the largest depth that is tried")
	only := flags.String("only", "", "measure the depths of this family alone, and print them")
	name := flags.String("print", "", "print an instance of this family instead of measuring")
	depth := flags.Int("depth", 4, "with -print: the depth")
	width := flags.Int("width", 0, "with -print: the width, if not the usual one")
	relevant := flags.Int("relevant", 0, "with -print: the number of relevant variables, if not the usual one")
	irrelevant := flags.Int("irrelevant", -1, "with -print: the number of irrelevant variables, if not the usual one")
	seed := flags.Uint64("seed", 1, "with -print: what chooses where the calls that matter and the fault are")
	bug := flags.Bool("bug", false, "with -print: the side with the bug")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("read the flags: %w", err)
	}
	if *name != "" {
		f, err := families.Named(*name)
		if err != nil {
			return err
		}
		p := f.Sized(*depth, *bug)
		p.Seed = *seed
		if *width > 0 {
			p.Width = *width
		}
		if *relevant > 0 {
			p.Relevant = *relevant
		}
		if *irrelevant >= 0 {
			p.Irrelevant = *irrelevant
		}
		return f.Write(out, p)
	}
	dir, err := os.MkdirTemp("", "hunting")
	if err != nil {
		return fmt.Errorf("make a folder for instances: %w", err)
	}
	defer os.RemoveAll(dir)
	if *hornbeam == "" {
		*hornbeam = filepath.Join(dir, "hornbeam")
		if text, err := exec.CommandContext(ctx, "go", "build", "-o", *hornbeam, "./cmd/hornbeam").CombinedOutput(); err != nil {
			return fmt.Errorf("build hornbeam: %w: %s", err, text)
		}
	}
	r, err := newRunner(*hornbeam, dir, *runs, l, *jobs)
	if err != nil {
		return err
	}
	defer r.close()
	m := &measurement{runner: r, jobs: *jobs, deepest: *deepest, progress: progress}
	chosen := families.All()
	if *only != "" {
		f, err := families.Named(*only)
		if err != nil {
			return err
		}
		depths, err := m.depths(ctx, []families.Family{f})
		if err != nil {
			return err
		}
		printDepths(out, depths)
		return nil
	}
	begin := time.Now()
	t, err := m.all(ctx, chosen)
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "measured in %s\n", time.Since(begin).Round(time.Second))
	text := t.markdown(l)
	if err := os.WriteFile(*results, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the tables: %w", err)
	}
	return nil
}
