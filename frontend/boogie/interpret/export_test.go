package interpret

// BitVectorFunction applies a function of two bit-vectors.
func BitVectorFunction(name string, a, b BitVector) Value { return bitVectorBinary(name, a, b) }
