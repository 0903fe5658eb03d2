package affine

import (
	"hornbeam/chc/term"
)

// space is a linear space of equations c0 + c1*t1 + ... + cn*tn = 0 between n terms. Its rows are a basis, in reduced
// echelon form from the last column on: the last coefficient of a row that is not 0 is 1, and the only one in its column.
type space struct {
	rows [][]term.Num
}

// newSpace returns all equations that hold where the terms have these values.
func newSpace(values []term.Num) *space {
	s := &space{}
	for i, v := range values {
		row := make([]term.Num, 1+len(values))
		row[0], row[1+i] = v.Neg(), term.NewInt(1)
		s.rows = append(s.rows, row)
	}
	return s
}

// add keeps of the equations those that also hold where the terms have these values. It reports whether any did not.
func (s *space) add(values []term.Num) bool {
	pivot, nonzero := -1, 0
	errors := make([]term.Num, len(s.rows))
	for i, row := range s.rows {
		errors[i] = errorOf(row, values)
		if errors[i].IsZero() {
			continue
		}
		if n := support(row); pivot < 0 || n < nonzero {
			pivot, nonzero = i, n
		}
	}
	if pivot < 0 {
		return false
	}
	basis := s.rows[pivot]
	var rest [][]term.Num
	for i, row := range s.rows {
		if i == pivot {
			continue
		}
		if !errors[i].IsZero() {
			row = combine(row, errors[i].Div(errors[pivot]).Neg(), basis)
		}
		rest = append(rest, row)
	}
	s.rows = rest
	s.reduce()
	return true
}

// drop gives up one equation of the basis.
func (s *space) drop(i int) {
	s.rows = append(s.rows[:i:i], s.rows[i+1:]...)
}

// errorOf is the value of an equation's left side.
func errorOf(row, values []term.Num) term.Num {
	sum := row[0]
	for i, v := range values {
		if c := row[1+i]; !c.IsZero() && !v.IsZero() {
			sum = sum.Add(c.Mul(v))
		}
	}
	return sum
}

// support counts the coefficients that are not 0.
func support(row []term.Num) int {
	n := 0
	for _, c := range row {
		if !c.IsZero() {
			n++
		}
	}
	return n
}

// combine returns row + c*other.
func combine(row []term.Num, c term.Num, other []term.Num) []term.Num {
	out := make([]term.Num, len(row))
	for i := range row {
		out[i] = row[i]
		if !other[i].IsZero() {
			out[i] = out[i].Add(c.Mul(other[i]))
		}
	}
	return out
}

// reduce brings the basis into its form.
func (s *space) reduce() {
	done := 0
	for column := s.width() - 1; column > 0 && done < len(s.rows); column-- {
		at := done
		for at < len(s.rows) && s.rows[at][column].IsZero() {
			at++
		}
		if at == len(s.rows) {
			continue
		}
		s.rows[done], s.rows[at] = s.rows[at], s.rows[done]
		lead := combine(make([]term.Num, s.width()), s.rows[done][column].Inv(), s.rows[done])
		s.rows[done] = lead
		for i, row := range s.rows {
			if i != done && !row[column].IsZero() {
				s.rows[i] = combine(row, row[column].Neg(), lead)
			}
		}
		done++
	}
}

// width is the number of coefficients of a row, 0 where there are no rows.
func (s *space) width() int {
	if len(s.rows) == 0 {
		return 0
	}
	return len(s.rows[0])
}
