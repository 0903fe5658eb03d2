package engine

import (
	"sync"
	"sync/atomic"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Exchange is the board of the engines that work on one clause system: what one of them has learned for good, the others
// may use. Nothing is ever taken off it, and nothing on it depends on the engine that posted it. Engines take part by
// Join; a nil Exchange is one that nobody takes part in. It is safe for several goroutines. Asking for lemmas when there
// are no new ones costs one atomic load.
type Exchange struct {
	system *chc.System

	mu      sync.Mutex
	lemmas  []Lemma
	posters []int
	known   map[Lemma]bool
	members int
	// count is the length of the list, to be read without the lock.
	count atomic.Int64
}

// Lemma is a lemma at infinity: Formula, without quantifiers and over witness.CanonicalParams of the predicate, holds of
// every tuple that the clauses derive, in any number of steps.
//
// All the lemmas on a board together are inductive: in every clause that has a head, the lemmas of the body's atoms and
// the constraint imply those of the head. That is more than that each one holds, and it is what makes a model out of a
// proof that uses some of them: the model says all that its maker has read. What a poster promises is that its post is
// inductive together with what it posted and read before. Since two inductive sets are inductive together (each half of
// the heads follows from its half of the bodies), posts of others in between do not matter.
type Lemma struct {
	Predicate *chc.Predicate
	Formula   *term.Term
}

// NewExchange returns an empty board for engines that work on the system.
func NewExchange(sys *chc.System) *Exchange { return &Exchange{system: sys, known: map[Lemma]bool{}} }

// Participant is an engine's place at an Exchange: it knows what the engine has read. It belongs to one goroutine. A nil
// one posts nothing and reads nothing.
type Participant struct {
	exchange *Exchange
	id       int
	// seen is the number of lemmas on the board when the engine last read.
	seen int
}

// Join returns a place for an engine that works on the system: nil when there is no board, or when it is not for that
// system, as in an engine that hands its settings on to another one that works on clauses of its making.
func (x *Exchange) Join(sys *chc.System) *Participant {
	if x == nil || x.system != sys {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.members++
	return &Participant{exchange: x, id: x.members}
}

// PostLemmas posts lemmas, all at once: whoever reads one of them reads them all. It returns how many of them were not on
// the board yet.
func (p *Participant) PostLemmas(lemmas ...Lemma) int {
	if p == nil || len(lemmas) == 0 {
		return 0
	}
	x := p.exchange
	x.mu.Lock()
	defer x.mu.Unlock()
	before := len(x.lemmas)
	for _, l := range lemmas {
		if l.Formula.IsTrue() || x.known[l] {
			continue
		}
		x.known[l] = true
		x.lemmas = append(x.lemmas, l)
		x.posters = append(x.posters, p.id)
	}
	x.count.Store(int64(len(x.lemmas)))
	return len(x.lemmas) - before
}

// Lemmas returns what others have posted since the last call, in the order in which it came.
func (p *Participant) Lemmas() []Lemma {
	if p == nil || int(p.exchange.count.Load()) == p.seen {
		return nil
	}
	x := p.exchange
	x.mu.Lock()
	defer x.mu.Unlock()
	var news []Lemma
	for ; p.seen < len(x.lemmas); p.seen++ {
		if x.posters[p.seen] != p.id {
			news = append(news, x.lemmas[p.seen])
		}
	}
	return news
}
