package trace

import (
	"html/template"
	"iter"
	"slices"
)

const (
	// around is how many lines are shown around reached lines, when a range of at least minGap lines that are not
	// reached is folded.
	around = 15
	minGap = 80
	// maxGap is how many lines of a folded stretch a page holds.
	maxGap = 20_000
)

// sourceData is a file of the program.
type sourceData struct {
	Number int
	Name   string
	Parts  []stretchData
}

// stretchData is a stretch of lines, with Folded as its title when the run does not come there.
type stretchData struct {
	Folded string
	Lines  []lineData
}

// lineData is a line of a file.
type lineData struct {
	Number int
	Anchor string
	// Text has the line's words in spans.
	Text template.HTML
	// Hits is how often the run reached the line.
	Hits int
	// Fails is what fails there, or empty.
	Fails string
}

// sources are the files that the list has places in. It is called after the list is made.
func (p *page) sources() []sourceData {
	hits := p.hits()
	failure := p.all[len(p.all)-1]
	var out []sourceData
	for n, name := range p.shown {
		lines := p.files.Lines(name)
		reached := make([]bool, len(lines))
		for s := range p.everything() {
			if s.Pos.File == name && s.Pos.Line >= 1 && s.Pos.Line <= len(lines) {
				reached[s.Pos.Line-1] = true
			}
		}
		data := sourceData{Number: n, Name: name}
		h := newHighlighter(name)
		marked := make([]template.HTML, len(lines))
		for i, line := range lines {
			marked[i] = h.line(line)
		}
		for _, g := range stretches(reached) {
			var part stretchData
			to := g.to
			if g.folded {
				part.Folded = Plural(g.to-g.from, "line") + " that the run does not come to"
				if to-g.from > maxGap && !p.full {
					to = g.from
					part.Folded += ", left out here"
				}
			}
			for i := g.from; i < to; i++ {
				line := lineData{Number: i + 1, Anchor: anchor(n, i+1), Text: marked[i], Hits: hits[hit{name, i + 1}]}
				for _, f := range append([]Step{failure}, failure.Inside...) {
					if f.Kind == Error && f.Pos.File == name && f.Pos.Line == i+1 {
						line.Fails = failureText(failure)
					}
				}
				part.Lines = append(part.Lines, line)
			}
			data.Parts = append(data.Parts, part)
		}
		out = append(out, data)
	}
	return out
}

// stretch are the lines from an index up to another one.
type stretch struct {
	from, to int
	folded   bool
}

// stretches divides lines into those around the ones that are reached, and long stretches far from them.
func stretches(reached []bool) []stretch {
	var out []stretch
	shown := 0 // where the present shown stretch begins
	last := -1 // the last line that is reached
	for i := 0; i <= len(reached); i++ {
		if i < len(reached) && !reached[i] {
			continue
		}
		from, to := last+1+around, i-around
		if last < 0 {
			from = 0
		}
		if i == len(reached) {
			to = i
		}
		if to-from >= minGap {
			if from > shown {
				out = append(out, stretch{from: shown, to: from})
			}
			out = append(out, stretch{from: from, to: to, folded: true})
			shown = to
		}
		last = i
	}
	if shown < len(reached) {
		out = append(out, stretch{from: shown, to: len(reached)})
	}
	return out
}

// hit is a line of a file.
type hit struct {
	file string
	line int
}

// everything yields all steps, each followed by the steps in it.
func (p *page) everything() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for _, s := range p.all {
			if !yield(s) {
				return
			}
			for _, own := range s.Inside {
				if !yield(own) {
					return
				}
			}
		}
	}
}

// lineVisit is a run of consecutive steps on one line.
type lineVisit struct {
	line  int
	steps []Step
}

// hits counts how often the run reached each line. Consecutive steps on a line count once, until one of them is repeated.
func (p *page) hits() map[hit]int {
	counts := map[hit]int{}
	// The present visit of each call, in each file: the steps of a generated program are between those of its source.
	current := map[string][]lineVisit{}
	for s := range p.everything() {
		switch s.Kind {
		case Statement, Branch, Nondet, Call, Record, Error:
		case Start, Omitted:
			clear(current)
			continue
		default:
			continue
		}
		calls := current[s.Pos.File]
		for len(calls) <= s.Depth {
			calls = append(calls, lineVisit{})
		}
		calls = calls[:s.Depth+1]
		at := &calls[s.Depth]
		again := slices.ContainsFunc(at.steps, func(b Step) bool { return b.Pos.Column == s.Pos.Column && b.Kind == s.Kind })
		if at.line != s.Pos.Line || again {
			counts[hit{s.Pos.File, s.Pos.Line}]++
			*at = lineVisit{line: s.Pos.Line}
		}
		at.steps = append(at.steps, s)
		current[s.Pos.File] = calls
	}
	return counts
}
