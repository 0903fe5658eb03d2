package walk

import "math/bits"

// valuation is what is known of the operations of a code.
type valuation struct {
	*code
	values []int64
	known  []bool
	// set says which variables have values.
	set []bool
	// low and high bound the variables that have none.
	low, high []int64
	changed   bool
}

func newValuation(c *code) *valuation {
	n := len(c.vars)
	return &valuation{
		code: c, values: make([]int64, len(c.ops)), known: make([]bool, len(c.ops)), set: make([]bool, n), low: make([]int64, n), high: make([]int64, n),
	}
}

// clear forgets all values.
func (v *valuation) clear() {
	clear(v.set)
	for i := range v.low {
		v.low[i], v.high[i] = -largest, largest
	}
}

// assign gives a variable a value; it reports false where that is out of range.
func (v *valuation) assign(x int32, n int64) bool {
	if v.set[x] {
		return v.values[x] == n
	}
	if n < v.low[x] || n > v.high[x] {
		return false
	}
	v.values[x], v.set[x], v.known[x], v.changed = n, true, true, true
	return true
}

// propagate derives values from those that are known until there are no more, and reports whether the formula may be true;
// done says that it is.
func (v *valuation) propagate() (ok, done bool, rounds int) {
	for {
		rounds++
		v.evaluate()
		if v.known[v.root] {
			return v.values[v.root] == 1, v.values[v.root] == 1, rounds
		}
		v.changed = false
		if !v.force(v.root, 1) {
			return false, false, rounds
		}
		if !v.changed {
			return true, false, rounds
		}
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// evaluate computes the operations whose arguments are known, as far as is needed.
func (v *valuation) evaluate() {
	for i := range v.ops {
		o := &v.ops[i]
		if o.kind == variable {
			v.known[i] = v.set[i]
			continue
		}
		v.values[i], v.known[i] = v.compute(o)
	}
}

func (v *valuation) compute(o *operation) (int64, bool) {
	switch o.kind {
	case constant:
		return o.number, true
	case and, or:
		short := truth(o.kind == or)
		all := true
		for _, a := range o.args {
			if !v.known[a] {
				all = false
			} else if v.values[a] == short {
				return short, true
			}
		}
		return 1 - short, all
	case ite:
		if !v.known[o.args[0]] {
			a, b := o.args[1], o.args[2]
			return v.values[a], v.known[a] && v.known[b] && v.values[a] == v.values[b]
		}
		a := o.args[2-v.values[o.args[0]]]
		return v.values[a], v.known[a]
	case sum:
		n := o.number
		for k, a := range o.args {
			if !v.known[a] {
				return 0, false
			}
			p, ok := multiply(o.coefs[k], v.values[a])
			if n += p; !ok || n > largest || n < -largest {
				return 0, false
			}
		}
		return n, true
	}
	for _, a := range o.args {
		if !v.known[a] {
			return 0, false
		}
	}
	x := v.values[o.args[0]]
	switch o.kind {
	case not:
		return 1 - x, true
	case iff:
		return truth(x == v.values[o.args[1]]), true
	case equal:
		return truth(x == o.number), true
	case atMost:
		return truth(x <= o.number), true
	case divides:
		return truth(x%o.number == 0), true
	case absolute:
		return max(x, -x), true
	case product:
		return multiply(x, v.values[o.args[1]])
	case quotient, remainder:
		y := v.values[o.args[1]]
		if y == 0 {
			return 0, false
		}
		q, r := x/y, x%y
		if r < 0 {
			q, r = q-sign(y), r+max(y, -y)
		}
		if o.kind == quotient {
			return q, true
		}
		return r, true
	}
	return 0, false
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

// multiply reports false where the product is too large.
func multiply(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	if hi != 0 || lo > largest {
		return 0, false
	}
	return x * y, true
}

// force makes an operation yield a value, as far as that determines variables; it reports false where it cannot.
func (v *valuation) force(i int32, n int64) bool {
	if v.known[i] {
		return v.values[i] == n
	}
	o := &v.ops[i]
	switch o.kind {
	case variable:
		return v.assign(i, n)
	case not:
		return v.force(o.args[0], 1-n)
	case and, or:
		return v.forceJunction(o, n)
	case iff:
		a, b := o.args[0], o.args[1]
		if v.known[b] {
			a, b = b, a
		}
		if v.known[a] {
			return v.force(b, truth(v.values[a] == n))
		}
	case ite:
		c, a, b := o.args[0], o.args[1], o.args[2]
		switch {
		case v.known[c] && v.values[c] == 1 || v.known[b] && v.values[b] != n:
			return v.force(c, 1) && v.force(a, n)
		case v.known[c] || v.known[a] && v.values[a] != n:
			return v.force(c, 0) && v.force(b, n)
		}
	case equal:
		if n == 1 {
			return v.force(o.args[0], o.number)
		}
	case atMost:
		if n == 1 {
			return v.bound(o.args[0], -largest, o.number)
		}
		return v.bound(o.args[0], o.number+1, largest)
	case sum:
		return v.bound(i, n, n)
	}
	return true
}

// forceJunction makes a conjunction or disjunction yield a value.
func (v *valuation) forceJunction(o *operation, n int64) bool {
	if n == truth(o.kind == and) {
		for _, a := range o.args {
			if !v.force(a, n) {
				return false
			}
		}
		return true
	}
	left := int32(-1)
	for _, a := range o.args {
		if !v.known[a] {
			if left >= 0 {
				return true
			}
			left = a
		}
	}
	return left < 0 || v.force(left, n)
}

// bound makes a number lie between two, where one variable decides that.
func (v *valuation) bound(i int32, low, high int64) bool {
	if v.known[i] {
		return low <= v.values[i] && v.values[i] <= high
	}
	switch o := &v.ops[i]; o.kind {
	case variable:
		v.low[i], v.high[i] = max(v.low[i], low), min(v.high[i], high)
		if v.low[i] == v.high[i] {
			return v.assign(i, v.low[i])
		}
		return v.low[i] <= v.high[i]
	case ite:
		if low == high {
			return v.force(i, low)
		}
		if c := o.args[0]; v.known[c] {
			return v.bound(o.args[2-v.values[c]], low, high)
		}
	case sum:
		left := -1
		for k, a := range o.args {
			if v.known[a] {
				p, ok := multiply(o.coefs[k], v.values[a])
				if !ok {
					return false
				}
				low, high = low-p, high-p
				continue
			}
			if left >= 0 {
				return true
			}
			left = k
		}
		if left < 0 {
			return false
		}
		low, high = low-o.number, high-o.number
		c := o.coefs[left]
		if c < 0 {
			c, low, high = -c, -high, -low
		}
		low, high = -floor(-low, c), floor(high, c)
		return low <= high && v.bound(o.args[left], low, high)
	}
	return true
}

// floor is the quotient, rounded down; the divisor is positive.
func floor(n, d int64) int64 {
	q := n / d
	if n%d < 0 {
		q--
	}
	return q
}
