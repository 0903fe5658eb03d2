package accelerate

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Pass returns the pass "accelerate".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "accelerate",
		Doc: "Adds, for loops that add constants to their arguments, clauses that do any number of rounds at once; long derivations " +
			"become short, and come back as repeated steps.",
		Run: run,
	}
}

// shortcut is a clause that does count rounds of a loop.
type shortcut struct {
	clause *chc.Clause
	loop   *chc.Clause
	// body is the atom of the loop's body, and of the clause's, that the rounds go on from; the other atoms correspond too.
	body  int
	count *term.Term
	// values has, for each variable of the loop, its value in the first round over the variables of the clause, and increments what
	// each further round adds.
	values     map[*term.Term]*term.Term
	increments map[*term.Term]term.Num
	// next has the values in the second round of the arrays that change.
	next map[*term.Term]*term.Term
}

func run(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if env.Open == nil {
		return sys, nil, nil
	}
	opened, err := env.Open(sys.Pool, smt.Config{})
	if err != nil {
		return nil, nil, fmt.Errorf("opening a solver to accelerate loops with: %w", err)
	}
	defer opened.Close()
	solver, err := opened.NewSolver(smt.Params{})
	if err != nil {
		return nil, nil, fmt.Errorf("opening a solver to accelerate loops with: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(queryLimit)
	f := &finder{pool: sys.Pool, solver: solver}
	loops := 0
	for _, c := range sys.Clauses {
		if c.Head == nil || loops == maxLoops {
			continue
		}
		for k, a := range c.Body {
			if a.Pred != c.Head.Pred {
				continue
			}
			loops++
			if err := f.loop(ctx, c, k); err != nil {
				return nil, nil, fmt.Errorf("accelerating clause %d: %w", c.ID, err)
			}
		}
	}
	if len(f.found) == 0 {
		return sys, nil, nil
	}
	clauses := slices.Clone(sys.Clauses)
	for _, s := range f.found {
		s.clause.ID = len(clauses)
		clauses = append(clauses, s.clause)
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	return next, &translator{old: sys, new: next, shortcuts: f.found}, nil
}

// translator carries witnesses back from a system with shortcuts, which stand after the clauses of the old one.
type translator struct {
	old, new  *chc.System
	shortcuts []*shortcut
}

// Model returns the model: the old clauses are among the new ones.
func (t *translator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	return m, nil
}

// Refutation writes out the rounds of the shortcuts' steps, or repeats a step.
func (t *translator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	out := &witness.Refutation{}
	number := make([]int, len(r.Steps))
	for i, s := range r.Steps {
		id := s.Clause.ID
		if id >= len(t.new.Clauses) || t.new.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		premises := make([]int, len(s.Premises))
		for k, q := range s.Premises {
			premises[k] = number[q]
		}
		if id < len(t.old.Clauses) {
			s.Clause, s.Premises = t.old.Clauses[id], premises
			out.Steps = append(out.Steps, s)
		} else if err := t.shortcuts[id-len(t.old.Clauses)].rounds(t.old.Pool, out, s.Values, premises); err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
		}
		number[i] = len(out.Steps) - 1
	}
	return out, nil
}

// rounds appends the steps that an instance of the shortcut stands for.
func (s *shortcut) rounds(p *term.Pool, out *witness.Refutation, values map[*term.Term]term.Value, premises []int) error {
	ev := term.NewEvaluator(p, term.Complete(p, term.MapAssignment(values)))
	count, ok := ev.Eval(s.count)
	if !ok || count.Num().Sign() <= 0 {
		return fmt.Errorf("%w: a shortcut has no number of rounds", transform.ErrGaveUp)
	}
	round := witness.RoundStep{Clause: s.loop, Values: map[*term.Term]term.Value{}, Increments: s.increments, Next: map[*term.Term]term.Value{}}
	for x, t := range s.values {
		if round.Values[x], ok = ev.Eval(t); !ok {
			return fmt.Errorf("%w: the value of %s is not determined", transform.ErrGaveUp, t)
		}
	}
	for x, t := range s.next {
		if round.Next[x], ok = ev.Eval(t); !ok {
			return fmt.Errorf("%w: the value of %s is not determined", transform.ErrGaveUp, t)
		}
	}
	repeat := &witness.Repeat{Count: count.Num(), Round: []witness.RoundStep{round}}
	start := []int{premises[s.body]}
	for j, q := range premises {
		if j == s.body {
			round.Premises = append(round.Premises, 0)
			continue
		}
		round.Premises = append(round.Premises, len(start))
		start = append(start, q)
	}
	repeat.Round[0] = round
	if n, small := count.Num().Int64(); small && n <= maxWritten {
		out.WriteOut(repeat, start)
		return nil
	}
	out.Steps = append(out.Steps, witness.Step{Repeat: repeat, Premises: start})
	return nil
}
