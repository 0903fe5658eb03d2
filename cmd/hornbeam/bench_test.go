package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/experiments"
	record "hornbeam/bench/result"
)

// benchFolder has a list of tasks that are quick to decide, one of them mislabelled if that is asked for.
func benchFolder(t *testing.T, mislabelled bool) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "quick")
	require.NoError(t, os.Mkdir(folder, 0o755))
	var list strings.Builder
	for i, name := range []string{"mccarthy91", "loop-counter-bug", "even-odd"} {
		text, err := os.ReadFile("../../examples/" + name + ".smt2")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".smt2"), text, 0o644))
		verdict := "sat"
		if i == 1 != mislabelled && i == 1 {
			verdict = "unsat"
		}
		fmt.Fprintf(&list, "%s.smt2\t%s\tfamily%d\n", name, verdict, i%2)
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "verdicts.tsv"), []byte(list.String()), 0o644))
	return folder
}

// benchProcess runs the command in a process of its own.
func benchProcess(t *testing.T, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	cmd := exec.Command(binary, append([]string{"bench"}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run()
	return result{cmd.ProcessState.ExitCode(), out.String(), err.String()}
}

func TestBenchRunsEnginesAndGoesOn(t *testing.T) {
	t.Parallel()
	folder, results := benchFolder(t, false), filepath.Join(t.TempDir(), "r.jsonl")
	run := []string{"run", folder, "--tool", "hornbeam", "--tool", "prover=hornbeam:spacer --option spacer.strength=weak", "--wall", "30", "--cgroup", "none", "--results", results}
	first := benchProcess(t, append(run, "--name", "mc,loop", "--tool", "golem-of-nowhere=golem", "--tools", missingTools(t))...)
	require.Equal(t, exitOK, first.code, first.err)
	require.Contains(t, first.err, "missing, and not run: golem-of-nowhere")
	require.Contains(t, first.out, "missing: golem-of-nowhere")
	second := benchProcess(t, run...)
	require.Equal(t, exitOK, second.code, second.err)
	require.Contains(t, second.err, "4 runs are in the results already")
	require.Contains(t, second.err, "; 2/2, 0s left; ")
	runs, err := record.ReadAll(results)
	require.NoError(t, err)
	require.Len(t, runs, 6)
	for _, r := range runs {
		require.True(t, r.Solved(), "%+v", r)
		require.Equal(t, version, r.Version)
		require.Equal(t, "quick", r.Track)
		if r.Tool == "prover" {
			require.Equal(t, []string{"solve", "--engine", "spacer", "--option", "spacer.strength=weak", "{file}"}, r.Options)
		}
	}
	sessions, err := record.ReadSessions(results)
	require.NoError(t, err)
	require.Len(t, sessions, 2)
	require.Equal(t, []string{"golem-of-nowhere"}, sessions[0].Missing)
	require.Equal(t, []int{2, 4}, []int{sessions[1].Made, sessions[1].Skipped})
}

// missingTools defines a golem that is nowhere.
func missingTools(t *testing.T) string {
	return tempFile(t, "tools.yml", "golem: {command: [no-such-golem, \"{file}\"], reads: [smt2]}\n")
}

func TestBenchSaysWrongVerdictsByItsExitCode(t *testing.T) {
	t.Parallel()
	r := benchProcess(t, "run", benchFolder(t, true), "--tool", "hornbeam", "--wall", "30", "--cgroup", "none", "--results", filepath.Join(t.TempDir(), "r.jsonl"))
	require.Equal(t, exitWrong, r.code)
	require.Contains(t, r.out, "Wrong verdicts")
	require.Contains(t, r.err, "WRONG: hornbeam on loop-counter-bug.smt2: unsat")
}

func TestBenchEndsCleanlyWhenInterrupted(t *testing.T) {
	t.Parallel()
	folder, results := benchFolder(t, false), filepath.Join(t.TempDir(), "r.jsonl")
	sleeper := tempFile(t, "tools.yml", "sleeper: {command: [sleep, \"{options}\", \"{file}\"], reads: [smt2]}\n")
	p := start(t, "bench", "run", folder, "--tool", "hornbeam", "--tool", "sleeper 1000", "--tools", sleeper, "--wall", "60", "--cgroup", "none", "--results", results)
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(results)
		return err == nil && len(text) > 0
	}, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	ended := p.finish(t)
	require.Equal(t, exitIncomplete, ended.code, ended.err)
	require.Contains(t, ended.err, "not all runs are made; the same command goes on")
	require.NotContains(t, ended.err, "panic")
	runs, err := record.ReadAll(results)
	require.NoError(t, err)
	require.NotEmpty(t, runs)
	sessions, err := record.ReadSessions(results)
	require.NoError(t, err)
	require.Contains(t, sessions[0].Failure, "interrupted")
}

func TestBenchLeavesAResultsFileToWhoIsWritingIt(t *testing.T) {
	t.Parallel()
	folder, results := benchFolder(t, false), filepath.Join(t.TempDir(), "r.jsonl")
	f, err := record.Append(results)
	require.NoError(t, err)
	r := benchProcess(t, "run", folder, "--tool", "hornbeam", "--results", results, "--cgroup", "none", "--quiet")
	require.Equal(t, exitUsage, r.code)
	r.oneErrorLine(t)
	require.Contains(t, r.err, "another benchmark is writing to it")
	require.NoFileExists(t, record.SessionsFile(results))
	require.NoError(t, f.Close())
}

func TestBenchMergesThePartsOfALocalJob(t *testing.T) {
	t.Parallel()
	folder, results := benchFolder(t, false), filepath.Join(t.TempDir(), "parts")
	job := call(t, "", "bench", "jobs", "local", "--shards", "2", "--folder", results, "--program", binary, "--", folder, "--tool", "hornbeam", "--wall", "30", "--cgroup", "none")
	require.Equal(t, exitOK, job.code, job.err)
	out, err := exec.Command("/bin/sh", "-c", job.out).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "3 runs in ")
	runs, err := record.ReadAll(filepath.Join(results, "results.jsonl"))
	require.NoError(t, err)
	var tasks []string
	for _, r := range runs {
		tasks = append(tasks, r.Task)
		require.FileExists(t, filepath.Join(results, filepath.FromSlash(r.Stdout)))
	}
	slices.Sort(tasks)
	require.Equal(t, []string{"even-odd.smt2", "loop-counter-bug.smt2", "mccarthy91.smt2"}, tasks)
}

