package svlib

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/boogie/trace"
)

// Errors of Replay, which wraps one of them: a trace that is no run that breaks the annotation, and one that cannot be followed.
var (
	ErrRefused   = errors.New("refused")
	ErrUndecided = errors.New("undecided")
)

// Replay runs the program as a trace says. The run has to break the annotation that the trace names, and no other one before. A
// trace with leaps is one of Modular's program.
func (p *Program) Replay(ctx context.Context, t *Trace) error {
	root := entryName
	steps := t.Steps
	var leap *Step
	if len(steps) > 0 && steps[0].Kind == "leap" {
		for name, q := range p.roots {
			if q == t.Entry && tagged(q.Body, steps[0].Name) {
				root, leap, steps = name, &steps[0], steps[1:]
			}
		}
	}
	if leap == nil && t.Entry != p.Call.Procedure {
		return fmt.Errorf("%w: the run begins with %s, and the verify-call with %s", ErrRefused, t.Entry.Name, p.Call.Procedure.Name)
	}
	i := slices.IndexFunc(p.Tree.Procedures, func(q *ast.Procedure) bool { return q.Name == root })
	f := &follower{program: p, trace: t, steps: steps, inputs: leap}
	outcome, err := interpret.Run(ctx, p.Tree, f, interpret.Options{Entry: p.Tree.Procedures[i]})
	switch {
	case f.wrong != nil:
		return fmt.Errorf("%w: %w", ErrRefused, f.wrong)
	case err != nil:
		return err
	case outcome.Kind == interpret.Undetermined || outcome.Kind == interpret.OutOfFuel:
		return fmt.Errorf("%w: %s", ErrUndecided, outcome)
	case outcome.Kind != interpret.Failed:
		return fmt.Errorf("%w: the run breaks no annotation: %s", ErrRefused, outcome)
	}
	tag, attribute, text, ok := p.broken(outcome)
	if !ok || tag != term.QuoteSymbol(t.Tag) || attribute != t.Attribute || t.Text != "" && text != t.Text {
		return fmt.Errorf("%w: the run breaks another annotation: %s: %s %s", ErrRefused, outcome.Pos, attribute, text)
	}
	return nil
}

// tagged reports whether a statement has a tag, or is named by its place.
func tagged(s *Statement, tag string) bool {
	return slices.Contains(s.Tags, tag) || tagOf(s) == term.QuoteSymbol(tag)
}

// follower answers the questions of a run by the steps of a trace. What the trace leaves out has some value.
type follower struct {
	program *Program
	trace   *Trace
	steps   []Step
	// inputs is the leap into the contract of the procedure with which the run begins, nil for none.
	inputs *Step
	// current is the step that the last question was answered by, and wrong says why the trace does not fit.
	current *Step
	wrong   error
}

// fail ends the run: the trace does not fit.
func (f *follower) fail(format string, args ...any) error {
	f.wrong = fmt.Errorf(format, args...)
	return f.wrong
}

func (f *follower) Constant(v *ast.Variable) (interpret.Value, error) {
	d, ok := f.trace.Model[v.Name]
	if !ok {
		return interpret.Default(v.Type)
	}
	if len(d.params) > 0 {
		return nil, f.fail("the model gives parameters to the constant %s", v.Name)
	}
	return f.evaluate(d.body, nil, v.Type)
}

// evaluate is the value of a ground term, under values for its variables.
func (f *follower) evaluate(t *term.Term, values map[*term.Term]*term.Term, typ ast.Type) (interpret.Value, error) {
	v, ok := term.NewTotalEvaluator(f.program.Script.Pool, term.MapAssignment(nil)).Eval(f.program.Script.Pool.Substitute(t, values))
	if !ok {
		return nil, f.fail("the model has %s, which is no value", t)
	}
	return f.value(v, typ)
}

