// Package peano replaces natural numbers that are written as a datatype, as zero and successor, by integers.
package peano
