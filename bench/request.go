package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"hornbeam/bench/result"
	"hornbeam/bench/run"
	"hornbeam/bench/task"
	"hornbeam/bench/tool"
)

// Request asks for runs.
type Request struct {
	// Lists are the paths of lists of tasks, Filter chooses among them.
	Lists  []string
	Filter task.Filter
	// Chosen are the tasks themselves, where they come from elsewhere; Lists then only say from where.
	Chosen []task.Task
	// Tools are what [tool.Definitions.Choose] takes; none is every tool that is defined. NAME:* stands for each of Engines.
	Tools []string
	// ToolFiles have definitions beside those that come with this program.
	ToolFiles []string
	// Engines are the names of this program's engines.
	Engines []string
	// Here is the program that {hornbeam} stands for.
	Here string
	// Config has everything else.
	Config run.Config
}

// Outcome has the runs of a request.
type Outcome struct {
	// Tasks are those that were chosen.
	Tasks []task.Task
	// Tools ran, Missing were asked for and are not installed.
	Tools   []*tool.Tool
	Missing []string
	*run.Summary
}

var (
	// ErrNothing is the error of a request without a task or a tool to run.
	ErrNothing = errors.New("nothing to run")
	// ErrRequest is in errors of a request that makes no sense.
	ErrRequest = errors.New("bad request")
)

// Definitions are the tools that are known: those that come with the program, and those of the files.
func Definitions(files []string) (*tool.Definitions, error) {
	all, err := tool.Parse("bench/tools.yml", Tools)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the tools: %w", err)
		}
		more, err := tool.Parse(file, text)
		if err != nil {
			return nil, err
		}
		all.Add(more)
	}
	return all, nil
}

// FindTools returns the tools that are asked for and installed, and the names of those that are not.
func (r *Request) FindTools(ctx context.Context) (found []*tool.Tool, missing []string, err error) {
	defined, err := Definitions(r.ToolFiles)
	if err != nil {
		return nil, nil, err
	}
	asked := r.Tools
	if len(asked) == 0 {
		asked = defined.Names()
	}
	for _, request := range asked {
		for _, one := range r.engines(request) {
			t, err := defined.Choose(one)
			if err != nil {
				return nil, nil, fmt.Errorf("%w: %w", ErrRequest, err)
			}
			switch err := t.Find(ctx, r.Here); {
			case errors.Is(err, tool.ErrMissing):
				missing = append(missing, t.Name)
			case err != nil:
				return nil, nil, err
			default:
				found = append(found, t)
			}
		}
	}
	return found, missing, nil
}

// engines replaces NAME:* OPTIONS… by a request for each engine.
func (r *Request) engines(request string) []string {
	name, rest, ok := strings.Cut(request, ":*")
	if !ok || strings.ContainsAny(name, " =") {
		return []string{request}
	}
	var all []string
	for _, e := range r.Engines {
		all = append(all, name+":"+e+rest)
	}
	return all
}

// Tasks reads the lists and chooses.
func (r *Request) Tasks() ([]task.Task, error) {
	if r.Chosen != nil {
		return r.Chosen, nil
	}
	all, err := task.LoadAll(r.Lists...)
	if err != nil {
		return nil, err
	}
	chosen, err := r.Filter.Apply(all)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%w: none of %d tasks passes the filters", ErrNothing, len(all))
	}
	return chosen, nil
}

// Run makes the runs. Once runs began, an error comes with the outcome of those that were made.
func (r *Request) Run(ctx context.Context) (*Outcome, error) {
	if r.Config.Shards < 0 || r.Config.Shard < 0 || r.Config.Shards > 0 && r.Config.Shard >= r.Config.Shards {
		return nil, fmt.Errorf("%w: there is no shard %d of %d", ErrRequest, r.Config.Shard, r.Config.Shards)
	}
	tasks, err := r.Tasks()
	if err != nil {
		return nil, err
	}
	tools, missing, err := r.FindTools(ctx)
	if err != nil {
		return nil, err
	}
	if len(tools) == 0 {
		return nil, fmt.Errorf("%w: %s not installed", ErrNothing, areNot(missing))
	}
	o := &Outcome{Tasks: tasks, Tools: tools, Missing: missing}
	if len(missing) > 0 {
		r.note("missing, and not run: " + strings.Join(missing, ", "))
	}
	session := &result.Session{Started: time.Now().UTC(), Lists: r.Lists, Missing: missing}
	if r.Config.Shards > 0 {
		session.Shard = fmt.Sprintf("%d/%d", r.Config.Shard, r.Config.Shards)
	}
	for _, t := range tools {
		session.Tools = append(session.Tools, result.SessionTool{Name: t.Name, Version: t.Version, Binary: t.Binary})
	}
	if session.Host, err = run.Host(r.Config.HostName); err != nil {
		return nil, err
	}
	config := r.Config
	// What is missing is to be known, too, of a call that is killed.
	config.Began = func(s *run.Summary) error {
		session.Tasks, session.Skipped, session.Unread = s.Tasks, s.Skipped, s.Unread
		return result.AppendSession(config.Results, session)
	}
	o.Summary, err = run.Run(ctx, tasks, tools, config)
	if o.Summary == nil {
		return nil, err
	}
	session.Ended, session.Made = time.Now().UTC(), o.Made
	if err != nil {
		session.Failure = err.Error()
	}
	return o, errors.Join(err, result.AppendSession(r.Config.Results, session))
}

func areNot(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}

func (r *Request) note(text string) {
	if r.Config.Note != nil {
		r.Config.Note(text)
	}
}

// Runs are the runs of the results file that belong to the outcome's tasks, tools and limits, whether this call made them
// or an earlier one.
func (o *Outcome) Runs(c run.Config) ([]*result.Run, error) {
	all, err := result.ReadAll(c.Results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type key struct {
		result.Subject
		tool, version, binary string
	}
	wanted := map[key]bool{}
	for _, t := range o.Tasks {
		for _, with := range o.Tools {
			wanted[key{result.Subject{List: t.List, Task: t.Name, Property: t.Property}, with.Name, with.Version, with.Binary}] = true
		}
	}
	return slices.DeleteFunc(all, func(r *result.Run) bool {
		return r.Limits != c.Limits || !wanted[key{r.Subject(), r.Tool, r.Version, r.Binary}]
	}), nil
}
