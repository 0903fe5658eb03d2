package decide

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// strategy is a way of deciding a program: a representation of its integers, and what a proof over that is worth.
type strategy struct {
	name string
	// after is how long the strategies before it keep the machine to themselves; it starts earlier when none of them is left, and
	// an exact one when there is a proof that it may free from its assumption.
	after time.Duration
	// lower changes the options of the lowering.
	lower func(*bits.Options)
	// unwind writes out all loops; the strategy ends where ranges do not bound them.
	unwind bool
	// defined says that a proof is one of the runs in which no signed operation overflows.
	defined bool
	// whenDefined says that the strategy starts when there is such a proof, to free it from its assumption.
	whenDefined bool
}

// The strategies of a program that may wrap around: unbounded signed integers cover the runs without overflow, and are all runs
// where the same is proved of every overflow; ranged integers and bit-vectors are exact. Few run at once: what engines infer within
// a second on a core of their own takes them many when four strategies share two.
var (
	unbounded = strategy{name: "unbounded", defined: true, lower: func(o *bits.Options) { o.Unbounded = true }}
	checked   = strategy{name: "checked", whenDefined: true, lower: func(o *bits.Options) { o.Unbounded, o.Checked = true, true }}
	ranged    = strategy{name: "ranged", after: 4 * time.Second, lower: func(*bits.Options) {}}
	unwound   = strategy{name: "unwound", unwind: true, lower: func(*bits.Options) {}}
	vectors   = strategy{name: "vectors", after: 8 * time.Second, lower: func(o *bits.Options) { o.Mode = bits.AllVectors }}
)

// A proof about runs without overflow waits for one about all runs, or for a bug, until definedShare has passed since the
// beginning, and at least for definedWait, in which it is tried to prove that nothing overflows.
const (
	definedShare = 5 * time.Second
	definedWait  = 2 * time.Second
)

// strategiesFor returns the strategies that decide a program with the options, in the order of their starts.
func strategiesFor(o Options) []strategy {
	all := []strategy{{name: "only", lower: func(*bits.Options) {}}}
	switch {
	case !o.Defined || o.Mode != bits.Ranged || o.Unbounded || o.Translate.EndAtOverflow:
	case o.Translate.Property == translate.NoOverflow:
		// Whatever overflows is an error.
		all = []strategy{{name: checked.name, lower: checked.lower}, ranged}
	default:
		all = []strategy{unbounded, ranged, checked}
	}
	if o.Vectors && o.Mode != bits.AllVectors && !o.Unbounded {
		all = slices.Insert(all, 1, unwound)
		all = append(all, vectors)
	}
	return all
}

// finished is a strategy that has come to its end.
type finished struct {
	strategy
	result *Result
	err    error
}

// race runs the strategies side by side until one of them has the answer.
type race struct {
	ctx     context.Context
	program *tree.Program
	options Options
	decide  Decider
	runs    interpret.Options

	waiting []strategy
	running int
	ended   chan finished
	// defined is a proof about the runs without overflow, first the first result that is no answer.
	defined, first *Result
	// failed is the first error of a strategy; it counts where no other has a result.
	failed error
	// overflow is where an overflow was found or is not excluded, for the assumption of defined.
	overflow []string
}

// sideBySide decides the program by several strategies at once.
func (r *Result) sideBySide(ctx context.Context, p *tree.Program, o Options, runs interpret.Options, decide Decider) error {
	all := strategiesFor(o)
	if len(all) == 1 {
		return r.prove(ctx, p, o, all[0], decide)
	}
	ctx, stop := context.WithCancel(ctx)
	c := &race{ctx: ctx, program: p, options: o, decide: decide, runs: runs, waiting: all, ended: make(chan finished, len(all))}
	answer, err := c.run()
	stop()
	for ; c.running > 0; c.running-- {
		<-c.ended
	}
	if answer != nil {
		*r = *answer
	}
	return err
}

