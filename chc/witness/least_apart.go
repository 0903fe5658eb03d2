package witness

import (
	"fmt"
	"math/big"

	"hornbeam/chc/unfold"
)

// apart checks that no derivation has an instance twice, where it would have two meanings but only one formula: whichever way each
// instance is derived in, different premises of a way lead to different instances. The error wraps ErrUndecided.
func apart(u *unfold.Unfolding) error {
	c := reaching{used: map[*unfold.Instance]int{}, of: map[*unfold.Instance]*big.Int{}}
	for _, w := range u.Queries {
		c.count(w)
	}
	for _, w := range u.Queries {
		if _, ok := c.below(w); !ok {
			return fmt.Errorf("%w: two premises of a clause share what they are derived from", ErrUndecided)
		}
	}
	return nil
}

// reaching knows which instances others are derived from.
type reaching struct {
	// used is how often each instance is a premise. Ways meet first in one that is used twice.
	used map[*unfold.Instance]int
	// of has the numbers of the instances used twice, as a set of bits, from which an instance is derived in some way, and its own.
	of map[*unfold.Instance]*big.Int
	// numbered is how many instances have a number.
	numbered int
}

func (c *reaching) count(w *unfold.Way) {
	for _, premise := range w.Premises {
		c.used[premise]++
		if c.used[premise] == 1 {
			for _, way := range premise.Ways {
				c.count(way)
			}
		}
	}
}

// below returns the set of a way; it reports false when two of its premises have an instance in common, or those of a way below it.
func (c *reaching) below(w *unfold.Way) (*big.Int, bool) {
	out := new(big.Int)
	for _, premise := range w.Premises {
		set, ok := c.set(premise)
		if !ok || new(big.Int).And(out, set).Sign() != 0 {
			return nil, false
		}
		out = union(out, set)
	}
	return out, true
}

// set returns the set of an instance, as below does of a way.
func (c *reaching) set(in *unfold.Instance) (*big.Int, bool) {
	if known, ok := c.of[in]; ok {
		return known, true
	}
	out := new(big.Int)
	for _, w := range in.Ways {
		set, ok := c.below(w)
		if !ok {
			return nil, false
		}
		out = union(out, set)
	}
	if c.used[in] > 1 {
		out = new(big.Int).SetBit(out, c.numbered, 1)
		c.numbered++
	}
	c.of[in] = out
	return out, true
}

// union returns the union of two sets, neither of which is changed: b itself where a is empty, so that long chains share one set.
func union(a, b *big.Int) *big.Int {
	if a.Sign() == 0 {
		return b
	}
	return new(big.Int).Or(a, b)
}
