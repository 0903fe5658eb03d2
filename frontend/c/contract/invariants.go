package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// assertInvariants asserts invariants at the heads of their loops; one that is about what the loop's body declares is asserted
// in its place.
func (w *instrumenter) assertInvariants(c *Contract) {
	heads := map[tree.Statement]tree.Value{}
	var order []tree.Statement
	for _, i := range c.Invariants {
		check := w.obligation(asserting, i.Condition)
		if i.Loop == nil || inside(i) {
			i.Place.First = check
			continue
		}
		if heads[i.Loop] == nil {
			order = append(order, i.Loop)
			heads[i.Loop] = check
			continue
		}
		heads[i.Loop] = &tree.Comma{At: tree.At{Position: i.Condition.Pos()}, First: heads[i.Loop], Second: check}
	}
	for _, s := range order {
		check := heads[s]
		before := func(test tree.Value, pos tree.Pos) tree.Value {
			if test == nil {
				test = constant(pos, w.Program.Int, 1)
			}
			return &tree.Comma{At: tree.At{Position: test.Pos()}, First: check, Second: test}
		}
		switch s := s.(type) {
		case *tree.While:
			s.Test = before(s.Test, s.Position)
		case *tree.For:
			s.Test = before(s.Test, s.Position)
		case *tree.DoWhile:
			s.Body = &tree.Block{At: s.At, End: s.TestPos, Statements: []tree.Statement{&tree.Evaluate{At: s.At, Value: check}, s.Body}}
		}
	}
}

// inside tells whether an invariant is about what the body of its loop declares.
func inside(i *Invariant) bool {
	var body tree.Statement
	switch s := i.Loop.(type) {
	case *tree.While:
		body = s.Body
	case *tree.For:
		body = s.Body
	case *tree.DoWhile:
		body = s.Body
	}
	declared := map[*tree.Object]bool{}
	tree.Inspect(body, func(n tree.Node) bool {
		if d, ok := n.(*tree.Declare); ok {
			declared[d.Object] = true
		}
		return true
	})
	found := false
	tree.Inspect(i.Condition, func(n tree.Node) bool {
		u, ok := n.(*tree.Use)
		found = found || ok && declared[u.Object]
		return !found
	})
	return found
}

// cutLoops has loops with invariants begin once, anywhere where the invariants hold, and end where they are asserted again. Loops
// that jumps may lead into are only checked.
func (w *instrumenter) cutLoops(g *tree.Function, c *Contract) {
	var plain []*Invariant
	byLoop := map[tree.Statement][]*Invariant{}
	for _, i := range c.Invariants {
		if i.Loop == nil || inside(i) || i.Assumed == nil || entered(i.Loop) {
			plain = append(plain, i)
			continue
		}
		byLoop[i.Loop] = append(byLoop[i.Loop], i)
	}
	rewrite(g.Body, func(s tree.Statement) tree.Statement {
		if all := byLoop[s]; all != nil {
			return w.cut(s, all)
		}
		return s
	})
	w.assertInvariants(&Contract{Invariants: plain})
}

// entered tells whether a jump from outside may lead into a loop.
func entered(loop tree.Statement) bool {
	labels, cases := map[*tree.Label]bool{}, map[*tree.Case]bool{}
	own := 0
	tree.Inspect(loop, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Label:
			labels[n] = true
		case *tree.Case:
			cases[n] = true
		case *tree.Switch:
			own += len(n.Cases)
			if n.Default != nil {
				own++
			}
		}
		return true
	})
	return len(labels) > 0 || own != len(cases)
}

// cut is what stands for a loop with invariants.
func (w *instrumenter) cut(loop tree.Statement, all []*Invariant) tree.Statement {
	at := tree.At{Position: loop.Pos()}
	zero := func() tree.Value { return constant(loop.Pos(), w.Program.Int, 0) }
	var first, assume []tree.Statement
	end := zero()
	end = &tree.Comma{At: at, First: w.check(assuming, zero()), Second: end}
	for _, i := range slices.Backward(all) {
		first = append([]tree.Statement{evaluate(w.obligation(asserting, i.Condition))}, first...)
		assume = append([]tree.Statement{evaluate(w.obligation(assuming, i.Assumed))}, assume...)
		end = &tree.Comma{At: at, First: w.obligation(asserting, i.Last), Second: end}
	}
	once := &tree.DoWhile{At: at, TestPos: loop.Pos()}
	w.once[once] = true
	leave := func(test tree.Value) tree.Statement {
		return &tree.If{At: at, Test: test, Then: &tree.Empty{At: at}, Else: &tree.Break{At: at, Target: once}}
	}
	var init []tree.Statement
	var body tree.Statement
	switch s := loop.(type) {
	case *tree.While:
		body = s.Body
		once.Body = &tree.Block{At: at, End: loop.Pos(), Statements: []tree.Statement{leave(s.Test), s.Body}}
		once.Test = end
	case *tree.For:
		body, init = s.Body, s.Init
		b := &tree.Block{At: at, End: loop.Pos()}
		if s.Test != nil {
			b.Statements = append(b.Statements, leave(s.Test))
		}
		b.Statements = append(b.Statements, s.Body)
		once.Body, once.Test = b, end
		if s.Step != nil {
			once.Test = &tree.Comma{At: at, First: s.Step, Second: end}
		}
	case *tree.DoWhile:
		body = s.Body
		once.Body = s.Body
		once.Test = &tree.Logical{At: at, T: w.Program.Int, X: s.Test, Y: end}
	}
	tree.Inspect(body, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Break:
			if n.Target == loop {
				n.Target = once
			}
		case *tree.Continue:
			if n.Target == loop {
				n.Target = once
			}
		}
		return true
	})
	block := func(all ...tree.Statement) *tree.Block { return &tree.Block{At: at, End: loop.Pos(), Statements: all} }
	return block(slices.Concat(init, first, []tree.Statement{&tree.Havoc{At: at, Body: block(append(assume, once)...)}})...)
}

// rewrite replaces the statements in a block, those within others first.
func rewrite(b *tree.Block, by func(tree.Statement) tree.Statement) {
	var visit func(s tree.Statement) tree.Statement
	visit = func(s tree.Statement) tree.Statement {
		switch s := s.(type) {
		case nil:
			return nil
		case *tree.Block:
			for i, inner := range s.Statements {
				s.Statements[i] = visit(inner)
			}
		case *tree.If:
			s.Then, s.Else = visit(s.Then), visit(s.Else)
		case *tree.While:
			s.Body = visit(s.Body)
		case *tree.DoWhile:
			s.Body = visit(s.Body)
		case *tree.For:
			s.Body = visit(s.Body)
		case *tree.Switch:
			s.Body = visit(s.Body)
		case *tree.Case:
			s.Statement = visit(s.Statement)
		case *tree.Label:
			s.Statement = visit(s.Statement)
		}
		return by(s)
	}
	visit(b)
	tree.Inspect(b, func(n tree.Node) bool {
		if v, ok := n.(*tree.StatementValue); ok {
			for i, s := range v.Block.Statements {
				v.Block.Statements[i] = visit(s)
			}
		}
		return true
	})
}
