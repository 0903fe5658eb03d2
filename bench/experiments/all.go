package experiments

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hornbeam/bench"
	"hornbeam/bench/result"
	"hornbeam/bench/run"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
	"hornbeam/bench/task"
)

// rounds is how many tasks are to fit into an experiment's share of the time if every tool needs all that it is allowed on each:
// with fewer, no claim can be seen.
const rounds = 6

// leastLimit is the shortest limit that is put on a run: below it, what is measured is the program's start.
const leastLimit = time.Second

// Made is an experiment with the results of its runs.
type Made struct {
	*Experiment
	// Absent are the optional lists that are in none of the folders.
	Absent []string
	// Limits are those of the runs, which are lower than the experiment's own where the time is short. Tasks counts all tasks,
	// Tried those that a tool was run on; Runs are the runs.
	Limits       result.Limits
	Tasks, Tried int
	Runs         []*result.Run
	Missing      []string
	Rules        []Judged
	// Sheets are the experiment's tables and the scores.
	Sheets []*table.Sheet
	// Folder is where the experiment's results are, relative to the folder of all.
	Folder string
	// Failure says why the experiment was not made at all.
	Failure string
}

// Standing is that of all rules together.
func (m *Made) Standing() Standing {
	var all []Standing
	for _, r := range m.Rules {
		all = append(all, r.Standing)
	}
	return Together(all)
}

// Wrong says whether a run gave a wrong verdict.
func (m *Made) Wrong() bool { return slices.ContainsFunc(m.Runs, (*result.Run).Wrong) }

// errShare ends the runs of an experiment whose share of the time is used up.
var errShare = errors.New("the experiment's share of the time is used up")

// All makes several experiments within a given time.
type All struct {
	// Names are the experiments, in their order.
	Names []string
	// Within is the time for all of them. Each has an equal share of what is left as it begins, so that those who need less
	// leave more to the others.
	Within time.Duration
	// Options are those of each experiment; Results is the folder of all, in which each has one of its own.
	Options Options
	// Request makes a request for an experiment's runs, without tools, tasks and limits.
	Request func() (*bench.Request, error)
	// Began, where it is set, is told of each experiment as it begins, and its share.
	Began func(e *Experiment, share time.Duration)
}

// Run makes the experiments. What is made already at the same limits is not made again. An experiment that cannot be made, as
// its tools or tasks are missing, is in the result with the reason; an error is what ends all of them, such as the context's end.
func (a *All) Run(ctx context.Context) ([]*Made, error) {
	start := time.Now()
	var all []*Made
	for i, name := range a.Names {
		e, err := Load(name)
		if err != nil {
			return nil, err
		}
		left := a.Within - time.Since(start)
		share := left / time.Duration(len(a.Names)-i)
		if a.Began != nil {
			a.Began(e, share.Round(time.Second))
		}
		made, err := a.one(ctx, e, share)
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		switch {
		case errors.Is(err, bench.ErrNothing) || errors.Is(err, bench.ErrRequest):
			made = notMade(e, err)
		case err != nil:
			return all, fmt.Errorf("the experiment %s: %w", name, err)
		}
		all = append(all, made)
	}
	return all, nil
}

// notMade is an experiment without runs; none of its sentences is measured.
func notMade(e *Experiment, why error) *Made {
	m := &Made{Experiment: e, Failure: why.Error()}
	for i := range e.Rules {
		m.Rules = append(m.Rules, Judged{&e.Rules[i], NotMeasured, "not made"})
	}
	return m
}