func (f *follower) value(v term.Value, typ ast.Type) (interpret.Value, error) {
	if typ == ast.Real && v.Sort() == term.Int {
		v = term.NumValue(v.Num(), term.Real)
	}
	value, err := trace.Value(v, typ)
	if err != nil {
		return nil, f.fail("the trace has a value of the sort %s where one of the type %s is wanted", v.Sort(), typ)
	}
	return value, nil
}

func (f *follower) Apply(g *ast.Function, _ ast.BinaryOp, _ []ast.Type, args []interpret.Value, result ast.Type) (interpret.Value, error) {
	if g == nil {
		return interpret.Default(result)
	}
	d, ok := f.trace.Model[g.Name]
	if !ok {
		return interpret.Default(result)
	}
	if len(d.params) != len(args) {
		return nil, f.fail("the model gives %d parameters to %s", len(d.params), g.Name)
	}
	r := &Recorder{program: f.program}
	values := map[*term.Term]*term.Term{}
	for i, p := range d.params {
		t, err := r.termOf(args[i], p.Sort())
		if err != nil {
			return nil, f.fail("%w", err)
		}
		values[p] = t
	}
	return f.evaluate(d.body, values, result)
}

func (f *follower) Initial(v *ast.Variable, typ ast.Type) (interpret.Value, error) {
	values := f.trace.Globals
	if v.Kind == ast.In {
		values = f.inputs.Values
	}
	return f.given(values, v, typ)
}

// given is the value of a variable among values, or some value.
func (f *follower) given(values map[string]*term.Term, v *ast.Variable, typ ast.Type) (interpret.Value, error) {
	if t, ok := values[v.Name]; ok {
		return f.value(term.TermValue(t), typ)
	}
	return interpret.Default(typ)
}

// next takes the next step if it is of the kind.
func (f *follower) next(kind string, fits func(s *Step) bool) *Step {
	for len(f.steps) > 0 {
		s := &f.steps[0]
		if s.Kind == kind && fits(s) {
			f.steps = f.steps[1:]
			return s
		}
		// Entering a procedure without variables asks for nothing.
		if s.Kind != "init-proc-vars" || len(s.Values) > 0 {
			return nil
		}
		f.steps = f.steps[1:]
	}
	return nil
}

func (f *follower) Variable(by ast.Stmt, v *ast.Variable, typ ast.Type) (interpret.Value, error) {
	own := f.program.variables[v]
	if by == nil {
		if own == nil {
			return interpret.Default(typ) // an earlier value, which is not known yet
		}
		p := f.program.owners[v]
		if first := slices.Concat(p.Out, p.Locals)[0]; first == own {
			f.current = f.next("init-proc-vars", func(s *Step) bool { return s.Name == p.Name })
		}
		if f.current == nil {
			return interpret.Default(typ)
		}
		return f.given(f.current.Values, v, typ)
	}
	if h := by.(*ast.Havoc); h.Variables[0].Decl == v {
		from := f.program.origins[by]
		kind, fits := "leap", func(s *Step) bool { return tagged(from, s.Name) }
		switch from.Operation {
		case Havoc:
			kind, fits = "havoc", func(*Step) bool { return true }
		case Call:
			fits = func(s *Step) bool { return tagged(from.Callee.Body, s.Name) }
		}
		if f.current = f.next(kind, fits); f.current == nil {
			return nil, f.fail("%s: the trace has no step %s here", by.At(), kind)
		}
	}
	return f.given(f.current.Values, v, typ)
}

func (f *follower) Branch(at ast.Stmt, n int, blocked func(int) bool) (int, error) {
	if f.program.origins[at] == nil {
		for i := range n {
			if !blocked(i) {
				return i, nil
			}
		}
		return 0, nil
	}
	s := f.next("choice", func(*Step) bool { return true })
	if s == nil || s.Way >= n {
		return 0, f.fail("%s: the trace has no choice among %d ways here", at.At(), n)
	}
	return s.Way, nil
}

func (f *follower) Body(*ast.Procedure) (int, error) { return 0, nil }
