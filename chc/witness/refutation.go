package witness

import (
	"encoding/binary"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// HeadValues returns the values of the head's arguments in the step's instance of its clause, one for each argument of
// the head's predicate, and nil for an instance of a query; of a repetition, those that its last round derives. What SMT-LIB leaves
// open has the value that term.NewTotalEvaluator gives it. It fails when a variable has no value.
func HeadValues(p *term.Pool, s Step) ([]term.Value, error) {
	if s.Repeat != nil {
		last := s.Repeat.final()
		if last == nil {
			return nil, fmt.Errorf("the repetition has no steps")
		}
		s = *last
	}
	if s.Clause.Head == nil {
		return nil, nil
	}
	return evalArgs(term.NewTotalEvaluator(p, term.MapAssignment(s.Values)), *s.Clause.Head)
}

// Ground returns the term t of the step's clause with the step's values for its variables: the value where it is
// determined, and otherwise a ground term over operations that SMT-LIB leaves open.
func (s Step) Ground(p *term.Pool, t *term.Term) *term.Term {
	ground := make(map[*term.Term]*term.Term)
	for _, x := range term.Vars(t) {
		if v, ok := s.Terms[x]; ok {
			ground[x] = v
		} else if v, ok := s.Values[x]; ok {
			ground[x] = v.Term(p)
		}
	}
	g := p.Substitute(t, ground)
	if v, ok := term.NewEvaluator(p, term.MapAssignment{}).Eval(g); ok {
		return v.Term(p)
	}
	return g
}

func evalArgs(e *term.Evaluator, a chc.App) ([]term.Value, error) {
	vs := make([]term.Value, len(a.Args))
	for i, t := range a.Args {
		v, ok := e.Eval(t)
		if !ok {
			return nil, fmt.Errorf("argument %d of %s has no determined value", i, term.QuoteSymbol(a.Pred.Name))
		}
		vs[i] = v
	}
	return vs, nil
}

// Prune returns the refutation without the steps that the last one does not depend on; the others keep their order and
// are renumbered. A premise that is not an earlier step stays as it is, for the checker to find.
func (r *Refutation) Prune() *Refutation {
	n := len(r.Steps)
	needed := make([]bool, n)
	if n > 0 {
		needed[n-1] = true
	}
	kept := 0
	for i := n - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		kept++
		for _, q := range r.Steps[i].Premises {
			if 0 <= q && q < i {
				needed[q] = true
			}
		}
	}
	number := make([]int, n)
	steps := make([]Step, 0, kept)
	for i, s := range r.Steps {
		if !needed[i] {
			continue
		}
		number[i] = len(steps)
		premises := slices.Clone(s.Premises)
		for k, q := range premises {
			if 0 <= q && q < i {
				premises[k] = number[q]
			}
		}
		s.Premises = premises
		steps = append(steps, s)
	}
	return &Refutation{Steps: steps}
}

// RefutationBuilder builds a refutation bottom up. Steps that derive the same ground atom are shared.
type RefutationBuilder struct {
	pool  *term.Pool
	steps []Step
	// atoms finds the step of a ground atom; nil when steps are not shared.
	atoms map[string]int
	// given is how many steps stand for what others derive.
	given int
}

// NewRefutationBuilder returns a builder for refutations over the pool's terms.
func NewRefutationBuilder(p *term.Pool) *RefutationBuilder {
	return &RefutationBuilder{pool: p, atoms: map[string]int{}}
}

// NewRoundBuilder returns a builder for a round of a repetition, which uses the given number of facts from outside: these have the
// indices from 0 on. Its steps are not shared, since what is the same atom in one round need not be so in others.
func NewRoundBuilder(p *term.Pool, given int) *RefutationBuilder {
	return &RefutationBuilder{pool: p, steps: make([]Step, given), given: given}
}

// Round returns the steps of a round; their premises are numbered as those of a [RoundStep].
func (b *RefutationBuilder) Round() []Step { return b.steps[b.given:] }

// Add adds an instance of the clause and returns its index: values gives every variable of the clause a value, and
// premises are indices that Add has returned, one for each atom of the body. When an earlier step derives the same
// ground atom, its index is returned and nothing is added. Whether the step is right is for CheckRefutation to say.
func (b *RefutationBuilder) Add(c *chc.Clause, values map[*term.Term]term.Value, premises []int) int {
	s := Step{Clause: c, Values: values, Premises: slices.Clone(premises)}
	if c.Head != nil && b.atoms != nil {
		if head, err := evalArgs(term.NewEvaluator(b.pool, term.MapAssignment(values)), *c.Head); err == nil {
			key := b.key(c.Head.Pred, head)
			if i, ok := b.atoms[key]; ok {
				return i
			}
			b.atoms[key] = len(b.steps)
		}
	}
	b.steps = append(b.steps, s)
	return len(b.steps) - 1
}

// Refutation returns the steps that the step last, an instance of a query, depends on, and that step as the last one.
func (b *RefutationBuilder) Refutation(last int) *Refutation {
	return (&Refutation{Steps: b.steps[:last+1]}).Prune()
}

// AddRepeat adds a repetition, whose premises are indices that Add and AddRepeat have returned, and returns its index.
func (b *RefutationBuilder) AddRepeat(r *Repeat, premises []int) int {
	b.steps = append(b.steps, Step{Repeat: r, Premises: slices.Clone(premises)})
	return len(b.steps) - 1
}

// key is unique for a ground atom: value terms are hash-consed, so their ids tell them apart.
func (b *RefutationBuilder) key(pred *chc.Predicate, args []term.Value) string {
	k := binary.LittleEndian.AppendUint32(nil, uint32(pred.ID))
	for _, v := range args {
		k = binary.LittleEndian.AppendUint32(k, v.Term(b.pool).ID())
	}
	return string(k)
}
