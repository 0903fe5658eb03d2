package interpret

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Options say what a run is.
type Options struct {
	// Entry is the procedure that the run begins with; it has a body.
	Entry *ast.Procedure
	// Errors are names of procedures that may not be entered.
	Errors []string
	// ExitIsError says that reaching the entry's exit is the error, and a condition that does not hold only blocks.
	ExitIsError bool
	// Fuel is how many statements and applications of functions a run may take; 0 stands for ten million.
	Fuel int
	// Observe is told what happens; it may be nil.
	Observe func(Event)
}

// Kind is how a run ends.
type Kind uint8

// The ends of runs.
const (
	// Finished says that the entry returned.
	Finished Kind = iota
	// Failed says that there was an error.
	Failed
	// Blocked says that an assumption did not hold.
	Blocked
	// OutOfFuel says that the run was too long.
	OutOfFuel
	// Undetermined says that something could not be decided.
	Undetermined
)

// String is the kind in a word or two.
func (k Kind) String() string {
	return [...]string{"finished", "failed", "blocked", "out of fuel", "undetermined"}[k]
}

// Outcome is the end of a run.
type Outcome struct {
	Kind Kind
	// Pos is where it ended: at the assertion that failed, for example.
	Pos chc.Position
	// What says what failed, blocked or could not be decided.
	What string
	// Values are those of the variables in the condition that failed.
	Values []Change
}

// String says how and where a run ended.
func (o Outcome) String() string {
	s := o.Kind.String()
	if o.Pos.Line > 0 {
		s = o.Pos.String() + ": " + s
	}
	if o.What != "" {
		s += ": " + o.What
	}
	return s
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	// Begun is the first event: Changes has the globals and the entry's parameters.
	Begun EventKind = iota
	// Stepped says that the statement was executed, and Changes what it did.
	Stepped
	// Entered says that a call enters a body: Changes has its parameters.
	Entered
	// Left says that a body returned: Changes has what the call assigned.
	Left
	// Ended is the last event of a run that fails: Outcome says how, and Changes has the constants that the run needed.
	Ended
	// Declared follows Begun and Entered: Changes has the first values of the results and locals of Body.
	Declared
)

// Event is something that happened in a run.
type Event struct {
	Kind EventKind
	// Depth is the number of calls around it, and Procedure that in which it happened (for Entered and Left the callee).
	Depth     int
	Procedure *ast.Procedure
	// Stmt is the statement; nil for Begun, Declared and Ended.
	Stmt    ast.Stmt
	Body    *ast.Body
	Changes []Change
	// Args are the arguments of a call of a procedure without a body.
	Args []Value
	// Way is which of several ways was taken, where Stmt is a branch: for if and while 0 into it, 1 past it.
	Way     int
	Outcome Outcome
}

// Change is a variable's new value; that of a map is given at the index Path only, when it is not empty.
type Change struct {
	Variable *ast.Variable
	Path     []Value
	Value    Value
}

const (
	defaultFuel = 10_000_000
	// maxCalls is how deep calls may be, and maxApplications how deep functions may apply functions.
	maxCalls        = 50_000
	maxApplications = 5_000
)

// machine is one run.
type machine struct {
	Options
	*symbols
	ctx     context.Context
	program *ast.Program
	choices Choices
	globals map[*ast.Variable]Value
	codes   map[*ast.Implementation]*code
	fuel    int
	calls   int
}

// ended is the error that ends a run before its end.
type ended struct{ Outcome }

func (e *ended) Error() string { return e.String() }

// Run runs a program from the entry on. The error is that of ctx.
func Run(ctx context.Context, program *ast.Program, choices Choices, o Options) (Outcome, error) {
	m := &machine{
		Options: o, ctx: ctx, program: program, choices: choices, globals: map[*ast.Variable]Value{},
		codes: map[*ast.Implementation]*code{}, fuel: o.Fuel,
	}
	if m.fuel == 0 {
		m.fuel = defaultFuel
	}
	m.symbols = newSymbols(m)
	out := Outcome{Kind: Finished, Pos: o.Entry.Pos}
	err := m.run()
	if err == nil && o.ExitIsError {
		out = Outcome{Kind: Failed, Pos: o.Entry.Pos, What: "the exit of " + o.Entry.Name + " is reached, where a failed assertion leads"}
	}
	out, err = m.outcome(out, err)
	if err == nil && (out.Kind == Failed || out.Kind == Finished) {
		// Constants and functions have to be what the axioms say.
		var broken Outcome
		if broken, err = m.outcome(Outcome{}, m.axioms()); broken.Kind != Finished {
			out = broken
		}
	}
	if err == nil && out.Kind == Failed {
		var constants []Change
		for _, v := range program.Constants {
			if value, ok := m.constants[v]; ok {
				constants = append(constants, Change{Variable: v, Value: value})
			}
		}
		m.event(Event{Kind: Ended, Depth: m.calls, Procedure: o.Entry, Changes: constants, Outcome: out})
	}
	return out, err
}

