#ifndef HORNBEAM_SYS_RESOURCE_H
#define HORNBEAM_SYS_RESOURCE_H
#include <sys/time.h>
struct rlimit { unsigned long rlim_cur, rlim_max; };
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
#endif
