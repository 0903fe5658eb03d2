package turns

import "hornbeam/frontend/c/tree"

// compare decides a comparison as in the first turn.
func (s *search) compare(o tree.BinaryOp, x, y affine) bool {
	d := x.minus(y)
	holds := tree.Compare(o, d.constant, 0)
	if !holds {
		o = [...]tree.BinaryOp{tree.Ne, tree.Eq, tree.Ge, tree.Gt, tree.Le, tree.Lt}[o-tree.Eq]
	}
	if o == tree.Ne {
		if o = tree.Gt; d.constant < 0 {
			o = tree.Lt
		}
	}
	switch o {
	case tree.Eq:
		s.require(d)
		s.require(d.times(-1))
	case tree.Lt:
		s.require(d.times(-1).add(-1))
	case tree.Le:
		s.require(d.times(-1))
	case tree.Gt:
		s.require(d.add(-1))
	case tree.Ge:
		s.require(d)
	}
	return holds
}

// bounds are the least and the greatest number of a type, or of those whose distances from all others are within the limit.
func bounds(t *tree.Integer) (low, high int64) {
	switch {
	case t.Bool:
		return 0, 1
	case t.Bits >= 62 && t.Signed:
		return -limit / 2, limit / 2
	case t.Bits >= 61:
		return 0, limit
	case t.Signed:
		return -1 << (t.Bits - 1), 1<<(t.Bits-1) - 1
	}
	return 0, 1<<t.Bits - 1
}

// within requires a form to be between two numbers.
func (s *search) within(x affine, low, high int64) {
	if x.constant < low || x.constant > high {
		fail()
	}
	s.require(x.add(-low))
	s.require(x.times(-1).add(high))
}

// wrap is the number of a type with the same low bits, as many times the type's size away as in the first turn.
func (s *search) wrap(x affine, t *tree.Integer) affine {
	low, high := bounds(t)
	if t.Bool {
		if s.compare(tree.Ne, x, affine{}) {
			return number(1)
		}
		return affine{}
	}
	if t.Bits < 61 {
		size := int64(1) << t.Bits
		x = x.add(product(-floor(x.constant-low, size), size))
	}
	s.within(x, low, high)
	return x
}

// result is the result of an operation of a type.
func (s *search) result(x affine, t *tree.Integer) affine {
	if t.Signed && s.p.Signed || !t.Signed && s.p.Unsigned {
		low, high := bounds(t)
		s.within(x, low, high)
		return x
	}
	return s.wrap(x, t)
}

func (s *search) convert(x affine, t *tree.Integer) affine {
	if s.p.Conversions && !t.Bool {
		low, high := bounds(t)
		s.within(x, low, high)
		return x
	}
	return s.wrap(x, t)
}

// arithmetic is an operation on two numbers of a type.
func (s *search) arithmetic(o tree.BinaryOp, t *tree.Integer, x, y affine) affine {
	switch o {
	case tree.Add:
		return s.result(x.plus(y), t)
	case tree.Sub:
		return s.result(x.minus(y), t)
	case tree.Mul:
		if y.isNumber() {
			return s.result(x.times(y.constant), t)
		}
		if x.isNumber() {
			return s.result(y.times(x.constant), t)
		}
	case tree.And, tree.Or, tree.Xor:
		return s.bitwise(o, x, y)
	case tree.Div, tree.Rem:
		if y.isNumber() && y.constant > 0 {
			return s.divide(o == tree.Rem, x, y.constant)
		}
	case tree.Shl:
		if y.isNumber() && y.constant >= 0 && y.constant < int64(t.Bits) && y.constant < 61 {
			r := s.result(x.times(1<<y.constant), t)
			if s.p.Signed && t.Signed {
				s.within(x, 0, limit)
			}
			return r
		}
	case tree.Shr:
		if y.isNumber() && y.constant >= 0 && y.constant < int64(t.Bits) && y.constant < 61 {
			return s.quotient(x, 1<<y.constant)
		}
	}
	fail()
	return affine{}
}

func (s *search) bitwise(o tree.BinaryOp, x, y affine) affine {
	if x.isNumber() && y.isNumber() {
		switch o {
		case tree.And:
			return number(x.constant & y.constant)
		case tree.Or:
			return number(x.constant | y.constant)
		}
		return number(x.constant ^ y.constant)
	}
	// The low bits of a number are its remainder.
	if x.isNumber() {
		x, y = y, x
	}
	if m := y.constant; o == tree.And && y.isNumber() && m >= 0 && m&(m+1) == 0 {
		return x.minus(s.quotient(x, m+1).times(m + 1))
	}
	fail()
	return affine{}
}

// quotient is the quotient by a positive number, rounded down: as a form if all factors are multiples, and else as in the first turn.
func (s *search) quotient(x affine, by int64) affine {
	if x.divides(by) {
		return x.over(by)
	}
	q := floor(x.constant, by)
	s.within(x, q*by, q*by+by-1)
	return number(q)
}

// divide is C's division by a positive number, which rounds towards zero, or its remainder.
func (s *search) divide(rem bool, x affine, by int64) affine {
	var q affine
	if x.constant >= 0 {
		s.require(x)
		q = s.quotient(x, by)
	} else {
		s.require(x.times(-1))
		q = s.quotient(x.times(-1), by).times(-1)
	}
	if rem {
		return x.minus(q.times(by))
	}
	return q
}
