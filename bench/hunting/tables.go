package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"hornbeam/bench/families"
)

// measurement is what is measured with a runner.
type measurement struct {
	*runner
	jobs, deepest int
	progress      io.Writer
	mu            sync.Mutex
}

// report are all tables.
type report struct {
	depths      []depthRow
	tracking    []trackingRow
	refinements []refinementRow
}

// engines are static and stratified inlining.
var engines = [...]string{"bmc", "inline"}

// reach is how deep an engine gets in a family.
type reach struct {
	// depth is the largest that is solved, seconds its time; failed is a depth at which it is not, 0 if there is none, and
	// reason says why not.
	depth   int
	seconds float64
	failed  int
	reason  string
	wrong   bool
}

// depthRow is one side of a family, measured with each of the engines.
type depthRow struct {
	family  families.Family
	bug     bool
	reached [len(engines)]reach
}

// trackingRow is one size of the lock protocol, on one side, solved with every variable tracked, and with those only that
// refinements ask for.
type trackingRow struct {
	parameters families.Parameters
	outcomes   [len(trackings)]outcome
}

var trackings = [...]string{"inline.track=all", "inline.track=none"}

// refinementRow is one size of the lock protocol, proved with each of the ways to find the variables that matter.
type refinementRow struct {
	parameters families.Parameters
	outcomes   [len(refinements)]outcome
}

var refinements = [...][]string{
	{"inline.refine=hierarchical"},
	{"inline.refine=hierarchical", "inline.refine-core=false"},
	{"inline.refine=program"},
	{"inline.refine=linear"},
}

// The depths at which variables are added.
const (
	trackingDepth   = 8
	refinementDepth = 4
)

// all measures everything.
func (m *measurement) all(ctx context.Context, chosen []families.Family) (*report, error) {
	var t report
	var err error
	if t.refinements, err = m.refinements(ctx); err != nil {
		return nil, err
	}
	if t.tracking, err = m.tracking(ctx); err != nil {
		return nil, err
	}
	if t.depths, err = m.depths(ctx, chosen); err != nil {
		return nil, err
	}
	return &t, nil
}

// each does n things, as many at a time as there are jobs, and says when each is done. It returns the first error in
// their order, after all have ended.
func (m *measurement) each(n int, what func(int) (string, error)) error {
	errs := make([]error, n)
	slots := make(chan struct{}, m.jobs)
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; all.Done() }()
			var done string
			if done, errs[i] = what(i); errs[i] == nil {
				m.mu.Lock()
				defer m.mu.Unlock()
				fmt.Fprintln(m.progress, done)
			}
		}()
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// depths measures how deep the engines get in families.
func (m *measurement) depths(ctx context.Context, chosen []families.Family) ([]depthRow, error) {
	var rows []depthRow
	for _, f := range chosen {
		rows = append(rows, depthRow{family: f}, depthRow{family: f, bug: true})
	}
	err := m.each(len(rows)*len(engines), func(i int) (string, error) {
		row, e := &rows[i/len(engines)], i%len(engines)
		var err error
		row.reached[e], err = m.reach(ctx, row.family, row.bug, engines[e])
		return fmt.Sprintf("%s, %s, %s: %s", row.family.Name, side(row.bug), engines[e], row.reached[e].cell(m.deepest)), err
	})
	return rows, err
}

func (m *measurement) reach(ctx context.Context, f families.Family, bug bool, engine string) (reach, error) {
	var r reach
	var err error
	outcomes := map[int]outcome{}
	r.depth, r.failed, err = largest(m.deepest, func(depth int) (bool, error) {
		o, err := m.run(ctx, f, f.Sized(depth, bug), "--engine", engine)
		outcomes[depth] = o
		r.wrong = r.wrong || o.wrong()
		return o.solved(), err
	})
	r.seconds, r.reason = outcomes[r.depth].Seconds, outcomes[r.failed].Reason
	return r, err
}

