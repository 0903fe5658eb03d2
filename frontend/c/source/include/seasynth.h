#ifndef HORNBEAM_SEASYNTH_H
#define HORNBEAM_SEASYNTH_H
#include <seahorn/seasynth.h>
#endif
