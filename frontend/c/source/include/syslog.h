#ifndef HORNBEAM_SYSLOG_H
#define HORNBEAM_SYSLOG_H
typedef __builtin_va_list va_list;
#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_USER 8
#define LOG_DAEMON 24
#define LOG_AUTH 32
#define LOG_PID 1
void openlog(const char *, int, int);
void syslog(int, const char *, ...);
void vsyslog(int, const char *, va_list);
void closelog(void);
#endif
