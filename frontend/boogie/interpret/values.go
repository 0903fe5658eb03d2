package interpret

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// Value is a Bool, an Int, a Real, a BitVector, an Element, a *Map, a *Data or a *Polymorphic.
type Value interface {
	String() string
	isValue()
}

// Bool is a truth value.
type Bool bool

// Int is an integer; nobody changes N.
type Int struct{ N *big.Int }

// Real is a rational number; nobody changes R.
type Real struct{ R *big.Rat }

// BitVector is a bit-vector as the unsigned number N below 2^Width.
type BitVector struct {
	Width int
	N     *big.Int
}

// Element is a value of an uninterpreted type, which has one for each integer.
type Element struct {
	Type string
	N    *big.Int
}

func (Bool) isValue()      {}
func (Int) isValue()       {}
func (Real) isValue()      {}
func (BitVector) isValue() {}
func (Element) isValue()   {}
func (*Map) isValue()      {}

func (b Bool) String() string      { return fmt.Sprint(bool(b)) }
func (i Int) String() string       { return i.N.String() }
func (v BitVector) String() string { return fmt.Sprintf("%sbv%d", v.N, v.Width) }
func (e Element) String() string   { return e.Type + "!" + e.N.String() }

func (r Real) String() string {
	if r.R.IsInt() {
		return r.R.Num().String() + ".0"
	}
	return r.R.RatString()
}

// NewInt is an integer.
func NewInt(n int64) Int { return Int{big.NewInt(n)} }

// Map is a total map from one index to values: a default, and finitely many entries that differ. A map with several
// indices is a map of maps. A Map never changes; the table behind it is shared between versions, the newest of which has
// the entries, and the others what is different in them (Baker's shallow binding).
type Map struct {
	index ast.Type
	// fallback is the value where there is no entry; nil when compute gives it, for a lambda expression.
	fallback Value
	compute  func(Value) (Value, error)
	// same says of a lambda expression which map it defines: those with the same text are equal.
	same func() string
	// table is nil for a version that is not the newest, which is next but for one entry.
	table map[string]entry
	next  *Map
	key   string
	entry entry
	// absent says that the version has no entry at key.
	absent bool
}

type entry struct{ index, value Value }

// NewMap is the map to one value.
func NewMap(index ast.Type, value Value) *Map {
	return &Map{index: index, fallback: value, table: map[string]entry{}}
}

func newComputed(index ast.Type, compute func(Value) (Value, error)) *Map {
	return &Map{index: index, compute: compute, table: map[string]entry{}}
}

// text is what same says, or nothing.
func (m *Map) text() string {
	if m.same == nil {
		return ""
	}
	return m.same()
}

// entries makes the version the newest and returns its table.
func (m *Map) entries() map[string]entry {
	if m.table != nil {
		return m.table
	}
	var way []*Map
	for v := m; v.table == nil; v = v.next {
		way = append(way, v)
	}
	for _, v := range slices.Backward(way) {
		w := v.next // the newest
		table := w.table
		old, had := table[v.key]
		if v.absent {
			delete(table, v.key)
		} else {
			table[v.key] = v.entry
		}
		w.table, w.next, w.key, w.entry, w.absent = nil, v, v.key, old, !had
		v.table, v.next = table, nil
	}
	return m.table
}

// Select is the value at an index.
func (m *Map) Select(index Value) (Value, error) {
	k, err := key(index)
	if err != nil {
		return nil, err
	}
	if e, ok := m.entries()[k]; ok {
		return e.value, nil
	}
	if m.compute != nil {
		return m.compute(index)
	}
	return m.fallback, nil
}

// Store is the map with another value at an index.
func (m *Map) Store(index, value Value) (*Map, error) {
	k, err := key(index)
	if err != nil {
		return nil, err
	}
	table := m.entries()
	old, had := table[k]
	out := &Map{index: m.index, fallback: m.fallback, compute: m.compute, same: m.same, table: table}
	table[k] = entry{index, value}
	m.table, m.next, m.key, m.entry, m.absent = nil, out, k, old, !had
	return out, nil
}

// sorted are the entries in the order of their keys.
func (m *Map) sorted() []entry {
	table := m.entries()
	keys := make([]string, 0, len(table))
	for k := range table {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if len(a) != len(b) && a[0] == b[0] {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	out := make([]entry, len(keys))
	for i, k := range keys {
		out[i] = table[k]
	}
	return out
}

// String lists the entries and the default.
func (m *Map) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for _, e := range m.sorted() {
		if m.fallback != nil {
			if same, err := equal(e.value, m.fallback); err == nil && same {
				continue
			}
		}
		fmt.Fprintf(&b, "%s: %s, ", e.index, e.value)
	}
	if m.fallback == nil {
		return b.String() + "else: …]"
	}
	return b.String() + "else: " + m.fallback.String() + "]"
}

// Undetermined is why something cannot be decided; it wraps this error.
var errUndetermined = errors.New("undetermined")

func undeterminedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUndetermined, fmt.Sprintf(format, args...))
}

