package peano

import (
	"context"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// maxPeano bounds the numbers that are written as Peano numbers.
const maxPeano = 100_000

// Refutation writes the integers of every step as Peano numbers. A negative integer, which can only be inside of a value
// that no step looks into, becomes a number that is larger than all others.
func (t *translator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, len(r.Steps))}
	w := &writer{peanoSorts: t.peanoSorts, done: map[peanoKey]*term.Term{}, fresh: int64(t.nesting()) + 1}
	pairs := func(then func(step int, old, value *term.Term) error) error {
		for i, s := range r.Steps {
			id := s.Clause.ID
			if id >= len(t.new.Clauses) || t.new.Clauses[id] != s.Clause {
				return fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
			}
			for _, v := range t.old.Clauses[id].Vars() {
				x := v
				if y := t.variables[v]; y != nil {
					x = y
				}
				val, ok := s.Values[x]
				if !ok {
					val = term.DefaultValue(t.pool, x.Sort()) // the new clause does not depend on it
				}
				if err := then(i, v, val.Term(t.pool)); err != nil {
					return fmt.Errorf("translating step %d of a refutation: the value of %s: %w", i, term.QuoteSymbol(v.Name()), err)
				}
			}
		}
		return nil
	}
	largest := int64(0)
	if err := pairs(func(_ int, v, value *term.Term) error {
		n, err := w.largest(v.Sort(), value)
		largest = max(largest, n)
		return err
	}); err != nil {
		return nil, err
	}
	w.fresh += largest
	for i, s := range r.Steps {
		out.Steps[i] = witness.Step{Premises: s.Premises, Values: map[*term.Term]term.Value{}}
	}
	if err := pairs(func(i int, v, value *term.Term) error {
		u, err := w.write(v.Sort(), value)
		if err == nil {
			out.Steps[i].Values[v] = term.TermValue(u)
		}
		return err
	}); err != nil {
		return nil, err
	}
	for i, s := range r.Steps {
		out.Steps[i].Clause = t.old.Clauses[s.Clause.ID]
	}
	return out, nil
}

// nesting is the largest number of successors around each other in a clause: no step computes a number that is larger
// than one of its values by more than that.
func (t *translator) nesting() int {
	depth := map[*term.Term]int{}
	var of func(u *term.Term) int
	of = func(u *term.Term) int {
		if n, ok := depth[u]; ok {
			return n
		}
		n := 0
		for _, a := range u.Args() {
			n = max(n, of(a))
		}
		if p := t.numbers[u.Sort()]; p != nil && u.Ctor() == p.succ {
			n++
		}
		depth[u] = n
		return n
	}
	n := 0
	for _, c := range t.old.Clauses {
		for _, u := range c.Terms() {
			n = max(n, of(u))
		}
	}
	return n
}

type peanoKey struct {
	sort  *term.Sort
	value *term.Term
}

// writer writes values over integers as values over Peano numbers.
type writer struct {
	*peanoSorts
	done map[peanoKey]*term.Term
	// fresh is larger than every number that occurs; negative ones are written as numbers from it on.
	fresh int64
}

// largest is the largest number inside of a value that stands for one of sort s.
func (w *writer) largest(s *term.Sort, value *term.Term) (int64, error) {
	if w.numbers[s] != nil {
		n, ok := value.Num().Int64()
		if !ok || n > maxPeano || n < -maxPeano {
			return 0, fmt.Errorf("%w: %s is too large for a Peano number", transform.ErrGaveUp, value)
		}
		return n, nil
	}
	if w.to[s] == nil {
		return 0, nil
	}
	// Long lists: the walk does not recurse into fields of their own sort.
	largest := int64(0)
	todo := []peanoKey{{s, value}}
	seen := map[peanoKey]bool{}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[k] {
			continue
		}
		seen[k] = true
		for i, f := range w.from[k.value.Sort()].Data.Constructors[k.value.Ctor().Index].Selectors {
			switch {
			case w.numbers[f.Sort] != nil:
				n, err := w.largest(f.Sort, k.value.Arg(i))
				if err != nil {
					return 0, err
				}
				largest = max(largest, n)
			case w.to[f.Sort] != nil:
				todo = append(todo, peanoKey{f.Sort, k.value.Arg(i)})
			}
		}
	}
	return largest, nil
}

// write returns the value of sort s that the value stands for.
func (w *writer) write(s *term.Sort, value *term.Term) (*term.Term, error) {
	if !w.changes(s) {
		return value, nil
	}
	if u, ok := w.done[peanoKey{s, value}]; ok {
		return u, nil
	}
	var out *term.Term
	if n := w.numbers[s]; n != nil {
		k, _ := value.Num().Int64()
		if k < 0 {
			k = w.fresh - k
		}
		out = w.pool.Construct(n.zero)
		for range k {
			out = w.pool.Construct(n.succ, out)
		}
	} else {
		c := s.Data.Constructors[value.Ctor().Index]
		args := make([]*term.Term, len(c.Selectors))
		for i, f := range c.Selectors {
			var err error
			if args[i], err = w.write(f.Sort, value.Arg(i)); err != nil {
				return nil, err
			}
		}
		out = w.pool.Construct(c, args...)
	}
	w.done[peanoKey{s, value}] = out
	return out, nil
}
