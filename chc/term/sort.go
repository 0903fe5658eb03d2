package term

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
)

// SortKind tells the families of sorts apart.
type SortKind uint8

// The kinds of sorts.
const (
	BoolKind SortKind = iota + 1
	IntKind
	RealKind
	ArrayKind
	BitVecKind
	DatatypeKind
	UninterpretedKind
)

// Sort is the sort of a term. Sorts are interned: Bool, Int and Real are the package's, every other sort belongs to one
// pool, and equal sorts are the same pointer.
type Sort struct {
	Kind SortKind
	// Width is a bit-vector's number of bits, at least 1.
	Width int
	// Index and Elem are an array's.
	Index, Elem *Sort
	// Name is a datatype's or uninterpreted sort's.
	Name string
	// Data is a datatype's.
	Data *Datatype

	id uint32
	// size is 1 plus what finiteSize returns; 0 before it was asked.
	size atomic.Int32
}

// The sorts that every pool shares.
var (
	Bool = &Sort{Kind: BoolKind, id: 1}
	Int  = &Sort{Kind: IntKind, id: 2}
	Real = &Sort{Kind: RealKind, id: 3}
)

// Datatype is an algebraic datatype, monomorphic.
type Datatype struct {
	Name string
	Sort *Sort
	// Constructors has at least one element.
	Constructors []*Constructor
	// Generic is the datatype with parameters that this one is an instance of, with one sort of Args for each parameter;
	// nil when it has none. The instance is called as its sort is printed, (List Int).
	Generic *Generic
	Args    []*Sort
}

// Generic is a datatype with parameters, of which terms have instances only. Instances of one generic have the same names of
// constructors and selectors.
type Generic struct {
	Name string
	// Params are uninterpreted sorts that stand for the parameters, and Template is the instance for these.
	Params   []*Sort
	Template *Sort
	// Open has an element for each constructor: whether its fields leave parameters open, so that its terms are printed
	// with their sort.
	Open []bool
}

// Constructor builds values of a datatype.
type Constructor struct {
	Name string
	Data *Datatype
	// Index is the place in Data.Constructors.
	Index     int
	Selectors []*Selector

	ext *payload
}

// Selector is a field of a constructor.
type Selector struct {
	Name string
	Ctor *Constructor
	// Index is the place in Ctor.Selectors.
	Index int
	Sort  *Sort

	ext *payload
}

// DatatypeDecl declares a datatype.
type DatatypeDecl struct {
	Name         string
	Constructors []ConstructorDecl
}

// InstanceOf says of which datatype with parameters a declared one is an instance. Args is called as Sort of SelectorDecl is.
type InstanceOf struct {
	Generic *Generic
	Args    func(declared []*Sort) []*Sort
}

// ConstructorDecl declares a constructor.
type ConstructorDecl struct {
	Name      string
	Selectors []SelectorDecl
}

// SelectorDecl declares a field. Sort is called once with the sorts that are being declared, in the order of the
// declarations, and returns the field's sort, which may be one of them or be built from them. Of and Declared make
// such functions.
type SelectorDecl struct {
	Name string
	Sort func(declared []*Sort) *Sort
}

// Of gives a field the sort s.
func Of(s *Sort) func([]*Sort) *Sort { return func([]*Sort) *Sort { return s } }

// Declared gives a field the sort of the i-th datatype of the same declaration.
func Declared(i int) func([]*Sort) *Sort { return func(ss []*Sort) *Sort { return ss[i] } }

// IsArith reports whether s is Int or Real.
func (s *Sort) IsArith() bool { return s == Int || s == Real }

// IsArray reports whether s is an array sort.
func (s *Sort) IsArray() bool { return s.Kind == ArrayKind }

// IsBitVec reports whether s is a bit-vector sort.
func (s *Sort) IsBitVec() bool { return s.Kind == BitVecKind }

// IsDatatype reports whether s is a datatype.
func (s *Sort) IsDatatype() bool { return s.Kind == DatatypeKind }

// String returns the sort in SMT-LIB.
func (s *Sort) String() string {
	switch s.Kind {
	case BoolKind:
		return "Bool"
	case IntKind:
		return "Int"
	case RealKind:
		return "Real"
	case ArrayKind:
		return "(Array " + s.Index.String() + " " + s.Elem.String() + ")"
	case BitVecKind:
		return "(_ BitVec " + strconv.Itoa(s.Width) + ")"
	case DatatypeKind:
		if s.Data.Generic != nil {
			return s.Name
		}
	}
	return QuoteSymbol(s.Name)
}

// sortKey identifies a sort of a pool.
type sortKey struct {
	kind     SortKind
	width    int
	idx, elt *Sort
	name     string
}

func (p *Pool) sort(k sortKey) *Sort {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.sorts[k]; s != nil {
		return s
	}
	s := &Sort{Kind: k.kind, Width: k.width, Index: k.idx, Elem: k.elt, Name: k.name, id: p.nextSort()}
	p.sorts[k] = s
	return s
}

// nextSort returns a new sort number; p.mu is held.
func (p *Pool) nextSort() uint32 {
	p.sortCount++
	return 3 + p.sortCount
}

