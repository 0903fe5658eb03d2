package corral

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

// extraLoopTime is how long loops are followed past the recursion bound when /maxStaticLoopBound allows it.
const extraLoopTime = 10 * time.Second

// Session is where a call prints, and who it is.
type Session struct {
	// Out is standard output. Comment writes a line to standard error.
	Out     io.Writer
	Comment func(format string, args ...any)
	Log     *slog.Logger
	// Version is Hornbeam's.
	Version string
}

// UsageError says what is wrong with the flags.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

func usageError(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Errors of calls that were printed. ErrInternal wraps a fault of Hornbeam's, and ErrStopped is the end where Corral would have
// stopped with an error.
var (
	ErrInternal = errors.New("internal error")
	ErrStopped  = errors.New("stopped")
)

// InputError is what is wrong with a program.
type InputError struct {
	File string
	Err  error
}

func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the program.
func (e *InputError) Unwrap() error { return e.Err }

// Run hunts as the arguments, those of Corral, say, and prints what Corral would. The error, which was printed to Out, is a
// *UsageError, an *InputError, or wraps ErrInternal or ErrStopped.
func Run(ctx context.Context, s Session, args []string) error {
	fmt.Fprintf(s.Out, "Corral program verifier version %s (Hornbeam in place of Corral)\n", s.Version)
	flags, err := readFlags(args)
	if err != nil {
		fmt.Fprintf(s.Out, "\nUsage error: %s\n", engine.OneLine(err.Error()))
		return err
	}
	return (&corral{flags: flags, Session: s}).run(ctx)
}

// corral is one call.
type corral struct {
	*flags
	Session
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
		fmt.Fprintln(c.Out, "Warning: Using default recursion bound of 1")
	}
	fmt.Fprintln(c.Out, "Single threaded program detected")
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
			broken = fmt.Errorf("%w: %s", ErrInternal, o.result.Reason)
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
		return ErrStopped
	}
	return broken
}

// outcome is what one hunt found out.
type outcome struct {
	result *verify.Result
	// explored is the number of turns that loops were followed for, late whether the time was over.
	explored int
	late     bool
	// program is the tree, solving the time that the hunt took.
	program *ast.Program
	solving time.Duration
}

// hunt hunts for one bug: up to the recursion bound, and then with the turns that /maxStaticLoopBound allows.
func (c *corral) hunt(ctx context.Context) (outcome, error) {
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

func (c *corral) huntTo(ctx context.Context, bound int) (outcome, error) {
	options, err := verify.NewOptions(map[string]string{"main": c.main, "runs": "0"})
	if err != nil {
		return outcome{}, err
	}
	options.Trace = true
	stats := engine.NewStats()
	req := verify.Request{File: c.file, Language: engine.Boogie, Options: options, Solver: portfolio.Request{
		// A loop that turns N times comes to its head once more.
		Engine: "inline", Options: map[string]string{"inline.bound": strconv.Itoa(bound + 1)}, Check: true, Log: c.Log, Stats: stats,
	}}
	stopBounds := c.printBounds(stats)
	start := time.Now()
	o, err := bounded.Run(ctx, func() (outcome, error) { return c.decide(ctx, req) })
	solving := time.Since(start)
	stopBounds()
	var broken *bounded.Crash
	switch {
	case errors.Is(err, bounded.ErrLeftBehind):
		o.result = &verify.Result{Answer: engine.Answer{Reason: portfolio.EndReason(ctx) + "; " + err.Error()}}
	case errors.As(err, &broken):
		c.Log.Error("panic", "value", broken.Value, "stack", string(broken.Stack))
		o.result = &verify.Result{Answer: engine.Answer{Reason: "internal error: " + broken.Error(), Internal: true}}
	case err != nil:
		fmt.Fprintf(c.Out, "\nError, Invalid input: %s\n", engine.OneLine(err.Error()))
		return outcome{}, &InputError{c.file, err}
	}
	c.inlined += int(stats.Get("inline.instances"))
	o.explored, o.late, o.solving = int(stats.Get("inline.explored")), ctx.Err() != nil, solving
	return o, nil
}

// decide hunts in the program without the assertions that are taken for granted.
func (c *corral) decide(ctx context.Context, req verify.Request) (outcome, error) {
	var err error
	if req.Source, err = os.ReadFile(c.file); err != nil {
		return outcome{}, err
	}
	b, err := verify.ReadBoogie(ctx, req)
	if err == nil {
		c.takeForGranted(b.Tree)
		err = b.Encode(ctx)
	}
	if err != nil {
		r, err := verify.Unread(ctx, err)
		return outcome{result: r}, err
	}
	c.printTracked(b.Encoding.Program)
	r, err := b.Decide(ctx)
	return outcome{result: r, program: b.Encoding.Program}, err
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
func (c *corral) printBug(o outcome, nth int) {
	fmt.Fprint(c.Out, "Program has a potential bug: True bug\n")
	t := newTrace(o.program, o.result.Trace, c.flags)
	fmt.Fprint(c.Out, t.failure())
	if c.noTrace {
		return
	}
	fmt.Fprint(c.Out, t.console())
	if c.noTraceOnDisk {
		return
	}
	name := "corral_out"
	if c.traces > 1 {
		name += strconv.Itoa(nth)
	}
	if err := t.write(name + "_trace.txt"); err != nil {
		c.Comment("%s", err)
	}
}

// printWithout prints the end of a hunt that found nothing, and returns the status that goes with it: none when Corral
// would have stopped with an error.
func (c *corral) printWithout(o outcome) string {
	switch {
	case o.result.Verdict == engine.Sat:
		fmt.Fprint(c.Out, "Program has no bugs\n")
		return "OK"
	case o.late:
		fmt.Fprintf(c.Out, "\nCorral timed out: no bug up to recursion bound %d\n", max(o.explored-1, 0))
		return ""
	case o.explored > c.bound:
		fmt.Fprintf(c.Out, "Program has no bugs\nReached recursion bound of %d\n", c.bound)
		return "ReachedBound"
	}
	fmt.Fprintf(c.Out, "Inconclusive result: %s\n", engine.OneLine(o.result.Reason))
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
		fmt.Fprintf(c.Out, "\nReturn status: %s\n%s\n", status, word)
	} else if status != "" {
		fmt.Fprintf(c.Out, "\nReturn status: %s\n", status)
	}
	fmt.Fprintf(c.Out, "\nBoogie verification time: %.2f s\n", solving.Seconds())
	fmt.Fprintf(c.Out, "Number of procedures inlined: %d\n", c.inlined)
	fmt.Fprintf(c.Out, "Number of variables tracked: %d\n", len(c.tracked))
	fmt.Fprintf(c.Out, "Total Time: %.2f s\n", total.Seconds())
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
	fmt.Fprintf(c.Out, "Verifying program while tracking: {%s}\n", strings.Join(c.tracked, ", "))
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
			fmt.Fprintf(c.Out, "SI: Exhausted recursion bound of %d\n", printed+1)
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
