package rule

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Vocabulary is what occurs in the terms of clauses that engines make lemmas of.
type Vocabulary struct {
	// Numerals are in the order of their first occurrence, each once, those inside larger values too.
	Numerals []*term.Term
	// Values are the largest terms that are values, but for truth values, in the order of their first occurrence, each once;
	// Count is the number of constraints and arguments that they occur in.
	Values []*term.Term
	Count  map[*term.Term]int
	// Divisors are the numbers by which there are remainders, quotients and divisibility, positive and in increasing order.
	Divisors []term.Num
	// Divides says that there are any of these, by numbers or by other terms.
	Divides bool
	// Coefficient is the largest coefficient, without its sign; 0 when there are none.
	Coefficient term.Num
	// Arrays says that there are arrays, Variants that there are datatypes with several constructors.
	Arrays, Variants bool
}

// NewVocabulary returns what occurs in the clauses of a system.
func NewVocabulary(sys *chc.System) *Vocabulary {
	v := &Vocabulary{Count: map[*term.Term]int{}}
	known := map[*term.Term]bool{}
	for _, c := range sys.Clauses {
		for _, root := range c.Terms() {
			v.countValues(root)
			term.Walk(root, func(t *term.Term) bool {
				if known[t] {
					return false
				}
				known[t] = true
				v.add(t)
				return true
			})
		}
	}
	slices.SortFunc(v.Divisors, term.Num.Cmp)
	v.Divisors = slices.CompactFunc(v.Divisors, term.Num.Equal)
	return v
}

func (v *Vocabulary) countValues(root *term.Term) {
	term.Walk(root, func(t *term.Term) bool {
		if t.IsValue() && !t.IsBool() {
			if v.Count[t]++; v.Count[t] == 1 {
				v.Values = append(v.Values, t)
			}
		}
		return !t.IsValue()
	})
}

func (v *Vocabulary) add(t *term.Term) {
	if t.IsNumeral() {
		v.Numerals = append(v.Numerals, t)
	}
	switch t.Op() {
	case term.Mul:
		if c := t.Arg(0); c.IsNumeral() && c.Num().Abs().Cmp(v.Coefficient) > 0 {
			v.Coefficient = c.Num().Abs()
		}
	case term.Divides:
		v.addDivisor(t.Num())
	case term.Mod, term.IntDiv:
		v.Divides = true
		if t.Arg(1).IsNumeral() {
			v.addDivisor(t.Arg(1).Num())
		}
	}
	s := t.Sort()
	v.Arrays = v.Arrays || s.IsArray()
	v.Variants = v.Variants || s.IsDatatype() && len(s.Data.Constructors) > 1
}

func (v *Vocabulary) addDivisor(n term.Num) {
	v.Divides = true
	if !n.IsZero() {
		v.Divisors = append(v.Divisors, n.Abs())
	}
}
