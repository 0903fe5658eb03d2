package lower

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/machine"
)

// source makes expressions of the dialect that are defined for all values of their variables.
type source struct {
	t    *rapid.T
	vars map[machine.Type][]string
}

func (g *source) leaf(t machine.Type) ast.Expr {
	return &ast.Identifier{Name: rapid.SampledFrom(g.vars[t]).Draw(g.t, "name")}
}

func (g *source) literal(t machine.Type) *ast.IntLiteral {
	n := rapid.OneOf(rapid.Int64Range(-3, 20), rapid.Map(rapid.IntRange(0, t.Bits-1), func(i int) int64 { return 1 << i }), rapid.Int64()).Draw(g.t, "literal")
	return machine.Literal(chc.Position{}, t.Wrap(big.NewInt(n)))
}

// expression has a variable in it.
func (g *source) expression(t machine.Type, depth int) ast.Expr {
	pos := chc.Position{}
	if depth == 0 {
		return g.leaf(t)
	}
	x := g.expression(t, depth-1)
	operand := func() ast.Expr {
		if rapid.Bool().Draw(g.t, "constant") {
			return g.literal(t)
		}
		return g.expression(t, depth-1)
	}
	apply := func(op machine.Op, args ...ast.Expr) ast.Expr {
		return machine.Operation{Op: op, Type: t}.Apply(pos, args...)
	}
	switch op := rapid.SampledFrom([]machine.Op{
		machine.Add, machine.Sub, machine.Mul, machine.Div, machine.Rem, machine.And, machine.Or, machine.Xor, machine.Shl, machine.Shr,
		machine.Neg, machine.Not, machine.Convert, machine.Lt,
	}).Draw(g.t, "op"); op {
	case machine.Neg, machine.Not:
		return apply(op, x)
	case machine.Convert:
		from := rapid.SampledFrom(kinds).Draw(g.t, "from")
		return machine.Operation{Op: op, Type: from, To: t}.Apply(pos, g.expression(from, depth-1))
	case machine.Lt:
		return &ast.IfThenElse{Cond: apply(op, x, operand()), Then: g.expression(t, depth-1), Else: operand()}
	case machine.Shl, machine.Shr:
		return apply(op, x, apply(machine.And, g.expression(t, depth-1), machine.Number(pos, int64(t.Bits-1))))
	case machine.Div, machine.Rem:
		y := g.leaf(t)
		zero := &ast.Binary{Op: ast.Eq, X: y, Y: machine.Number(pos, 0)}
		return &ast.IfThenElse{Cond: zero, Then: x, Else: apply(op, x, y)}
	default:
		return apply(op, x, operand())
	}
}

// chosen is a variable in a turn of the loop, -1 before it.
type chosen struct {
	name string
	turn int
}

// machineRun is a run of a program in the dialect on the machine, with what it computes that lowerings may leave open: facts
// has it for those that know something of bit operations, results for those that do not.
type machineRun struct {
	ids            map[ast.Expr]int
	facts, results map[chosen]*big.Int
	turn           int
	// computed is what a statement has computed so far: an expression that is part of it several times has one value.
	computed map[ast.Expr]*big.Int
}

// statement is the value of an expression of a statement that is executed now.
func (m *machineRun) statement(e ast.Expr, values map[string]*big.Int) *big.Int {
	m.computed = map[ast.Expr]*big.Int{}
	return m.value(e, values)
}

func (m *machineRun) chooses(name string, n *big.Int) {
	m.facts[chosen{name, m.turn}], m.results[chosen{name, m.turn}] = n, n
}

func (m *machineRun) value(e ast.Expr, values map[string]*big.Int) *big.Int {
	switch e := e.(type) {
	case *ast.Identifier:
		return values[e.Name]
	case *ast.IntLiteral:
		return e.Value
	case *ast.Unary:
		return new(big.Int).Neg(m.value(e.X, values))
	case *ast.Binary:
		if m.value(e.X, values).Cmp(m.value(e.Y, values)) == 0 {
			return big.NewInt(1)
		}
		return new(big.Int)
	case *ast.IfThenElse:
		c, x, y := m.value(e.Cond, values), m.value(e.Then, values), m.value(e.Else, values)
		if c.Sign() != 0 {
			return x
		}
		return y
	}
	if m.computed[e] == nil {
		m.computed[e] = m.operation(e, values)
	}
	return m.computed[e]
}

