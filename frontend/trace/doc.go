// Package trace is a run of a program that fails, whatever language the program is in, and how it is shown.
//
// The packages that replay refutations make a Trace: frontend/boogie/trace for Boogie, frontend/c/trace
// for C. What is printed is decided here,
// so that every language's traces look the same.
//
//	trace.go    the trace and its steps
//	text.go     a line for each step
//	json.go     the trace as a JSON document
//	html.go     the trace as a page, with page.html, page.css and page.js
//	fold.go     which steps of a page lie in which call or loop
//	listing.go  the sources beside it: what is reached, and how often
//	files.go    the texts of the files that a trace names
package trace
