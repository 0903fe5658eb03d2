// Package trace tells a run of a C program in the source's words: the steps of package frontend/trace, made from what the
// interpreter reports.
package trace
