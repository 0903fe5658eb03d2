package usage

import (
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Bare are the automatic objects of a function that are declared without a value.
func Bare(f *tree.Function) map[*tree.Object]bool {
	bare := map[*tree.Object]bool{}
	tree.Inspect(f.Body, func(n tree.Node) bool {
		if d, ok := n.(*tree.Declare); ok && d.Object.Storage == tree.Automatic && (!d.Initialized || d.NamesItself()) {
			bare[d.Object] = true
		}
		return true
	})
	return bare
}

// Unset are the automatic objects of a function that may be read before they have a value: scalars whose reading some way leads to
// that no assignment is on, and objects with parts, or whose address is used, that are declared without a value. What is
// found is found without looking at values.
func Unset(f *tree.Function, asked fault.Set) map[*tree.Object]bool {
	a := &assigned{asked: asked, number: map[*tree.Object]int{}, at: map[tree.Node]state{}, out: map[*tree.Object]bool{}}
	bare := Bare(f)
	for o := range bare {
		if !tree.Scalar(o.Type) {
			a.out[o] = true
		}
	}
	tree.Inspect(f.Body, func(n tree.Node) bool {
		if v, ok := n.(*tree.Address); ok {
			if o := Owner(v.Place); bare[o] {
				a.out[o] = true
			}
		}
		return true
	})
	for _, o := range f.Locals {
		if bare[o] && !a.out[o] {
			a.number[o] = len(a.number)
		}
	}
	if len(a.number) == 0 {
		return a.out
	}
	for a.again = true; a.again; {
		a.again = false
		begin := make(state, len(a.number))
		for i := range begin {
			begin[i] = true
		}
		a.statement(f.Body, begin)
	}
	return a.out
}

// state says of each object that is looked at whether it may have no value; nil is where no run comes.
type state []bool

// assigned looks for scalars that may be read before they are assigned, by going through a function until no more is found.
type assigned struct {
	asked  fault.Set
	number map[*tree.Object]int
	// at has what holds at labels, cases, and the ends and heads of statements, joined over the ways there. A statement's
	// continues lead to its head, its breaks to its end.
	at    map[tree.Node]state
	ends  map[tree.Node]state
	again bool
	out   map[*tree.Object]bool
}

func join(a, b state) state {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := slices.Clone(a)
	for i, may := range b {
		out[i] = out[i] || may
	}
	return out
}

// lead notes that a way leads to a place, and is what holds there.
func (a *assigned) lead(to map[tree.Node]state, n tree.Node, s state) state {
	joined := join(to[n], s)
	if !slices.Equal(joined, to[n]) || joined != nil && to[n] == nil {
		to[n], a.again = joined, true
	}
	return joined
}

// statement is what holds behind a statement.
func (a *assigned) statement(s tree.Statement, in state) state {
	if a.ends == nil {
		a.ends = map[tree.Node]state{}
	}
	switch s := s.(type) {
	case *tree.Block:
		for _, inner := range s.Statements {
			in = a.statement(inner, in)
		}
		return in
	case *tree.Evaluate:
		return a.value(s.Value, in)
	case *tree.Declare:
		for t, ok := s.Object.Type.(*tree.Array); ok; t, ok = t.Elem.(*tree.Array) {
			if t.Count != nil {
				in = a.value(t.Count, in)
			}
		}
		in = a.set(s.Object, in, true)
		for _, i := range s.Init {
			if i.Value != nil {
				in = a.value(i.Value, in)
			}
		}
		return a.set(s.Object, in, !s.Initialized)
	case *tree.If:
		test := a.value(s.Test, in)
		then := a.statement(s.Then, test)
		if s.Else == nil {
			return join(then, test)
		}
		return join(then, a.statement(s.Else, test))
	case *tree.While:
		test := a.value(s.Test, a.lead(a.at, s, in))
		a.lead(a.at, s, a.statement(s.Body, test))
		return join(a.without(s.Test, test), a.ends[s])
	case *tree.DoWhile:
		body := a.statement(s.Body, a.lead(a.ends, s.Body, in))
		test := a.value(s.Test, a.lead(a.at, s, body))
		a.lead(a.ends, s.Body, test)
		return join(a.without(s.Test, test), a.ends[s])
	case *tree.For:
		for _, i := range s.Init {
			in = a.statement(i, in)
		}
		in = a.lead(a.ends, s.Body, in)
		if s.Test != nil {
			in = a.value(s.Test, in)
		}
		step := a.lead(a.at, s, a.statement(s.Body, in))
		if s.Step != nil {
			step = a.value(s.Step, step)
		}
		a.lead(a.ends, s.Body, step)
		return join(a.without(s.Test, in), a.ends[s])
	case *tree.Switch:
		tag := a.value(s.Tag, in)
		for _, c := range s.Cases {
			a.lead(a.at, c, tag)
		}
		if s.Default != nil {
			a.lead(a.at, s.Default, tag)
			tag = nil
		}
		return join(join(a.statement(s.Body, nil), tag), a.ends[s])
	case *tree.Case:
		return a.statement(s.Statement, join(in, a.at[s]))
	case *tree.Label:
		return a.statement(s.Statement, join(in, a.at[s]))
	case *tree.Goto:
		a.lead(a.at, s.Target, in)
		return nil
	case *tree.Break:
		a.lead(a.ends, s.Target, in)
		return nil
	case *tree.Continue:
		a.lead(a.at, s.Target, in)
		return nil
	case *tree.Return:
		if s.Value != nil {
			a.value(s.Value, in)
		}
		return nil
	case *tree.Havoc:
		if out := a.statement(s.Body, in); !s.Only {
			return out
		}
		return in
	case *tree.Assembly:
		for _, v := range s.Inputs {
			in = a.value(v, in)
		}
		for _, p := range s.Outputs {
			in = a.written(p, in)
		}
		return in
	}
	return in
}

// without is what holds where a loop's test fails: nothing if it never does.
func (a *assigned) without(test tree.Value, s state) state {
	if c, ok := test.(*tree.Constant); test == nil || ok && c.Int.Sign() != 0 {
		return nil
	}
	return s
}

// value is what holds when a value is evaluated.
func (a *assigned) value(n tree.Node, in state) state {
	switch n := n.(type) {
	case nil:
		return in
	case *tree.Load:
		if u, ok := n.Place.(*tree.Use); ok {
			return a.read(u.Object, in)
		}
	case *tree.Assign:
		if u, ok := n.Place.(*tree.Use); ok {
			return a.set(u.Object, a.value(n.Value, in), false)
		}
	case *tree.Update:
		if u, ok := n.Place.(*tree.Use); ok {
			// What is computed from what has no value is followed from there.
			return a.read(u.Object, a.value(n.Operand, in))
		}
	case *tree.Logical:
		in = a.value(n.X, in)
		return join(in, a.value(n.Y, in))
	case *tree.Conditional:
		in = a.value(n.Test, in)
		if n.Then == nil {
			return join(in, a.value(n.Else, in))
		}
		return join(a.value(n.Then, in), a.value(n.Else, in))
	case *tree.StatementValue:
		in = a.statement(n.Block, in)
		if n.Result != nil {
			return a.value(n.Result, in)
		}
		return in
	case *tree.Call:
		tree.EachChild(n, func(c tree.Node) { in = a.value(c, in) })
		if n.Function != nil {
			switch meaning := Meaning(n.Function, a.asked); meaning.Kind {
			case lib.Stop, lib.Error, lib.Trap:
				return nil
			}
		}
		return in
	case tree.Statement:
		return a.statement(n, in)
	}
	tree.EachChild(n, func(c tree.Node) { in = a.value(c, in) })
	return in
}

// written is what holds when a place has a value.
func (a *assigned) written(p tree.Place, in state) state {
	if u, ok := p.(*tree.Use); ok {
		return a.set(u.Object, in, false)
	}
	return a.value(p, in)
}

func (a *assigned) read(o *tree.Object, in state) state {
	if k, ok := a.number[o]; ok && in != nil && in[k] {
		a.out[o] = true
	}
	return in
}

func (a *assigned) set(o *tree.Object, in state, may bool) state {
	k, ok := a.number[o]
	if !ok || in == nil || in[k] == may {
		return in
	}
	out := slices.Clone(in)
	out[k] = may
	return out
}
