package smtlib

import (
	"slices"
	"strconv"

	"hornbeam/chc/term"
)

// datatypeDecl is a datatype as it is read, before its sorts are known.
type datatypeDecl struct {
	id  symbolID
	off int
	// arity is the number of parameters, params are the sorts that stand for them in the fields.
	arity        int
	params       []*term.Sort
	constructors []constructorDecl
	// generic is what terms know of it when it has parameters; else it is nil.
	generic *term.Generic
}

type constructorDecl struct {
	id        symbolID
	off       int
	selectors []selectorDecl
}

// selectorDecl is a field. Its sort has placeholders for applications of datatypes.
type selectorDecl struct {
	id   symbolID
	off  int
	sort *term.Sort
}

// declareDatatype reads the rest of `(declare-datatype name body)`.
func (r *reader) declareDatatype() {
	r.expectSymbol("a datatype name")
	d := &datatypeDecl{id: r.newSort(), off: r.off}
	// The number of parameters is in the body, but the body's sorts are understood by it.
	back := r.lexer
	r.expect(tokOpen, "before the constructors")
	if r.next(); r.word("par") {
		r.expect(tokOpen, "before the parameters")
		for r.next(); r.kind == tokSymbol || r.kind == tokQuoted; r.next() {
			d.arity++
		}
	}
	r.lexer = back
	r.datatypes([]*datatypeDecl{d}, func() { r.datatypeBody(d) })
	r.expectEnd("declare-datatype")
}

// declareDatatypes reads the rest of `(declare-datatypes ((name arity)…) (body…))`, or of Z3's old form
// `(declare-datatypes (parameters) ((name constructors…)…))`.
func (r *reader) declareDatatypes() {
	r.expect(tokOpen, "before the datatype names")
	back := r.lexer
	if r.next(); r.kind != tokOpen {
		r.lexer = back
		r.oldDatatypes()
		return
	}
	var decls []*datatypeDecl
	for ; r.kind != tokClose; r.next() {
		if r.kind != tokOpen {
			r.fail(r.off, "expected (name arity), got %s", r.what())
		}
		r.expectSymbol("a datatype name")
		d := &datatypeDecl{id: r.newSort(), off: r.off}
		d.arity = r.index("the number of parameters")
		decls = append(decls, d)
		r.expect(tokClose, "after the number of parameters")
	}
	r.expect(tokOpen, "before the constructors")
	r.datatypes(decls, func() {
		for _, d := range decls {
			r.datatypeBody(d)
		}
		r.expect(tokClose, "after the constructors")
	})
	r.expectEnd("declare-datatypes")
}

// oldDatatypes reads `parameter…) ((name constructor…)…))`. The names are read first: constructors may refer to later
// datatypes. The datatypes share the parameters, and stand without them in their fields.
func (r *reader) oldDatatypes() {
	var params []symbolID
	for r.next(); r.kind != tokClose; r.next() {
		params = append(params, r.parameter(params))
	}
	r.expect(tokOpen, "before the datatypes")
	back := r.lexer
	var decls []*datatypeDecl
	r.list("(name constructor…)", func() {
		open := r.off
		r.expectSymbol("a datatype name")
		decls = append(decls, &datatypeDecl{id: r.newSort(), off: r.off, arity: len(params)})
		r.skip(open)
	})
	r.lexer = back
	r.datatypes(decls, func() {
		for _, d := range decls {
			restore := r.bindParameters(d, params)
			for _, e := range decls {
				r.at(e.id).sort = &sortSymbol{sort: r.deferred(e, d.params)}
			}
			r.expect(tokOpen, "before a datatype")
			r.expectSymbol("a datatype name")
			for r.next(); r.kind != tokClose; r.next() {
				r.constructorHere(d)
			}
			restore()
		}
		r.expect(tokClose, "after the datatypes")
	})
	r.expectEnd("declare-datatypes")
}

// parameter returns the sort parameter that is the current token; earlier are those before it.
func (r *reader) parameter(earlier []symbolID) symbolID {
	r.wantSymbol("a sort parameter")
	id := r.intern(r.text())
	if slices.Contains(earlier, id) {
		r.fail(r.off, "parameter %s occurs twice", term.QuoteSymbol(r.at(id).name))
	}
	return id
}

// bindParameters makes the names stand for the parameters of d until the function that it returns is called.
func (r *reader) bindParameters(d *datatypeDecl, names []symbolID) (restore func()) {
	saved := make([]*sortSymbol, len(names))
	for i, id := range names {
		saved[i] = r.at(id).sort
		// A sort of that name may occur in the fields under another name.
		name := r.at(id).name
		for k := 1; r.isSort(name); k++ {
			name = r.at(id).name + "!" + strconv.Itoa(k)
		}
		s := r.pool.Uninterpreted(name)
		r.sortParams[s] = true
		d.params = append(d.params, s)
	}
	for i, id := range names {
		r.at(id).sort = &sortSymbol{sort: d.params[i]}
	}
	return func() {
		for i, id := range names {
			r.at(id).sort = saved[i]
		}
	}
}

