package trace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/internal/smt"
)

// confirmTime bounds the time for the question whether a run is one of the program.
const confirmTime = 5 * time.Second

// confirm asks a solver for functions for which the conditions hold that a run depends on, all axioms about what it uses
// among them, and which have the values that the run took. A model of all that is a program's run; an error says that none
// was found.
func confirm(ctx context.Context, program *ast.Program, p *replayer, o interpret.Outcome, open smt.Opener) error {
	j := &translator{replayer: p, program: program, pool: term.NewPool(), functions: map[*ast.Function]*term.Func{}, constants: o.Constants}
	var facts []*term.Term
	add := func(f func() *term.Term) (err error) {
		defer func() {
			if r := recover(); r != nil {
				e, ok := r.(inexpressible)
				if !ok {
					panic(r)
				}
				err = fmt.Errorf("%w: %s", ErrUndetermined, e.what)
			}
		}()
		facts = append(facts, f())
		return nil
	}
	for _, d := range o.Deferred {
		err := add(func() *term.Term {
			t := j.formula(d.Cond, &meaning{deferred: &d})
			if d.Negated {
				t = j.pool.Not(t)
			}
			return t
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.Pos, err)
		}
	}
	// The other axioms hold for the values that the run took. The functions may have other values elsewhere, so the
	// axioms about them are asserted again.
	wanted := map[*ast.Axiom]bool{}
	for again := true; again; {
		again = false
		for _, a := range program.Axioms {
			if wanted[a] || !j.mentions(a.Cond) {
				continue
			}
			wanted[a], again = true, true
			err := add(func() *term.Term { return j.formula(a.Cond, &meaning{deferred: &interpret.Deferred{Value: j.free}}) })
			if err != nil {
				return fmt.Errorf("%s: %w", a.Pos, err)
			}
		}
	}
	for _, a := range o.Applications {
		if a.Function == nil || j.functions[a.Function] == nil {
			continue // no condition mentions it
		}
		err := add(func() *term.Term {
			args := make([]*term.Term, len(a.Args))
			for i, v := range a.Args {
				args[i] = j.value(v, a.Function.Params[i].Type)
			}
			return j.pool.Eq(j.pool.Apply(j.functions[a.Function], args...), j.value(a.Result, a.Function.Result.Type))
		})
		if err != nil {
			return err
		}
	}
	c, err := open(j.pool, smt.Config{})
	if err != nil {
		return fmt.Errorf("replay a refutation: %w", err)
	}
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{Auto: true})
	if err != nil {
		return fmt.Errorf("replay a refutation: %w", err)
	}
	solver.SetLimit(smt.Limit{Time: confirmTime})
	if err := solver.Assert(facts...); err != nil {
		return fmt.Errorf("replay a refutation: %w", err)
	}
	status, err := solver.Check(ctx)
	if err == nil && status == smt.Sat {
		return nil
	}
	d := o.Deferred[0]
	if status == smt.Unsat {
		return fmt.Errorf("there are no functions for which the run is one: %s, among others, does not hold (%s)", ast.String(d.Cond), d.Pos)
	}
	return fmt.Errorf("%w: %s: %s", ErrUndetermined, d.Pos, ast.String(d.Cond))
}

// inexpressible is the panic value that ends a translation.
type inexpressible struct{ what string }

func fail(format string, args ...any) { panic(inexpressible{fmt.Sprintf(format, args...)}) }

// translator translates conditions for a solver. It shares nothing with the encoding of programs: a function is an
// uninterpreted function, a variable its value in the run.
type translator struct {
	*replayer
	program   *ast.Program
	pool      *term.Pool
	functions map[*ast.Function]*term.Func
	// constants are those that the run needed.
	constants map[*ast.Variable]interpret.Value
}

// free returns the value of a constant. A constant that the run did not need has any value, unless it is unique.
func (j *translator) free(v *ast.Variable, _ bool) (interpret.Value, bool) {
	if value, ok := j.constants[v]; ok || v.Kind != ast.Constant || v.Unique {
		return value, ok
	}
	value, err := j.Constant(v)
	return value, err == nil
}

