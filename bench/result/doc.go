// Package result holds the record of one run of one tool on one task, and the append-only files that such records are
// kept in, one JSON object a line.
//
// A [Run] says everything that a table, a plot or a comparison needs: which task with which verdict expected, which tool
// in which version with which options and under which limits, its outcome, and what it took. Lines of several files can
// be put one behind the other: a line needs nothing that stands elsewhere, but for the files of outputs that it names
// relative to its results file.
//
//	f, err := result.Append("results.jsonl")   // one write a line, synced: a kill loses the line being written at most
//	err = f.Write(run)
//	for run, err := range result.Read("results.jsonl") { … }
//
// A last line that was torn by a kill is left out by the readers, and removed by [Append] before it writes behind it. One
// process at a time has a file open for appending.
//
// A [Session] says of a call of the benchmark what no run says, such as tools that were asked for and are not installed;
// sessions have a file of their own beside the runs.
package result
