package interpret

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
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
	// loops is how many of the calls are turns of loops that became procedures: which are no calls in the source.
	loops int
	// deferred are conditions that the run depends on.
	deferred []Deferred
	// frozen is how many quantifiers and axioms are being decided, which with Defer must not give functions new values.
	frozen int
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
		// The constants and functions have to satisfy the axioms.
		var broken Outcome
		m.frozen++
		if broken, err = m.outcome(Outcome{}, m.axioms()); broken.Kind != Finished {
			out = broken
		}
	}
	out.Deferred, out.Applications, out.Constants = m.deferred, m.applications, m.constants
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
		return Outcome{Kind: Undetermined, Pos: at.pos, What: reasonOf(at.err)}, nil
	case errors.Is(err, errUndetermined):
		return Outcome{Kind: Undetermined, What: reasonOf(err)}, nil
	}
	return Outcome{}, err
}

// reasonOf is what could not be decided.
func reasonOf(err error) string {
	return strings.TrimPrefix(err.Error(), errUndetermined.Error()+": ")
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
	if m.Observe == nil || ofLoop(e) {
		return
	}
	e.Depth -= m.loops
	if e.Procedure != nil && e.Procedure.LoopOf != nil {
		e.Procedure = e.Procedure.LoopOf
	}
	m.Observe(e)
}

// ofLoop reports whether something happened only because loops have become procedures: a call of one, or a statement that
// has no place in the source.
func ofLoop(e Event) bool {
	switch e.Kind {
	case Entered, Left, Declared:
		return e.Procedure.LoopOf != nil
	case Stepped:
		switch e.Stmt.(type) {
		case *ast.If, *ast.Assign, *ast.Assume:
			return e.Stmt.At() == chc.Position{}
		}
	}
	return false
}

// spend uses up one unit of fuel; the error says that none is left or that the context is done.
func (m *machine) spend(pos chc.Position) error {
	m.fuel--
	if m.fuel < 0 {
		return &ended{Outcome{Kind: OutOfFuel, Pos: pos, What: "the run is too long"}}
	}
	if m.fuel%stepsPerPoll == 0 {
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
	// types has the types of type parameters, of the procedure and of the implementation.
	types map[*ast.TypeVariable]ast.Type
}

func (m *machine) scope(f *frame) *scope {
	return &scope{machine: m, locals: f.locals, globals: m.globals, old: f.old, types: f.types}
}

// run runs the entry.
func (m *machine) run() error {
	p := m.Entry
	// Any type will do for a type parameter: one that differs from all others.
	own := make([]ast.Type, len(p.TypeParams))
	for i, v := range p.TypeParams {
		own[i] = &ast.Constructed{Decl: &ast.TypeDecl{Pos: v.Pos, Name: v.Name}}
	}
	types := ast.Bind(nil, p.TypeParams, own)
	changes := make([]Change, 0, len(m.program.Globals)+len(p.In))
	for _, v := range m.program.Globals {
		value, err := m.choices.Initial(v, v.Type)
		if err != nil {
			return locate(v.Pos, err)
		}
		m.globals[v] = value
		changes = append(changes, Change{Variable: v, Value: value})
	}
	args := make([]Value, len(p.In))
	locals := map[*ast.Variable]Value{}
	for i, v := range p.In {
		value, err := m.choices.Initial(v, ast.Substitute(v.Type, types))
		if err != nil {
			return locate(v.Pos, err)
		}
		args[i], locals[v] = value, value
		changes = append(changes, Change{Variable: v, Value: value})
	}
	m.event(Event{Kind: Begun, Procedure: p, Changes: changes})
	sc := m.scope(&frame{locals: locals, old: m.globals, types: types})
	for _, v := range slices.Concat(m.program.Globals, p.In) {
		if err := m.assumeWhere(v, sc); err != nil {
			return err
		}
	}
	for _, spec := range p.Requires {
		if spec.Candidate() {
			continue
		}
		if err := m.assume(spec.Cond, sc, spec.Pos, "the precondition of the entry"); err != nil {
			return err
		}
	}
	_, err := m.body(p, args, types)
	return err
}

// body runs a body of a procedure, at types for its type parameters, and returns the results.
func (m *machine) body(p *ast.Procedure, args []Value, types map[*ast.TypeVariable]ast.Type) ([]Value, error) {
	impl := p.Implementations[0]
	if len(p.Implementations) > 1 {
		i, err := m.choices.Body(p)
		if err != nil {
			return nil, locate(p.Pos, err)
		}
		impl = p.Implementations[i]
	}
	f := &frame{procedure: p, impl: impl, locals: map[*ast.Variable]Value{}, old: maps.Clone(m.globals), types: maps.Clone(types)}
	for i, t := range impl.TypeArguments {
		if v, ok := t.(*ast.TypeVariable); ok && len(types) > 0 {
			f.types[v] = types[p.TypeParams[i]]
		}
	}
	for i := range args {
		f.locals[impl.In[i]], f.locals[p.In[i]] = args[i], args[i]
	}
	own := slices.Concat(impl.Out, impl.Body.Locals)
	changes, err := m.fresh(nil, own, f.types, m.set(f))
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
		if !spec.Free && !spec.Candidate() {
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
		if err := m.spend(pos); err != nil {
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
