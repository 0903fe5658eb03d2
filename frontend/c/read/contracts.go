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

// contractCall reads what SMACK's header has contracts made of.
func (r *reader) contractCall(name string, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	if r.function == nil {
		r.Fail(pos, "a contract outside a function")
	}
	c := r.contracts.Functions[r.function.Function]
	if c == nil {
		c = &contract.Contract{}
		r.contracts.Functions[r.function.Function] = c
	}
	nothing := func() tree.Value {
		return &tree.Convert{At: at, T: r.types.void, X: constantOf(pos, r.types.int, 0)}
	}
	condition := func() tree.Value { return r.truth(r.rvalue(arguments[0])) }
	switch name {
	case "__CONTRACT_requires":
		c.Requires = append(c.Requires, condition())
		return nothing()
	case "__CONTRACT_ensures":
		c.Ensures = append(c.Ensures, condition())
		return nothing()
	case "__CONTRACT_invariant":
		if len(r.function.loops) == 0 {
			return &tree.UnsupportedValue{At: at, T: r.types.void, What: "an invariant outside a loop"}
		}
		i := &contract.Invariant{Condition: condition(), Loop: r.function.loops[len(r.function.loops)-1]}
		i.Place = &tree.Comma{At: at, First: nothing(), Second: nothing()}
		c.Invariants = append(c.Invariants, i)
		return i.Place
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
	v := &tree.StatementValue{At: at, T: value.Type(), Result: value, Block: &tree.Block{At: at, End: pos, Statements: []tree.Statement{
		&tree.Declare{At: at, Object: q.bound},
	}}}
	r.contracts.Quantifiers[v] = universal
	return v
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
