// Package report writes scores, plots and the outputs of all runs as one HTML file that needs nothing else: no network, no
// folder beside it, no framework.
//
//	err := report.Write(w, []report.Source{{Path: "results.jsonl", Runs: runs}}, report.Options{Time: score.CPU})
//
// Whatever comes from outside, such as names of tasks and what tools printed, reaches the page as text: the tables are
// filled by html/template, the rest is JSON that report.js sets as text. A content security policy lets no other script
// run, and nothing be loaded.
//
// | file | what |
// |---|---|
// | report.go | [Write]: the page |
// | data.go | the tasks, runs and outputs that the page's script reads |
// | papers.go, papers.html | [WritePapers]: what became of the claims of several papers |
// | report.html, report.css, report.js | the page itself |
package report
