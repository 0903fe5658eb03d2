package portfolio

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/codes"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/transform/sums"
)

// properties are the conditions that strategies may name, by which clauses are told apart.
var properties = map[string]func(*holds) bool{
	"arrays":      func(h *holds) bool { return h.theories().arrays },
	"bit-vectors": func(h *holds) bool { return h.theories().bitVectors },
	"reals":       func(h *holds) bool { return h.theories().reals },
	"recursive":   func(h *holds) bool { return h.theories().recursive },
	"open":        func(h *holds) bool { return guard.HasOpen(h.System) },
	"candidates":  func(h *holds) bool { return len(h.Candidates) > 0 },
	"linear":      func(h *holds) bool { return h.System.Linear() },
	"acyclic":     func(h *holds) bool { return chc.NewGraph(h.System).Acyclic() },
	"unwound":     func(h *holds) bool { return h.Unwound },
	"spelled":     func(h *holds) bool { return h.Spelled },
	"finite":      func(h *holds) bool { return finite(h.System) },
	"products":    func(h *holds) bool { return products(h.System) },
	"flags":       func(h *holds) bool { return codes.Count(h.System) >= someFlags },
	"accumulate":  func(h *holds) bool { return sums.Accumulate(h.System) },
}

// someFlags is the number of flags that are worth a look at what they say together.
const someFlags = 3

// holds says which properties a request's clauses have; they are looked at once, when they are asked for.
type holds struct {
	Request
	theories func() theories
	known    map[string]bool
}

func conditionsOf(req Request) *holds {
	return &holds{req, sync.OnceValue(func() theories { return theoriesOf(req.System) }), map[string]bool{}}
}

// all reports whether all of the conditions hold.
func (h *holds) all(conditions []string) bool {
	return !slices.ContainsFunc(conditions, func(c string) bool {
		property, negated := strings.CutPrefix(c, "not ")
		if _, ok := h.known[property]; !ok {
			h.known[property] = properties[property](h)
		}
		return h.known[property] == negated
	})
}

// validConditions reports the first condition that is not known.
func validConditions(conditions []string) error {
	for _, c := range conditions {
		if properties[strings.TrimPrefix(c, "not ")] == nil {
			return fmt.Errorf("no condition is called %q", c)
		}
	}
	return nil
}

// fragments is an engine's Fragment for clauses on which conditions hold.
func fragments(conditions []string) func(*chc.System) error {
	return func(sys *chc.System) error {
		if !conditionsOf(Request{System: sys}).all(conditions) {
			return fmt.Errorf("the strategy runs the engine only on clauses that are %s", strings.Join(conditions, ", "))
		}
		return nil
	}
}

// products reports whether a clause multiplies two terms of which neither is a number.
func products(sys *chc.System) bool {
	return slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool {
		return slices.ContainsFunc(c.Terms(), (*term.Term).HasProduct)
	})
}

// finite reports whether a system is without recursion and over integers and truth values only.
func finite(sys *chc.System) bool {
	return chc.NewGraph(sys).Acyclic() && !slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool {
		return slices.ContainsFunc(c.Terms(), func(t *term.Term) bool { return !term.IntegersOnly(t) })
	})
}

// theories says which sorts occur among the arguments of a system's predicates, inside arrays and datatypes too. It
// chooses the strategies.
type theories struct {
	arrays, bitVectors, reals bool
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
	case term.RealKind:
		s.found.reals = true
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
