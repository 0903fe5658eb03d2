package z3

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"hornbeam/chc/term"
)

// function is what a Z3 function of ours stands for: one of the fields is set.
type function struct {
	fn   *term.Func
	ctor *term.Constructor
	is   *term.Constructor
	sel  *term.Selector
}

// sort returns the index of s, declaring it first when it is new.
func (c *solverContext) sort(s *term.Sort) (uint32, error) {
	if i, ok := c.sorts[s]; ok {
		return i, nil
	}
	if s.Kind == term.DatatypeKind {
		if err := c.declareDatatypes(s); err != nil {
			return 0, err
		}
		return c.sorts[s], nil
	}
	var i C.int64_t
	switch s.Kind {
	case term.BoolKind:
		i = C.hb_basic_sort(c.h, C.Z3_BOOL_SORT, 0)
	case term.IntKind:
		i = C.hb_basic_sort(c.h, C.Z3_INT_SORT, 0)
	case term.RealKind:
		i = C.hb_basic_sort(c.h, C.Z3_REAL_SORT, 0)
	case term.BitVecKind:
		i = C.hb_basic_sort(c.h, C.Z3_BV_SORT, C.uint32_t(s.Width))
	case term.ArrayKind:
		index, err := c.sort(s.Index)
		if err != nil {
			return 0, err
		}
		elem, err := c.sort(s.Elem)
		if err != nil {
			return 0, err
		}
		i = C.hb_array_sort(c.h, C.uint32_t(index), C.uint32_t(elem))
	case term.UninterpretedKind:
		name := C.CString(sortName(len(c.sortList)))
		i = C.hb_uninterpreted_sort(c.h, name)
		C.free(unsafe.Pointer(name))
	default:
		return 0, fmt.Errorf("z3: sort %v is not supported", s)
	}
	if i < 0 {
		return 0, c.failure("declaring the sort " + s.String())
	}
	c.addSort(s)
	return uint32(i), nil
}

func (c *solverContext) addSort(s *term.Sort) {
	c.sorts[s] = uint32(len(c.sortList))
	c.sortList = append(c.sortList, s)
}

// sortName is the name that a named sort has in Z3. The sorts' own names may be in use twice in one pool.
func sortName(index int) string { return "S" + strconv.Itoa(index) }

// declareDatatypes declares s after all datatypes below it that are new, those that refer to each other at once: a
// datatype may be the index of an array only in datatypes that are declared later.
func (c *solverContext) declareDatatypes(s *term.Sort) error {
	for _, group := range term.DatatypeGroups(s) {
		if _, known := c.sorts[group[0]]; known {
			continue
		}
		if err := c.declareGroup(group); err != nil {
			return err
		}
	}
	return nil
}

