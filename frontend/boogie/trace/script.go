package trace

import (
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/boogie/interpret"
)

// maxAnswers is how many choices a run may make to be replayed.
const maxAnswers = 5_000_000

// errTooLong says that the run is too long: the steps of a refutation may be used many times.
var errTooLong = fmt.Errorf("%w: the run is too long to be replayed", ErrUndetermined)

// answer is a choice that a run makes: a variable's new value, a way, or an implementation.
type answer struct {
	// by and variable are what a value was chosen by, and for; variable is nil for the others.
	by       ast.Stmt
	variable *ast.Variable
	value    term.Value
	// way is the index of a way, or with body that of an implementation.
	way  int
	body *ast.Procedure
}

// script makes the list of answers of a refutation.
type script struct {
	encoding   *encode.Encoding
	steps      []witness.Step
	answers    []answer
	evaluators map[int]*term.Evaluator
}

func (s *script) evaluator(step int) *term.Evaluator {
	if s.evaluators[step] == nil {
		pool := s.encoding.System.Pool
		// Variables that do not occur in the clause have any value.
		s.evaluators[step] = term.NewEvaluator(pool, term.Complete(pool, term.MapAssignment(s.steps[step].Values)))
	}
	return s.evaluators[step]
}

func (s *script) add(a answer) error {
	if len(s.answers) == maxAnswers {
		return errTooLong
	}
	s.answers = append(s.answers, a)
	return nil
}

// run adds the answers of a call of a body: from where it is entered to the end of the step's segment.
func (s *script) run(step int) error {
	var chain []int
	for {
		segment := s.encoding.Segments[s.steps[step].Clause]
		if segment == nil || len(segment.Places) == 0 {
			return fmt.Errorf("the clause %d stands for no part of the program", s.steps[step].Clause.ID)
		}
		chain = append(chain, step)
		if segment.Places[0].Block == segment.Graph.Blocks[0] {
			break
		}
		step = s.steps[step].Premises[0]
	}
	slices.Reverse(chain)
	graph := s.encoding.Segments[s.steps[chain[0]].Clause].Graph
	p := graph.Implementation.Procedure
	if len(p.Implementations) > 1 {
		if err := s.add(answer{body: p, way: slices.Index(p.Implementations, graph.Implementation)}); err != nil {
			return err
		}
	}
	for _, i := range chain {
		if err := s.segment(i); err != nil {
			return err
		}
	}
	return nil
}

// segment adds the answers of one segment.
func (s *script) segment(step int) error {
	clause := s.steps[step].Clause
	segment := s.encoding.Segments[clause]
	path, err := s.path(step, segment)
	if err != nil {
		return err
	}
	for i, place := range path {
		if i > 0 {
			if err := s.edge(path[i-1].Block, place.Block); err != nil {
				return err
			}
		}
		if err := s.chosen(step, nil, place.Values[nil], all); err != nil {
			return err
		}
		commands := place.Block.Commands
		if i == len(path)-1 && segment.To == nil {
			commands = commands[:segment.Before]
		}
		for _, c := range commands {
			if err := s.command(step, c, place.Values[c]); err != nil {
				return err
			}
		}
	}
	last := segment.Last.Block
	switch {
	case segment.To != nil && s.encoding.Meanings[clause.Head.Pred].Kind == encode.Point:
		return s.edge(last, segment.To)
	case segment.To == nil && segment.Before < len(last.Commands):
		return s.fails(step, segment, last.Commands[segment.Before])
	}
	return nil
}

// fails adds the answers of the call in which a segment's run fails, if it does so in a call.
func (s *script) fails(step int, segment *encode.Segment, c *flow.Command) error {
	call, ok := c.Source.(*ast.Call)
	if !ok {
		return nil
	}
	if err := s.arguments(step, call, segment.Last.Values[c]); err != nil {
		return err
	}
	body := s.steps[step].Clause.Body
	if segment.Callee == nil || len(body) == 0 {
		return nil
	}
	if m := s.encoding.Meanings[body[len(body)-1].Pred]; m.Kind != encode.Failure {
		return nil // the callee may not be entered at all
	}
	return s.run(s.steps[step].Premises[len(body)-1])
}