// mentions reports whether an axiom mentions a declared function, directly or in the body of another function.
func (j *translator) mentions(x ast.Expr) bool {
	found := false
	seen := map[*ast.Function]bool{}
	var visit func(x ast.Expr) bool
	visit = func(x ast.Expr) bool {
		if a, ok := x.(*ast.Application); ok && !seen[a.Function] {
			seen[a.Function] = true
			found = found || j.functions[a.Function] != nil
			ast.Inspect(a.Function.Body, visit)
		}
		return !found
	}
	ast.Inspect(x, visit)
	return found
}

// meaning says what the variables of a condition stand for.
type meaning struct {
	deferred *interpret.Deferred
	bound    map[*ast.Variable]*term.Term
	inOld    bool
	// depth is how many functions are being expanded.
	depth int
}

func (m *meaning) with(vs []*ast.Variable, ts []*term.Term) *meaning {
	inner := *m
	inner.bound = map[*ast.Variable]*term.Term{}
	maps.Copy(inner.bound, m.bound)
	for i, v := range vs {
		inner.bound[v] = ts[i]
	}
	return &inner
}

// sort is the sort of a type's values: those of an uninterpreted type are numbered, as in a run.
func (j *translator) sort(t ast.Type) *term.Sort {
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return term.Bool
		case ast.Int:
			return term.Int
		}
		return term.Real
	case *ast.BitVector:
		if t.Width > 0 {
			return j.pool.BitVec(t.Width)
		}
	case *ast.Constructed:
		if len(t.Decl.Constructors) == 0 {
			return term.Int
		}
	case *ast.Map:
		if len(t.Params) == 0 {
			s := j.sort(t.Range)
			for _, d := range slices.Backward(t.Domain) {
				s = j.pool.Array(j.sort(d), s)
			}
			return s
		}
	}
	fail("values of the type %s", t)
	return nil
}

// value is a value of the run.
func (j *translator) value(v interpret.Value, t ast.Type) *term.Term {
	p := j.pool
	switch v := v.(type) {
	case interpret.Bool:
		return p.Bool(bool(v))
	case interpret.Int:
		return p.IntNum(term.NumFromBig(v.N))
	case interpret.Real:
		return p.Real(term.NumFromRat(v.R))
	case interpret.BitVector:
		if v.Width > 0 {
			return p.BVNum(term.NumFromBig(v.N), v.Width)
		}
	case interpret.Element:
		return p.IntNum(term.NumFromBig(v.N))
	case *interpret.Map:
		m, ok := t.(*ast.Map)
		if !ok || len(m.Params) > 0 || len(m.Domain) == 0 {
			break
		}
		inner := m.Rest()
		fallback, entries := v.Entries()
		if fallback == nil {
			break
		}
		out := p.ConstArray(j.sort(t), j.value(fallback, inner))
		for _, e := range entries {
			out = p.Store(out, j.value(e[0], m.Domain[0]), j.value(e[1], inner))
		}
		return out
	}
	fail("the value %s", v)
	return nil
}

