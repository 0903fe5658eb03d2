#ifndef HORNBEAM_STDDEF_H
#define HORNBEAM_STDDEF_H
#define NULL ((void *)0)
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long __a; long double __b; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