// command adds the answers of a command that the run goes past.
func (s *script) command(step int, c *flow.Command, chosen *encode.Chosen) error {
	switch stmt := c.Source.(type) {
	case *ast.Havoc:
		return s.chosen(step, stmt, chosen, all)
	case *ast.Call:
		if chosen == nil {
			return fmt.Errorf("the call at %s has no values", stmt.Pos)
		}
		if chosen.Atom < 0 {
			return s.chosen(step, stmt, chosen, all)
		}
		if err := s.arguments(step, stmt, chosen); err != nil {
			return err
		}
		return s.run(s.steps[step].Premises[chosen.Atom])
	}
	return nil
}

// arguments adds the values of the arguments that a call leaves open.
func (s *script) arguments(step int, call *ast.Call, chosen *encode.Chosen) error {
	return s.chosen(step, call, chosen, func(v *ast.Variable) bool { return slices.Contains(call.Procedure.In, v) })
}

func all(*ast.Variable) bool { return true }

// chosen adds the values that a command gave to the wanted variables.
func (s *script) chosen(step int, by ast.Stmt, chosen *encode.Chosen, wanted func(*ast.Variable) bool) error {
	if chosen == nil {
		return nil
	}
	for i, v := range chosen.Variables {
		if !wanted(v) {
			continue
		}
		value, ok := s.evaluator(step).Eval(chosen.Terms[i])
		if !ok {
			return fmt.Errorf("%w: the value of %s", ErrUndetermined, v.Name)
		}
		if err := s.add(answer{by: by, variable: v, value: value}); err != nil {
			return err
		}
	}
	return nil
}

// path returns the places of a segment on the run that a step's values determine.
func (s *script) path(step int, segment *encode.Segment) ([]*encode.Place, error) {
	path := []*encode.Place{segment.Last}
	for place := segment.Last; len(place.Ways) > 0; path = append(path, place) {
		var way *encode.Way
		for _, w := range place.Ways {
			if s.evaluator(step).True(w.Condition) {
				way = w
				break
			}
		}
		if way == nil {
			return nil, fmt.Errorf("%w: the way to %s", ErrUndetermined, place.Block.Pos)
		}
		place = way.From
	}
	slices.Reverse(path)
	return path, nil
}

// edge adds the way that a run takes from a block to another one, where that is not decided by a guard.
func (s *script) edge(from, to *flow.Block) error {
	if len(from.Next) < 2 || guarded(to) {
		return nil
	}
	i := slices.Index(from.Next, to)
	if i < 0 {
		return errors.New("a run takes a way that is none")
	}
	return s.add(answer{way: i})
}

// guarded reports whether a block is a branch whose guard says when a run takes it.
func guarded(b *flow.Block) bool {
	if len(b.Commands) == 0 || b.Commands[0].Invariant != nil {
		return false
	}
	switch s := b.Commands[0].Source.(type) {
	case *ast.If:
		return s.Guard != nil
	case *ast.While:
		return s.Guard != nil
	}
	return false
}

// replayer answers the questions of a run by a script.
type replayer struct {
	*script
	start *encode.Start
	// first evaluates the terms of start.
	first     *term.Evaluator
	functions map[any]interpret.Value
	next      int
	// repairs are changes of the maps that answers give, by the answer; last is the last answer for a variable.
	repairs map[int][]interpret.Repair
	last    map[*ast.Variable]int
}

func newReplayer(s *script, start *encode.Start, first *term.Evaluator, repairs map[int][]interpret.Repair) *replayer {
	return &replayer{script: s, start: start, first: first, functions: map[any]interpret.Value{}, repairs: repairs, last: map[*ast.Variable]int{}}
}

