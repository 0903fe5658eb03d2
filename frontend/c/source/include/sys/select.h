#ifndef HORNBEAM_SYS_SELECT_H
#define HORNBEAM_SYS_SELECT_H
#include <sys/types.h>
#include <sys/time.h>
#include <signal.h>
#include <time.h>
#define FD_SETSIZE 1024
typedef struct { unsigned long fds_bits[FD_SETSIZE / (8 * sizeof(unsigned long))]; } fd_set;
#define __HORNBEAM_FD_BITS (8 * sizeof(unsigned long))
#define FD_SET(fd, set) ((void)((set)->fds_bits[(fd) / __HORNBEAM_FD_BITS] |= 1UL << (fd) % __HORNBEAM_FD_BITS))
#define FD_CLR(fd, set) ((void)((set)->fds_bits[(fd) / __HORNBEAM_FD_BITS] &= ~(1UL << (fd) % __HORNBEAM_FD_BITS)))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / __HORNBEAM_FD_BITS] & 1UL << (fd) % __HORNBEAM_FD_BITS) != 0)
#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
#endif
