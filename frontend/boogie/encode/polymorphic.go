package encode

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// polymorphicKey is the same for polymorphic map types that are equal: type variables are numbered as they occur.
func polymorphicKey(t *ast.Map) string {
	order := t.Order()
	numbered := map[*ast.TypeVariable]ast.Type{}
	for i, v := range order {
		// A name that no source can have; the variables are told apart by it alone.
		numbered[v] = &ast.Constructed{Decl: &ast.TypeDecl{Name: fmt.Sprintf("<%d>", i)}}
	}
	var b strings.Builder
	b.WriteString(fmt.Sprintf("<%d>", len(order)))
	for _, d := range t.Domain {
		b.WriteString("[" + exactKey(ast.Substitute(d, numbered)) + "]")
	}
	return b.String() + exactKey(ast.Substitute(t.Range, numbered))
}

// exactKey tells all types apart, while sortKey does so by sorts.
func exactKey(t ast.Type) string { return spell(t, exactKey) }

// spell writes a type whose parts are written by key.
func spell(t ast.Type, key func(ast.Type) string) string {
	switch t := t.(type) {
	case *ast.Constructed:
		var b strings.Builder
		b.WriteString(t.Decl.Name)
		for _, a := range t.Args {
			b.WriteString(" (" + key(a) + ")")
		}
		return b.String()
	case *ast.Map:
		if len(t.Params) > 0 {
			return polymorphicKey(t)
		}
		var b strings.Builder
		for _, d := range t.Domain {
			b.WriteString("[" + key(d) + "]")
		}
		return b.String() + key(t.Range)
	}
	return t.String()
}

// instance is the place of a choice of types among those of a map type; -1 when it is none.
func (d *datatypes) instance(t *ast.Map, types []ast.Type) int {
	if types == nil {
		return -1
	}
	return slices.IndexFunc(d.instances[sortKey(t)], func(other []ast.Type) bool { return slices.EqualFunc(types, other, ast.Equal) })
}

// find finds the choices of types at which polymorphic maps are used: in bodies, contracts, axioms and functions.
func (d *datatypes) find() {
	if !d.hasPolymorphicMaps() {
		return
	}
	seen := map[string]bool{}
	var walk func(x ast.Expr, known map[*ast.TypeVariable]ast.Type)
	use := func(m ast.Expr, types []ast.Type, known map[*ast.TypeVariable]ast.Type) {
		t, ok := ast.Substitute(m.TypeOf(), known).(*ast.Map)
		if !ok || len(t.Params) == 0 {
			return
		}
		if u := t.Arguments(types, known); u != nil && d.instance(t, u) < 0 {
			d.instances[sortKey(t)] = append(d.instances[sortKey(t)], u)
		}
	}
	walk = func(x ast.Expr, known map[*ast.TypeVariable]ast.Type) {
		ast.Walk(x, func(x ast.Expr) bool {
			switch x := x.(type) {
			case *ast.Select:
				use(x.Map, x.TypeArguments, known)
			case *ast.Store:
				use(x.Map, x.TypeArguments, known)
			case *ast.Application:
				if x.Function == nil || x.Function.Body == nil {
					break
				}
				types := typesOf(x, known)
				key := x.Function.Name + " " + typeNames(types)
				if seen[key] || len(seen) > maxDatatypes {
					break
				}
				seen[key] = true
				walk(x.Function.Body, ast.Bind(nil, x.Function.TypeParams, types))
			}
			return true
		})
	}
	d.eachReached(func(x ast.Expr) { walk(x, nil) })
	// Functions with type parameters are looked at where they are used.
	for _, f := range d.program.Functions {
		if len(f.TypeParams) == 0 {
			walk(f.Body, nil)
		}
	}
}

// hasPolymorphicMaps reports whether the type of something that is declared mentions a polymorphic map type.
func (d *datatypes) hasPolymorphicMaps() bool {
	any := func(vs []*ast.Variable) bool {
		return slices.ContainsFunc(vs, func(v *ast.Variable) bool { return mentionsPolymorphic(v.Type) })
	}
	if any(d.program.Constants) || any(d.program.Globals) {
		return true
	}
	for _, t := range d.program.Types {
		for _, c := range t.Constructors {
			if any(c.Params) {
				return true
			}
		}
	}
	for _, f := range d.program.Functions {
		if any(f.Params) || mentionsPolymorphic(f.Result.Type) {
			return true
		}
	}
	for _, p := range d.procedures {
		if any(p.In) || any(p.Out) {
			return true
		}
		for _, impl := range p.Implementations {
			if any(impl.Body.Locals) {
				return true
			}
		}
	}
	return false
}

