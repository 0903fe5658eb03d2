package read

import (
	"hornbeam/frontend/c/tree"
)

// layOut gives the members of a struct or union their places, as gcc does for i386 and x86-64 (System V ABI, "Aggregates and
// Unions" and "Bit-Fields"), and completes the type.
func (r *reader) layOut(rec *record, a attributes) {
	end, align := int64(0), int64(1) // end in bits
	most := r.packed(rec.pos)
	for k, m := range rec.members {
		packed := a.packed || m.packed
		if rec.Union {
			end = 0
		}
		if m.bitField {
			end, align = m.placeBits(end, align, packed, most)
		} else {
			if t, ok := m.typ.(*tree.Array); ok && t.Len < 0 && (rec.Union || k != len(rec.members)-1) {
				r.Fail(m.pos, "the length of %s is missing", m.name)
			}
			of := m.typ.Align()
			if packed {
				of = 1
			}
			of = atMost(max(of, m.aligned), most)
			align = max(align, of)
			end = roundUp(end, of*8)
			m.offset = end
			end += m.typ.Size() * 8
		}
		if rec.Union {
			m.offset = 0
			rec.Layout(max(rec.Size(), (end+7)/8), align)
		}
	}
	align = max(align, a.aligned)
	size := (end + 7) / 8
	if rec.Union {
		size = rec.Size()
	}
	size = roundUp(size, align)
	rec.Layout(size, align)
	rec.Complete = true
	r.listFields(rec)
}

// placeBits places a bit-field that may begin at bit end, and gives where the next member may begin and the alignment of the
// whole so far. A bit-field is within a storage unit of its declared type, unless it is packed
// or a pragma says how members are aligned.
func (m *member) placeBits(end, align int64, packed bool, most int64) (int64, int64) {
	of := m.typ.Align()
	if m.bits == 0 {
		// Nothing but the place of the next one, which neither pragmas nor packed change. It does not align the whole.
		m.offset = roundUp(end, max(of, m.aligned)*8)
		return m.offset, align
	}
	of = atMost(of, most)
	if packed && most == 0 {
		of = 1 // under a pragma, packed does not count for the alignment
	}
	of = atMost(max(of, m.aligned), most)
	if m.name != "" {
		align = max(align, of)
	}
	if m.aligned > 0 {
		end = roundUp(end, of*8)
	}
	// A long long on i386 is aligned as an int is, but its bit-fields may span two of these.
	if unit := of * 8; !packed && most == 0 && (end%unit+int64(m.bits)+unit-1)/unit > m.typ.Size()*8/unit {
		end = roundUp(end, unit)
	}
	m.offset = end
	return end + int64(m.bits), align
}

// listFields makes the fields of a record that has been laid out. Those of anonymous members are among them.
func (r *reader) listFields(rec *record) {
	add := func(f *tree.Field) {
		f.Parent, f.Index = rec.Struct, len(rec.Fields)
		rec.Fields = append(rec.Fields, f)
	}
	for _, m := range rec.members {
		switch {
		case m.anonymous != nil:
			m.lifted = map[*tree.Field]*tree.Field{}
			for _, inner := range m.anonymous.Fields {
				f := *inner
				f.Offset += m.offset / 8
				m.lifted[inner] = &f
				add(&f)
			}
		case m.name == "":
			// padding
		case m.bitField:
			f := &tree.Field{Name: m.name, Type: m.typ, Bits: m.bits}
			f.Offset, f.Shift = storageUnit(m.offset, int64(m.bits), m.typ.Size(), rec.Size())
			m.field = f
			add(f)
		default:
			m.field = &tree.Field{Name: m.name, Type: m.typ, Offset: m.offset / 8}
			add(m.field)
		}
	}
	seen := map[string]bool{}
	for _, f := range rec.Fields {
		if seen[f.Name] {
			r.Fail(r.source.Place(rec.pos), "%s has two members %s", rec.Struct, f.Name)
		}
		seen[f.Name] = true
	}
}

// storageUnit is the byte at which the unit of a bit-field begins, and where the bit-field begins in it: the aligned unit of
// its type if that has the whole bit-field and is within the struct, else what begins with the bit-field's first byte.
func storageUnit(offset, bits, unit, size int64) (int64, int) {
	begin := offset / (unit * 8) * unit
	if offset+bits > (begin+unit)*8 || begin+unit > size {
		begin = offset / 8
	}
	return begin, int(offset - begin*8)
}

// atMost is an alignment within the bound that a pragma sets.
func atMost(align, most int64) int64 {
	if most > 0 {
		return min(align, most)
	}
	return align
}

// roundUp is the least multiple of unit that is not less than n.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }
