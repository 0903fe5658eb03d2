package mbp

// arrays eliminates variables of array sorts. It reports whether it did something.
func (s *system) arrays() bool { return false }
