#ifndef HORNBEAM_TIME_H
#define HORNBEAM_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC 1000000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
struct timespec { time_t tv_sec; long tv_nsec; };
struct itimerspec { struct timespec it_interval, it_value; };
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
time_t mktime(struct tm *);
struct tm *localtime(const time_t *);
struct tm *gmtime(const time_t *);
struct tm *localtime_r(const time_t *, struct tm *);
struct tm *gmtime_r(const time_t *, struct tm *);
char *ctime(const time_t *);
char *asctime(const struct tm *);
size_t strftime(char *, size_t, const char *, const struct tm *);
int nanosleep(const struct timespec *, struct timespec *);
int clock_getres(clockid_t, struct timespec *);
int timespec_get(struct timespec *, int);
#define TIME_UTC 1
int clock_gettime(clockid_t, struct timespec *);
int stime(const time_t *);
#endif