// one makes an experiment in its share of the time.
func (a *All) one(ctx context.Context, e *Experiment, share time.Duration) (*Made, error) {
	if share <= 0 {
		return notMade(e, errShare), nil
	}
	r, err := a.Request()
	if err != nil {
		return nil, err
	}
	o := a.Options
	o.Results = filepath.Join(a.Options.Results, e.Name)
	made := &Made{Experiment: e, Folder: e.Name}
	if made.Absent, err = e.Prepare(r, o); err != nil {
		return nil, err
	}
	// The same time gives the same limits, so that a call that is made again finds the runs of the last one.
	r.Config.Limits = shortened(r.Config.Limits, a.Within/time.Duration(len(a.Names)), len(e.Tools))
	// One number of jobs is asked for all experiments; those whose runs have several cores each make fewer at once.
	r.Config.Jobs = run.AtOnce(r.Config.Jobs, r.Config.Limits.Cores)
	_, instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	r.Chosen = spread(r.Chosen, instances)
	limited, stop := context.WithTimeoutCause(ctx, share, errShare)
	defer stop()
	outcome, err := r.Run(limited)
	late := limited.Err() != nil && ctx.Err() == nil
	switch {
	case outcome == nil && late:
		return notMade(e, errShare), nil
	case outcome == nil || err != nil && !late:
		return nil, err
	}
	if made.Runs, err = outcome.Runs(r.Config); err != nil {
		return nil, err
	}
	if err := e.Publish(r.Config.Results, outcome, made.Runs, made.Absent); err != nil {
		return nil, err
	}
	made.Limits, made.Tasks, made.Missing = r.Config.Limits, len(r.Chosen), outcome.Missing
	board := score.New(made.Runs, score.Options{Missing: outcome.Missing})
	made.Tried = len(board.Tasks)
	var tools []string
	for _, t := range outcome.Tools {
		tools = append(tools, t.Name)
	}
	if made.Rules, err = e.judged(board, tools); err != nil {
		return nil, err
	}
	own, err := e.sheets(board, tools)
	if err != nil {
		return nil, err
	}
	scores := table.Sheets(board, score.Of(board), table.Options{Time: score.CPU, Tables: []string{table.Wrong, table.Summary}})
	made.Sheets = table.Shown(append(own, scores...))
	return made, nil
}

// judged holds the experiment's rules against a board.
func (e *Experiment) judged(b *score.Board, tools []string) ([]Judged, error) {
	instances, _, err := e.instances()
	if err != nil {
		return nil, err
	}
	return e.judge(newMeasured(b, tools), instances, byBase(b)), nil
}

// shortened are the limits with which so many tools can be run on enough tasks in the time.
func shortened(l result.Limits, within time.Duration, tools int) result.Limits {
	most := max(within/time.Duration(rounds*max(tools, 1)), leastLimit).Round(time.Second / 2).Seconds()
	switch {
	case l.CPU > 0 && l.CPU > most:
		// Where CPU time is what counts, the clock only ends what waits.
		l.CPU, l.Wall = most, min(cmp.Or(l.Wall, 4*most), 4*most)
	case l.CPU == 0:
		l.Wall = min(cmp.Or(l.Wall, most), most)
	}
	return l
}

// spread orders the tasks so that those at the beginning are from everywhere: the lists and the generated families take turns,
// families with rising sizes, lists in an order that says nothing of the tasks.
func spread(tasks []task.Task, instances map[string]instance) []task.Task {
	groups := map[string][]task.Task{}
	for _, t := range tasks {
		group := "list " + t.List
		if i, ok := instances[path.Base(t.Name)]; ok {
			group = "family " + i.family.Name
		}
		groups[group] = append(groups[group], t)
	}
	names := slices.Sorted(maps.Keys(groups))
	for _, name := range names {
		if strings.HasPrefix(name, "list ") {
			slices.SortStableFunc(groups[name], func(a, b task.Task) int { return cmp.Compare(digest(&a), digest(&b)) })
		}
	}
	var all []task.Task
	for k := 0; len(all) < len(tasks); k++ {
		for _, name := range names {
			if k < len(groups[name]) {
				all = append(all, groups[name][k])
			}
		}
	}
	return all
}

func digest(t *task.Task) string {
	sum := sha256.Sum256([]byte(t.List + "/" + t.Name))
	return string(sum[:])
}
