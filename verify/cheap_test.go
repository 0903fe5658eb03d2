package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// What is true of each element when it is made is true of those that a pointer leads to, however many there are. Where C does not
// evaluate an access, as that behind p in `p && p->v`, nothing is concluded from it, and addresses that are more than names of objects
// are those of objects with sizes.
func TestElementsOfLists(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       engine.Verdict
	}{
		{"all elements", `struct n *h = 0; while (nd()) { int v = nd(); h = make(v < 0 ? 0 : v, h); }
for (struct n *p = h; p; p = p->next) if (p->v < 0) reach_error();`, engine.Sat},
		{"appended", `struct n *h = 0, *l = 0; int n = nd(); for (int i = 0; i < n; i++) { struct n *p = make(i, 0); if (l) l->next = p; else h = p; l = p; }
for (struct n *p = h; p; p = p->next) if (p->v >= n) reach_error();`, engine.Sat},
		{"reversed", `struct n *h = 0, *r = 0; while (nd()) h = make(7, h); while (h) { struct n *x = h->next; h->next = r; r = h; h = x; }
while (r) { if (r->v != 7) reach_error(); r = r->next; }`, engine.Sat},
		{"one is not", `struct n *h = 0; while (nd()) { int v = nd(); h = make(v < -5 ? 0 : v, h); }
for (struct n *p = h; p; p = p->next) if (p->v < 0) reach_error();`, engine.Unsat},
		{"not evaluated after &&", `struct n *p = nd() ? make(1, 0) : 0; if (p && p->v == 1) return 0; if (!p) reach_error();`, engine.Unsat},
		{"not evaluated after ||", `struct n *p = nd() ? make(1, 0) : 0; if (!p || p->v == 2) reach_error();`, engine.Unsat},
		{"the other case", `struct n *p = nd() ? make(1, 0) : 0; int x = p ? p->v : 0; if (!x) reach_error();`, engine.Unsat},
		{"neither is evaluated", `struct n *p = nd() ? make(1, 0) : 0, *q = 0; if (!((nd() && p && p->v == 1) || (q && q->v))) reach_error();`, engine.Unsat},
		{"a pointer into an element", `struct n *p = make(1, 0), *q = 0; for (int i = 0; i < 8; i++) q = make(2, 0);
struct n **a = &p->next; if ((void *)a == (void *)q) reach_error();`, engine.Sat},
		{"numbers", `struct n *p = make(1, 0), *q = make(2, 0); if ((long)q - (long)p != 1) reach_error();`, engine.Unsat},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := `int nd(void); void abort(void); void *malloc(unsigned long); void reach_error(void); struct n { int v; struct n *next; };
static struct n *make(int v, struct n *next) { struct n *p = malloc(sizeof *p); if (!p) abort(); p->v = v; p->next = next; return p; }
int main(void) { ` + test.body + " return 0; }"
			r := decideC(t.Context(), t, text, asked(t, "int=c", "bits=auto"), auto)
			require.Equal(t, test.want, r.Verdict, r.Reason)
		})
	}
}
