#ifndef HORNBEAM_SCHED_H
#define HORNBEAM_SCHED_H
int sched_yield(void);
#endif
