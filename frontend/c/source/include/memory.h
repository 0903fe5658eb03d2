#ifndef HORNBEAM_MEMORY_H
#define HORNBEAM_MEMORY_H
#include <string.h>
#endif
