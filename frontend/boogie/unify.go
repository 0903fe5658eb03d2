package boogie

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// inference finds the type arguments within one statement or formula. Flexible type variables stand for what is not
// known yet; all others are rigid.
type inference struct {
	// bindings has every flexible variable, with what it stands for or nil.
	bindings map[*ast.TypeVariable]ast.Type
	// trail has the flexible variables in the order in which they were bound, so that bindings can be undone.
	trail []*ast.TypeVariable
	// places have types that mention flexible variables, which are replaced in the end.
	places []*ast.Type
	// waiting has what can be decided only once more is known: each function says whether it is done, and with force set
	// it decides with what there is.
	waiting []func(force bool) bool
}

func (in *inference) init() { in.bindings = map[*ast.TypeVariable]ast.Type{} }

// idle reports that nothing is to be inferred.
func (in *inference) idle() bool { return len(in.bindings) == 0 && len(in.waiting) == 0 }

// fresh makes a flexible type variable for each of vs.
func (in *inference) fresh(vs []*ast.TypeVariable) []ast.Type {
	if len(vs) == 0 {
		return nil
	}
	out := make([]ast.Type, len(vs))
	for i, v := range vs {
		f := &ast.TypeVariable{Pos: v.Pos, Name: v.Name}
		in.bindings[f] = nil
		out[i] = f
	}
	return out
}

// walk follows bindings until t is not a bound flexible variable.
func (in *inference) walk(t ast.Type) ast.Type {
	for {
		v, ok := t.(*ast.TypeVariable)
		if !ok {
			return t
		}
		b := in.bindings[v]
		if b == nil {
			return t
		}
		t = b
	}
}

// flexible reports whether t is a flexible variable.
func (in *inference) flexible(t ast.Type) (*ast.TypeVariable, bool) {
	v, ok := t.(*ast.TypeVariable)
	if !ok {
		return nil, false
	}
	_, ok = in.bindings[v]
	return v, ok
}

// bind makes v stand for t.
func (in *inference) bind(v *ast.TypeVariable, t ast.Type) {
	in.bindings[v] = t
	in.trail = append(in.trail, v)
}

// undo takes back all bindings but the first n.
func (in *inference) undo(n int) {
	for _, v := range in.trail[n:] {
		in.bindings[v] = nil
	}
	in.trail = in.trail[:n]
}

// expand replaces bound flexible variables everywhere in t.
func (in *inference) expand(t ast.Type) ast.Type {
	if len(in.bindings) == 0 {
		return t
	}
	return ast.RewriteType(in.walk(t), in.expand)
}

// mentions reports whether t, expanded, has a flexible variable.
func (in *inference) mentions(t ast.Type) bool {
	return len(in.bindings) > 0 && ast.AnyType(t, func(t ast.Type) bool {
		_, ok := in.flexible(t)
		return ok
	})
}

// unify makes two types equal by binding flexible variables, or binds nothing and returns false. A nil type comes from
// an error that has been reported and fits everything.
func (in *inference) unify(a, b ast.Type) bool {
	if a == b {
		return true
	}
	n := len(in.trail)
	if in.join(a, b) {
		return true
	}
	in.undo(n)
	return false
}

// join is unify, but leaves bindings behind when it fails.
func (in *inference) join(a, b ast.Type) bool {
	a, b = in.walk(a), in.walk(b)
	if a == b || a == nil || b == nil {
		return true
	}
	if v, ok := in.flexible(a); ok {
		return in.join1(v, b)
	}
	if v, ok := in.flexible(b); ok {
		return in.join1(v, a)
	}
	switch a := a.(type) {
	case *ast.BitVector:
		b, ok := b.(*ast.BitVector)
		return ok && a.Width == b.Width
	case *ast.Constructed:
		b, ok := b.(*ast.Constructed)
		return ok && a.Decl == b.Decl && in.joinAll(a.Args, b.Args)
	case *ast.Map:
		b, ok := b.(*ast.Map)
		if !ok || len(a.Params) != len(b.Params) || len(a.Domain) != len(b.Domain) {
			return false
		}
		if len(a.Params) > 0 {
			return in.joinPolymorphic(a, b)
		}
		return in.joinAll(a.Domain, b.Domain) && in.join(a.Range, b.Range)
	case *ast.Record:
		b, ok := b.(*ast.Record)
		return ok && slices.EqualFunc(a.Fields, b.Fields, func(f, g ast.RecordField) bool { return f.Name == g.Name && in.join(f.Type, g.Type) })
	}
	return false
}

