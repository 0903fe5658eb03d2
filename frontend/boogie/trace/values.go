package trace

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// Value turns a value of a sort into one of the Boogie type that the sort becomes, without polymorphic maps. Elements of an
// uninterpreted sort become those of a type by their numbers.
func Value(v term.Value, t ast.Type) (interpret.Value, error) { return (&script{}).convert(v, t) }

// convert turns a value of the clauses into one of the Boogie type that it encodes. A value of another sort than the type's,
// which an approximation may have left, is undetermined.
func (s *script) convert(v term.Value, t ast.Type) (interpret.Value, error) {
	if !fits(v.Sort(), t) {
		return nil, fmt.Errorf("%w: a value of the type %s", ErrUndetermined, t)
	}
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return interpret.Bool(v.Bool()), nil
		case ast.Int:
			return interpret.Int{N: v.Num().BigInt()}, nil
		default:
			return interpret.Real{R: v.Num().Rat()}, nil
		}
	case *ast.BitVector:
		if t.Width == 0 {
			return interpret.Default(t)
		}
		return interpret.BitVector{Width: t.Width, N: v.Num().BigInt()}, nil
	case *ast.Constructed:
		if len(t.Decl.Constructors) > 0 {
			return s.convertData(v, t)
		}
		if v.Sort().Kind == term.UninterpretedKind {
			return interpret.Element{Type: t.String(), N: v.Term(nil).Num().BigInt()}, nil
		}
		if t.Decl.Bounded && v.Sort().IsDatatype() {
			_, number, err := parts(v, t)
			if err != nil {
				return nil, err
			}
			v = number[0]
		}
		return interpret.Element{Type: t.String(), N: v.Num().BigInt()}, nil
	case *ast.Record:
		return s.convertRecord(v, t)
	case *ast.Map:
		if len(t.Params) > 0 {
			return s.convertPolymorphic(v, t)
		}
		if len(t.Domain) == 0 {
			return s.convert(v, t.Range)
		}
		return s.convertMap(v, t)
	}
	return nil, fmt.Errorf("%w: a value of the type %s", ErrUndetermined, t)
}

// fits reports whether values of a sort can stand for those of a type, as far as its outermost constructor goes.
func fits(s *term.Sort, t ast.Type) bool {
	switch t := t.(type) {
	case ast.Basic:
		return s == map[ast.Basic]*term.Sort{ast.Bool: term.Bool, ast.Int: term.Int, ast.Real: term.Real}[t]
	case *ast.BitVector:
		return t.Width == 0 || s.IsBitVec() && s.Width == t.Width
	case *ast.Constructed:
		return len(t.Decl.Constructors) > 0 || s == term.Int || s.Kind == term.UninterpretedKind || t.Decl.Bounded && s.IsDatatype()
	case *ast.Map:
		return len(t.Params) > 0 || len(t.Domain) == 0 || s.IsArray()
	}
	return true
}

// convertMap turns a nest of stores into a map of maps.
func (s *script) convertMap(v term.Value, t *ast.Map) (interpret.Value, error) {
	inner := t.Rest()
	var stores []*term.Term
	a := v.Term(nil)
	for a.Op() == term.Store {
		stores = append(stores, a)
		a = a.Arg(0)
	}
	if a.Op() != term.ConstArray {
		return nil, fmt.Errorf("%w: a map that is given as %s", ErrUndetermined, a)
	}
	value, err := s.convert(term.TermValue(a.Arg(0)), inner)
	if err != nil {
		return nil, err
	}
	m := interpret.NewMap(t.Domain[0], value)
	for i := len(stores) - 1; i >= 0; i-- {
		index, err := s.convert(term.TermValue(stores[i].Arg(1)), t.Domain[0])
		if err != nil {
			return nil, err
		}
		if value, err = s.convert(term.TermValue(stores[i].Arg(2)), inner); err != nil {
			return nil, err
		}
		if m, err = m.Store(index, value); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// parts are the fields of a value of the clauses.
func parts(v term.Value, t ast.Type) (*term.Constructor, []term.Value, error) {
	if !v.Sort().IsDatatype() || v.Term(nil).Op() != term.Construct {
		return nil, nil, fmt.Errorf("%w: a value of the type %s", ErrUndetermined, t)
	}
	var out []term.Value
	for _, a := range v.Term(nil).Args() {
		out = append(out, term.TermValue(a))
	}
	return v.Term(nil).Ctor(), out, nil
}

// convertFields turns fields of a value of the clauses, as many as there are types, into values of these.
func (s *script) convertFields(fields []term.Value, types []ast.Type) ([]interpret.Value, error) {
	out := make([]interpret.Value, len(types))
	for i, t := range types {
		var err error
		if out[i], err = s.convert(fields[i], t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *script) convertData(v term.Value, t *ast.Constructed) (interpret.Value, error) {
	made, fields, err := parts(v, t)
	if err != nil {
		return nil, err
	}
	c := t.Decl.Constructors[made.Index]
	var types []ast.Type
	for _, f := range c.Params {
		types = append(types, t.FieldType(f))
	}
	out, err := s.convertFields(fields, types)
	return interpret.NewData(c, out), err
}

func (s *script) convertRecord(v term.Value, t *ast.Record) (interpret.Value, error) {
	_, fields, err := parts(v, t)
	if err != nil {
		return nil, err
	}
	out := &interpret.Data{}
	var types []ast.Type
	for _, f := range t.Fields {
		out.Names, types = append(out.Names, f.Name), append(types, f.Type)
	}
	out.Fields, err = s.convertFields(fields, types)
	return out, err
}

// convertPolymorphic turns a tuple of the maps that a polymorphic map is at the types at which the program uses it into that
// map.
func (s *script) convertPolymorphic(v term.Value, t *ast.Map) (interpret.Value, error) {
	_, fields, err := parts(v, t)
	if err != nil {
		return nil, err
	}
	instances := s.encoding.Instances(t)
	out := interpret.NewPolymorphic(t, fields[len(instances)].Num().BigInt())
	for i, types := range instances {
		value, err := s.convert(fields[i], t.At(types))
		if err != nil {
			return nil, err
		}
		out = out.With(types, value)
	}
	return out, nil
}
