#ifndef HORNBEAM_LIBIO_H
#define HORNBEAM_LIBIO_H
#include <stdio.h>
#endif
