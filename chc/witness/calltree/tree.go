package calltree

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Tree is a refutation with what its reader wants to see of each step.
type Tree struct {
	pool  *term.Pool
	steps []step
}

// Argument is a value with the name that it is shown under; the name may be empty.
type Argument struct {
	Name  string
	Value term.Value
}

// step is one instance of a clause.
type step struct {
	clause *chc.Clause
	// arguments are those of the head; none in a query.
	arguments []Argument
	// locals are the variables of the clause whose values its head and its calls do not show; in a query, those of its
	// constraint too.
	locals []Argument
	// calls are indices of earlier steps, one for each atom of the body.
	calls []int
	// height is the length of the longest way down to a step without calls, which has height 1.
	height int
}

// New returns the tree of a refutation of the system. It fails when a step lacks a value; whether the refutation is right
// is for the checker to say.
func New(sys *chc.System, r *witness.Refutation) (*Tree, error) {
	r, err := r.Unroll(witness.MaxWritten)
	if err != nil {
		return nil, fmt.Errorf("show a refutation: %w", err)
	}
	r = r.Prune()
	names := argumentNames(sys)
	t := &Tree{pool: sys.Pool}
	for i, s := range r.Steps {
		n, err := t.step(names, s)
		if err != nil {
			return nil, fmt.Errorf("show step %d of a refutation: %w", i, err)
		}
		for k, c := range s.Premises {
			if c < 0 || c >= i {
				return nil, fmt.Errorf("show step %d of a refutation: premise %d is no earlier step", i, k)
			}
			n.height = max(n.height, t.steps[c].height+1)
		}
		t.steps = append(t.steps, n)
	}
	if len(t.steps) == 0 || t.steps[len(t.steps)-1].clause.Head != nil {
		return nil, fmt.Errorf("show a refutation: it does not end in a query")
	}
	return t, nil
}

func (t *Tree) root() *step { return &t.steps[len(t.steps)-1] }

func (t *Tree) step(names map[*chc.Predicate][]string, s witness.Step) (step, error) {
	n := step{clause: s.Clause, calls: s.Premises, height: 1}
	if s.Clause == nil {
		return n, fmt.Errorf("it has no clause")
	}
	if len(s.Premises) != len(s.Clause.Body) {
		return n, fmt.Errorf("it has %d premises for %d body atoms", len(s.Premises), len(s.Clause.Body))
	}
	values, err := witness.HeadValues(t.pool, s)
	if err != nil {
		return n, err
	}
	visible := map[*term.Term]bool{}
	atoms := s.Clause.Body
	if h := s.Clause.Head; h != nil {
		atoms = append(atoms[:len(atoms):len(atoms)], *h)
		for i, v := range values {
			n.arguments = append(n.arguments, Argument{names[h.Pred][i], v})
		}
	}
	for _, a := range atoms {
		for _, x := range a.Args {
			visible[x] = true
		}
	}
	if s.Clause.IsQuery() {
		for _, x := range term.Vars(s.Clause.Constraint) {
			visible[x] = false
		}
	}
	for _, x := range s.Clause.Vars() {
		v, ok := s.Values[x]
		if !ok {
			return n, fmt.Errorf("variable %s has no value", term.QuoteSymbol(x.Name()))
		}
		if !visible[x] {
			n.locals = append(n.locals, Argument{x.Name(), v})
		}
	}
	return n, nil
}
