package harness

import (
	"fmt"
	"math"
	"strconv"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// typeName is a type that a scalar can be stored with, without any of the program's own names.
func typeName(t tree.Type) string {
	if _, ok := t.(*tree.Pointer); ok {
		return "void *"
	}
	return t.String()
}

// literal is a value in C, as a constant expression.
func (w *writer) literal(t tree.Type, v interpret.Value) string {
	switch t := t.(type) {
	case *tree.Pointer:
		if i, ok := w.record.blocks[v.Bits()]; ok && v.Bits() != 0 {
			return "(void *)" + blockName(i)
		}
		if isCode(t) && v.Text != "" {
			return "(void *)" + w.called(v.Text)
		}
		return fmt.Sprintf("(void *)%dUL", v.Bits())
	case *tree.Float:
		return float(v.Float())
	case *tree.Integer:
		if !t.Signed {
			return strconv.FormatUint(v.Bits(), 10) + "ULL"
		}
	}
	if n := int64(v.Bits()); n != math.MinInt64 {
		return strconv.FormatInt(n, 10) + "LL"
	}
	return "(-9223372036854775807LL - 1)"
}

func float(x float64) string {
	switch {
	case math.IsNaN(x):
		return `__builtin_nan("")`
	case math.IsInf(x, 1):
		return "__builtin_inf()"
	case math.IsInf(x, -1):
		return "-__builtin_inf()"
	}
	return strconv.FormatFloat(x, 'x', -1, 64)
}

func blockName(i int) string { return fmt.Sprintf("__hornbeam_object_%d", i) }

// stores are statements that store cells behind a pointer.
func (w *writer) stores(pointer string, cells []cell) string {
	out := ""
	for _, c := range cells {
		out += fmt.Sprintf(" *(%s *)((char *)%s + %d) = (%s)%s;", typeName(c.t), pointer, c.offset, typeName(c.t), w.literal(c.t, c.value))
	}
	return out
}
