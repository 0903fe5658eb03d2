package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/witness/calltree"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

// The exit codes of hunt beside those of every command.
const (
	exitInconclusive = 5
	exitBug          = 10
)

// huntOptions is the table of hunt's options.
func huntOptions() []engine.Option {
	table := []engine.Option{
		langOption(),
		{Name: "bound", Kind: "int", Default: "500", Doc: "the largest recursion bound: how often a predicate may occur on the way from the query to a call; 0 lets it rise for ever"},
		{Name: "all", Kind: "bool", Default: "false", Languages: engine.Clauses | engine.Boogie | engine.C, Doc: "go on after the first bug: find every query that fails, and say of each of the others whether it holds, or up to which bound; of a program every check, as verify does"},
		{Name: "full", Kind: "bool", Default: "false", Doc: "show all of a trace: long chains unfolded, values and deep trees uncut"},
		{Name: "engine", Kind: "string", Default: "inline", Doc: "who hunts: " + strings.Join(readers("inline.bound"), ", ") + ", or several engines side by side, separated by commas, of which one of these hunts, as in inline,houdini"},
	}
	for _, o := range slices.Concat(traceOptions(), new(verify.Options).HuntTable(), unitOptions(), reportOptions()) {
		if o.Name == "trace" {
			o.Doc = "how a bug is shown: the tree of calls, or the run of a program, as text or as one line of JSON, a program's run as a page with the source beside it (html), a Boogie program's as a program without branches and calls (boogie), or nothing but the verdict"
		}
		if o.Name == "blocks" {
			o.Doc += "; of Horn clauses, which predicates are kept, as for solve"
			o.Languages = 0
		}
		table = append(table, o)
	}
	own := map[string]string{
		"proof": "print the refutation after unsat, as ground steps, instead of the trace",
		"json":  "print one object of JSON instead of everything else, with verdict, reason, bound, trace, witness and statistics, for bad input too; see docs/json.md",
	}
	for _, o := range solveOptions() {
		if doc, ok := own[o.Name]; ok {
			o.Doc = doc
		}
		switch o.Name {
		case "strategies":
			continue // they are the portfolio's, and a hunt has one engine
		case "trace":
			o.Name = "events"
		case "model", "proof", "proof-format", "simplify":
			o.Languages = engine.Clauses
		}
		if !slices.ContainsFunc(table, func(h engine.Option) bool { return h.Name == o.Name }) {
			table = append(table, o)
		}
	}
	return table
}

func huntCommand(s streams) *cli.Command {
	return decidingCommand(s, "look for bugs: the query or assertion that fails, with its calls",
		"The verdict is unsat with a trace (exit code 10), sat when there is no bug at any recursion bound (0), or unknown with the bound that was reached (5); of programs unsafe, safe or unknown.",
		huntOptions(), reader{command: "hunt", reads: engine.Clauses | engine.Programs, input: engine.Clauses}, func(c *cli.Context, j *job) error {
			own, v := j.engineOptions, j.values
			if hunters := readers("inline.bound"); !slices.ContainsFunc(strings.Split(v.Text("engine"), ","), func(e string) bool { return slices.Contains(hunters, e) }) {
				return usageError("--engine %s: nobody of them hunts up to a bound, as %s do", v.Text("engine"), strings.Join(hunters, ", "))
			}
			if _, given := own["inline.bound"]; !given {
				own["inline.bound"] = v.Text("bound")
			}
			if v.Bool("all") && (v.Bool("model") || v.Bool("proof")) {
				return usageError("--model and --proof print one witness; with --all, --json has that of each query")
			}
			if err := checkTraceOptions(c, v, j.files); err != nil {
				return err
			}
			if err := checkCFlags(v, j.files); err != nil {
				return err
			}
			if err := checkOutputs(v, j.files, len(j.linked) > 0); err != nil {
				return err
			}
			if err := j.checkTraceForm(); err != nil {
				return err
			}
			return (&huntJob{*j}).all(c.Context, j.files)
		})
}

// huntJob is one call of the hunt command.
type huntJob struct{ job }

func (j *huntJob) all(ctx context.Context, files []string) error {
	stop, err := j.open("events")
	defer stop()
	if err != nil {
		return err
	}
	codes := j.each(ctx, files, j.one)
	j.writeSARIF()
	return worst(codes)
}

// bound is the largest recursion bound, 0 for none.
func (j *huntJob) bound() int {
	v, _ := engine.NewValues(portfolio.Settings(), j.engineOptions)
	return v.Int("inline.bound")
}

// hunt is the hunt in one file.
type hunt struct {
	*huntJob
	file  string
	stats *engine.Stats
	// script is what was read, known before there are queries or an outcome.
	script *smtlib.Script

	mu sync.Mutex
	// queries are hunted one by one with --all; nil before the file is read, and without --all.
	queries *verify.Queries
	// printed says that the verdict is, ended that nothing more is to be printed.
	printed, ended bool
	// failure is the first error of writing to standard output.
	failure error
}

