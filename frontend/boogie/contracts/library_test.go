package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/encode"
)

// What follows from the definitions of Boogie's library at all entries of maps is proved by the solver.
func TestProofsWithTheLibrary(t *testing.T) {
	for name, src := range map[string]string{
		"sets":      `procedure p(s: Set int) { var t: Set int; t := Set_Add(s, 3); assert Set_Contains(t, 3) && Set_IsSubset(s, t); t := Set_Remove(t, 3); assert !Set_Contains(t, 3); assert Set_Union(s, Set_Empty()) == s; }`,
		"sizes":     `procedure p() { assert Set_Size(Set_Add(Set_Add(Set_Empty(), 3), 4)) == 2; }`,
		"sequences": `procedure p() { var v: Vec int; v := Vec_Append(Vec_Append(Vec_Empty(), 1), 2); assert Vec_Len(v) == 2 && Vec_Nth(v, 1) == 2; }`,
		"ranges":    `procedure p() { assert Range(2, 3)[4] && !Range(2, 3)[5] && AtLeast(3)[7] && Identity[4] == 4; }`,
	} {
		require.True(t, verify(t, src, encode.Options{}).Proved, name)
	}
	require.False(t, verify(t, `procedure p(s: Set int) { assert Set_Size(Set_Add(s, 3)) == Set_Size(s) + 1; }`, encode.Options{}).Proved)
}
