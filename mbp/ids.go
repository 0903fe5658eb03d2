package mbp

import "hornbeam/chc/term"

// termMap maps terms of one pool to values by open addressing on their IDs, which is cheaper than Go's map. The zero
// value is empty.
type termMap[V any] struct {
	ids   []uint32 // 0 is free
	vals  []V
	count int
}

// slot returns where the term is or would be; the table is not empty.
func (m *termMap[V]) slot(id uint32) int {
	mask := len(m.ids) - 1
	i := int(id*2654435769>>7) & mask
	for m.ids[i] != 0 && m.ids[i] != id {
		i = (i + 1) & mask
	}
	return i
}

func (m *termMap[V]) get(t *term.Term) (v V, ok bool) {
	if m.count == 0 {
		return v, false
	}
	if i := m.slot(t.ID()); m.ids[i] != 0 {
		return m.vals[i], true
	}
	return v, false
}

func (m *termMap[V]) has(t *term.Term) bool {
	_, ok := m.get(t)
	return ok
}

func (m *termMap[V]) put(t *term.Term, v V) {
	if 2*(m.count+1) > len(m.ids) {
		m.grow()
	}
	i := m.slot(t.ID())
	if m.ids[i] == 0 {
		m.ids[i] = t.ID()
		m.count++
	}
	m.vals[i] = v
}

func (m *termMap[V]) grow() {
	ids, vals := m.ids, m.vals
	m.ids, m.vals = make([]uint32, max(16, 2*len(ids))), make([]V, max(16, 2*len(ids)))
	for i, id := range ids {
		if id != 0 {
			j := m.slot(id)
			m.ids[j], m.vals[j] = id, vals[i]
		}
	}
}
