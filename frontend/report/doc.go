// Package report is how the front ends of programs say what is wrong with a source: errors with their places, several of
// them a file.
package report
