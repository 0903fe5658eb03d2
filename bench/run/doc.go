// Package run runs tools on tasks under limits, and writes the outcome of each run to a results file.
//
// [Run] takes tasks, tools and limits. Each run has a supervising process of its own, this program started anew with
// arguments that lead to [Supervise]. It starts the tool in a session of its own, looks at the whole tree of processes below
// it many times a second, ends the tree at a limit, reads the verdict from the output as it comes, and says what the run
// took. Where a control group of version 2 may be made the kernel counts and limits; elsewhere on Linux the supervisor is
// the one that orphans go to, so that no process of the tool can leave it, and counts by /proc and wait4.
//
// When the benchmark is killed, the supervisors see their input end, end their trees and themselves: nothing is left behind,
// and a later call with the same results file goes on where this one ended. When a tool kills its supervisor, the benchmark
// ends what that leaves, and the run is an error.
//
//	file           what
//	run.go         the plan: what is run in which order, what is there already, who runs it
//	client.go      one run as the benchmark sees it: start a supervisor, make a record of what it says
//	supervise.go   one run as the supervisor sees it
//	meter_*.go     counting and ending a process tree: /proc, ps
//	ps.go          the process table by ps
//	cgroup_*.go    the same by control groups
//	orphans_*.go   what is left of a run whose supervisor was killed
//	output.go      keeping outputs, reading verdicts
//	host.go        what machine this is
package run
