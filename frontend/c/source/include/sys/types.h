#ifndef HORNBEAM_SYS_TYPES_H
#define HORNBEAM_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef long long off64_t, loff_t;
typedef int pid_t;
typedef unsigned int uid_t, gid_t, id_t, mode_t, useconds_t;
typedef unsigned long ino_t, nlink_t;
typedef unsigned long long dev_t;
typedef long blksize_t, blkcnt_t, time_t, clock_t, suseconds_t;
typedef int clockid_t, key_t;
typedef void *timer_t;
typedef unsigned char u_char, u_int8_t;
typedef unsigned short u_short, u_int16_t;
typedef unsigned int u_int, u_int32_t;
typedef unsigned long u_long;
typedef unsigned long long u_int64_t;
#endif
