package translate

import (
	"math/big"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// The directions of rounding, as <fenv.h> has them on x86.
const (
	toNearest  = 0
	downward   = 0x400
	upward     = 0x800
	towardZero = 0xc00
)

// roundings finds whether the program may set another direction of rounding than to the nearest number. Then a variable holds
// it, and of operations that depend on it nothing is known.
func (t *translator) roundings() {
	sets := func(fn *tree.Function) bool {
		if fn == nil || usage.Meaning(fn, t.options.Faults).Kind != lib.Math {
			return false
		}
		switch fn.Name {
		case "fesetround", "fesetenv", "feupdateenv":
			return true
		}
		return false
	}
	asks := false
	for _, f := range t.reached.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				t.rounds = t.rounds || sets(n.Function)
				asks = asks || n.Function != nil && n.Function.Name == "fegetround"
			case *tree.FunctionAddress:
				t.rounds = t.rounds || sets(n.Function)
			}
			return true
		})
	}
	for _, f := range t.reached.AddressTaken {
		t.rounds = t.rounds || sets(f)
	}
	if t.rounds || asks {
		t.rounding = &ast.Variable{Kind: ast.Global, Name: t.names.fresh("$rounding"), Syntax: machine.TypeNamed(chc.Position{}, machineType(t.program.Int).String())}
		t.result.Origins.Add("", t.rounding, &origin.Variable{})
	}
}

// mathBase is a function's name without the letter for float or long double.
func mathBase(name string) string {
	name = strings.TrimPrefix(name, "__")
	switch name {
	case "modf", "isinf", "ceil", "signbit", "isnormal", "issubnormal", "huge_val", "inf":
		return name
	}
	if base := name[:len(name)-1]; strings.HasSuffix(name, "f") || strings.HasSuffix(name, "l") {
		if _, ok := mathFunctions[base]; ok {
			return base
		}
	}
	return name
}

// mathFunctions are those that are known exactly, but for what has to be rounded, with the number of their arguments.
var mathFunctions = map[string]int{
	"fabs": 1, "sqrt": 1, "floor": 1, "ceil": 1, "trunc": 1, "round": 1, "rint": 1, "nearbyint": 1, "lround": 1, "llround": 1, "lrint": 1,
	"llrint": 1, "fmod": 2, "remainder": 2, "drem": 2, "copysign": 2, "fmin": 2, "fmax": 2, "fdim": 2, "modf": 2, "nan": 1, "inf": 0,
	"huge_val": 0, "isnan": 1, "isinf": 1, "isinf_sign": 1, "finite": 1, "isfinite": 1, "signbit": 1, "iszero": 1, "issubnormal": 1,
	"isnormal": 1, "fpclassify": 1, "isgreater": 2, "isgreaterequal": 2, "isless": 2, "islessequal": 2, "islessgreater": 2, "isunordered": 2,
	"fegetround": 0, "fesetround": 1,
}

// math is a function of <math.h> or <fenv.h>.
func (f *function) math(v *tree.Call, meaning lib.Function) []ast.Expr {
	base := mathBase(meaning.Name)
	if base == "difftime" {
		if out := f.timeDifference(v); out != nil {
			return out
		}
	}
	if count, ok := mathFunctions[base]; ok && count == len(v.Arguments) {
		if e := f.exactMath(v, base); e != nil {
			return []ast.Expr{e}
		}
	}
	f.approximate(v, "the function %s", meaning.Name)
	if f.rounding != nil && strings.HasPrefix(meaning.Name, "fe") {
		out := f.input(v)
		f.add(&ast.Havoc{Pos: at(v), Variables: []*ast.Identifier{use(f.rounding)}})
		return out
	}
	return f.input(v)
}