// tracking measures what variables cost that matter, and that don't, with and without variable abstraction.
func (m *measurement) tracking(ctx context.Context) ([]trackingRow, error) {
	var rows []trackingRow
	for _, bug := range []bool{false, true} {
		add := func(relevant, irrelevant int) {
			p := families.Locks().Sized(trackingDepth, bug)
			p.Relevant, p.Irrelevant = relevant, irrelevant
			rows = append(rows, trackingRow{parameters: p})
		}
		for _, irrelevant := range []int{8, 16, 32, 64, 128} {
			add(2, irrelevant)
		}
		for _, relevant := range []int{1, 4, 8} {
			add(relevant, 32)
		}
	}
	err := m.each(len(rows)*len(trackings), func(i int) (string, error) {
		row, k := &rows[i/len(trackings)], i%len(trackings)
		var err error
		row.outcomes[k], err = m.run(ctx, families.Locks(), row.parameters, "--engine", "inline", "--option", trackings[k])
		return fmt.Sprintf("%d relevant, %d irrelevant, %s, %s: %s", row.parameters.Relevant, row.parameters.Irrelevant,
			side(row.parameters.Bug), trackings[k], row.outcomes[k].seconds()), err
	})
	return rows, err
}

// refinements counts the checks of the refinements.
func (m *measurement) refinements(ctx context.Context) ([]refinementRow, error) {
	var rows []refinementRow
	for _, variables := range []int{16, 32, 64, 128} {
		for _, relevant := range []int{1, 2, 4} {
			p := families.Locks().Sized(refinementDepth, false)
			p.Relevant, p.Irrelevant = relevant, variables-relevant
			rows = append(rows, refinementRow{parameters: p})
		}
	}
	err := m.each(len(rows)*len(refinements), func(i int) (string, error) {
		row, k := &rows[i/len(refinements)], i%len(refinements)
		options := []string{"--engine", "inline", "--option", "inline.track=none"}
		for _, o := range refinements[k] {
			options = append(options, "--option", o)
		}
		var err error
		row.outcomes[k], err = m.run(ctx, families.Locks(), row.parameters, options...)
		return fmt.Sprintf("%d relevant, %d irrelevant, %s: %s checks", row.parameters.Relevant, row.parameters.Irrelevant,
			strings.Join(refinements[k], " "), row.outcomes[k].checks()), err
	})
	return rows, err
}

func side(bug bool) string {
	if bug {
		return "bug"
	}
	return "safe"
}

// cell is a reach in a table.
func (r reach) cell(deepest int) string {
	var text string
	switch {
	case r.depth == 0:
		text = "none"
	case r.failed == 0:
		text = fmt.Sprintf("≥ %d (%.1f s)", r.depth, r.seconds)
	default:
		text = fmt.Sprintf("%d (%.1f s)", r.depth, r.seconds)
	}
	if r.wrong {
		text += " WRONG"
	}
	return text
}

// seconds are those of a solved instance in a table.
func (o outcome) seconds() string {
	switch {
	case o.wrong():
		return "WRONG"
	case !o.solved():
		return "–"
	}
	return fmt.Sprintf("%.2f", o.Seconds)
}

// checks are those of the refinements of a solved instance in a table.
func (o outcome) checks() string {
	switch {
	case o.wrong():
		return "WRONG"
	case !o.solved():
		return "–"
	}
	return fmt.Sprintf("%.0f", o.Statistics["inline.refine.checks"])
}

