#ifndef HORNBEAM_SEAHORN_SEASYNTH_H
#define HORNBEAM_SEAHORN_SEASYNTH_H
#include <seahorn/seahorn.h>
#define infer(condition) __hornbeam_infer(condition)
bool __hornbeam_infer(bool);
#define PARTIAL_FN __attribute__((partial))
#endif
