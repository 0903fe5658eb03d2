package read

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// withoutModel are the functions that our headers declare and that nothing is known of: they change what their arguments reach,
// and return any value.
var withoutModel = strings.Fields(`__VERIFIER_nondet __SMACK_nondet __SMACK_value __SMACK_values __SMACK_return_value infer __hornbeam_infer`)

// readHere are functions whose calls are not left in the tree.
var readHere = strings.Fields(`__errno_location __CONTRACT_requires __CONTRACT_ensures __CONTRACT_invariant __CONTRACT_old __CONTRACT_result
	__CONTRACT_forall __CONTRACT_exists __CONTRACT_variable __CONTRACT_integer`)

// declared are the functions that the headers declare.
func declared(t *testing.T) map[string]*tree.Function {
	var text strings.Builder
	for _, dir := range []string{"include", "include/sys", "include/arpa", "include/netinet", "include/seahorn"} {
		entries, err := os.ReadDir("../source/" + dir)
		require.NoError(t, err)
		for _, e := range entries {
			if name := strings.TrimPrefix(dir+"/"+e.Name(), "include/"); !e.IsDir() && name != "tgmath.h" {
				text.WriteString("#include <" + name + ">\n")
			}
		}
	}
	text.WriteString("int main(void) { return 0; }\n")
	r := newReader(context.Background(), newTypes(tree.LP64), &source.Text{Name: "test.c"})
	units, err := r.parse([]source.Unit{{Name: "test.c", Text: []byte(text.String())}})
	require.NoError(t, err)
	r.program(units)
	require.NoError(t, r.Err())
	found := map[string]*tree.Function{}
	for name, f := range r.functions {
		if f.Body == nil {
			found[name] = f
		}
	}
	for name, f := range r.builtins {
		if found[name] == nil {
			found[name] = f
		}
	}
	require.Greater(t, len(found), 500)
	return found
}

// A function that a header declares has a model, is refused, or is known to have none.
func TestDeclaredFunctionsAreKnown(t *testing.T) {
	for name := range declared(t) {
		if unsupportedFunctions[name] != "" || slices.Contains(readHere, name) || strings.HasPrefix(name, "__VERIFIER_nondet_") || strings.HasPrefix(name, "__SMACK_nondet_") {
			continue
		}
		known := lib.Lookup(name, false).Kind != lib.Ordinary
		require.Equal(t, !known, slices.Contains(withoutModel, name), name)
	}
}
