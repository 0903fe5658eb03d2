package smtlib

import (
	"hornbeam/chc/term"
)

// datatypeDecl is a datatype as it is read, before its sorts are known.
type datatypeDecl struct {
	id           symbolID
	off          int
	constructors []constructorDecl
}

type constructorDecl struct {
	id        symbolID
	off       int
	selectors []selectorDecl
}

type selectorDecl struct {
	id   symbolID
	off  int
	sort *term.Sort
}

// declareDatatype reads the rest of `(declare-datatype name (constructors))`.
func (r *reader) declareDatatype() {
	r.expectSymbol("a datatype name")
	d := &datatypeDecl{id: r.newSort(), off: r.off}
	r.datatypes([]*datatypeDecl{d}, func() { r.constructors(d) })
	r.next()
	r.close("declare-datatype")
}

// declareDatatypes reads the rest of `(declare-datatypes ((name arity)…) ((constructors)…))`, or of Z3's old form
// `(declare-datatypes () ((name constructors…)…))`.
func (r *reader) declareDatatypes() {
	r.expect(tokOpen, "before the datatype names")
	r.next()
	if r.kind == tokClose {
		r.oldDatatypes()
		return
	}
	var decls []*datatypeDecl
	for ; r.kind != tokClose; r.next() {
		switch r.kind {
		case tokOpen:
		case tokSymbol, tokQuoted:
			r.unsupported(r.off, "datatypes with parameters")
		default:
			r.fail(r.off, "expected (name arity), got %s", r.what())
		}
		r.expectSymbol("a datatype name")
		decls = append(decls, &datatypeDecl{id: r.newSort(), off: r.off})
		if r.index("the number of parameters") != 0 {
			r.unsupported(r.off, "datatypes with parameters")
		}
		r.expect(tokClose, "after the number of parameters")
	}
	r.expect(tokOpen, "before the constructors")
	r.datatypes(decls, func() {
		for _, d := range decls {
			r.constructors(d)
		}
		r.expect(tokClose, "after the constructors")
	})
	r.next()
	r.close("declare-datatypes")
}

// oldDatatypes reads `((name constructor…)…))`. The names are read first: constructors may refer to later datatypes.
func (r *reader) oldDatatypes() {
	r.expect(tokOpen, "before the datatypes")
	back := r.lexer
	var decls []*datatypeDecl
	for r.next(); r.kind != tokClose; r.next() {
		if r.kind != tokOpen {
			r.fail(r.off, "expected (name constructor…), got %s", r.what())
		}
		open := r.off
		r.expectSymbol("a datatype name")
		decls = append(decls, &datatypeDecl{id: r.newSort(), off: r.off})
		r.skip(open, 1)
	}
	r.lexer = back
	r.datatypes(decls, func() {
		for _, d := range decls {
			r.expect(tokOpen, "before a datatype")
			r.expectSymbol("a datatype name")
			for r.next(); r.kind != tokClose; r.next() {
				if r.kind == tokOpen {
					r.expectSymbol("a constructor")
					r.constructor(d, true)
				} else {
					r.wantSymbol("a constructor")
					r.constructor(d, false)
				}
			}
		}
		r.expect(tokClose, "after the datatypes")
	})
	r.next()
	r.close("declare-datatypes")
}

// constructors reads `(constructor…)` of d.
func (r *reader) constructors(d *datatypeDecl) {
	r.expect(tokOpen, "before the constructors")
	open := r.off
	for r.next(); r.kind != tokClose; r.next() {
		switch r.kind {
		case tokOpen:
			r.expectSymbol("a constructor")
			if r.word("par") && len(d.constructors) == 0 {
				r.unsupported(r.off, "datatypes with parameters")
			}
			r.constructor(d, true)
		case tokSymbol, tokQuoted: // a constant without its parentheses, as Z3 allows
			if r.word("par") && len(d.constructors) == 0 {
				r.unsupported(r.off, "datatypes with parameters")
			}
			r.constructor(d, false)
		case tokEOF:
			r.unclosed(open)
		default:
			r.fail(r.off, "expected a constructor, got %s", r.what())
		}
	}
}

