package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"hornbeam/bench/result"
	"hornbeam/bench/task"
	"hornbeam/bench/tool"
)

// Config says how runs are made.
type Config struct {
	// Limits are what each run is allowed. A wall limit of zero is none.
	Limits result.Limits
	// Jobs is how many runs are made at once; less than one is one.
	Jobs int
	// Repeat is how often each tool runs on each task; less than one is once.
	Repeat int
	// Results is the results file, appended to. What it has already is not run again.
	Results string
	// OutputLimit is the most bytes that are kept of each output; 0 keeps none.
	OutputLimit int64
	// Grace is how long a tool has between SIGTERM and SIGKILL when its time is up.
	Grace time.Duration
	// Supervisor is the command that calls [Supervise] in a process of its own.
	Supervisor []string
	// Cgroup is the folder of a control group of version 2 below which each run gets one of its own, "auto" for the one that
	// this process is in where that can be done, or empty for none.
	Cgroup string
	// Shard and Shards choose a part of the tasks: those with a number that is Shard modulo Shards. Zero Shards is all.
	Shard, Shards int
	// Experiment names the experiment in the records; HostName has the host's name in them.
	Experiment string
	HostName   bool
	// Counters are the numbers of the tool's statistics that a record keeps, if the tool prints them as JSON.
	Counters []string
	// Search, where it is set, leaves out runs whose outcomes follow from those of others.
	Search Search
	// Began, where it is set, is called once the results file is this call's alone and it is known what is to be run. Its
	// error ends the call.
	Began func(*Summary) error
	// Progress, where it is set, is told of each run that is made, one call at a time.
	Progress func(Progress)
	// Note, where it is set, takes a sentence that a user should know, such as why there are no control groups.
	Note func(string)
}

// Search decides from the runs that are made which others are needed. Its methods are called one at a time.
type Search interface {
	// Made is told of each run that the results file has or gets.
	Made(*result.Run)
	// Needed is asked just before a run; the record has no outcome yet.
	Needed(*result.Run) bool
}

// Progress is how far a benchmark is.
type Progress struct {
	// Done counts the runs made by this call, Total those that it is to make; Skipped were made before.
	Done, Total, Skipped int
	// Left is an estimate of the time to go.
	Left time.Duration
	// Last is the run that was made last, nil before the first.
	Last *result.Run
}

// Summary counts the runs of a call of [Run].
type Summary struct {
	// Made counts the runs made, Skipped those that the results file had.
	Made, Skipped int
	// Tasks counts the tasks, of the shard where there is one.
	Tasks int
	// Unread counts, by the tools' names, the tasks of kinds, or with properties, that they do not read.
	Unread map[string]int
	// Measured is how CPU and memory were measured.
	Measured result.Measured
}

// job is one run to be made.
type job struct {
	task *task.Task
	tool *tool.Tool
	// record is the run's record as far as it is known before.
	record result.Run
}

// batch is one call of Run.
type batch struct {
	Config
	cgroup  string
	host    result.Host
	orphans *orphans
}

// Run makes the runs of all tools on all tasks, and appends each to the results file as it ends. Tools take turns task by
// task, each beginning in turn, and the repeats are rounds over all tasks, so that a machine that drifts does so for all. It
// ends early with ctx, with the cause as its error: runs under way are given up, and are made by the next call. A run that
// cannot be made for a reason that is not the tool's ends all, too.
func Run(ctx context.Context, tasks []task.Task, tools []*tool.Tool, c Config) (*Summary, error) {
	if len(c.Supervisor) == 0 {
		return nil, errors.New("no command is given for supervisors")
	}
	b := &batch{Config: c}
	b.Jobs = max(b.Jobs, 1)
	slots, err := slotsOf(b.Jobs, c.Limits.Cores)
	if err != nil {
		return nil, err
	}
	if b.host, err = Host(c.HostName); err != nil {
		return nil, err
	}
	if b.orphans, err = newOrphans(); err != nil {
		return nil, err
	}
	summary := &Summary{Unread: map[string]int{}, Measured: b.measuring()}
	// What the file has is looked up once nobody else can add to it.
	file, err := result.Append(c.Results)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	jobs, err := b.plan(tasks, tools, summary)
	if err != nil {
		return nil, err
	}
	if c.Began != nil {
		if err := c.Began(summary); err != nil {
			return nil, err
		}
	}
	if err := b.all(ctx, jobs, slots, file, summary); err != nil {
		return summary, err
	}
	return summary, file.Close()
}

// AtOnce is the greatest number of runs that can be made at once if each is bound to some cores of its own, at least one. Runs
// that are not bound, which cores of 0 says, have no such number, and wanted is returned.
func AtOnce(wanted, cores int) int {
	if cores <= 0 {
		return wanted
	}
	return max(min(wanted, len(allowedCores())/cores), 1)
}

