package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// counts are what is counted of a mode on a group of programs.
type counts struct {
	programs, right, wrong int
	// undecided are runs that ended at the limit, given those that ended before without a verdict.
	undecided, given int
	// alarms are programs without the error for which a counterexample was found that is no run; left are those that were
	// shown all the same. Spurious counts the counterexamples that are no runs, of all programs.
	alarms, left, spurious int
	rounds, seconds        float64
}

// table has them by group, in the order of the programs, and mode.
type table struct {
	groups []string
	counts map[[2]string]*counts
}

func (t *table) add(group, mode string, m measured) {
	if t.counts == nil {
		t.counts = map[[2]string]*counts{}
	}
	for _, g := range []string{group, "all"} {
		key := [2]string{g, mode}
		if t.counts[key] == nil {
			t.counts[key] = &counts{}
		}
		t.counts[key].add(m)
	}
	if !slices.Contains(t.groups, group) {
		t.groups = append(t.groups, group)
	}
}

func (c *counts) add(m measured) {
	c.programs++
	spurious := int(m.statistics["bits.spurious"])
	switch {
	case m.verdict == m.expected:
		c.right++
		c.rounds += m.statistics["bits.rounds"]
		c.seconds += m.seconds
	case m.verdict == "safe" || m.verdict == "unsafe":
		c.wrong++
	case len(m.statistics) == 0 || spurious == 0 || m.statistics["bits.rounds"] > float64(spurious):
		c.undecided++
	default:
		// The last round found what is no run, and there was nothing to refine.
		c.given++
	}
	c.spurious += spurious
	if m.expected == "safe" && spurious > 0 {
		c.alarms++
	}
	if m.expected == "safe" && m.verdict == "unsafe" {
		c.left++
	}
}

// markdown is the table.
func (t *table) markdown(s settings) string {
	var b strings.Builder
	exploring := "no run was tried at random"
	if s.explore > 0 {
		exploring = fmt.Sprintf("runs were tried at random for %s beside the proof", s.explore)
	}
	fmt.Fprintf(&b, "Each program had %s; %s. Rounds and seconds are means over what was decided rightly.\n\n", s.limit.Round(time.Millisecond), exploring)
	b.WriteString("| programs | mode | | right | wrong | time-outs | given up | counterexamples that are no runs | false alarms before | after | rounds | seconds |\n")
	b.WriteString("|:--- |:--- | ---:| ---:| ---:| ---:| ---:| ---:| ---:| ---:| ---:| ---:|\n")
	groups := t.groups
	if len(groups) > 1 {
		groups = append([]string{"all"}, groups...)
	}
	for _, g := range groups {
		for _, mode := range modes {
			c := t.counts[[2]string{g, mode}]
			if c == nil {
				continue
			}
			n := float64(max(c.right, 1))
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f | %.2f |\n",
				g, mode, c.programs, c.right, c.wrong, c.undecided, c.given, c.spurious, c.alarms, c.left, c.rounds/n, c.seconds/n)
		}
	}
	return b.String()
}
