//go:build !linux

package portfolio

// enterBackground has an effect where threads have priorities of their own.
func enterBackground() {}
