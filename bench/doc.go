// Package bench carries the files that come with the benchmark command: the definitions of the tools that are known, and
// the experiments. What it does is done in the packages below it:
//
//	bench/task     lists of tasks, and the choice among them
//	bench/tool     what a tool is: its command, its version, how its verdict is read
//	bench/run      measured runs, each in a supervised process tree under limits
//	bench/result   the record of a run, a JSON line each
//	bench/score    counts, points and comparisons
//	bench/table    scores and comparisons as text, Markdown, CSV and JSON
//	bench/plot     cactus, quantile and scatter plots
//	bench/report   the HTML report
package bench
