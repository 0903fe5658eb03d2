package interpret

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// Map is a total map from one index to values: a default, and finitely many entries that differ. A map with several
// indices is a map of maps. A Map never changes; the table behind it is shared between versions, the newest of which has
// the entries, and the others what is different in them (Baker's shallow binding).
type Map struct {
	index ast.Type
	// fallback is the value where there is no entry; nil when compute gives it, for a lambda expression.
	fallback Value
	compute  func(Value) (Value, error)
	// same says of a lambda expression which map it defines: those with the same text are equal.
	same func() string
	// table is nil for a version that is not the newest, which is next but for one entry.
	table map[string]entry
	next  *Map
	key   string
	entry entry
	// absent says that the version has no entry at key.
	absent bool
}

type entry struct{ index, value Value }

// NewMap is the map to one value.
func NewMap(index ast.Type, value Value) *Map {
	return &Map{index: index, fallback: value, table: map[string]entry{}}
}

func newComputed(index ast.Type, compute func(Value) (Value, error)) *Map {
	return &Map{index: index, compute: compute, table: map[string]entry{}}
}

// text is what same says, or nothing.
func (m *Map) text() string {
	if m.same == nil {
		return ""
	}
	return m.same()
}

// entries makes the version the newest and returns its table.
func (m *Map) entries() map[string]entry {
	if m.table != nil {
		return m.table
	}
	var way []*Map
	for v := m; v.table == nil; v = v.next {
		way = append(way, v)
	}
	for _, v := range slices.Backward(way) {
		w := v.next // the newest
		table := w.table
		old, had := table[v.key]
		if v.absent {
			delete(table, v.key)
		} else {
			table[v.key] = v.entry
		}
		w.table, w.next, w.key, w.entry, w.absent = nil, v, v.key, old, !had
		v.table, v.next = table, nil
	}
	return m.table
}

// Select is the value at an index.
func (m *Map) Select(index Value) (Value, error) {
	k, err := key(index)
	if err != nil {
		return nil, err
	}
	if e, ok := m.entries()[k]; ok {
		return e.value, nil
	}
	if m.compute != nil {
		return m.compute(index)
	}
	return m.fallback, nil
}

// Store is the map with another value at an index.
func (m *Map) Store(index, value Value) (*Map, error) {
	k, err := key(index)
	if err != nil {
		return nil, err
	}
	table := m.entries()
	old, had := table[k]
	out := &Map{index: m.index, fallback: m.fallback, compute: m.compute, same: m.same, table: table}
	table[k] = entry{index, value}
	m.table, m.next, m.key, m.entry, m.absent = nil, out, k, old, !had
	return out, nil
}

// sorted are the entries in the order of their keys.
func (m *Map) sorted() []entry {
	table := m.entries()
	keys := make([]string, 0, len(table))
	for k := range table {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if len(a) != len(b) && a[0] == b[0] {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	out := make([]entry, len(keys))
	for i, k := range keys {
		out[i] = table[k]
	}
	return out
}

// String lists the entries and the default.
func (m *Map) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for _, e := range m.sorted() {
		if m.fallback != nil {
			if same, err := equal(e.value, m.fallback); err == nil && same {
				continue
			}
		}
		fmt.Fprintf(&b, "%s: %s, ", e.index, e.value)
	}
	if m.fallback == nil {
		return b.String() + "else: …]"
	}
	return b.String() + "else: " + m.fallback.String() + "]"
}

// normal is the same for maps that are equal.
func (m *Map) normal() (string, error) {
	var b strings.Builder
	b.WriteByte('[')
	size, finite := sizeOf(m.index)
	if finite && size.IsInt64() && size.Int64() == int64(len(m.entries())) {
		// No index has the default.
		for _, e := range m.sorted() {
			if err := writeEntry(&b, e); err != nil {
				return "", err
			}
		}
		return b.String() + "]", nil
	}
	if m.fallback == nil {
		return "", undeterminedf("a map that a lambda expression defines, as an index")
	}
	if finite && size.Cmp(big.NewInt(maxDomain)) <= 0 {
		full := m
		all, err := domainOf(m.index)
		if err != nil {
			return "", err
		}
		for _, i := range all {
			v, err := m.Select(i)
			if err != nil {
				return "", err
			}
			if full, err = full.Store(i, v); err != nil {
				return "", err
			}
		}
		return full.normal()
	}
	for _, e := range m.sorted() {
		same, err := equal(e.value, m.fallback)
		if err != nil {
			return "", err
		}
		if !same {
			if err := writeEntry(&b, e); err != nil {
				return "", err
			}
		}
	}
	k, err := key(m.fallback)
	return b.String() + "|" + k + "]", err
}

func writeEntry(b *strings.Builder, e entry) error {
	k, err := key(e.index)
	if err != nil {
		return err
	}
	v, err := key(e.value)
	if err != nil {
		return err
	}
	b.WriteString(k + ":" + v + ",")
	return nil
}

// equalMaps compares maps at every index: where either has an entry, and everywhere else by the defaults, if there is
// such a place.
func equalMaps(a, b *Map) (bool, error) {
	if a == b {
		return true, nil
	}
	seen := map[string]bool{}
	open := error(nil)
	compare := func(index Value) (bool, error) {
		x, err := a.Select(index)
		if err != nil {
			return false, err
		}
		y, err := b.Select(index)
		if err != nil {
			return false, err
		}
		return equal(x, y)
	}
	for _, m := range []*Map{a, b} {
		for _, e := range m.sorted() {
			k, err := key(e.index)
			if err != nil {
				return false, err
			}
			if seen[k] {
				continue
			}
			seen[k] = true
			switch same, err := compare(e.index); {
			case err != nil:
				open = err
			case !same:
				return false, nil
			}
		}
	}
	size, finite := sizeOf(a.index)
	switch {
	case finite && size.IsInt64() && size.Int64() == int64(len(seen)):
		return open == nil, open
	case finite && size.Cmp(big.NewInt(maxDomain)) <= 0:
		all, err := domainOf(a.index)
		if err != nil {
			return false, err
		}
		for _, i := range all {
			switch same, err := compare(i); {
			case err != nil:
				open = err
			case !same:
				return false, nil
			}
		}
		return open == nil, open
	case a.fallback == nil || b.fallback == nil:
		if a.compute != nil && b.compute != nil && a.text() != "" && a.text() == b.text() {
			return open == nil, open
		}
		for _, i := range samples(a.index) {
			if same, err := compare(i); err == nil && !same {
				return false, nil
			}
		}
		return false, undeterminedf("the equality of maps of which a lambda expression defines one")
	}
	switch same, err := equal(a.fallback, b.fallback); {
	case err != nil:
		return false, err
	case !same:
		return false, nil
	}
	return open == nil, open
}

// Entries are the value of a map where it has no entry, nil for the map of a lambda expression, and the entries in order,
// each an index and a value.
func (m *Map) Entries() (fallback Value, entries [][2]Value) {
	for _, e := range m.sorted() {
		entries = append(entries, [2]Value{e.index, e.value})
	}
	return m.fallback, entries
}
