package calltree

import (
	"slices"

	"hornbeam/chc"
)

// The bounds of a tree that is not shown in full.
const (
	// ends is how many of the first and of the last uses of one clause a chain shows.
	ends = 3
	// lowest is the height from which on a step with several calls of its own predicate, or none, goes on with the highest
	// of its calls as in a chain: what is lower is indented as trees are.
	lowest = 12
	// deepest is how many calls within calls are shown, and most how many lines.
	deepest = 12
	most    = 300
)

// line is one line of the text, below the query's.
type line struct {
	step  int
	depth int
	// first says that a block of lines begins: a call.
	first bool
	// number counts a chain's lines from its end, 0 outside of chains.
	number int
	// digits is the width of the chain's largest number.
	digits int
	// above is the step that the line above shows, of the same predicate and in the same chain, or -1.
	above int
	// reference says that the step is shown elsewhere.
	reference bool
	// hidden is the number of steps of the chain that are left out here, in place of a step.
	hidden int
	// below says that the calls of the step are left out because the text is long enough.
	below bool
}

// layouter makes the lines of a tree.
type layouter struct {
	*Tree
	full  bool
	lines []line
	// shown are the steps that a line shows, or will show.
	shown map[int]bool
	// referred are those that another line refers to.
	referred map[int]bool
}

func (t *Tree) layout(full bool) *layouter {
	l := &layouter{Tree: t, full: full, shown: map[int]bool{}, referred: map[int]bool{}}
	for _, c := range t.root().calls {
		l.block(c, 0)
	}
	return l
}

// block lays out a call: its chain, and below each step of it the other calls of that step.
func (l *layouter) block(start, depth int) {
	chain := l.chain(start)
	visible := l.visible(chain)
	for i, s := range chain {
		if visible[i] {
			l.shown[s.step] = l.shown[s.step] || !s.reference
		}
	}
	digits := 0
	for n := len(chain); n > 0 && len(chain) > 1; n /= 10 {
		digits++
	}
	above := -1
	for i := 0; i < len(chain); i++ {
		n := line{step: chain[i].step, depth: depth, first: i == 0, digits: digits, above: above, reference: chain[i].reference}
		if len(chain) > 1 {
			n.number = len(chain) - i
		}
		if !visible[i] {
			for n.hidden = 1; !visible[i+n.hidden]; n.hidden++ {
			}
			i += n.hidden - 1
			above = -1
			l.lines = append(l.lines, n)
			continue
		}
		at := len(l.lines)
		l.lines = append(l.lines, n)
		above = n.step
		if n.reference {
			l.referred[n.step] = true
			continue
		}
		next := -1
		if i+1 < len(chain) {
			next = chain[i+1].step
		}
		for _, c := range l.steps[n.step].calls {
			if c == next {
				next = -1
				continue
			}
			if !l.full && (depth+1 >= deepest || len(l.lines) >= most) {
				l.lines[at].below = true
				break
			}
			above = -1
			l.block(c, depth+1)
		}
	}
}

// link is a step of a chain; a reference ends it.
type link struct {
	step      int
	reference bool
}

// chain is the step and what it goes on with, down to a fact, to a step that has no call to go on with, or to one that is
// shown already.
func (l *layouter) chain(start int) []link {
	var out []link
	for s := start; s >= 0; s = l.next(s) {
		// A step without calls is no longer than a reference to it.
		if l.shown[s] && len(l.steps[s].calls) > 0 {
			return append(out, link{s, true})
		}
		out = append(out, link{step: s})
	}
	return out
}

// next is the call that a chain goes on with, or -1: the only one, the only one of the step's own predicate, or, high up,
// the highest.
func (l *layouter) next(s int) int {
	calls := l.steps[s].calls
	if len(calls) == 1 {
		return calls[0]
	}
	own := slices.DeleteFunc(slices.Clone(calls), func(c int) bool { return l.predicate(c) != l.predicate(s) })
	switch {
	case len(own) == 1:
		return own[0]
	case len(calls) == 0 || l.steps[s].height < lowest:
		return -1
	}
	return slices.MaxFunc(calls, func(a, b int) int { return l.steps[a].height - l.steps[b].height })
}

// predicate is what a step derives.
func (l *layouter) predicate(s int) *chc.Predicate { return l.steps[s].clause.Head.Pred }

// visible says which steps of a chain are shown: the first and the last uses of each clause, and single ones between
// these. The first and the last step always are.
func (l *layouter) visible(chain []link) []bool {
	out := make([]bool, len(chain))
	uses := map[*chc.Clause][]int{}
	for i, s := range chain {
		out[i] = l.full || s.reference
		c := l.steps[s.step].clause
		uses[c] = append(uses[c], i)
	}
	for _, at := range uses {
		for k, i := range at {
			if k < ends || k >= len(at)-ends {
				out[i] = true
			}
		}
	}
	for i := 1; i+1 < len(out); i++ {
		out[i] = out[i] || out[i-1] && out[i+1]
	}
	return out
}