// BitVec returns the sort of bit-vectors of w bits. It panics when w < 1.
func (p *Pool) BitVec(w int) *Sort {
	if w < 1 {
		panic(fmt.Sprintf("term: bit-vector sort of width %d", w))
	}
	if w > len(p.bitVecs) {
		return p.sort(sortKey{kind: BitVecKind, width: w})
	}
	s := p.bitVecs[w-1].Load()
	if s == nil {
		s = p.sort(sortKey{kind: BitVecKind, width: w})
		p.bitVecs[w-1].Store(s)
	}
	return s
}

// Array returns the sort of arrays from i to e.
func (p *Pool) Array(i, e *Sort) *Sort { return p.sort(sortKey{kind: ArrayKind, idx: i, elt: e}) }

// Uninterpreted returns the uninterpreted sort of that name.
func (p *Pool) Uninterpreted(name string) *Sort {
	return p.sort(sortKey{kind: UninterpretedKind, name: name})
}

// Datatypes declares datatypes that may refer to each other and returns their sorts in order. It fails when a name is
// used twice, a datatype has no constructor, or one has no finite value. Each call makes new sorts; sorts of equal
// names from different calls are different.
func (p *Pool) Datatypes(decls ...DatatypeDecl) ([]*Sort, error) {
	return p.Instances(decls, make([]InstanceOf, len(decls)))
}

// Instances is Datatypes for datatypes some of which are instances, those whose element of of has a Generic. Instances of one
// Generic have constructors and selectors of equal names.
func (p *Pool) Instances(decls []DatatypeDecl, of []InstanceOf) ([]*Sort, error) {
	sorts := make([]*Sort, len(decls))
	seen := map[string]bool{}
	for i, d := range decls {
		if seen[d.Name] {
			return nil, fmt.Errorf("datatype %s is declared twice", d.Name)
		}
		seen[d.Name] = true
		if len(d.Constructors) == 0 {
			return nil, fmt.Errorf("datatype %s has no constructor", d.Name)
		}
		p.mu.Lock()
		id := p.nextSort()
		p.mu.Unlock()
		sorts[i] = &Sort{Kind: DatatypeKind, Name: d.Name, id: id}
		sorts[i].Data = &Datatype{Name: d.Name, Sort: sorts[i], Generic: of[i].Generic}
	}
	owner := map[string]*Generic{}
	for i, d := range decls {
		data := sorts[i].Data
		if of[i].Generic != nil {
			data.Args = of[i].Args(sorts)
		}
		own := map[string]bool{}
		take := func(name string) error {
			g, taken := owner[name]
			if own[name] || taken && (g == nil || g != of[i].Generic) {
				return fmt.Errorf("datatype %s: the name %s is used twice", d.Name, name)
			}
			owner[name], own[name] = of[i].Generic, true
			return nil
		}
		for j, cd := range d.Constructors {
			if err := take(cd.Name); err != nil {
				return nil, err
			}
			c := &Constructor{Name: cd.Name, Data: data, Index: j}
			c.ext = &payload{ctor: c, hash: p.nextSymbol()}
			for k, sd := range cd.Selectors {
				if err := take(sd.Name); err != nil {
					return nil, err
				}
				s := sd.Sort(sorts)
				if s == nil {
					return nil, fmt.Errorf("datatype %s: selector %s has no sort", d.Name, sd.Name)
				}
				sel := &Selector{Name: sd.Name, Ctor: c, Index: k, Sort: s}
				sel.ext = &payload{sel: sel, hash: p.nextSymbol()}
				c.Selectors = append(c.Selectors, sel)
			}
			data.Constructors = append(data.Constructors, c)
		}
	}
	for _, s := range sorts {
		if !wellFounded(s, map[*Sort]bool{}) {
			return nil, errors.New("datatype " + s.Name + " has no finite value")
		}
	}
	return sorts, nil
}

// wellFounded reports whether s has a value that needs no value of a sort in open.
func wellFounded(s *Sort, open map[*Sort]bool) bool {
	switch s.Kind {
	case ArrayKind:
		return wellFounded(s.Elem, open)
	case DatatypeKind:
		return !open[s] && baseConstructor(s, open) != nil
	}
	return true
}

// baseConstructor returns the first constructor whose fields all have values without one of s or of a sort in open; nil
// when there is none.
func baseConstructor(s *Sort, open map[*Sort]bool) *Constructor {
	open[s] = true
	defer delete(open, s)
	for _, c := range s.Data.Constructors {
		ok := true
		for _, f := range c.Selectors {
			if !wellFounded(f.Sort, open) {
				ok = false
				break
			}
		}
		if ok {
			return c
		}
	}
	return nil
}

// Func is an uninterpreted function symbol. Functions are interned per pool by name and signature.
type Func struct {
	Name   string
	Domain []*Sort
	Range  *Sort

	ext *payload
}

// DeclareFunc returns the function symbol of that name and signature. domain may be empty, but constants are better
// made with Var.
func (p *Pool) DeclareFunc(name string, domain []*Sort, rng *Sort) *Func {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, f := range p.funcs[name] {
		if f.Range != rng || len(f.Domain) != len(domain) {
			continue
		}
		for i, s := range domain {
			if f.Domain[i] != s {
				continue next
			}
		}
		return f
	}
	f := &Func{Name: name, Domain: append([]*Sort(nil), domain...), Range: rng}
	f.ext = &payload{fn: f, hash: p.nextSymbol()}
	p.funcs[name] = append(p.funcs[name], f)
	return f
}
