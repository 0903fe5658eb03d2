package run

import (
	"strconv"
	"strings"
)

// process is a line of the process table.
type process struct {
	pid, parent int
	memory      int64
	cpu         float64
}

// readTable reads what ps prints for pid, ppid, rss in KiB and time.
func readTable(text string) []process {
	var table []process
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		kib, err3 := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || err2 != nil || err3 != nil {
			continue
		}
		table = append(table, process{pid, parent, kib << 10, readTime(fields[3])})
	}
	return table
}

// readTime reads [days-][hours:]minutes:seconds, the seconds with or without a fraction.
func readTime(text string) float64 {
	days, rest, ok := strings.Cut(text, "-")
	var total float64
	if ok {
		n, _ := strconv.ParseFloat(days, 64)
		total = n * 24
	} else {
		rest = text
	}
	parts := strings.Split(rest, ":")
	for len(parts) < 3 {
		parts = append([]string{"0"}, parts...)
	}
	for i, part := range parts {
		n, _ := strconv.ParseFloat(part, 64)
		if i > 0 {
			total *= 60
		}
		total += n
	}
	return total
}

// below are the processes of the table that are below root, or in known, or below one in known.
func below(table []process, root int, known map[int]bool) []process {
	inside := map[int]bool{}
	for pid := range known {
		inside[pid] = true
	}
	var found []process
	for more := true; more; {
		more = false
		for _, p := range table {
			if !inside[p.pid] && (p.parent == root || inside[p.parent]) {
				inside[p.pid], more = true, true
			}
		}
	}
	for _, p := range table {
		if inside[p.pid] {
			found = append(found, p)
		}
	}
	return found
}
