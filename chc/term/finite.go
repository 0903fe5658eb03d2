package term

import "slices"

// maxFinite is the size up to which a sort counts as small and finite.
const maxFinite = 1 << 12

// finiteSize returns the number of values of a small finite sort, 0 for others.
func (p *Pool) finiteSize(s *Sort) int {
	switch s.Kind {
	case BoolKind:
		return 2
	case BitVecKind:
		if s.Width <= 12 {
			return 1 << s.Width
		}
		return 0
	case IntKind, RealKind, UninterpretedKind:
		return 0
	}
	known := s.size.Load()
	if known == 0 {
		known = 1 + int32(countValues(s, map[*Sort]bool{}))
		s.size.Store(known)
	}
	return int(known - 1)
}

// countValues is finiteSize with the datatypes that are being counted in open: one that has itself as a part is infinite.
func countValues(s *Sort, open map[*Sort]bool) int {
	switch s.Kind {
	case BoolKind:
		return 2
	case BitVecKind:
		if s.Width <= 12 {
			return 1 << s.Width
		}
		return 0
	case ArrayKind:
		index, elem := countValues(s.Index, open), countValues(s.Elem, open)
		if elem == 1 {
			return 1 // whatever the index
		}
		if index == 0 || elem == 0 {
			return 0
		}
		n := 1
		for range index {
			if n *= elem; n > maxFinite {
				return 0
			}
		}
		return n
	case DatatypeKind:
		if open[s] {
			return 0
		}
		open[s] = true
		defer delete(open, s)
		total := 0
		for _, c := range s.Data.Constructors {
			n := 1
			for _, sel := range c.Selectors {
				k := countValues(sel.Sort, open)
				if n *= k; n == 0 || n > maxFinite {
					return 0
				}
			}
			if total += n; total > maxFinite {
				return 0
			}
		}
		return total
	}
	return 0
}

// finiteValues returns all values, in the order of CompareValues, of a sort with a finiteSize.
func (p *Pool) finiteValues(s *Sort) []*Term {
	var out []*Term
	switch s.Kind {
	case BoolKind:
		return []*Term{p.fls, p.tru}
	case BitVecKind:
		for i := range 1 << s.Width {
			out = append(out, p.BVNum(NewInt(int64(i)), s.Width))
		}
		return out
	case ArrayKind:
		elems := p.finiteValues(s.Elem)
		out = []*Term{p.ConstArray(s, elems[0])}
		if len(elems) == 1 {
			return out
		}
		for _, i := range p.finiteValues(s.Index) {
			var longer []*Term
			for _, a := range out {
				for _, e := range elems {
					longer = append(longer, p.Store(a, i, e))
				}
			}
			out = longer
		}
	default:
		for _, c := range s.Data.Constructors {
			tuples := [][]*Term{nil}
			for _, sel := range c.Selectors {
				var longer [][]*Term
				for _, t := range tuples {
					for _, v := range p.finiteValues(sel.Sort) {
						longer = append(longer, append(slices.Clone(t), v))
					}
				}
				tuples = longer
			}
			for _, t := range tuples {
				out = append(out, p.Construct(c, t...))
			}
		}
	}
	slices.SortFunc(out, CompareValues)
	return out
}
