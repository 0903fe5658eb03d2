package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/intblast"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/z3"
)

// A division by a variable has no linear meaning, of one bit neither, whose place is taken by a Boolean: the system stays.
func TestIntBlastLeavesDivisionsOfOneBit(t *testing.T) {
	script, err := smtlib.Read("test", []byte(`(assert (forall ((x (_ BitVec 1)) (y (_ BitVec 1))) (bvsle x (bvudiv #b0 y))))`), term.NewPool())
	require.NoError(t, err)
	out, _, err := intblast.Pass().Run(t.Context(), transform.Environment{Open: z3.Open}, script.System)
	require.NoError(t, err)
	require.Same(t, script.System, out)
}