func TestACompetitionReadsOneVerdict(t *testing.T) {
	t.Parallel()
	for name, verdict := range map[string]string{"even-odd": "sat", "loop-counter-bug": "unsat", "mccarthy91": "sat", "bv-parity-bug": "unsat", "list-length": "sat", "array-fill": "sat"} {
		for _, options := range [][]string{{"solve"}, {"solve", "--model"}} {
			r := call(t, "", append(options, filepath.Join("..", "..", "examples", name+".smt2"))...)
			// BenchExec has both streams in one.
			var verdicts []string
			for line := range strings.Lines(r.err + r.out) {
				line = strings.TrimSpace(line)
				if line == "sat" || line == "unsat" {
					verdicts = append(verdicts, line)
				}
				require.False(t, strings.HasPrefix(line, "(error "), line)
			}
			require.Equal(t, []string{verdict}, verdicts, name)
		}
	}
}

func TestAnExperimentIsMadeAndDescribed(t *testing.T) {
	t.Parallel()
	folder, out := benchFolder(t, false), filepath.Join(t.TempDir(), "out")
	experiment := tempFile(t, "mine.yml", `
title: A test
claim: It works.
lists: [{path: quick, names: [mc]}, {path: elsewhere, optional: true}]
families: [{name: loop, sizes: [1]}]
tools: ["a=hornbeam", "b=hornbeam:spacer"]
wall: 30s
repeat: 2
`)
	require.NoError(t, os.MkdirAll(out, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(out, "reading.md"), []byte("It does what it should.\n"), 0o644))
	r := benchProcess(t, "experiment", experiment, "--tasks", filepath.Dir(folder), "--out", out, "--cgroup", "none", "--quiet")
	require.Equal(t, exitOK, r.code, r.err)
	require.Contains(t, r.err, "elsewhere are not there")
	runs, err := record.ReadAll(filepath.Join(out, "results.jsonl"))
	require.NoError(t, err)
	require.Len(t, runs, 3*2*2, "the task, the family's two sides, two tools, two repeats")
	for _, r := range runs {
		require.Equal(t, "mine", r.Experiment)
		require.True(t, r.Solved(), "%+v", r)
	}
	// Tasks that are all filtered out are nothing to run, whatever lies in the current folder.
	none := tempFile(t, "none.yml", "title: x\nclaim: y\nlists: [{path: quick, names: [nothing-of-the-kind]}]\ntools: [hornbeam]\n")
	r = benchProcess(t, "experiment", none, "--tasks", filepath.Dir(folder), "--out", t.TempDir(), "--cgroup", "none", "--quiet")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "nothing to run")

	text, err := os.ReadFile(filepath.Join(out, "README.md"))
	require.NoError(t, err)
	for _, part := range []string{"# A test", "It works.", "| machine | ", "30 s wall", "without elsewhere", "| a | hornbeam (", "| b | hornbeam --engine spacer (", "## Reading\n\nIt does what it should.\n", "## Scores", "](cactus.svg)"} {
		require.Contains(t, string(text), part)
	}
	for _, name := range []string{"cactus.svg", "scatter-1-2.svg", "report.html"} {
		require.FileExists(t, filepath.Join(out, name))
	}
}

