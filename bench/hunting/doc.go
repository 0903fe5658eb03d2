// Command hunting measures the bug hunter on the generated families of bench/families: how deep stratified inlining gets,
// and static inlining, within the same time and memory; what variable abstraction costs as relevant and as irrelevant
// variables are added; and how many checks each refinement makes. It writes one Markdown file with a table for each.
//
//	go run ./bench/hunting [-limit DURATION] [-memory MIB] [-jobs N] [-results FILE] [-runs FILE]
//	go run ./bench/hunting -print FAMILY [-depth N] [-width N] [-relevant N] [-irrelevant N] [-seed N] [-bug]
//
// The second form prints an instance. Every run is appended to the file of runs, and a run that is there already, of the
// same program on the same text with the same options and limits, is not made again: what was interrupted goes on where
// it was.
//
// bench/experiments compares tools on tasks that are given; what is measured here are sizes that are looked for, and counters
// that the program prints.
//
//	main.go    flags, and the order of things
//	run.go     one run in a process of its own, with limits, and the file of runs
//	grow.go    the largest instance that is solved
//	tables.go  what is measured, and the tables
package main
