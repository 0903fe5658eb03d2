package smtlib

import (
	"slices"
	"strings"

	"hornbeam/chc/term"
)

// application is a datatype with a sort for each of its parameters.
type application struct {
	data *datatypeDecl
	args []*term.Sort
}

// deferred is the placeholder of an application in the fields of datatypes that are being declared.
func (r *reader) deferred(d *datatypeDecl, args []*term.Sort) *term.Sort {
	a := application{d, args}
	s := r.pool.Uninterpreted(placeholder + r.key(a))
	r.applications[s] = a
	return s
}

// placeholder begins the names of placeholders, and parameterMark stands before parameters in keys; neither is in symbols.
const placeholder, parameterMark = "\x00", "\x01"

// key is the text of the application as a sort, but for marks.
func (r *reader) key(a application) string {
	name := term.QuoteSymbol(r.at(a.data.id).name)
	if len(a.args) == 0 {
		return name
	}
	var b strings.Builder
	b.WriteString("(" + name)
	for _, s := range a.args {
		b.WriteByte(' ')
		r.writeKey(&b, s)
	}
	b.WriteByte(')')
	return b.String()
}

// writeKey writes the text of the sort s, in which placeholders are what they stand for.
func (r *reader) writeKey(b *strings.Builder, s *term.Sort) {
	if b.Len() > maxSortText {
		r.unsupported(r.off, "datatypes whose sorts have more than %d characters", maxSortText)
	}
	if s.IsArray() {
		b.WriteString("(Array ")
		r.writeKey(b, s.Index)
		b.WriteByte(' ')
		r.writeKey(b, s.Elem)
		b.WriteByte(')')
		return
	}
	if key, ok := strings.CutPrefix(s.Name, placeholder); ok {
		b.WriteString(key)
		return
	}
	if r.sortParams[s] { // another sort may be called like it
		b.WriteString(parameterMark)
	}
	b.WriteString(s.String())
}

// instance returns the sort of an application; off is where it stands.
func (r *reader) instance(off int, d *datatypeDecl, args []*term.Sort) *term.Sort {
	if r.deferring {
		return r.deferred(d, args)
	}
	return r.instances([]application{{d, args}}, off)[0]
}

// batch is the instances that are declared at once.
type batch struct {
	r     *reader
	off   int
	apps  []application
	index map[*term.Sort]int // by placeholder
}

// instances returns the sorts of applications without placeholders, declaring those that are new, and those that these
// need, at once.
func (r *reader) instances(apps []application, off int) []*term.Sort {
	b := &batch{r: r, off: off, index: map[*term.Sort]int{}}
	out := make([]*term.Sort, len(apps))
	for i, a := range apps {
		out[i] = b.apply(a)
	}
	var decls []term.DatatypeDecl
	var of []term.InstanceOf
	for i := 0; i < len(b.apps); i++ { // more are found on the way
		d, g := b.decl(b.apps[i])
		decls, of = append(decls, d), append(of, g)
	}
	if len(decls) == 0 {
		return out
	}
	sorts, err := r.pool.Instances(decls, of)
	if err != nil {
		r.fail(off, "%v", err)
	}
	r.indexedByThemselves(b.apps, sorts, off)
	for i, a := range b.apps {
		r.known[r.key(a)] = sorts[i]
		if !slices.ContainsFunc(a.args, r.hasParameter) {
			r.script.System.Datatypes = append(r.script.System.Datatypes, sorts[i])
		}
	}
	for i, s := range out {
		out[i] = b.declared(s, sorts)
	}
	return out
}

// hasParameter reports whether parameters of a datatype occur in s.
func (r *reader) hasParameter(s *term.Sort) bool {
	switch {
	case s.IsArray():
		return r.hasParameter(s.Index) || r.hasParameter(s.Elem)
	case s.IsDatatype():
		return slices.ContainsFunc(s.Data.Args, r.hasParameter)
	}
	return r.sortParams[s] || r.applications[s].data != nil && slices.ContainsFunc(r.applications[s].args, r.hasParameter)
}

