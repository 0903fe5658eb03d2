package lower

import (
	"fmt"
	"math/big"
	random "math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/lower/ranges"
	"hornbeam/frontend/c/machine"
)

var formats = []machine.Type{{Bits: 32, Signed: true}, {Bits: 64, Signed: true}, {Bits: 128, Signed: true}}

// ordinals draws numbers of all kinds: ends of binades and what is beside them, small integers, zeros, infinities, NaNs.
func ordinals(t *rapid.T, of machine.Type, label string) *big.Int {
	f, _ := machine.FormatOf(of)
	m := new(big.Int)
	switch rapid.IntRange(0, 5).Draw(t, label+" kind") {
	case 0:
		m = f.Round(new(big.Rat).SetFrac64(rapid.Int64Range(0, 40).Draw(t, label), 4))
	case 1:
		m = f.Binade(rapid.IntRange(-f.Bias(), f.Bias()).Draw(t, label))
	case 2:
		m = f.Infinity()
	case 3:
		m = f.Binade(rapid.IntRange(-40, 70).Draw(t, label))
		m.Add(m, new(big.Int).Rand(rand(t, label), machine.Power(f.Fraction)))
	case 4:
		m.Rand(rand(t, label), machine.Power(of.Bits-1))
	case 5:
		m.Rand(rand(t, label), machine.Power(rapid.IntRange(1, f.Fraction+1).Draw(t, label+" bits")))
	}
	m.Add(m, big.NewInt(rapid.Int64Range(-2, 2).Draw(t, label+" beside")))
	if m.Cmp(of.Max()) > 0 {
		m = of.Max()
	}
	if rapid.Bool().Draw(t, label+" sign") {
		return machine.Negate(m)
	}
	return m
}

// around is an interval with the number in it, of any width.
func around(t *rapid.T, of machine.Type, n *big.Int, label string) interval.Interval {
	in := interval.OfType(of)
	switch rapid.IntRange(0, 3).Draw(t, label+" range") {
	case 0:
		in = interval.Point(n)
	case 1:
		in = interval.Between(interval.Least(n, ordinalsOr(t, of, label+" low")), interval.Greatest(n, ordinalsOr(t, of, label+" high")))
	case 2:
		in.Low = interval.Least(n, ordinalsOr(t, of, label+" low"))
	}
	return in
}

func ordinalsOr(t *rapid.T, of machine.Type, label string) *big.Int {
	if _, ok := machine.FormatOf(of); ok {
		return ordinals(t, of, label)
	}
	return of.Wrap(big.NewInt(rapid.Int64().Draw(t, label)))
}

// floatCase draws an operation with operands.
func floatCase(t *rapid.T) (machine.Operation, []*big.Int) {
	o := machine.Operation{
		Op:   machine.Op(rapid.IntRange(int(machine.FloatAdd), int(machine.FloatTo)).Draw(t, "op")),
		Type: rapid.SampledFrom(formats).Draw(t, "format"),
	}
	integers := []machine.Type{{Bits: 8, Signed: true}, {Bits: 32, Signed: true}, {Bits: 32}, {Bits: 64, Signed: true}, {Bits: 64}}
	switch o.Op {
	case machine.FloatConvert:
		o.To = rapid.SampledFrom(formats).Draw(t, "to")
		if o.To == o.Type {
			o.Op, o.To = machine.FloatSqrt, machine.Type{}
		}
	case machine.FloatFrom:
		o.To, o.Type = o.Type, rapid.SampledFrom(integers).Draw(t, "from")
		n := rapid.Int64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		return o, []*big.Int{o.Type.Wrap(big.NewInt(n))}
	case machine.FloatTo:
		o.To = rapid.SampledFrom(integers).Draw(t, "to")
	}
	x := []*big.Int{ordinals(t, o.Type, "x")}
	if o.Op.Arity() == 2 {
		y := ordinals(t, o.Type, "y")
		switch rapid.IntRange(0, 4).Draw(t, "related") {
		case 0:
			y = x[0]
		case 1:
			y = machine.Negate(x[0])
		}
		x = append(x, y)
	}
	return o, x
}

// results are what an operation may give: its value, some NaNs, or, where C does not define it, anything.
func results(t *rapid.T, o machine.Operation, x []*big.Int) []*big.Int {
	if z := o.Compute(x...); z != nil {
		return []*big.Int{z}
	}
	if o.Op == machine.FloatTo {
		return []*big.Int{o.To.Min(), o.To.Max(), o.To.Wrap(big.NewInt(rapid.Int64().Draw(t, "undefined")))}
	}
	f, _ := machine.FormatOf(o.Result())
	nan := next(f.Infinity())
	return []*big.Int{nan, machine.Negate(nan), f.Word.Max(), f.Word.Min()}
}