// outcome turns the error of a run into its outcome.
func (m *machine) outcome(out Outcome, err error) (Outcome, error) {
	var end *ended
	var at *located
	switch {
	case err == nil:
		return out, nil
	case errors.As(err, &end):
		return end.Outcome, nil
	case errors.As(err, &at) && errors.Is(err, errUndetermined):
		return Outcome{Kind: Undetermined, Pos: at.pos, What: at.err.Error()}, nil
	case errors.Is(err, errUndetermined):
		return Outcome{Kind: Undetermined, What: err.Error()}, nil
	}
	return Outcome{}, err
}

// located says where an error happened.
type located struct {
	pos chc.Position
	err error
}

func (l *located) Error() string { return l.pos.String() + ": " + l.err.Error() }
func (l *located) Unwrap() error { return l.err }

func locate(pos chc.Position, err error) error {
	var at *located
	var end *ended
	if err == nil || errors.As(err, &at) || errors.As(err, &end) {
		return err
	}
	return &located{pos, err}
}

func (m *machine) event(e Event) {
	if m.Observe != nil {
		m.Observe(e)
	}
}

// burn uses up fuel.
func (m *machine) burn(pos chc.Position) error {
	m.fuel--
	if m.fuel < 0 {
		return &ended{Outcome{Kind: OutOfFuel, Pos: pos, What: "the run is too long"}}
	}
	if m.fuel%1024 == 0 {
		return m.ctx.Err()
	}
	return nil
}

// frame is one call of a body.
type frame struct {
	procedure *ast.Procedure
	impl      *ast.Implementation
	locals    map[*ast.Variable]Value
	// old has the globals as they were at entry.
	old map[*ast.Variable]Value
}

func (m *machine) scope(f *frame) *scope {
	return &scope{machine: m, locals: f.locals, globals: m.globals, old: f.old}
}

// run runs the entry.
func (m *machine) run() error {
	p := m.Entry
	if len(p.TypeParams) > 0 {
		return locate(p.Pos, undeterminedf("a run of a procedure with type parameters"))
	}
	changes := make([]Change, 0, len(m.program.Globals)+len(p.In))
	for _, v := range m.program.Globals {
		value, err := m.choices.Initial(v)
		if err != nil {
			return locate(v.Pos, err)
		}
		m.globals[v] = value
		changes = append(changes, Change{Variable: v, Value: value})
	}
	args := make([]Value, len(p.In))
	locals := map[*ast.Variable]Value{}
	for i, v := range p.In {
		value, err := m.choices.Initial(v)
		if err != nil {
			return locate(v.Pos, err)
		}
		args[i], locals[v] = value, value
		changes = append(changes, Change{Variable: v, Value: value})
	}
	m.event(Event{Kind: Begun, Procedure: p, Changes: changes})
	sc := m.scope(&frame{locals: locals, old: m.globals})
	for _, v := range slices.Concat(m.program.Globals, p.In) {
		if err := m.assumeWhere(v, sc); err != nil {
			return err
		}
	}
	for _, spec := range p.Requires {
		if err := m.assume(spec.Cond, sc, spec.Pos, "the precondition of the entry"); err != nil {
			return err
		}
	}
	_, err := m.body(p, args)
	return err
}

