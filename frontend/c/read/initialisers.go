package read

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// maxInitials bounds what an initialiser repeats for elements that are no scalars.
const maxInitials = 1 << 20

// initialiser reads the initialiser of an object and gives its type too: that of an array without a length gets one.
func (r *reader) initialiser(t tree.Type, n *cc.Initializer) ([]tree.Initial, tree.Type) {
	b := &initialBuilder{reader: r}
	return b.object(t, n)
}

// object reads the initialiser of an object of the type.
func (b *initialBuilder) object(t tree.Type, n *cc.Initializer) ([]tree.Initial, tree.Type) {
	if a, ok := t.(*tree.Array); ok && a.Len < 0 && a.Count == nil {
		if !complete(a.Elem) {
			b.Fail(b.pos(n), "the type %s is incomplete", a)
		}
		b.open = a
	} else if !complete(t) {
		b.Fail(b.pos(n), "the type %s is incomplete", t)
	}
	b.initialise(spot{typ: t}, n)
	if b.open != nil {
		t = &tree.Array{Elem: b.open.Elem, Len: b.length}
	}
	return b.out, t
}

// spot is a part of the object that is initialised.
type spot struct {
	typ    tree.Type
	field  *tree.Field // if it is a bit-field
	offset int64
	path   []tree.Step
	// within is set inside the anonymous members of a record, outermost first: their fields are the outer record's.
	within []*member
}

// initialBuilder makes the list of initials of an object.
type initialBuilder struct {
	*reader
	out []tree.Initial
	// open is the object's type if its length comes from the initialiser; flexible is that of the flexible array member that the
	// initialiser may give elements. length is how many elements there are.
	open, flexible *tree.Array
	length         int64
	// designated is set once a designator was used: only then can a part be initialised twice.
	designated bool
	// active has the member that each union is initialised by.
	active map[unionAt]int64
	// reach is behind all that is initialised so far; structs says that structs are among it as single values.
	reach   int64
	structs bool
}

// unionAt is a union in the object that is initialised.
type unionAt struct {
	of     *tree.Struct
	offset int64
}

// add adds what a part is initialised by.
func (b *initialBuilder) add(x tree.Initial) {
	b.out = append(b.out, x)
	b.reach = max(b.reach, x.Offset+max(int64(len(x.Bytes)), max(x.Repeat, 1)*x.Type.Size()))
	b.structs = b.structs || !tree.Scalar(x.Type)
}

// choose says that a member of the union at s is initialised. What another one was initialised by does not count, as gcc has it.
func (b *initialBuilder) choose(s spot, k int64) {
	t, ok := s.typ.(*tree.Struct)
	if !ok || !t.Union {
		return
	}
	at := unionAt{t, s.offset}
	if old, ok := b.active[at]; b.designated && (!ok || old != k) {
		b.drop(s)
	}
	if b.active == nil {
		b.active = map[unionAt]int64{}
	}
	b.active[at] = k
}

// drop leaves out what a part was initialised by.
func (b *initialBuilder) drop(s spot) {
	if s.offset >= b.reach {
		return
	}
	end := s.offset + s.typ.Size()
	if a, ok := s.typ.(*tree.Array); ok && a.Len < 0 {
		end = math.MaxInt64
		b.length = 0
	}
	b.out = slices.DeleteFunc(b.out, func(x tree.Initial) bool {
		begins := x.Offset
		if x.Field != nil {
			begins += int64(x.Field.Shift / 8)
		}
		if begins < s.offset && s.offset < begins+max(x.Repeat, 1)*x.Type.Size() && !tree.Scalar(x.Type) {
			b.Unsupported(b.declaring, "an initialiser of a part of what is initialised by a repeated value")
		}
		return s.offset <= begins && begins < end
	})
}

// anew prepares elements from the first one on for being initialised alike: in parts, or as a whole.
func (b *initialBuilder) anew(first spot, count int64, parts bool) {
	if tree.Scalar(first.typ) {
		return
	}
	all := spot{typ: &tree.Array{Elem: first.typ, Len: count}, offset: first.offset}
	if !parts {
		b.drop(all)
		return
	}
	if end := all.offset + all.typ.Size(); tree.Overlapping(first.typ) && slices.ContainsFunc(b.out, func(x tree.Initial) bool {
		return x.Offset < end && all.offset < x.Offset+max(int64(len(x.Bytes)), max(x.Repeat, 1)*x.Type.Size())
	}) {
		b.Unsupported(b.declaring, "an initialiser of parts of several elements that have been initialised before")
	}
}

