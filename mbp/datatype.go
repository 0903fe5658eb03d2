package mbp

// datatypes eliminates variables of datatype sorts. It reports whether it did something.
func (s *system) datatypes() bool { return false }
