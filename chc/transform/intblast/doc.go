// Package intblast translates bit-vectors to integers, exactly.
package intblast
