package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/work"
)

// Options bound what Refute does.
type Options struct {
	// Seed is the seed of the random numbers.
	Seed uint64
	// Steps is how many clauses one run may take; 0 means DefaultSteps.
	Steps int
	// Chance is how long runs that have choices go on and are repeated; 0 means DefaultChance. Runs without a
	// choice are not bounded: there is only one.
	Chance time.Duration
}

// Stats say what was done.
type Stats struct{ Runs, Steps int }

// Refute runs a program that is encoded with bodies until a run fails, and returns the refutation that the run is. It
// returns nil when there is nothing more to be tried, as no run has a choice, and when ctx is done. The refutation is
// not checked.
func Refute(ctx context.Context, e *encode.Encoding, o Options) (*witness.Refutation, Stats) {
	o.Steps = cmp.Or(o.Steps, DefaultSteps)
	chance, stop := work.WithTimeout(ctx, cmp.Or(o.Chance, DefaultChance))
	defer stop()
	p := newProgram(e)
	var stats Stats
	open := slices.Clone(p.queries)
	for try := uint64(0); len(open) > 0 && (chance.Err() == nil || try < uint64(len(p.queries)) && ctx.Err() == nil); try++ {
		query := open[try%uint64(len(open))]
		r := &run{program: p, ctx: ctx, chance: chance, random: rand.New(rand.NewPCG(o.Seed, try)), fuel: o.Steps, counted: o.Steps, first: try < uint64(len(p.queries))}
		refutation := r.query(query)
		stats.Runs++
		stats.Steps += o.Steps - r.fuel
		r.count()
		work.Spend(ctx, runWork)
		if refutation != nil {
			return refutation, stats
		}
		if !r.chose {
			open = slices.DeleteFunc(open, func(c *clause) bool { return c == query })
		}
	}
	return nil, stats
}

// run is one run.
type run struct {
	*program
	// ctx bounds a run without choices, chance one that has some.
	ctx, chance context.Context
	random      *rand.Rand
	fuel        int
	// counted is what the fuel was when work was counted last.
	counted int
	depth   int
	// first selects default values for choices; chose says that there was a choice.
	first, chose bool
	steps        []witness.Step
}

// over reports whether the time of the run is over.
func (r *run) over() bool { return r.ctx.Err() != nil || r.chose && r.chance.Err() != nil }

// count counts the steps that are not counted yet as work.
func (r *run) count() {
	work.Spend(r.ctx, time.Duration(r.counted-r.fuel)*stepWork)
	r.counted = r.fuel
}

// errStopped ends a run: it is too long, or nothing allows it to go on.
var errStopped = errors.New("the run does not go on")

// result is the outcome of a call.
type result struct {
	// fails says that the step derives the callee's failure; otherwise it derives its summary with these outputs.
	fails   bool
	step    int
	outputs []term.Value
}

// query runs an entry and returns the refutation if the query's premise is derived.
func (r *run) query(c *clause) *witness.Refutation {
	s, premises, err := r.take(c, nil, nil, map[string]result{})
	if err != nil {
		return nil
	}
	r.steps = append(r.steps, witness.Step{Clause: c.Clause, Values: s.values, Premises: premises})
	return (&witness.Refutation{Steps: r.steps}).Prune()
}

// call runs a procedure to its exit or its failure.
func (r *run) call(p *ast.Procedure, inputs []term.Value) (result, error) {
	if r.depth++; r.depth > maxDepth {
		return result{}, errStopped
	}
	defer func() { r.depth-- }()
	clauses := r.begins[p]
	var at []term.Value
	step := -1
	for {
		if r.counted-r.fuel >= countSteps {
			r.count()
		}
		if r.fuel--; r.fuel < 0 || r.over() {
			return result{}, errStopped
		}
		c, s, premises, err := r.choose(clauses, inputs, at)
		if err != nil {
			return result{}, err
		}
		if c.point {
			premises[0] = step
		}
		step = len(r.steps)
		r.steps = append(r.steps, witness.Step{Clause: c.Clause, Values: s.values, Premises: premises})
		head := make([]term.Value, len(c.Head.Args))
		for i, t := range c.Head.Args {
			v, ok := s.eval(t)
			if !ok {
				return result{}, errStopped
			}
			head[i] = v
		}
		switch r.encoding.Meanings[c.Head.Pred].Kind {
		case encode.Failure:
			return result{fails: true, step: step}, nil
		case encode.Summary:
			return result{step: step, outputs: head[r.inputs(c.Head.Pred):]}, nil
		default:
			clauses, at = r.from[c.Head.Pred], head
		}
	}
}