func (m *machineRun) operation(e ast.Expr, values map[string]*big.Int) *big.Int {
	o, args, _ := machine.Recognise(e)
	ns := []*big.Int{nil, nil}
	for i, a := range args {
		ns[i] = m.value(a, values)
	}
	if (o.Op == machine.Div || o.Op == machine.Rem) && ns[1].Sign() == 0 {
		m.divided(e, new(big.Int), new(big.Int))
		return new(big.Int)
	}
	r := compute(o, ns[0], ns[1])
	name := fmt.Sprintf("$b%d", m.ids[e])
	switch o.Op {
	case machine.And, machine.Or, machine.Xor:
		m.facts[chosen{name, m.turn}] = compute(machine.Operation{Op: machine.And, Type: o.Type}, ns[0], ns[1])
		m.results[chosen{name, m.turn}] = r
	case machine.Shl, machine.Shr, machine.Not:
		m.chooses(name, r)
	case machine.Div, machine.Rem:
		q, rest := new(big.Int).QuoRem(ns[0], ns[1], new(big.Int))
		m.divided(e, q.Abs(q), rest.Abs(rest))
	}
	return r
}

func (m *machineRun) divided(e ast.Expr, q, r *big.Int) {
	m.chooses(fmt.Sprintf("$q%d", m.ids[e]), q)
	m.chooses(fmt.Sprintf("$r%d", m.ids[e]), r)
}

// recording answers what a lowered program leaves open with what the machine computed in the same turn.
type recording struct {
	interpret.Choices
	values map[chosen]*big.Int
	turn   int
}

// observe counts the turns.
func (s *recording) observe(e interpret.Event) {
	if a, ok := e.Stmt.(*ast.Assign); ok && e.Kind == interpret.Stepped && ast.Target(a.Left[0]).Name == "i" {
		s.turn++
	}
}

func (s *recording) Variable(by ast.Stmt, v *ast.Variable, t ast.Type) (interpret.Value, error) {
	if _, ok := by.(*ast.Havoc); !ok {
		return interpret.Default(t) // what a variable holds at first
	}
	if quotient, bit, ok := strings.Cut(v.Name, "bit"); ok && t == ast.Bool {
		var k int
		_, _ = fmt.Sscan(bit, &k)
		q := s.values[chosen{quotient, s.turn}]
		return interpret.Bool(q != nil && q.Bit(k) == 1), nil
	}
	n := s.values[chosen{v.Name, s.turn}]
	if n == nil {
		n = new(big.Int)
	}
	if b, ok := t.(*ast.BitVector); ok {
		return interpret.BitVector{Width: b.Width, N: new(big.Int).Mod(n, machine.Power(b.Width))}, nil
	}
	return interpret.Int{N: n}, nil
}

// randomProgram is a program with a loop that calls a procedure, and what the machine does with it.
type randomProgram struct {
	*ast.Program
	run *machineRun
}

// The places of assignments to the counter, which runs report only because they have one, and of assertions.
var counting, asserted = chc.Position{Line: 1, Column: 1}, chc.Position{Line: 9999, Column: 1}