// dropWhole leaves out the value that an aggregate was initialised by before a part of it is: the other parts become zero, as
// gcc has it.
func (b *initialBuilder) dropWhole(s spot) {
	if b.structs && slices.ContainsFunc(b.out, func(x tree.Initial) bool {
		return x.Value != nil && tree.Same(x.Type, s.typ) && x.Offset <= s.offset && s.offset < x.Offset+max(x.Repeat, 1)*x.Type.Size()
	}) {
		b.drop(s)
	}
}

// items are the elements of a braced list that are not used up yet.
type items struct {
	rest *cc.InitializerList
	// read is the expression of the first one, if it has been read.
	read *operand
	// designated tells that the designators of the first one have been followed.
	designated bool
}

func (i *items) next() { i.rest, i.read, i.designated = i.rest.InitializerList, nil, false }

// value reads the expression of the first item, once.
func (b *initialBuilder) value(i *items) operand {
	if i.read == nil {
		o := b.expression(i.rest.Initializer.AssignmentExpression)
		i.read = &o
	}
	return *i.read
}

// initialise initialises a part of the object by an initialiser of its own.
func (b *initialBuilder) initialise(s spot, n *cc.Initializer) {
	if n.Case == cc.InitializerExpr {
		o := b.expression(n.AssignmentExpression)
		if !b.whole(s, o) {
			b.Fail(b.pos(n), "%s cannot be initialised by a value of type %s", s.typ, o.typ())
		}
		return
	}
	i := &items{rest: n.InitializerList}
	if b.designated {
		// All of the part is initialised anew, what the list leaves out to zero.
		b.drop(s)
	}
	switch s.typ.(type) {
	case *tree.Array, *tree.Struct:
	default:
		if i.rest == nil {
			b.scalar(s, constantOf(b.pos(n), b.types.int, 0))
			return
		}
		b.initialise(s, i.rest.Initializer)
		return
	}
	if a, ok := s.typ.(*tree.Array); ok && i.rest != nil && i.rest.InitializerList == nil && i.rest.Designation == nil {
		// A string may stand in braces.
		if i.rest.Initializer.Case == cc.InitializerExpr && isCharacter(a.Elem) {
			if o := b.value(i); b.string(s, a, o) {
				return
			}
		}
	}
	b.aggregate(s, i, true, nil)
}

// isCharacter tells whether arrays of the type can be initialised by strings.
func isCharacter(t tree.Type) bool {
	i, ok := t.(*tree.Integer)
	return ok && !i.Bool
}

// whole initialises a part by one expression, and tells whether its type allows that.
func (b *initialBuilder) whole(s spot, o operand) bool {
	switch t := s.typ.(type) {
	case *tree.Array:
		if b.string(s, t, o) {
			return true
		}
		if l, ok := o.place.(*tree.CompoundLiteral); ok && compatible(o.typ(), t) {
			// As gcc has it, an array may be initialised by a compound literal.
			if b.designated {
				b.drop(s)
			}
			for _, x := range l.Declaration.Init {
				x.Offset += s.offset
				x.Path = append(slices.Clone(s.path), x.Path...)
				b.add(x)
			}
			b.grow(s, t, l.Type().(*tree.Array).Len)
			return true
		}
		return false
	case *tree.Struct:
		if u, ok := o.value.(*tree.UnsupportedValue); ok {
			o.value = b.convert(u, t, u.Position)
		}
		if strings.HasPrefix(t.Tag, complexTag) && b.opaque(t) != "" && isArithmetic(o.typ()) {
			// A real number is a complex one.
			b.scalar(spot{typ: t.Fields[0].Type, offset: s.offset, path: append(slices.Clone(s.path), tree.Step{Field: t.Fields[0]})}, b.valueOf(o))
			return true
		}
		if b.opaque(t) != "" && !tree.Same(o.typ(), t) {
			o.value, o.place, o.function = b.convert(b.valueOf(o), t, o.pos), nil, nil
		}
		if !tree.Same(o.typ(), t) {
			return false
		}
		if b.designated {
			b.drop(s)
		}
		b.add(tree.Initial{Offset: s.offset, Path: s.path, Type: t, Value: b.valueOf(o), Repeat: 1})
		return true
	}
	b.scalar(s, b.valueOf(o))
	return true
}

// scalar initialises a scalar.
func (b *initialBuilder) scalar(s spot, v tree.Value) {
	b.add(tree.Initial{
		Offset: s.offset, Path: s.path, Type: s.typ, Field: s.field, Repeat: 1,
		Value: b.convertFor(v, s.typ, v.Pos(), "used for initialisation"),
	})
}

