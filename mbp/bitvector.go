package mbp

// bitVectors eliminates variables of bit-vector sorts. It reports whether it did something.
func (s *system) bitVectors() bool { return false }
