package translate

import (
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

// bits is a function of the bits of its argument, of gcc or clang, in the machine's operations. It reports false for what it
// does not know.
func (f *function) bits(v *tree.Call, meaning lib.Function) (ast.Expr, bool) {
	result, ok := v.T.(*tree.Integer)
	if !ok || len(v.Arguments) != 1 {
		return nil, false
	}
	argument, ok := v.Arguments[0].Type().(*tree.Integer)
	if !ok {
		return nil, false
	}
	base, width := f.bitFunction(meaning.Name)
	if width == 0 {
		return nil, false
	}
	pos := at(v)
	m := machine.Type{Bits: width}
	x := use(f.tempOf(pos, machine.TypeNamed(pos, m.String()), nil))
	f.assign(pos, x, convertMachine(pos, machineType(argument), m, f.value(v.Arguments[0])))
	number := func(n int) ast.Expr { return machine.Number(pos, int64(n)) }
	// part is the size bits of x from the bit low on, moved to the bit to.
	part := func(low, size, to int) ast.Expr {
		e := ast.Expr(x)
		if low > 0 {
			e = operation(pos, machine.Shr, m, e, number(low))
		}
		if size < width {
			e = operation(pos, machine.And, m, e, number(1<<size-1))
		}
		if to > 0 {
			e = operation(pos, machine.Shl, m, e, number(to))
		}
		return e
	}
	joined := func(op machine.Op, size int, to func(low int) int) ast.Expr {
		e := part(0, size, to(0))
		for low := size; low < width; low += size {
			e = operation(pos, op, m, e, part(low, size, to(low)))
		}
		return e
	}
	var e ast.Expr
	switch base {
	case "bswap":
		e = joined(machine.Or, 8, func(low int) int { return width - 8 - low })
	case "bitreverse":
		e = joined(machine.Or, 1, func(low int) int { return width - 1 - low })
	case "popcount":
		e = joined(machine.Add, 1, func(int) int { return 0 })
	case "parity":
		e = operation(pos, machine.And, m, joined(machine.Add, 1, func(int) int { return 0 }), number(1))
	default:
		// The first bit that is set, from below or from above, is found by a choice; of 0 ffs is 0, and the others are undefined.
		zero := number(0)
		if base != "ffs" {
			zero = f.settle(pos, convertMachine(pos, machineType(result), m, f.unknown(v, Unspecified, result)), machine.TypeNamed(pos, m.String()))
		}
		e = zero
		for k := range width {
			bit, value := width-1-k, width-1-k
			switch base {
			case "ffs":
				value++
			case "clz":
				bit = k
				value = width - 1 - k
			}
			e = choose(pos, equal(pos, m.String(), part(bit, 1, 0), number(1)), number(value), e)
		}
	}
	return convertMachine(pos, m, machineType(result), e), true
}

// bitFunction is the name of a function of bits without its width, and the width, 0 if it is none.
func (f *function) bitFunction(name string) (base string, width int) {
	switch name {
	case "htons", "ntohs":
		return "bswap", 16
	case "htonl", "ntohl":
		return "bswap", 32
	}
	for _, base := range []string{"bswap", "bitreverse"} {
		if rest, ok := strings.CutPrefix(name, base); ok {
			return base, map[string]int{"8": 8, "16": 16, "32": 32, "64": 64}[rest]
		}
	}
	for _, base := range []string{"popcount", "parity", "ffs", "ctz", "clz"} {
		if rest, ok := strings.CutPrefix(name, base); ok {
			long := int(8 * f.program.Model.PointerBytes)
			return base, map[string]int{"": 32, "l": long, "ll": 64}[rest]
		}
	}
	return "", 0
}
