package interpret

import (
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// Data is a value with parts: of a datatype, made by a constructor, or a record, whose Constructor is nil.
type Data struct {
	Constructor *ast.Function
	Names       []string
	Fields      []Value
}

func (*Data) isValue() {}

// NewData is the value that a constructor makes of fields.
func NewData(c *ast.Function, fields []Value) *Data {
	d := &Data{Constructor: c, Fields: fields}
	for _, f := range c.Params {
		d.Names = append(d.Names, f.Name)
	}
	return d
}

// String is the value as an expression.
func (d *Data) String() string {
	fields := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		fields[i] = f.String()
		if d.Constructor == nil {
			fields[i] = d.Names[i] + ": " + fields[i]
		}
	}
	if d.Constructor == nil {
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return d.Constructor.Name + "(" + strings.Join(fields, ", ") + ")"
}

// key is the same for equal values.
func (d *Data) key() (string, error) {
	var b strings.Builder
	if d.Constructor != nil {
		b.WriteString(d.Constructor.Name)
	}
	b.WriteByte('(')
	for _, f := range d.Fields {
		k, err := key(f)
		if err != nil {
			return "", err
		}
		b.WriteString(k + ",")
	}
	return b.String() + ")", nil
}

// equalParts compares values part by part: one that differs decides, even when another one is undetermined.
func equalParts(a, b []Value) (bool, error) {
	var open error
	for i := range a {
		same, err := equal(a[i], b[i])
		if err == nil && !same {
			return false, nil
		}
		if err != nil {
			open = err
		}
	}
	return open == nil, open
}

func equalData(a, b *Data) (bool, error) {
	if a.Constructor != b.Constructor || len(a.Fields) != len(b.Fields) {
		return false, nil
	}
	return equalParts(a.Fields, b.Fields)
}

// field is a part of a value.
func (d *Data) field(name string) (int, error) {
	if i := slices.Index(d.Names, name); i >= 0 {
		return i, nil
	}
	return 0, undeterminedf("the field %s of %s", name, d)
}

// updateField is a value with one part changed.
func updateField(v Value, name string, part Value) (Value, error) {
	d := v.(*Data)
	i, err := d.field(name)
	if err != nil {
		return nil, err
	}
	fields := slices.Clone(d.Fields)
	fields[i] = part
	return &Data{Constructor: d.Constructor, Names: d.Names, Fields: fields}, nil
}

// defaultData is a value of a datatype, of the first constructor that has one without a value of a type in open.
func defaultData(t *ast.Constructed, open []ast.Type) (Value, error) {
	if slices.ContainsFunc(open, func(u ast.Type) bool { return ast.Equal(t, u) }) || len(open) > 100 {
		return nil, undeterminedf("a value of the datatype %s", t)
	}
	open = append(slices.Clip(open), t)
next:
	for _, c := range t.Decl.Constructors {
		fields := make([]Value, len(c.Params))
		for i, f := range c.Params {
			v, err := defaultOf(t.FieldType(f), open)
			if err != nil {
				continue next
			}
			fields[i] = v
		}
		return NewData(c, fields), nil
	}
	return nil, undeterminedf("a value of the datatype %s", t)
}

// Polymorphic is a map of a polymorphic type: a map for each choice of types, of which all but finitely many are the
// default, or given by a lambda expression.
type Polymorphic struct {
	typ     *ast.Map
	compute func(types []ast.Type) (Value, error)
	parts   []part
	// rest tells maps apart that differ at types that the program does not use.
	rest *big.Int
}

type part struct {
	types []ast.Type
	value Value
}

func (*Polymorphic) isValue() {}

// NewPolymorphic is the polymorphic map that is the default at all types; maps with another rest differ at types that are
// not used.
func NewPolymorphic(t *ast.Map, rest *big.Int) *Polymorphic { return &Polymorphic{typ: t, rest: rest} }

// With is the map with another one for a choice of types, which are in the order of ast.Map.Order.
func (p *Polymorphic) With(types []ast.Type, m Value) *Polymorphic {
	out := &Polymorphic{typ: p.typ, compute: p.compute, rest: p.rest}
	out.parts = slices.DeleteFunc(slices.Clone(p.parts), func(q part) bool { return slices.EqualFunc(q.types, types, ast.Equal) })
	out.parts = append(out.parts, part{types, m})
	return out
}

// At is the map at a choice of types.
func (p *Polymorphic) At(types []ast.Type) (Value, error) {
	for _, q := range p.parts {
		if slices.EqualFunc(q.types, types, ast.Equal) {
			return q.value, nil
		}
	}
	if p.compute != nil {
		return p.compute(types)
	}
	return Default(p.typ.At(types))
}

// String lists the maps that are known.
func (p *Polymorphic) String() string {
	var b strings.Builder
	for i, q := range p.parts {
		if i > 0 {
			b.WriteString(", ")
		}
		names := make([]string, len(q.types))
		for j, t := range q.types {
			names[j] = t.String()
		}
		b.WriteString("<" + strings.Join(names, ", ") + ">" + q.value.String())
	}
	return "{" + b.String() + "}"
}

func equalPolymorphic(a, b *Polymorphic) (bool, error) {
	if a == b {
		return true, nil
	}
	var open error
	for _, q := range slices.Concat(a.parts, b.parts) {
		v, err := a.At(q.types)
		if err != nil {
			return false, err
		}
		w, err := b.At(q.types)
		if err != nil {
			return false, err
		}
		same, err := equal(v, w)
		if err == nil && !same {
			return false, nil
		}
		if err != nil {
			open = err
		}
	}
	if a.compute != nil || b.compute != nil {
		return false, undeterminedf("the equality of maps of which a lambda expression with type parameters defines one")
	}
	return open == nil && a.rest.Cmp(b.rest) == 0, open
}

// selection is an entry of a map.
func (sc *scope) selection(x *ast.Select, m Value, index []Value) (Value, error) {
	if p, ok := m.(*Polymorphic); ok {
		types := sc.arguments(x.Map, x.TypeArguments)
		if types == nil {
			return nil, undeterminedf("the types of %s", ast.String(x))
		}
		var err error
		if m, err = p.At(types); err != nil {
			return nil, err
		}
	}
	return selectAt(m, index)
}

// arguments are the types at which a polymorphic map is used; nil when they are not known.
func (sc *scope) arguments(m ast.Expr, types []ast.Type) []ast.Type {
	t, ok := sc.typ(m.TypeOf()).(*ast.Map)
	if !ok {
		return nil
	}
	return t.Arguments(types, sc.types)
}

// updated is a map with one entry changed.
func (sc *scope) updated(m Value, x ast.Expr, types []ast.Type, index []Value, v Value) (Value, error) {
	p, ok := m.(*Polymorphic)
	if !ok {
		return store(m, index, v)
	}
	at := sc.arguments(x, types)
	if at == nil {
		return nil, undeterminedf("the types of %s", ast.String(x))
	}
	old, err := p.At(at)
	if err != nil {
		return nil, err
	}
	if v, err = store(old, index, v); err != nil {
		return nil, err
	}
	return p.With(at, v), nil
}