// key is the same for equal values of one type, and only for these.
func key(v Value) (string, error) {
	switch v := v.(type) {
	case Bool:
		return v.String(), nil
	case Int:
		return v.N.String(), nil
	case Real:
		return v.R.RatString(), nil
	case BitVector:
		return v.N.String(), nil
	case Element:
		return v.N.String(), nil
	case *Map:
		return v.normal()
	case *Data:
		return v.key()
	}
	return "", undeterminedf("a value of an unknown kind")
}

// normal is the same for maps that are equal.
func (m *Map) normal() (string, error) {
	var b strings.Builder
	b.WriteByte('[')
	size, finite := sizeOf(m.index)
	if finite && size.IsInt64() && size.Int64() == int64(len(m.entries())) {
		// The default is nowhere to be seen.
		for _, e := range m.sorted() {
			if err := writeEntry(&b, e); err != nil {
				return "", err
			}
		}
		return b.String() + "]", nil
	}
	if m.fallback == nil {
		return "", undeterminedf("a map that a lambda expression defines, as an index")
	}
	if finite && size.Cmp(big.NewInt(maxDomain)) <= 0 {
		full := m
		all, err := domainOf(m.index)
		if err != nil {
			return "", err
		}
		for _, i := range all {
			v, err := m.Select(i)
			if err != nil {
				return "", err
			}
			if full, err = full.Store(i, v); err != nil {
				return "", err
			}
		}
		return full.normal()
	}
	for _, e := range m.sorted() {
		same, err := equal(e.value, m.fallback)
		if err != nil {
			return "", err
		}
		if !same {
			if err := writeEntry(&b, e); err != nil {
				return "", err
			}
		}
	}
	k, err := key(m.fallback)
	return b.String() + "|" + k + "]", err
}

func writeEntry(b *strings.Builder, e entry) error {
	k, err := key(e.index)
	if err != nil {
		return err
	}
	v, err := key(e.value)
	if err != nil {
		return err
	}
	b.WriteString(k + ":" + v + ",")
	return nil
}

// Equal reports whether two values of one type are equal; the error says why that cannot be decided.
func Equal(a, b Value) (bool, error) { return equal(a, b) }

func equal(a, b Value) (bool, error) {
	switch a := a.(type) {
	case Bool:
		return a == b.(Bool), nil
	case Int:
		return a.N.Cmp(b.(Int).N) == 0, nil
	case Real:
		return a.R.Cmp(b.(Real).R) == 0, nil
	case BitVector:
		return a.N.Cmp(b.(BitVector).N) == 0, nil
	case Element:
		return a.N.Cmp(b.(Element).N) == 0, nil
	case *Map:
		return equalMaps(a, b.(*Map))
	case *Data:
		return equalData(a, b.(*Data))
	case *Polymorphic:
		return equalPolymorphic(a, b.(*Polymorphic))
	}
	return false, undeterminedf("the equality of values of an unknown kind")
}

// equalMaps compares maps at every index: where either has an entry, and everywhere else by the defaults, if there is
// such a place.
func equalMaps(a, b *Map) (bool, error) {
	if a == b {
		return true, nil
	}
	seen := map[string]bool{}
	open := error(nil)
	compare := func(index Value) (bool, error) {
		x, err := a.Select(index)
		if err != nil {
			return false, err
		}
		y, err := b.Select(index)
		if err != nil {
			return false, err
		}
		return equal(x, y)
	}
	for _, m := range []*Map{a, b} {
		for _, e := range m.sorted() {
			k, err := key(e.index)
			if err != nil {
				return false, err
			}
			if seen[k] {
				continue
			}
			seen[k] = true
			switch same, err := compare(e.index); {
			case err != nil:
				open = err
			case !same:
				return false, nil
			}
		}
	}
	size, finite := sizeOf(a.index)
	switch {
	case finite && size.IsInt64() && size.Int64() == int64(len(seen)):
		return open == nil, open
	case finite && size.Cmp(big.NewInt(maxDomain)) <= 0:
		all, err := domainOf(a.index)
		if err != nil {
			return false, err
		}
		for _, i := range all {
			switch same, err := compare(i); {
			case err != nil:
				open = err
			case !same:
				return false, nil
			}
		}
		return open == nil, open
	case a.fallback == nil || b.fallback == nil:
		if a.compute != nil && b.compute != nil && a.text() != "" && a.text() == b.text() {
			return open == nil, open
		}
		for _, i := range samples(a.index) {
			if same, err := compare(i); err == nil && !same {
				return false, nil
			}
		}
		return false, undeterminedf("the equality of maps of which a lambda expression defines one")
	}
	switch same, err := equal(a.fallback, b.fallback); {
	case err != nil:
		return false, err
	case !same:
		return false, nil
	}
	return open == nil, open
}

