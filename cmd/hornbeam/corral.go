package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/verify"
)

func corralCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "corral",
		Usage: "hunt in a Boogie program with the flags that Corral has (/main:NAME /recursionBound:N /timeLimit:SECONDS " +
			"/flags:FILE …) and the lines that it ends with; the exit code is 0 for every verdict",
		ArgsUsage:       "FILE.bpl [/FLAG...]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			args := slices.DeleteFunc(c.Args().Slice(), func(a string) bool { return a == "--" })
			if slices.Contains(args, "--help") {
				return cli.ShowSubcommandHelp(c)
			}
			fmt.Fprintf(s.out, "Corral program verifier version %s (Hornbeam in place of Corral)\n", version)
			flags, err := readCorralFlags(args)
			if err != nil {
				fmt.Fprintf(s.out, "\nUsage error: %s\n", oneLine(err.Error()))
				return err
			}
			return (&corral{corralFlags: flags, streams: s}).run(c.Context)
		},
	}
}

// extraLoopTime is how long loops are followed past the recursion bound when /maxStaticLoopBound allows it.
const extraLoopTime = 10 * time.Second

// corral is one call of the command.
type corral struct {
	*corralFlags
	streams
	// skipped are the assertions that are taken for granted, since a bug at them was shown.
	skipped map[chc.Position]bool
	// tracked are the variables that Corral would name as tracked, inlined the calls that were.
	tracked []string
	inlined int
	mu      sync.Mutex
}

// run hunts for as many bugs as are asked for and prints what Corral would.
func (c *corral) run(ctx context.Context) error {
	start := time.Now()
	ctx, stop := portfolio.WithLimits(ctx, c.limit, c.memory)
	defer stop()
	if !c.bounded {
		fmt.Fprintln(c.out, "Warning: Using default recursion bound of 1")
	}
	fmt.Fprintln(c.out, "Single threaded program detected")
	c.skipped = map[chc.Position]bool{}
	bugs := 0
	status, solving := "OK", time.Duration(0)
	var broken error
	for bugs < c.traces {
		o, err := c.hunt(ctx)
		if err != nil {
			return err
		}
		solving += o.solving
		if o.result.Internal {
			broken = &coded{exitInternal, errors.New(o.result.Reason)}
		}
		if o.result.Verdict != engine.Unsat {
			if bugs == 0 {
				status = c.printWithout(o)
			}
			break
		}
		status = "NOK"
		c.printBug(o, bugs)
		bugs++
		last := o.result.Trace.Failure()
		if findAssert(o.program, last.Pos) == nil {
			break
		}
		c.skipped[last.Pos] = true
	}
	c.printTimes(status, bugs > 0, solving, time.Since(start))
	if broken == nil && status == "" {
		return &coded{code: exitUsage}
	}
	return broken
}

// corralOutcome is what one hunt found out.
type corralOutcome struct {
	result *verify.Result
	// explored is the number of turns that loops were followed for, late whether the time was over.
	explored int
	late     bool
	// program is the tree, solving the time that the hunt took.
	program *ast.Program
	solving time.Duration
}

// hunt hunts for one bug: up to the recursion bound, and then with the turns that /maxStaticLoopBound allows.
func (c *corral) hunt(ctx context.Context) (corralOutcome, error) {
	o, err := c.huntTo(ctx, c.bound)
	if err != nil || o.result.Verdict != engine.Unknown || o.late || o.explored <= c.bound || c.loops <= c.bound {
		return o, err
	}
	more, stop := context.WithTimeout(ctx, extraLoopTime)
	defer stop()
	further, err := c.huntTo(more, c.loops)
	if err == nil && further.result.Verdict == engine.Unknown {
		further = o
	}
	return further, err
}

func (c *corral) huntTo(ctx context.Context, bound int) (corralOutcome, error) {
	values, err := engine.NewValues(huntOptions(), map[string]string{"main": c.main, "trace": "none"})
	if err != nil {
		return corralOutcome{}, err
	}
	// A loop that turns N times comes to its head once more.
	own := map[string]string{"inline.bound": strconv.Itoa(bound + 1)}
	j := &job{
		streams: c.streams, values: values, engineOptions: own, log: newLog(c.err, values.Text("log")),
		languages: map[string]engine.Languages{c.file: engine.Boogie},
	}
	p := &programJob{job: j, file: c.file, stats: engine.NewStats()}
	stopBounds := c.printBounds(p.stats)
	start := time.Now()
	o, err := bounded(ctx, func() (corralOutcome, error) { return c.decide(ctx, p) })
	solving := time.Since(start)
	stopBounds()
	if err != nil {
		var broken *crash
		if !errors.Is(err, errLeftBehind) && !errors.As(err, &broken) {
			fmt.Fprintf(c.out, "\nError, Invalid input: %s\n", oneLine(err.Error()))
			return corralOutcome{}, &coded{code: p.reportError(c.file, err)}
		}
		o.result = &verify.Result{}
		if o.result.Answer, err = p.mishap(ctx, err); err != nil {
			return corralOutcome{}, &coded{code: exitBadInput}
		}
	}
	c.inlined += int(p.stats.Get("inline.instances"))
	o.explored, o.late, o.solving = int(p.stats.Get("inline.explored")), ctx.Err() != nil, solving
	return o, nil
}