// string initialises an array of characters by a string literal.
func (b *initialBuilder) string(s spot, a *tree.Array, o operand) bool {
	u, ok := o.place.(*tree.Use)
	if !ok || u.Object.Storage != tree.Literal || u.Object.Name != "" || len(u.Object.Init) == 0 {
		return false
	}
	of, ok := u.Object.Type.(*tree.Array)
	if !ok || of.Elem.Size() != a.Elem.Size() || !isCharacter(a.Elem) || !b.isString(u.Object) {
		return false
	}
	length := of.Len
	if a.Len >= 0 {
		length = min(length, a.Len)
	}
	b.grow(s, a, length)
	if b.designated {
		b.drop(s)
	}
	for _, x := range u.Object.Init {
		x.Offset += s.offset
		if x.Bytes != nil {
			x.Bytes = x.Bytes[:length]
		} else if x.Path[0].Index >= length {
			break
		}
		x.Path = append(slices.Clone(s.path), x.Path...)
		x.Type = a.Elem
		if i, ok := a.Elem.(*tree.Integer); ok && x.Value != nil {
			x.Value = b.convert(x.Value, i, o.pos)
		}
		b.add(x)
	}
	return true
}

// isString tells string literals from compound literals at file scope.
func (b *initialBuilder) isString(o *tree.Object) bool { return b.strings[o] }

// grow makes room for the elements of an array whose length comes from the initialiser.
func (b *initialBuilder) grow(s spot, a *tree.Array, length int64) {
	switch {
	case b.grows(s, a):
		b.length = max(b.length, length)
	case a.Len < 0 && length > 0:
		b.Unsupported(b.declaring, "the initialiser of a flexible array member")
	}
}

// grows tells whether the initialiser says how many elements the array at s has: the object itself, or its last member.
func (b *initialBuilder) grows(s spot, a *tree.Array) bool {
	return a.Len < 0 && (b.open == a && len(s.path) == 0 || b.flexible == a && len(s.path) == 1)
}

// aggregate initialises the parts of an array, struct or union, one after the other, by items of a list; braced tells
// whether the list is its own. Designators of the first item that lead into it come first (C11 6.7.9).
func (b *initialBuilder) aggregate(s spot, i *items, braced bool, designators []*cc.Designator) {
	next := int64(0)
	count := b.parts(s)
	for i.rest != nil {
		b.checkTime()
		if designators == nil && i.rest.Designation != nil && !i.designated {
			if !braced {
				return
			}
			for l := i.rest.Designation.DesignatorList; l != nil; l = l.DesignatorList {
				designators = append(designators, l.Designator)
			}
		}
		repeat := int64(1)
		var deeper []*cc.Designator
		var part spot
		if designators != nil {
			b.designated, i.designated = true, true
			next, repeat = b.designate(s, designators[0])
			b.dropWhole(s)
			part, deeper = b.part(s, next)
			deeper = append(deeper, designators[1:]...)
			if _, anonymous := b.anonymousPart(s, next); anonymous {
				deeper = designators
			}
			designators = nil
		} else {
			if count >= 0 && next >= count {
				if !braced {
					return
				}
				// gcc warns of what is too much, and leaves it out.
				b.value(i)
				i.next()
				continue
			}
			part, _ = b.part(s, next)
		}
		b.choose(s, next)
		if repeat > 1 {
			b.anew(part, repeat, len(deeper) > 0)
		}
		from := len(b.out)
		switch {
		case len(deeper) > 0:
			b.aggregate(part, i, false, deeper)
		default:
			b.item(part, i)
		}
		if repeat > 1 {
			b.repeat(s, from, next, repeat)
		}
		next += repeat
		if a, ok := s.typ.(*tree.Array); ok {
			b.grow(s, a, next)
		}
		if t, ok := s.typ.(*tree.Struct); ok && t.Union {
			count = 0 // a union has one part; designators may choose others
			next = 1
		}
	}
}

// item initialises a part by the next item, or, if that has no braces and the part is an aggregate of another type, by as
// many items as it has parts.
func (b *initialBuilder) item(s spot, i *items) {
	n := i.rest.Initializer
	if n.Case == cc.InitializerInitList {
		i.next()
		b.initialise(s, n)
		return
	}
	switch s.typ.(type) {
	case *tree.Array, *tree.Struct:
		if b.whole(s, b.value(i)) {
			i.next()
			return
		}
		if b.parts(s) == 0 {
			i.next()
			return
		}
		b.aggregate(s, i, false, nil)
		return
	}
	b.whole(s, b.value(i))
	i.next()
}

