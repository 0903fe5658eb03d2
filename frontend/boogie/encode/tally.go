package encode

import "hornbeam/chc/term"

// tally counts in how many lists of terms each term is. Where many runs meet, lists are long and mostly the same, so that
// counts are kept by the terms' numbers, for one tally after the other.
type tally struct {
	entries []tallied
	// tally and list are the numbers of the present tally, and of the list that is looked at.
	tally, list uint32
}

// tallied is what is known of a term: in how many lists of a tally it is, and the last list that it was seen in.
type tallied struct{ tally, list, count uint32 }

// tally begins a new one.
func (e *encoder) tally() *tally {
	e.tallies.tally++
	return &e.tallies
}

func (t *tally) entry(f *term.Term) *tallied {
	if n := int(f.ID()); n >= len(t.entries) {
		t.entries = append(t.entries, make([]tallied, n+1-len(t.entries)+len(t.entries)/2)...)
	}
	e := &t.entries[f.ID()]
	if e.tally != t.tally {
		*e = tallied{tally: t.tally}
	}
	return e
}

// count counts a list.
func (t *tally) count(fs []*term.Term) {
	t.list++
	for _, f := range fs {
		if e := t.entry(f); e.list != t.list {
			e.list = t.list
			e.count++
		}
	}
}

// of returns in how many lists a term is.
func (t *tally) of(f *term.Term) int { return int(t.entry(f).count) }

// unique is a list without repetitions.
func (t *tally) unique(fs []*term.Term) []*term.Term {
	t.list++
	out := make([]*term.Term, 0, len(fs))
	for _, f := range fs {
		if e := t.entry(f); e.list != t.list {
			e.list = t.list
			out = append(out, f)
		}
	}
	return out
}
