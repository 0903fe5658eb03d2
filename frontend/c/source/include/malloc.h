#ifndef HORNBEAM_MALLOC_H
#define HORNBEAM_MALLOC_H
#include <stdlib.h>
#endif
