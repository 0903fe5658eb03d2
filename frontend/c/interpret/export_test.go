package interpret

import "math"

// Bytes answers with the values that the bytes spell, eight or fewer a value as the type needs; then with zero. It serves
// fuzzing.
type Bytes struct{ Data []byte }

// Choose takes the next bytes.
func (b *Bytes) Choose(q Question) (Value, error) {
	s := shapeOf(q.Type)
	n := int(min(s.size, 8, int64(len(b.Data))))
	var bits uint64
	for i, x := range b.Data[:n] {
		bits |= uint64(x) << (8 * i)
	}
	b.Data = b.Data[n:]
	switch s.class {
	case pointer:
		if bits&1 != 0 && q.Asked != Uninitialised {
			return Fresh(), nil
		}
		return Int(0), nil
	case float32Class:
		return Real(float64(math.Float32frombits(uint32(bits)))), nil
	case float64Class, extended:
		return Real(math.Float64frombits(bits)), nil
	}
	return Unsigned(bits), nil
}