// apply returns the sort of a, or its placeholder while it is not declared.
func (b *batch) apply(a application) *term.Sort {
	key := b.r.key(a)
	if s := b.r.known[key]; s != nil {
		return s
	}
	s := b.r.deferred(a.data, a.args)
	if _, ok := b.index[s]; !ok {
		if len(b.apps) == maxInstances {
			b.r.unsupported(b.off, "datatypes with parameters that need more than %d instances of each other", maxInstances)
		}
		b.index[s] = len(b.apps)
		b.apps = append(b.apps, a)
	}
	return s
}

// decl is the declaration of a.
func (b *batch) decl(a application) (out term.DatatypeDecl, of term.InstanceOf) {
	out = term.DatatypeDecl{Name: b.r.at(a.data.id).name}
	if a.data.generic != nil {
		of.Generic = a.data.generic
		out.Name = strings.ReplaceAll(b.r.key(a), parameterMark, "")
		of.Args = func(declared []*term.Sort) []*term.Sort {
			args := make([]*term.Sort, len(a.args))
			for i, s := range a.args {
				args[i] = b.declared(s, declared)
			}
			return args
		}
	}
	for _, c := range a.data.constructors {
		cd := term.ConstructorDecl{Name: b.r.at(c.id).name}
		for _, sel := range c.selectors {
			s := b.substitute(sel.sort, a)
			cd.Selectors = append(cd.Selectors, term.SelectorDecl{Name: b.r.at(sel.id).name, Sort: func(declared []*term.Sort) *term.Sort {
				return b.declared(s, declared)
			}})
		}
		out.Constructors = append(out.Constructors, cd)
	}
	return out, of
}

// substitute returns the sort s of a field of a's datatype with a's arguments for the parameters.
func (b *batch) substitute(s *term.Sort, a application) *term.Sort {
	if i := slices.Index(a.data.params, s); i >= 0 {
		return a.args[i]
	}
	if s.IsArray() {
		return b.r.pool.Array(b.substitute(s.Index, a), b.substitute(s.Elem, a))
	}
	if d, ok := b.r.applications[s]; ok {
		args := make([]*term.Sort, len(d.args))
		for i, t := range d.args {
			args[i] = b.substitute(t, a)
		}
		return b.apply(application{d.data, args})
	}
	return s
}

// declared puts the declared sorts in the place of their placeholders.
func (b *batch) declared(s *term.Sort, declared []*term.Sort) *term.Sort {
	if i, ok := b.index[s]; ok {
		return declared[i]
	}
	if s.IsArray() {
		return b.r.pool.Array(b.declared(s.Index, declared), b.declared(s.Elem, declared))
	}
	return s
}

// openConstructors says which constructors have fields that do not determine all of d's parameters.
func (r *reader) openConstructors(d *datatypeDecl) []bool {
	out := make([]bool, len(d.constructors))
	for i, c := range d.constructors {
		found := map[*term.Sort]bool{}
		var look func(s *term.Sort)
		look = func(s *term.Sort) {
			found[s] = true
			if s.IsArray() {
				look(s.Index)
				look(s.Elem)
			}
			for _, a := range r.applications[s].args {
				look(a)
			}
		}
		for _, sel := range c.selectors {
			look(sel.sort)
		}
		out[i] = slices.ContainsFunc(d.params, func(p *term.Sort) bool { return !found[p] })
	}
	return out
}

// tester returns the tester of the constructor c, called name.
func tester(c *function, name string) *function {
	f := &function{kind: testerFunc, name: name, ctor: c.ctor, data: c.data, index: c.index, rng: term.Bool}
	if c.data == nil {
		f.domain = []*term.Sort{c.rng}
	}
	return f
}

// updater reads the selector of `(_ update-field selector)`; name is the first word.
func (r *reader) updater(name string) *function {
	r.expectSymbol("a selector")
	sel := r.function(r.intern(r.text()))
	if sel.kind != selectorFunc {
		r.fail(r.off, "%s is no selector", term.QuoteSymbol(sel.name))
	}
	f := &function{kind: updaterFunc, name: name, data: sel.data, index: sel.index, sel: sel.sel}
	if sel.data == nil {
		f.domain, f.rng = []*term.Sort{sel.domain[0], sel.rng}, sel.domain[0]
	}
	return f
}

