// Package trace holds a failing run of a program in any language, and prints it as text, JSON or HTML.
//
// The packages that replay refutations make a Trace: frontend/boogie/trace for Boogie, frontend/c/trace
// for C. The output is made here, so that the traces of all languages have one form.
//
//	trace.go    the trace and its steps
//	text.go     a line for each step
//	json.go     the trace as a JSON document
//	html.go     the trace as a page, with page.html, page.css and page.js
//	fold.go     the nesting of a page's steps in calls and loops
//	listing.go  the sources beside it: which lines are reached, and how often
//	highlight.go keywords, comments and literals in these
//	slice.go    the steps that the failure depends on
//	notes.go    these steps as notes at their places
//	files.go    the texts of the files that a trace names
package trace