func (in *inference) joinAll(as, bs []ast.Type) bool { return slices.EqualFunc(as, bs, in.join) }

// join1 binds an unbound flexible variable to a type that does not mention it.
func (in *inference) join1(v *ast.TypeVariable, t ast.Type) bool {
	t = in.expand(t)
	if occurs(v, t) {
		return false
	}
	in.bind(v, t)
	return true
}

// joinPolymorphic unifies two polymorphic map types. The variables that a binds become new constants, those that b
// binds become flexible: each of these must come to stand for a constant (and then for one of its own, since all of the
// equally many constants occur), and no variable from outside may come to depend on the constants.
func (in *inference) joinPolymorphic(a, b *ast.Map) bool {
	constants := make([]ast.Type, len(a.Params))
	isConstant := map[*ast.TypeVariable]bool{}
	for i, v := range a.Params {
		constant := &ast.TypeVariable{Pos: v.Pos, Name: v.Name}
		constants[i], isConstant[constant] = constant, true
	}
	own := in.fresh(b.Params)
	left, right := ast.Bind(nil, a.Params, constants), ast.Bind(nil, b.Params, own)
	start := len(in.trail)
	for i := range a.Domain {
		if !in.join(ast.Substitute(a.Domain[i], left), ast.Substitute(b.Domain[i], right)) {
			return false
		}
	}
	if !in.join(ast.Substitute(a.Range, left), ast.Substitute(b.Range, right)) {
		return false
	}
	isOwn := map[*ast.TypeVariable]bool{}
	for _, t := range own {
		if v, ok := in.walk(t).(*ast.TypeVariable); !ok || !isConstant[v] {
			return false
		}
		isOwn[t.(*ast.TypeVariable)] = true
	}
	for _, v := range in.trail[start:] {
		if isOwn[v] {
			continue
		}
		t := in.expand(v)
		for _, k := range constants {
			if occurs(k.(*ast.TypeVariable), t) {
				return false
			}
		}
	}
	return true
}

// comparable reports whether values of the two types may be compared: the types must be unifiable, where type
// variables in scope may turn out to be anything.
func (in *inference) comparable(a, b ast.Type) bool {
	if in.unify(a, b) {
		return true
	}
	a, b = in.expand(a), in.expand(b)
	rigid := slices.DeleteFunc(ast.FreeVariables(a, b), func(v *ast.TypeVariable) bool {
		_, ok := in.bindings[v]
		return ok
	})
	if len(rigid) == 0 {
		return false
	}
	n := len(in.trail)
	m := ast.Bind(nil, rigid, in.fresh(rigid))
	ok := in.join(ast.Substitute(a, m), ast.Substitute(b, m))
	in.undo(n)
	for _, t := range m {
		delete(in.bindings, t.(*ast.TypeVariable))
	}
	return ok
}

// later notes a place whose type mentions flexible variables.
func (in *inference) later(t *ast.Type) {
	if in.mentions(*t) {
		in.places = append(in.places, t)
	}
}

// finish decides all that is still open, at the end of a statement or formula: a variable that nothing determines
// becomes int, as in Boogie.
func (in *inference) finish() {
	if in.idle() {
		return
	}
	for force := false; len(in.waiting) > 0; {
		progress := false
		for i := 0; i < len(in.waiting); i++ {
			if in.waiting[i](force) {
				in.waiting = append(in.waiting[:i], in.waiting[i+1:]...)
				progress, force = true, false
				i--
			}
		}
		if !progress {
			if force {
				break
			}
			force = true
		}
	}
	for _, p := range in.places {
		*p = in.settle(*p)
	}
	clear(in.bindings)
	in.trail, in.places, in.waiting = in.trail[:0], in.places[:0], nil
}

// settle replaces flexible variables by what they stand for, or int.
func (in *inference) settle(t ast.Type) ast.Type {
	t = in.expand(t)
	open := slices.DeleteFunc(ast.FreeVariables(t), func(v *ast.TypeVariable) bool {
		_, ok := in.bindings[v]
		return !ok
	})
	if len(open) == 0 {
		return t
	}
	return ast.Substitute(t, ast.Bind(nil, open, slices.Repeat([]ast.Type{ast.Int}, len(open))))
}
