#ifndef HORNBEAM_ALLOCA_H
#define HORNBEAM_ALLOCA_H
#include <stddef.h>
void *alloca(size_t);
#endif