// maxDomain is how many values of a finite type are tried one by one.
const maxDomain = 4096

// sizeOf is the number of values of a type, and whether it is finite. Uninterpreted types are not.
func sizeOf(t ast.Type) (*big.Int, bool) {
	switch t := t.(type) {
	case ast.Basic:
		return big.NewInt(2), t == ast.Bool
	case *ast.BitVector:
		return new(big.Int).Lsh(big.NewInt(1), uint(t.Width)), true
	case *ast.Constructed:
		// An enumeration.
		plain := !slices.ContainsFunc(t.Decl.Constructors, func(c *ast.Function) bool { return len(c.Params) > 0 })
		return big.NewInt(int64(len(t.Decl.Constructors))), plain && len(t.Decl.Constructors) > 0
	}
	return nil, false
}

// domainOf lists the values of a finite type.
func domainOf(t ast.Type) ([]Value, error) {
	if t == ast.Bool {
		return []Value{Bool(false), Bool(true)}, nil
	}
	if c, ok := t.(*ast.Constructed); ok {
		var out []Value
		for _, f := range c.Decl.Constructors {
			out = append(out, NewData(f, nil))
		}
		return out, nil
	}
	v, ok := t.(*ast.BitVector)
	if !ok || v.Width > 12 {
		return nil, undeterminedf("all values of the type %s", t)
	}
	var out []Value
	for i := range int64(1) << v.Width {
		out = append(out, BitVector{v.Width, big.NewInt(i)})
	}
	return out, nil
}

// samples are some values of a type, to find out that maps differ.
func samples(t ast.Type) []Value {
	var out []Value
	for n := range int64(6) {
		switch t := t.(type) {
		case ast.Basic:
			switch t {
			case ast.Int:
				out = append(out, NewInt(n-2))
			case ast.Real:
				out = append(out, Real{big.NewRat(n-2, 2)})
			}
		case *ast.BitVector:
			out = append(out, BitVector{t.Width, new(big.Int).And(big.NewInt(n), mask(t.Width))})
		case *ast.Constructed:
			if len(t.Decl.Constructors) == 0 {
				out = append(out, Element{t.String(), big.NewInt(n)})
			}
		}
	}
	return out
}

// Default is some value of a type: false, 0, or the map to a default.
func Default(t ast.Type) (Value, error) { return defaultOf(t, nil) }

// defaultOf is a value of a type that contains none of the types in open.
func defaultOf(t ast.Type, open []ast.Type) (Value, error) {
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return Bool(false), nil
		case ast.Int:
			return NewInt(0), nil
		default:
			return Real{new(big.Rat)}, nil
		}
	case *ast.BitVector:
		return BitVector{t.Width, new(big.Int)}, nil
	case *ast.Constructed:
		if len(t.Decl.Constructors) > 0 {
			return defaultData(t, open)
		}
		return Element{t.String(), new(big.Int)}, nil
	case *ast.Map:
		if len(t.Params) > 0 {
			return NewPolymorphic(t, new(big.Int)), nil
		}
		v, err := defaultOf(t.Range, open)
		if err != nil {
			return nil, err
		}
		for _, d := range slices.Backward(t.Domain) {
			v = NewMap(d, v)
		}
		return v, nil
	case *ast.Record:
		d := &Data{}
		for _, f := range t.Fields {
			v, err := defaultOf(f.Type, open)
			if err != nil {
				return nil, err
			}
			d.Names, d.Fields = append(d.Names, f.Name), append(d.Fields, v)
		}
		return d, nil
	}
	return nil, undeterminedf("a value of the type %s", t)
}

// Entries are the value of a map where it has no entry, nil for the map of a lambda expression, and the entries in order,
// each an index and a value.
func (m *Map) Entries() (fallback Value, entries [][2]Value) {
	for _, e := range m.sorted() {
		entries = append(entries, [2]Value{e.index, e.value})
	}
	return m.fallback, entries
}
