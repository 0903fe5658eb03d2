package interpret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/interpret"
)

// What SeaHorn's functions say about memory, and that nothing is said where that is not certain.
func TestMetadata(t *testing.T) {
	before := "#include <seahorn/seahorn.h>\n#include <stdlib.h>\n#include <string.h>\n#define M(x) sea_is_modified((char *)(x))\nstruct s { char c; int i; }; int g[3];\n"
	for body, want := range map[string]interpret.Kind{
		`int a[3]; sassert(sea_is_dereferenceable(a, 12) && sea_is_dereferenceable(a + 3, 0) && !sea_is_dereferenceable(a, 13));`:     interpret.Ended,
		`int a[3]; sassert(!sea_is_dereferenceable(a + 2, 5) && !sea_is_dereferenceable(a, -1) && sea_is_dereferenceable(&a[1], 8));`: interpret.Ended,
		`char *p = malloc(5); sassert(sea_is_dereferenceable(p + 4, 1) && !sea_is_dereferenceable(p + 4, 2));`:                        interpret.Ended,
		`sassert(!sea_is_dereferenceable(0, 1));`:                                                                               interpret.Ended,
		`sassert(sea_is_dereferenceable(g, 13));`:                                                                               interpret.ErrorReached,
		`sea_is_dereferenceable(0, 0);`:                                                                                         interpret.Undetermined,
		`char *p = malloc(5); free(p); sea_is_dereferenceable(p, 1);`:                                                           interpret.Undetermined,
		`int a = 1; sassert(!M(&a)); sea_tracking_on(); sassert(!M(&a)); a = 2; sassert(M(&a));`:                                interpret.Ended,
		`sea_tracking_on(); int a = 1, b; sassert(M(&a) && !M(&b));`:                                                            interpret.Ended,
		`sea_tracking_on(); int a; a = 1; sea_reset_modified((char *)&a); sassert(!M(&a) && M((char *)&a + 1));`:                interpret.Ended,
		`int a; sea_tracking_on(); a = 1; sea_tracking_off(); sassert(M(&a)); sea_tracking_on(); sassert(!M(&a));`:              interpret.Ended,
		`int a; sea_tracking_on(); sea_tracking_off(); a = 1; sassert(!M(&a));`:                                                 interpret.Ended,
		`struct s s, r; sea_tracking_on(); s.i = 1; sassert(!M(&s.c) && M(&s.i)); r = s; sassert(M(&r.c));`:                     interpret.Ended,
		`sea_tracking_on(); memset(&g[1], 0, 4); sassert(!M(g) && M(&g[1]) && !M(&g[2])); memcpy(g, g + 2, 4); sassert(M(g));`:  interpret.Ended,
		`sea_tracking_on(); for (int i = 0; i < 2; i++) { int a; sassert(!M(&a)); a = 1; }`:                                     interpret.Ended,
		`sea_tracking_on(); char *p = calloc(3, 1); sassert(!M(p)); strcpy(p, "a"); sassert(M(p) && M(p + 1) && !M(p + 2));`:    interpret.Ended,
		`sea_tracking_on(); char *p = malloc(9); sassert(sea_is_alloc(p + 8)); sea_free(p); sassert(!sea_is_alloc(p)); *p = 1;`: interpret.Ended,
		`char *p = malloc(9); sea_tracking_on(); sea_is_alloc(p);`:                                                              interpret.Undetermined,
		`sassert(!sea_is_alloc(0)); sea_tracking_on(); sea_is_alloc((char *)g);`:                                                interpret.Undetermined,
		`int a; sea_tracking_on(); sea_set_shadowmem(3, (char *)&a, 7); sea_set_shadowmem(2, (char *)&a, -1); a = 0; sassert(sea_get_shadowmem(3, (char *)&a) == 7 && sea_get_shadowmem(2, (char *)&a) == -1);`: interpret.Ended,
		`sea_tracking_on(); sea_get_shadowmem(3, (char *)g);`: interpret.Undetermined,
		`sea_set_shadowmem(3, (char *)g, 1);`:                 interpret.Undetermined,
	} {
		out := once(t, before+"int main(void) { "+body+" return 0; }")
		require.Equal(t, want, out.Kind, "%s: %s", body, out)
	}
}
