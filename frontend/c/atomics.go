package c

import (
	"fmt"
	"strings"
)

// atomics are gcc's operations on memory that several threads share, as macros. With one thread they are the plain ones; an
// exchange that may fail for no reason does not, as on the machines that these programs run on.
var atomics = func() string {
	var b strings.Builder
	b.WriteString(`
#define __hornbeam_exchange(p, v) ({ __typeof__(p) __p = (p); __typeof__(*__p) __v = (v), __o = *__p; *__p = __v; __o; })
#define __hornbeam_compare(p, e, d) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) *__e = (e), __d = (d); _Bool __same = *__p == *__e; \
	if (__same) *__p = __d; else *__e = *__p; __same; })
#define __hornbeam_swap(p, o, n) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __o = (o), __n = (n), __was = *__p; if (__was == __o) *__p = __n; __was; })
#define __sync_bool_compare_and_swap(p, o, n, ...) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __o = (o), __n = (n); _Bool __same = *__p == __o; if (__same) *__p = __n; __same; })
#define __sync_val_compare_and_swap(p, o, n, ...) __hornbeam_swap(p, o, n)
#define __sync_lock_test_and_set(p, v, ...) __hornbeam_exchange(p, v)
#define __sync_lock_release(p, ...) ((void)(*(p) = 0))
#define __sync_synchronize(...) ((void)0)
#define __atomic_load_n(p, m) (*(p))
#define __atomic_load(p, r, m) ((void)(*(r) = *(p)))
#define __atomic_store_n(p, v, m) ((void)(*(p) = (v)))
#define __atomic_store(p, v, m) ((void)(*(p) = *(v)))
#define __atomic_exchange_n(p, v, m) __hornbeam_exchange(p, v)
#define __atomic_exchange(p, v, r, m) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __v = *(v), *__r = (r), __o = *__p; *__p = __v; *__r = __o; (void)0; })
#define __atomic_compare_exchange_n(p, e, d, w, s, f) __hornbeam_compare(p, e, d)
#define __atomic_compare_exchange(p, e, d, w, s, f) __hornbeam_compare(p, e, *(d))
#define __atomic_test_and_set(p, m) ({ unsigned char *__p = (unsigned char *)(p); _Bool __o = *__p; *__p = 1; __o; })
#define __atomic_clear(p, m) ((void)(*(unsigned char *)(p) = 0))
#define __atomic_thread_fence(m) ((void)0)
#define __atomic_signal_fence(m) ((void)0)
`)
	for _, o := range [][2]string{{"add", "__o + __v"}, {"sub", "__o - __v"}, {"and", "__o & __v"}, {"or", "__o | __v"}, {"xor", "__o ^ __v"}, {"nand", "~(__o & __v)"}} {
		name, operation := o[0], o[1]
		fmt.Fprintf(&b, "#define __hornbeam_%s(p, v, r) ({ __typeof__(p) __p = (p); __typeof__(*__p) __v = __hornbeam_operand(*__p, v), __o = *__p; *__p = %s; r; })\n", name, operation)
		fmt.Fprintf(&b, "#define __sync_fetch_and_%[1]s(p, v, ...) __hornbeam_%[1]s(p, v, __o)\n", name)
		fmt.Fprintf(&b, "#define __sync_%[1]s_and_fetch(p, v, ...) __hornbeam_%[1]s(p, v, *__p)\n", name)
		fmt.Fprintf(&b, "#define __atomic_fetch_%[1]s(p, v, m) __hornbeam_%[1]s(p, v, __o)\n", name)
		fmt.Fprintf(&b, "#define __atomic_%[1]s_fetch(p, v, m) __hornbeam_%[1]s(p, v, *__p)\n", name)
	}
	return b.String()
}()