// Facts about results are true, the intervals of results have them, and exact forms are the results.
func TestFloatsAreFaithful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, x := floatCase(t)
		ins := make([]interval.Interval, 2)
		for k, n := range x {
			ins[k] = around(t, o.Type, n, []string{"x", "y"}[k])
		}
		faithful(t, o, x, ins, results(t, o, x), rapid.Bool().Draw(t, "exact"))
	})
}

// faithful checks what is said of an operation on x, within intervals.
func faithful(t require.TestingT, o machine.Operation, x []*big.Int, ins []interval.Interval, results []*big.Int, exact bool) {
	{
		names := []string{"x", "y"}
		env := map[string]*big.Int{}
		operands := make([]operand, len(x))
		for k, n := range x {
			env[names[k]] = n
			operands[k] = operand{&ast.Identifier{Name: names[k]}, ins[k]}
		}
		in := ranges.FloatResult(o, ins[0], ins[1], interval.OfType(o.Result()))
		f := newFloats(&ast.Application{}, &namer{}, o)
		for _, r := range results {
			env["z"] = r
			require.True(t, interval.Point(r).In(in), "%s %v: %v is not within %v and %v", o.Name(), x, r, in.Low, in.High)
			z := operand{&ast.Identifier{Name: "z"}, in}
			facts := f.facts(z, operands)
			for i, fact := range facts {
				require.Equal(t, int64(1), arithmetic(t, fact, env).Int64(), "fact %d of %s %v = %v in %v: %s", i, o.Name(), x, r, ins, ast.String(fact))
			}
		}
		if !exactable(o.Op) {
			return
		}
		defined := o.Compute(x...)
		env["rest"] = big.NewInt(12345678)
		rest := &ast.Identifier{Name: "rest"}
		var e ast.Expr
		switch o.Op {
		case machine.FloatConvert:
			if f.to.Fraction < f.format.Fraction {
				return
			}
			e = f.widened(operands[0], exact, func() ast.Expr { return rest }, func(body func([]operand) ast.Expr) ast.Expr { return body(operands) })
			if m := machine.Magnitude(x[0]); m.Sign() > 0 && m.Cmp(f.border()) < 0 && !exact {
				defined = nil
			}
		case machine.FloatFrom:
			if all, _ := f.representable(ins[0]); !all {
				return
			}
			e = f.fromInteger(operands[0])
		case machine.FloatTo:
			e = f.toInteger(operands[0], rest)
		}
		if defined == nil {
			defined = env["rest"]
		}
		require.Equal(t, defined.String(), arithmetic(t, e, env).String(), "%s %v in %v", o.Name(), x, ins)
	}
}

// corners are the numbers of a format at which something changes, with both signs.
func corners(f machine.Format, few bool) []*big.Int {
	var all []*big.Int
	add := func(n *big.Int, beside ...int64) {
		for _, d := range append(beside, 0) {
			m := new(big.Int).Add(n, big.NewInt(d))
			if m.Sign() >= 0 {
				all = append(all, m, machine.Negate(m))
			}
		}
	}
	number := func(n, d int64) *big.Int { return f.Round(big.NewRat(n, d)) }
	add(zero)
	add(f.Binade(0))
	add(f.Infinity())
	if few {
		add(f.Binade(f.Fraction))
		return all
	}
	add(zero, 1, 2)
	add(f.Binade(1-f.Bias()), -1, 1)
	for _, n := range []*big.Int{number(1, 2), number(1, 1), number(3, 2), number(5, 2), number(3, 1), number(7, 2), number(128, 1), f.Binade(f.Fraction - 1), f.Binade(f.Fraction)} {
		add(n, -1, 1)
	}
	add(f.Binade(f.Fraction+3), 1)
	add(f.Binade(f.Bias()))
	add(f.Infinity(), -1, 1)
	add(f.Word.Max())
	return all
}

