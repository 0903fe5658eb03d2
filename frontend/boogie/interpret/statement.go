package interpret

import (
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// way is the index of the target at which a jump goes on.
func (m *machine) way(f *frame, c *code, in instruction) (int, error) {
	var guard ast.Expr
	switch s := in.stmt.(type) {
	case *ast.If:
		guard = s.Guard
	case *ast.While:
		guard = s.Guard
	case *ast.Goto:
		if len(in.targets) == 1 {
			return 0, nil
		}
	default:
		return 0, nil
	}
	way := 0
	if guard != nil {
		holds, err := m.scope(f).truth(guard)
		if err != nil {
			return 0, err
		}
		if !holds {
			way = 1
		}
	} else {
		var err error
		way, err = m.choices.Branch(in.stmt, len(in.targets), func(i int) bool {
			at := in.targets[i]
			if at >= len(c.instructions) {
				return false
			}
			a, ok := c.instructions[at].stmt.(*ast.Assume)
			if !ok {
				return false
			}
			holds, err := m.scope(f).truth(a.Cond)
			return err == nil && !holds
		})
		if err != nil {
			return 0, err
		}
		if way < 0 || way >= len(in.targets) {
			return 0, fmt.Errorf("%s: there is no way %d", in.stmt.At(), way)
		}
	}
	m.event(Event{Kind: Stepped, Depth: m.calls, Procedure: f.procedure, Stmt: in.stmt, Way: way})
	return way, nil
}

// statement executes a statement that is not a jump.
func (m *machine) statement(f *frame, in instruction) error {
	sc := m.scope(f)
	var changes []Change
	switch s := in.stmt.(type) {
	case *ast.While:
		for _, inv := range s.Invariants {
			if inv.Candidate() {
				continue
			}
			do := m.check
			if inv.Free {
				do = m.assume
			}
			if err := do(inv.Cond, sc, inv.Pos, "loop invariant"); err != nil {
				return err
			}
		}
		return nil
	case *ast.Assert:
		if s.Candidate() {
			break
		}
		if under := s.Attributes.Find("verified_under"); under != nil && len(under.Args) == 1 {
			holds, err := sc.truth(under.Args[0])
			if err != nil {
				return err
			}
			if holds {
				break
			}
		}
		if err := m.check(s.Cond, sc, s.Pos, "assertion"); err != nil {
			return err
		}
	case *ast.Assume:
		if err := m.assume(s.Cond, sc, s.Pos, "an assumption"); err != nil {
			return err
		}
	case *ast.Assign:
		var err error
		if changes, err = m.assign(sc, s, m.set(f)); err != nil {
			return err
		}
	case *ast.Havoc:
		vs := make([]*ast.Variable, len(s.Variables))
		for i, id := range s.Variables {
			vs[i] = id.Decl
		}
		var err error
		if changes, err = m.fresh(s, vs, f.types, m.set(f)); err != nil {
			return err
		}
		for _, v := range vs {
			if err := m.assumeOwn(f, v); err != nil {
				return err
			}
		}
	case *ast.Call:
		return m.call(f, sc, s)
	default:
		return undeterminedf("a statement of an unknown kind")
	}
	m.event(Event{Kind: Stepped, Depth: m.calls, Procedure: f.procedure, Stmt: in.stmt, Changes: changes})
	return nil
}

// set changes a variable that is visible in a body.
func (m *machine) set(f *frame) func(*ast.Variable, Value) {
	return func(v *ast.Variable, value Value) {
		if v.Kind == ast.Global {
			m.globals[v] = value
		} else {
			f.locals[v] = value
		}
	}
}

// fresh gives variables new values.
func (m *machine) fresh(by ast.Stmt, vs []*ast.Variable, types map[*ast.TypeVariable]ast.Type, set func(*ast.Variable, Value)) ([]Change, error) {
	changes := make([]Change, len(vs))
	for i, v := range vs {
		value, err := m.choices.Variable(by, v, ast.Substitute(v.Type, types))
		if err != nil {
			return nil, err
		}
		set(v, value)
		changes[i] = Change{Variable: v, Value: value}
	}
	return changes, nil
}

// assign evaluates all right sides, and the indices on the left, before it changes anything.
func (m *machine) assign(sc *scope, s *ast.Assign, set func(*ast.Variable, Value)) ([]Change, error) {
	changes := make([]Change, len(s.Left))
	values := make([]Value, len(s.Left))
	for i, left := range s.Left {
		value, err := sc.eval(s.Right[i])
		if err != nil {
			return nil, err
		}
		changes[i].Value = value
	way:
		for {
			switch at := left.(type) {
			case *ast.Select:
				index, err := sc.evalAll(at.Index)
				if err != nil {
					return nil, err
				}
				old, err := sc.eval(at.Map)
				if err != nil {
					return nil, err
				}
				changes[i].Path = append(slices.Clone(index), changes[i].Path...)
				if value, err = sc.updated(old, at.Map, at.TypeArguments, index, value); err != nil {
					return nil, err
				}
				left = at.Map
			case *ast.Field:
				old, err := sc.eval(at.X)
				if err != nil {
					return nil, err
				}
				if value, err = updateField(old, at.Name, value); err != nil {
					return nil, err
				}
				// The whole value tells more than a path without the field's name.
				changes[i].Path, changes[i].Value = nil, value
				left = at.X
			default:
				break way
			}
		}
		id, ok := left.(*ast.Identifier)
		if !ok {
			return nil, undeterminedf("an assignment to a field")
		}
		changes[i].Variable, values[i] = id.Decl, value
	}
	for i, c := range changes {
		set(c.Variable, values[i])
	}
	return changes, nil
}

// check ends the run with an error when a condition does not hold.
func (m *machine) check(cond ast.Expr, sc *scope, pos chc.Position, what string) error {
	if m.ExitIsError {
		return m.assume(cond, sc, pos, "a condition that is checked")
	}
	holds, err := sc.truth(cond)
	if err != nil && m.Defer && isUndetermined(err) {
		holds, err = m.Fails == nil || !m.Fails(pos), nil
		m.postpone(cond, !holds, sc, pos)
	}
	if err != nil {
		return locate(pos, err)
	}
	if !holds {
		return &ended{Outcome{Kind: Failed, Pos: pos, What: what + " " + ast.String(cond), Values: sc.mentioned(cond)}}
	}
	return nil
}

// postpone notes a condition that cannot be decided now.
func (m *machine) postpone(cond ast.Expr, negated bool, sc *scope, pos chc.Position) {
	then := *sc
	then.locals, then.globals, then.old = maps.Clone(sc.locals), maps.Clone(sc.globals), maps.Clone(sc.old)
	m.deferred = append(m.deferred, Deferred{
		Pos: pos, Cond: cond, Negated: negated, Types: sc.types,
		Value: func(v *ast.Variable, old bool) (Value, bool) {
			at := then
			at.inOld = old
			value, err := at.identifier(&ast.Identifier{Name: v.Name, Decl: v})
			return value, err == nil
		},
	})
}

// assume ends the run when a condition does not hold.
func (m *machine) assume(cond ast.Expr, sc *scope, pos chc.Position, what string) error {
	holds, err := sc.truth(cond)
	if err != nil && m.Defer && isUndetermined(err) {
		m.postpone(cond, false, sc, pos)
		return nil
	}
	if err != nil {
		return locate(pos, err)
	}
	if !holds {
		return &ended{Outcome{Kind: Blocked, Pos: pos, What: what + ": " + ast.String(cond), Values: sc.mentioned(cond), Repairs: sc.repairs(cond)}}
	}
	return nil
}

func (m *machine) assumeWhere(v *ast.Variable, sc *scope) error {
	if v.Where == nil {
		return nil
	}
	return m.assume(v.Where, sc, v.Where.At(), "the where clause of "+v.Name)
}
