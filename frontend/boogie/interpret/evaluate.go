package interpret

import (
	"maps"
	"math/big"
	"sync"

	"hornbeam/frontend/boogie/ast"
)

// scope says what the names in an expression stand for.
type scope struct {
	*machine
	// locals are those of a body and the names of its contract, globals the present ones, old those at entry.
	locals, globals, old map[*ast.Variable]Value
	inOld                bool
	bound                *binding
	types                map[*ast.TypeVariable]ast.Type
}

// binding is a variable that an expression binds, or a function's parameter.
type binding struct {
	variable *ast.Variable
	value    Value
	outer    *binding
}

func (sc *scope) with(vs []*ast.Variable, values []Value) *scope {
	inner := *sc
	for i, v := range vs {
		inner.bound = &binding{v, values[i], inner.bound}
	}
	return &inner
}

func (sc *scope) typ(t ast.Type) ast.Type { return ast.Substitute(t, sc.types) }

func (sc *scope) allTypes(ts []ast.Type) []ast.Type {
	out := make([]ast.Type, len(ts))
	for i, t := range ts {
		out[i] = sc.typ(t)
	}
	return out
}

// truth is the value of a condition.
func (sc *scope) truth(x ast.Expr) (bool, error) {
	v, err := sc.eval(x)
	if err != nil {
		return false, err
	}
	return bool(v.(Bool)), nil
}

