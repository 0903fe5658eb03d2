package read

import (
	"math/big"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// record is a struct or union with what its tree.Struct does not tell: the members as they were declared.
type record struct {
	*tree.Struct
	members []*member
	byName  map[string]*tree.Field
	pos     tree.Pos // in the file that is read
	// enum is set, and all else empty, if the tag is an enumeration's.
	enum *tree.Integer
	// least and greatest bound the values of the enumeration's constants.
	least, greatest *big.Int
}

// member is a declared member: a named field, a bit-field, or a struct or union without a name.
type member struct {
	name     string
	typ      tree.Type
	pos      tree.Pos
	bitField bool
	bits     int
	packed   bool
	aligned  int64
	// anonymous is the record of a struct or union without a name, whose fields are the outer one's too.
	anonymous *record
	field     *tree.Field // nil of what has no name
	// lifted maps the fields of an anonymous member to what they are as fields of the outer one.
	lifted map[*tree.Field]*tree.Field
	offset int64 // in bits
}

// structOrUnion reads a struct or union specifier.
func (r *reader) structOrUnion(n *cc.StructOrUnionSpecifier) tree.Type {
	union := n.StructOrUnion.Case == cc.StructOrUnionUnion
	tag := ""
	if n.Token.Ch != 0 {
		tag = n.Token.SrcStr()
	}
	if n.Case == cc.StructOrUnionSpecifierTag {
		for s := r.scope; s != nil; s = s.outer {
			if rec := s.tags[tag]; rec != nil {
				r.sameKind(r.pos(n), tag, rec, union)
				return rec.Struct
			}
		}
		if rec := r.sharedTag(tag, union); rec != nil {
			return rec.Struct
		}
		rec := r.newRecord(tag, union, r.physical(n.Position()))
		r.noteTag(rec)
		return rec.Struct
	}
	var rec, other *record
	key := ""
	if r.linkage != nil && r.function == nil {
		key = r.shapeOf(n)
		other = r.linkage.shapes[key]
	}
	if tag != "" {
		if rec = r.scope.tags[tag]; rec == nil {
			rec = r.sharedTag(tag, union)
		}
		if rec != nil {
			r.sameKind(r.pos(n), tag, rec, union)
			if rec.Complete && (rec != other || r.linkage.met[rec]) {
				r.Fail(r.pos(n), "%s is defined twice", rec.Struct)
			}
		}
	}
	if other != nil && (rec == nil || rec == other) {
		return r.definedBefore(n, other)
	}
	if rec == nil {
		rec = r.newRecord(tag, union, r.physical(n.Position()))
	}
	r.define(n, rec)
	r.out.Structs = append(r.out.Structs, rec.Struct)
	if key != "" {
		r.linkage.shapes[key], r.linkage.met[rec] = rec, true
		r.noteTag(rec)
	}
	return rec.Struct
}

// definedBefore reads the definition of a struct or union that another unit has too.
func (r *reader) definedBefore(n *cc.StructOrUnionSpecifier, rec *record) tree.Type {
	r.declareTag(rec.Tag, rec)
	r.linkage.met[rec] = true
	again := &record{Struct: &tree.Struct{Tag: rec.Tag, Union: rec.Union}, pos: r.physical(n.Position())}
	r.records[again.Struct] = again
	r.define(n, again)
	if !sameMembers(again, rec) {
		r.Fail(r.pos(n), "%s has members of other types than%s", rec.Struct, elsewhere(rec.pos, tree.Pos{}))
	}
	return rec.Struct
}

// define reads the members of a struct or union and lays them out.
func (r *reader) define(n *cc.StructOrUnionSpecifier, rec *record) {
	a := r.attributeList(n.AttributeSpecifierList)
	a.add(r.attributeList(n.AttributeSpecifierList2))
	if a.other != "" {
		r.Unsupported(r.pos(n), "the attribute %s", a.other)
	}
	r.transparent[rec.Struct] = a.transparent
	for l := n.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		r.structDeclaration(l.StructDeclaration, rec)
	}
	r.layOut(rec, a)
}

// newRecord makes an incomplete struct or union, known by its tag in the innermost scope.
func (r *reader) newRecord(tag string, union bool, pos tree.Pos) *record {
	rec := &record{Struct: &tree.Struct{Tag: tag, Union: union}, pos: pos}
	r.records[rec.Struct] = rec
	r.declareTag(tag, rec)
	return rec
}

func (r *reader) declareTag(tag string, rec *record) {
	if tag == "" {
		return
	}
	// A tag that a prototype introduces would be unknown outside it; programs mean the one of the file.
	if r.scope.tags == nil {
		r.scope.tags = map[string]*record{}
	}
	r.scope.tags[tag] = rec
}

