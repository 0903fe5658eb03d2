// Package engine says what an engine is: a way to decide a system of Horn clauses, as data, with the answers, events,
// counters and options that all engines share.
package engine
