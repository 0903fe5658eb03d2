package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"hornbeam/engine"
)

// progress shows on standard error how far the engines are until the returned function is called: on a terminal a few lines that are
// drawn anew in place, and that are removed in the end, or a comment a second when it is asked for where there is none. The first line
// has the words of describe, and each strategy that runs has one below.
func (j *job) progress(ctx context.Context, stats *engine.Stats, start time.Time, describe func() string) (stop func()) {
	mode := j.values.Text("progress")
	if mode == "off" || mode == "auto" && (!j.err.terminal || os.Getenv("TERM") == "dumb") {
		return func() {}
	}
	period := 200 * time.Millisecond
	if !j.err.terminal {
		period = time.Second
	}
	limit := ""
	if end, ok := ctx.Deadline(); ok {
		limit = fmt.Sprintf(" of %.0f s", end.Sub(start).Seconds())
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		var checks int64
		last := start
		for {
			select {
			case <-done:
				j.err.clear()
				return
			case now := <-ticker.C:
				n := stats.Get("checks")
				rate := float64(n-checks) / now.Sub(last).Seconds()
				checks, last = n, now
				first := fmt.Sprintf("%.1f s%s  %.0f checks/s", now.Sub(start).Seconds(), limit, rate)
				running := stats.Running()
				if words := describe(); words != "" && (len(running) < 2 || strings.Contains(words, "bound")) {
					first += "  " + words
				}
				j.err.status(append([]string{first}, strategyLines(running)...)...)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// learnt are the counters that say how deep a strategy is and what it has learnt, with the words for them.
var learnt = []struct{ counter, words string }{
	{"level", "level %d"}, {"inline.explored", "bound %d"}, {"obligations.open", "open %d"}, {"inline.open", "open %d"}, {"lemmas", "lemmas %d"},
	{"facts", "reach facts %d"}, {"nodes", "nodes %d"}, {"inline.instances", "calls %d"}, {"affine.equations", "equations %d"},
	{"catamorphism.equations", "lemmas %d"}, {"indices.tracked", "indices %d"}, {"unfold.nodes", "formula %d"}, {"houdini.candidates", "candidates %d"},
}

// strategyLines has a line for each strategy, its figures in a column. Those that have learnt something come first.
func strategyLines(running []*engine.Stats) []string {
	width := 0
	for _, p := range running {
		width = max(width, len(p.Label()))
	}
	var out, silent []string
	for _, p := range running {
		var figures []string
		counts := map[string]int64{}
		for _, r := range p.Rows() {
			counts[r.Name] = r.Count
		}
		for _, l := range learnt {
			if n, ok := counts[l.counter]; ok {
				figures = append(figures, fmt.Sprintf(l.words, n))
			}
		}
		if len(figures) == 0 {
			silent = append(silent, fmt.Sprintf("  %-*s  checks %d", width, p.Label(), counts["checks"]))
			continue
		}
		out = append(out, fmt.Sprintf("  %-*s  %s", width, p.Label(), strings.Join(figures, "  ")))
	}
	return append(out, silent...)
}
