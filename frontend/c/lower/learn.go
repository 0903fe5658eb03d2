package lower

import (
	"math/big"
	"slices"

	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// Executed is what a refutation came by: the numbers of occurrences, and for those of operations on floating numbers the
// operands and the result of each time.
type Executed struct {
	Occurrences map[int]bool
	Floats      map[int][]FloatRun
}

// FloatRun is one execution of an operation on floating numbers.
type FloatRun struct {
	Operands []*big.Int
	Result   *big.Int
}

// Bounds of what is learnt about one operation: in one round, and in all.
const (
	pointsARound = 12
	pointsAtMost = 120
)

// learn takes up points for which the results exclude what a refutation had.
func (p *Plan) learn(l *Lowered, runs map[int][]FloatRun) bool {
	changed := false
	for _, occurrence := range l.Occurrences {
		known := p.Points[occurrence.ID]
		left := min(pointsARound, pointsAtMost-len(known))
		for _, run := range runs[occurrence.ID] {
			if left <= 0 {
				break
			}
			point := general(occurrence.Operation, run)
			if point == nil || slices.ContainsFunc(known, func(q []*big.Int) bool { return same(q, point) }) {
				continue
			}
			if p.Points == nil {
				p.Points = map[int][][]*big.Int{}
			}
			known = append(known, point)
			p.Points[occurrence.ID] = known
			changed, left = true, left-1
		}
	}
	return changed
}

func same(x, y []*big.Int) bool {
	return slices.EqualFunc(x, y, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
}

// general is a point that excludes the result of a run, with as few digits as that takes: what holds beyond it then holds for
// many operands. It is nil if the result is right.
func general(o machine.Operation, run FloatRun) []*big.Int {
	r := o.Compute(run.Operands...)
	if r == nil || r.Cmp(run.Result) == 0 {
		return nil
	}
	switch o.Op {
	case machine.FloatMod, machine.FloatRemainder, machine.FloatTo, machine.FloatFrom:
		return run.Operands
	}
	f, _ := machine.FormatOf(o.Type)
	bySize := o.Op == machine.FloatMul || o.Op == machine.FloatDiv
	size := func(x *big.Int) *big.Int {
		if bySize {
			return machine.Magnitude(x)
		}
		return x
	}
	if bySize && (r.Sign() < 0) != (run.Result.Sign() < 0) {
		return run.Operands
	}
	// Where the result is too low, the results of less are still greater than it.
	low := size(run.Result).Cmp(size(r)) < 0
	for bits := o.Type.Bits - 2; bits > 0; bits-- {
		point := make([]*big.Int, len(run.Operands))
		for k, x := range run.Operands {
			down := low
			if k == 1 && (o.Op == machine.FloatSub || o.Op == machine.FloatDiv) {
				down = !down
			}
			point[k] = coarse(f, size(x), bits, down)
			if bySize && x.Sign() < 0 {
				point[k] = machine.Negate(point[k])
			}
		}
		there := o.Compute(point...)
		if there == nil {
			continue
		}
		if c := size(run.Result).Cmp(size(there)); low && c < 0 || !low && c > 0 {
			return point
		}
	}
	return run.Operands
}

// coarse is an ordinal whose last bits are 0, at or below another one, or at or above it, but no NaN.
func coarse(f machine.Format, x *big.Int, bits int, down bool) *big.Int {
	r := new(big.Int).Set(x)
	if !down {
		r.Add(r, new(big.Int).Sub(machine.Power(bits), big.NewInt(1)))
	}
	r.Rsh(r, uint(bits)).Lsh(r, uint(bits))
	infinity := f.Infinity()
	return interval.Least(interval.Greatest(r, machine.Negate(infinity)), infinity)
}
