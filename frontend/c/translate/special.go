package translate

import (
	"math/big"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// special calls a function that means something by its name.
func (f *function) special(v *tree.Call, meaning lib.Function) []ast.Expr {
	out := f.known(v, meaning)
	if len(f.changed(meaning)) > 0 {
		for k, e := range out {
			if f.changes(e, v) {
				out[k] = f.settle(at(v), e, f.syntaxOf(v, v.T)[k])
			}
		}
		f.change(v, meaning)
	}
	return out
}

// changed are the library's own objects that a function may write: errno, and those that a few tell their results by.
func (t *translator) changed(meaning lib.Function) []*tree.Object {
	var out []*tree.Object
	if o := t.program.Errno; o != nil && t.reached.HasObject[o] && meaning.SetsErrno() {
		out = append(out, o)
	}
	return append(out, t.globalsOf(meaning)...)
}

func (t *translator) globalsOf(meaning lib.Function) []*tree.Object {
	var out []*tree.Object
	for _, name := range meaning.Globals() {
		for _, o := range t.reached.Objects {
			if o.External && o.Name == name && tree.Scalar(o.Type) {
				out = append(out, o)
			}
		}
	}
	return out
}

// change gives the library's own objects any values. errno is never set to 0.
func (f *function) change(v *tree.Call, meaning lib.Function) {
	for _, o := range f.changed(meaning) {
		n := &tree.Use{At: tree.At{Position: v.Pos()}, Object: o}
		var pl place
		if f.inMemory(o) {
			pl = place{typ: o.Type, address: f.addressOf(n, o), location: &region.Location{Object: o}}
		} else {
			pl = f.named(n)
		}
		x := f.tempOf(at(v), machine.TypeNamed(at(v), scalarName(o.Type)), o.Type)
		f.havoc(at(v), &origin.Event{Kind: origin.Unspecified, Node: v, Object: o}, o.Type, x)
		if o != f.program.Errno {
			f.store(v, pl, use(x))
			continue
		}
		zero := equal(at(v), scalarName(o.Type), use(x), machine.Number(at(v), 0))
		f.guarded(v, not(zero), f.within(func() { f.store(v, pl, use(x)) }))
	}
}

// known does what a function with a meaning of its own does.
func (f *function) known(v *tree.Call, meaning lib.Function) []ast.Expr {
	pos := at(v)
	if v.Target() != v.Function {
		return f.expand(v)
	}
	switch meaning.Kind {
	case lib.Error, lib.Trap:
		f.evaluate(v)
		if !f.options.Faults.Has(fault.Assertion) {
			f.cleaned(v)
		}
		f.check(v, fault.Assertion, truthLiteral(pos, false), meaning.Name)
		return f.results(v)
	case lib.Assert, lib.AssertNot, lib.AssertIf, lib.Assume:
		f.asserted(v, meaning)
		return f.results(v)
	case lib.Stop:
		f.evaluate(v)
		if meaning.Name == "__builtin_unreachable" {
			f.check(v, fault.Unreachable, truthLiteral(pos, false), meaning.Name)
		}
		if lib.Ends(meaning) {
			f.cleaned(v)
		}
		f.assume(pos, truthLiteral(pos, false))
		return f.results(v)
	case lib.Expect:
		if len(v.Arguments) == 0 {
			break
		}
		x := f.value(v.Arguments[0])
		for _, a := range v.Arguments[1:] {
			x = f.before(pos, x, scalarName(v.Arguments[0].Type()), a)
			f.effect(a)
		}
		return []ast.Expr{f.convert(v, v.Arguments[0].Type(), v.T, x)}
	case lib.System:
		f.unchecked(v, meaning.Kind)
		if meaning.Shares() != "" {
			f.overwrite(v, true)
		}
		return f.ranged(v, meaning)
	case lib.Output:
		if lib.PrintsText(v) {
			f.unchecked(v, meaning.Kind)
		}
		return f.output(v, meaning)
	case lib.Any:
		f.evaluate(v)
		return f.unknowns(v, v.T)
	case lib.Ignore, lib.Require:
		return f.open(v)
	case lib.Release:
		return f.release(v)
	case lib.Compute:
		return f.compute(v, meaning)
	case lib.Math:
		return f.math(v, meaning)
	}
	switch meaning.Kind {
	case lib.Allocate:
		return f.allocation(v, meaning)
	case lib.Memory:
		return f.memoryCall(v, meaning)
	case lib.Input, lib.Unmodelled:
		f.unchecked(v, meaning.Kind)
		out := f.ranged(v, meaning)
		if meaning.Kind == lib.Unmodelled {
			f.approximate(v, "the function %s", meaning.Name)
		}
		f.overwrite(v, usage.PassesMemory(v) || meaning.Shares() != "")
		return out
	case lib.Havoc:
		f.unchecked(v, meaning.Kind)
		return f.input(v)
	case lib.Metadata:
		return f.ask(v, meaning.Name)
	case lib.Valid:
		return f.valid(v, meaning.Name == "__hornbeam_valid_tracked")
	case lib.Refuse:
		if strings.HasPrefix(meaning.Name, "sea_") {
			// SeaHorn's questions about memory: any answer is one too many.
			f.approximate(v, "the function %s", meaning.Name)
			return f.open(v)
		}
	}
	f.refuse(v.Pos(), "the function %s", v.Function.Name)
	return f.results(v)
}

// input is a function that may write anything where its arguments point.
func (f *function) input(v *tree.Call) []ast.Expr {
	out := f.open(v)
	f.forgetTargets(v)
	return out
}

// forgetTargets gives what the pointers among the arguments lead to any values.
func (f *function) forgetTargets(v *tree.Call) {
	for _, a := range v.Arguments {
		if tree.IsPointer(a.Type()) && f.memory().regions != nil {
			f.forget(v, f.memory().regions.Target(a))
		}
	}
}

// release is free: what an object holds after its end does not matter.
func (f *function) release(v *tree.Call) []ast.Expr {
	if len(v.Arguments) != 1 || !tree.IsPointer(v.Arguments[0].Type()) || f.memory().metadata() == nil && !f.checksMemory() {
		return f.open(v)
	}
	pos := at(v)
	address := f.settle(pos, f.value(v.Arguments[0]), machine.TypeNamed(pos, machine.Ref))
	f.released(v, v.Arguments[0], address)
	f.frees(v, v.Arguments[0], address)
	return f.results(v)
}

// output is a function that only reads, except for what its format writes by %n.
func (f *function) output(v *tree.Call, meaning lib.Function) []ast.Expr {
	out := f.ranged(v, meaning)
	if lib.Counts(v) {
		f.forgetTargets(v)
	}
	return out
}

// overwrite gives what a call's arguments reach any values, if it has any that reach something.
func (f *function) overwrite(v *tree.Call, reaches bool) {
	if !reaches || f.memory().regions == nil {
		return
	}
	for _, g := range f.memory().regions.Written(v) {
		f.forget(v, g)
	}
}

// ranged evaluates the arguments and returns any value that the function may return.
func (f *function) ranged(v *tree.Call, meaning lib.Function) []ast.Expr {
	r, pos := meaning.Result, at(v)
	kept := map[int]ast.Expr{}
	for n, a := range v.Arguments {
		switch _, integer := a.Type().(*tree.Integer); {
		case integer && slices.Contains(r.Factors, n+1):
			kept[n+1] = f.settle(pos, f.index(a), machine.TypeNamed(pos, machine.Int))
		case tree.IsPointer(a.Type()) && r.Into == n+1:
			kept[n+1] = f.settle(pos, f.value(a), machine.TypeNamed(pos, machine.Ref))
		default:
			f.effect(a)
		}
	}
	switch t := v.T.(type) {
	case *tree.Void:
		return nil
	case *tree.Pointer:
		given := kept[r.Into]
		switch {
		case given != nil:
			p := f.unknown(v, origin.Returned, t)
			f.assume(pos, either(pos, either(pos, isNull(pos, p), equal(pos, machine.Ref, p, given)), isNull(pos, given)))
			return []ast.Expr{p}
		case meaning.Kind == lib.System:
			p, ok := f.externalPointer(v)
			if !ok {
				p = f.unknown(v, origin.Returned, t)
			}
			if r.NotNull {
				f.assume(pos, not(isNull(pos, p)))
			}
			return []ast.Expr{p}
		}
	case *tree.Integer:
		x := f.unknown(v, origin.Returned, t)
		m := machineType(t)
		if r.Ranged && t.Min().Cmp(big.NewInt(r.Low)) <= 0 {
			f.assume(pos, operation(pos, machine.Ge, m, x, machine.Number(pos, r.Low)))
			if r.High < lib.Unbounded && t.Max().Cmp(big.NewInt(r.High)) > 0 {
				f.assume(pos, operation(pos, machine.Le, m, x, machine.Number(pos, r.High)))
			}
			if len(r.Factors) > 0 && len(kept) == len(r.Factors) {
				limit := kept[r.Factors[0]]
				for _, n := range r.Factors[1:] {
					limit = f.times(pos, limit, kept[n])
				}
				f.assume(pos, &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.LessEq, X: operation(pos, machine.Index, m, x), Y: limit})
			}
		}
		return []ast.Expr{x}
	}
	return f.unknowns(v, v.T)
}

