package term

// Map maps terms of one pool to values, by open addressing on their IDs, which is cheaper than Go's map. The zero value is
// empty. A value may be overwritten, never removed.
type Map[V any] struct {
	keys  []uint32 // 0 is free
	vals  []V
	count int
	shift uint8
}

func (m *Map[V]) slot(id uint32) int {
	// Fibonacci hashing spreads consecutive IDs.
	return int(id * 2654435769 >> m.shift)
}

// Get returns the value of t and whether there is one.
func (m *Map[V]) Get(t *Term) (V, bool) {
	if m.count > 0 {
		mask := len(m.keys) - 1
		for i := m.slot(t.id); ; i = (i + 1) & mask {
			switch m.keys[i] {
			case t.id:
				return m.vals[i], true
			case 0:
				var zero V
				return zero, false
			}
		}
	}
	var zero V
	return zero, false
}

// Has reports whether t has a value.
func (m *Map[V]) Has(t *Term) bool {
	_, ok := m.Get(t)
	return ok
}

// Len returns the number of terms with a value.
func (m *Map[V]) Len() int { return m.count }

// Put sets the value of t and reports whether t was absent.
func (m *Map[V]) Put(t *Term, v V) bool {
	if 4*(m.count+1) > 3*len(m.keys) {
		m.grow()
	}
	mask := len(m.keys) - 1
	for i := m.slot(t.id); ; i = (i + 1) & mask {
		switch m.keys[i] {
		case t.id:
			m.vals[i] = v
			return false
		case 0:
			m.keys[i], m.vals[i] = t.id, v
			m.count++
			return true
		}
	}
}

func (m *Map[V]) grow() {
	keys, vals := m.keys, m.vals
	if len(keys) == 0 {
		m.keys, m.vals, m.shift = make([]uint32, 16), make([]V, 16), 28
		return
	}
	m.keys, m.vals = make([]uint32, 2*len(keys)), make([]V, 2*len(keys))
	m.shift--
	mask := len(m.keys) - 1
	for j, id := range keys {
		if id == 0 {
			continue
		}
		i := m.slot(id)
		for m.keys[i] != 0 {
			i = (i + 1) & mask
		}
		m.keys[i], m.vals[i] = id, vals[j]
	}
}

// idSet is a set of terms of one pool, by bits for 64 consecutive IDs each: terms that are made together are visited together. The zero
// value is empty.
type idSet struct {
	blocks []idBlock
	count  int
	shift  uint8
}

// idBlock has a bit for each of 64 IDs that is in the set; bits is 0 where the slot is free.
type idBlock struct {
	bits  uint64
	first uint32
}

// add reports whether t was absent.
func (s *idSet) add(t *Term) bool {
	if 4*(s.count+1) > 3*len(s.blocks) {
		s.grow()
	}
	b, bit := s.block(t.id>>6), uint64(1)<<(t.id&63)
	if b.bits == 0 {
		b.first = t.id >> 6
		s.count++
	}
	absent := b.bits&bit == 0
	b.bits |= bit
	return absent
}

func (s *idSet) has(t *Term) bool {
	return s.count > 0 && s.block(t.id>>6).bits>>(t.id&63)&1 != 0
}

// block returns the slot of a block, or the free slot for it.
func (s *idSet) block(first uint32) *idBlock {
	mask := uint32(len(s.blocks) - 1)
	for i := first * 2654435769 >> s.shift; ; i = (i + 1) & mask {
		if b := &s.blocks[i]; b.bits == 0 || b.first == first {
			return b
		}
	}
}

func (s *idSet) grow() {
	old := s.blocks
	if len(old) == 0 {
		s.blocks, s.shift = make([]idBlock, 4), 30
		return
	}
	s.blocks = make([]idBlock, 2*len(old))
	s.shift--
	for _, b := range old {
		if b.bits != 0 {
			*s.block(b.first) = b
		}
	}
}
