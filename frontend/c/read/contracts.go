package read

import (
	"modernc.org/cc/v4"

	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/tree"
)

// quantifier is a condition about all values, or about some value, of an object that has any value, while it is read.
type quantifier struct {
	// bound has the object once its type is known, by the first use.
	bound *tree.Object
	name  string
	outer *quantifier
}

// contractCall reads a call of one of the functions that contracts consist of in SMACK's header.
func (r *reader) contractCall(name string, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	if r.function == nil {
		r.Fail(pos, "a contract outside a function")
	}
	c := r.contractOf()
	condition := func() tree.Value { return r.truth(r.rvalue(arguments[0])) }
	switch name {
	case "__CONTRACT_requires":
		r.twice(func(c *contract.Contract) { c.Requires = append(c.Requires, condition()) })
		return r.nothing(pos)
	case "__CONTRACT_ensures":
		r.twice(func(c *contract.Contract) { c.Ensures = append(c.Ensures, condition()) })
		return r.nothing(pos)
	case "__CONTRACT_invariant":
		if len(r.function.loops) == 0 {
			return &tree.UnsupportedValue{At: at, T: r.types.void, What: "an invariant outside a loop"}
		}
		return r.invariant(pos, r.function.loops[len(r.function.loops)-1], condition)
	case "__CONTRACT_old":
		v := r.rvalue(arguments[0])
		o := r.automatic("", v.Type(), pos)
		c.Saved = append(c.Saved, tree.Initialise(o, v, pos))
		return tree.Read(o, pos)
	case "__CONTRACT_result":
		if tree.IsVoid(r.function.Type.Result) {
			r.Fail(pos, "the result of a function that has none")
		}
		if c.Result == nil {
			c.Result = r.automatic("", r.function.Type.Result, pos)
		}
		return tree.Read(c.Result, pos)
	case "__CONTRACT_valid":
		return r.validity(arguments, pos)
	case "__CONTRACT_variable":
		return r.boundVariable(r.quantified(arguments[0], pos), arguments, pos)
	}
	universal := name == "__CONTRACT_forall"
	q := &quantifier{name: r.text(arguments[0], pos), outer: r.quantifying}
	r.quantifying = q
	value := r.truth(r.rvalue(arguments[1]))
	r.quantifying = q.outer
	if q.bound == nil {
		return value
	}
	if r.fixed != nil && q.bound.Type == tree.Type(r.types.longLong) && !between(value, q.bound, universal) {
		r.out.Bounded = true
	}
	v := &tree.StatementValue{At: at, T: value.Type(), Result: value, Block: &tree.Block{At: at, End: pos, Statements: []tree.Statement{
		&tree.Declare{At: at, Object: q.bound},
	}}}
	r.contracts.Quantifiers[v] = universal
	return v
}

// between tells whether a quantified condition says between which others the values of its variable are.
func between(v tree.Value, o *tree.Object, universal bool) bool {
	least, most := false, false
	var guard func(v tree.Value)
	guard = func(v tree.Value) {
		switch v := v.(type) {
		case *tree.Convert:
			guard(v.X)
		case *tree.Logical:
			if !v.Or {
				guard(v.X)
				guard(v.Y)
			}
		case *tree.Binary:
			x, y := v.X, v.Y
			switch v.Op {
			case tree.Gt, tree.Ge:
				x, y = y, x
			case tree.Lt, tree.Le:
			default:
				return
			}
			l, isVariable := x.(*tree.Load)
			if isVariable && tree.Names(l, o) && !tree.Names(y, o) {
				most = true
			}
			l, isVariable = y.(*tree.Load)
			if isVariable && tree.Names(l, o) && !tree.Names(x, o) {
				least = true
			}
		}
	}
	var visit func(v tree.Value)
	visit = func(v tree.Value) {
		switch v := v.(type) {
		case *tree.Convert:
			visit(v.X)
		case *tree.StatementValue:
			visit(v.Result)
		case *tree.Logical:
			switch {
			case !v.Or && !universal:
				guard(v)
			case v.Or && universal:
				if not, ok := v.X.(*tree.Unary); ok && not.Op == tree.Not {
					guard(not.X)
				}
				visit(v.Y) // a ==> b ==> c
			}
		}
	}
	visit(v)
	return least && most
}

// quantified is the quantifier of a name.
func (r *reader) quantified(n cc.ExpressionNode, pos tree.Pos) *quantifier {
	name := r.text(n, pos)
	for q := r.quantifying; q != nil; q = q.outer {
		if q.name == name {
			return q
		}
	}
	r.Fail(pos, "no quantifier has the variable %s", name)
	return nil
}

// boundVariable is the variable of a quantifier; the second argument has its type.
func (r *reader) boundVariable(q *quantifier, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	end := r.unevaluatedly()
	t := r.rvalue(arguments[1]).Type()
	end()
	if _, ok := t.(*tree.Integer); !ok {
		r.Unsupported(pos, "a quantified variable of type %s", t)
	}
	if q.bound == nil {
		q.bound = r.automatic("", t, pos)
		q.bound.Name = q.name
	}
	return r.convert(tree.Read(q.bound, pos), t, pos)
}

// text is what a string literal says.
func (r *reader) text(n cc.ExpressionNode, pos tree.Pos) string {
	if a, ok := r.rvalue(n).(*tree.Address); ok {
		if u, ok := a.Place.(*tree.Use); ok && r.strings[u.Object] && len(u.Object.Init) > 0 {
			return string(u.Object.Init[0].Bytes)
		}
	}
	r.Fail(pos, "the name of a quantified variable is no string")
	return ""
}

// contractOf is the contract of the function that is being read.
func (r *reader) contractOf() *contract.Contract {
	c := r.contracts.Functions[r.function.Function]
	if c == nil {
		c = &contract.Contract{}
		r.contracts.Functions[r.function.Function] = c
	}
	if r.again {
		return c.Again
	}
	return c
}

// twice reads conditions of a contract, and where the contract also stands for calls, a second time for these.
func (r *reader) twice(read func(c *contract.Contract)) {
	c := r.contractOf()
	read(c)
	if r.modular == "" {
		return
	}
	if c.Again == nil {
		c.Again = &contract.Contract{}
	}
	r.again = true
	defer func() { r.again = false }()
	read(c.Again)
}

// assertedAt is where a condition is asserted.
func (r *reader) assertedAt(pos tree.Pos) *tree.Comma {
	return &tree.Comma{At: tree.At{Position: pos}, First: r.nothing(pos), Second: r.nothing(pos)}
}

// nothing is an expression without a value.
func (r *reader) nothing(pos tree.Pos) tree.Value {
	return &tree.Convert{At: tree.At{Position: pos}, T: r.types.void, X: constantOf(pos, r.types.int, 0)}
}

// invariant reads an invariant of a loop, as often as it is needed, and returns the expression that stands in its place.
func (r *reader) invariant(pos tree.Pos, loop tree.Statement, condition func() tree.Value) *tree.Comma {
	i := &contract.Invariant{Condition: condition(), Loop: loop, Place: r.assertedAt(pos)}
	if r.modular != "" {
		i.Last, i.Assumed = condition(), condition()
	}
	c := r.contractOf()
	c.Invariants = append(c.Invariants, i)
	return i.Place
}
