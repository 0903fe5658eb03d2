package read

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// operand is an expression before it is known whether its place or its value is asked for: one of the three is set.
type operand struct {
	place    tree.Place
	value    tree.Value
	function *tree.Function
	pos      tree.Pos
	// designator is set if value is the address of the function that is meant, as of *p for a pointer to a function.
	designator bool
}

// typ is the operand's type, before arrays and functions become pointers.
func (o operand) typ() tree.Type {
	switch {
	case o.place != nil:
		return o.place.Type()
	case o.function != nil:
		return o.function.Type
	case o.designator:
		return o.value.Type().(*tree.Pointer).Elem
	}
	return o.value.Type()
}

// rvalue reads an expression for its value: arrays and functions become pointers, places are read.
func (r *reader) rvalue(n cc.ExpressionNode) tree.Value { return r.valueOf(r.expression(n)) }

func (r *reader) valueOf(o operand) tree.Value {
	at := tree.At{Position: o.pos}
	switch {
	case o.function != nil:
		return r.linkedAddress(&tree.FunctionAddress{At: at, T: r.types.pointer(o.function.Type), Function: o.function})
	case o.place != nil:
		if a, ok := o.place.Type().(*tree.Array); ok {
			return r.linkedAddress(&tree.Address{At: at, T: r.types.pointer(a.Elem), Place: o.place, Decay: true})
		}
		if !complete(o.place.Type()) {
			if tree.IsVoid(o.place.Type()) {
				// *p of a void pointer: nothing is read.
				return r.nothing(o.pos)
			}
			r.Fail(o.pos, "the value of type %s is not known here", o.place.Type())
		}
		return &tree.Load{At: at, Place: o.place}
	}
	return o.value
}

// placeOf is the operand as a place, and an error if it is none.
func (r *reader) placeOf(o operand, what string) tree.Place {
	if o.place == nil {
		r.Fail(o.pos, "%s needs an object", what)
	}
	return o.place
}

// unevaluated is the type of an expression that is not evaluated: the operand of sizeof or typeof.
func (r *reader) unevaluated(n cc.ExpressionNode) tree.Type {
	defer r.unevaluatedly()()
	return r.expression(n).typ()
}

// unevaluatedly begins what is not evaluated, and gives what ends it: objects that it makes are none of the function's.
func (r *reader) unevaluatedly() func() {
	lengths, locals, kept := r.lengths, 0, 0
	if r.function != nil {
		locals, kept = len(r.function.Locals), len(r.function.kept)
	}
	return func() {
		r.lengths = lengths
		if r.function != nil {
			r.function.Locals, r.function.kept = r.function.Locals[:locals], r.function.kept[:kept]
		}
	}
}

// typeOfExpression is the type that typeof makes of an expression, which is evaluated if the type has a length that is computed.
func (r *reader) typeOfExpression(n cc.ExpressionNode) tree.Type {
	end := r.unevaluatedly()
	o := r.expression(n)
	t := o.typ()
	if r.function == nil || !modified(t) {
		end()
	} else {
		for _, e := range r.effectsIn(r.valueOf(o)) {
			r.lengths = append(r.lengths, &tree.Evaluate{At: tree.At{Position: e.Pos()}, Value: e})
		}
	}
	return t
}

// effectsIn are the parts of a value, in order, that evaluating it does more by than read memory.
func (r *reader) effectsIn(n tree.Node) []tree.Value {
	if !effectful(n) {
		return nil
	}
	switch v := n.(type) {
	case *tree.Assign, *tree.Update, *tree.Call, *tree.StatementValue, *tree.UnsupportedValue, *tree.Logical, *tree.Conditional:
		return []tree.Value{r.effects(v.(tree.Value))}
	case *tree.CompoundLiteral:
		return []tree.Value{r.effects(r.valueOf(operand{place: v, pos: v.Position}))}
	}
	var out []tree.Value
	tree.EachChild(n, func(child tree.Node) { out = append(out, r.effectsIn(child)...) })
	return out
}