// take returns the next answer, which has to fit the question; wanted names that for the error.
func (p *replayer) take(wanted string, fits func(a answer) bool) (answer, error) {
	if p.next == len(p.answers) {
		return answer{}, fmt.Errorf("the run asks for %s after the refutation's end", wanted)
	}
	a := p.answers[p.next]
	if !fits(a) {
		return answer{}, fmt.Errorf("the run asks for %s where the refutation has none", wanted)
	}
	p.next++
	return a, nil
}

// fails returns a function that decides whether a run fails at a check that cannot be evaluated: it does at the
// clause's position, after the last choice of the refutation.
func (p *replayer) fails(clause *chc.Clause) func(chc.Position) bool {
	return func(pos chc.Position) bool {
		return clause != nil && pos == clause.Pos && p.next == len(p.answers)
	}
}

// Constant is the value of a constant in the query's step.
func (p *replayer) Constant(v *ast.Variable) (interpret.Value, error) { return p.Initial(v, v.Type) }

// Initial is the value of a variable in the query's step; it is arbitrary where the clauses do not depend on it.
func (p *replayer) Initial(v *ast.Variable, typ ast.Type) (interpret.Value, error) {
	t := p.start.Variables[v]
	if t == nil {
		return interpret.Default(typ)
	}
	value, ok := p.first.Eval(t)
	if !ok {
		return nil, fmt.Errorf("%w: the value of %s", ErrUndetermined, v.Name)
	}
	return p.convert(value, typ)
}

// Apply is the value of a function in the query's step; any will do where the clauses don't depend on it.
func (p *replayer) Apply(f *ast.Function, op ast.BinaryOp, types []ast.Type, args []interpret.Value, result ast.Type) (interpret.Value, error) {
	if f != nil && len(types) > 0 {
		if f = p.encoding.Instance(f, types); f == nil {
			return interpret.Default(result)
		}
	}
	var who any = op
	t := p.start.ByZero[op]
	m := &ast.Map{Range: result}
	if f != nil {
		who, t, m.Range = f, p.start.Functions[f], f.Result.Type
		for _, v := range f.Params {
			m.Domain = append(m.Domain, v.Type)
		}
	} else {
		m.Domain = []ast.Type{result}
	}
	if t == nil {
		return interpret.Default(result)
	}
	value := p.functions[who]
	if value == nil {
		v, ok := p.first.Eval(t)
		if !ok {
			return interpret.Default(result)
		}
		var err error
		if value, err = p.convert(v, m); err != nil {
			return nil, err
		}
		p.functions[who] = value
	}
	for _, a := range args {
		var err error
		if value, err = value.(*interpret.Map).Select(a); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// Variable is the next value.
func (p *replayer) Variable(by ast.Stmt, v *ast.Variable, t ast.Type) (interpret.Value, error) {
	a, err := p.take("a value of "+v.Name, func(a answer) bool { return a.variable == v && a.by == by })
	if err != nil {
		return nil, err
	}
	p.last[v] = p.next - 1
	value, err := p.convert(a.value, t)
	if changes := p.repairs[p.next-1]; len(changes) > 0 && err == nil {
		return interpret.Apply(value, changes)
	}
	return value, err
}

// repair notes changes of chosen maps for the next run; false when they are no answers of the refutation's.
func (p *replayer) repair(changes []interpret.Repair) bool {
	for _, c := range changes {
		i, chosen := p.last[c.Variable]
		if !chosen {
			return false
		}
		p.repairs[i] = append(p.repairs[i], c)
	}
	return len(changes) > 0
}

// Branch is the next way.
func (p *replayer) Branch(at ast.Stmt, _ int, _ func(int) bool) (int, error) {
	a, err := p.take("a way at "+at.At().String(), func(a answer) bool { return a.variable == nil && a.body == nil })
	return a.way, err
}

// Body is the next implementation.
func (p *replayer) Body(q *ast.Procedure) (int, error) {
	a, err := p.take("a body of "+q.Name, func(a answer) bool { return a.body == q })
	return a.way, err
}