// body runs a body of a procedure and returns the results.
func (m *machine) body(p *ast.Procedure, args []Value) ([]Value, error) {
	impl := p.Implementations[0]
	if len(p.Implementations) > 1 {
		i, err := m.choices.Body(p)
		if err != nil {
			return nil, locate(p.Pos, err)
		}
		impl = p.Implementations[i]
	}
	f := &frame{procedure: p, impl: impl, locals: map[*ast.Variable]Value{}, old: maps.Clone(m.globals)}
	for i := range args {
		f.locals[impl.In[i]], f.locals[p.In[i]] = args[i], args[i]
	}
	own := slices.Concat(impl.Out, impl.Body.Locals)
	changes, err := m.fresh(nil, own, m.set(f))
	if err != nil {
		return nil, locate(impl.Pos, err)
	}
	m.event(Event{Kind: Declared, Depth: m.calls, Procedure: p, Body: impl.Body, Changes: changes})
	for _, v := range own {
		if err := m.assumeOwn(f, v); err != nil {
			return nil, err
		}
	}
	if err := m.execute(f); err != nil {
		return nil, err
	}
	results := make([]Value, len(impl.Out))
	for i, v := range impl.Out {
		results[i] = f.locals[v]
	}
	sc := m.contract(f)
	for _, spec := range p.Ensures {
		if !spec.Free {
			if err := m.check(spec.Cond, sc, spec.Pos, "postcondition of "+p.Name); err != nil {
				return nil, err
			}
		}
	}
	for _, spec := range p.Ensures {
		if spec.Free {
			if err := m.assume(spec.Cond, sc, spec.Pos, "a free postcondition of "+p.Name); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// execute runs the instructions of a body to its end.
func (m *machine) execute(f *frame) error {
	c := m.codes[f.impl]
	if c == nil {
		c = translate(f.impl.Body.Stmts)
		m.codes[f.impl] = c
	}
	for pc := 0; pc < len(c.instructions); {
		in := c.instructions[pc]
		pos := f.impl.Body.Pos
		if in.stmt != nil {
			pos = in.stmt.At()
		}
		if err := m.burn(pos); err != nil {
			return err
		}
		if !in.jump {
			if err := m.statement(f, in); err != nil {
				return locate(pos, err)
			}
			pc++
			continue
		}
		way, err := m.way(f, c, in)
		if err != nil {
			return locate(pos, err)
		}
		pc = in.targets[way]
	}
	return nil
}

// way is the index of the target at which a jump goes on.
func (m *machine) way(f *frame, c *code, in instruction) (int, error) {
	var guard ast.Expr
	switch s := in.stmt.(type) {
	case *ast.If:
		guard = s.Guard
	case *ast.While:
		guard = s.Guard
	case *ast.Goto:
		if len(in.targets) == 1 {
			return 0, nil
		}
	default:
		return 0, nil
	}
	way := 0
	if guard != nil {
		holds, err := m.scope(f).truth(guard)
		if err != nil {
			return 0, err
		}
		if !holds {
			way = 1
		}
	} else {
		var err error
		way, err = m.choices.Branch(in.stmt, len(in.targets), func(i int) bool {
			at := in.targets[i]
			if at >= len(c.instructions) {
				return false
			}
			a, ok := c.instructions[at].stmt.(*ast.Assume)
			if !ok {
				return false
			}
			holds, err := m.scope(f).truth(a.Cond)
			return err == nil && !holds
		})
		if err != nil {
			return 0, err
		}
		if way < 0 || way >= len(in.targets) {
			return 0, fmt.Errorf("%s: there is no way %d", in.stmt.At(), way)
		}
	}
	m.event(Event{Kind: Stepped, Depth: m.calls, Procedure: f.procedure, Stmt: in.stmt, Way: way})
	return way, nil
}

// statement executes a statement that is not a jump.
func (m *machine) statement(f *frame, in instruction) error {
	sc := m.scope(f)
	var changes []Change
	switch s := in.stmt.(type) {
	case *ast.While:
		for _, inv := range s.Invariants {
			do := m.check
			if inv.Free {
				do = m.assume
			}
			if err := do(inv.Cond, sc, inv.Pos, "loop invariant"); err != nil {
				return err
			}
		}
		return nil
	case *ast.Assert:
		cond := s.Cond
		if under := s.Attributes.Find("verified_under"); under != nil && len(under.Args) == 1 {
			holds, err := sc.truth(under.Args[0])
			if err != nil {
				return err
			}
			if holds {
				break
			}
		}
		if err := m.check(cond, sc, s.Pos, "assertion"); err != nil {
			return err
		}
	case *ast.Assume:
		if err := m.assume(s.Cond, sc, s.Pos, "an assumption"); err != nil {
			return err
		}
	case *ast.Assign:
		var err error
		if changes, err = m.assign(sc, s); err != nil {
			return err
		}
	case *ast.Havoc:
		vs := make([]*ast.Variable, len(s.Variables))
		for i, id := range s.Variables {
			vs[i] = id.Decl
		}
		var err error
		if changes, err = m.fresh(s, vs, m.set(f)); err != nil {
			return err
		}
		for _, v := range vs {
			if err := m.assumeOwn(f, v); err != nil {
				return err
			}
		}
	case *ast.Call:
		return m.call(f, sc, s)
	default:
		return undeterminedf("a statement of an unknown kind")
	}
	m.event(Event{Kind: Stepped, Depth: m.calls, Procedure: f.procedure, Stmt: in.stmt, Changes: changes})
	return nil
}

// set changes a variable that is visible in a body.
func (m *machine) set(f *frame) func(*ast.Variable, Value) {
	return func(v *ast.Variable, value Value) {
		if v.Kind == ast.Global {
			m.globals[v] = value
		} else {
			f.locals[v] = value
		}
	}
}

// fresh gives variables new values.
func (m *machine) fresh(by ast.Stmt, vs []*ast.Variable, set func(*ast.Variable, Value)) ([]Change, error) {
	changes := make([]Change, len(vs))
	for i, v := range vs {
		value, err := m.choices.Variable(by, v)
		if err != nil {
			return nil, err
		}
		set(v, value)
		changes[i] = Change{Variable: v, Value: value}
	}
	return changes, nil
}

// assign evaluates all right sides, and the indices on the left, before it changes anything.
func (m *machine) assign(sc *scope, s *ast.Assign) ([]Change, error) {
	changes := make([]Change, len(s.Left))
	values := make([]Value, len(s.Left))
	for i, left := range s.Left {
		value, err := sc.eval(s.Right[i])
		if err != nil {
			return nil, err
		}
		changes[i].Value = value
		for {
			at, ok := left.(*ast.Select)
			if !ok {
				break
			}
			index, err := sc.evalAll(at.Index)
			if err != nil {
				return nil, err
			}
			old, err := sc.eval(at.Map)
			if err != nil {
				return nil, err
			}
			changes[i].Path = append(slices.Clone(index), changes[i].Path...)
			if value, err = store(old, index, value); err != nil {
				return nil, err
			}
			left = at.Map
		}
		id, ok := left.(*ast.Identifier)
		if !ok {
			return nil, undeterminedf("an assignment to a field")
		}
		changes[i].Variable, values[i] = id.Decl, value
	}
	for i, c := range changes {
		if c.Variable.Kind == ast.Global {
			sc.globals[c.Variable] = values[i]
		} else {
			sc.locals[c.Variable] = values[i]
		}
	}
	return changes, nil
}

// check ends the run with an error when a condition does not hold.
func (m *machine) check(cond ast.Expr, sc *scope, pos chc.Position, what string) error {
	if m.ExitIsError {
		return m.assume(cond, sc, pos, "a condition that is checked")
	}
	holds, err := sc.truth(cond)
	if err != nil {
		return locate(pos, err)
	}
	if !holds {
		return &ended{Outcome{Kind: Failed, Pos: pos, What: what + " " + ast.String(cond), Values: sc.mentioned(cond)}}
	}
	return nil
}

// assume ends the run when a condition does not hold.
func (m *machine) assume(cond ast.Expr, sc *scope, pos chc.Position, what string) error {
	holds, err := sc.truth(cond)
	if err != nil {
		return locate(pos, err)
	}
	if !holds {
		return &ended{Outcome{Kind: Blocked, Pos: pos, What: what + ": " + ast.String(cond), Values: sc.mentioned(cond)}}
	}
	return nil
}

func (m *machine) assumeWhere(v *ast.Variable, sc *scope) error {
	if v.Where == nil {
		return nil
	}
	return m.assume(v.Where, sc, v.Where.At(), "the where clause of "+v.Name)
}

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
	if len(q.TypeParams) > 0 {
		return undeterminedf("a call of a procedure with type parameters")
	}
	args := make([]Value, len(q.In))
	contract := &frame{procedure: q, locals: map[*ast.Variable]Value{}, old: m.globals}
	for i, formal := range q.In {
		var err error
		if s.Args[i] != nil {
			args[i], err = sc.eval(s.Args[i])
		} else {
			args[i], err = m.choices.Variable(s, formal)
		}
		if err != nil {
			return err
		}
		contract.locals[formal] = args[i]
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
	results, changes, err := m.callee(s, contract, args)
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
		e.Kind, e.Procedure, e.Args = Stepped, f.procedure, args
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
		if m.calls > maxCalls {
			return nil, nil, &ended{Outcome{Kind: OutOfFuel, Pos: s.Pos, What: "calls are too deep"}}
		}
		results, err := m.body(q, args)
		if err == nil {
			m.calls--
		}
		return results, nil, err
	}
	contract.old = maps.Clone(m.globals)
	changes, err := m.fresh(s, slices.Concat(q.Frame, q.Out), m.set(contract))
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