// What is said of operations holds where something changes: zeros, the ends of binades, ties, infinities, what is no number.
func TestFloatCorners(t *testing.T) {
	f, _ := machine.FormatOf(formats[0])
	double, _ := machine.FormatOf(formats[1])
	whole := []interval.Interval{interval.OfType(f.Word), interval.OfType(f.Word)}
	random := random.New(random.NewSource(1))
	check := func(o machine.Operation, x ...*big.Int) {
		all := []*big.Int{o.Compute(x...)}
		if all[0] == nil {
			to, ok := machine.FormatOf(o.Result())
			all = []*big.Int{o.Result().Min(), o.Result().Max()}
			if ok && o.Op != machine.FloatTo {
				all = []*big.Int{next(to.Infinity()), machine.Negate(next(to.Infinity()))}
			}
		}
		ins := []interval.Interval{interval.OfType(o.Type), interval.OfType(o.Type)}
		faithful(t, o, x, ins, all, true)
		if o.Op == machine.FloatAdd || o.Op == machine.FloatSub {
			ins[1] = interval.Point(x[1])
		} else {
			ins[0] = interval.Between(x[0], interval.Greatest(x[0], zero))
		}
		faithful(t, o, x, ins, all, false)
	}
	pairs := corners(f, true)
	for _, n := range []*big.Int{one, f.Binade(1 - f.Bias()), next(f.Binade(0)), next(f.Infinity())} {
		pairs = append(pairs, n, machine.Negate(n))
	}
	for op := machine.FloatSqrt; op <= machine.FloatNearest; op++ {
		for _, x := range corners(f, false) {
			check(machine.Operation{Op: op, Type: f.Word}, x)
		}
	}
	for op := machine.FloatAdd; op <= machine.FloatRemainder; op++ {
		for _, x := range pairs {
			for _, y := range pairs {
				check(machine.Operation{Op: op, Type: f.Word}, x, y)
			}
		}
	}
	for _, x := range corners(f, false) {
		check(machine.Operation{Op: machine.FloatConvert, Type: f.Word, To: double.Word}, x)
		check(machine.Operation{Op: machine.FloatTo, Type: f.Word, To: machine.Type{Bits: 8, Signed: true}}, x)
	}
	for _, x := range corners(double, false) {
		check(machine.Operation{Op: machine.FloatConvert, Type: double.Word, To: f.Word}, x)
		// Where two floats, or a float and infinity, are equally near, and beside that.
		for _, border := range []*big.Int{f.Binade(0), f.Infinity(), next(f.Binade(0))} {
			y := machine.Operation{Op: machine.FloatConvert, Type: f.Word, To: double.Word}.Compute(new(big.Int).Sub(border, one))
			for d := int64(-1); d <= 1; d++ {
				tie := new(big.Int).Add(y, machine.Power(double.Fraction-f.Fraction-1))
				check(machine.Operation{Op: machine.FloatConvert, Type: double.Word, To: f.Word}, tie.Add(tie, big.NewInt(d)))
			}
		}
	}
	for _, n := range []int64{0, 1, 3, 16777215, 16777216, 16777217, 16777219, 1<<31 - 1} {
		for _, m := range []int64{n, -n} {
			check(machine.Operation{Op: machine.FloatFrom, Type: machine.Type{Bits: 32, Signed: true}, To: f.Word}, big.NewInt(m))
		}
	}
	// Within all intervals between a few numbers are the results for all of these.
	few := corners(f, true)
	for _, op := range []machine.Op{machine.FloatAdd, machine.FloatSub, machine.FloatMul, machine.FloatDiv, machine.FloatMod} {
		o := machine.Operation{Op: op, Type: f.Word}
		computed := map[[2]int]*big.Int{}
		for i, x := range few {
			for j, y := range few {
				computed[[2]int{i, j}] = o.Compute(x, y)
			}
		}
		for range 1 << 10 {
			at := func() int { return random.Intn(len(few)) }
			ends := func() interval.Interval {
				a, b := few[at()], few[at()]
				return interval.Between(interval.Least(a, b), interval.Greatest(a, b))
			}
			inX, inY := ends(), ends()
			in := ranges.FloatResult(o, inX, inY, whole[0])
			for k, r := range computed {
				if !interval.Point(few[k[0]]).In(inX) || !interval.Point(few[k[1]]).In(inY) {
					continue
				}
				right := r == nil && in.Equal(whole[0]) || r != nil && interval.Point(r).In(in)
				if inX.IsPoint() && inY.IsPoint() && r == nil {
					right = true
				}
				require.True(t, right, "%s of %v and %v in %v and %v", o.Name(), few[k[0]], few[k[1]], inX, inY)
			}
		}
	}
}

