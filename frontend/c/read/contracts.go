package read

import (
	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// contract is what SMACK's code contracts say of a function: requires and ensures are conditions at its beginning and its end,
// invariants conditions at the head of a loop.
type contract struct {
	requires, ensures []tree.Value
	invariants        []*invariant
	// saved are the objects that old(...) stands for: what it was when the function began.
	saved []*tree.Declare
	// result is what result() stands for, nil if nothing asks for it.
	result *tree.Object
}

// invariant is a condition about a loop, and the expression that stands in its place.
type invariant struct {
	condition tree.Value
	loop      tree.Statement
	place     *tree.Comma
}

// quantifier is a condition about all values, or about some value, of an object that has any value.
type quantifier struct {
	universal bool
	value     *tree.StatementValue
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
	c := r.contracts[r.function.Function]
	if c == nil {
		c = &contract{}
		r.contracts[r.function.Function] = c
	}
	nothing := func() tree.Value {
		return &tree.Convert{At: at, T: r.types.void, X: constantOf(pos, r.types.int, 0)}
	}
	condition := func() tree.Value { return r.truth(r.rvalue(arguments[0])) }
	switch name {
	case "__CONTRACT_requires":
		c.requires = append(c.requires, condition())
		return nothing()
	case "__CONTRACT_ensures":
		c.ensures = append(c.ensures, condition())
		return nothing()
	case "__CONTRACT_invariant":
		if len(r.function.loops) == 0 {
			return &tree.UnsupportedValue{At: at, T: r.types.void, What: "an invariant outside a loop"}
		}
		i := &invariant{condition: condition(), loop: r.function.loops[len(r.function.loops)-1]}
		i.place = &tree.Comma{At: at, First: nothing(), Second: nothing()}
		c.invariants = append(c.invariants, i)
		return i.place
	case "__CONTRACT_old":
		v := r.rvalue(arguments[0])
		o := r.automatic("", v.Type(), pos)
		c.saved = append(c.saved, &tree.Declare{At: at, Object: o, Initialized: true, Init: []tree.Initial{{Type: o.Type, Value: v, Repeat: 1}}})
		return &tree.Load{At: at, Place: &tree.Use{At: at, Object: o}}
	case "__CONTRACT_result":
		if isVoid(r.function.Type.Result) {
			r.Fail(pos, "the result of a function that has none")
		}
		if c.result == nil {
			c.result = r.automatic("", r.function.Type.Result, pos)
		}
		return &tree.Load{At: at, Place: &tree.Use{At: at, Object: c.result}}
	case "__CONTRACT_variable":
		return r.boundVariable(r.quantified(arguments[0], pos), arguments, pos)
	}
	q := &quantifier{universal: name == "__CONTRACT_forall", name: r.text(arguments[0], pos), outer: r.quantifying}
	r.quantifying = q
	value := r.truth(r.rvalue(arguments[1]))
	r.quantifying = q.outer
	if q.bound == nil {
		return value
	}
	q.value = &tree.StatementValue{At: at, T: value.Type(), Result: value, Block: &tree.Block{At: at, End: pos, Statements: []tree.Statement{
		&tree.Declare{At: at, Object: q.bound},
	}}}
	r.quantifiers[q.value] = q
	return q.value
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
	at := tree.At{Position: pos}
	return r.convert(&tree.Load{At: at, Place: &tree.Use{At: at, Object: q.bound}}, t, pos)
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
