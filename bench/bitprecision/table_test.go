package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	var tab table
	statistics := func(rounds, spurious float64) map[string]float64 {
		return map[string]float64{"bits.rounds": rounds, "bits.spurious": spurious}
	}
	tab.add("a", "cexg", measured{"safe", "safe", 1, statistics(3, 2)})
	tab.add("a", "cexg", measured{"unsafe", "unsafe", 3, statistics(2, 1)})
	tab.add("a", "cexg", measured{"safe", "unsafe", 1, statistics(1, 0)})
	tab.add("a", "cexg", measured{"safe", "unknown", 15, nil})
	tab.add("a", "cexg", measured{"safe", "unknown", 15, statistics(2, 1)})
	tab.add("a", "nobv", measured{"safe", "unknown", 1, statistics(1, 1)})
	text := tab.markdown(settings{limit: 15 * time.Second})
	require.Contains(t, text, "| a | cexg | 5 | 2 | 1 | 2 | 0 | 4 | 2 | 1 | 2.5 | 2.00 |")
	// What is found to be no run, and cannot be refined, is given up; it would have been a false alarm.
	require.Contains(t, text, "| a | nobv | 1 | 0 | 0 | 0 | 1 | 1 | 1 | 0 | 0.0 | 0.00 |")
	require.NotContains(t, text, "| all |")
}