// evaluatedType reads a type name in an expression that evaluates the lengths in it, and gives what does so.
func (r *reader) evaluatedType(n *cc.TypeName) (tree.Type, []tree.Value) {
	outer := r.lengths
	r.lengths = nil
	t := r.typeName(n)
	lengths := r.lengths
	r.lengths = outer
	var out []tree.Value
	for _, s := range lengths {
		switch s := s.(type) {
		case *tree.Evaluate:
			out = append(out, s.Value)
		case *tree.Declare:
			r.function.kept = append(r.function.kept, &tree.Declare{At: s.At, Object: s.Object})
			out = append(out, r.effects(&tree.Assign{At: s.At, Place: &tree.Use{At: s.At, Object: s.Object}, Value: s.Init[0].Value}))
		}
	}
	return t, out
}

// after is a value behind effects.
func after(effects []tree.Value, v tree.Value) tree.Value {
	for _, e := range slices.Backward(effects) {
		v = &tree.Comma{At: tree.At{Position: v.Pos()}, First: e, Second: v}
	}
	return v
}

// unevaluatedType is the type that a type name denotes whose lengths are not evaluated.
func (r *reader) unevaluatedType(n *cc.TypeName) qualified {
	defer r.unevaluatedly()()
	return r.abstract(n.AbstractDeclarator, r.specifierQualifiers(n.SpecifierQualifierList).qualified)
}

// qualifier matches the words that make types differ which are one type in a tree.
var qualifier = regexp.MustCompile(`\b(?:const|volatile|restrict|_Atomic|__const|__volatile|__restrict)(?:__)?\b`)

// mayBeQualified tells whether there may be types that differ from the given one in the qualifiers of what pointers lead to: types
// in a tree have none.
func (r *reader) mayBeQualified(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Pointer, *tree.FunctionType:
	case *tree.Array:
		return r.mayBeQualified(t.Elem)
	default:
		return false
	}
	return qualifier.Match(r.source.Text)
}

// constantOf is an integer constant.
func constantOf(pos tree.Pos, t tree.Type, x int64) *tree.Constant {
	return &tree.Constant{At: tree.At{Position: pos}, T: t, Int: big.NewInt(x)}
}

// The operators by the parser's cases; a case without one has only an operand of the next higher precedence.
var (
	multiplicative = map[cc.MultiplicativeExpressionCase]tree.BinaryOp{
		cc.MultiplicativeExpressionMul: tree.Mul, cc.MultiplicativeExpressionDiv: tree.Div, cc.MultiplicativeExpressionMod: tree.Rem,
	}
	additive   = map[cc.AdditiveExpressionCase]tree.BinaryOp{cc.AdditiveExpressionAdd: tree.Add, cc.AdditiveExpressionSub: tree.Sub}
	shifts     = map[cc.ShiftExpressionCase]tree.BinaryOp{cc.ShiftExpressionLsh: tree.Shl, cc.ShiftExpressionRsh: tree.Shr}
	relational = map[cc.RelationalExpressionCase]tree.BinaryOp{
		cc.RelationalExpressionLt: tree.Lt, cc.RelationalExpressionGt: tree.Gt,
		cc.RelationalExpressionLeq: tree.Le, cc.RelationalExpressionGeq: tree.Ge,
	}
	equality    = map[cc.EqualityExpressionCase]tree.BinaryOp{cc.EqualityExpressionEq: tree.Eq, cc.EqualityExpressionNeq: tree.Ne}
	conjunction = map[cc.AndExpressionCase]tree.BinaryOp{cc.AndExpressionAnd: tree.And}
	exclusive   = map[cc.ExclusiveOrExpressionCase]tree.BinaryOp{cc.ExclusiveOrExpressionXor: tree.Xor}
	disjunction = map[cc.InclusiveOrExpressionCase]tree.BinaryOp{cc.InclusiveOrExpressionOr: tree.Or}
)

// operation reads an expression with a binary operator, if the case is one, else its right operand.
func operation[C comparable](r *reader, operators map[C]tree.BinaryOp, c C, left, right cc.ExpressionNode) operand {
	op, ok := operators[c]
	if !ok {
		return r.expression(right)
	}
	v := r.arithmetic(op, left, right)
	return operand{value: v, pos: v.Pos()}
}

