#ifndef HORNBEAM_INTTYPES_H
#define HORNBEAM_INTTYPES_H
#include <stdint.h>
#ifdef __LP64__
#define __PRI64 "l"
#else
#define __PRI64 "ll"
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __PRI64 "d"
#define PRIi32 "i"
#define PRIi64 __PRI64 "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __PRI64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __PRI64 "x"
#define PRIX32 "X"
#define PRIX64 __PRI64 "X"
#define PRIdMAX PRId64
#define PRIuMAX PRIu64
intmax_t imaxabs(intmax_t);
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
#endif
