// Package experiments holds comparisons that can be made again, one YAML file each, and makes them: which tools run on which
// tasks under which limits, to try which claim.
//
//	e, err := experiments.Load("inlining-depth")
//	err = e.Run(ctx, request, experiments.Options{...})   // results.jsonl, README.md, plots and report.html
//
//	file           what
//	experiment.go  the file of an experiment, and its run
//	instances.go   tasks that are generated at given sizes, from bench/families
//	all.go         all experiments, each with a share of the time
//	rule.go        what must be seen in the runs for a claim to hold
//	search.go      the largest size that a tool decides, found by doubling and halving
//	tables.go      the papers' tables: sizes reached, a row for each instance, a row for each group of tasks
//	publish.go     the README with its tables and plots
//	summary.go     what became of every paper's claims
package experiments