// repeat repeats what an element was initialised by for the ones behind it.
func (b *initialBuilder) repeat(s spot, from int, first, count int64) {
	made := b.out[from:]
	if len(made) == 1 && made[0].Value != nil && len(made[0].Path) == len(s.path)+1 {
		made[0].Repeat = count
		b.reach = max(b.reach, made[0].Offset+count*made[0].Type.Size())
		return
	}
	if int64(len(made))*count > maxInitials {
		b.Unsupported(b.declaring, "an initialiser that repeats %d values", int64(len(made))*count)
	}
	size := s.typ.(*tree.Array).Elem.Size()
	for k := int64(1); k < count; k++ {
		for _, x := range made {
			x.Offset += k * size
			x.Path = slices.Clone(x.Path)
			x.Path[len(s.path)].Index = first + k
			b.add(x)
		}
	}
}

// members are those of a record that are initialised: bit-fields without a name are not.
func (b *initialBuilder) members(t *tree.Struct) []*member {
	rec := b.records[t]
	if rec == nil {
		var out []*member
		for _, f := range t.Fields {
			out = append(out, &member{name: f.Name, typ: f.Type, field: f, offset: 8 * f.Offset})
		}
		return out
	}
	return slices.DeleteFunc(slices.Clone(rec.members), func(m *member) bool { return m.field == nil && m.anonymous == nil })
}

// parts is how many parts an aggregate has; -1 if that is open.
func (b *initialBuilder) parts(s spot) int64 {
	switch t := s.typ.(type) {
	case *tree.Array:
		return t.Len
	case *tree.Struct:
		n := len(b.members(t))
		if t.Union {
			n = min(n, 1)
		}
		return int64(n)
	}
	return 1
}

// part is a part of an aggregate by its number.
func (b *initialBuilder) part(s spot, k int64) (spot, []*cc.Designator) {
	switch t := s.typ.(type) {
	case *tree.Array:
		return spot{
			typ: t.Elem, offset: s.offset + k*t.Elem.Size(), path: append(slices.Clone(s.path), tree.Step{Index: k}),
		}, nil
	case *tree.Struct:
		m := b.members(t)[k]
		part := spot{typ: m.typ, offset: s.offset + m.offset/8, path: s.path}
		if m.anonymous != nil {
			part.within = append(slices.Clone(s.within), m)
			return part, nil
		}
		f := m.field
		for _, outer := range slices.Backward(s.within) {
			f = outer.lifted[f]
		}
		if m.bitField {
			// The offset of a bit-field is that of its unit in the outermost record.
			part.offset = s.offset + m.field.Offset
			part.field = f
		}
		part.path = append(slices.Clone(s.path), tree.Step{Field: f})
		return part, nil
	}
	return s, nil
}

// anonymousPart tells whether a part of a record is a member without a name.
func (b *initialBuilder) anonymousPart(s spot, k int64) (*member, bool) {
	t, ok := s.typ.(*tree.Struct)
	if !ok {
		return nil, false
	}
	m := b.members(t)[k]
	return m, m.anonymous != nil
}

// designate is the number of the part that a designator names, and how many it names from there.
func (b *initialBuilder) designate(s spot, d *cc.Designator) (int64, int64) {
	pos := b.pos(d)
	switch d.Case {
	case cc.DesignatorIndex, cc.DesignatorIndex2:
		a, ok := s.typ.(*tree.Array)
		if !ok {
			b.Fail(pos, "an index designates a part of %s", s.typ)
		}
		low := b.constantExpression(d.ConstantExpression, "a designator")
		high := low
		if d.Case == cc.DesignatorIndex2 {
			high = b.constantExpression(d.ConstantExpression2, "a designator")
		}
		limit := a.Len
		if limit < 0 {
			limit = maxElements
		}
		if low.Sign() < 0 || high.Cmp(low) < 0 || high.Cmp(big.NewInt(limit)) >= 0 {
			b.Fail(pos, "a designator is outside the array")
		}
		return low.Int64(), high.Int64() - low.Int64() + 1
	}
	name := d.Token2.SrcStr()
	if d.Case == cc.DesignatorField2 {
		name = d.Token.SrcStr()
	}
	t, ok := s.typ.(*tree.Struct)
	if !ok {
		b.Fail(pos, "a name designates a part of %s", s.typ)
	}
	for k, m := range b.members(t) {
		if m.anonymous == nil && m.name == name || m.anonymous != nil && b.field(m.anonymous.Struct, name) != nil {
			return int64(k), 1
		}
	}
	b.Fail(pos, "%s has no member %s", t, name)
	return 0, 0
}
