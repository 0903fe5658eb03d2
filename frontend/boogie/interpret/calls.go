package interpret

import (
	"maps"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// contract is the scope in which the procedure's own names stand for what an implementation calls otherwise.
func (m *machine) contract(f *frame) *scope {
	for i, v := range f.impl.Out {
		f.locals[f.procedure.Out[i]] = f.locals[v]
	}
	return m.scope(f)
}

// assumeOwn assumes the where clause of a variable of a body, or a global: a result's is that of the procedure's result.
func (m *machine) assumeOwn(f *frame, v *ast.Variable) error {
	if i := slices.Index(f.impl.Out, v); i >= 0 {
		v = f.procedure.Out[i]
	}
	return m.assumeWhere(v, m.contract(f))
}

// call executes a call.
func (m *machine) call(f *frame, sc *scope, s *ast.Call) error {
	q := s.Procedure
	types := ast.Bind(nil, q.TypeParams, sc.allTypes(s.TypeArguments))
	values := make([]Value, len(q.In))
	contract := &frame{procedure: q, locals: map[*ast.Variable]Value{}, old: m.globals, types: types}
	for i, formal := range q.In {
		var err error
		if s.Args[i] != nil {
			values[i], err = sc.eval(s.Args[i])
		} else {
			values[i], err = m.choices.Variable(s, formal, ast.Substitute(formal.Type, types))
		}
		if err != nil {
			return err
		}
		contract.locals[formal] = values[i]
	}
	before := m.scope(contract)
	for i, formal := range q.In {
		if s.Args[i] == nil {
			if err := m.assumeWhere(formal, before); err != nil {
				return err
			}
		}
	}
	for _, spec := range q.Requires {
		var err error
		switch {
		case spec.Candidate():
		case !spec.Free && !s.Free:
			err = m.check(spec.Cond, before, s.Pos, "precondition of "+q.Name)
		case !spec.Free && len(q.Implementations) == 0:
			// A free call does not ask for it, and there is no body that begins with it.
		default:
			err = m.assume(spec.Cond, before, s.Pos, "a free precondition of "+q.Name)
		}
		if err != nil {
			return err
		}
	}
	if !m.ExitIsError && slices.Contains(m.Errors, q.Name) {
		return &ended{Outcome{Kind: Failed, Pos: s.Pos, What: q.Name + " is entered"}}
	}
	results, changes, err := m.callee(s, contract, values)
	if err != nil {
		return err
	}
	set := m.set(f)
	for i, id := range s.Results {
		if id != nil {
			set(id.Decl, results[i])
			changes = append(changes, Change{Variable: id.Decl, Value: results[i]})
		}
	}
	e := Event{Kind: Left, Depth: m.calls, Procedure: q, Stmt: s, Changes: changes}
	if len(q.Implementations) == 0 {
		e.Kind, e.Procedure, e.Args = Stepped, f.procedure, values
	}
	m.event(e)
	return nil
}

// callee runs a body of the procedure that is called, or does what its contract says. The changes are those of globals,
// when there is no body.
func (m *machine) callee(s *ast.Call, contract *frame, args []Value) ([]Value, []Change, error) {
	q := s.Procedure
	if len(q.Implementations) > 0 {
		changes := make([]Change, len(q.In))
		for i, v := range q.In {
			changes[i] = Change{Variable: v, Value: args[i]}
		}
		m.event(Event{Kind: Entered, Depth: m.calls, Procedure: q, Stmt: s, Changes: changes})
		m.calls++
		if q.LoopOf != nil {
			m.loops++
		}
		if m.calls > maxCalls {
			return nil, nil, &ended{Outcome{Kind: OutOfFuel, Pos: s.Pos, What: "calls are too deep"}}
		}
		results, err := m.body(q, args, contract.types)
		if err == nil {
			m.calls--
			if q.LoopOf != nil {
				m.loops--
			}
		}
		return results, nil, err
	}
	contract.old = maps.Clone(m.globals)
	changes, err := m.fresh(s, slices.Concat(q.Frame, q.Out), contract.types, m.set(contract))
	if err != nil {
		return nil, nil, err
	}
	after := m.scope(contract)
	for _, v := range slices.Concat(q.Frame, q.Out) {
		if err := m.assumeWhere(v, after); err != nil {
			return nil, nil, err
		}
	}
	for _, spec := range q.Ensures {
		if spec.Candidate() {
			continue
		}
		if err := m.assume(spec.Cond, after, spec.Pos, "the postcondition of "+q.Name); err != nil {
			return nil, nil, err
		}
	}
	results := make([]Value, len(q.Out))
	for i, v := range q.Out {
		results[i] = contract.locals[v]
	}
	return results, changes[:len(q.Frame)], nil
}