// expression reads an expression.
func (r *reader) expression(n cc.ExpressionNode) operand {
	value := func(v tree.Value) operand { return operand{value: v, pos: v.Pos()} }
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		return r.primary(n)
	case *cc.PostfixExpression:
		return r.postfix(n)
	case *cc.UnaryExpression:
		return r.unary(n)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionUnary {
			return r.expression(n.UnaryExpression)
		}
		pos := r.pos(n)
		t, lengths := r.evaluatedType(n.TypeName)
		return value(after(lengths, r.cast(t, r.rvalue(n.CastExpression), pos)))
	case *cc.MultiplicativeExpression:
		return operation(r, multiplicative, n.Case, n.MultiplicativeExpression, n.CastExpression)
	case *cc.AdditiveExpression:
		return operation(r, additive, n.Case, n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return operation(r, shifts, n.Case, n.ShiftExpression, n.AdditiveExpression)
	case *cc.RelationalExpression:
		return operation(r, relational, n.Case, n.RelationalExpression, n.ShiftExpression)
	case *cc.EqualityExpression:
		return operation(r, equality, n.Case, n.EqualityExpression, n.RelationalExpression)
	case *cc.AndExpression:
		return operation(r, conjunction, n.Case, n.AndExpression, n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return operation(r, exclusive, n.Case, n.ExclusiveOrExpression, n.AndExpression)
	case *cc.InclusiveOrExpression:
		return operation(r, disjunction, n.Case, n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionLAnd {
			return value(r.logical(false, n.LogicalAndExpression, n.InclusiveOrExpression))
		}
		return r.expression(n.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLOr {
			return value(r.logical(true, n.LogicalOrExpression, n.LogicalAndExpression))
		}
		return r.expression(n.LogicalAndExpression)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond {
			return value(r.conditional(n))
		}
		return r.expression(n.LogicalOrExpression)
	case *cc.AssignmentExpression:
		if n.Case == cc.AssignmentExpressionCond {
			return r.expression(n.ConditionalExpression)
		}
		return value(r.assignment(n))
	case *cc.ConstantExpression:
		return r.expression(n.ConditionalExpression)
	case *cc.ExpressionList:
		return r.commas(n)
	}
	if n == nil {
		r.Fail(r.declaring, "an expression is missing")
	}
	r.Unsupported(r.pos(n), "this expression")
	return operand{}
}

// commas reads a, b, c.
func (r *reader) commas(n *cc.ExpressionList) operand {
	first := r.expression(n.AssignmentExpression)
	for l := n.ExpressionList; l != nil; l = l.ExpressionList {
		before := r.valueOf(first)
		next := r.valueOf(r.expression(l.AssignmentExpression))
		first = operand{value: &tree.Comma{At: tree.At{Position: before.Pos()}, First: before, Second: next}, pos: before.Pos()}
	}
	return first
}

// effects is a value that is evaluated for its effects only.
func (r *reader) effects(v tree.Value) tree.Value {
	if tree.IsVoid(v.Type()) {
		return v
	}
	return &tree.Convert{At: tree.At{Position: v.Pos()}, T: r.types.void, X: v}
}

// primary reads names, literals, and what is in parentheses.
func (r *reader) primary(n *cc.PrimaryExpression) operand {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		return r.name(n)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionFloat:
		if text := strings.ToLower(n.Token.SrcStr()); strings.ContainsAny(text, "ij") {
			return operand{value: &tree.UnsupportedValue{At: r.at(n), T: r.types.complex(r.types.double), What: "complex numbers"}, pos: r.pos(n)}
		}
		if n.Case == cc.PrimaryExpressionFloat {
			return operand{value: r.floatLiteral(n), pos: r.pos(n)}
		}
		return operand{value: r.integerLiteral(n), pos: r.pos(n)}
	case cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return operand{value: r.characterLiteral(n), pos: r.pos(n)}
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		contents, elem := r.stringLiteral(n)
		o := r.stringObject(contents, elem, r.pos(n))
		return operand{place: &tree.Use{At: r.at(n), Object: o}, pos: r.pos(n)}
	case cc.PrimaryExpressionExpr:
		o := r.expression(n.ExpressionList)
		o.pos = r.pos(n)
		return o
	case cc.PrimaryExpressionStmt:
		return operand{value: r.statementValue(n), pos: r.pos(n)}
	case cc.PrimaryExpressionGeneric:
		return r.generic(n.GenericSelection)
	}
	r.Unsupported(r.pos(n), "this expression")
	return operand{}
}

// name reads the use of a name.
func (r *reader) name(n *cc.PrimaryExpression) operand {
	name, pos := n.Token.SrcStr(), r.pos(n)
	at := tree.At{Position: pos}
	m, ok := r.lookup(name)
	switch {
	case !ok:
		switch name {
		case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
			return operand{place: &tree.Use{At: at, Object: r.functionName(pos)}, pos: pos}
		case "nullptr": // of C23, where no older program has such a name
			return operand{value: &tree.Constant{At: at, T: r.types.voidPointer, Int: new(big.Int)}, pos: pos}
		}
		if f := r.builtinFunction(name, pos); f != nil {
			return operand{function: f, pos: pos}
		}
		r.Fail(pos, "undefined: %s", name)
	case m.object != nil:
		return operand{place: &tree.Use{At: at, Object: m.object}, pos: pos}
	case m.function != nil && r.nested[m.function]:
		what := "the function " + name + " within a function"
		return operand{value: &tree.UnsupportedValue{At: at, T: r.types.pointer(m.function.Type), What: what}, pos: pos}
	case m.function != nil:
		return operand{function: m.function, pos: pos}
	case m.constant != nil:
		return operand{value: &tree.Constant{At: at, T: m.constant.T, Int: m.constant.Int}, pos: pos}
	}
	r.Fail(pos, "%s is a type", name)
	return operand{}
}

// functionName is the object of __func__.
func (r *reader) functionName(pos tree.Pos) *tree.Object {
	name := "" // at file scope, as gcc has it
	if r.function != nil {
		name = r.function.Name
	}
	return r.stringObject(append([]byte(name), 0), r.types.char, pos)
}

// generic chooses from a _Generic selection. The tree's types have no qualifiers below the top: a selection that needs
// them is unsupported.
func (r *reader) generic(n *cc.GenericSelection) operand {
	pos := r.pos(n)
	end := r.unevaluatedly()
	controlling := r.rvalue(n.AssignmentExpression).Type()
	end()
	var chosen, fallback *cc.GenericAssociation
	for l := n.GenericAssociationList; l != nil; l = l.GenericAssociationList {
		switch a := l.GenericAssociation; {
		case a.Case == cc.GenericAssociationDefault:
			fallback = a
		default:
			t := r.unevaluatedType(a.TypeName)
			if t.constant || t.volatile || !compatible(t.Type, controlling) {
				continue // no value has a qualified type
			}
			if chosen != nil || r.mayBeQualified(controlling) {
				r.Unsupported(pos, "_Generic that tells qualified types apart")
			}
			chosen = a
		}
	}
	if chosen == nil {
		chosen = fallback
	}
	if chosen == nil {
		r.Fail(pos, "_Generic has nothing for the type %s", controlling)
	}
	return r.expression(chosen.AssignmentExpression)
}

// postfix reads what is written behind an expression.
func (r *reader) postfix(n *cc.PostfixExpression) operand {
	switch n.Case {
	case cc.PostfixExpressionPrimary:
		return r.expression(n.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		return r.index(n)
	case cc.PostfixExpressionCall:
		return r.call(n)
	case cc.PostfixExpressionSelect:
		return r.selected(r.expression(n.PostfixExpression), n)
	case cc.PostfixExpressionPSelect:
		p := r.rvalue(n.PostfixExpression)
		return r.selected(operand{place: r.dereference(p, r.pos(n)), pos: p.Pos()}, n)
	case cc.PostfixExpressionInc:
		return operand{value: r.increment(n.PostfixExpression, tree.Add, true, "++", r.pos(n)), pos: r.pos(n)}
	case cc.PostfixExpressionDec:
		return operand{value: r.increment(n.PostfixExpression, tree.Sub, true, "--", r.pos(n)), pos: r.pos(n)}
	case cc.PostfixExpressionComplit:
		return r.compoundLiteral(n)
	}
	r.Unsupported(r.pos(n), "this expression")
	return operand{}
}

// index reads a[i]. Of an array's own place it is an element, else what a pointer sum points to.
func (r *reader) index(n *cc.PostfixExpression) operand {
	pos := r.pos(n)
	base, index := r.expression(n.PostfixExpression), r.expression(n.ExpressionList)
	if u, ok := base.value.(*tree.UnsupportedValue); ok {
		return operand{value: u, pos: pos}
	}
	if s, ok := base.typ().(*tree.Struct); ok && strings.HasPrefix(s.Tag, vectorTag) && r.opaque(s) != "" {
		if base.place == nil {
			base.place = &tree.Temporary{At: tree.At{Position: pos}, Init: base.value}
		}
		base = operand{place: &tree.Member{At: tree.At{Position: pos}, Struct: base.place, Field: s.Fields[0]}, pos: pos}
	}
	if _, isArray := base.typ().(*tree.Array); !isArray && tree.IsInteger(base.typ()) {
		base, index = index, base
	}
	if _, isArray := base.typ().(*tree.Array); isArray && base.place != nil {
		i := r.valueOf(index)
		if !tree.IsInteger(i.Type()) {
			r.Fail(pos, "an index has type %s", i.Type())
		}
		return operand{place: &tree.Element{At: tree.At{Position: pos}, Array: base.place, Index: i}, pos: pos}
	}
	return operand{place: r.dereference(r.pointerSum(r.valueOf(base), r.valueOf(index), false, pos), pos), pos: pos}
}

// dereference is the place that a pointer points to: an element or object if the pointer is an address that is taken right
// there.
func (r *reader) dereference(p tree.Value, pos tree.Pos) tree.Place {
	at := tree.At{Position: pos}
	if u, ok := p.(*tree.UnsupportedValue); ok && !tree.IsPointer(u.T) {
		p = r.convert(u, r.types.charPointer, pos)
	}
	t, ok := p.Type().(*tree.Pointer)
	if !ok {
		r.Fail(pos, "a value of type %s is no pointer", p.Type())
	}
	if isFunction(t.Elem) {
		r.Fail(pos, "a function is no object")
	}
	switch p := p.(type) {
	case *tree.Address:
		if !p.Decay {
			return p.Place
		}
		return &tree.Element{At: at, Array: p.Place, Index: constantOf(pos, r.types.int, 0)}
	case *tree.PointerSum:
		if a, ok := p.P.(*tree.Address); ok && a.Decay && !p.Minus {
			return &tree.Element{At: at, Array: a.Place, Index: p.Count}
		}
	}
	return &tree.Dereference{At: at, Pointer: p}
}

// selected is a member of a struct.
func (r *reader) selected(o operand, n *cc.PostfixExpression) operand {
	pos := r.pos(n)
	s, ok := o.typ().(*tree.Struct)
	if !ok {
		r.Fail(pos, "a value of type %s has no members", o.typ())
	}
	if !s.Complete {
		r.Fail(pos, "%s is incomplete", s)
	}
	f := r.field(s, n.Token2.SrcStr())
	if f == nil {
		r.Fail(r.pos(n.Token2), "%s has no member %s", s, n.Token2.SrcStr())
	}
	at := tree.At{Position: pos}
	place := o.place
	if place == nil {
		place = r.temporary(o, s, pos)
	}
	return operand{place: &tree.Member{At: at, Struct: place, Field: f}, pos: pos}
}

// temporary is the place of a struct that is a value. One with fields that overlap is an object, as if it were the only value
// of a compound literal: its fields are in memory.
func (r *reader) temporary(o operand, s *tree.Struct, pos tree.Pos) tree.Place {
	at := tree.At{Position: pos}
	if r.function == nil || !tree.Overlapping(s) {
		return &tree.Temporary{At: at, Init: o.value}
	}
	return &tree.CompoundLiteral{At: at, Declaration: tree.Initialise(r.automatic("", s, pos), o.value, pos)}
}

// compoundLiteral reads (type){...}: in a function an object of its own, else a static one.
func (r *reader) compoundLiteral(n *cc.PostfixExpression) operand {
	pos := r.pos(n)
	at := tree.At{Position: pos}
	t, lengths := r.evaluatedType(n.TypeName)
	if len(lengths) > 0 {
		r.Unsupported(pos, "a compound literal of variable length")
	}
	init := &cc.Initializer{Case: cc.InitializerInitList, InitializerList: n.InitializerList, Token: n.Token3}
	if r.function == nil {
		o := &tree.Object{Storage: tree.Literal, Pos: pos}
		r.mentioned = append(r.mentioned, o)
		o.Init, o.Type = r.initialiser(t, init)
		return operand{place: &tree.Use{At: at, Object: o}, pos: pos}
	}
	o := r.automatic("", t, pos)
	d := &tree.Declare{At: at, Object: o, Initialized: true}
	d.Init, o.Type = r.initialiser(t, init)
	return operand{place: &tree.CompoundLiteral{At: at, Declaration: d}, pos: pos}
}
