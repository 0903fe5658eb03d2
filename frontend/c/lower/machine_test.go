package lower

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/machine"
)

// The reference: what the machine computes. It is written from C's definition and shares nothing with the lowering.
func compute(o machine.Operation, x, y *big.Int) *big.Int {
	t := o.Type
	bit := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	r := new(big.Int)
	switch o.Op {
	case machine.Add:
		r.Add(x, y)
	case machine.Sub:
		r.Sub(x, y)
	case machine.Mul:
		r.Mul(x, y)
	case machine.Div:
		r.Quo(x, y)
	case machine.Rem:
		r.Rem(x, y)
	case machine.And:
		r.And(x, y)
	case machine.Or:
		r.Or(x, y)
	case machine.Xor:
		r.Xor(x, y)
	case machine.Shl:
		r.Lsh(x, uint(y.Int64()))
	case machine.Shr:
		r.Rsh(x, uint(y.Int64()))
	case machine.Neg:
		r.Neg(x)
	case machine.Not:
		r.Not(x)
	case machine.Lt:
		return bit(x.Cmp(y) < 0)
	case machine.Le:
		return bit(x.Cmp(y) <= 0)
	case machine.Gt:
		return bit(x.Cmp(y) > 0)
	case machine.Ge:
		return bit(x.Cmp(y) >= 0)
	case machine.Convert:
		return o.To.Wrap(x)
	}
	if o.Fits {
		return bit(t.Has(r))
	}
	return t.Wrap(r)
}

// script answers the open values of a lowered straight-line program with what the machine computes.
type script struct {
	interpret.Choices
	values map[string]*big.Int
}

func (s *script) Variable(_ ast.Stmt, v *ast.Variable, t ast.Type) (interpret.Value, error) {
	n, ok := s.values[v.Name]
	if !ok {
		n = new(big.Int)
	}
	if t == ast.Bool {
		return interpret.Bool(n.Sign() != 0), nil
	}
	if b, ok := t.(*ast.BitVector); ok {
		return interpret.BitVector{Width: b.Width, N: new(big.Int).Mod(n, machine.Power(b.Width))}, nil
	}
	return interpret.Int{N: n}, nil
}

// generator makes random expressions of the dialect with their values.
type generator struct {
	t      *rapid.T
	vars   map[machine.Type][]string
	values map[string]*big.Int
}

func (g *generator) constant(t machine.Type) *big.Int {
	switch rapid.IntRange(0, 4).Draw(g.t, "way") {
	case 0:
		return t.Wrap(big.NewInt(rapid.Int64Range(-3, 3).Draw(g.t, "small")))
	case 1:
		return t.Min()
	case 2:
		return t.Max()
	case 3:
		return t.Wrap(new(big.Int).Lsh(big.NewInt(1), uint(rapid.IntRange(0, t.Bits-1).Draw(g.t, "bit"))))
	}
	return t.Wrap(big.NewInt(rapid.Int64().Draw(g.t, "any")))
}

