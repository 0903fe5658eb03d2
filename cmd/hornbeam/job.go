package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/cmd/hornbeam/internal/events"
	"hornbeam/cmd/hornbeam/internal/sarif"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c/project"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// job is one call of a command that decides files.
type job struct {
	streams
	values        engine.Values
	engineOptions map[string]string
	log           *slog.Logger
	events        *events.File
	// solvers opens the solvers that engines and passes ask.
	solvers smt.Opener
	// repeats says that runs repeat: work is counted, not time.
	repeats bool
	// strategies are those of the command line, nil for the portfolio's own.
	strategies *portfolio.Table
	// traced says that a trace was asked for by a flag.
	traced bool
	// files are what the command works on, languages what each of them is in.
	files     []string
	languages map[string]engine.Languages
	// linked are the C files that are one program with another one, by the name of that, and stubs those of all programs.
	linked map[string][]string
	stubs  []string
	// database says how C files are compiled; nil if there is none.
	database *project.Database
	// findings are for --sarif.
	findings []sarif.Finding
}

// newJob reads the flags of a command that decides files: those of its table, and --option. A flag that has no effect on the
// files is refused. There is neither a job nor an error when the flags only asked which passes there are, which it has
// answered.
func newJob(c *cli.Context, s streams, v engine.Values, table []engine.Option, r reader) (*job, error) {
	if listsPasses(v) {
		return nil, s.passes()
	}
	own, err := readEngineOptions(c.StringSlice("option"))
	if err != nil {
		return nil, err
	}
	configured, err := settingsOf(c, table)
	if err != nil {
		return nil, err
	}
	if _, err := passesOf(v.Text("passes")); err != nil {
		return nil, err
	}
	engines, err := enginesOf(v.Text("engine"))
	if err != nil {
		return nil, err
	}
	if err := checkReaders(engines, own); err != nil {
		return nil, err
	}
	strategies, err := readStrategies(v)
	if err != nil {
		return nil, err
	}
	compiled, err := database(v)
	if err != nil {
		return nil, &coded{exitBadInput, err}
	}
	files, err := filesToDecide(c, compiled)
	if err != nil {
		return nil, err
	}
	lang := "auto"
	if r.reads != engine.Clauses {
		lang = v.Text("lang")
	}
	languages, err := r.languages(c, table, lang, files)
	if err != nil {
		return nil, err
	}
	j := &job{streams: s, values: v, strategies: strategies, files: files, languages: languages, traced: given(c, "trace")}
	if err := j.link(compiled); err != nil {
		return nil, err
	}
	if err := j.checkBlocks(); err != nil {
		return nil, err
	}
	if j.solvers, err = opener(v); err != nil {
		return nil, err
	}
	asked, name := v.Bool("deterministic"), v.Text("solver")
	j.repeats = asked && name == inProcess
	if asked && !j.repeats && given(c, "deterministic") {
		return nil, usageError("--deterministic counts the work of libz3, which --solver %s replaces", name)
	}
	if j.engineOptions, err = j.withEngineFlags(c, engines, own); err != nil {
		return nil, err
	}
	for name, value := range configured.Engines() {
		if _, given := j.engineOptions[name]; !given {
			j.engineOptions[name] = value
		}
	}
	return j, nil
}

// checkBlocks refuses a block operator that is for programs only, for Horn clauses, and one without effect on the passes.
func (j *job) checkBlocks() error {
	word := j.values.Text("blocks")
	err := passes.CheckBlocks(word)
	switch clauses := slices.ContainsFunc(j.files, func(f string) bool { return j.holds(f, engine.Clauses) }); {
	case err != nil && clauses:
		return usageError("--blocks: %w", err)
	case err != nil || word == passes.AutoBlocks:
		return nil
	}
	list := j.values.Text("passes")
	chosen, err := passesOf(list)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(chosen, func(p transform.Pass) bool { return p.Name == "inline" }) {
		return usageError("--blocks %s is about the pass inline, which --passes %s leaves out", word, list)
	}
	return nil
}

// holds reports whether a file is in one of the languages.
func (j *job) holds(file string, languages engine.Languages) bool {
	return j.languages[file]&languages != 0
}

// allHold reports whether all files are in the languages.
func (j *job) allHold(languages engine.Languages) bool {
	return !slices.ContainsFunc(j.files, func(f string) bool { return !j.holds(f, languages) })
}

// filesOf returns the files that a command is to work on, of which there must be one at least.
func filesOf(c *cli.Context) ([]string, error) {
	if !c.Args().Present() {
		return nil, usageError("%s needs a file, or - for standard input", c.Command.Name)
	}
	return c.Args().Slice(), nil
}

// severity orders the exit codes of several files: the last of those that occur is the command's.
var severity = []int{exitOK, exitInconclusive, exitBug, exitUsage, exitBadInput, exitInternal}

// worst is the end of a command that decided several files.
func worst(codes []int) error {
	code := slices.MaxFunc(codes, func(a, b int) int { return slices.Index(severity, a) - slices.Index(severity, b) })
	if code != exitOK {
		return &coded{code: code}
	}
	return nil
}

// open opens the log, the file of events and the profile; the option of the given name says where the events go. The
// caller calls stop.
func (j *job) open(option string) (stop func(), err error) {
	j.log = newLog(j.err, j.values.Text("log"))
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	if path := j.values.Text(option); path != "" {
		t, err := events.Create(path)
		if err != nil {
			return stop, usageError("open the file for the events: %w", err)
		}
		stops = append(stops, func() {
			if err := t.Close(); err != nil {
				j.err.comment("the trace is incomplete: %s", err)
			}
		})
		j.events = t
	}
	if path := j.values.Text("cpuprofile"); path != "" {
		s, err := events.Profile(path)
		if err != nil {
			return stop, usageError("open the profile: %w", err)
		}
		stops = append(stops, func() {
			if err := s(); err != nil {
				j.err.comment("the profile is incomplete: %s", err)
			}
		})
	}
	return stop, nil
}

