package encode

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// datatypes has the sorts of the types whose values have parts: datatypes at their arguments, records, and polymorphic
// maps. Such a map is taken to be a tuple: a map for each choice of types at which the program uses maps of the type, and a
// number that stands for the maps at all other types, which the program never reads.
type datatypes struct {
	*encoder
	sorts map[string]*term.Sort
	// instances has the choices of types of polymorphic maps, by the type's key.
	instances map[string][][]ast.Type
	// boxes are the sorts of uninterpreted types that may be bounded.
	boxes map[*term.Sort]bool
}

func newDatatypes(e *encoder) *datatypes {
	return &datatypes{encoder: e, sorts: map[string]*term.Sort{}, instances: map[string][][]ast.Type{}, boxes: map[*term.Sort]bool{}}
}

// pending are the types that are being declared together.
type pending struct {
	keys  []string
	types []ast.Type
}

// sort is the sort of a datatype, a record or a polymorphic map.
func (d *datatypes) sort(t ast.Type, pos chc.Position) *term.Sort {
	key := sortKey(t)
	if s := d.sorts[key]; s != nil {
		return s
	}
	p := &pending{}
	if !d.collect(t, p) {
		d.sorts[key] = term.Int
		d.approximate(pos, "what is done with values of the type %s is taken to be arbitrary", t)
		return term.Int
	}
	var decls []term.DatatypeDecl
	for i, u := range p.types {
		decls = append(decls, d.declaration(p.keys[i], u, p, pos))
	}
	sorts, err := d.pool.Datatypes(decls...)
	for i, k := range p.keys {
		if err == nil {
			d.sorts[k] = sorts[i]
			if c, ok := p.types[i].(*ast.Constructed); ok && len(c.Decl.Constructors) == 0 {
				d.boxes[sorts[i]] = true
			}
		} else {
			d.sorts[k] = term.Int
		}
	}
	if err != nil {
		d.approximate(pos, "what is done with values of the type %s is taken to be arbitrary", t)
	}
	d.encoding.System.Datatypes = append(d.encoding.System.Datatypes, sorts...)
	return d.sorts[key]
}

// collect adds the types that have to be declared for a type, and reports whether there are not too many.
func (d *datatypes) collect(t ast.Type, p *pending) bool {
	var parts []ast.Type
	switch t := t.(type) {
	case *ast.Constructed:
		if len(t.Decl.Constructors) == 0 && !t.Decl.Bounded {
			return true
		}
		for _, c := range t.Decl.Constructors {
			for _, f := range c.Params {
				parts = append(parts, t.FieldType(f))
			}
		}
	case *ast.Record:
		for _, f := range t.Fields {
			parts = append(parts, f.Type)
		}
	case *ast.Map:
		if len(t.Params) == 0 {
			for _, u := range append(slices.Clone(t.Domain), t.Range) {
				if !d.collect(u, p) {
					return false
				}
			}
			return true
		}
		for _, types := range d.instances[sortKey(t)] {
			parts = append(parts, t.At(types))
		}
	default:
		return true
	}
	key := sortKey(t)
	if d.sorts[key] != nil || slices.Contains(p.keys, key) {
		return true
	}
	if len(p.keys)+len(d.sorts) >= maxDatatypes {
		return false
	}
	p.keys, p.types = append(p.keys, key), append(p.types, t)
	return !slices.ContainsFunc(parts, func(u ast.Type) bool { return !d.collect(u, p) })
}

// declaration declares a type. Names must not repeat within a declaration, nor mean two things to a solver.
func (d *datatypes) declaration(key string, t ast.Type, p *pending, pos chc.Position) term.DatatypeDecl {
	field := func(name string, u ast.Type) term.SelectorDecl {
		return term.SelectorDecl{Name: name, Sort: func(declared []*term.Sort) *term.Sort {
			for i, k := range p.keys {
				d.sorts[k] = declared[i]
			}
			return d.encoder.sort(u, pos)
		}}
	}
	out := term.DatatypeDecl{Name: key}
	switch t := t.(type) {
	case *ast.Constructed:
		for _, c := range t.Decl.Constructors {
			decl := term.ConstructorDecl{Name: c.Name + " of " + key}
			for _, f := range c.Params {
				decl.Selectors = append(decl.Selectors, field(c.Name+"->"+f.Name+" of "+key, t.FieldType(f)))
			}
			out.Constructors = append(out.Constructors, decl)
		}
		if len(t.Decl.Constructors) == 0 {
			out.Constructors = []term.ConstructorDecl{{Name: "value of " + key, Selectors: []term.SelectorDecl{field("number of "+key, ast.Int)}}}
		}
	case *ast.Record:
		decl := term.ConstructorDecl{Name: "record " + key}
		for _, f := range t.Fields {
			decl.Selectors = append(decl.Selectors, field(f.Name+" of "+key, f.Type))
		}
		out.Constructors = []term.ConstructorDecl{decl}
	case *ast.Map:
		decl := term.ConstructorDecl{Name: "map " + key}
		for _, types := range d.instances[key] {
			decl.Selectors = append(decl.Selectors, field(fmt.Sprintf("at %s of %s", typeNames(types), key), t.At(types)))
		}
		decl.Selectors = append(decl.Selectors, field("rest of "+key, ast.Int))
		out.Constructors = []term.ConstructorDecl{decl}
	}
	return out
}