func printDepths(w io.Writer, rows []depthRow) {
	fmt.Fprint(w, "| family | all calls | side | static | not | stratified | not | times as deep |\n|---|---|---|--:|---|--:|---|--:|\n")
	for _, row := range rows {
		static, stratified := row.reached[0], row.reached[1]
		times := "–"
		if static.depth > 0 {
			times = fmt.Sprintf("%.1f", float64(stratified.depth)/float64(static.depth))
			if stratified.failed == 0 {
				times = "≥ " + times
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", row.family.Name, row.family.Grows, side(row.bug),
			static.cell(0), static.beyond(), stratified.cell(0), stratified.beyond(), times)
	}
}

// beyond says at which depth an instance was not solved, and why.
func (r reach) beyond() string {
	switch {
	case r.failed == 0:
		return ""
	case strings.Contains(r.reason, "memory"):
		return fmt.Sprintf("%d: memory", r.failed)
	case strings.HasPrefix(r.reason, "timeout"), r.reason == "overdue":
		return fmt.Sprintf("%d: time", r.failed)
	}
	return fmt.Sprintf("%d: %s", r.failed, r.reason)
}

func (t *report) markdown(l limits) string {
	var b strings.Builder
	fmt.Fprintf(&b, introduction, runtime.NumCPU(), l.time, l.memory)
	printDepths(&b, t.depths)
	b.WriteString(aboutFamilies)
	for _, row := range t.depths {
		if !row.bug {
			u := row.family.Usual
			fmt.Fprintf(&b, "- `%s`: %s Width %d, %d relevant and %d irrelevant variables.\n", row.family.Name, row.family.Doc, u.Width, u.Relevant, u.Irrelevant)
		}
	}
	fmt.Fprintf(&b, aboutTracking, trackingDepth)
	for _, row := range t.tracking {
		p := row.parameters
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | %.0f |\n", side(p.Bug), p.Relevant, p.Irrelevant, row.outcomes[0].seconds(), row.outcomes[1].seconds(),
			row.outcomes[1].Statistics["inline.tracked"])
	}
	fmt.Fprintf(&b, aboutRefinements, refinementDepth)
	for _, row := range t.refinements {
		p := row.parameters
		fmt.Fprintf(&b, "| %d | %d | %.0f |", p.Relevant+p.Irrelevant, p.Relevant, row.outcomes[0].Statistics["inline.tracked"])
		for _, o := range row.outcomes {
			fmt.Fprintf(&b, " %s |", o.checks())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const introduction = `# Stratified and static inlining on generated families

This file is written by

    go run ./bench/hunting

and has no line that is written by hand. Machine: %d cores. Each run has %s of wall time and %d MiB of memory, reading
and checking of the witness included. Nothing is preprocessed (` + "`--passes none`" + `), for either engine: the pass ` + "`inline`" + `
would inline a small call tree before an engine sees it. "Static" is ` + "`--engine bmc`" + `, which inlines everything up to
a recursion bound before it asks, "stratified" is ` + "`--engine inline`" + `, both with default options.

## How deep

The largest depth that is solved, with its time, and a depth that is not solved, and what ran out. Sizes were doubled
until one was not solved, and then the gap was halved until it was at most an eighth. "All calls" is how many calls
inlining everything makes. Where these are no more than a proof or a refutation needs, as in a single loop, both engines
have the same to do on the side with the bug, and get as far.

`

const aboutFamilies = `
What the families model; the two sides of each differ in one clause:

`

const aboutTracking = `
## What variables cost

The family ` + "`locks`" + ` at depth %d, stratified, in seconds: all variables tracked from the start (` + "`inline.track=all`" + `), and
none but those that refinements ask for (` + "`inline.track=none`" + `), with the number of groups of arguments that were tracked
in the end. A program variable makes two or three groups here: as it enters a procedure, as it leaves it, and in between.
A dash is a run that did not end in time.

| side | relevant | irrelevant | all | tracked | groups |
|---|--:|--:|--:|--:|--:|
`

const aboutRefinements = `
## Checks of the refinements

The safe side of the family ` + "`locks`" + ` at depth %d, nothing tracked from the start: the checks that each refinement makes until
it knows which groups to track. The first starts from a proof's core, the second from all groups, as Alg. 2 of the paper
does; the third is its Alg. 1, the last drops one group after the other. A dash is a run that did not end in time.

| variables | relevant | groups tracked | hierarchical | hierarchical, no core | program | linear |
|--:|--:|--:|--:|--:|--:|--:|
`
