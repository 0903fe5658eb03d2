package interpret

import (
	"math/big"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// mask has the bits of a width set.
func mask(width int) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return n.Sub(n, big.NewInt(1))
}

// wrap is the bit-vector of a width that a number stands for modulo 2^width.
func wrap(width int, n *big.Int) Value { return BitVector{width, new(big.Int).And(n, mask(width))} }

// signed is a bit-vector's number in two's complement.
func signed(v BitVector) *big.Int {
	if v.Width > 0 && v.N.Bit(v.Width-1) == 1 {
		return new(big.Int).Sub(v.N, new(big.Int).Lsh(big.NewInt(1), uint(v.Width)))
	}
	return v.N
}

// extract has the bits high … low.
func extract(v BitVector, high, low int) Value {
	return wrap(high-low+1, new(big.Int).Rsh(v.N, uint(low)))
}

// bitVector applies an operator of the theory of bit-vectors; nil when it is none.
func bitVector(name string, indices []int, a BitVector, more []Value) Value {
	if len(more) == 0 {
		return bitVectorUnary(name, indices, a)
	}
	if name == "concat" && len(indices) == 0 {
		b, ok := more[0].(BitVector)
		if !ok || len(more) > 1 {
			return nil
		}
		n := new(big.Int).Lsh(a.N, uint(b.Width))
		return BitVector{a.Width + b.Width, n.Or(n, b.N)}
	}
	b, ok := more[0].(BitVector)
	if !ok || len(indices) > 0 || b.Width != a.Width {
		return nil
	}
	if len(more) > 1 {
		// Some operators take any number of arguments.
		switch name {
		case "bvadd", "bvmul", "bvand", "bvor", "bvxor":
			return bitVector(name, nil, bitVectorBinary(name, a, b).(BitVector), more[1:])
		}
		return nil
	}
	return bitVectorBinary(name, a, b)
}

func bitVectorUnary(name string, indices []int, a BitVector) Value {
	switch len(indices) {
	case 0:
		switch name {
		case "bvnot":
			return wrap(a.Width, new(big.Int).Not(a.N))
		case "bvneg":
			return wrap(a.Width, new(big.Int).Neg(a.N))
		case "bv2nat", "bv2int", "ubv_to_int":
			return Int{a.N}
		}
	case 1:
		k := indices[0]
		switch name {
		case "zero_extend":
			return BitVector{a.Width + k, a.N}
		case "sign_extend":
			return wrap(a.Width+k, signed(a))
		case "rotate_left", "rotate_right":
			k %= a.Width
			if name == "rotate_right" {
				k = (a.Width - k) % a.Width
			}
			n := new(big.Int).Lsh(a.N, uint(k))
			return wrap(a.Width, n.Or(n, new(big.Int).Rsh(a.N, uint(a.Width-k))))
		case "repeat":
			n := new(big.Int)
			for range k {
				n.Or(n.Lsh(n, uint(a.Width)), a.N)
			}
			return BitVector{a.Width * k, n}
		}
	case 2:
		if name == "extract" && indices[0] < a.Width && 0 <= indices[1] && indices[1] <= indices[0] {
			return extract(a, indices[0], indices[1])
		}
	}
	return nil
}

// bitOperations are the operators that compute modulo 2^width; a division by zero is not among what they see.
var bitOperations = map[string]func(n, a, b *big.Int) *big.Int{
	"bvadd": (*big.Int).Add, "bvsub": (*big.Int).Sub, "bvmul": (*big.Int).Mul, "bvudiv": (*big.Int).Quo, "bvurem": (*big.Int).Rem,
	"bvand": (*big.Int).And, "bvor": (*big.Int).Or, "bvxor": (*big.Int).Xor,
	"bvnand": func(n, a, b *big.Int) *big.Int { return n.Not(n.And(a, b)) },
	"bvnor":  func(n, a, b *big.Int) *big.Int { return n.Not(n.Or(a, b)) },
	"bvxnor": func(n, a, b *big.Int) *big.Int { return n.Not(n.Xor(a, b)) },
}

// signedOperations are those of bitOperations whose operands are numbers in two's complement.
var signedOperations = map[string]func(n, a, b *big.Int) *big.Int{
	"bvsdiv": (*big.Int).Quo, "bvsrem": (*big.Int).Rem,
	"bvsmod": func(n, a, b *big.Int) *big.Int {
		// The remainder has the sign of the divisor.
		if n.Rem(a, b); n.Sign() != 0 && n.Sign() != b.Sign() {
			n.Add(n, b)
		}
		return n
	},
}

// bitComparisons are the comparisons, by what their names have behind bvu and bvs.
var bitComparisons = map[string]ast.BinaryOp{"lt": ast.Less, "le": ast.LessEq, "gt": ast.Greater, "ge": ast.GreaterEq}

func bitVectorBinary(name string, a, b BitVector) Value {
	s, t := signed(a), signed(b)
	if b.N.Sign() == 0 {
		switch name {
		case "bvudiv":
			return BitVector{a.Width, mask(a.Width)}
		case "bvsdiv":
			if s.Sign() < 0 {
				return wrap(a.Width, big.NewInt(1))
			}
			return BitVector{a.Width, mask(a.Width)}
		case "bvurem", "bvsrem", "bvsmod":
			return a
		}
	}
	if f := bitOperations[name]; f != nil {
		return wrap(a.Width, f(new(big.Int), a.N, b.N))
	}
	if f := signedOperations[name]; f != nil {
		return wrap(a.Width, f(new(big.Int), s, t))
	}
	switch name {
	case "bvshl", "bvlshr", "bvashr":
		return shift(name, a, b, s)
	case "bvcomp":
		if a.N.Cmp(b.N) == 0 {
			return BitVector{1, big.NewInt(1)}
		}
		return BitVector{1, new(big.Int)}
	}
	order := a.N.Cmp(b.N)
	kind, found := strings.CutPrefix(name, "bvu")
	if !found {
		order = s.Cmp(t)
		kind, _ = strings.CutPrefix(name, "bvs")
	}
	if op, ok := bitComparisons[kind]; ok {
		v, _ := compare(op, order)
		return v
	}
	return nil
}

// shift shifts by a bit-vector; by the width or more, only the fill is left.
func shift(name string, a, b BitVector, s *big.Int) Value {
	k := uint(a.Width)
	if b.N.IsUint64() && b.N.Uint64() < uint64(a.Width) {
		k = uint(b.N.Uint64())
	}
	n := new(big.Int)
	switch name {
	case "bvshl":
		return wrap(a.Width, n.Lsh(a.N, k))
	case "bvlshr":
		return wrap(a.Width, n.Rsh(a.N, k))
	}
	return wrap(a.Width, n.Rsh(s, k))
}
