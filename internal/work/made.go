package work

import (
	"context"
	"time"
)

// eachTerm is the work of making a term, with what else is done with it outside of solvers: about what passes take, which make millions.
const eachTerm = 10 * time.Microsecond

// Pool tells how many terms have been made in all. While work is counted only those make terms who work.
type Pool interface{ Len() int }

// Resume notes that the terms which have been made so far are not the part's, nor of those whose lines it works on.
func (p *Part) Resume(pool Pool) {
	for q := p; q != nil; q = q.group.line.outer {
		q.made = pool.Len()
	}
}

// SpendMade is Spend that also counts the terms which the part has made since it was called last, or since Resume was.
func (p *Part) SpendMade(work time.Duration, pool Pool) {
	if p.made > 0 {
		work += time.Duration(pool.Len()-p.made) * eachTerm
	}
	p.Spend(work)
	p.Resume(pool)
}

// SpendMade counts the terms that the part of ctx has made, and waits for the part's turn; nothing where time counts.
func SpendMade(ctx context.Context, pool Pool) {
	if p := Of(ctx); p != nil {
		p.SpendMade(0, pool)
	}
}