// update returns t with the value v in the field sel; a term of another constructor stays as it is.
func (r *reader) update(sel *term.Selector, t, v *term.Term) *term.Term {
	fields := make([]*term.Term, len(sel.Ctor.Selectors))
	for i, other := range sel.Ctor.Selectors {
		if fields[i] = v; other != sel {
			fields[i] = r.pool.Field(other, t)
		}
	}
	return r.pool.Ite(r.pool.Is(sel.Ctor, t), r.pool.Construct(sel.Ctor, fields...), t)
}

// concrete returns the constructor, selector or tester f of a datatype with parameters for its instance s.
func (r *reader) concrete(f *function, s *term.Sort) *function {
	out := *f
	out.data = nil
	ctor := s.Data.Constructors[f.index[0]]
	switch f.kind {
	case constructorFunc:
		out.ctor, out.rng = ctor, s
		out.domain = nil
		for _, sel := range ctor.Selectors {
			out.domain = append(out.domain, sel.Sort)
		}
	case selectorFunc:
		out.sel = ctor.Selectors[f.index[1]]
		out.domain, out.rng = []*term.Sort{s}, out.sel.Sort
	case testerFunc:
		out.ctor, out.domain, out.rng = ctor, []*term.Sort{s}, term.Bool
	case updaterFunc:
		out.sel = ctor.Selectors[f.index[1]]
		out.domain, out.rng = []*term.Sort{s, out.sel.Sort}, s
	}
	return &out
}

// instanceFor returns the constructor, selector or tester f of a datatype with parameters for the instance that args are
// of; off is where f stands.
func (r *reader) instanceFor(f *function, args []operand, off int) *function {
	d := f.data
	if f.kind == constructorFunc {
		return r.concrete(f, r.instance(off, d, r.inferred(f, args, off)))
	}
	if len(args) == 0 {
		r.fail(off, "%s takes 1 arguments, got 0", term.QuoteSymbol(f.name))
	}
	s := args[0].t.Sort()
	if !s.IsDatatype() || s.Data.Generic != d.generic {
		r.fail(args[0].off, "argument 1 of %s should be of the datatype %s, but has sort %s", term.QuoteSymbol(f.name), term.QuoteSymbol(r.at(d.id).name), s)
	}
	return r.concrete(f, s)
}

// inferred returns the sorts of the parameters for which the constructor f takes the arguments.
func (r *reader) inferred(f *function, args []operand, off int) []*term.Sort {
	d := f.data
	fields := d.constructors[f.index[0]].selectors
	if len(args) != len(fields) {
		r.fail(off, "%s takes %d arguments, got %d", term.QuoteSymbol(f.name), len(fields), len(args))
	}
	found := make([]*term.Sort, len(d.params))
	for i, a := range args {
		r.match(fields[i].sort, a.t.Sort(), d.params, found)
	}
	if slices.Contains(found, nil) {
		r.fail(off, "the arguments of %s do not tell its sort; write (as %s sort)", term.QuoteSymbol(f.name), term.QuoteSymbol(f.name))
	}
	return found
}

// match notes the sorts of the parameters for which the field's sort is the sort s, as far as it can be. What does not fit
// is found when the constructor is applied.
func (r *reader) match(field, s *term.Sort, params, found []*term.Sort) {
	if i := slices.Index(params, field); i >= 0 {
		// An Int may stand for a Real.
		if found[i] == nil || found[i] == term.Int && s == term.Real {
			found[i] = s
		}
		return
	}
	switch a, ok := r.applications[field]; {
	case field.IsArray() && s.IsArray():
		r.match(field.Index, s.Index, params, found)
		r.match(field.Elem, s.Elem, params, found)
	case ok && s.IsDatatype() && s.Data.Generic != nil && s.Data.Generic == a.data.generic:
		for i, arg := range a.args {
			r.match(arg, s.Data.Args[i], params, found)
		}
	}
}
