// Package frame finds which variables statements of a translated program may change, with all that is called there, and makes
// statements that give just these any values: what a contract or an invariant of a loop leaves open.
package frame
