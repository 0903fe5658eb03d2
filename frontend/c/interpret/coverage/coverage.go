// Package coverage says what runs of a program have covered, for a search that keeps those that go new ways.
package coverage

// Run counts where a run's tests led, and from where: pairs of instructions, by a hash.
type Run struct {
	counts  [1 << coverageBits]uint32
	touched []uint32
	last    uint32
	// Pairs are values that were found to be different: another run may make them equal. Of many the last are kept.
	Pairs []Pair
	next  int
}

// maxPairs is how many pairs of compared values a run keeps.
const maxPairs = 64

// Pair is the operands of == or != that differed.
type Pair struct{ X, Y uint64 }

// Differ notes two values that were compared.
func (c *Run) Differ(x, y uint64) {
	if len(c.Pairs) < maxPairs {
		c.Pairs = append(c.Pairs, Pair{x, y})
		return
	}
	c.Pairs[c.next%maxPairs] = Pair{x, y}
	c.next++
}

const coverageBits = 15

// Hit counts that a test led to an instruction, by its number.
func (c *Run) Hit(number int) {
	i := (uint32(number)*0x9e3779b1 ^ c.last) >> (32 - coverageBits)
	c.last = uint32(number) * 0x85ebca6b >> 1
	if c.counts[i] == 0 {
		c.touched = append(c.touched, i)
	}
	c.counts[i]++
}

// Reset forgets a run.
func (c *Run) Reset() {
	for _, i := range c.touched {
		c.counts[i] = 0
	}
	c.touched, c.last, c.Pairs, c.next = c.touched[:0], 0, nil, 0
}

// Seen is what all runs so far covered: for each pair a bit for each bucket of counts.
type Seen [1 << coverageBits]uint8

// Add adds a run, and tells whether it has something new.
func (s *Seen) Add(c *Run) bool {
	fresh := false
	for _, i := range c.touched {
		if b := bucket(c.counts[i]); s[i]&b == 0 {
			s[i] |= b
			fresh = true
		}
	}
	return fresh
}

// bucket makes one bit of how often something happened: once, twice, three times, up to 7, 15, 31, 127, more.
func bucket(n uint32) uint8 {
	switch {
	case n <= 3:
		return 1 << (n - 1)
	case n < 8:
		return 8
	case n < 16:
		return 16
	case n < 32:
		return 32
	case n < 128:
		return 64
	}
	return 128
}
