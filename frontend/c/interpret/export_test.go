package interpret

import (
	"math"

	"hornbeam/frontend/c/interpret/turns"
)

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

// Soon has runs of the program leave out turns that are alike as soon as there are two, and without executing any of those unless they
// are compared.
func (p *Program) Soon(compared bool) { p.soon, p.unseen = true, !compared }

// Wrong has runs of the program take one turn more than was found to be alike, or, with value set, add one to what each turn adds.
func (p *Program) Wrong(value bool) {
	p.altered = func(f *turns.Found) {
		for i := range f.State.Locals {
			if value {
				f.Step.Locals[i].Bits++
			}
			f.State.Locals[i].Bits += f.Step.Locals[i].Bits
		}
	}
}
