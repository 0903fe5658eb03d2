package portfolio

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// theories says which sorts occur among the arguments of a system's predicates, inside arrays and datatypes too. It
// chooses the lanes.
type theories struct {
	arrays, bitVectors bool
	// recursive means datatypes whose values contain values of their own sort.
	recursive bool
}

func theoriesOf(sys *chc.System) theories {
	s := sortSurvey{seen: map[*term.Sort]bool{}, open: map[*term.Sort]bool{}}
	for _, p := range sys.Predicates {
		for _, sort := range p.Sorts {
			s.visit(sort)
		}
	}
	return s.found
}

// sortSurvey walks over sorts; open are those whose parts are being looked at.
type sortSurvey struct {
	seen, open map[*term.Sort]bool
	found      theories
}

func (s *sortSurvey) visit(sort *term.Sort) {
	if s.open[sort] {
		s.found.recursive = true
	}
	if s.seen[sort] {
		return
	}
	s.seen[sort], s.open[sort] = true, true
	switch sort.Kind {
	case term.ArrayKind:
		s.found.arrays = true
		s.visit(sort.Index)
		s.visit(sort.Elem)
	case term.BitVecKind:
		s.found.bitVectors = true
	case term.DatatypeKind:
		for _, c := range sort.Data.Constructors {
			for _, f := range c.Selectors {
				s.visit(f.Sort)
			}
		}
	}
	s.open[sort] = false
}
