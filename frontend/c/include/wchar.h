#ifndef HORNBEAM_WCHAR_H
#define HORNBEAM_WCHAR_H
#include <stddef.h>
typedef unsigned int wint_t;
typedef struct { int __count; unsigned int __value; } mbstate_t;
size_t wcslen(const wchar_t *);
wchar_t *wcscpy(wchar_t *, const wchar_t *);
int wcscmp(const wchar_t *, const wchar_t *);
#endif
