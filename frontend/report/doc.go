// Package report collects the errors that a front end finds in a source, each with its position, several for a file.
package report