// constructor reads a constructor, whose name is the current token, and, if it stands in parentheses, its selectors.
func (r *reader) constructor(d *datatypeDecl, parens bool) {
	c := constructorDecl{id: r.intern(r.text()), off: r.off}
	if parens {
		for r.next(); r.kind != tokClose; r.next() {
			if r.kind != tokOpen {
				r.fail(r.off, "expected a selector (name sort), got %s", r.what())
			}
			r.expectSymbol("a selector")
			s := selectorDecl{id: r.intern(r.text()), off: r.off}
			s.sort = r.sort()
			r.expect(tokClose, "after the selector's sort")
			c.selectors = append(c.selectors, s)
		}
	}
	d.constructors = append(d.constructors, c)
}

// datatypes declares mutually recursive datatypes. body reads their constructors; while it runs, each name stands for a
// placeholder sort, which declaring them replaces.
func (r *reader) datatypes(decls []*datatypeDecl, body func()) {
	placeholders := make(map[*term.Sort]int, len(decls))
	for i, d := range decls {
		if r.at(d.id).sort != nil {
			r.fail(d.off, "datatype %s is declared twice", term.QuoteSymbol(r.at(d.id).name))
		}
		s := r.pool.Uninterpreted("\x00" + r.at(d.id).name)
		placeholders[s] = i
		r.at(d.id).sort = &sortSymbol{sort: s}
	}
	body()
	var out []term.DatatypeDecl
	for _, d := range decls {
		decl := term.DatatypeDecl{Name: r.at(d.id).name}
		for _, c := range d.constructors {
			cd := term.ConstructorDecl{Name: r.at(c.id).name}
			for _, s := range c.selectors {
				cd.Selectors = append(cd.Selectors, term.SelectorDecl{Name: r.at(s.id).name, Sort: func(declared []*term.Sort) *term.Sort {
					return r.replaceSort(s.sort, placeholders, declared)
				}})
			}
			decl.Constructors = append(decl.Constructors, cd)
		}
		out = append(out, decl)
	}
	// The names are checked before the pool sees them, for their places.
	for _, d := range decls {
		for _, c := range d.constructors {
			r.declare(c.id, c.off, &function{kind: constructorFunc})
			for _, s := range c.selectors {
				r.declare(s.id, s.off, &function{kind: selectorFunc})
			}
		}
	}
	sorts, err := r.pool.Datatypes(out...)
	if err != nil {
		r.fail(decls[0].off, "%v", err)
	}
	for i, d := range decls {
		r.at(d.id).sort = &sortSymbol{sort: sorts[i]}
		for j, c := range d.constructors {
			ctor := sorts[i].Data.Constructors[j]
			cf := r.at(c.id).fn
			cf.ctor, cf.rng = ctor, sorts[i]
			for k, s := range c.selectors {
				sel := ctor.Selectors[k]
				cf.domain = append(cf.domain, sel.Sort)
				sf := r.at(s.id).fn
				sf.sel, sf.domain, sf.rng = sel, []*term.Sort{sorts[i]}, sel.Sort
			}
		}
	}
	r.indexedByThemselves(decls, sorts)
	r.script.System.Datatypes = append(r.script.System.Datatypes, sorts...)
}

// indexedByThemselves refuses a datatype with an array whose index is that datatype, directly or through others: there are
// more such arrays than values, and solvers have no such sorts.
func (r *reader) indexedByThemselves(decls []*datatypeDecl, sorts []*term.Sort) {
	group := map[*term.Sort]int{}
	for i, g := range term.DatatypeGroups(sorts...) {
		for _, d := range g {
			group[d] = i
		}
	}
	var look func(s *term.Sort, in int, index bool) bool
	look = func(s *term.Sort, in int, index bool) bool {
		if s.IsArray() {
			return look(s.Index, in, true) || look(s.Elem, in, index)
		}
		return index && s.IsDatatype() && group[s] == in
	}
	for i, d := range decls {
		for j, c := range sorts[i].Data.Constructors {
			for k, sel := range c.Selectors {
				if s := d.constructors[j].selectors[k]; look(sel.Sort, group[sorts[i]], false) {
					r.unsupported(s.off, "datatype %s has arrays with itself as the index", term.QuoteSymbol(r.at(d.id).name))
				}
			}
		}
	}
}

// replaceSort puts the declared sorts in the place of their placeholders.
func (r *reader) replaceSort(s *term.Sort, placeholders map[*term.Sort]int, declared []*term.Sort) *term.Sort {
	if i, ok := placeholders[s]; ok {
		return declared[i]
	}
	if s.IsArray() {
		return r.pool.Array(r.replaceSort(s.Index, placeholders, declared), r.replaceSort(s.Elem, placeholders, declared))
	}
	return s
}
