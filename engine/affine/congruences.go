package affine

import (
	"math/big"
	"math/bits"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// congruences are the equations c0 + c1*t1 + ... + cn*tn = 0 modulo 2^width between terms of one sort, integers or bit-vectors of that width. They
// are a module over the numbers modulo 2^width, not a linear space: 2 has no inverse, and an equation times 2^k is one modulo 2^(width-k)
// (Müller-Olm and Seidl, "Analysis of Modular Arithmetic", 2007). What wraps around keeps them where it keeps no equation between integers.
type congruences struct {
	sort    *term.Sort
	width   int
	columns []*term.Term
	// rows generate all equations: coefficients, the constant first.
	rows [][]uint64
}

// mostWidth is how many bits congruences have at most.
const mostWidth = 64

// allCongruences are those that hold of a tuple, by sorts: between integers modulo 2^width, and between bit-vectors modulo what they have.
func allCongruences(params []*term.Term, width, most int, tuple *term.Evaluator) []*congruences {
	var out []*congruences
	for i, x := range params {
		of := width
		switch s := x.Sort(); {
		case s.IsBitVec():
			of = s.Width
		case s != term.Int:
			continue
		}
		if of <= mostWidth && !slices.ContainsFunc(params[:i], func(y *term.Term) bool { return y.Sort() == x.Sort() }) {
			out = append(out, newCongruences(x.Sort(), of, params, most, tuple))
		}
	}
	return out
}

// widthOf is the greatest width of which clauses have a modulus as numbers of so many bytes wrap around at, 1 if there is none but there are
// bit-vectors, and 0 if there are neither. What only bounds signed numbers has another width.
func widthOf(sys *chc.System) int {
	width := 0
	if hasArgument(sys, (*term.Sort).IsBitVec) {
		width = 1
	}
	for _, t := range rule.NewVocabulary(sys).Numerals {
		if t.Sort() != term.Int {
			continue
		}
		n := t.Num().Abs().BigInt()
		if bits := n.BitLen() - 1; bits > 0 && bits%8 == 0 && bits <= mostWidth && int(n.TrailingZeroBits()) == bits {
			width = max(width, bits)
		}
	}
	return width
}

// newCongruences returns all equations modulo 2^width that hold of a tuple, between its first numbers of a sort.
func newCongruences(sort *term.Sort, width int, params []*term.Term, most int, tuple *term.Evaluator) *congruences {
	r := &congruences{sort: sort, width: width}
	for _, x := range params {
		if x.Sort() == sort && len(r.columns) < most {
			r.columns = append(r.columns, x)
		}
	}
	for i, v := range r.point(tuple) {
		row := make([]uint64, 1+len(r.columns))
		row[0], row[1+i] = r.wrap(-v), 1
		r.rows = append(r.rows, row)
	}
	slices.Reverse(r.rows)
	return r
}

// wrap is a number modulo 2^width.
func (r *congruences) wrap(n uint64) uint64 { return n & (1<<r.width - 1) }

// point has the values of the columns in a tuple.
func (r *congruences) point(tuple *term.Evaluator) []uint64 {
	out := make([]uint64, len(r.columns))
	for i, t := range r.columns {
		_, rest := term.EuclidDiv(number(tuple, t), term.Pow2(r.width))
		out[i] = rest.BigInt().Uint64()
	}
	return out
}

// add keeps what holds of a tuple, too: combinations of the rows whose left sides are 0 then. It reports whether any was not.
func (r *congruences) add(tuple *term.Evaluator) bool {
	values := r.point(tuple)
	errors := make([]uint64, len(r.rows))
	pivot := -1
	for i, row := range r.rows {
		errors[i] = row[0]
		for k, v := range values {
			errors[i] += row[1+k] * v
		}
		if errors[i] = r.wrap(errors[i]); errors[i] == 0 {
			continue
		}
		// All others are multiples of one with the fewest factors 2.
		if pivot < 0 || bits.TrailingZeros64(errors[i]) < bits.TrailingZeros64(errors[pivot]) {
			pivot = i
		}
	}
	if pivot < 0 {
		return false
	}
	basis, twos := r.rows[pivot], bits.TrailingZeros64(errors[pivot])
	odd := inverse(errors[pivot] >> twos)
	for i, row := range r.rows {
		if i != pivot && errors[i] != 0 {
			r.subtract(row, (errors[i]>>twos)*odd, basis)
		}
	}
	r.scale(basis, 1<<(r.width-twos))
	r.reduce()
	return true
}

// subtract takes times a row from another one.
func (r *congruences) subtract(from []uint64, times uint64, row []uint64) {
	for i, c := range row {
		from[i] = r.wrap(from[i] - times*c)
	}
}

// scale multiplies a row.
func (r *congruences) scale(row []uint64, by uint64) {
	for i, c := range row {
		row[i] = r.wrap(by * c)
	}
}

// inverse is that of an odd number modulo 2^64, by Newton's iteration, which doubles the bits that are right.
func inverse(n uint64) uint64 {
	x := n
	for range 5 {
		x *= 2 - n*x
	}
	return x
}

// reduce brings the rows into echelon form from the last column on: the last coefficient of each is a power of 2, and what others have in its
// column is less, or theirs.
func (r *congruences) reduce() {
	done := 0
	for column := len(r.columns); column >= 0 && done < len(r.rows); column-- {
		at := -1
		for i := done; i < len(r.rows); i++ {
			if c := r.rows[i][column]; c != 0 && (at < 0 || bits.TrailingZeros64(c) < bits.TrailingZeros64(r.rows[at][column])) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		r.rows[done], r.rows[at] = r.rows[at], r.rows[done]
		lead := r.rows[done]
		twos := bits.TrailingZeros64(lead[column])
		r.scale(lead, inverse(lead[column]>>twos))
		for i, row := range r.rows {
			if i != done {
				r.subtract(row, row[column]>>twos, lead)
			}
		}
		done++
	}
	r.rows = r.rows[:done]
}

// drop gives up one row.
func (r *congruences) drop(i int) { r.rows = append(r.rows[:i:i], r.rows[i+1:]...) }

// facts are the equations, with what gives them up.
func (r *congruences) facts(pool *term.Pool) []fact {
	var out []fact
	for i, row := range r.rows {
		out = append(out, fact{r.equation(pool, row), func() { r.drop(i) }})
	}
	return out
}

// equation is that of a row, with coefficients between -2^(width-1) and 2^(width-1).
func (r *congruences) equation(pool *term.Pool, row []uint64) *term.Term {
	if r.sort.IsBitVec() {
		return r.vectors(pool, row)
	}
	sum := term.Linear{Const: r.balanced(row[0])}
	for i, c := range row[1:] {
		if c != 0 {
			sum = sum.AddTerm(r.balanced(c), r.columns[i])
		}
	}
	return pool.Divides(term.Pow2(r.width), pool.FromLinear(sum, r.sort))
}

// vectors is the equation of a row between bit-vectors, with what has a negative coefficient on the right side.
func (r *congruences) vectors(pool *term.Pool, row []uint64) *term.Term {
	zero := pool.BVNum(term.Num{}, r.width)
	sides := [2]*term.Term{zero, zero}
	for i, c := range row {
		n, side := r.balanced(c), &sides[0]
		if n.Sign() < 0 {
			n, side = n.Neg(), &sides[1]
		}
		t := pool.BVNum(n, r.width)
		if i > 0 {
			t = pool.BV(term.BVMul, t, r.columns[i-1])
		}
		*side = pool.BV(term.BVAdd, *side, t)
	}
	return pool.Eq(sides[0], sides[1])
}

// balanced is the number next to 0 that is c modulo 2^width.
func (r *congruences) balanced(c uint64) term.Num {
	n := term.NumFromBig(new(big.Int).SetUint64(c))
	if c>>(r.width-1) == 1 {
		n = n.Sub(term.Pow2(r.width))
	}
	return n
}