// timeDifference is difftime: of the difference of two times only the sign is known, and that it is finite; nil if its types are
// not those that it has in C's library.
func (f *function) timeDifference(v *tree.Call) []ast.Expr {
	format, ok := FormatOf(v.T)
	if !ok || len(v.Arguments) != 2 {
		return nil
	}
	t, ok := v.Arguments[0].Type().(*tree.Integer)
	if !ok || !tree.Same(t, v.Arguments[1].Type()) {
		return nil
	}
	f.approximate(v, "the function difftime")
	fs, m := f.floats(v, format), machineType(t)
	x := f.settle(fs.pos, f.before(fs.pos, f.value(v.Arguments[0]), m.String(), v.Arguments[1]), machine.TypeNamed(fs.pos, m.String()))
	y := f.settle(fs.pos, f.value(v.Arguments[1]), machine.TypeNamed(fs.pos, m.String()))
	r := f.unknown(v, origin.Unspecified, v.T)
	zero := fs.number(0)
	f.assume(fs.pos, either(fs.pos, not(equal(fs.pos, m.String(), x, y)), fs.same(r, zero)))
	f.assume(fs.pos, either(fs.pos, not(operation(fs.pos, machine.Lt, m, x, y)), fs.and(fs.less(r, fs.number(-1)), fs.isNumber(r))))
	f.assume(fs.pos, either(fs.pos, not(operation(fs.pos, machine.Lt, m, y, x)), fs.and(fs.less(zero, r), fs.isNumber(r))))
	return []ast.Expr{r}
}

// exactMath is the function's value; nil if its types are not those that it has in C's library, and nothing was evaluated.
func (f *function) exactMath(v *tree.Call, base string) ast.Expr {
	result, _ := v.T.(*tree.Integer)
	switch base {
	case "fegetround", "fesetround":
		if f.rounding == nil || !tree.Same(v.T, f.program.Int) || base == "fesetround" && !tree.Same(v.Arguments[0].Type(), f.program.Int) {
			return nil
		}
		return f.direction(v, base)
	case "nan", "inf", "huge_val":
		format, ok := FormatOf(v.T)
		if !ok {
			return nil
		}
		if base != "nan" {
			return f.floats(v, format).infinity()
		}
		f.evaluate(v)
		return f.floats(v, format).nan()
	}
	t := v.Arguments[0].Type()
	format, ok := FormatOf(t)
	if !ok || base != "modf" && len(v.Arguments) == 2 && !tree.Same(v.Arguments[1].Type(), t) {
		return nil
	}
	yes, returns := predicates[base]
	switch {
	case returns || base == "fpclassify":
		if result == nil {
			return nil
		}
	case base == "lround" || base == "llround" || base == "lrint" || base == "llrint":
		if result == nil {
			return nil
		}
	case !tree.Same(v.T, t):
		return nil
	}
	fs := f.floats(v, format)
	x := f.before(fs.pos, f.value(v.Arguments[0]), fs.name, nodes(v.Arguments[1:])...)
	var y ast.Expr
	if len(v.Arguments) == 2 && base != "modf" {
		y = fs.once(f.value(v.Arguments[1]))
	}
	x = fs.once(x)
	switch {
	case returns:
		return f.anyYes(v, result, yes(fs, x, y))
	case base == "fpclassify":
		return fs.classify(x)
	}
	switch base {
	case "fabs":
		return fs.magnitude(x)
	case "copysign":
		m := fs.once(fs.magnitude(x))
		return fs.choose(fs.atMost(fs.number(0), y), m, fs.negate(m))
	case "fmin", "fmax":
		// Which zero is the less one is not defined.
		zero := fs.once(f.unknown(v, origin.Unspecified, t))
		f.assume(fs.pos, fs.isZero(zero))
		least, greatest := x, y
		if base == "fmax" {
			least, greatest = y, x
		}
		of := fs.choose(fs.atMost(x, y), least, greatest)
		of = fs.choose(fs.and(fs.isZero(x), fs.isZero(y)), zero, of)
		return fs.choose(not(fs.isNumber(x)), y, fs.choose(not(fs.isNumber(y)), x, of))
	case "fdim":
		difference := fs.binary(machine.FloatSub, t, x, y)
		return fs.choose(fs.compare(tree.Le, x, y), fs.number(0), difference)
	case "sqrt":
		return fs.unary(machine.FloatSqrt, t, x)
	case "floor":
		return fs.unary(machine.FloatFloor, t, x)
	case "ceil":
		return fs.unary(machine.FloatCeiling, t, x)
	case "trunc":
		return fs.unary(machine.FloatTruncate, t, x)
	case "round":
		return fs.unary(machine.FloatRound, t, x)
	case "rint", "nearbyint":
		return fs.inDirection(t, x)
	case "lround", "llround":
		return f.convertFloat(v, t, v.T, fs.unary(machine.FloatRound, t, x))
	case "lrint", "llrint":
		return f.convertFloat(v, t, v.T, fs.once(fs.inDirection(t, x)))
	case "fmod":
		return fs.binary(machine.FloatMod, t, x, y)
	case "remainder", "drem":
		return fs.binary(machine.FloatRemainder, t, x, y)
	case "modf":
		return fs.parts(v, t, x)
	}
	return nil
}

