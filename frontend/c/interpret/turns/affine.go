package turns

// deepest is how many loops inside each other are told apart.
const deepest = 6

// limit bounds all numbers in affine forms, so that sums of two of them are no overflow.
const limit = int64(1) << 61

// affine is an affine form: constant + factors[0] k1 + factors[1] k2 + ..., for the loops from the outermost on.
type affine struct {
	constant int64
	factors  [deepest]int64
}

// giveUp is what is thrown where no affine form says what happens.
type giveUp struct{}

func fail() { panic(giveUp{}) }

// number is an affine form that is constant.
func number(c int64) affine { return affine{constant: small(c)} }

// small is a number that is within the limit.
func small(x int64) int64 {
	if x > limit || x < -limit {
		fail()
	}
	return x
}

// product is a product that is within the limit.
func product(x, y int64) int64 {
	if x == 0 || y == 0 {
		return 0
	}
	z := x * y
	if z/y != x {
		fail()
	}
	return small(z)
}

// isNumber tells whether a form is constant.
func (a affine) isNumber() bool { return a.factors == [deepest]int64{} }

func (a affine) plus(b affine) affine {
	a.constant = small(a.constant + b.constant)
	for i, f := range b.factors {
		if f != 0 {
			a.factors[i] = small(a.factors[i] + f)
		}
	}
	return a
}

func (a affine) minus(b affine) affine { return a.plus(b.times(-1)) }

func (a affine) add(c int64) affine {
	a.constant = small(a.constant + small(c))
	return a
}

func (a affine) times(c int64) affine {
	a.constant = product(a.constant, c)
	for i, f := range a.factors {
		a.factors[i] = product(f, c)
	}
	return a
}

// divides tells whether all factors are multiples of a number.
func (a affine) divides(c int64) bool {
	for _, f := range a.factors {
		if f%c != 0 {
			return false
		}
	}
	return true
}

// over is the form divided by a positive number that divides its factors, rounded down, which is exact for all turns.
func (a affine) over(c int64) affine {
	a.constant = floor(a.constant, c)
	for i := range a.factors {
		a.factors[i] /= c
	}
	return a
}

// floor is a quotient by a positive number, rounded down.
func floor(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}

// put replaces the number of a loop's turns by a form.
func (a affine) put(loop int, by affine) affine {
	f := a.factors[loop]
	a.factors[loop] = 0
	if f == 0 {
		return a
	}
	return a.plus(by.times(f))
}
