package read

import (
	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// specifiers are what declaration specifiers say.
type specifiers struct {
	qualified
	attributes
	typedef, extern, static, inline, auto bool
	threadLocal, register                 bool
}

// words counts the keywords of a type.
type words struct {
	char, short, int, long, signed, unsigned, float, double, boolean, void, complex, int128 int
	other                                                                                   tree.Type
	enumeration                                                                             *record // that is defined
	// packed is the attribute before an enumeration.
	packed bool
}

// specifiers reads declaration specifiers. Without a type they mean int.
func (r *reader) specifiers(n *cc.DeclarationSpecifiers) specifiers {
	var s specifiers
	var w words
	if n == nil {
		s.Type = r.types.int
		return s
	}
	pos := r.pos(n)
	for ; n != nil; n = n.DeclarationSpecifiers {
		s.add(r.attributeList(n.AttributeSpecifierList))
		switch n.Case {
		case cc.DeclarationSpecifiersStorage:
			r.storage(n.StorageClassSpecifier, &s)
		case cc.DeclarationSpecifiersTypeSpec:
			r.typeAmong(n.TypeSpecifier, &s, &w)
		case cc.DeclarationSpecifiersTypeQual:
			r.qualifier(n.TypeQualifier, &s.qualified, &s.attributes)
		case cc.DeclarationSpecifiersFunc:
			switch n.FunctionSpecifier.Case {
			case cc.FunctionSpecifierInline:
				s.inline = true
			case cc.FunctionSpecifierNoreturn:
				s.noReturn = true
			}
		case cc.DeclarationSpecifiersAlignSpec:
			s.aligned = max(s.aligned, r.alignment(n.AlignmentSpecifier))
		}
	}
	return r.specified(pos, s, &w)
}

// typeAmong reads a type specifier behind others.
func (r *reader) typeAmong(n *cc.TypeSpecifier, s *specifiers, w *words) {
	if s.packed && n.Case == cc.TypeSpecifierEnum {
		s.packed, w.packed = false, true // of what is declared, as it is not in the enumeration's specifier
	}
	r.typeSpecifier(n, w, &s.qualified)
}

// specified gives specifiers the type that the words and attributes among them make.
func (r *reader) specified(pos tree.Pos, s specifiers, w *words) specifiers {
	s.Type = r.typeOf(pos, w)
	if (s.packed || s.packedEnum) && w.enumeration != nil {
		r.packEnumeration(w.enumeration)
		s.Type = w.enumeration.enum
	}
	s.packed = s.packed || w.packed
	if s.mode != "" {
		s.Type = r.withMode(pos, s.Type, s.mode)
	}
	if s.vector > 0 {
		s.Type = r.withVector(pos, s.Type, s.vector)
	}
	return s
}

// specifierQualifiers reads the specifiers of a member or of a type name.
func (r *reader) specifierQualifiers(n *cc.SpecifierQualifierList) specifiers {
	var s specifiers
	var w words
	if n == nil {
		s.Type = r.types.int
		return s
	}
	pos := r.pos(n)
	for ; n != nil; n = n.SpecifierQualifierList {
		s.add(r.attributeList(n.AttributeSpecifierList))
		switch n.Case {
		case cc.SpecifierQualifierListTypeSpec:
			r.typeAmong(n.TypeSpecifier, &s, &w)
		case cc.SpecifierQualifierListTypeQual:
			r.qualifier(n.TypeQualifier, &s.qualified, &s.attributes)
		case cc.SpecifierQualifierListAlignSpec:
			s.aligned = max(s.aligned, r.alignment(n.AlignmentSpecifier))
		}
	}
	return r.specified(pos, s, &w)
}

func (r *reader) storage(n *cc.StorageClassSpecifier, s *specifiers) {
	switch n.Case {
	case cc.StorageClassSpecifierTypedef:
		s.typedef = true
	case cc.StorageClassSpecifierExtern:
		s.extern = true
	case cc.StorageClassSpecifierStatic:
		s.static = true
	case cc.StorageClassSpecifierAuto:
		s.auto = true
	case cc.StorageClassSpecifierRegister:
		s.register = true
	case cc.StorageClassSpecifierThreadLocal:
		s.threadLocal = true
	}
}

func (r *reader) qualifier(n *cc.TypeQualifier, q *qualified, a *attributes) {
	switch n.Case {
	case cc.TypeQualifierConst:
		q.constant = true
	case cc.TypeQualifierVolatile, cc.TypeQualifierAtomic:
		q.volatile = q.volatile || n.Case == cc.TypeQualifierVolatile
	case cc.TypeQualifierAttr:
		a.add(r.attributeList(n.AttributeSpecifierList))
	}
}

// qualifiers reads the qualifiers of a pointer.
func (r *reader) qualifiers(n *cc.TypeQualifiers, q *qualified) {
	var ignored attributes
	for ; n != nil; n = n.TypeQualifiers {
		if n.TypeQualifier != nil {
			r.qualifier(n.TypeQualifier, q, &ignored)
		}
	}
}

func (r *reader) alignment(n *cc.AlignmentSpecifier) int64 {
	r.aligned = true
	if n.Case == cc.AlignmentSpecifierType {
		return r.unevaluatedType(n.TypeName).Type.Align()
	}
	return r.constantExpression(n.ConstantExpression, "an alignment").Int64()
}

func (r *reader) typeSpecifier(n *cc.TypeSpecifier, w *words, q *qualified) {
	switch n.Case {
	case cc.TypeSpecifierVoid:
		w.void++
	case cc.TypeSpecifierChar:
		w.char++
	case cc.TypeSpecifierShort:
		w.short++
	case cc.TypeSpecifierInt:
		w.int++
	case cc.TypeSpecifierInt128:
		w.int128++
	case cc.TypeSpecifierUint128:
		w.int128++
		w.unsigned++
	case cc.TypeSpecifierLong:
		w.long++
	case cc.TypeSpecifierFloat:
		w.float++
	case cc.TypeSpecifierDouble:
		w.double++
	case cc.TypeSpecifierSigned:
		w.signed++
	case cc.TypeSpecifierUnsigned:
		w.unsigned++
	case cc.TypeSpecifierBool:
		w.boolean++
	case cc.TypeSpecifierComplex:
		w.complex++
	case cc.TypeSpecifierFloat32:
		w.other = r.types.float
	case cc.TypeSpecifierFloat64, cc.TypeSpecifierFloat32x:
		w.other = r.types.double
	case cc.TypeSpecifierFloat64x:
		w.other = r.types.longDouble
	case cc.TypeSpecifierFloat16:
		w.other = r.types.opaque("_Float16", r.types.ushort)
	case cc.TypeSpecifierBFloat16:
		w.other = r.types.opaque("__bf16", r.types.ushort)
	case cc.TypeSpecifierDecimal32:
		w.other = r.types.opaque("_Decimal32", r.types.uint)
	case cc.TypeSpecifierDecimal64:
		w.other = r.types.opaque("_Decimal64", r.types.ulongLong)
	case cc.TypeSpecifierDecimal128:
		w.other = r.types.opaque("_Decimal128", r.types.uint128)
	case cc.TypeSpecifierFloat128:
		w.other = r.types.quad
	case cc.TypeSpecifierStructOrUnion:
		w.other = r.structOrUnion(n.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		w.other, w.enumeration = r.enumeration(n.EnumSpecifier)
	case cc.TypeSpecifierTypeName:
		name := n.Token.SrcStr()
		m, ok := r.lookup(name)
		if !ok || m.typedef == nil {
			r.Fail(r.pos(n), "%s is not a type", name)
		}
		w.other = m.typedef.Type
		q.constant = q.constant || m.typedef.constant
		q.volatile = q.volatile || m.typedef.volatile
		q.readOnly = m.typedef.readOnly
		q.align = max(q.align, m.typedef.align)
	case cc.TypeSpecifierTypeofExpr:
		w.other = r.typeOfExpression(n.ExpressionList)
	case cc.TypeSpecifierTypeofType:
		w.other = r.typeName(n.TypeName)
	case cc.TypeSpecifierAtomic:
		w.other = r.typeName(n.AtomicTypeSpecifier.TypeName)
	default:
		r.Unsupported(r.pos(n), "the type %s", n.Token.SrcStr())
	}
}

// typeOf is the type that the keywords make together (C11 6.7.2).
func (r *reader) typeOf(pos tree.Pos, w *words) tree.Type {
	if w.other != nil {
		if w.complex > 0 {
			return r.types.complex(w.other)
		}
		return w.other
	}
	t := r.types
	pick := func(signed, unsigned *tree.Integer) tree.Type {
		if w.unsigned > 0 {
			return unsigned
		}
		return signed
	}
	floating := func(f *tree.Float) tree.Type {
		if w.complex > 0 {
			return t.complex(f)
		}
		return f
	}
	switch {
	case w.signed > 0 && w.unsigned > 0, w.short > 0 && w.long > 0, w.long > 2, w.void > 0 && *w != words{void: 1}:
		r.Fail(pos, "the keywords do not make a type")
	case w.void > 0:
		return t.void
	case w.boolean > 0:
		return t.boolean
	case w.float > 0:
		return floating(t.float)
	case w.double > 0 && w.long > 0:
		return floating(t.longDouble)
	case w.complex > 0 && (w.char > 0 || w.short > 0 || w.int > 0 || w.signed > 0 || w.unsigned > 0 || w.long > 0):
		integer := *w
		integer.complex = 0
		return t.complex(r.typeOf(pos, &integer))
	case w.double > 0 || w.complex > 0:
		return floating(t.double)
	case w.char > 0 && w.signed > 0:
		return t.schar
	case w.char > 0:
		return pick(t.char, t.uchar)
	case w.short > 0:
		return pick(t.short, t.ushort)
	case w.int128 > 0:
		return pick(t.int128, t.uint128)
	case w.long == 2:
		return pick(t.longLong, t.ulongLong)
	case w.long == 1:
		return pick(t.long, t.ulong)
	}
	return pick(t.int, t.uint)
}
