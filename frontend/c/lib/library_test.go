package lib

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/tree"
)

// A name has one meaning: no name may stand in two rows.
func TestNamesAreOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		for _, name := range strings.Fields(r.names) {
			require.False(t, seen[name], name)
			seen[name] = true
		}
	}
}

// A body is ignored only where it may not decide what the function means.
func TestBodies(t *testing.T) {
	require.Equal(t, Error, Lookup("reach_error", true).Kind)
	require.Equal(t, Error, Lookup("__assert_fail", false).Kind)
	require.Equal(t, Assert, Lookup("__VERIFIER_assert", false).Kind)
	require.Equal(t, Ordinary, Lookup("__VERIFIER_assert", true).Kind)
	require.Equal(t, Ordinary, Lookup("strlen", true).Kind)
	require.Equal(t, Ordinary, Lookup("__VERIFIER_nondet_int", false).Kind)
	require.Equal(t, Ordinary, Lookup("unknown", false).Kind)
}

// What compilers put around a name doesn't hide it, but a program's own functions are not taken for library functions.
func TestSpellings(t *testing.T) {
	require.Equal(t, Function{Name: "memcpy", Kind: Memory}, Lookup("__builtin___memcpy_chk", false))
	require.Equal(t, Function{Name: "strlen", Kind: Memory}, Lookup("__builtin_strlen", false))
	require.Equal(t, Function{Name: "abort", Kind: Stop}, Lookup("__builtin_abort", false))
	require.Equal(t, Ordinary, Lookup("__builtin_reach_error", false).Kind)
	require.Equal(t, Ordinary, Lookup("__builtin_assert", false).Kind)
	require.Equal(t, Ordinary, Lookup("my_chk", false).Kind)
	require.Equal(t, Assume, Lookup("__builtin_assume", false).Kind)
}

// A body is ignored that is a stub: an empty one of a function whose name is a verifier's, or any of one that chooses a value.
func TestStubs(t *testing.T) {
	empty := &tree.Block{}
	full := &tree.Block{Statements: []tree.Statement{&tree.Return{}}}
	for _, test := range []struct {
		name string
		body *tree.Block
		want Kind
	}{
		{"__VERIFIER_assert", nil, Assert}, {"__VERIFIER_assert", empty, Assert}, {"__VERIFIER_assert", full, Ordinary},
		{"__VERIFIER_assert_not", empty, AssertNot}, {"sea_assert_if", empty, AssertIf},
		{"__SEA_assume", empty, Assume}, {"__VERIFIER_assume", full, Ordinary}, {"__VERIFIER_error", full, Error},
		{"assert", empty, Ordinary}, {"assume", empty, Ordinary}, {"abort", empty, Ordinary}, {"f", empty, Ordinary},
		{"sea_nd_int", nil, Ordinary}, {"sea_nd_int", empty, Ignore}, {"sea_nd_int", full, Ignore}, {"nd_int", full, Ordinary},
		{"sea_free", empty, Ordinary}, {"sea_free", nil, Metadata},
	} {
		require.Equal(t, test.want, Meaning(&tree.Function{Name: test.name, Body: test.body}).Kind, test.name)
	}
}

// namesOf are all functions of a kind, sorted.
func namesOf(k Kind) []string {
	var names []string
	for _, row := range table {
		if row.kind == k {
			names = append(names, strings.Fields(row.names)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A name of the table is of the kind that the table says.
func TestNames(t *testing.T) {
	for k := Error; k <= Refuse; k++ {
		names := namesOf(k)
		require.NotEmpty(t, names, k.String())
		for _, n := range names {
			require.Equal(t, k, Lookup(n, false).Kind, n)
		}
	}
	require.Empty(t, namesOf(Ordinary))
}

// A library function is the same one under the names that compilers and C libraries give it.
func TestAliases(t *testing.T) {
	for _, k := range []Kind{Allocate, Memory, Math, Output, Input, System, Unmodelled} {
		for _, n := range namesOf(k) {
			if strings.HasPrefix(n, "__") {
				continue
			}
			for _, alias := range []string{"__builtin_" + n, "__isoc99_" + n, "__isoc23_" + n, "_IO_" + n, "__" + n + "_chk", "__builtin___" + n + "_chk"} {
				require.Equal(t, k, Lookup(alias, false).Kind, alias)
			}
		}
	}
	require.True(t, Lookup("__fgets_chk", false).Checked)
	require.False(t, Lookup("fgets", false).Checked)
}

// What is known of a result is known of functions whose results are left open, and bounds hold.
func TestResults(t *testing.T) {
	for name, r := range results {
		k := Lookup(name, false).Kind
		require.Contains(t, []Kind{Input, Output, System}, k, name)
		require.LessOrEqual(t, r.Low, r.High, name)
	}
	require.Equal(t, Result{Ranged: true, Low: -1, High: 255}, Lookup("_IO_getc", false).Result)
}

// Each definition is of a function that the table has, or a helper that none of a program is called like; the source of one has all
// that it uses.
func TestDefinitions(t *testing.T) {
	require.Greater(t, len(Definitions()), 60)
	for _, d := range Definitions() {
		if !strings.HasPrefix(d.Name, "__hornbeam_") {
			require.Contains(t, []Kind{Allocate, Memory, Compute, Input}, Lookup(d.Name, false).Kind, d.Name)
		}
		require.Equal(t, strings.Count(d.Text, "{"), strings.Count(d.Text, "}"), d.Text)
		require.Contains(t, d.Head(), d.Name+"(", d.Text)
		source := Source(d.Name)
		for _, used := range words.FindAllString(d.Text, -1) {
			if Defined(used) {
				require.Contains(t, source, used+"(", d.Name)
			}
		}
	}
	require.NotContains(t, Source("strlen"), "strcmp")
	require.Contains(t, Source("atoi"), "__hornbeam_digit(")
}

// Functions of bits are told apart from others, with the widths of their arguments in both data models.
func TestBitFunctions(t *testing.T) {
	for name, want := range map[string]struct {
		base          string
		narrow, width int
	}{
		"popcount": {"popcount", 32, 32}, "popcountl": {"popcount", 32, 64}, "clzll": {"clz", 64, 64}, "clrsbl": {"clrsb", 32, 64},
		"bswap16": {"bswap", 16, 16}, "bitreverse64": {"bitreverse", 64, 64}, "htons": {"bswap", 16, 16}, "ntohl": {"bswap", 32, 32},
		"bswap": {}, "bswap128": {}, "l": {}, "8": {}, "abs": {},
	} {
		base, narrow := BitFunction(name, 32)
		_, width := BitFunction(name, 64)
		require.Equal(t, want, struct {
			base          string
			narrow, width int
		}{base, narrow, width}, name)
	}
}