// declareGroup declares datatypes that refer to each other. Z3's constructors for datatypes cannot express a field whose
// sort is an array of a sort that is being declared, so the declaration goes through its parser.
func (c *solverContext) declareGroup(group []*term.Sort) error {
	for _, d := range group {
		for _, ctor := range d.Data.Constructors {
			for _, sel := range ctor.Selectors {
				if err := c.declareUniverses(sel.Sort); err != nil {
					return err
				}
			}
		}
	}
	// The names of the new sorts are fixed before the text is written; known named sorts are handed to the parser.
	names := map[*term.Sort]string{}
	for i, d := range group {
		names[d] = sortName(len(c.sortList) + i)
	}
	var known []uint32
	var knownNames []string
	for i, k := range c.sortList {
		if k.Kind == term.DatatypeKind || k.Kind == term.UninterpretedKind {
			names[k] = sortName(i)
			known = append(known, uint32(i))
			knownNames = append(knownNames, names[k])
		}
	}
	first, err := c.parseDatatypes(datatypeText(group, names), len(group), known, knownNames)
	if err != nil {
		return fmt.Errorf("declaring the datatype %v: %w", group[0], err)
	}
	if int(first) != len(c.sortList) {
		return fmt.Errorf("z3: declaring the datatype %v: sorts out of order", group[0])
	}
	for _, d := range group {
		c.addSort(d)
	}
	for _, d := range group {
		for _, ctor := range d.Data.Constructors {
			i := C.hb_constructor(c.h, C.uint32_t(c.sorts[d]), C.uint32_t(ctor.Index), C.uint32_t(len(ctor.Selectors)))
			if i < 0 {
				return c.failure("declaring the constructor " + ctor.Name)
			}
			c.ctors[ctor] = uint32(i)
			c.funcList = append(c.funcList, function{ctor: ctor}, function{is: ctor})
			for _, sel := range ctor.Selectors {
				c.funcList = append(c.funcList, function{sel: sel})
				// A model may show values of a sort that is met nowhere else.
				if _, err := c.sort(sel.Sort); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// declareUniverses declares the uninterpreted sorts that arrays of sort s have.
func (c *solverContext) declareUniverses(s *term.Sort) error {
	switch s.Kind {
	case term.ArrayKind:
		if err := c.declareUniverses(s.Index); err != nil {
			return err
		}
		return c.declareUniverses(s.Elem)
	case term.UninterpretedKind:
		_, err := c.sort(s)
		return err
	}
	return nil
}

// datatypeText declares the datatypes under their names, with constructors and selectors named after them, and asserts
// something about a constant of each.
func datatypeText(group []*term.Sort, names map[*term.Sort]string) string {
	var b strings.Builder
	b.WriteString("(declare-datatypes (")
	for _, d := range group {
		fmt.Fprintf(&b, "(%s 0)", names[d])
	}
	b.WriteString(") (")
	for _, d := range group {
		b.WriteString("(")
		for i, ctor := range d.Data.Constructors {
			fmt.Fprintf(&b, "(%s!%d", names[d], i)
			for j, sel := range ctor.Selectors {
				fmt.Fprintf(&b, " (%s!%d!%d ", names[d], i, j)
				writeSort(&b, sel.Sort, names)
				b.WriteString(")")
			}
			b.WriteString(")")
		}
		b.WriteString(")")
	}
	b.WriteString("))")
	for _, d := range group {
		fmt.Fprintf(&b, "(declare-fun %s! () %s)(assert (= %s! %s!))", names[d], names[d], names[d], names[d])
	}
	return b.String()
}

func writeSort(b *strings.Builder, s *term.Sort, names map[*term.Sort]string) {
	switch s.Kind {
	case term.ArrayKind:
		b.WriteString("(Array ")
		writeSort(b, s.Index, names)
		b.WriteString(" ")
		writeSort(b, s.Elem, names)
		b.WriteString(")")
	case term.DatatypeKind, term.UninterpretedKind:
		b.WriteString(names[s])
	default:
		b.WriteString(s.String())
	}
}

func (c *solverContext) parseDatatypes(text string, n int, known []uint32, names []string) (int64, error) {
	ctext := C.CString(text)
	defer C.free(unsafe.Pointer(ctext))
	list := (**C.char)(C.calloc(C.size_t(len(names)+1), C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	defer C.free(unsafe.Pointer(list))
	cnames := unsafe.Slice(list, len(names)+1)
	for i, name := range names {
		cnames[i] = C.CString(name)
		defer C.free(unsafe.Pointer(cnames[i]))
	}
	i := C.hb_datatypes(c.h, ctext, C.uint32_t(n), list, words(known), C.uint32_t(len(known)))
	if i < 0 {
		return 0, c.failure("parsing the declaration")
	}
	return int64(i), nil
}

// function returns the index of f, declaring it first when it is new.
func (c *solverContext) function(f *term.Func) (uint32, error) {
	if i, ok := c.funcs[f]; ok {
		return i, nil
	}
	domain := make([]uint32, len(f.Domain))
	for i, s := range f.Domain {
		var err error
		if domain[i], err = c.sort(s); err != nil {
			return 0, err
		}
	}
	rng, err := c.sort(f.Range)
	if err != nil {
		return 0, err
	}
	name := C.CString(f.Name)
	defer C.free(unsafe.Pointer(name))
	i := C.hb_function(c.h, name, words(domain), C.uint32_t(len(domain)), C.uint32_t(rng))
	if i < 0 {
		return 0, c.failure("declaring the function " + f.Name)
	}
	c.funcs[f] = uint32(i)
	c.funcList = append(c.funcList, function{fn: f})
	return uint32(i), nil
}