// formula is a condition, or another expression.
func (j *translator) formula(x ast.Expr, m *meaning) *term.Term {
	p := j.pool
	switch x := x.(type) {
	case *ast.BoolLiteral:
		return p.Bool(x.Value)
	case *ast.IntLiteral:
		return p.IntNum(term.NumFromBig(x.Value))
	case *ast.RealLiteral:
		return p.Real(term.NumFromRat(x.Value))
	case *ast.BitVectorLiteral:
		if x.Width > 0 {
			return p.BVNum(term.NumFromBig(x.Value), x.Width)
		}
	case *ast.Identifier:
		if t := m.bound[x.Decl]; t != nil {
			return t
		}
		value := m.deferred.Value
		if x.Decl.Kind == ast.Constant {
			value = j.free
		}
		if v, ok := value(x.Decl, m.inOld); ok {
			return j.value(v, ast.Substitute(x.Type, m.deferred.Types))
		}
	case *ast.Unary:
		t := j.formula(x.X, m)
		switch x.Op {
		case ast.Not:
			return p.Not(t)
		case ast.Negate:
			return p.Neg(t)
		case ast.ToInt:
			return p.ToInt(t)
		}
		return p.ToReal(t)
	case *ast.Binary:
		return j.binary(x, m)
	case *ast.Select:
		if len(x.TypeArguments) == 0 {
			t := j.formula(x.Map, m)
			for _, i := range x.Index {
				t = p.Select(t, j.formula(i, m))
			}
			return t
		}
	case *ast.Store:
		if len(x.TypeArguments) == 0 {
			return j.store(j.formula(x.Map, m), x.Index, x.Value, m)
		}
	case *ast.IfThenElse:
		return p.Ite(j.formula(x.Cond, m), j.formula(x.Then, m), j.formula(x.Else, m))
	case *ast.Old:
		inner := *m
		inner.inOld = true
		return j.formula(x.X, &inner)
	case *ast.Coercion:
		return j.formula(x.X, m)
	case *ast.Let:
		return j.formula(x.Body, m.with(x.Bound, j.formulas(x.Values, m)))
	case *ast.Quantifier:
		if len(x.TypeParams) > 0 {
			break
		}
		ts := make([]*term.Term, len(x.Bound))
		for i, v := range x.Bound {
			ts[i] = p.Fresh(v.Name, j.sort(ast.Substitute(v.Type, m.deferred.Types)))
		}
		body := j.formula(x.Body, m.with(x.Bound, ts))
		if x.Exists {
			return p.Exists(ts, body)
		}
		return p.Forall(ts, body)
	case *ast.Application:
		return j.application(x, m)
	}
	fail("expressions such as %s", ast.String(x))
	return nil
}

func (j *translator) formulas(xs []ast.Expr, m *meaning) []*term.Term {
	out := make([]*term.Term, len(xs))
	for i, x := range xs {
		out[i] = j.formula(x, m)
	}
	return out
}

func (j *translator) store(t *term.Term, index []ast.Expr, value ast.Expr, m *meaning) *term.Term {
	if len(index) == 0 {
		return j.formula(value, m)
	}
	i := j.formula(index[0], m)
	return j.pool.Store(t, i, j.store(j.pool.Select(t, i), index[1:], value, m))
}

// application expands a function with a body; others are functions of the solver.
func (j *translator) application(x *ast.Application, m *meaning) *term.Term {
	f := x.Function
	if f.Datatype != nil || len(f.TypeParams) > 0 || f.Builtin() != "" {
		fail("expressions such as %s", ast.String(x))
	}
	args := j.formulas(x.Args, m)
	if f.Body != nil {
		inner := m.with(f.Params, args)
		if inner.depth++; inner.depth > 50 {
			fail("the function %s, which applies itself", f.Name)
		}
		return j.formula(f.Body, inner)
	}
	if j.functions[f] == nil {
		domain := make([]*term.Sort, len(f.Params))
		for i, v := range f.Params {
			domain[i] = j.sort(v.Type)
		}
		j.functions[f] = j.pool.DeclareFunc(f.Name, domain, j.sort(f.Result.Type))
	}
	return j.pool.Apply(j.functions[f], args...)
}

func (j *translator) binary(x *ast.Binary, m *meaning) *term.Term {
	p := j.pool
	a, b := j.formula(x.X, m), j.formula(x.Y, m)
	switch x.Op {
	case ast.Iff, ast.Eq, ast.Neq:
		if !ast.Equal(x.X.TypeOf(), x.Y.TypeOf()) || a.Sort() != b.Sort() {
			break
		}
		return encode.Operator(p, x.Op, a, b)
	case ast.Div, ast.Mod:
		// The values that the run took for divisions by zero are not known here.
		if !b.IsNumeral() || b == p.Int(0) {
			break
		}
		if x.Op == ast.Div {
			return p.IntDiv(a, b)
		}
		return p.Mod(a, b)
	default:
		if t := encode.Operator(p, x.Op, a, b); t != nil {
			return t
		}
	}
	fail("expressions such as %s", ast.String(x))
	return nil
}
