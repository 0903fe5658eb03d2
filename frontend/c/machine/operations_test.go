package machine_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

var widths = []string{"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128"}

// TestNames says that every operation is recognised by its name, and that nothing else is.
func TestNames(t *testing.T) {
	for op := machine.Add; op <= machine.FloatTo; op++ {
		for _, name := range widths {
			typ, ok := machine.ParseType(name)
			require.True(t, ok)
			require.Equal(t, name, typ.String())
			for _, fits := range []bool{false, true} {
				if fits && !op.Overflows() {
					continue
				}
				o := machine.Operation{Op: op, Type: typ, Fits: fits}
				if op == machine.Convert || op >= machine.FloatConvert {
					o.To = machine.Type{Bits: 16}
				}
				got, ok := machine.Parse(o.Name())
				require.True(t, ok, o.Name())
				require.Equal(t, o, got)
				operands, _ := o.Signature()
				require.Len(t, operands, op.Arity())
			}
		}
	}
	for _, name := range []string{
		"", "$", "$add", "add.i32", "$add.i33", "$add.i32.i32", "$convert.i32", "$fits.and.i32", "$fits.i32", "$nothing.i8", "$fits.convert.i8.i8",
		"$add.bv8", "$convert.i8.", "$ffrom.i32", "$fadd.i32.i32", "$fits.fadd.i32", "$fits.add.i8.i8",
	} {
		_, ok := machine.Parse(name)
		require.False(t, ok, name)
	}
}

// TestSignatures says what the operations take and give.
func TestSignatures(t *testing.T) {
	for name, want := range map[string][]string{
		"$add.i32": {"i32", "i32", "i32"}, "$neg.i8": {"i8", "i8"}, "$lt.u8": {"u8", "u8", "bool"},
		"$convert.i32.u8": {"i32", "u8"}, "$index.u64": {"u64", "int"}, "$integer.u32": {"ref", "u32"},
		"$address.i64": {"i64", "ref"}, "$fits.mul.i32": {"i32", "i32", "bool"}, "$fits.neg.i32": {"i32", "bool"},
		"$fadd.i64": {"i64", "i64", "i64"}, "$fsqrt.i32": {"i32", "i32"}, "$ffrom.u8.i64": {"u8", "i64"}, "$fto.i64.i32": {"i64", "i32"},
	} {
		o, ok := machine.Parse(name)
		require.True(t, ok, name)
		operands, result := o.Signature()
		require.Equal(t, want, append(operands, result), name)
		args := make([]ast.Expr, len(operands))
		for i := range args {
			args[i] = machine.Number(chc.Position{}, 1)
		}
		again, got, ok := machine.Recognise(o.Apply(chc.Position{}, args...))
		require.True(t, ok)
		require.Equal(t, o, again)
		require.Equal(t, args, got)
	}
	_, _, ok := machine.Recognise(machine.Number(chc.Position{}, 1))
	require.False(t, ok)
}

// TestRanges says what the values of the types are.
func TestRanges(t *testing.T) {
	for name, want := range map[string][2]int64{"i8": {-128, 127}, "u8": {0, 255}, "i32": {-1 << 31, 1<<31 - 1}, "u32": {0, 1<<32 - 1}} {
		typ, _ := machine.ParseType(name)
		require.Equal(t, want[0], typ.Min().Int64(), name)
		require.Equal(t, want[1], typ.Max().Int64(), name)
		require.True(t, typ.Has(typ.Min()))
		require.False(t, typ.Has(big.NewInt(want[1]+1)))
		require.Equal(t, typ.Min(), typ.Wrap(big.NewInt(want[1]+1)), name)
	}
}
