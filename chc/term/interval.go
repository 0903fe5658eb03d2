package term

// Interval is the set of numbers from Low to High, both included. An end that is nil is infinite: the zero Interval has all
// numbers. What the ends point to is never changed.
type Interval struct{ Low, High *Num }

// Between returns the interval of the numbers from low to high, which is empty if low is greater.
func Between(low, high Num) Interval { return Interval{&low, &high} }

// Point returns the interval that has n only.
func Point(n Num) Interval { return Between(n, n) }

// Bounded reports whether neither end is infinite.
func (i Interval) Bounded() bool { return i.Low != nil && i.High != nil }

// Empty reports whether no number is in the interval.
func (i Interval) Empty() bool { return i.Bounded() && i.Low.Cmp(*i.High) > 0 }

// Has reports whether n is in the interval.
func (i Interval) Has(n Num) bool { return Point(n).Within(i) }

// Within reports whether both ends of i are in j, so that all of i is.
func (i Interval) Within(j Interval) bool {
	return (j.Low == nil || i.Low != nil && i.Low.Cmp(*j.Low) >= 0) && (j.High == nil || i.High != nil && i.High.Cmp(*j.High) <= 0)
}

// Hull returns the least interval with the ends of both.
func (i Interval) Hull(j Interval) Interval {
	if i.Low != nil && (j.Low == nil || j.Low.Cmp(*i.Low) < 0) {
		i.Low = j.Low
	}
	if i.High != nil && (j.High == nil || j.High.Cmp(*i.High) > 0) {
		i.High = j.High
	}
	return i
}

// Meet returns the intersection.
func (i Interval) Meet(j Interval) Interval {
	if i.Low == nil || j.Low != nil && j.Low.Cmp(*i.Low) > 0 {
		i.Low = j.Low
	}
	if i.High == nil || j.High != nil && j.High.Cmp(*i.High) < 0 {
		i.High = j.High
	}
	return i
}

// Add returns the interval of the sums.
func (i Interval) Add(j Interval) Interval {
	return Interval{combine(i.Low, j.Low, Num.Add), combine(i.High, j.High, Num.Add)}
}

// Scale returns an interval that has all products with c.
func (i Interval) Scale(c Num) Interval {
	if c.Sign() < 0 {
		i.Low, i.High = i.High, i.Low
	}
	return Interval{combine(i.Low, &c, Num.Mul), combine(i.High, &c, Num.Mul)}
}

// Mul returns an interval that has all products: the least one if both are bounded.
func (i Interval) Mul(j Interval) Interval {
	if !i.Bounded() || !j.Bounded() {
		return Interval{}
	}
	return i.Scale(*j.Low).Hull(i.Scale(*j.High))
}

// FloorDiv returns the interval of the quotients by k > 0, rounded down.
func (i Interval) FloorDiv(k Num) Interval {
	div := func(a, b Num) Num { return a.Div(b).Floor() }
	return Interval{combine(i.Low, &k, div), combine(i.High, &k, div)}
}

// combine applies f to two ends, of which one may be infinite.
func combine(a, b *Num, f func(a, b Num) Num) *Num {
	if a == nil || b == nil {
		return nil
	}
	n := f(*a, *b)
	return &n
}

// Range returns an interval that has all values of l when each of its terms has the values that of returns.
func (l Linear) Range(of func(*Term) Interval) Interval {
	i := Point(l.Const)
	for _, m := range l.Monomials {
		if i = i.Add(of(m.Term).Scale(m.Coef)); i.Low == nil && i.High == nil {
			break
		}
	}
	return i
}

// Bound is what a literal says of a normalised sum: that it is at least or at most N, or beyond it when Strict. Bounds of
// integers are not strict.
type Bound struct {
	Sum           *Term
	N             Num
	Upper, Strict bool
}

// ReadBound reads a literal that compares a normalised sum with a numeral; false for others, among them equations.
func ReadBound(lit *Term) (Bound, bool) {
	atom, positive := lit.Atom()
	if atom.Op() != Le && atom.Op() != Lt {
		return Bound{}, false
	}
	b := Bound{Sum: atom.Arg(0), N: atom.Arg(1).Num(), Upper: positive, Strict: positive == (atom.Op() == Lt)}
	if b.Strict && !b.Upper && b.Sum.Sort() == Int { // not (s <= n) is s >= n+1
		b.N, b.Strict = b.N.Add(NewInt(1)), false
	}
	return b, true
}

// Tighter reports whether a bound excludes more than another one on the same side of the same sum.
func (a Bound) Tighter(b Bound) bool {
	k := a.N.Cmp(b.N)
	if a.Upper {
		k = -k
	}
	return k > 0 || k == 0 && a.Strict && !b.Strict
}