// isSort reports whether the name means a sort.
func (r *reader) isSort(name string) bool {
	id, ok := r.ids[name]
	return ok && r.at(id).sort != nil
}

// datatypeBody reads `(constructor…)` of d, or `(par (parameter…) (constructor…))`.
func (r *reader) datatypeBody(d *datatypeDecl) {
	r.expect(tokOpen, "before the constructors")
	open := r.off
	r.next()
	if !r.word("par") {
		if d.arity > 0 {
			r.fail(r.off, "expected par and %d parameters, got %s", d.arity, r.what())
		}
		r.constructorsHere(d, open)
		return
	}
	r.expect(tokOpen, "before the parameters")
	off := r.off
	var params []symbolID
	for r.next(); r.kind != tokClose; r.next() {
		params = append(params, r.parameter(params))
	}
	if len(params) != d.arity {
		r.fail(off, "datatype %s has %d parameters, but %d are named here", term.QuoteSymbol(r.at(d.id).name), d.arity, len(params))
	}
	restore := r.bindParameters(d, params)
	r.expect(tokOpen, "before the constructors")
	open = r.off
	r.next()
	r.constructorsHere(d, open)
	restore()
	r.expect(tokClose, "after the constructors")
}

// constructorsHere reads constructors up to the ')' that closes the parenthesis at offset open, starting at the current
// token.
func (r *reader) constructorsHere(d *datatypeDecl, open int) {
	for ; r.kind != tokClose; r.next() {
		if r.kind == tokEOF {
			r.unclosed(open)
		}
		r.constructorHere(d)
	}
}

// constructorHere reads the constructor that starts at the current token.
func (r *reader) constructorHere(d *datatypeDecl) {
	if r.kind == tokOpen {
		r.expectSymbol("a constructor")
		r.constructor(d, true)
		return
	}
	r.wantSymbol("a constructor") // a constant without its parentheses, as Z3 allows
	r.constructor(d, false)
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

// datatypes declares mutually recursive datatypes. body reads their constructors; while it runs, each application of a
// datatype is a placeholder.
func (r *reader) datatypes(decls []*datatypeDecl, body func()) {
	if len(decls) == 0 {
		body()
		return
	}
	for _, d := range decls {
		if r.at(d.id).sort != nil {
			r.fail(d.off, "datatype %s is declared twice", term.QuoteSymbol(r.at(d.id).name))
		}
		r.at(d.id).sort = &sortSymbol{arity: d.arity, data: d}
	}
	r.deferring = true
	body()
	r.deferring = false
	// The names are checked before the pool sees them, for their places.
	for _, d := range decls {
		r.at(d.id).sort = &sortSymbol{arity: d.arity, data: d}
		if d.arity > 0 {
			d.generic = &term.Generic{Name: r.at(d.id).name, Params: d.params, Open: r.openConstructors(d)}
		}
		for i, c := range d.constructors {
			r.declare(c.id, c.off, &function{kind: constructorFunc, data: d, index: [2]int{i}})
			for j, s := range c.selectors {
				r.declare(s.id, s.off, &function{kind: selectorFunc, data: d, index: [2]int{i, j}})
			}
		}
	}
	var whole, templates []application
	for _, d := range decls {
		if d.arity == 0 {
			whole = append(whole, application{d, nil})
		} else {
			templates = append(templates, application{d, d.params})
		}
	}
	for i, s := range r.instances(whole, decls[0].off) {
		d := whole[i].data
		r.at(d.id).sort = &sortSymbol{sort: s}
		for j, c := range d.constructors {
			*r.at(c.id).fn = *r.concrete(r.at(c.id).fn, s)
			for k := range c.selectors {
				f := r.at(d.constructors[j].selectors[k].id).fn
				*f = *r.concrete(f, s)
			}
		}
	}
	for i, s := range r.instances(templates, decls[0].off) {
		templates[i].data.generic.Template = s
	}
}

// indexedByThemselves refuses a datatype with an array whose index is that datatype, directly or through others: there are
// more such arrays than values, and solvers have no such sorts.
func (r *reader) indexedByThemselves(apps []application, sorts []*term.Sort, off int) {
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
	for i, a := range apps {
		for j, c := range sorts[i].Data.Constructors {
			for k, sel := range c.Selectors {
				if look(sel.Sort, group[sorts[i]], false) {
					if len(a.args) == 0 {
						off = a.data.constructors[j].selectors[k].off
					}
					r.unsupported(off, "datatype %s has arrays with itself as the index", sorts[i])
				}
			}
		}
	}
}
