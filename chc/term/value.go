package term

import "cmp"

// Value is a value of any sort. Truth values, numbers and bit-vectors are held unboxed.
type Value struct {
	sort *Sort
	num  Num   // Bool: 0 or 1; Int, Real; bit-vectors: unsigned
	term *Term // other sorts: a value term
}

// BoolValue returns the truth value b.
func BoolValue(b bool) Value {
	if b {
		return Value{sort: Bool, num: Num{n: 1}}
	}
	return Value{sort: Bool}
}

// NumValue returns the number n of sort s: Int, Real, or a bit-vector sort with n its unsigned value.
func NumValue(n Num, s *Sort) Value { return Value{sort: s, num: n} }

// TermValue returns the value that t, for which IsValue holds, stands for. It panics when t is no value.
func TermValue(t *Term) Value {
	if !t.IsValue() {
		panic("term: not a value: " + t.String())
	}
	switch t.op {
	case True, False:
		return BoolValue(t.op == True)
	case Numeral, BVNumeral:
		return Value{sort: t.sort, num: t.ext.num}
	}
	return Value{sort: t.sort, term: t}
}

// Sort is the value's sort; nil for the zero Value, which is no value.
func (v Value) Sort() *Sort { return v.sort }

// Bool is the truth value of a Boolean value.
func (v Value) Bool() bool { return v.num.n != 0 }

// Num is the number of an Int, Real or bit-vector (unsigned) value.
func (v Value) Num() Num { return v.num }

// Term is the value as a term of pool p, the pool that the value came from.
func (v Value) Term(p *Pool) *Term {
	switch v.sort.Kind {
	case BoolKind:
		return p.Bool(v.Bool())
	case IntKind, RealKind:
		return p.Numeral(v.num, v.sort)
	case BitVecKind:
		return p.BVNum(v.num, v.sort.Width)
	}
	return v.term
}

// Equal reports whether two values of one sort are the same.
func (v Value) Equal(w Value) bool {
	return v.sort == w.sort && v.term == w.term && v.num.Equal(w.num)
}

// Compare orders two values of one sort: numbers and bit-vectors (unsigned) by size, false before true, other values by
// CompareValues. It returns -1, 0 or 1.
func (v Value) Compare(w Value) int {
	if v.term == nil {
		return v.num.Cmp(w.num)
	}
	return CompareValues(v.term, w.term)
}

// String returns the value in SMT-LIB.
func (v Value) String() string {
	switch {
	case v.sort == nil:
		return "<no value>"
	case v.term != nil:
		return Format(v.term)
	case v.sort == Bool && v.Bool():
		return "true"
	case v.sort == Bool:
		return "false"
	}
	return formatNum(v.num, v.sort)
}

// CompareValues is a total order on the value terms of one sort: false before true, numbers and unsigned bit-vectors by
// size, elements by index, datatypes by constructor and then fields, arrays by ID.
func CompareValues(a, b *Term) int {
	if a == b {
		return 0
	}
	switch {
	case a.op == Construct && b.op == Construct:
		if a.ext != b.ext {
			return cmp.Compare(a.ext.ctor.Index, b.ext.ctor.Index)
		}
		for i := range a.args {
			if c := CompareValues(a.args[i], b.args[i]); c != 0 {
				return c
			}
		}
		return 0
	case a.op == False || b.op == False:
		if a.op == False {
			return -1
		}
		return 1
	case a.op == b.op && (a.op == Numeral || a.op == BVNumeral || a.op == Element):
		return a.ext.num.Cmp(b.ext.num)
	}
	return byID(a, b)
}

// DefaultValue returns a value of sort s: false, 0, the constant array of the element sort's default, the first
// constructor that needs no value of its own sort, element 0.
func DefaultValue(p *Pool, s *Sort) Value { return TermValue(defaultTerm(p, s, map[*Sort]bool{})) }

// defaultTerm returns a value of s in which no value of a sort in open occurs.
func defaultTerm(p *Pool, s *Sort, open map[*Sort]bool) *Term {
	switch s.Kind {
	case BoolKind:
		return p.fls
	case IntKind, RealKind:
		return p.Numeral(Num{}, s)
	case BitVecKind:
		return p.BVNum(Num{}, s.Width)
	case ArrayKind:
		return p.ConstArray(s, defaultTerm(p, s.Elem, open))
	case UninterpretedKind:
		return p.Element(s, 0)
	}
	c := baseConstructor(s, open)
	open[s] = true
	defer delete(open, s)
	args := make([]*Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = defaultTerm(p, f.Sort, open)
	}
	return p.Construct(c, args...)
}

// Assignment gives values to variables. Lookup's second result is false when v has none.
type Assignment interface {
	Lookup(v *Term) (Value, bool)
}

// MapAssignment is an Assignment by a map.
type MapAssignment map[*Term]Value

// Lookup returns the value of v.
func (m MapAssignment) Lookup(v *Term) (Value, bool) {
	x, ok := m[v]
	return x, ok
}

// Overlay is an Assignment with values for some more variables, or others than it has.
type Overlay struct {
	Values MapAssignment
	Rest   Assignment
}

// Lookup returns the value of v.
func (o Overlay) Lookup(v *Term) (Value, bool) {
	if x, ok := o.Values[v]; ok {
		return x, true
	}
	return o.Rest.Lookup(v)
}

type completed struct {
	p *Pool
	a Assignment
}

// Complete returns a, with DefaultValue for variables that have no value in it.
func Complete(p *Pool, a Assignment) Assignment { return completed{p, a} }

func (c completed) Lookup(v *Term) (Value, bool) {
	if x, ok := c.a.Lookup(v); ok {
		return x, true
	}
	return DefaultValue(c.p, v.sort), true
}
