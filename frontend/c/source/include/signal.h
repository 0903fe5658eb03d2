#ifndef HORNBEAM_SIGNAL_H
#define HORNBEAM_SIGNAL_H
#include <sys/types.h>
typedef int sig_atomic_t;
typedef struct { unsigned long __bits[1024 / (8 * sizeof(unsigned long))]; } sigset_t;
typedef void (*sighandler_t)(int);
typedef struct { int si_signo, si_errno, si_code; int __pad[29]; } siginfo_t;
struct sigaction {
	union { void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); };
	sigset_t sa_mask;
	int sa_flags;
	void (*sa_restorer)(void);
};
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SA_RESTART 0x10000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
void (*signal(int, void (*)(int)))(int);
int raise(int);
int kill(pid_t, int);
int sigaction(int, const struct sigaction *, struct sigaction *);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigprocmask(int, const sigset_t *, sigset_t *);
int sigsuspend(const sigset_t *);
#endif
