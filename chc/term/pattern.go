package term

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxPatterns bounds the patterns of one quantifier.
const maxPatterns = 4

// WriteWithPatterns is Write with instantiation patterns for universal quantifiers over the indices of arrays, as in
// (forall ((k Int)) (! … :pattern ((select a k)))). Readers that do not know patterns skip them; Hornbeam's own does.
func WriteWithPatterns(w io.Writer, t *Term) error {
	b := bufio.NewWriter(w)
	pr := newPrinter(b, t)
	pr.patterns = true
	pr.scope(t, nil, nil)
	if err := b.Flush(); err != nil {
		return fmt.Errorf("print term: %w", err)
	}
	return nil
}

// FormatWithPatterns returns what WriteWithPatterns prints.
func FormatWithPatterns(t *Term) string {
	var s strings.Builder
	_ = WriteWithPatterns(&s, t) // a strings.Builder does not fail
	return s.String()
}

// patterns returns patterns for a universal quantifier, each a list of terms in which all bound variables occur: selects
// at bound variables, of arrays in which no other variable is bound; one select each where that is possible, or a select
// for each bound variable.
func patterns(q *Term) [][]*Term {
	bound := q.Bound()
	if q.op != Forall {
		return nil
	}
	covered := map[*Term][]*Term{} // the bound variables that a select covers
	var selects []*Term
	Walk(q.args[0], func(t *Term) bool {
		if t.op == Select {
			if vs := indexVariables(t, bound); len(vs) > 0 {
				selects = append(selects, t)
				covered[t] = vs
			}
		}
		return !t.IsQuantifier()
	})
	var out [][]*Term
	for _, t := range selects {
		if len(covered[t]) == len(bound) && len(out) < maxPatterns {
			out = append(out, []*Term{t})
		}
	}
	if len(out) > 0 {
		return out
	}
	var multi, seen []*Term
	for _, t := range selects {
		fresh := slices.ContainsFunc(covered[t], func(v *Term) bool { return !slices.Contains(seen, v) })
		if fresh {
			multi = append(multi, t)
			seen = append(seen, covered[t]...)
		}
	}
	for _, v := range bound {
		if !slices.Contains(seen, v) {
			return nil
		}
	}
	return [][]*Term{multi}
}

// indexVariables returns the bound variables at which the select t, and the selects that its array consists of, read;
// nil when a bound variable occurs otherwise.
func indexVariables(t *Term, bound []*Term) []*Term {
	var out []*Term
	for ; t.op == Select; t = t.args[0] {
		if i := t.args[1]; slices.Contains(bound, i) {
			if !slices.Contains(out, i) {
				out = append(out, i)
			}
		} else if slices.ContainsFunc(bound, func(v *Term) bool { return Contains(i, v) }) {
			return nil
		}
	}
	// Conditions and arithmetic have no place in a pattern.
	if t.op != Var || slices.Contains(bound, t) {
		return nil
	}
	return out
}

// annotation is what follows the body of the quantifier q: its patterns; empty without any.
func annotation(q *Term) string {
	var s strings.Builder
	for _, p := range patterns(q) {
		s.WriteString(" :pattern (")
		for i, t := range p {
			if i > 0 {
				s.WriteByte(' ')
			}
			s.WriteString(formatTree(t))
		}
		s.WriteByte(')')
	}
	return s.String()
}