func (sc *scope) evalAll(xs []ast.Expr) ([]Value, error) {
	out := make([]Value, len(xs))
	for i, x := range xs {
		var err error
		if out[i], err = sc.eval(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// eval is the value of an expression.
func (sc *scope) eval(x ast.Expr) (Value, error) {
	switch x := x.(type) {
	case *ast.BoolLiteral:
		return Bool(x.Value), nil
	case *ast.IntLiteral:
		return Int{x.Value}, nil
	case *ast.RealLiteral:
		return Real{x.Value}, nil
	case *ast.BitVectorLiteral:
		return BitVector{x.Width, x.Value}, nil
	case *ast.Identifier:
		return sc.identifier(x)
	case *ast.Application:
		return sc.apply(x)
	case *ast.Binary:
		return sc.binary(x)
	case *ast.IfThenElse:
		holds, err := sc.truth(x.Cond)
		if err != nil {
			return nil, err
		}
		if holds {
			return sc.eval(x.Then)
		}
		return sc.eval(x.Else)
	case *ast.Old:
		inner := *sc
		inner.inOld = true
		return inner.eval(x.X)
	case *ast.Coercion:
		return sc.eval(x.X)
	case *ast.Let:
		values, err := sc.evalAll(x.Values)
		if err != nil {
			return nil, err
		}
		return sc.with(x.Bound, values).eval(x.Body)
	case *ast.Quantifier:
		return sc.quantifier(x)
	case *ast.Lambda:
		return sc.lambda(x)
	case *ast.Unary, *ast.Select, *ast.Store, *ast.Extract, *ast.Is, *ast.Field, *ast.FieldUpdate, *ast.RecordLiteral:
		parts, err := sc.evalAll(ast.Parts(x))
		if err != nil {
			return nil, err
		}
		return sc.strict(x, parts)
	}
	return nil, locate(x.At(), undeterminedf("expressions such as %s", ast.String(x)))
}

// strict is the value of an expression that needs the values of all its parts.
func (sc *scope) strict(x ast.Expr, parts []Value) (Value, error) {
	last := len(parts) - 1
	switch x := x.(type) {
	case *ast.Unary:
		return unary(x, parts[0])
	case *ast.Select:
		return sc.selection(x, parts[0], parts[1:])
	case *ast.Store:
		return sc.updated(parts[0], x.Map, x.TypeArguments, parts[1:last], parts[last])
	case *ast.Extract:
		return extract(parts[0].(BitVector), x.High-1, x.Low), nil
	case *ast.Is:
		return Bool(parts[0].(*Data).Constructor == x.Constructor), nil
	case *ast.Field:
		d := parts[0].(*Data)
		i, err := d.field(x.Name)
		if err != nil {
			return nil, err
		}
		return d.Fields[i], nil
	case *ast.FieldUpdate:
		return updateField(parts[0], x.Name, parts[1])
	}
	return &Data{Names: x.(*ast.RecordLiteral).Names, Fields: parts}, nil
}

// selectAt reads a map of maps.
func selectAt(m Value, index []Value) (Value, error) {
	for _, i := range index {
		var err error
		if m, err = m.(*Map).Select(i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// store changes one entry of a map of maps.
func store(m Value, index []Value, v Value) (Value, error) {
	if len(index) == 0 {
		return v, nil
	}
	row, err := m.(*Map).Select(index[0])
	if err != nil {
		return nil, err
	}
	if row, err = store(row, index[1:], v); err != nil {
		return nil, err
	}
	return m.(*Map).Store(index[0], row)
}

func (sc *scope) identifier(x *ast.Identifier) (Value, error) {
	v := x.Decl
	switch v.Kind {
	case ast.Constant:
		return sc.constant(v)
	case ast.Global:
		values := sc.globals
		if sc.inOld {
			values = sc.old
		}
		if value, ok := values[v]; ok {
			return value, nil
		}
		return nil, undeterminedf("the global %s has no value here", v.Name)
	}
	for b := sc.bound; b != nil; b = b.outer {
		if b.variable == v {
			return b.value, nil
		}
	}
	if value, ok := sc.locals[v]; ok {
		return value, nil
	}
	return nil, undeterminedf("the variable %s has no value here", v.Name)
}

// apply is the value of an application.
func (sc *scope) apply(x *ast.Application) (Value, error) {
	f := x.Function
	args, err := sc.evalAll(x.Args)
	if err != nil {
		return nil, err
	}
	if f.Datatype != nil {
		return NewData(f, args), nil
	}
	if op := f.Builtin(); op != "" {
		v, err := sc.mapBuiltin(op, args, sc.typ(x.Type))
		if v != nil || err != nil {
			return v, err
		}
		return sc.builtin(f, op, args)
	}
	result := sc.typ(x.Type)
	params, typeParams, body := f.Params, f.TypeParams, f.Body
	if d := sc.definitions[f]; d != nil {
		params, typeParams, body = d.params, d.typeParams, d.body
	}
	if body == nil {
		return sc.open(f, 0, sc.allTypes(x.TypeArguments), args, result)
	}
	if err := sc.spend(x.Pos); err != nil {
		return nil, err
	}
	sc.depth++
	defer func() { sc.depth-- }()
	if sc.depth > maxApplications {
		return nil, undeterminedf("the function %s applies itself too often", f.Name)
	}
	inner := &scope{machine: sc.machine, types: ast.Bind(nil, typeParams, sc.allTypes(x.TypeArguments))}
	return inner.with(params, args).eval(body)
}

func unary(x *ast.Unary, v Value) (Value, error) {
	switch v := v.(type) {
	case Bool:
		return !v, nil
	case Int:
		if x.Op == ast.Negate {
			return Int{new(big.Int).Neg(v.N)}, nil
		}
		return Real{new(big.Rat).SetInt(v.N)}, nil
	case Real:
		if x.Op == ast.Negate {
			return Real{new(big.Rat).Neg(v.R)}, nil
		}
		return floor(v), nil
	}
	return nil, undeterminedf("the operator of %s", ast.String(x))
}

// binary evaluates the operators that do not need both arguments first.
func (sc *scope) binary(x *ast.Binary) (Value, error) {
	switch x.Op {
	case ast.And:
		return sc.junction(x.X, x.Y, false, false)
	case ast.Or:
		return sc.junction(x.X, x.Y, false, true)
	case ast.Implies:
		return sc.junction(x.X, x.Y, true, true)
	case ast.Explies:
		return sc.junction(x.Y, x.X, true, true)
	}
	a, err := sc.eval(x.X)
	if err != nil {
		return nil, err
	}
	b, err := sc.eval(x.Y)
	if err != nil {
		return nil, err
	}
	if x.Op == ast.Eq || x.Op == ast.Neq {
		left, right := sc.typ(x.X.TypeOf()), sc.typ(x.Y.TypeOf())
		switch {
		case ast.Equal(left, right):
		case ast.Ground(left) && ast.Ground(right):
			// Values of different types are different.
			return Bool(x.Op == ast.Neq), nil
		default:
			return nil, undeterminedf("the equality of values of the types %s and %s", left, right)
		}
	}
	return sc.operator(x.Op, a, b)
}

// junction is `a && b`, or with decided true `a || b`; negated says that a's negation is meant. Either side alone may
// decide it, also when the other one is undetermined.
func (sc *scope) junction(x, y ast.Expr, negated, decided bool) (Value, error) {
	a, errA := sc.truth(x)
	if errA == nil && (a != negated) == decided {
		return Bool(decided), nil
	}
	if errA != nil && !isUndetermined(errA) {
		return nil, errA
	}
	b, errB := sc.truth(y)
	if errB == nil && b == decided {
		return Bool(decided), nil
	}
	if errA != nil {
		return nil, errA
	}
	return Bool(!decided), errB
}

// lambda is a map that is computed where it is read.
func (sc *scope) lambda(x *ast.Lambda) (Value, error) {
	// Later assignments don't change it.
	inner := *sc
	inner.locals, inner.globals, inner.old = maps.Clone(sc.locals), maps.Clone(sc.globals), maps.Clone(sc.old)
	if len(x.TypeParams) == 0 {
		return inner.lambdaOver(x.Bound, x.Body), nil
	}
	t := sc.typ(x.Type).(*ast.Map)
	p := NewPolymorphic(t, new(big.Int))
	p.compute = func(types []ast.Type) (Value, error) {
		at := inner
		at.types = ast.Bind(inner.types, t.Order(), types)
		return at.lambdaOver(x.Bound, x.Body), nil
	}
	return p, nil
}

func (sc *scope) lambdaOver(vs []*ast.Variable, body ast.Expr) *Map {
	m := newComputed(sc.typ(vs[0].Type), func(i Value) (Value, error) {
		inner := sc.with(vs[:1], []Value{i})
		if len(vs) > 1 {
			return inner.lambdaOver(vs[1:], body), nil
		}
		return inner.eval(body)
	})
	m.same = sync.OnceValue(func() string { return (&closure{scope: sc}).lambda(vs, body) })
	return m
}

// mentioned are the values of the variables and constants in a condition.
func (sc *scope) mentioned(x ast.Expr) []Change {
	var out []Change
	seen := map[*ast.Variable]bool{}
	ast.Inspect(x, func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && id.Decl.Kind != ast.Bound && !seen[id.Decl] {
			seen[id.Decl] = true
			if v, err := sc.identifier(id); err == nil {
				out = append(out, Change{Variable: id.Decl, Value: v})
			}
		}
		_, old := x.(*ast.Old)
		return !old
	})
	return out
}
