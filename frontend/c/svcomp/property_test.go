package svcomp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/svcomp"
)

// Properties are read with what they speak of, and those that are not decided are known by their names.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		text, name, entry, of string
		decidable             bool
	}{
		{"CHECK( init(main()), LTL(G ! call(reach_error())) )\n", "unreach-call", "main", "reach_error", true},
		{"\n  CHECK(init(start()),LTL(G!call(__VERIFIER_error())))", "unreach-call", "start", "__VERIFIER_error", true},
		{"CHECK( init(main()), LTL(G ! call(panic())) )", "unreach-call of panic", "main", "panic", true},
		{"CHECK( init(main()), LTL(G ! label(ERROR)) )", "unreach-label", "main", "ERROR", true},
		{"CHECK( init(main()), LTL(G ! overflow) )", "no-overflow", "main", "", true},
		{"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n", "valid-memsafety", "main", "", true},
		{"CHECK( init(main()), LTL(F end) )", "termination", "main", "", false},
		{"COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n", "coverage-branches", "main", "", false},
		{"COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", "coverage-error-call", "main", "", false},
	} {
		p, err := svcomp.ParseProperty("x.prp", c.text)
		require.NoError(t, err)
		require.Equal(t, c.name, p.String())
		require.Equal(t, c.entry, p.Entry)
		require.Equal(t, c.of, p.Label+p.Function)
		require.Equal(t, c.decidable, p.Decidable(), c.text)
	}
}

// What is no property is told with its place.
func TestNoProperties(t *testing.T) {
	for text, says := range map[string]string{
		"":         "x.prp:1:1: no property: the file is empty",
		"\n\n":     "x.prp:1:1: no property: the file is empty",
		"\n hello": "x.prp:2:2: no property, which is of the form CHECK( init(main()), LTL(...) )",
		"COVER( init(main()), FQL(COVER EDGES(@NOTHING)) )":                                    "x.prp:1:1: no property, which is of the form CHECK( init(main()), LTL(...) )",
		"CHECK( init(main()), LTL(F end) )\nCOVER( init(main()), FQL(COVER EDGES(@CALL(f))) )": "x.prp:2:1: no property, which is of the form CHECK( init(main()), LTL(...) )",
		"CHECK( init(main()), LTL(G foo) )":                                                    "x.prp:1:26: the formula G foo is none of those that are known",
		"CHECK( init(main()), LTL(F end) )\nCHECK( init(main()), LTL(G ! overflow) )":          "x.prp:2:1: two properties, termination and no-overflow, in one file",
		"CHECK( init(main()), LTL(G ! label(A)) )\nCHECK( init(main()), LTL(G ! label(B)) )":   "x.prp:2:1: two properties, unreach-label and unreach-label, in one file",
		"CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(other()), LTL(G ! overflow) )":  "x.prp:2:1: two properties, no-overflow and no-overflow, in one file",
	} {
		_, err := svcomp.ParseProperty("x.prp", text)
		require.EqualError(t, err, says)
	}
}
