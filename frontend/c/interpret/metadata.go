package interpret

import (
	"math/big"
	"slices"

	"hornbeam/frontend/c/tree"
)

// What SeaHorn knows of memory beside what it holds. Where SeaHorn's own documents leave open what a function says, the run is
// Undetermined.

// track is what is known of an object.
type track struct {
	// allocated says that tracking was on when the object was made, and freed that sea_free was called for it since.
	allocated, freed bool
	// uncertain says that tracking was off at one of these times.
	uncertain bool
	// modified has the bytes that were written since the tracking with the number began.
	modified map[int64]int
}

// shadow is where something is kept beside memory: in a slot, at an address.
type shadow struct{ slot, address uint64 }

// born notes that an object is made anew.
func (m *machine) born(o *object) {
	o.track = track{allocated: m.tracking > 0, uncertain: m.tracking <= 0}
}

// wrote notes that bytes of an object are written.
func (m *machine) wrote(o *object, off, n int64) {
	if m.accessed != nil {
		m.accessed(Access{Write: true, Address: o.base + uint64(off), Size: n})
	}
	if m.tracking <= 0 {
		return
	}
	if o.track.modified == nil {
		o.track.modified = map[int64]int{}
	}
	for i := off; i < off+n; i++ {
		o.track.modified[i] = m.tracking
	}
}

// metadata calls one of SeaHorn's functions.
func (m *machine) metadata(v *invocation) uint64 {
	n := v.call
	yes := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	switch v.fn.special.Name {
	case "sea_tracking_on":
		m.tracked++
		m.tracking = m.tracked
		return 0
	case "sea_tracking_off":
		m.tracking = 0
		return 0
	case "sea_set_shadowmem", "sea_get_shadowmem":
		return m.shadowed(v)
	}
	address := m.argumentOf(v, 0)
	o := m.find(address)
	switch v.fn.special.Name {
	case "sea_is_dereferenceable":
		size := int64(m.argumentOf(v, 1))
		switch {
		case o != nil && !o.dead:
			end := int64(address-o.base) + size
			return yes(size >= 0 && address >= o.base && end >= size && end <= o.size)
		case address == 0 && size != 0:
			return 0
		}
		m.undetermined(n, "whether there are %d bytes at 0x%x", size, address)
	case "sea_is_alloc":
		switch {
		case address == 0:
			return 0
		case o == nil || o.dead || o.track.uncertain || address-o.base >= uint64(o.size):
			m.undetermined(n, "whether there is an object at 0x%x", address)
		}
		return yes(o.track.allocated && !o.track.freed)
	case "sea_free":
		switch {
		case address == 0:
		case o == nil || o.readonly:
			m.undefined(n, "sea_free of address 0x%x, where there is no object to be freed", address)
		default:
			o.track.freed, o.track.uncertain = true, o.track.uncertain || m.tracking <= 0
		}
		return 0
	case "sea_is_modified", "sea_reset_modified":
		if o == nil || address-o.base >= uint64(o.size) {
			m.undetermined(n, "what is written at 0x%x", address)
		}
		off := int64(address - o.base)
		if v.fn.special.Name == "sea_reset_modified" {
			delete(o.track.modified, off)
			return 0
		}
		last, written := o.track.modified[off]
		return yes(written && last == m.tracked)
	}
	m.undetermined(n, "%s is not supported", v.fn.decl.Name)
	return 0
}

// shadowed writes or reads beside memory. What was never written there is any value.
func (m *machine) shadowed(v *invocation) uint64 {
	if m.tracking <= 0 {
		m.undetermined(v.call, "%s is called while nothing is tracked", v.fn.decl.Name)
	}
	at := shadow{m.argumentOf(v, 0), m.argumentOf(v, 1)}
	if v.fn.special.Name == "sea_set_shadowmem" {
		if m.shadows == nil {
			m.shadows = map[shadow]uint64{}
		}
		m.shadows[at] = m.argumentOf(v, 2)
		return 0
	}
	x, known := m.shadows[at]
	if !known {
		m.undetermined(v.call, "what is beside 0x%x", at.address)
	}
	return x
}

// valid tells whether the elements of an array behind a pointer can be accessed: they are in one object that exists, aligned as their
// type asks for, and in no object that is read only if they are to be written. An empty range of elements is always valid.
func (m *machine) valid(v *invocation) uint64 {
	elem := v.call.Arguments[0].Type().(*tree.Pointer).Elem
	address, first, last := m.argumentOf(v, 0), int64(m.argumentOf(v, 1)), int64(m.argumentOf(v, 2))
	if last < first {
		return 1
	}
	o := m.find(address)
	if o == nil || o.dead || m.argumentOf(v, 3) != 0 && (o.readonly || o.decl != nil && o.decl.Const) {
		return 0
	}
	if in := m.frame; in.fn.decl.Ends != nil && in.caller != nil && slices.Contains(in.caller.objects, o) {
		return 0
	}
	// Where the elements begin and end in the object.
	size, offset := big.NewInt(elem.Size()), big.NewInt(int64(address-o.base))
	from := new(big.Int).Mul(big.NewInt(first), size)
	from.Add(from, offset)
	to := new(big.Int).Add(big.NewInt(last), big.NewInt(1))
	to.Mul(to, size).Add(to, offset)
	if from.Sign() < 0 || to.Cmp(big.NewInt(o.size)) > 0 || new(big.Int).Mod(from, big.NewInt(elem.Align())).Sign() != 0 {
		return 0
	}
	return 1
}