// limited returns a context with the limits on time and memory. The caller calls stop.
func (j *job) limited(ctx context.Context) (limited context.Context, stop func()) {
	memory, _ := engine.ParseSize(j.values.Text("memory"))
	ctx, cancel := context.WithCancelCause(ctx)
	limited, end := portfolio.WithLimits(context.WithValue(ctx, cancelKey{}, cancel), j.values.Duration("timeout"), uint64(memory))
	return limited, func() {
		end()
		cancel(nil)
	}
}

// cancelKey is the key under which a context of limited has the function that cancels it.
type cancelKey struct{}

// limitedBy returns a context with the time limit that the script of the file sets itself, which counts from now on. When it
// is up, the whole context of limited is cancelled. The caller calls stop.
func limitedBy(ctx context.Context, file string, script *smtlib.Script) (limited context.Context, stop func()) {
	if script.Timeout <= 0 {
		return ctx, func() {}
	}
	cause := fmt.Errorf("the time limit of %s that %s sets is up", script.Timeout, file)
	limited, end := context.WithTimeoutCause(ctx, script.Timeout, cause)
	cancel, _ := ctx.Value(cancelKey{}).(context.CancelCauseFunc)
	timer := time.AfterFunc(script.Timeout, func() { cancel(cause) })
	return limited, func() {
		timer.Stop()
		end()
	}
}

// each decides the files one after the other and returns their exit codes.
func (j *job) each(ctx context.Context, files []string, one func(ctx context.Context, file string) int) []int {
	var codes []int
	for _, f := range files {
		if len(files) > 1 {
			j.err.comment("file %s", f)
		}
		codes = append(codes, one(ctx, f))
	}
	return codes
}

// writeSARIF writes the findings where that was asked for. A file that cannot be written is said on standard error: no verdict
// depends on it.
func (j *job) writeSARIF() {
	path := j.values.Text("sarif")
	if path == "" {
		return
	}
	var b bytes.Buffer
	inC := func(file string) bool {
		language, known := extensions[filepath.Ext(file)]
		return language == engine.C || !known && j.values.Text("lang") == "c"
	}
	err := sarif.Write(&b, version, j.findings, sarif.CodePoints(inC))
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o666)
	}
	if err != nil {
		j.err.comment("--sarif %s is not written: %s", path, err)
	}
}

// read reads a file. Without a script there is nothing to decide: the answer says why, or the error is one of the input.
func (j *job) read(ctx context.Context, file string, stats *engine.Stats) (*smtlib.Script, engine.Answer, error) {
	start := time.Now()
	script, err := readScript(file, j.in)
	stats.AddTime("time.read", time.Since(start))
	switch {
	case errors.Is(err, smtlib.ErrUnsupported):
		return nil, engine.Answer{Reason: engine.OneLine(err.Error())}, nil
	case err != nil:
		return nil, engine.Answer{}, err
	case ctx.Err() != nil:
		return nil, engine.Answer{Reason: portfolio.EndReason(ctx) + " while reading"}, nil
	}
	j.log.Info("read", "file", file, "predicates", len(script.Declared), "clauses", len(script.System.Clauses), "linear", script.System.Linear())
	return script, engine.Answer{}, nil
}

// mishap is the answer when a computation was left behind or panicked. Any other error is one of the input, which it
// returns.
func (j *job) mishap(ctx context.Context, err error) (engine.Answer, error) {
	var broken *bounded.Crash
	switch {
	case errors.Is(err, bounded.ErrLeftBehind):
		if j.log.Enabled(ctx, slog.LevelDebug) {
			j.log.Debug("left behind", "stacks", allStacks())
		}
		return engine.Answer{Reason: portfolio.EndReason(ctx) + "; " + err.Error()}, nil
	case errors.As(err, &broken):
		j.log.Error("panic", "value", broken.Value, "stack", string(broken.Stack))
		return engine.Answer{Reason: "internal error: " + broken.Error(), Internal: true}, nil
	}
	return engine.Answer{}, err
}

// unprinted is the exit code when an answer could not be printed. That standard output failed is reported by run.
func (j *job) unprinted(err error) int {
	var unwritten *outputError
	if errors.As(err, &unwritten) {
		return exitUsage
	}
	j.err.comment("print the answer: %s", err)
	return exitInternal
}

// request is what the portfolio is asked about a script.
func (j *job) request(script *smtlib.Script, stats *engine.Stats) portfolio.Request {
	req := j.solver(stats)
	req.System, req.Blocks = script.System, j.values.Text("blocks")
	if j.values.Bool("model") || j.values.Bool("json") {
		req.Simplify = j.values.Duration("simplify")
	}
	return req
}

// solver says how clauses are decided.
func (j *job) solver(stats *engine.Stats) portfolio.Request {
	req := portfolio.Request{
		Engine: j.values.Text("engine"), Strategies: j.strategies, Seed: uint64(j.values.Int("seed")), Deterministic: j.repeats,
		Check: j.values.Bool("check"), Open: j.solvers, CheckOpen: z3.Open, Options: j.engineOptions, Log: j.log, Stats: stats,
	}
	if p := j.values.Text("passes"); p != "default" {
		req.Passes = strings.Split(p, ",")
	}
	if j.events != nil {
		req.Events = j.events
	}
	return req
}

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