func typeNames(types []ast.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// element is the value of an uninterpreted type that a number stands for.
func (d *datatypes) element(t ast.Type, pos chc.Position, n int64) *term.Term {
	number := d.pool.Int(n)
	if sort := d.encoder.sort(t, pos); sort.IsDatatype() {
		return d.pool.Construct(sort.Data.Constructors[0], number)
	}
	return number
}

// construct is the application of a datatype's constructor.
func (d *datatypes) construct(s *state, x *ast.Application, sc *scope) *term.Term {
	sort := d.sortIn(sc, x.Type, x.Pos)
	args := d.values(s, x.Args, sc)
	if !sort.IsDatatype() {
		return d.arbitrary(sc, x.Pos, "a value of the type "+x.Type.String(), sort)
	}
	i := slices.Index(x.Function.Datatype.Constructors, x.Function)
	return d.pool.Construct(sort.Data.Constructors[i], args...)
}

// is says whether a value was made by a constructor.
func (d *datatypes) is(s *state, x *ast.Is, sc *scope) *term.Term {
	t := d.value(s, x.X, sc)
	if !t.Sort().IsDatatype() {
		return d.arbitrary(sc, x.Pos, "the constructor of a value", term.Bool)
	}
	return d.pool.Is(t.Sort().Data.Constructors[slices.Index(x.Constructor.Datatype.Constructors, x.Constructor)], t)
}

// fieldIn is the selector of a field of each constructor, nil of those that don't have it.
func fieldIn(t ast.Type, sort *term.Sort, name string) []*term.Selector {
	out := make([]*term.Selector, len(sort.Data.Constructors))
	switch t := t.(type) {
	case *ast.Constructed:
		for i, c := range t.Decl.Constructors {
			if j := slices.IndexFunc(c.Params, func(v *ast.Variable) bool { return v.Name == name }); j >= 0 {
				out[i] = sort.Data.Constructors[i].Selectors[j]
			}
		}
	case *ast.Record:
		out[0] = sort.Data.Constructors[0].Selectors[slices.IndexFunc(t.Fields, func(f ast.RecordField) bool { return f.Name == name })]
	}
	return out
}

// field is a field of a value: arbitrary when its constructor has none of that name.
func (d *datatypes) field(s *state, x *ast.Field, sc *scope) *term.Term {
	t := d.value(s, x.X, sc)
	sort := d.sortIn(sc, x.Type, x.Pos)
	if !t.Sort().IsDatatype() {
		return d.arbitrary(sc, x.Pos, "a field of a value", sort)
	}
	return d.byConstructor(t, fieldIn(ast.Substitute(x.X.TypeOf(), sc.types), t.Sort(), x.Name), func(sel *term.Selector) *term.Term {
		return d.pool.Field(sel, t)
	}, func() *term.Term { return d.arbitrary(sc, x.Pos, "a field that another constructor has", sort) })
}

// update is a value with one field changed: arbitrary when its constructor has none of that name.
func (d *datatypes) update(s *state, x *ast.FieldUpdate, sc *scope) *term.Term {
	t, value := d.value(s, x.X, sc), d.value(s, x.Value, sc)
	if !t.Sort().IsDatatype() {
		return d.arbitrary(sc, x.Pos, "an update of a value", t.Sort())
	}
	return d.byConstructor(t, fieldIn(ast.Substitute(x.X.TypeOf(), sc.types), t.Sort(), x.Name), func(sel *term.Selector) *term.Term {
		args := make([]*term.Term, len(sel.Ctor.Selectors))
		for i, other := range sel.Ctor.Selectors {
			args[i] = d.pool.Field(other, t)
		}
		args[sel.Index] = value
		return d.pool.Construct(sel.Ctor, args...)
	}, func() *term.Term {
		return d.arbitrary(sc, x.Pos, "an update of a field that another constructor has", t.Sort())
	})
}

// byConstructor is a case distinction by the constructor of a value: of gives the result for a constructor's selector, none that for constructors without one.
func (d *datatypes) byConstructor(t *term.Term, selectors []*term.Selector, of func(*term.Selector) *term.Term, none func() *term.Term) *term.Term {
	var out *term.Term
	if slices.Contains(selectors, nil) && !(t.Op() == term.Construct && selectors[t.Ctor().Index] != nil) {
		out = none()
	}
	for i, sel := range slices.Backward(selectors) {
		switch {
		case sel == nil:
		case out == nil:
			out = of(sel)
		default:
			out = d.pool.Ite(d.pool.Is(t.Sort().Data.Constructors[i], t), of(sel), out)
		}
	}
	return out
}

// record is a value of a record type.
func (d *datatypes) record(s *state, x *ast.RecordLiteral, sc *scope) *term.Term {
	sort := d.sortIn(sc, x.Type, x.Pos)
	args := d.values(s, x.Values, sc)
	if !sort.IsDatatype() {
		return d.arbitrary(sc, x.Pos, "a record", sort)
	}
	return d.pool.Construct(sort.Data.Constructors[0], args...)
}
