// Package bench measures: it runs tools on tasks under limits and keeps their outcomes. It joins the packages below it for the
// benchmark command, and carries the definitions of the tools that are known:
//
//	request.go  a call of bench run: tasks, tools and limits, to runs in a results file
//	results.go  results files, to the board that tables and plots are made of
//	embed.go    the files of this folder that are part of the program
//
//	bench/task         lists of tasks, and the choice among them
//	bench/families     generated tasks whose size is a parameter
//	bench/tool         what a tool is: its command, its version, how its verdict is read
//	bench/run          measured runs, each in a supervised process tree under limits
//	bench/result       the record of a run, a JSON line each
//	bench/score        counts, points and comparisons
//	bench/table        scores and comparisons as text, Markdown, CSV and JSON
//	bench/plot         cactus, quantile and scatter plots
//	bench/report       the HTML report
//	bench/experiments  comparisons that can be made again, a YAML file each
//	bench/cluster      jobs that share runs among many machines
//	bench/benchexec    what BenchExec and CHC-COMP need to run Hornbeam
package bench
