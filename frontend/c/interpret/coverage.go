package interpret

// coverage counts where a run's tests led, and from where: pairs of instructions, by a hash.
type coverage struct {
	counts  [1 << coverageBits]uint32
	touched []uint32
	last    uint32
	// pairs are values that were found to be different: another run may make them equal. Of many the last are kept.
	pairs []pair
	next  int
}

// pair is the operands of == or != that differed.
type pair struct{ x, y uint64 }

// differ notes two values that were compared.
func (c *coverage) differ(x, y uint64) {
	if len(c.pairs) < maxPairs {
		c.pairs = append(c.pairs, pair{x, y})
		return
	}
	c.pairs[c.next%maxPairs] = pair{x, y}
	c.next++
}

const coverageBits = 15

// hit counts that a test led to an instruction, by its number.
func (c *coverage) hit(number int) {
	i := (uint32(number)*0x9e3779b1 ^ c.last) >> (32 - coverageBits)
	c.last = uint32(number) * 0x85ebca6b >> 1
	if c.counts[i] == 0 {
		c.touched = append(c.touched, i)
	}
	c.counts[i]++
}

// reset forgets a run.
func (c *coverage) reset() {
	for _, i := range c.touched {
		c.counts[i] = 0
	}
	c.touched, c.last, c.pairs, c.next = c.touched[:0], 0, nil, 0
}

// seen is what all runs so far covered: for each pair a bit for each bucket of counts.
type seen [1 << coverageBits]uint8

// add adds a run, and tells whether it has something new.
func (s *seen) add(c *coverage) bool {
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