// arithmetic evaluates an expression over integers; truth values are 0 and 1.
func arithmetic(t require.TestingT, e ast.Expr, env map[string]*big.Int) *big.Int {
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	switch e := e.(type) {
	case *ast.BoolLiteral:
		return truth(e.Value)
	case *ast.IntLiteral:
		return e.Value
	case *ast.Identifier:
		return env[e.Name]
	case *ast.Unary:
		x := arithmetic(t, e.X, env)
		if e.Op == ast.Not {
			return truth(x.Sign() == 0)
		}
		return new(big.Int).Neg(x)
	case *ast.IfThenElse:
		if arithmetic(t, e.Cond, env).Sign() != 0 {
			return arithmetic(t, e.Then, env)
		}
		return arithmetic(t, e.Else, env)
	case *ast.Let:
		env[e.Bound[0].Name] = arithmetic(t, e.Values[0], env)
		return arithmetic(t, e.Body, env)
	case *ast.Binary:
		x, y := arithmetic(t, e.X, env), arithmetic(t, e.Y, env)
		c := x.Cmp(y)
		switch e.Op {
		case ast.Add:
			return new(big.Int).Add(x, y)
		case ast.Sub:
			return new(big.Int).Sub(x, y)
		case ast.Mul:
			return new(big.Int).Mul(x, y)
		case ast.Div:
			return new(big.Int).Div(x, y)
		case ast.Mod:
			return new(big.Int).Mod(x, y)
		case ast.And:
			return truth(x.Sign() != 0 && y.Sign() != 0)
		case ast.Or:
			return truth(x.Sign() != 0 || y.Sign() != 0)
		case ast.Implies:
			return truth(x.Sign() == 0 || y.Sign() != 0)
		case ast.Iff, ast.Eq:
			return truth(c == 0)
		case ast.Neq:
			return truth(c != 0)
		case ast.Less:
			return truth(c < 0)
		case ast.LessEq:
			return truth(c <= 0)
		case ast.Greater:
			return truth(c > 0)
		case ast.GreaterEq:
			return truth(c >= 0)
		}
	}
	require.Fail(t, "what is this", "%T", e)
	return nil
}

// In every mode a lowered operation allows what the machine computes.
func TestLoweredFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, x := floatCase(t)
		result := o.Result()
		body := &ast.Body{}
		open := map[string]*big.Int{}
		declare := func(name string, of machine.Type) *ast.Identifier {
			body.Locals = append(body.Locals, &ast.Variable{Kind: ast.Local, Name: name, Syntax: machine.TypeNamed(chc.Position{}, of.String())})
			return &ast.Identifier{Name: name}
		}
		var args []ast.Expr
		for k, n := range x {
			id := declare([]string{"x", "y"}[k], o.Type)
			open[id.Name] = n
			in := around(t, o.Type, n, id.Name)
			body.Stmts = append(body.Stmts, &ast.Havoc{Variables: []*ast.Identifier{id}})
			for _, c := range []ast.Expr{
				machine.Operation{Op: machine.Ge, Type: o.Type}.Apply(chc.Position{}, id, machine.Literal(chc.Position{}, in.Low)),
				machine.Operation{Op: machine.Le, Type: o.Type}.Apply(chc.Position{}, id, machine.Literal(chc.Position{}, in.High)),
			} {
				body.Stmts = append(body.Stmts, &ast.Assume{Cond: c})
			}
			args = append(args, id)
		}
		z := declare("z", result)
		all := results(t, o, x)
		want := all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
		body.Stmts = append(body.Stmts, &ast.Assign{Left: []ast.Expr{z}, Right: []ast.Expr{o.Apply(chc.Position{}, args...)}},
			&ast.Assert{Cond: &ast.Binary{Op: ast.Eq, X: z, Y: machine.Literal(chc.Position{}, want)}})
		p := &ast.Program{Declarations: []ast.Declaration{&ast.Procedure{Name: "main", Attributes: ast.Attributes{{Name: "entrypoint"}}, Body: body}}}
		require.NoError(t, machine.Declare(p))
		ids := numbering(p)
		for e := range ids {
			if p, _, _ := machine.Recognise(e); p == o {
				open[fmt.Sprintf("$b%d", ids[e])] = want
			}
		}
		vectors := map[int]bool{}
		for k := range 20 {
			vectors[k] = rapid.Bool().Draw(t, "vector")
		}
		for _, options := range []Options{
			{Mode: Ranged, PointerBits: 32}, {Mode: AllVectors, PointerBits: 64}, {Mode: NoVectors, PointerBits: 32}, {Mode: NoVectors, PointerBits: 32, Checked: true},
			{Mode: Ranged, PointerBits: 32, Plan: &Plan{Exact: everything(ids)}}, {Mode: Guided, PointerBits: 32, Plan: &Plan{Vectors: vectors}},
		} {
			l, err := Lower(t.Context(), p, options)
			require.NoError(t, err)
			outcome, err := interpret.Run(t.Context(), l.Program, &script{values: open}, interpret.Options{Entry: l.Program.Procedures[0]})
			require.NoError(t, err)
			if outcome.Kind != interpret.Finished {
				t.Fatalf("%s\n%v\n%v in mode %s\n%s", outcome, open, want, options.Mode, print(l.Program))
			}
		}
	})
}

func print(p *ast.Program) string {
	var s strings.Builder
	_ = ast.Print(&s, p)
	return s.String()
}

// rand is a source of random numbers that repeats with the test.
func rand(t *rapid.T, label string) *random.Rand {
	return random.New(random.NewSource(rapid.Int64().Draw(t, label+" seed")))
}
