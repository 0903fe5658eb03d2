package read

import (
	"math/big"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// maxElements bounds the elements of an array: what is larger overflows sizes.
const maxElements = 1 << 40

// parameters are those of a function declarator.
type parameters struct {
	scope   *scope
	objects []*tree.Object // of a prototype; unnamed ones have an empty name
	names   []string       // of a K&R definition
}

// declarator is the type that a declarator makes of the base type.
func (r *reader) declarator(n *cc.Declarator, base qualified) qualified {
	if n == nil {
		return base
	}
	return r.directDeclarator(n.DirectDeclarator, r.pointers(n.Pointer, base))
}

func (r *reader) pointers(n *cc.Pointer, base qualified) qualified {
	for ; n != nil; n = n.Pointer {
		if n.Case == cc.PointerBlock {
			r.Unsupported(r.pos(n), "blocks")
		}
		base = qualified{Type: r.types.pointer(base.Type), readOnly: base.constant}
		r.qualifiers(n.TypeQualifiers, &base)
	}
	return base
}

func (r *reader) directDeclarator(n *cc.DirectDeclarator, base qualified) qualified {
	for n != nil {
		switch n.Case {
		case cc.DirectDeclaratorIdent:
			return base
		case cc.DirectDeclaratorDecl:
			return r.declarator(n.Declarator, base)
		case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic, cc.DirectDeclaratorStar:
			base.Type = r.array(r.pos(n), base.Type, n.AssignmentExpression)
		case cc.DirectDeclaratorFuncParam:
			end := func() {}
			if n != r.defining {
				end = r.unevaluatedly()
			}
			p, f := r.parameterTypes(n.ParameterTypeList, r.result(r.pos(n), base.Type))
			end()
			r.prototype[n] = p
			base = qualified{Type: f}
		case cc.DirectDeclaratorFuncIdent:
			p := &parameters{}
			for l := n.IdentifierList; l != nil; l = l.IdentifierList {
				p.names = append(p.names, l.Token2.SrcStr())
			}
			r.prototype[n] = p
			base = qualified{Type: &tree.FunctionType{Result: r.result(r.pos(n), base.Type), Unspecified: true}}
		}
		n = n.DirectDeclarator
	}
	return base
}

// result checks the type of a function's result.
func (r *reader) result(pos tree.Pos, t tree.Type) tree.Type {
	switch t.(type) {
	case *tree.Array, *tree.FunctionType:
		r.Fail(pos, "a function cannot return %s", t)
	}
	return t
}

// abstract is the type that an abstract declarator makes of the base type.
func (r *reader) abstract(n *cc.AbstractDeclarator, base qualified) qualified {
	if n == nil {
		return base
	}
	base = r.pointers(n.Pointer, base)
	for d := n.DirectAbstractDeclarator; d != nil; {
		switch d.Case {
		case cc.DirectAbstractDeclaratorDecl:
			return r.abstract(d.AbstractDeclarator, base)
		case cc.DirectAbstractDeclaratorFunc:
			end := r.unevaluatedly()
			_, f := r.parameterTypes(d.ParameterTypeList, r.result(r.pos(d), base.Type))
			end()
			base = qualified{Type: f}
		default:
			base.Type = r.array(r.pos(d), base.Type, d.AssignmentExpression)
		}
		if d.DirectAbstractDeclarator == nil && d.AbstractDeclarator != nil {
			return r.abstract(d.AbstractDeclarator, base)
		}
		d = d.DirectAbstractDeclarator
	}
	return base
}

// typeName is the type that a type name denotes.
func (r *reader) typeName(n *cc.TypeName) tree.Type {
	return r.abstract(n.AbstractDeclarator, r.specifierQualifiers(n.SpecifierQualifierList).qualified).Type
}

// array is the type of arrays of elem. A length that is not a constant makes a variable length array; in a function its
// length is kept in an object of its own, as later changes of what it was computed from must not matter.
func (r *reader) array(pos tree.Pos, elem tree.Type, length cc.ExpressionNode) tree.Type {
	if isFunction(elem) || tree.IsVoid(elem) {
		r.Fail(pos, "an array cannot have elements of type %s", elem)
	}
	if length == nil {
		return &tree.Array{Elem: elem, Len: -1}
	}
	value := r.rvalue(length)
	if !tree.IsInteger(value.Type()) {
		r.Fail(pos, "the length of an array is not an integer")
	}
	if n, ok := r.evaluate(value); ok {
		if n.Sign() < 0 || n.Cmp(big.NewInt(maxElements)) > 0 {
			r.Fail(pos, "%s is not the length of an array", n)
		}
		return &tree.Array{Elem: elem, Len: n.Int64()}
	}
	if r.function == nil && r.scope.outer == nil {
		r.Fail(pos, "the length of an array at file scope is not a constant")
	}
	count := r.convert(value, r.types.size, pos)
	if r.function != nil {
		count = r.keepLength(count, pos)
	}
	return &tree.Array{Elem: elem, Len: -1, Count: count}
}

// keepLength keeps the length of an array in an object that the declaration being read declares, and gives its value.
func (r *reader) keepLength(count tree.Value, pos tree.Pos) tree.Value {
	object := r.automatic("", r.types.size, pos)
	at := tree.At{Position: pos}
	r.lengths = append(r.lengths, &tree.Declare{
		At: at, Object: object, Initialized: true, Init: []tree.Initial{{Type: r.types.size, Value: count, Repeat: 1}},
	})
	return &tree.Load{At: at, Place: &tree.Use{At: at, Object: object}}
}

// parameterTypes reads the parameters of a prototype.
func (r *reader) parameterTypes(n *cc.ParameterTypeList, result tree.Type) (*parameters, *tree.FunctionType) {
	f := &tree.FunctionType{Result: result}
	p := &parameters{}
	if n == nil {
		f.Unspecified = true
		return p, f
	}
	f.Variadic = n.Case == cc.ParameterTypeListVar
	r.push()
	p.scope = r.scope
	for l := n.ParameterList; l != nil; l = l.ParameterList {
		d := l.ParameterDeclaration
		if d.DeclarationSpecifiers == nil {
			at := r.pos(d)
			if at.Line == 0 {
				at = r.pos(n) // nothing stands between two commas
			}
			r.Fail(at, "a parameter has no type")
		}
		s := r.specifiers(d.DeclarationSpecifiers)
		name, pos := "", r.pos(d)
		q := s.qualified
		switch d.Case {
		case cc.ParameterDeclarationDecl:
			name, pos = d.Declarator.Name(), r.pos(d.Declarator.NameTok())
			q = r.declarator(d.Declarator, q)
		case cc.ParameterDeclarationAbstract:
			q = r.abstract(d.AbstractDeclarator, q)
		}
		if tree.IsVoid(q.Type) {
			if name != "" || len(f.Params) > 0 || l.ParameterList != nil {
				r.Fail(pos, "a parameter has type void")
			}
			break
		}
		q = r.adjusted(q)
		o := &tree.Object{Name: name, Type: q.Type, Storage: tree.Parameter, Pos: pos, Const: q.constant, Volatile: q.volatile}
		p.objects = append(p.objects, o)
		f.Params = append(f.Params, q.Type)
		f.ReadOnly = append(f.ReadOnly, q.readOnly)
		if name != "" {
			r.declare(name, meaning{object: o})
		}
	}
	r.pop()
	return p, f
}

// adjusted is the type of a parameter: arrays and functions become pointers (C11 6.7.6.3).
func (r *reader) adjusted(q qualified) qualified {
	switch t := q.Type.(type) {
	case *tree.Array:
		return qualified{Type: r.types.pointer(t.Elem), readOnly: q.constant}
	case *tree.FunctionType:
		return qualified{Type: r.types.pointer(t)}
	}
	return q
}

// functionDeclarator is the part of a declarator that says that the name is a function, nil if it is none.
func functionDeclarator(n *cc.Declarator) *cc.DirectDeclarator {
	var found *cc.DirectDeclarator
	for d := n.DirectDeclarator; d != nil; {
		switch d.Case {
		case cc.DirectDeclaratorIdent:
			return found
		case cc.DirectDeclaratorDecl:
			if d.Declarator.Pointer != nil {
				found = nil
			}
			d = d.Declarator.DirectDeclarator
			continue
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			found = d
		default:
			found = nil
		}
		d = d.DirectDeclarator
	}
	return found
}