// predicates are the functions that say yes or no.
var predicates = map[string]func(f floats, x, y ast.Expr) ast.Expr{
	"isnan":  func(f floats, x, _ ast.Expr) ast.Expr { return not(f.isNumber(x)) },
	"isinf":  func(f floats, x, _ ast.Expr) ast.Expr { return f.isInfinite(x) },
	"finite": func(f floats, x, _ ast.Expr) ast.Expr { return f.isFinite(x) },
	// C's name of it.
	"isfinite":    func(f floats, x, _ ast.Expr) ast.Expr { return f.isFinite(x) },
	"signbit":     func(f floats, x, _ ast.Expr) ast.Expr { return f.less(x, f.number(0)) },
	"iszero":      func(f floats, x, _ ast.Expr) ast.Expr { return f.isZero(x) },
	"issubnormal": func(f floats, x, _ ast.Expr) ast.Expr { return f.and(f.small(x), not(f.isZero(x))) },
	"isnormal":    func(f floats, x, _ ast.Expr) ast.Expr { return f.and(f.isFinite(x), not(f.small(x))) },
	"isgreater":   func(f floats, x, y ast.Expr) ast.Expr { return f.compare(tree.Gt, x, y) },
	"isgreaterequal": func(f floats, x, y ast.Expr) ast.Expr {
		return f.compare(tree.Ge, x, y)
	},
	"isless":      func(f floats, x, y ast.Expr) ast.Expr { return f.compare(tree.Lt, x, y) },
	"islessequal": func(f floats, x, y ast.Expr) ast.Expr { return f.compare(tree.Le, x, y) },
	"islessgreater": func(f floats, x, y ast.Expr) ast.Expr {
		return f.or(f.compare(tree.Lt, x, y), f.compare(tree.Lt, y, x))
	},
	"isunordered": func(f floats, x, y ast.Expr) ast.Expr { return f.or(not(f.isNumber(x)), not(f.isNumber(y))) },
}

func (f floats) isInfinite(x ast.Expr) ast.Expr {
	infinity := f.format.Infinity()
	return f.or(f.same(x, f.literal(infinity)), f.same(x, f.literal(machine.Negate(infinity))))
}

func (f floats) isFinite(x ast.Expr) ast.Expr {
	greatest := new(big.Int).Sub(f.format.Infinity(), big.NewInt(1))
	return f.between(machine.Negate(greatest), x, greatest)
}

// small says that x is below all normal numbers: subnormal, or zero.
func (f floats) small(x ast.Expr) ast.Expr {
	greatest := new(big.Int).Sub(f.format.Binade(1-f.format.Bias()), big.NewInt(1))
	return f.between(machine.Negate(greatest), x, greatest)
}