// drawProgram makes one. It asserts of its variables, in the end, what the machine computes.
func drawProgram(rt *rapid.T) randomProgram {
	pos := chc.Position{}
	declare := func(name string, k machine.Type, kind ast.VariableKind) *ast.Variable {
		return &ast.Variable{Kind: kind, Name: name, Syntax: machine.TypeNamed(pos, k.String())}
	}
	g := &source{t: rt, vars: map[machine.Type][]string{}}
	// The procedure: its result is an expression of its parameters.
	callee := &source{t: rt, vars: map[machine.Type][]string{}}
	f := &ast.Procedure{Name: "f", Body: &ast.Body{}}
	for i, k := range kinds {
		name := fmt.Sprintf("p%d", i)
		callee.vars[k] = []string{name}
		f.In = append(f.In, declare(name, k, ast.In))
	}
	result := rapid.SampledFrom(kinds).Draw(rt, "result")
	f.Out = []*ast.Variable{declare("r", result, ast.Out)}
	returned := callee.expression(result, 2)
	f.Body.Stmts = []ast.Stmt{&ast.Assign{Left: []ast.Expr{&ast.Identifier{Name: "r"}}, Right: []ast.Expr{returned}}}

	main := &ast.Procedure{Name: "main", Attributes: ast.Attributes{{Name: "entrypoint"}}, Body: &ast.Body{}}
	values := map[string]*big.Int{}
	run := &machineRun{facts: map[chosen]*big.Int{}, results: map[chosen]*big.Int{}, turn: -1}
	for i, k := range kinds {
		name := fmt.Sprintf("v%d", i)
		g.vars[k] = []string{name}
		main.Body.Locals = append(main.Body.Locals, declare(name, k, ast.Local))
		id := &ast.Identifier{Name: name}
		if rapid.Bool().Draw(rt, "initialised") {
			n := g.literal(k)
			values[name] = n.Value
			main.Body.Stmts = append(main.Body.Stmts, &ast.Assign{Left: []ast.Expr{id}, Right: []ast.Expr{n}})
			continue
		}
		values[name] = g.literal(k).Value
		run.chooses(name, values[name])
		main.Body.Stmts = append(main.Body.Stmts, &ast.Havoc{Variables: []*ast.Identifier{id}})
	}
	counted := rapid.SampledFrom(kinds).Draw(rt, "counter")
	main.Body.Locals = append(main.Body.Locals, declare("i", counted, ast.Local))
	values["i"] = new(big.Int)
	i := &ast.Identifier{Name: "i"}
	if rapid.Bool().Draw(rt, "counter is used") {
		g.vars[counted] = append(g.vars[counted], "i")
	}
	var turn []ast.Stmt
	for range rapid.IntRange(1, 3).Draw(rt, "assignments") {
		j := rapid.IntRange(0, len(kinds)-1).Draw(rt, "to")
		turn = append(turn, &ast.Assign{Left: []ast.Expr{&ast.Identifier{Name: fmt.Sprintf("v%d", j)}}, Right: []ast.Expr{g.expression(kinds[j], 2)}})
	}
	call := &ast.Call{Name: "f"}
	for _, k := range kinds {
		call.Args = append(call.Args, g.leaf(k))
	}
	for j, k := range kinds {
		if k == result {
			call.Results = []*ast.Identifier{{Name: fmt.Sprintf("v%d", j)}}
		}
	}
	if rapid.Bool().Draw(rt, "calls") {
		turn = append(turn, call)
	}
	turns := rapid.Int64Range(0, 5).Draw(rt, "turns")
	once := func(op machine.Op, args ...ast.Expr) ast.Expr {
		return machine.Operation{Op: op, Type: counted}.Apply(pos, args...)
	}
	next := &ast.Assign{Pos: counting, Left: []ast.Expr{i}, Right: []ast.Expr{once(machine.Add, i, machine.Number(pos, 1))}}
	main.Body.Stmts = append(main.Body.Stmts,
		&ast.Assign{Pos: counting, Left: []ast.Expr{i}, Right: []ast.Expr{machine.Number(pos, 0)}},
		&ast.Label{Name: "loop"},
		&ast.If{Guard: once(machine.Lt, i, machine.Number(pos, turns)), Then: append(append([]ast.Stmt{}, turn...), next, &ast.Goto{Labels: []string{"loop"}})})
	p := &ast.Program{Declarations: []ast.Declaration{main, f}}
	require.NoError(rt, machine.Declare(p))
	run.ids = numbering(p)
	for range turns {
		run.turn++
		for _, s := range turn {
			switch s := s.(type) {
			case *ast.Assign:
				values[s.Left[0].(*ast.Identifier).Name] = run.statement(s.Right[0], values)
			case *ast.Call:
				local := map[string]*big.Int{}
				for k, a := range s.Args {
					local[f.In[k].Name] = run.statement(a, values)
				}
				values[s.Results[0].Name] = run.statement(returned, local)
			}
		}
		values["i"] = new(big.Int).Add(values["i"], big.NewInt(1))
	}
	for _, v := range main.Body.Locals {
		main.Body.Stmts = append(main.Body.Stmts, &ast.Assert{Pos: asserted, Cond: &ast.Binary{Op: ast.Eq, X: &ast.Identifier{Name: v.Name}, Y: machine.Literal(pos, values[v.Name])}})
	}
	require.NoError(rt, boogie.Check(p, boogie.Options{}))
	return randomProgram{p, run}
}

// runs runs a lowering of the program on what the machine chose and computed.
func (p randomProgram) runs(rt *rapid.T, q *ast.Program, o Options) (interpret.Outcome, *Lowered) {
	l, err := Lower(rt.Context(), q, o)
	require.NoError(rt, err)
	values := p.run.facts
	if o.Mode == NoVectors || o.Mode == Guided {
		values = p.run.results
	}
	var entry *ast.Procedure
	for _, d := range l.Program.Procedures {
		if d.Name == "main" {
			entry = d
		}
	}
	r := &recording{values: values, turn: -1}
	outcome, err := interpret.Run(rt.Context(), l.Program, r, interpret.Options{Entry: entry, Observe: r.observe})
	require.NoError(rt, err)
	return outcome, l
}

