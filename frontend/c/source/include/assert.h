/* May be included again with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
void __hornbeam_assert(int);
#define assert(condition) __hornbeam_assert(!!(condition))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