func (r *reader) sameKind(pos tree.Pos, tag string, rec *record, union bool) {
	if rec.enum != nil || rec.Union != union {
		r.Fail(pos, "%s is the tag of another kind of type", tag)
	}
}

// structDeclaration reads a line of members.
func (r *reader) structDeclaration(n *cc.StructDeclaration, rec *record) {
	if n == nil {
		return
	}
	if n.Case == cc.StructDeclarationAssert {
		r.staticAssert(n.StaticAssertDeclaration)
		return
	}
	s := r.specifierQualifiers(n.SpecifierQualifierList)
	s.add(r.attributeList(n.AttributeSpecifierList))
	if n.StructDeclaratorList == nil {
		inner, ok := s.Type.(*tree.Struct)
		if !ok || inner.Tag != "" || r.records[inner] == nil {
			return // declares nothing but a tag
		}
		rec.members = append(rec.members, &member{
			typ: inner, pos: r.pos(n), anonymous: r.records[inner], packed: s.packed, aligned: max(s.aligned, s.align),
		})
		return
	}
	for l := n.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
		d := l.StructDeclarator
		m := &member{typ: s.Type, pos: r.pos(d), packed: s.packed, aligned: max(s.aligned, s.align)}
		if d.Declarator != nil {
			m.name, m.pos = d.Declarator.Name(), r.pos(d.Declarator.NameTok())
			q := r.declarator(d.Declarator, s.qualified)
			if q.Type != s.Type {
				m.aligned = s.aligned // the typedef's alignment was that of what the pointer points to
				if _, ok := q.Type.(*tree.Array); ok {
					m.aligned = max(s.aligned, s.align)
				}
			}
			m.typ = q.Type
		}
		if d.Case == cc.StructDeclaratorBitField {
			r.bitField(d, m)
		}
		r.checkMember(m, rec)
		rec.members = append(rec.members, m)
	}
}

func (r *reader) bitField(d *cc.StructDeclarator, m *member) {
	i, ok := m.typ.(*tree.Integer)
	if !ok {
		r.Fail(m.pos, "a bit-field has type %s", m.typ)
	}
	width := r.constantExpression(d.ConstantExpression, "the width of a bit-field")
	limit := i.Bits
	if i.Bool {
		limit = 1
	}
	if width.Sign() < 0 || width.Cmp(big.NewInt(int64(limit))) > 0 || width.Sign() == 0 && m.name != "" {
		r.Fail(m.pos, "%s is not the width of a bit-field of type %s", width, i)
	}
	m.bitField, m.bits = true, int(width.Int64())
}

func (r *reader) checkMember(m *member, rec *record) {
	switch t := m.typ.(type) {
	case *tree.FunctionType, *tree.Void:
		r.Fail(m.pos, "a member has type %s", t)
	case *tree.Struct:
		if !t.Complete {
			r.Fail(m.pos, "a member has the incomplete type %s", t)
		}
	case *tree.Array:
		if variable(t) {
			r.Unsupported(m.pos, "a member of variable length")
		}
		if !complete(t.Elem) {
			r.Fail(m.pos, "a member has the incomplete type %s", t)
		}
	}
	for _, other := range rec.members {
		if m.name != "" && other.name == m.name {
			r.Fail(m.pos, "the member %s is declared twice", m.name)
		}
	}
}

// field finds a field of a struct by its name, nil if there is none.
func (r *reader) field(s *tree.Struct, name string) *tree.Field {
	rec := r.records[s]
	if rec == nil {
		for _, f := range s.Fields {
			if f.Name == name {
				return f
			}
		}
		return nil
	}
	if rec.byName == nil {
		rec.byName = map[string]*tree.Field{}
		for _, f := range s.Fields {
			rec.byName[f.Name] = f
		}
	}
	return rec.byName[name]
}

