package interpret

// Equal reports whether two values of one type are equal.
func Equal(a, b Value) (bool, error) { return equal(a, b) }

// BitVectorFunction applies a function of two bit-vectors.
func BitVectorFunction(name string, a, b BitVector) Value { return bitVectorBinary(name, a, b) }