// value is an expression of the type with its value. A divisor is never 0, and a shift's count within the width.
func (g *generator) value(t machine.Type, depth int) (ast.Expr, *big.Int) {
	pos := chc.Position{}
	if depth == 0 || rapid.IntRange(0, 5).Draw(g.t, "leaf") == 0 {
		if names := g.vars[t]; len(names) > 0 && rapid.Bool().Draw(g.t, "variable") {
			name := rapid.SampledFrom(names).Draw(g.t, "name")
			return &ast.Identifier{Name: name}, g.values[name]
		}
		n := g.constant(t)
		return machine.Literal(pos, n), n
	}
	switch op := rapid.SampledFrom([]machine.Op{
		machine.Add, machine.Sub, machine.Mul, machine.Div, machine.Rem, machine.And, machine.Or, machine.Xor, machine.Shl, machine.Shr,
		machine.Neg, machine.Not, machine.Convert, machine.Lt,
	}).Draw(g.t, "op"); op {
	case machine.Convert:
		from := rapid.SampledFrom(kinds).Draw(g.t, "from")
		o := machine.Operation{Op: op, Type: from, To: t}
		x, n := g.operand(from, depth)
		return o.Apply(pos, x), compute(o, n, nil)
	case machine.Neg, machine.Not:
		o := machine.Operation{Op: op, Type: t}
		x, n := g.operand(t, depth)
		return o.Apply(pos, x), compute(o, n, nil)
	case machine.Lt:
		// A choice by a comparison, or by the question whether an operation fits.
		o := machine.Operation{Op: rapid.SampledFrom([]machine.Op{machine.Lt, machine.Le, machine.Gt, machine.Ge}).Draw(g.t, "comparison"), Type: t}
		if rapid.Bool().Draw(g.t, "fits") {
			o.Op, o.Fits = rapid.SampledFrom([]machine.Op{machine.Add, machine.Sub, machine.Mul, machine.Div, machine.Shl}).Draw(g.t, "fits op"), true
		}
		x, m := g.operand(t, depth)
		y, n := g.operand(t, depth)
		switch {
		case o.Op == machine.Div && n.Sign() == 0:
			n = big.NewInt(-1)
			if !t.Signed {
				n = t.Max()
			}
			y = machine.Literal(pos, n)
		case o.Op == machine.Shl && (n.Sign() < 0 || n.Cmp(big.NewInt(int64(t.Bits))) >= 0):
			mask := big.NewInt(int64(t.Bits - 1))
			n = new(big.Int).And(n, mask)
			y = machine.Operation{Op: machine.And, Type: t}.Apply(pos, y, machine.Literal(pos, mask))
		}
		then, a := g.value(t, depth-1)
		other, b := g.value(t, depth-1)
		r := b
		if compute(o, m, n).Sign() != 0 {
			r = a
		}
		return &ast.IfThenElse{Cond: o.Apply(pos, x, y), Then: then, Else: other}, r
	case machine.Shl, machine.Shr:
		o := machine.Operation{Op: op, Type: t}
		x, m := g.operand(t, depth)
		y, n := g.value(t, depth-1)
		if n.Sign() < 0 || n.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			n = big.NewInt(rapid.Int64Range(0, int64(t.Bits-1)).Draw(g.t, "count"))
			y = machine.Literal(pos, n)
		}
		return o.Apply(pos, x, y), compute(o, m, n)
	default:
		o := machine.Operation{Op: op, Type: t}
		x, m := g.operand(t, depth)
		y, n := g.value(t, depth-1)
		if t.Bits > 8 && rapid.IntRange(0, 2).Draw(g.t, "narrow") == 0 {
			x, m = g.converted(t)
			y, n = g.converted(t)
		}
		if (op == machine.Div || op == machine.Rem) && n.Sign() == 0 {
			n = big.NewInt(3)
			y = machine.Literal(pos, n)
		}
		return o.Apply(pos, x, y), compute(o, m, n)
	}
}

// converted is a variable of a narrower type as one of the type, at the ends of its range as often as not.
func (g *generator) converted(t machine.Type) (ast.Expr, *big.Int) {
	from := rapid.SampledFrom(kinds[:2]).Draw(g.t, "from")
	name := rapid.SampledFrom(g.vars[from]).Draw(g.t, "name")
	o := machine.Operation{Op: machine.Convert, Type: from, To: t}
	return o.Apply(chc.Position{}, &ast.Identifier{Name: name}), compute(o, g.values[name], nil)
}

// operand is an expression that types an operation: no literal, which the dialect folds.
func (g *generator) operand(t machine.Type, depth int) (ast.Expr, *big.Int) {
	e, n := g.value(t, depth-1)
	if _, literal := machine.Numeral(e); literal {
		name := rapid.SampledFrom(g.vars[t]).Draw(g.t, "name")
		return &ast.Identifier{Name: name}, g.values[name]
	}
	return e, n
}

var kinds = []machine.Type{{Bits: 8, Signed: true}, {Bits: 8}, {Bits: 16, Signed: true}, {Bits: 32, Signed: true}, {Bits: 32}, {Bits: 64}}

// evaluate computes every operation of the program's assignments, for the values of what the lowering leaves open.
func evaluate(e ast.Expr, values map[string]*big.Int, seen func(ast.Expr, []*big.Int)) *big.Int {
	switch e := e.(type) {
	case *ast.Identifier:
		return values[e.Name]
	case *ast.IntLiteral:
		return e.Value
	case *ast.IfThenElse:
		c, x, y := evaluate(e.Cond, values, seen), evaluate(e.Then, values, seen), evaluate(e.Else, values, seen)
		if c.Sign() != 0 {
			return x
		}
		return y
	}
	o, args, _ := machine.Recognise(e)
	var ns []*big.Int
	for _, a := range args {
		ns = append(ns, evaluate(a, values, seen))
	}
	seen(e, ns)
	if len(ns) == 1 {
		ns = append(ns, nil)
	}
	return compute(o, ns[0], ns[1])
}