// enumeration reads an enum specifier. The type is the least of unsigned int, int and the wider ones that holds all values,
// as gcc has it.
func (r *reader) enumeration(n *cc.EnumSpecifier) (tree.Type, *record) {
	tag := ""
	if n.Token2.Ch != 0 {
		tag = n.Token2.SrcStr()
	}
	if n.Case == cc.EnumSpecifierTag {
		for s := r.scope; s != nil; s = s.outer {
			if rec := s.tags[tag]; rec != nil && rec.enum != nil {
				return rec.enum, nil
			}
		}
		// An enumeration that is defined later is taken for what nearly all are.
		r.declareTag(tag, &record{enum: r.types.uint, pos: r.pos(n)})
		return r.types.uint, nil
	}
	next := new(big.Int)
	least, greatest := new(big.Int), new(big.Int)
	var constants []*tree.Constant
	for l := n.EnumeratorList; l != nil; l = l.EnumeratorList {
		e := l.Enumerator
		if e.Case == cc.EnumeratorExpr {
			next = r.constantExpression(e.ConstantExpression, "the value of an enumeration constant")
		}
		c := &tree.Constant{At: r.at(e), T: r.holding(next), Int: next}
		if r.scope.names[e.Token.SrcStr()] != (meaning{}) {
			r.Fail(r.pos(e), "%s is declared twice", e.Token.SrcStr())
		}
		r.declare(e.Token.SrcStr(), meaning{constant: c})
		constants = append(constants, c)
		if next.Cmp(least) < 0 {
			least = next
		}
		if next.Cmp(greatest) > 0 {
			greatest = next
		}
		next = new(big.Int).Add(next, big.NewInt(1))
	}
	candidates := []*tree.Integer{r.types.uint, r.types.int, r.types.ulong, r.types.long, r.types.ulongLong, r.types.longLong}
	underlying := r.types.longLong
	if n.EnumTypeSpecifier != nil {
		if i, ok := r.specifierQualifiers(n.EnumTypeSpecifier.SpecifierQualifierList).Type.(*tree.Integer); ok {
			underlying, candidates = i, nil
		}
	}
	for _, t := range candidates {
		if t.Min().Cmp(least) <= 0 && greatest.Cmp(t.Max()) <= 0 {
			underlying = t
			break
		}
	}
	for _, c := range constants {
		if c.Int.Cmp(r.types.int.Min()) >= 0 && c.Int.Cmp(r.types.int.Max()) <= 0 {
			c.T = r.types.int
		} else {
			c.T = underlying
		}
	}
	rec := &record{enum: underlying, pos: r.pos(n), least: least, greatest: greatest}
	r.declareTag(tag, rec)
	return underlying, rec
}

// packEnumeration makes the type of an enumeration the smallest one that holds its values, as the attribute packed does.
func (r *reader) packEnumeration(rec *record) {
	for _, t := range []*tree.Integer{r.types.uchar, r.types.schar, r.types.ushort, r.types.short} {
		if t.Min().Cmp(rec.least) <= 0 && rec.greatest.Cmp(t.Max()) <= 0 {
			rec.enum = t
			return
		}
	}
}

// holding is the first type from int upwards that has the value.
func (r *reader) holding(x *big.Int) *tree.Integer {
	for _, t := range []*tree.Integer{r.types.int, r.types.uint, r.types.long, r.types.ulong, r.types.longLong} {
		if t.Min().Cmp(x) <= 0 && x.Cmp(t.Max()) <= 0 {
			return t
		}
	}
	return r.types.ulongLong
}

// initialiseStatic reads the initialiser of an object that lives as long as the program. Only such an object can have elements in a
// flexible array member of its struct, and then it reaches beyond its type.
func (r *reader) initialiseStatic(o *tree.Object, n *cc.Initializer) {
	b := &initialBuilder{reader: r}
	f := flexibleMember(o.Type)
	if f != nil {
		b.flexible = f.Type.(*tree.Array)
	}
	r.static = true
	o.Init, o.Type = b.object(o.Type, n)
	r.static = false
	if f != nil && b.length > 0 {
		o.Extent = f.Offset + b.length*b.flexible.Elem.Size()
		r.extended[o.Type.(*tree.Struct)] = true
	}
}

// flexibleMember is the last member of a struct if that is an array without a length, else nil.
func flexibleMember(t tree.Type) *tree.Field {
	s, ok := t.(*tree.Struct)
	if !ok || s.Union || len(s.Fields) == 0 {
		return nil
	}
	f := s.Fields[len(s.Fields)-1]
	if a, ok := f.Type.(*tree.Array); !ok || a.Len >= 0 || a.Count != nil || f.Parent != s {
		return nil
	}
	return f
}

// refuseCopies makes copies unsupported of structs of which some object has elements in the flexible array member: a compiler may
// copy some of these elements, too, or none.
func (r *reader) refuseCopies() {
	if len(r.extended) == 0 {
		return
	}
	r.inspect(func(n tree.Node) bool {
		if l, ok := n.(*tree.Load); ok {
			if t, ok := l.Type().(*tree.Struct); ok && r.extended[t] {
				what := "a copy of " + t.String() + ", whose flexible array member has elements"
				l.Place = &tree.Temporary{At: l.At, Init: &tree.UnsupportedValue{At: l.At, T: t, What: what}}
				return false
			}
		}
		return true
	})
}
