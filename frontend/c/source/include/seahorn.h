#ifndef HORNBEAM_SEAHORN_H
#define HORNBEAM_SEAHORN_H
#include <seahorn/seahorn.h>
#endif