// magnitude is a number without its sign.
func (f floats) magnitude(x ast.Expr) ast.Expr {
	return f.choose(f.atMost(f.number(0), x), x, f.negate(x))
}

// classify is fpclassify, with the numbers of the header.
func (f floats) classify(x ast.Expr) ast.Expr {
	return f.choose(not(f.isNumber(x)), f.number(0), f.choose(f.isInfinite(x), f.number(1),
		f.choose(f.isZero(x), f.number(2), f.choose(f.small(x), f.number(3), f.number(4)))))
}

// anyYes is 0 if the condition does not hold, and else any other number: which one is not defined.
func (f *function) anyYes(n tree.Node, t *tree.Integer, holds ast.Expr) ast.Expr {
	pos := at(n)
	if b, ok := holds.(*ast.BoolLiteral); ok && !b.Value {
		return machine.Number(pos, 0)
	}
	yes := f.unknown(n, origin.Unspecified, t)
	f.assume(pos, not(equal(pos, machineType(t).String(), yes, machine.Number(pos, 0))))
	return choose(pos, holds, yes, machine.Number(pos, 0))
}

// inDirection is an integer beside a number, as the direction of rounding has it.
func (f floats) inDirection(t tree.Type, x ast.Expr) ast.Expr {
	if f.rounding == nil || !f.rounds {
		return f.unary(machine.FloatNearest, t, x)
	}
	is := func(direction int64) ast.Expr {
		return equal(f.pos, machineType(f.program.Int).String(), use(f.rounding), f.number(direction))
	}
	return f.once(f.choose(is(downward), f.unary(machine.FloatFloor, t, x), f.choose(is(upward), f.unary(machine.FloatCeiling, t, x),
		f.choose(is(towardZero), f.unary(machine.FloatTruncate, t, x), f.unary(machine.FloatNearest, t, x)))))
}

// direction is fegetround or fesetround.
func (f *function) direction(v *tree.Call, name string) ast.Expr {
	pos, m := at(v), machineType(f.program.Int)
	if name == "fegetround" {
		return f.settle(pos, use(f.rounding), machine.TypeNamed(pos, m.String()))
	}
	x := f.settle(pos, f.value(v.Arguments[0]), machine.TypeNamed(pos, m.String()))
	var valid ast.Expr = truthLiteral(pos, false)
	for _, d := range []int64{toNearest, downward, upward, towardZero} {
		valid = either(pos, valid, equal(pos, m.String(), x, machine.Number(pos, d)))
	}
	f.assign(pos, use(f.rounding), choose(pos, valid, x, use(f.rounding)))
	return f.anyYes(v, f.program.Int, not(valid))
}

// parts is modf: what is behind the point, and, stored, what is before it. Both have the sign of the number.
func (f floats) parts(v *tree.Call, t tree.Type, x ast.Expr) ast.Expr {
	p := v.Arguments[1]
	whole := f.once(f.unary(machine.FloatTruncate, t, x))
	// The difference is exact. Where it is zero it would be +0, and infinities have no difference.
	difference := f.once(f.apply(machine.Operation{Op: machine.FloatSub, Type: f.format.Word}, t, x, whole))
	zero := f.choose(f.atMost(f.number(0), x), f.number(0), f.number(-1))
	fraction := f.once(f.choose(f.and(f.isNumber(x), f.or(f.same(x, whole), f.isInfinite(x))), zero, difference))
	if pointer, ok := p.Type().(*tree.Pointer); ok {
		address := f.value(p)
		target := &region.Location{Pointer: p}
		r := f.region(target, 0)
		switch held := f.memory(); {
		case r != nil && held.typeOf(r) != nil && tree.Same(held.typeOf(r), t) && tree.Same(pointer.Elem, t):
			f.storeMemory(v, place{typ: t, address: address, location: target}, whole)
		case held.regions != nil:
			f.forget(v, held.regions.Target(p))
		}
	}
	return fraction
}
