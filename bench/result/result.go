package result

import (
	"encoding/json"
	"time"
)

// Run is one run of one tool on one task.
type Run struct {
	// List names the list of tasks: the folder's or file's name.
	List string `json:"list"`
	// Task is the path of the task relative to its list, with slashes.
	Task string `json:"task"`
	// Digest is the start of the SHA-256 of the task's input files, in hexadecimal.
	Digest string `json:"digest,omitempty"`
	// Property names what is to be shown of a program (unreach-call); empty for clauses.
	Property string `json:"property,omitempty"`
	Track    string `json:"track,omitempty"`
	Family   string `json:"family,omitempty"`
	// Expected is the verdict known of the task, None where there is none.
	Expected Verdict `json:"expected,omitempty"`

	Tool string `json:"tool"`
	// Version is what the tool says of itself.
	Version string `json:"version,omitempty"`
	// Binary is the start of the SHA-256 of the program that was run, in hexadecimal: two builds of one version differ.
	Binary string `json:"binary,omitempty"`
	// Options are the arguments of the tool's command, in order, without the program and with the task's file as {file}.
	Options []string `json:"options,omitempty"`
	// Repeat counts the runs of the same tool on the same task, from 0.
	Repeat int    `json:"repeat,omitempty"`
	Limits Limits `json:"limits"`

	// Verdict is what the tool said within its limits; words that it wrote on being ended don't count.
	Verdict Verdict `json:"verdict,omitempty"`
	Status  Status  `json:"status"`
	// Detail gives the cause of a status other than ok in a line: the signal, the start of the message.
	Detail string `json:"detail,omitempty"`
	// Exit is the exit code; -1 where a signal ended the tool's first process.
	Exit int `json:"exit"`
	// Wall is in seconds, from the start of the tool's first process to its end.
	Wall float64 `json:"wall"`
	// CPU is in seconds, of user and system time, of the whole process tree.
	CPU float64 `json:"cpu"`
	// Memory is the highest use of the whole process tree at once, in bytes.
	Memory int64 `json:"memory"`
	// Measured says by what CPU and memory were measured and limited.
	Measured Measured `json:"measured"`

	Started time.Time `json:"started"`
	Host    Host      `json:"host"`
	// Stdout and Stderr are the files that keep the tool's output, relative to the results file's folder, with slashes;
	// empty where nothing was written or kept.
	Stdout string `json:"stdout,omitempty"`
	Stderr string `json:"stderr,omitempty"`
	// Counters are the numbers of the tool's own statistics that were asked for, by their names.
	Counters map[string]float64 `json:"counters,omitempty"`
	// Cut says that the middle of an output was left out because it was too long.
	Cut bool `json:"cut,omitempty"`
	// Experiment names the experiment that the run belongs to, if any.
	Experiment string `json:"experiment,omitempty"`
}

// Limits are what a run was allowed. Zero stands for no limit.
type Limits struct {
	// Wall and CPU are in seconds.
	Wall float64 `json:"wall,omitempty"`
	CPU  float64 `json:"cpu,omitempty"`
	// Memory is in bytes.
	Memory int64 `json:"memory,omitempty"`
	// Cores is the number of cores that the run was bound to; 0 is all of the machine's.
	Cores int `json:"cores,omitempty"`
}

// Measured names a way of measuring a process tree.
type Measured string

const (
	// Cgroup2 is a control group of version 2: the kernel counts and limits.
	Cgroup2 Measured = "cgroup2"
	// Proc is wait4's usage of all processes that ended together with /proc of those that live, looked at many times a
	// second; between two looks a tree can go over its limit unseen.
	Proc Measured = "proc"
	// Ps is wait4's usage of the first process with its children, and the process table as ps prints it.
	Ps Measured = "ps"
)

// Host is the machine of a run, by what matters for a comparison.
type Host struct {
	OS   string `json:"os,omitempty"`
	Arch string `json:"arch,omitempty"`
	// CPU is the processor's name as the system gives it.
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores,omitempty"`
	// Memory is in bytes.
	Memory int64 `json:"memory,omitempty"`
	// Name is the host's name; empty unless it was asked for.
	Name string `json:"name,omitempty"`
}

// Answer is the verdict that counts. A verdict that was printed within the limits counts, as it does for a user who waits
// for it, even when the tool then ran on into a limit or crashed. With strict it counts only if the run ended within its
// limits, as BenchExec has it.
func (r *Run) Answer(strict bool) Verdict {
	if strict && (r.Status == Timeout || r.Status == CPUTimeout || r.Status == MemoryOut) {
		return None
	}
	return r.Verdict
}

// Solved says whether the run gave the verdict that is expected; nothing is solved where none is known.
func (r *Run) Solved() bool {
	return (r.Expected.Definite() || r.Expected == Reject) && r.Verdict.Agrees(r.Expected)
}

// Wrong says whether the run gave a verdict that contradicts the expected one: sat for unsat or the reverse, a verdict on
// a malformed input, or a refusal of a well-formed one.
func (r *Run) Wrong() bool {
	known := r.Expected.Definite() || r.Expected == Reject
	said := r.Verdict.Definite() || r.Verdict == Reject
	return known && said && !r.Verdict.Agrees(r.Expected)
}

// Failed says whether the run is an error: it ended without a verdict for another reason than a limit on time.
func (r *Run) Failed() bool {
	return r.Verdict == None && r.Status != Timeout && r.Status != CPUTimeout
}

// Subject identifies the task of a run among all lists.
type Subject struct{ List, Task, Property string }

// Subject is the run's task.
func (r *Run) Subject() Subject { return Subject{r.List, r.Task, r.Property} }

// Key identifies what a run is of: two runs with the same key measure the same thing, and the second need not be made.
// It has the task with its content, the tool with its version, program and options, the limits and the repeat's number.
func (r *Run) Key() string {
	key, err := json.Marshal([]any{r.List, r.Task, r.Digest, r.Property, r.Tool, r.Version, r.Binary, r.Options, r.Limits, r.Repeat})
	if err != nil {
		// Strings and numbers only; limits are checked to be finite where they are read.
		panic(err)
	}
	return string(key)
}
