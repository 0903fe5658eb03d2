package z3

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Model reads the model of the last check, in one call of C. It fails after unsat, when something was asserted, pushed or
// popped since the check, when an unknown check has no model, and when a value is no value of ours (an irrational number).
func (s *solver) Model() (*smt.Model, error) {
	switch {
	case s.z == nil:
		return nil, smt.ErrClosed
	case !s.current || s.status == smt.Unsat:
		return nil, errors.New("z3: model: the last check gave none")
	}
	var out C.hb_model
	if !C.hb_export_model(s.ctx.h, s.z, &out) {
		return nil, s.ctx.failure("model")
	}
	d := s.ctx.decoder(int(out.nodes))
	pairs := d.words[out.tail : out.tail+2*out.constants]
	d.element = s.ctx.elementNames(pairs)
	if err := d.decode(int(out.nodes)); err != nil {
		return nil, err
	}
	m := smt.NewModel(int(out.constants))
	for i := 0; i < len(pairs); i += 2 {
		v := s.ctx.vars[pairs[i]]
		if v.role != plain || !v.term.IsVar() {
			continue
		}
		x, err := d.value(&d.slots[pairs[i+1]])
		if err != nil {
			return nil, fmt.Errorf("z3: model: the value of %v: %w", v.term, err)
		}
		m.Set(v.term, x)
	}
	d.at += len(pairs)
	for range out.functions {
		if err := d.functionTable(m); err != nil {
			return nil, fmt.Errorf("z3: model: %w", err)
		}
	}
	return m, nil
}

// functionTable reads the entries of a function into the model.
func (d *decoder) functionTable(m *smt.Model) error {
	f := d.c.funcList[d.word()].fn
	entries := d.word()
	if f == nil {
		// A selector: the interpretation tells its value for the other constructors, which no term of ours depends on.
		d.at += 2*int(entries) + 1
		return nil
	}
	args := make([]*term.Term, len(f.Domain))
	for range entries {
		for i := range args {
			x, err := d.value(&d.slots[d.word()])
			if err != nil {
				return fmt.Errorf("an argument of %s: %w", f.Name, err)
			}
			args[i] = x.Term(d.c.pool)
		}
		x, err := d.value(&d.slots[d.word()])
		if err != nil {
			return fmt.Errorf("a value of %s: %w", f.Name, err)
		}
		m.Set(d.c.pool.Apply(f, args...), x)
	}
	// A function that is not constant elsewhere stays open there.
	if x, err := d.value(&d.slots[d.word()]); err == nil {
		m.SetElsewhere(f, x)
	}
	return nil
}

// value returns the value that a slot holds.
func (d *decoder) value(s *slot) (term.Value, error) {
	if s.value.Sort() != nil {
		return s.value, nil
	}
	if s.t == nil {
		return term.Value{}, fmt.Errorf("%w: %s", smt.ErrNoValue, s.unsupported)
	}
	// Evaluation gives arrays over a finite index sort their one form.
	v, ok := term.NewEvaluator(d.c.pool, term.MapAssignment{}).Eval(s.t)
	if !ok {
		return term.Value{}, fmt.Errorf("%w: %v is no value", smt.ErrNoValue, s.t)
	}
	return v, nil
}

// elementNames tells which element of an uninterpreted sort a constant of a model is: the one whose own constant has that
// value, or else the first that nobody has.
func (c *solverContext) elementNames(pairs []uint32) func(node int, s *term.Sort) int {
	byNode := map[int]int{}
	taken := map[*term.Term]bool{}
	for i := 0; i < len(pairs); i += 2 {
		if t := c.vars[pairs[i]].term; t.Op() == term.Element && c.vars[pairs[i]].role == plain {
			index, _ := t.Num().Int64()
			byNode[int(pairs[i+1])] = int(index)
			taken[t] = true
		}
	}
	return func(node int, s *term.Sort) int {
		if i, ok := byNode[node]; ok {
			return i
		}
		i := 0
		for taken[c.pool.Element(s, i)] {
			i++
		}
		taken[c.pool.Element(s, i)] = true
		return i
	}
}
