#ifndef HORNBEAM_UNISTD_H
#define HORNBEAM_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _SC_PAGESIZE 30
extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const *, const char *);
int access(const char *, int);
int open(const char *, int, ...);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
off_t lseek(int, off_t, int);
int dup(int);
int dup2(int, int);
int pipe(int *);
int chdir(const char *);
char *getcwd(char *, size_t);
int unlink(const char *);
int rmdir(const char *);
int link(const char *, const char *);
int symlink(const char *, const char *);
ssize_t readlink(const char *, char *, size_t);
int chown(const char *, uid_t, gid_t);
int fchown(int, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int isatty(int);
char *ttyname(int);
int fsync(int);
void sync(void);
pid_t fork(void);
pid_t vfork(void);
int execv(const char *, char *const *);
int execve(const char *, char *const *, char *const *);
int execvp(const char *, char *const *);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
void _exit(int) __attribute__((noreturn));
pid_t getpid(void);
pid_t getppid(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t);
int setgid(gid_t);
int getgroups(int, gid_t *);
unsigned int sleep(unsigned int);
int usleep(useconds_t);
unsigned int alarm(unsigned int);
int pause(void);
long sysconf(int);
int gethostname(char *, size_t);
int getpagesize(void);
int nice(int);
#endif