// slotsOf shares out the cores: each of the runs that are made at once has some for itself.
func slotsOf(jobs, cores int) ([][]int, error) {
	slots := make([][]int, jobs)
	if cores <= 0 {
		return slots, nil
	}
	allowed := allowedCores()
	if len(allowed) == 0 {
		return nil, errors.New("runs cannot be bound to cores on this system")
	}
	if jobs*cores > len(allowed) {
		return nil, fmt.Errorf("%d runs at once with %d cores each need %d cores; there are %d", jobs, cores, jobs*cores, len(allowed))
	}
	for i := range slots {
		slots[i] = allowed[i*cores : (i+1)*cores]
	}
	return slots, nil
}

// measuring chooses how to measure.
func (b *batch) measuring() result.Measured {
	if b.Cgroup == "" {
		return ""
	}
	folder, err := delegate(b.Cgroup)
	if err != nil {
		b.note(fmt.Sprintf("runs have no control groups, and are measured by looking at their processes: %v", err))
		return ""
	}
	b.cgroup = folder
	return result.Cgroup2
}

func (b *batch) note(text string) {
	if b.Note != nil {
		b.Note(text)
	}
}

// plan lists the runs to be made, in their order.
func (b *batch) plan(tasks []task.Task, tools []*tool.Tool, summary *Summary) ([]*job, error) {
	have, err := made(b.Results)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, t := range tools {
		if names[t.Name] {
			return nil, fmt.Errorf("two tools are called %s; give one another name, as in NAME=%s", t.Name, t.Name)
		}
		names[t.Name] = true
	}
	digests := make([]string, len(tasks))
	for i := range tasks {
		if digests[i], err = tasks[i].Digest(); err != nil {
			return nil, err
		}
	}
	var jobs []*job
	for repeat := range max(b.Repeat, 1) {
		for i := range tasks {
			t := &tasks[i]
			if b.Shards > 0 && i%b.Shards != b.Shard {
				continue
			}
			if repeat == 0 {
				summary.Tasks++
			}
			for k := range tools {
				with := tools[(i+repeat+k)%len(tools)]
				if !with.Accepts(t) {
					if repeat == 0 {
						summary.Unread[with.Name]++
					}
					continue
				}
				// What cannot be run is said before anything is.
				if _, err := with.Arguments(t, b.Limits); err != nil {
					return nil, err
				}
				j := &job{task: t, tool: with, record: result.Run{
					List: t.List, Task: t.Name, Digest: digests[i], Property: t.Property, Track: t.Track, Family: t.Family, Expected: t.Expected,
					Tool: with.Name, Version: with.Version, Binary: with.Binary, Options: with.Described(t, b.Limits), Repeat: repeat,
					Limits: b.Limits, Host: b.host, Experiment: b.Experiment,
				}}
				if before := have[j.record.Key()]; before != nil {
					summary.Skipped++
					if b.Search != nil {
						b.Search.Made(before)
					}
					continue
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// made are the runs that the results file has, by their keys.
func made(path string) (map[string]*result.Run, error) {
	runs := map[string]*result.Run{}
	for r, err := range result.Read(path) {
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		runs[r.Key()] = r
	}
	return runs, nil
}

// all makes the runs.
func (b *batch) all(ctx context.Context, jobs []*job, slots [][]int, file *result.File, summary *Summary) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan *job)
	go func() {
		defer close(queue)
		for _, j := range jobs {
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	var mu sync.Mutex
	progress := &pace{start: time.Now(), jobs: b.Jobs, total: len(jobs)}
	b.tell(progress.now(summary.Skipped, nil))
	var workers sync.WaitGroup
	for _, cores := range slots {
		workers.Go(func() {
			for j := range queue {
				if ctx.Err() != nil {
					return
				}
				if b.Search != nil {
					mu.Lock()
					needed := b.Search.Needed(&j.record)
					if !needed {
						progress.total--
					}
					mu.Unlock()
					if !needed {
						continue
					}
				}
				r, err := b.one(ctx, j, cores)
				if err == nil {
					err = file.Write(r)
				}
				if err != nil {
					cancel(fmt.Errorf("%s on %s: %w", j.tool.Name, j.task.Name, err))
					return
				}
				mu.Lock()
				summary.Made++
				summary.Measured = r.Measured
				if b.Search != nil {
					b.Search.Made(r)
				}
				b.tell(progress.add(summary.Skipped, r))
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (b *batch) tell(p Progress) {
	if b.Progress != nil {
		b.Progress(p)
	}
}

// pace estimates the time to go.
type pace struct {
	start       time.Time
	jobs, total int
	done        int
}

func (p *pace) add(skipped int, r *result.Run) Progress {
	p.done++
	return p.now(skipped, r)
}

func (p *pace) now(skipped int, r *result.Run) Progress {
	q := Progress{Done: p.done, Total: p.total, Skipped: skipped, Last: r}
	if p.done > 0 {
		q.Left = time.Duration(float64(time.Since(p.start)) / float64(p.done) * float64(p.total-p.done))
	}
	return q
}