// run starts the strategies and waits for the first that has an answer. The result is the best there is.
func (c *race) run() (*Result, error) {
	began := time.Now()
	var share <-chan time.Time
	for {
		c.startDue(time.Since(began))
		if c.running == 0 {
			if c.defined == nil && c.first == nil {
				return nil, c.failed
			}
			return c.best(), nil
		}
		var next <-chan time.Time
		if at, ok := c.nextStart(); ok {
			next = time.After(time.Until(began.Add(at)))
		}
		select {
		case f := <-c.ended:
			c.running--
			if f.err != nil {
				if c.failed == nil || f.name == ranged.name {
					c.failed = f.err
				}
			} else if c.settles(f) {
				return f.result, nil
			}
			if c.defined != nil && share == nil {
				share = time.After(c.share(time.Since(began)))
			}
		case <-share:
			return c.best(), nil
		case <-next:
		}
	}
}

// settles keeps what a strategy has found, and reports whether it is the answer.
func (c *race) settles(f finished) bool {
	r := f.result
	switch {
	case r.Verdict == Unsafe || r.Internal:
		return true
	case r.Verdict == Safe && (!f.defined || !r.overflows()):
		return true
	case r.Verdict == Safe:
		c.defined = r
		return false
	}
	if f.name == checked.name {
		c.overflow = r.unprovedOverflows()
	}
	if c.first == nil || f.name == ranged.name {
		c.first = r
	}
	return false
}

// share is how long a proof with an assumption waits that was found after a time: no longer than the time that there is.
func (c *race) share(after time.Duration) time.Duration {
	wait := max(definedShare-after, definedWait)
	if end, ok := c.ctx.Deadline(); ok {
		left := time.Until(end)
		return min(wait, left-left/20)
	}
	return wait
}

// best is the result when no strategy has the answer.
func (c *race) best() *Result {
	if c.defined == nil {
		return c.first
	}
	e := translate.NoSignedOverflow()
	e.Names = c.overflow
	if len(e.Names) == 0 {
		e.Names = c.defined.unprovedOverflows()
	}
	c.defined.Translation.Assumptions.Add(e)
	c.defined.definedOnly = true
	return c.defined
}

// nextStart is when the next strategy starts that waits for its time.
func (c *race) nextStart() (time.Duration, bool) {
	for _, s := range c.waiting {
		if !s.whenDefined {
			return s.after, true
		}
	}
	return 0, false
}

// startDue starts the strategies whose time has come, and the next one when none is running.
func (c *race) startDue(since time.Duration) {
	due := func(s strategy) bool {
		if c.defined != nil {
			return s.whenDefined || s.name == ranged.name || since >= s.after
		}
		return !s.whenDefined && (since >= s.after || c.running == 0)
	}
	for {
		i := slices.IndexFunc(c.waiting, due)
		if i < 0 {
			return
		}
		s := c.waiting[i]
		c.waiting = slices.Delete(c.waiting, i, i+1)
		c.running++
		go func() {
			r := &Result{}
			var err error
			if r.Runner, err = interpret.New(c.program, c.runs); err == nil {
				err = r.prove(c.ctx, c.program, c.options, s, c.decide)
			}
			c.ended <- finished{s, r, err}
		}()
	}
}

// overflows reports whether an operation of the last lowering was taken for one on unbounded integers that may leave its range.
func (r *Result) overflows() bool {
	n := len(r.Rounds)
	return n == 0 || len(r.Rounds[n-1].Lowered.MayOverflow) > 0
}

// unprovedOverflows are the places of the operations that may overflow as far as the last lowering tells, or the one at which a
// run does.
func (r *Result) unprovedOverflows() []string {
	n := len(r.Rounds)
	if n == 0 {
		return nil
	}
	if r.overflow.Line > 0 {
		return []string{r.overflow.String()}
	}
	var places []chc.Position
	for p := range r.Rounds[n-1].Lowered.MayOverflow {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b chc.Position) int {
		return strings.Compare(fmt.Sprintf("%s:%09d:%09d", a.File, a.Line, a.Column), fmt.Sprintf("%s:%09d:%09d", b.File, b.Line, b.Column))
	})
	var names []string
	for _, p := range places {
		names = append(names, p.String())
	}
	return names
}