// What a lowered program computes is what the machine computes: in ranged mode and with bit-vectors exactly; where ranged
// mode leaves a value open, the machine's value is one of those that it allows.
func TestLoweringsAreFaithful(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := &generator{t: rt, vars: map[machine.Type][]string{}, values: map[string]*big.Int{}}
		body := &ast.Body{}
		for i, k := range kinds {
			for j := range 2 {
				name := fmt.Sprintf("v%d_%d", i, j)
				g.vars[k] = append(g.vars[k], name)
				g.values[name] = g.constant(k)
				body.Locals = append(body.Locals, &ast.Variable{Kind: ast.Local, Name: name, Syntax: machine.TypeNamed(chc.Position{}, k.String())})
				id := &ast.Identifier{Name: name}
				body.Stmts = append(body.Stmts, &ast.Havoc{Variables: []*ast.Identifier{id}})
				if rapid.IntRange(0, 2).Draw(rt, "known") == 0 {
					// A guard that the analysis of ranges can use.
					n := g.values[name]
					for _, c := range []struct {
						op machine.Op
						by int64
					}{{machine.Le, 2}, {machine.Ge, -1}} {
						bound := new(big.Int).Add(n, big.NewInt(c.by))
						if k.Has(bound) {
							body.Stmts = append(body.Stmts, &ast.Assume{Cond: machine.Operation{Op: c.op, Type: k}.Apply(chc.Position{}, id, machine.Literal(chc.Position{}, bound))})
						}
					}
				}
			}
		}
		initial := map[string]*big.Int{}
		for name, n := range g.values {
			initial[name] = n
		}
		for range rapid.IntRange(1, 4).Draw(rt, "assignments") {
			k := rapid.SampledFrom(kinds).Draw(rt, "type")
			name := rapid.SampledFrom(g.vars[k]).Draw(rt, "to")
			e, n := g.value(k, 3)
			body.Stmts = append(body.Stmts, &ast.Assign{Left: []ast.Expr{&ast.Identifier{Name: name}}, Right: []ast.Expr{e}})
			g.values[name] = n
			body.Stmts = append(body.Stmts, &ast.Assert{Cond: &ast.Binary{Op: ast.Eq, X: &ast.Identifier{Name: name}, Y: machine.Literal(chc.Position{}, n)}})
		}
		p := &ast.Program{Declarations: []ast.Declaration{&ast.Procedure{Name: "main", Attributes: ast.Attributes{{Name: "entrypoint"}}, Body: body}}}
		require.NoError(rt, machine.Declare(p))
		ids := numbering(p)
		// What the machine computes for each operation that may be left open.
		open := map[string]*big.Int{}
		for name, n := range initial {
			open[name] = n
		}
		now := map[string]*big.Int{}
		for name, n := range initial {
			now[name] = n
		}
		for _, s := range body.Stmts {
			a, ok := s.(*ast.Assign)
			if !ok {
				continue
			}
			now[a.Left[0].(*ast.Identifier).Name] = evaluate(a.Right[0], now, func(e ast.Expr, ns []*big.Int) {
				o, _, _ := machine.Recognise(e)
				switch o.Op {
				case machine.And, machine.Or, machine.Xor:
					open[fmt.Sprintf("$b%d", ids[e])] = compute(machine.Operation{Op: machine.And, Type: o.Type}, ns[0], ns[1])
				case machine.Shl, machine.Shr:
					open[fmt.Sprintf("$b%d", ids[e])] = compute(o, ns[0], ns[1])
				case machine.Div, machine.Rem:
					q := new(big.Int).Quo(ns[0], ns[1])
					q.Abs(q)
					open[fmt.Sprintf("$q%d", ids[e])] = q
					open[fmt.Sprintf("$r%d", ids[e])] = new(big.Int).Abs(new(big.Int).Rem(ns[0], ns[1]))
					for k := range q.BitLen() {
						open[fmt.Sprintf("$q%dbit%d", ids[e], k)] = big.NewInt(int64(q.Bit(k)))
					}
				}
			})
		}
		for _, o := range []Options{
			{Mode: Ranged, PointerBits: 32}, {Mode: AllVectors, PointerBits: 64},
			{Mode: Ranged, PointerBits: 32, Plan: &Plan{Exact: everything(ids)}}, {Mode: Ranged, PointerBits: 32, Plan: &Plan{Vectors: everyOther(rt)}},
		} {
			l, err := Lower(t.Context(), p, o)
			require.NoError(rt, err)
			if o.Plan != nil && o.Plan.Exact != nil {
				require.Empty(rt, l.Occurrences)
				require.Equal(rt, Equal, l.Relation)
			}
			outcome, err := interpret.Run(t.Context(), l.Program, &script{values: open}, interpret.Options{Entry: l.Program.Procedures[0]})
			require.NoError(rt, err)
			if outcome.Kind != interpret.Finished {
				var s strings.Builder
				_ = ast.Print(&s, p)
				_ = ast.Print(&s, l.Program)
				rt.Fatalf("%s\n%s\n%v", outcome, s.String(), open)
			}
		}
	})
}

func everything(ids map[ast.Expr]int) map[int]bool {
	m := map[int]bool{}
	for _, id := range ids {
		m[id] = true
	}
	return m
}

func everyOther(rt *rapid.T) map[int]bool {
	m := map[int]bool{}
	for range 3 {
		m[rapid.IntRange(0, 60).Draw(rt, "class")] = true
	}
	return m
}