func mentionsPolymorphic(t ast.Type) bool {
	return ast.AnyType(t, func(t ast.Type) bool {
		m, ok := t.(*ast.Map)
		return ok && len(m.Params) > 0
	})
}

// part is the map that a polymorphic map is at types, and the selector for it; nil when there is none.
func (d *datatypes) part(m *term.Term, x ast.Expr, types []ast.Type, sc *scope) (*term.Selector, *term.Term) {
	t, ok := ast.Substitute(x.TypeOf(), sc.types).(*ast.Map)
	if !ok || !m.Sort().IsDatatype() {
		return nil, nil
	}
	i := d.instance(t, t.Arguments(types, sc.types))
	if i < 0 {
		return nil, nil
	}
	sel := m.Sort().Data.Constructors[0].Selectors[i]
	return sel, d.pool.Field(sel, m)
}

// read is an entry of a map.
func (d *datatypes) read(s *state, x *ast.Select, sc *scope) *term.Term {
	t, index := d.value(s, x.Map, sc), d.values(s, x.Index, sc)
	if len(x.TypeArguments) > 0 {
		if _, t = d.part(t, x.Map, x.TypeArguments, sc); t == nil {
			return d.arbitrary(sc, x.Pos, "an entry of a polymorphic map", d.sortIn(sc, x.Type, x.Pos))
		}
	}
	for _, i := range index {
		if t.Sort().Kind != term.ArrayKind || t.Sort().Index != i.Sort() {
			return d.arbitrary(sc, x.Pos, "an entry of a map", d.sortIn(sc, x.Type, x.Pos))
		}
		t = d.pool.Select(t, i)
	}
	return t
}

// write is a map with one entry changed.
func (d *datatypes) write(s *state, x *ast.Store, sc *scope) *term.Term {
	t, index, value := d.value(s, x.Map, sc), d.values(s, x.Index, sc), d.value(s, x.Value, sc)
	if len(x.TypeArguments) == 0 {
		return d.store(t, index, value)
	}
	sel, part := d.part(t, x.Map, x.TypeArguments, sc)
	if part == nil {
		return d.arbitrary(sc, x.Pos, "a polymorphic map after an update", t.Sort())
	}
	args := make([]*term.Term, len(sel.Ctor.Selectors))
	for i, other := range sel.Ctor.Selectors {
		args[i] = d.pool.Field(other, t)
	}
	args[sel.Index] = d.store(part, index, value)
	return d.pool.Construct(sel.Ctor, args...)
}

// lambda is the polymorphic map that a lambda expression with type parameters defines: at each choice of types it is a
// lambda expression without.
func (d *datatypes) lambda(s *state, x *ast.Lambda, sc *scope, sort *term.Sort) *term.Term {
	t := ast.Substitute(x.Type, sc.types).(*ast.Map)
	if !sort.IsDatatype() {
		return d.arbitrary(sc, x.Pos, "a lambda expression with type parameters", sort)
	}
	var args []*term.Term
	for _, types := range d.instances[sortKey(t)] {
		inner := *sc
		inner.types = ast.Bind(sc.types, t.Order(), types)
		plain := *x
		plain.TypeParams, plain.Type = nil, t.At(types)
		args = append(args, d.encoder.lambda(s, &plain, &inner))
	}
	args = append(args, d.arbitrary(sc, x.Pos, "a lambda expression with type parameters at other types", term.Int))
	return d.pool.Construct(sort.Data.Constructors[0], args...)
}

// differ is the equality of values of two types, which are never equal when the types are known.
func (e *encoder) differ(sc *scope, pos chc.Position, a, b ast.Type) *term.Term {
	if ast.Ground(a) && ast.Ground(b) {
		return e.pool.False()
	}
	return e.arbitrary(sc, pos, "the equality of values of two types", term.Bool)
}