// decide hunts in the program without the assertions that are taken for granted.
func (c *corral) decide(ctx context.Context, p *programJob) (corralOutcome, error) {
	if err := p.read(); err != nil {
		return corralOutcome{}, err
	}
	p.request.Options.Trace = true
	b, err := verify.ReadBoogie(ctx, p.request)
	if err == nil {
		c.takeForGranted(b.Tree)
		err = b.Encode(ctx)
	}
	if err != nil {
		r, err := verify.Unread(ctx, err)
		return corralOutcome{result: r}, err
	}
	c.printTracked(b.Encoding.Program)
	r, err := b.Decide(ctx)
	return corralOutcome{result: r, program: b.Encoding.Program}, err
}

// implementations are those of all procedures.
func implementations(tree *ast.Program) iter.Seq[*ast.Implementation] {
	return func(yield func(*ast.Implementation) bool) {
		for _, p := range tree.Procedures {
			for _, i := range p.Implementations {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// takeForGranted turns assertions that have been reported, or that are not to be checked, into assumptions.
func (c *corral) takeForGranted(tree *ast.Program) {
	if len(c.skipped) == 0 && len(c.ignored) == 0 {
		return
	}
	for i := range implementations(tree) {
		ignored := slices.Contains(c.ignored, i.Procedure.Name)
		editStatements(i.Body.Stmts, func(s ast.Stmt) ast.Stmt {
			if a, ok := s.(*ast.Assert); ok && (ignored || c.skipped[a.Pos]) {
				return &ast.Assume{Pos: a.Pos, Attributes: a.Attributes, Cond: a.Cond}
			}
			return s
		})
	}
}

// editStatements replaces statements, those inside others included.
func editStatements(stmts []ast.Stmt, edit func(ast.Stmt) ast.Stmt) {
	for i, s := range stmts {
		switch s := s.(type) {
		case *ast.If:
			editStatements(s.Then, edit)
			editStatements(s.Else, edit)
		case *ast.While:
			editStatements(s.Body, edit)
		}
		stmts[i] = edit(s)
	}
}

// findAssert is the assertion at a position, nil when there is none.
func findAssert(tree *ast.Program, pos chc.Position) *ast.Assert {
	var found *ast.Assert
	for i := range implementations(tree) {
		ast.WalkStatements(i.Body.Stmts, func(s ast.Stmt) bool {
			if a, ok := s.(*ast.Assert); ok && a.Pos == pos {
				found = a
			}
			return found == nil
		}, func(ast.Expr) bool { return false })
	}
	return found
}

// printBug prints the bug that was found and its trace; nth counts the bugs before it.
func (c *corral) printBug(o corralOutcome, nth int) {
	fmt.Fprint(c.out, "Program has a potential bug: True bug\n")
	t := newCorralTrace(o.program, o.result.Trace, c.corralFlags)
	fmt.Fprint(c.out, t.failure())
	if c.noTrace {
		return
	}
	fmt.Fprint(c.out, t.console())
	if c.noTraceOnDisk {
		return
	}
	name := "corral_out"
	if c.traces > 1 {
		name += strconv.Itoa(nth)
	}
	if err := t.write(name + "_trace.txt"); err != nil {
		c.err.comment("%s", err)
	}
}

// printWithout prints the end of a hunt that found nothing, and returns the status that goes with it: none when Corral
// would have stopped with an error.
func (c *corral) printWithout(o corralOutcome) string {
	switch {
	case o.result.Verdict == engine.Sat:
		fmt.Fprint(c.out, "Program has no bugs\n")
		return "OK"
	case o.late:
		fmt.Fprintf(c.out, "\nCorral timed out: no bug up to recursion bound %d\n", max(o.explored-1, 0))
		return ""
	case o.explored > c.bound:
		fmt.Fprintf(c.out, "Program has no bugs\nReached recursion bound of %d\n", c.bound)
		return "ReachedBound"
	}
	fmt.Fprintf(c.out, "Inconclusive result: %s\n", oneLine(o.result.Reason))
	return "Inconclusive"
}

// printTimes prints the last lines.
func (c *corral) printTimes(status string, bug bool, solving, total time.Duration) {
	if c.onlyInline && status != "" {
		// With /si, Corral has other words for the verdict, beside which the usual ones stand.
		word := "No bugs found"
		if bug {
			word = "Program has bugs"
		}
		fmt.Fprintf(c.out, "\nReturn status: %s\n%s\n", status, word)
	} else if status != "" {
		fmt.Fprintf(c.out, "\nReturn status: %s\n", status)
	}
	fmt.Fprintf(c.out, "\nBoogie verification time: %.2f s\n", solving.Seconds())
	fmt.Fprintf(c.out, "Number of procedures inlined: %d\n", c.inlined)
	fmt.Fprintf(c.out, "Number of variables tracked: %d\n", len(c.tracked))
	fmt.Fprintf(c.out, "Total Time: %.2f s\n", total.Seconds())
}

// printTracked says which variables are tracked: all that the entry reaches.
func (c *corral) printTracked(tree *ast.Program) {
	c.tracked = []string{"assertsPassed"}
	for _, g := range tree.Globals {
		if g.Name != "assertsPassed" {
			c.tracked = append(c.tracked, g.Name)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.out, "Verifying program while tracking: {%s}\n", strings.Join(c.tracked, ", "))
}

// printBounds prints with /v:1 each recursion bound that was explored, as soon as it was; the caller calls stop.
func (c *corral) printBounds(stats *engine.Stats) (stop func()) {
	if c.verbose < 1 {
		return func() {}
	}
	printed := 0
	print := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for ; printed < int(stats.Get("inline.explored"))-1; printed++ {
			fmt.Fprintf(c.out, "SI: Exhausted recursion bound of %d\n", printed+1)
		}
	}
	done := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				print()
			}
		}
	})
	return func() {
		close(done)
		ticking.Wait()
		print()
	}
}