func show(ps ...*ast.Program) string {
	var s strings.Builder
	for _, p := range ps {
		_ = ast.Print(&s, p)
	}
	return s.String()
}

// What programs with loops and calls compute is what the machine computes, in every mode, however much of it is exact, and
// with loops written out.
func TestLoweringsOfProgramsAreFaithful(t *testing.T) {
	unrolled, unwound := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProgram(rt)
		exact := &Plan{Exact: everything(p.run.ids)}
		for _, o := range []Options{
			{Mode: Ranged}, {Mode: Ranged, Plan: exact}, {Mode: Ranged, Plan: &Plan{Vectors: everyOther(rt)}}, {Mode: AllVectors},
			{Mode: Guided}, {Mode: Guided, Plan: &Plan{Vectors: everyOther(rt)}},
		} {
			o.PointerBits = 32
			outcome, l := p.runs(rt, p.Program, o)
			require.Equal(rt, interpret.Finished, outcome.Kind, "%s %s\n%s", o.Mode, outcome, show(p.Program, l.Program))
		}
		u, err := Unroll(rt.Context(), p.Program, Options{Mode: Ranged, PointerBits: 32})
		require.NoError(rt, err)
		if u.Program != p.Program {
			unrolled++
			for _, o := range []Options{{Mode: Ranged}, {Mode: Ranged, Plan: exact}, {Mode: Guided}} {
				o.PointerBits, o.Copies = 32, u.Origin
				outcome, l := p.runs(rt, u.Program, o)
				require.Equal(rt, interpret.Finished, outcome.Kind, "unrolled: %s\n%s", outcome, show(p.Program, l.Program))
			}
		}
		whole, bounded, err := loops.Unwind(rt.Context(), p.Program, 32, true)
		require.NoError(rt, err)
		if bounded {
			unwound++
			for _, o := range []Options{{Mode: Ranged}, {Mode: Ranged, Plan: exact}, {Mode: AllVectors}} {
				o.PointerBits, o.Copies = 32, whole.Origin
				outcome, l := p.runs(rt, whole.Program, o)
				require.Equal(rt, interpret.Finished, outcome.Kind, "unwound: %s\n%s", outcome, show(p.Program, l.Program))
			}
		}
		// The loop behind its turns does what is left to do, however few these are, and so does what follows it.
		turns := map[string]int{"main loop": rapid.IntRange(1, 3).Draw(rt, "written out")}
		for _, duplicate := range []bool{false, true} {
			room := 1000
			most := &room
			if !duplicate {
				most = nil
			}
			few, err := loops.Expand(p.Program, turns, most)
			require.NoError(rt, err)
			outcome, l := p.runs(rt, few.Program, Options{Mode: Ranged, PointerBits: 32, Copies: few.Origin})
			require.Equal(rt, interpret.Finished, outcome.Kind, "written out: %s\n%s", outcome, show(few.Program, l.Program))
		}
	})
	require.Positive(t, unrolled)
	require.Positive(t, unwound)
}

// Without bounds, of all integers or of signed ones, but checked, a run of the machine is one of the lowered program, or fails where
// an integer leaves its range.
func TestCheckedLoweringsAreFaithful(t *testing.T) {
	for _, o := range []Options{{Mode: NoVectors, Checked: true}, {Mode: Ranged, Unbounded: true, Checked: true}} {
		t.Run(o.Mode.String(), func(t *testing.T) { checkedLoweringsAreFaithful(t, o) })
	}
}

func checkedLoweringsAreFaithful(t *testing.T, o Options) {
	o.PointerBits = 32
	finished, failed := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProgram(rt)
		outcome, l := p.runs(rt, p.Program, o)
		switch outcome.Kind {
		case interpret.Finished:
			finished++
			if o.Unbounded {
				// A run without overflow is one of the lowering that does not check for any.
				unchecked := o
				unchecked.Checked = false
				outcome, l := p.runs(rt, p.Program, unchecked)
				require.Equal(rt, interpret.Finished, outcome.Kind, "unchecked: %s\n%s", outcome, show(p.Program, l.Program))
			}
		case interpret.Failed:
			failed++
			require.NotEqual(rt, asserted, outcome.Pos, "%s\n%s", outcome, show(p.Program, l.Program))
			require.True(rt, l.Overflows[outcome.Pos])
		default:
			rt.Fatalf("%s\n%s", outcome, show(p.Program, l.Program))
		}
	})
	require.Positive(t, finished)
	require.Positive(t, failed)
}
