package translate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/translate"
)

// A short sentence names a few functions, and none whose names say what is assumed of them.
func TestBriefAssumptions(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                 {"__VERIFIER_nondet_int", "nondet_bool", "unknown1", "nd", "__SMACK_nondet_char"},
		"any value":                        nil,
		"any value: read":                  {"__VERIFIER_nondet_int", "read"},
		"any value: a, b, c, d":            {"a", "b", "c", "nd", "d"},
		"any value: a, b, c, and 2 others": {"a", "b", "c", "d", "e"},
	} {
		require.Equal(t, want, translate.Assumption{What: "any value", Names: names}.Brief())
	}
	require.Equal(t, "any value: nd, read", translate.Assumption{What: "any value", Names: []string{"nd", "read"}}.String())
}
