package process

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Model asks for the values of all constants, and of the applications of uninterpreted functions, that occur in the
// assertions and the last check's assumptions. Solvers complete their models, so that all of them have one.
func (s *solver) Model() (*smt.Model, error) {
	switch {
	case s.closed:
		return nil, smt.ErrClosed
	case !s.current || s.status != smt.Sat:
		return nil, errors.New("process: model: the last check gave none")
	}
	asked := s.declared()
	asked = append(asked, s.applications...)
	m := smt.NewModel(len(asked))
	if len(asked) == 0 {
		return m, nil
	}
	s.text.WriteString("(get-value (")
	for _, t := range asked {
		s.text.WriteString(term.Format(t))
		s.text.WriteByte(' ')
	}
	s.text.WriteString("))\n")
	replies, _, err := s.guarded(context.Background(), s.limit.Time, 1)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	pairs := replies[0].list
	if len(pairs) != len(asked) {
		return nil, fmt.Errorf("process: model: %d values for %d terms", len(pairs), len(asked))
	}
	r := newValueReader(s.ctx.pool, s.declaredSorts()...)
	for i, t := range asked {
		if len(pairs[i].list) != 2 {
			return nil, fmt.Errorf("process: model: not a term and its value: %v", pairs[i])
		}
		if t.Sort().Kind == term.UninterpretedKind {
			r.element(s.ctx.names.original[t], pairs[i].list[1].String())
		}
	}
	for i, t := range asked {
		v, err := r.value(t.Sort(), pairs[i].list[1])
		if err != nil {
			return nil, fmt.Errorf("process: model: the value of %v: %w", t, err)
		}
		s.set(m, t, v)
	}
	return m, nil
}

// declaredSorts are the uninterpreted sorts and datatypes that are declared in the open scopes.
func (s *solver) declaredSorts() []*term.Sort {
	var out []*term.Sort
	for _, sc := range s.scopes {
		for _, key := range sc.declared {
			if srt, ok := key.(*term.Sort); ok {
				out = append(out, srt)
			}
		}
	}
	return out
}

// declared are the variables that are declared in the open scopes, in order.
func (s *solver) declared() []*term.Term {
	var out []*term.Term
	for _, sc := range s.scopes {
		for _, key := range sc.declared {
			if v, ok := key.(*term.Term); ok && v.IsVar() {
				out = append(out, v)
			}
		}
	}
	return out
}

// set records the value of an asked term under the name that it has outside; an application is recorded at the values of
// its arguments.
func (s *solver) set(m *smt.Model, t *term.Term, v term.Value) {
	p := s.ctx.pool
	switch original := s.ctx.names.original[t]; {
	case original != nil && original.IsVar():
		m.Set(original, v)
	case original != nil: // an element
	case t.IsVar():
		m.Set(t, v)
	default:
		e := term.NewEvaluator(p, m)
		args := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			x, ok := e.Eval(p.Substitute(a, s.ctx.names.original))
			if !ok {
				return // an argument that the model leaves open, such as a division by zero
			}
			args[i] = x.Term(p)
		}
		m.Set(p.Apply(t.Func(), args...), v)
	}
}
