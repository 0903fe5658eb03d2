package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// What SeaHorn's functions say is proved where it is certain; where it is not, nothing is proved and no bug is found.
func TestMetadata(t *testing.T) {
	before := "#include <seahorn/seahorn.h>\n#include <stdlib.h>\nint nd(void); int g;\n"
	for body, want := range map[string]engine.Verdict{
		`char *p = malloc(4); sassert(sea_is_dereferenceable(p, 4));`:                                                                                      engine.Sat,
		`char *p = malloc(4); free(p); sassert(sea_is_dereferenceable(p, 4));`:                                                                             engine.Unknown,
		`char *p = malloc(4), *q = realloc(p, 9); sassert(sea_is_dereferenceable(q, 9));`:                                                                  engine.Sat,
		`char *p = malloc(4), *q = realloc(p, 9); sassert(sea_is_dereferenceable(p, 4));`:                                                                  engine.Unknown,
		`char *p[2]; for (int i = 0; i < 2; i++) p[i] = malloc(4); sassert(sea_is_dereferenceable(p[1], 4));`:                                              engine.Sat,
		`char *p[2]; for (int i = 0; i < 2; i++) p[i] = malloc(4 - 2 * i); sassert(!sea_is_dereferenceable(p[0], 5));`:                                     engine.Unknown,
		`sea_tracking_on(); char *p = malloc(4); sassert(sea_is_alloc(p)); sea_free(p); sassert(!sea_is_alloc(p));`:                                        engine.Sat,
		`char *p = malloc(4); sea_tracking_on(); sassert(sea_is_alloc(p));`:                                                                                engine.Unknown,
		`sea_tracking_on(); char *p = malloc(4); sea_tracking_off(); sea_free(p); sassert(!sea_is_alloc(p));`:                                              engine.Unknown,
		`sea_tracking_on(); sassert(sea_is_alloc((char *)&g));`:                                                                                            engine.Unknown,
		`sea_tracking_on(); sea_set_shadowmem(1, (char *)&g, 3); sassert(sea_get_shadowmem(1, (char *)&g) == 3);`:                                          engine.Sat,
		`sea_tracking_on(); sea_set_shadowmem(TRACK_CUSTOM0_MEM, (char *)&g, 300); sassert(sea_get_shadowmem(3, (char *)&g) == 300);`:                      engine.Sat,
		`sea_tracking_on(); sea_set_shadowmem(3, (char *)&g, 300); sassert(sea_get_shadowmem(3, (char *)&g) != 300);`:                                      engine.Unsat,
		`char sea_get_shadowmem(char, char *); sea_tracking_on(); sea_set_shadowmem(3, (char *)&g, 300); sassert(sea_get_shadowmem(3, (char *)&g) == 44);`: engine.Sat,
		`sea_set_shadowmem(1, (char *)&g, 3); sea_tracking_on(); sassert(sea_get_shadowmem(1, (char *)&g) == 3);`:                                          engine.Unknown,
		`sea_tracking_on(); sassert(sea_get_shadowmem(1, (char *)&g) == sea_get_shadowmem(1, (char *)&g));`:                                                engine.Unknown,
		`sea_tracking_on(); g = nd(); sassert(!sea_is_modified((char *)&g));`:                                                                              engine.Unsat,
		`int *p = nd() ? &g : 0; sassert(sea_is_dereferenceable(p, 4));`:                                                                                   engine.Unsat,
		`sea_tracking_on(); int a[40]; sea_reset_modified((char *)a); a[nd() & 31] = 1; sassert(sea_is_modified((char *)(a + 35)));`:                       engine.Unsat,
	} {
		r := decideC(t.Context(), t, before+"int main(void) { "+body+" return 0; }", asked(t), spacer)
		require.Equal(t, want, r.Verdict, "%s: %s", body, r.Reason)
	}
}
