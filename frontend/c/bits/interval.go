package bits

import "math/big"

// interval is a set of numbers: those from low to high. A nil bound is none. The zero interval is all numbers.
type interval struct{ low, high *big.Int }

func point(n *big.Int) interval { return interval{n, n} }

func (i interval) isPoint() bool { return i.low != nil && i.high != nil && i.low.Cmp(i.high) == 0 }

// empty tells whether no number is in the interval.
func (i interval) empty() bool { return i.low != nil && i.high != nil && i.low.Cmp(i.high) > 0 }

// in tells whether all of i is in j.
func (i interval) in(j interval) bool {
	if i.empty() {
		return true
	}
	return (j.low == nil || i.low != nil && i.low.Cmp(j.low) >= 0) && (j.high == nil || i.high != nil && i.high.Cmp(j.high) <= 0)
}

func (i interval) equal(j interval) bool { return i.in(j) && j.in(i) }

// join is the least interval with both in it.
func (i interval) join(j interval) interval {
	switch {
	case i.empty():
		return j
	case j.empty():
		return i
	}
	var r interval
	if i.low != nil && j.low != nil {
		r.low = least(i.low, j.low)
	}
	if i.high != nil && j.high != nil {
		r.high = greatest(i.high, j.high)
	}
	return r
}

// meet is what both have.
func (i interval) meet(j interval) interval {
	r := i
	if j.low != nil && (r.low == nil || r.low.Cmp(j.low) < 0) {
		r.low = j.low
	}
	if j.high != nil && (r.high == nil || r.high.Cmp(j.high) > 0) {
		r.high = j.high
	}
	return r
}

// widen is i with the bounds that j moves outwards replaced by the next of the thresholds, which are ascending.
func (i interval) widen(j interval, thresholds []*big.Int) interval {
	if i.empty() {
		return j
	}
	j = i.join(j)
	r := j
	if r.low != nil && i.low != nil && r.low.Cmp(i.low) < 0 {
		r.low = nil
		for _, t := range thresholds {
			if t.Cmp(j.low) <= 0 {
				r.low = t
			}
		}
	}
	if r.high != nil && i.high != nil && r.high.Cmp(i.high) > 0 {
		r.high = nil
		for _, t := range thresholds {
			if t.Cmp(j.high) >= 0 {
				r.high = t
				break
			}
		}
	}
	return r
}

func (i interval) add(j interval) interval {
	var r interval
	if i.low != nil && j.low != nil {
		r.low = new(big.Int).Add(i.low, j.low)
	}
	if i.high != nil && j.high != nil {
		r.high = new(big.Int).Add(i.high, j.high)
	}
	return r
}

func (i interval) negate() interval {
	var r interval
	if i.high != nil {
		r.low = new(big.Int).Neg(i.high)
	}
	if i.low != nil {
		r.high = new(big.Int).Neg(i.low)
	}
	return r
}

func (i interval) mul(j interval) interval {
	if i.low == nil || i.high == nil || j.low == nil || j.high == nil {
		return interval{}
	}
	var r interval
	for _, x := range []*big.Int{i.low, i.high} {
		for _, y := range []*big.Int{j.low, j.high} {
			p := new(big.Int).Mul(x, y)
			if r.low == nil || p.Cmp(r.low) < 0 {
				r.low = p
			}
			if r.high == nil || p.Cmp(r.high) > 0 {
				r.high = p
			}
		}
	}
	return r
}

// notNegative tells whether all numbers of the interval are at least 0.
func (i interval) notNegative() bool { return i.low != nil && i.low.Sign() >= 0 }

func least(x, y *big.Int) *big.Int {
	if x.Cmp(y) <= 0 {
		return x
	}
	return y
}

func greatest(x, y *big.Int) *big.Int {
	if x.Cmp(y) >= 0 {
		return x
	}
	return y
}
