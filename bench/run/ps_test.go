package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheProcessTableIsRead(t *testing.T) {
	table := readTable("    1     0   900 00:00:01\n  20     1  2048  1-02:03:04\n 30 20 100 0:01.50\n 40 30 7 12:00:00\n 50 1 8 00:00:09\nPID PPID RSS TIME\n")
	require.Equal(t, []process{{1, 0, 900 << 10, 1}, {20, 1, 2048 << 10, ((24+2)*60+3)*60 + 4}, {30, 20, 100 << 10, 1.5}, {40, 30, 7 << 10, 12 * 3600}, {50, 1, 8 << 10, 9}}, table)
	pids := func(found []process) []int {
		var all []int
		for _, p := range found {
			all = append(all, p.pid)
		}
		return all
	}
	require.Equal(t, []int{30, 40}, pids(below(table, 20, nil)))
	// What was below it at an earlier look stays so when its parent is gone.
	require.Equal(t, []int{30, 40, 50}, pids(below(table, 20, map[int]bool{50: true})))
}