func TestEveryExperimentThatComesWithTheProgramCanBeMade(t *testing.T) {
	t.Parallel()
	list := call(t, "", "bench", "experiment")
	names, err := filepath.Glob("../../bench/experiments/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	require.Equal(t, len(names), strings.Count(list.out, "\n"))
	limit := regexp.MustCompile(`(?m)^(wall|cpu): .*$`)
	for i, file := range names {
		name := strings.TrimSuffix(filepath.Base(file), ".yml")
		require.Contains(t, list.out, name)
		// What is not decided in a moment need not be; the first is made by its name and with its own limits.
		experiment := name
		if i > 0 {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			experiment = tempFile(t, name+".yml", limit.ReplaceAllString(string(text), "$1: 1s"))
		}
		// One task that is quick to decide shows whether its tools, engines and options exist.
		tasks, out := t.TempDir(), filepath.Join(t.TempDir(), name)
		require.NoError(t, os.MkdirAll(filepath.Join(tasks, "examples", "c"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(tasks, "examples", "c", "quick.c"), []byte("// verdict: safe\nint main(void) {\n  return 0;\n}\n"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(tasks, "examples", "array-swap-heap.smt2"), []byte("; verdict: sat\n"+safe), 0o644))
		r := benchProcess(t, "experiment", experiment, "--tasks", tasks, "--out", out, "--sample", "1", "--seed", "1", "--cgroup", "none", "--quiet")
		require.Equal(t, exitOK, r.code, r.err)
		runs, err := record.ReadAll(filepath.Join(out, "results.jsonl"))
		require.NoError(t, err)
		for _, r := range runs {
			if strings.Contains(r.Detail, "executable file not found") {
				t.Logf("%s of %s was not tried: %s", r.Tool, name, r.Detail)
				continue
			}
			require.NotEqual(t, record.Error, r.Status, "%s: %s", r.Tool, r.Detail)
		}
	}
}

// All experiments share the time that there is, and leave one report with a section for each paper, whatever each of them got done.
func TestAllExperimentsWithinATime(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "all")
	r := benchProcess(t, "experiment", "all", "--within", "1ms", "--tasks", t.TempDir(), "--out", out, "--cgroup", "none", "--quiet")
	require.Equal(t, exitOK, r.code, r.err)
	page, err := os.ReadFile(filepath.Join(out, "papers.html"))
	require.NoError(t, err)
	papers, err := experiments.Papers()
	require.NoError(t, err)
	for _, p := range papers {
		require.Contains(t, string(page), ">"+html.EscapeString(p.Title)+" <span class=\"standing ")
		require.Contains(t, r.out, p.Title)
	}
	for _, name := range experiments.Names() {
		require.Contains(t, string(page), `<article id="`+name+`">`)
		require.Contains(t, r.err, "; "+name+": ")
	}
	require.Contains(t, string(page), "share of the time is used up")
	require.Contains(t, string(page), "<td class=\"text\">not made</td>")
	for _, args := range [][]string{{"all", "--within", "0s"}, {"loop", "--within", "3m"}} {
		r := call(t, "", append([]string{"bench", "experiment"}, args...)...)
		require.Equal(t, exitUsage, r.code, r.err)
		require.Contains(t, r.err, "--within")
	}
}

func TestWrongUsageOfBench(t *testing.T) {
	t.Parallel()
	folder := benchFolder(t, false)
	results := filepath.Join(t.TempDir(), "r.jsonl")
	for _, args := range [][]string{
		{"run"}, {"run", folder, "--frobnicate"}, {"run", folder, "--tool", "steam"}, {"run", folder, "--wall", "soon"}, {"run", folder, "--verdict", "maybe"},
		{"run", folder, "--shard", "3"}, {"run", folder, "--shard", "3/3"}, {"run", folder, "--name", "nothing-of-the-kind"}, {"run", folder, "--name", "[a"},
		{"frobnicate"}, {"merge"}, {"merge", "a"}, {"jobs", "slurm"}, {"jobs", "grid", "--", folder}, {"jobs", "kubernetes", "--", folder},
		{"experiment", "no-such"}, {"experiment", "a", "b"}, {"tools", "x"}, {"run", folder, "--tool", "golem", "--tools", missingTools(t)},
	} {
		if args[0] == "run" {
			args = append(args, "--results", results)
		}
		r := call(t, "", append([]string{"bench"}, args...)...)
		require.Equal(t, exitUsage, r.code, "%v: %s%s", args, r.out, r.err)
		r.oneErrorLine(t)
	}
	for _, args := range [][]string{
		{"run", filepath.Join(folder, "nowhere")}, {"run", t.TempDir()}, {"merge", results, "nowhere"},
		{"experiment", tempFile(t, "e.yml", "title: x\n")}, {"tools", "--tools", tempFile(t, "t.yml", "x: 1\n")},
	} {
		r := call(t, "", append([]string{"bench"}, args...)...)
		require.Equal(t, exitBadInput, r.code, "%v: %s%s", args, r.out, r.err)
	}
}

func TestBenchIsDocumented(t *testing.T) {
	t.Parallel()
	words := documented(t, "../../docs/bench.md")
	for _, o := range slices.Concat(benchOptions(), experimentOptions(), jobsOptions()) {
		require.True(t, words["--"+o.Name], "docs/bench.md lacks `--%s`", o.Name)
	}
	for _, flag := range benchLists() {
		require.True(t, words["--"+flag.Names()[0]], "docs/bench.md lacks `--%s`", flag.Names()[0])
	}
	fields := map[string]any{}
	line, err := json.Marshal(record.Run{Digest: "x", Property: "x", Track: "x", Family: "x", Expected: "x", Version: "x", Binary: "x",
		Options: []string{"x"}, Repeat: 1, Verdict: "x", Detail: "x", Stdout: "x", Stderr: "x", Cut: true, Counters: map[string]float64{"x": 1}, Experiment: "x"})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(line, &fields))
	for name := range fields {
		require.True(t, words[name], "docs/bench.md lacks `%s`", name)
	}
}