func isNull(pos chc.Position, p ast.Expr) ast.Expr {
	return equal(pos, machine.Ref, p, machine.Number(pos, 0))
}

// open evaluates the arguments and returns any value.
func (f *function) open(v *tree.Call) []ast.Expr {
	f.evaluate(v)
	return f.returned(v)
}

// asserted is an assertion or an assumption about the first argument.
func (f *function) asserted(v *tree.Call, meaning lib.Function) {
	pos := at(v)
	if len(v.Arguments) == 0 || meaning.Kind == lib.AssertIf && len(v.Arguments) < 2 {
		f.refuse(v.Pos(), "%s without an argument", v.Function.Name)
		return
	}
	cond := f.truth(v.Arguments[0])
	later := nodes(v.Arguments[1:])
	cond = f.before(pos, cond, machine.Bool, later...)
	rest := v.Arguments[1:]
	switch meaning.Kind {
	case lib.AssertNot:
		cond = not(cond)
	case lib.AssertIf:
		second := f.truth(v.Arguments[1])
		cond = either(pos, not(cond), f.before(pos, second, machine.Bool, later[1:]...))
		rest = v.Arguments[2:]
	}
	for _, a := range rest {
		f.effect(a)
	}
	if meaning.Kind == lib.Assume {
		f.assume(pos, cond)
		return
	}
	kind := fault.Assertion
	switch {
	case meaning.Relied():
		kind = f.options.Faults.Contract()
	case meaning.Memory():
		kind = fault.Dereference
	}
	f.check(v, kind, cond, meaning.Name)
}

// compute is a function whose value depends on its arguments alone.
func (f *function) compute(v *tree.Call, meaning lib.Function) []ast.Expr {
	if meaning.Name == "__builtin_constant_p" {
		return []ast.Expr{machine.Number(at(v), 0)}
	}
	if e, ok := f.bits(v, meaning); ok {
		return []ast.Expr{e}
	}
	for _, a := range v.Arguments {
		if tree.IsPointer(a.Type()) {
			f.refuse(v.Pos(), "the function %s", v.Function.Name)
		}
	}
	f.approximate(v, "the function %s", meaning.Name)
	return f.open(v)
}