// choose takes one of the clauses by which a run may go on: one that fails if there is one, otherwise any.
func (r *run) choose(clauses []*clause, inputs, at []term.Value) (*clause, *solution, []int, error) {
	calls := map[string]result{}
	order := slices.Clone(clauses)
	failing := 0
	for failing < len(order) && r.encoding.Meanings[order[failing].Head.Pred].Kind == encode.Failure {
		failing++
	}
	rest := order[failing:]
	r.random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for i, c := range order {
		s, premises, err := r.take(c, inputs, at, calls)
		if err == nil {
			// Which of several clauses is taken is a choice if another one could be.
			if i >= failing && i+1 < len(order) && !r.chose {
				for _, d := range order[i+1:] {
					if _, _, err := r.take(d, inputs, at, calls); err == nil {
						r.chose = true
						break
					}
				}
			}
			return c, s, premises, nil
		}
		if r.fuel < 0 || r.over() {
			break
		}
	}
	return nil, nil, nil, errStopped
}

// take finds values for a clause's variables, given the inputs of the procedure and the values at the point where it
// begins, and runs the calls in it. Calls with the same inputs are run once.
func (r *run) take(c *clause, inputs, at []term.Value, calls map[string]result) (*solution, []int, error) {
	for range tries {
		s := newSolution(r, c)
		premises, err := r.attempt(c, s, inputs, at, calls)
		if err == nil {
			return s, premises, nil
		}
		if !s.guessed || r.fuel < 0 || r.over() {
			return nil, nil, err
		}
	}
	return nil, nil, errStopped
}

func (r *run) attempt(c *clause, s *solution, inputs, at []term.Value, calls map[string]result) ([]int, error) {
	premises := make([]int, len(c.Body))
	atoms := c.Body
	if c.point {
		if !s.unify(atoms[0].Args, at) {
			return nil, errStopped
		}
		atoms = atoms[1:]
	} else if c.Head != nil && !s.unify(c.Head.Args[:len(inputs)], inputs) {
		return nil, errStopped
	}
	for i, a := range atoms {
		m := r.encoding.Meanings[a.Pred]
		n := r.inputs(a.Pred)
		// The inputs of a call have to be known before it runs.
		var args []term.Value
		for required := false; ; {
			if !s.propagate() {
				return nil, errStopped
			}
			var ok bool
			if args, ok = s.evalAll(a.Args[:n]); ok {
				break
			}
			if !required {
				required = true
				r.requireInputs(s, m.Procedure, a.Args[:n])
				continue
			}
			if !s.guess(a.Args[:n]) {
				return nil, errStopped
			}
		}
		res, err := r.callOnce(m.Procedure, args, calls)
		if err != nil || res.fails != (m.Kind == encode.Failure) {
			return nil, errStopped
		}
		premises[len(c.Body)-len(atoms)+i] = res.step
		if !res.fails && !s.unify(a.Args[n:], res.outputs) {
			return nil, errStopped
		}
	}
	for {
		if !s.propagate() {
			return nil, errStopped
		}
		if s.done() {
			return premises, nil
		}
		if !s.guess(nil) {
			return nil, errStopped
		}
	}
}

// requireInputs adds the constraints that one of the first clauses of a procedure has on its inputs, axioms for
// example, so that the inputs are chosen to satisfy them.
func (r *run) requireInputs(s *solution, p *ast.Procedure, inputs []*term.Term) {
	begins := r.begins[p]
	if len(begins) == 0 {
		return
	}
	c := begins[r.random.IntN(len(begins))]
	formal := map[*term.Term]*term.Term{}
	for i, t := range inputs {
		if x := c.Head.Args[i]; x.IsVar() {
			formal[x] = t
		}
	}
	for _, f := range c.parts {
		if !slices.ContainsFunc(f.vars, func(v *term.Term) bool { return formal[v] == nil }) {
			s.require(r.pool.Substitute(f.Term, formal))
		}
	}
}

func (r *run) callOnce(p *ast.Procedure, inputs []term.Value, calls map[string]result) (result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", p)
	for _, v := range inputs {
		fmt.Fprintf(&b, " %d", v.Term(r.pool).ID()) // equal values are one term
	}
	key := b.String()
	if res, ok := calls[key]; ok {
		return res, nil
	}
	res, err := r.call(p, inputs)
	if err == nil {
		calls[key] = res
	}
	return res, err
}
