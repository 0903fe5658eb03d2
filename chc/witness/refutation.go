package witness

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness/rounds"
)

// Step is one ground hyper-resolution step: Clause under Values, from the heads of Premises. Or it repeats such steps, and then it has
// no clause and no values of its own.
type Step struct {
	// Clause is nil when Repeat is not.
	Clause *chc.Clause
	// Values gives every variable of the clause a value.
	Values map[*term.Term]term.Value
	// Terms gives the variables whose value depends on operations that SMT-LIB leaves open, such as (div 1 0), as ground
	// terms over these; their Values are then what term.NewTotalEvaluator yields for them. Such a step holds for every
	// choice of what the operations yield. Most refutations have none.
	Terms map[*term.Term]*term.Term
	// Premises are indices of earlier steps, one per body atom of the clause, in the order of the body.
	Premises []int
	// Repeat has the steps that this one repeats; nil for a single step. Only refutations that were made for loops with many
	// rounds have any; Refutation.Unroll writes them out.
	Repeat *Repeat
}

// Refutation is a DAG of ground steps in topological order; the last one is an instance of a query. It witnesses unsat.
type Refutation struct {
	Steps []Step
}

// ErrRepeats is wrapped by errors about refutations with repeated steps, where these are too many to be written out.
var ErrRepeats = errors.New("the refutation repeats steps")

// Repeat is a loop of a derivation. Its steps are done Count times: what the last one derives in a round is the fact that the
// next round starts from. Of the numbers in a round's steps, each one changes by the same amount from round to round.
//
// The premises of the Step that has the Repeat are the steps whose facts it uses: the first one derives the fact that the first
// round starts from, and the others are the same in every round.
type Repeat struct {
	// Count is how many rounds there are, an integer of at least 1.
	Count term.Num
	// Round has at least one step.
	Round []RoundStep
}

// RoundStep is a step of a round: Clause under Values in the first round, and in round i, from 0, under Values with i times
// Increments added, and the values that Next leads to.
type RoundStep struct {
	Clause *chc.Clause
	// Values gives every variable of the clause a value.
	Values map[*term.Term]term.Value
	// Increments has the variables of sort Int and Real whose values change, and by how much.
	Increments map[*term.Term]term.Num
	// Next has the values in the second round of the arrays and records that change: every round changes their numbers as the first
	// one does, and nothing else about them.
	Next map[*term.Term]term.Value
	// Premises has a number for each body atom of the clause: 0 is the fact of the round before, in the first round that of
	// the first premise of the Step; a number k less than that of the Step's premises is the fact of its premise k; and the
	// numbers from there on are the earlier steps of the round.
	Premises []int
}

// At returns the step as it is in round i, with its own numbering of premises.
func (s RoundStep) At(i term.Num) Step {
	if len(s.Increments)+len(s.Next) == 0 || i.IsZero() {
		return Step{Clause: s.Clause, Values: s.Values, Premises: s.Premises}
	}
	values := make(map[*term.Term]term.Value, len(s.Values))
	for x, v := range s.Values {
		if d, ok := s.Increments[x]; ok {
			v = term.NumValue(v.Num().Add(d.Mul(i)), v.Sort())
		} else if w, ok := s.Next[x]; ok {
			if at, ok := rounds.Extrapolate(x.Pool(), v, w, i); ok {
				v = at
			}
		}
		values[x] = v
	}
	return Step{Clause: s.Clause, Values: values, Premises: s.Premises}
}

// last is the number of the last round, from 0.
func (r *Repeat) last() term.Num { return r.Count.Sub(term.NewInt(1)) }

// final is the last step of the last round; nil when there is no step.
func (r *Repeat) final() *Step {
	if len(r.Round) == 0 {
		return nil
	}
	s := r.Round[len(r.Round)-1].At(r.last())
	return &s
}

// Repeats reports whether a step of the refutation is a repetition.
func (r *Refutation) Repeats() bool {
	for _, s := range r.Steps {
		if s.Repeat != nil {
			return true
		}
	}
	return false
}

// Unroll returns the refutation with all repetitions written out, the refutation itself where there are none. It fails when
// there are more than limit steps then.
func (r *Refutation) Unroll(limit int) (*Refutation, error) {
	if !r.Repeats() {
		return r, nil
	}
	size := term.NewInt(int64(len(r.Steps)))
	for _, s := range r.Steps {
		if s.Repeat != nil {
			size = size.Add(s.Repeat.Count.Mul(term.NewInt(int64(len(s.Repeat.Round)))))
		}
	}
	if size.Cmp(term.NewInt(int64(limit))) > 0 {
		return nil, fmt.Errorf("%w: it has %s steps when they are written out, more than %d", ErrRepeats, size, limit)
	}
	out := &Refutation{}
	number := make([]int, len(r.Steps))
	outer := func(premises []int) []int {
		mapped := make([]int, len(premises))
		for k, q := range premises {
			mapped[k] = number[q]
		}
		return mapped
	}
	for i, s := range r.Steps {
		premises := outer(s.Premises)
		if s.Repeat == nil {
			s.Premises = premises
			out.Steps = append(out.Steps, s)
		} else {
			out.WriteOut(s.Repeat, premises)
		}
		number[i] = len(out.Steps) - 1
	}
	return out, nil
}

// WriteOut appends all rounds of a repetition whose step would have the given premises; the last step is the last round's.
func (r *Refutation) WriteOut(repeat *Repeat, premises []int) {
	premises = slices.Clone(premises)
	for i := (term.Num{}); i.Cmp(repeat.Count) < 0; i = i.Add(term.NewInt(1)) {
		first := len(r.Steps)
		for _, round := range repeat.Round {
			s := round.At(i)
			s.Premises = make([]int, len(round.Premises))
			for k, q := range round.Premises {
				if q < len(premises) {
					s.Premises[k] = premises[q]
				} else {
					s.Premises[k] = first + q - len(premises)
				}
			}
			r.Steps = append(r.Steps, s)
		}
		premises[0] = len(r.Steps) - 1
	}
}

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