// huntOutcome is the outcome of a hunt without --all.
type huntOutcome struct {
	outcome
	// trace is the trace as it is printed, tree the trace for --json.
	trace string
	tree  *calltree.Document
}

func unanswered(a engine.Answer) huntOutcome { return huntOutcome{outcome: outcome{Answer: a}} }

// one hunts in one file and returns its exit code.
func (j *huntJob) one(ctx context.Context, file string) int {
	if j.holds(file, engine.Programs) {
		return j.inProgram(ctx, file)
	}
	start := time.Now()
	h := &hunt{huntJob: j, file: file, stats: engine.NewStats()}
	ctx, stop := j.limited(ctx)
	defer stop()
	stopProgress := j.progress(ctx, h.stats, start, h.describe)
	o, err := bounded.Run(ctx, func() (huntOutcome, error) { return h.run(ctx) })
	stopProgress()
	h.stats.AddTime("time.total", time.Since(start))
	if err != nil {
		if o.Answer, err = j.mishap(ctx, err); err != nil {
			return j.badInput(file, err, h.stats)
		}
	}
	code, err := h.conclude(ctx, o)
	if err != nil {
		return j.unprinted(err)
	}
	return code
}

// inProgram hunts in one Boogie program and returns its exit code.
func (j *huntJob) inProgram(ctx context.Context, file string) int {
	h := &hunt{huntJob: j}
	return j.program(ctx, file, func(stats *engine.Stats) string {
		h.stats = stats
		return h.describe()
	}, h.reason)
}

// run reads the file and hunts. With --all the outcome is empty, and the queries have the answers.
func (h *hunt) run(ctx context.Context) (huntOutcome, error) {
	script, stopped, err := h.read(ctx, h.file, h.stats)
	if script == nil {
		return unanswered(stopped), err
	}
	h.script = script
	ctx, stop := limitedBy(ctx, h.file, script)
	defer stop()
	req := h.request(script, h.stats)
	if h.values.Bool("all") {
		q := verify.NewQueries(req, h.bound(), h.settled)
		// Without queries there is still a model to be found.
		if len(q.Answers()) > 0 {
			h.mu.Lock()
			h.queries = q
			h.mu.Unlock()
			q.Run(ctx)
			return huntOutcome{}, nil
		}
	}
	o := huntOutcome{outcome: outcome{Answer: portfolio.Solve(ctx, req)}}
	h.log.Info("answered", "verdict", o.Verdict, "engine", o.Engine)
	if err := h.prepare(&o); err != nil {
		h.log.Error("internal error", "phase", "printing the answer", "error", err)
		return unanswered(engine.Answer{Engine: o.Engine, Reason: "internal error: " + engine.OneLine(err.Error()), Internal: true}), nil
	}
	return o, nil
}

// prepare makes what is to be printed of an answer.
func (h *hunt) prepare(o *huntOutcome) error {
	if h.values.Bool("json") {
		var err error
		if o.document, err = witnessJSON(h.script, o.Answer); err == nil && o.Verdict == engine.Unsat && h.values.Text("trace") != "none" {
			o.tree, err = h.document(o.Answer)
		}
		return err
	}
	if o.Verdict == engine.Sat && h.values.Bool("model") || o.Verdict == engine.Unsat && h.values.Bool("proof") {
		var err error
		if o.text, err = witnessText(h.script, o.Answer, h.values.Text("proof-format")); unprintable(err) {
			o.unprintable, err = err, nil
		}
		return err
	}
	if o.Verdict == engine.Unsat && h.values.Text("trace") != "none" {
		tree, err := calltree.New(h.script.System, o.Refutation)
		if err != nil {
			return err
		}
		o.trace = h.trace(tree)
	}
	return nil
}

// describe is the hunt's line of progress. With --all the bound is the least of the queries that are open.
func (h *hunt) describe() string {
	bound := int(h.stats.Get("inline.explored"))
	h.mu.Lock()
	q := h.queries
	h.mu.Unlock()
	queries := ""
	if q != nil {
		settled, failing := 0, 0
		var open []int
		answers := q.Answers()
		for _, a := range answers {
			if a.Settled {
				settled++
			} else {
				open = append(open, a.Bound)
			}
			if a.Verdict == engine.Unsat {
				failing++
			}
		}
		if len(open) > 0 {
			bound = slices.Min(open)
		}
		queries = fmt.Sprintf("%d/%d queries, %d failing  ", settled, len(answers), failing)
	}
	return fmt.Sprintf("%sno bug up to bound %d  inlined %d  open %d", queries, bound, h.stats.Get("inline.instances"), h.stats.Get("inline.open"))
}
