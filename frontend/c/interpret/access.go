package interpret

import (
	"encoding/binary"
	"math"
	"math/big"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// check ends the run unless the object has the bytes.
func (m *machine) check(o *object, off, n int64, at tree.Node) {
	if o.dead || off < 0 || off+n > o.size {
		m.outside(o, off, n, at)
	}
}

// read is a scalar of an object, as a register has it. What is unknown of it is chosen first.
func (m *machine) read(o *object, off int64, s *shape, t tree.Type, at tree.Node) uint64 {
	if uint64(off) > uint64(o.size) || off+s.size > o.size || o.dead {
		m.check(o, off, s.size, at)
	}
	if o.bare != nil || m.follows && o.pages != nil {
		m.meet(o, off, s.size)
	}
	if s.size > 8 {
		if m.accessed != nil {
			m.accessed(Access{Address: o.base + uint64(off), Size: s.size})
		}
		return m.readLarge(o, off, s, t, at)
	}
	keep := m.keeps
	m.keeps = false
	var raw uint64
	if o.unknown == nil && o.data != nil {
		switch s.size {
		case 4:
			raw = uint64(binary.LittleEndian.Uint32(o.data[off:]))
		case 1:
			raw = uint64(o.data[off])
		case 8:
			raw = binary.LittleEndian.Uint64(o.data[off:])
		default:
			raw = uint64(binary.LittleEndian.Uint16(o.data[off:]))
		}
	} else {
		m.settle(o, off, s, t, at)
		for i := s.size - 1; i >= 0; i-- {
			b, _ := m.peek(o, off+i, at)
			raw = raw<<8 | uint64(b)
		}
	}
	bits := s.decode(raw)
	if o.linear != nil {
		m.readLinear(o, off, s, bits, keep)
	}
	if m.accessed != nil {
		m.hasRead(o, off, s, t, bits, at)
	}
	return bits
}

// decode makes a register's value of what is in memory.
func (s *shape) decode(raw uint64) uint64 {
	switch s.class {
	case float32Class:
		return math.Float64bits(float64(math.Float32frombits(uint32(raw))))
	case float64Class:
		return raw
	}
	return s.wrap(raw)
}

// encode is what is in memory for a register's value.
func (s *shape) encode(bits uint64) uint64 {
	if s.class == float32Class {
		return uint64(math.Float32bits(float32(math.Float64frombits(bits))))
	}
	return bits
}

// write stores a register's value.
func (m *machine) write(o *object, off int64, s *shape, bits uint64, at tree.Node) {
	if uint64(off) > uint64(o.size) || off+s.size > o.size || o.dead || o.readonly {
		m.check(o, off, s.size, at)
		m.fault(at, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
	}
	if m.tracking > 0 || m.accessed != nil {
		m.wrote(o, off, s.size)
	}
	if from := m.taken(); from != nil || o.bare != nil || m.follows && o.pages != nil {
		m.setBytes(o, off, s.size, from != nil)
	}
	if s.size > 8 {
		m.writeLarge(o, off, s, bits, at)
		return
	}
	if m.given != nil {
		o.dropLinear(off, s.size)
		defer o.hold(off, s.size, m.takeSum())
	}
	raw := s.encode(bits)
	if o.unknown == nil && o.data != nil {
		switch s.size {
		case 4:
			binary.LittleEndian.PutUint32(o.data[off:], uint32(raw))
		case 1:
			o.data[off] = byte(raw)
		case 8:
			binary.LittleEndian.PutUint64(o.data[off:], raw)
		default:
			binary.LittleEndian.PutUint16(o.data[off:], uint16(raw))
		}
		return
	}
	for i := range s.size {
		m.setByte(o, off+i, byte(raw>>(8*i)), true, at)
	}
}

// settle chooses a scalar if not all of its bytes are known, and stores the bytes that are not.
func (m *machine) settle(o *object, off int64, s *shape, t tree.Type, at tree.Node) {
	missing := int64(0)
	for i := range s.size {
		if _, known := m.peek(o, off+i, at); !known {
			missing++
		}
	}
	if missing == 0 {
		return
	}
	whole := missing == s.size
	if !whole && o.linear != nil {
		o.fixLinear(off, s.size)
	}
	bits := m.choose(Question{Site: Site{o.asked, o.site, o.decl}, Type: t, Offset: off, Base: o.base, open: whole})
	var image [16]byte
	if s.size > 8 {
		image = extendedBytes(math.Float64frombits(bits))
	} else {
		binary.LittleEndian.PutUint64(image[:], s.encode(bits))
	}
	for i := range s.size {
		if _, known := m.peek(o, off+i, at); !known {
			m.setByte(o, off+i, image[i], true, at)
		}
	}
	if m.given != nil && whole {
		o.hold(off, s.size, m.given.input.Sum())
	}
}

// readLarge reads what has more than eight bytes.
func (m *machine) readLarge(o *object, off int64, s *shape, t tree.Type, at tree.Node) uint64 {
	if s.class != extended {
		m.undetermined(at, "an integer of %d bits", s.bits)
	}
	// Only ten bytes of a long double mean something.
	ten := *s
	ten.size = 10
	m.settle(o, off, &ten, t, at)
	var image [16]byte
	for i := range int64(10) {
		image[i], _ = m.byteAt(o, off+i, at)
	}
	x, exact := extendedValue(image)
	if !exact {
		m.undetermined(at, "a long double that no double is equal to")
	}
	return math.Float64bits(x)
}

func (m *machine) writeLarge(o *object, off int64, s *shape, bits uint64, at tree.Node) {
	if s.class != extended {
		m.undetermined(at, "an integer of %d bits", s.bits)
	}
	image := extendedBytes(math.Float64frombits(bits))
	for i := range int64(10) {
		m.setByte(o, off+i, image[i], true, at)
	}
}

// extendedBytes is a long double of x86 that has the value.
func extendedBytes(x float64) [16]byte {
	var image [16]byte
	sign := uint16(math.Float64bits(x) >> 63 << 15)
	var exponent uint16
	var mantissa uint64
	switch {
	case math.IsNaN(x):
		exponent, mantissa = 0x7fff, 3<<62
	case math.IsInf(x, 0):
		exponent, mantissa = 0x7fff, 1<<63
	case x != 0:
		fraction, e := math.Frexp(math.Abs(x))
		exponent, mantissa = uint16(e+16382), uint64(math.Ldexp(fraction, 53))<<11
	}
	binary.LittleEndian.PutUint64(image[:], mantissa)
	binary.LittleEndian.PutUint16(image[8:], exponent|sign)
	return image
}

// extendedValue is the value of a long double of x86, and whether a float64 has it.
func extendedValue(image [16]byte) (float64, bool) {
	mantissa, top := binary.LittleEndian.Uint64(image[:]), binary.LittleEndian.Uint16(image[8:])
	exponent := int(top & 0x7fff)
	sign := 1
	if top>>15 != 0 {
		sign = -1
	}
	switch {
	case exponent == 0x7fff && mantissa<<1 == 0:
		return math.Inf(sign), true
	case exponent == 0x7fff:
		return math.NaN(), true
	case mantissa == 0:
		return math.Copysign(0, float64(sign)), true
	}
	x, accuracy := new(big.Float).SetMantExp(new(big.Float).SetUint64(mantissa), exponent-16383-63).Float64()
	return math.Copysign(x, float64(sign)), accuracy == big.Exact
}

// readField is the value of a bit-field, whose storage unit is at the offset.
func (m *machine) readField(o *object, off int64, f *tree.Field, s *shape, at tree.Node) uint64 {
	first, last := int64(f.Shift/8), int64((f.Shift+f.Bits-1)/8)
	m.check(o, off+first, last-first+1, at)
	var low, high uint64
	for i := last; i >= first; i-- {
		high = high<<8 | low>>56
		low = low<<8 | uint64(m.knownByte(o, off+i, at))
	}
	for bit := f.Shift; bit < f.Shift+f.Bits; bit++ {
		if b := m.bareAt(o, off+int64(bit/8)); b != nil && *b>>(bit%8)&1 != 0 {
			m.from = &source{m.name(o)}
		}
	}
	shift := uint(f.Shift % 8)
	raw := low >> shift
	if shift > 0 {
		raw |= high << (64 - shift)
	}
	narrow := shape{class: integer, bits: uint(f.Bits), signed: s.signed}
	return narrow.wrap(raw)
}

// knownByte is a byte, which is chosen if it is unknown.
func (m *machine) knownByte(o *object, off int64, at tree.Node) byte {
	if m.accessed != nil {
		m.accessed(Access{Address: o.base + uint64(off), Size: 1})
	}
	b, known := m.byteAt(o, off, at)
	if !known {
		b = byte(m.choose(Question{Site: Site{o.asked, o.site, o.decl}, Type: byteType, Offset: off, Base: o.base}))
		m.setByte(o, off, b, true, at)
	}
	return b
}

var (
	byteType = tree.NewInteger("unsigned char", 8, false, 1)
	charType = tree.NewInteger("char", 8, true, 1)
)

// writeField stores a bit-field, and yields the value that it then has.
func (m *machine) writeField(o *object, off int64, f *tree.Field, s *shape, bits uint64, at tree.Node) uint64 {
	first, last := int64(f.Shift/8), int64((f.Shift+f.Bits-1)/8)
	m.check(o, off+first, last-first+1, at)
	if o.readonly {
		m.fault(at, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
	}
	m.wrote(o, off+first, last-first+1)
	from := m.taken()
	for bit := f.Shift; bit < f.Shift+f.Bits; {
		i := off + int64(bit/8)
		n := min(8-bit%8, f.Shift+f.Bits-bit)
		mask := byte((1<<n - 1) << (bit % 8))
		merged := byte(bits>>(bit-f.Shift)) << (bit % 8) & mask
		if mask != 0xff {
			merged |= m.knownByte(o, i, at) &^ mask
		}
		m.setByte(o, i, merged, true, at)
		m.setBits(o, i, mask, from != nil)
		bit += n
	}
	narrow := shape{class: integer, bits: uint(f.Bits), signed: s.signed}
	if s.class == boolean {
		narrow.signed = false
	}
	return narrow.wrap(bits)
}

// chunk is the bytes of a struct; unknown has a 1 where one is not known, and is nil if all are.
type chunk struct {
	data    []byte
	unknown []byte
	// bare has a 1 for each bit that comes from nothing that the program has set; nil if there are none.
	bare []byte
	// linear are the scalars that are, by their offsets.
	linear map[int64]linear
}

// readChunk copies bytes out of an object. Scalars of the type that are not known are chosen first, so that the copy has
// the same; t may be nil.
func (m *machine) readChunk(o *object, off, n int64, t tree.Type, at tree.Node) chunk {
	m.check(o, off, n, at)
	if m.accessed != nil {
		m.accessed(Access{Address: o.base + uint64(off), Size: n})
	}
	m.steps += n / 16
	c := chunk{data: make([]byte, n), bare: m.bareIn(o, off, n)}
	if o.data != nil && o.unknown == nil {
		copy(c.data, o.data[off:])
		c.linear = o.linearIn(off, n)
		return c
	}
	if t != nil {
		m.settleAll(o, off, t, at)
	}
	c.linear = o.linearIn(off, n)
	for i := range n {
		b, known := m.peek(o, off+i, at)
		c.data[i] = b
		if !known {
			if c.unknown == nil {
				c.unknown = make([]byte, n)
			}
			c.unknown[i] = 1
		}
	}
	return c
}

// settleAll chooses all scalars of a type that are not known. Where they overlap the parts are chosen that copies are made of,
// unless there are pointers, which are left alone: it is not known which of the members means something.
func (m *machine) settleAll(o *object, off int64, t tree.Type, at tree.Node) {
	switch t := t.(type) {
	case *tree.Struct:
		if tree.Overlapping(t) {
			m.settleParts(o, off, t, at)
			return
		}
		for _, f := range t.Fields {
			if f.Bits == 0 {
				m.settleAll(o, off+f.Offset, f.Type, at)
				continue
			}
			for i := f.Shift / 8; i <= (f.Shift+f.Bits-1)/8; i++ {
				m.knownByte(o, off+f.Offset+int64(i), at)
			}
		}
	case *tree.Array:
		for i := range max(t.Len, 0) {
			m.settleAll(o, off+i*t.Elem.Size(), t.Elem, at)
		}
	default:
		if s := shapeOf(t); s.size > 0 && off+s.size <= o.size {
			if s.class == extended {
				s.size = 10
			}
			if s.class != wide {
				m.settle(o, off, &s, t, at)
			}
		}
	}
}

// settleParts chooses the parts of an object whose fields overlap.
func (m *machine) settleParts(o *object, off int64, t *tree.Struct, at tree.Node) {
	if tree.HasPointer(t) {
		return
	}
	for _, p := range tree.Partition(t) {
		for k := range p.Count {
			begin := off + p.Offset + k*p.Stride
			if p.Field == nil {
				m.settleAll(o, begin, p.Type, at)
				continue
			}
			for i := p.Field.Shift / 8; i <= (p.Field.Shift+p.Field.Bits-1)/8; i++ {
				m.knownByte(o, begin+int64(i), at)
			}
		}
	}
}

// writeChunk copies bytes into an object.
func (m *machine) writeChunk(o *object, off int64, c chunk, at tree.Node) {
	n := int64(len(c.data))
	m.check(o, off, n, at)
	if o.readonly && n > 0 {
		m.fault(at, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
	}
	m.wrote(o, off, n)
	m.steps += n / 16
	m.copyBare(o, off, n, c.bare)
	if m.given != nil {
		o.dropLinear(off, n)
		defer o.holdAll(off, c.linear)
	}
	if o.data != nil && o.unknown == nil && c.unknown == nil {
		copy(o.data[off:], c.data)
		return
	}
	for i := range n {
		m.setByte(o, off+i, c.data[i], c.unknown == nil || c.unknown[i] == 0, at)
	}
}
