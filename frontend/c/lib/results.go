package lib

import (
	"math"
	"strings"
)

// Result is what is known of a function's result beside its type. The zero value says nothing.
type Result struct {
	// Ranged says that a number is at least Low and at most High.
	Ranged    bool
	Low, High int64
	// Factors are the numbers of arguments, counted from 1, whose product bounds the result, too: those of read and fread.
	Factors []int
	// Into is the number of an argument, counted from 1, that is the result, if it is not null: the first one of fgets.
	Into int
	// NotNull says that a pointer is not null.
	NotNull bool
}

// Unbounded is the High of a result that has no upper bound but its type's.
const Unbounded = math.MaxInt64

// results has what is known of results, by names.
var results = func() map[string]Result {
	m := map[string]Result{}
	add := func(r Result, names string) {
		for _, name := range strings.Fields(names) {
			m[name] = r
		}
	}
	between := func(low, high int64, factors ...int) Result {
		return Result{Ranged: true, Low: low, High: high, Factors: factors}
	}
	add(between(0, 1<<31-1), "rand random rand_r")
	// A character or EOF.
	add(between(-1, 255), `getchar fgetc getc getchar_unlocked fgetc_unlocked getc_unlocked ungetc
		putchar putc fputc putchar_unlocked putc_unlocked fputc_unlocked`)
	// A count, or -1 for a failure.
	add(between(-1, Unbounded), `printf fprintf vprintf vfprintf dprintf vdprintf sprintf snprintf vsprintf vsnprintf asprintf vasprintf
		puts fputs puts_unlocked fputs_unlocked scanf fscanf sscanf vscanf vfscanf vsscanf getline getdelim
		clock time times ftell ftello fileno lseek open creat dup dup2 socket accept wait waitpid setsid sysconf
		getgroups mkstemp dirfd poll select pselect wprintf fwprintf fcntl ioctl`)
	add(between(-1, Unbounded, 3), "read write pread pwrite recv recvfrom send sendto readlink getrandom")
	add(between(0, Unbounded, 3), "fread fwrite fread_unlocked fwrite_unlocked")
	add(between(0, Unbounded, 2), "strftime")
	add(between(0, Unbounded, 1), "sleep")
	add(between(0, Unbounded), "getppid getpgrp umask alarm")
	add(between(1, Unbounded), "getpid getpagesize")
	// 0, or -1 for a failure.
	add(between(-1, 0), `fclose fflush fseek fseeko fsetpos fgetpos remove rename access close pipe socketpair chdir unlink rmdir link symlink
		chown fchown lchown ftruncate truncate fsync setuid setgid setenv unsetenv kill mkdir mkfifo mknod chmod fchmod
		bind listen connect shutdown setsockopt getsockopt getsockname getpeername mprotect msync munmap closedir utime utimes
		settimeofday gettimeofday clock_gettime clock_getres nanosleep usleep getrusage getrlimit setrlimit stat fstat lstat
		__xstat __fxstat __lxstat __xstat64 __fxstat64 __lxstat64 stat64 fstat64 lstat64 gethostname
		sigemptyset sigfillset sigaddset sigdelset sigprocmask sigpending setpgid flock getentropy tcgetattr tcsetattr
		sem_init sem_destroy sem_wait sem_post sem_trywait sem_getvalue`)
	add(between(-1, -1), "pause sigsuspend execv execve execvp execl execlp")
	add(between(0, 1), "isatty")
	add(Result{Into: 1}, "fgets gets fgets_unlocked getcwd mkdtemp fgetws")
	add(Result{NotNull: true}, "strerror strsignal gai_strerror")
	return m
}()
