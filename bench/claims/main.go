// Command claims tries the claims of "Compositional Verification of Procedural Programs using Horn Clauses over Integers
// and Arrays" on folders of Horn tasks: what array projection, privileged array equalities, must summaries and the
// modularity of clauses that are not inlined buy. It prints a Markdown table for each folder.
//
//	go run ./bench/claims [-hornbeam FILE] [-limit SECONDS] FOLDER...
//
// A folder has Horn files and verdicts.tsv, a line each with the file's name and the expected verdict.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// variant is one way to run the prover.
type variant struct {
	name    string
	options []string
}

// variants are the prover as it is, and without one idea or another. The portfolio's other lanes stay out.
var variants = []variant{
	{"all on", []string{"--engine", "spacer"}},
	{"no array projection", []string{"--engine", "spacer", "--option", "spacer.array-projection=false"}},
	{"no privileged equalities", []string{"--engine", "spacer", "--option", "spacer.array-equalities=off"}},
	{"equalities in obligations too", []string{"--engine", "spacer", "--option", "spacer.array-equalities=both"}},
	{"gpdr", []string{"--engine", "gpdr"}},
	{"not inlined", []string{"--engine", "spacer", "--passes", "-inline"}},
	{"not inlined, no array projection", []string{"--engine", "spacer", "--passes", "-inline", "--option", "spacer.array-projection=false"}},
	{"not inlined, no privileged equalities", []string{"--engine", "spacer", "--passes", "-inline", "--option", "spacer.array-equalities=off"}},
	{"not inlined, gpdr", []string{"--engine", "gpdr", "--passes", "-inline"}},
}

// task is a file with the verdict that it is known to have.
type task struct{ file, expected string }

// outcome is what a run came to; seconds are of CPU, the process's own and its children's.
type outcome struct {
	verdict string
	seconds float64
}

func main() {
	hornbeam := flag.String("hornbeam", "./hornbeam", "the program to run")
	limit := flag.Int("limit", 10, "seconds of wall time a task")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	for _, folder := range flag.Args() {
		if err := claims(context.Background(), os.Stdout, *hornbeam, folder, *limit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// claims runs every variant on every task of the folder and prints the table.
func claims(ctx context.Context, out io.Writer, hornbeam, folder string, limit int) error {
	tasks, err := readTasks(filepath.Join(folder, "verdicts.tsv"))
	if err != nil {
		return err
	}
	results := make([][]outcome, len(variants))
	for i, v := range variants {
		for _, t := range tasks {
			o, err := run(ctx, hornbeam, filepath.Join(folder, t.file), v.options, limit)
			if err != nil {
				return err
			}
			results[i] = append(results[i], o)
		}
	}
	printTable(out, filepath.Base(folder), tasks, results, limit)
	return nil
}

func readTasks(list string) ([]task, error) {
	f, err := os.Open(list)
	if err != nil {
		return nil, fmt.Errorf("read the list of tasks: %w", err)
	}
	defer f.Close()
	var tasks []task
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "#") || len(fields) < 2 {
			continue
		}
		tasks = append(tasks, task{fields[0], fields[1]})
	}
	return tasks, lines.Err()
}

// run runs hornbeam once. An exit code is no error here: the verdict says what there is to say.
func run(ctx context.Context, hornbeam, file string, options []string, limit int) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(limit+5)*time.Second)
	defer cancel()
	args := append([]string{"solve", "--timeout", fmt.Sprintf("%ds", limit)}, options...)
	cmd := exec.CommandContext(ctx, hornbeam, append(args, file)...)
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, fmt.Errorf("run hornbeam: %w", err)
	}
	verdict, _, _ := strings.Cut(string(text), "\n")
	return outcome{verdict, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}, nil
}

// printTable prints, for each variant, the tasks solved, those solved by it and not by the first and the reverse, and the
// CPU times of both on the tasks that both solve.
func printTable(out io.Writer, name string, tasks []task, results [][]outcome, limit int) {
	fmt.Fprintf(out, "### %s: %d tasks, %d s\n\n| variant | solved | sat | unsat | wrong | gained | lost | CPU on what both solve | the first's |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", name, len(tasks), limit)
	for i, v := range variants {
		count := map[string]int{}
		var gained, lost, wrong int
		var own, first float64
		for k, t := range tasks {
			mine, base := results[i][k], results[0][k]
			solved, solvedFirst := mine.verdict == t.expected, base.verdict == t.expected
			if solved {
				count[t.expected]++
			}
			if (mine.verdict == "sat" || mine.verdict == "unsat") && !solved {
				wrong++
			}
			switch {
			case solved && solvedFirst:
				own += mine.seconds
				first += base.seconds
			case solved:
				gained++
			case solvedFirst:
				lost++
			}
		}
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %d | %.1f s | %.1f s |\n", v.name, count["sat"]+count["unsat"], count["sat"], count["unsat"],
			wrong, gained, lost, own, first)
	}
	fmt.Fprintln(out)
}
