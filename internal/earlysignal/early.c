// What SIGINT and SIGTERM do from the moment at which the program is loaded until Handled is called: before the Go runtime
// has begun, and while it initialises packages. The Go runtime passes a signal that nobody has asked for on to the handler
// that it found when it began, which is this one.

#include <signal.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t hb_handled;

// The end of a command that was interrupted before it did anything: what it prints, and its exit code.
static struct ending {
	const char *command, *verdict;
	int code;
} endings[] = {
	{"solve", "unknown\n", 0},
	{"hunt", "unknown\n", 5},
	{"verify", "unknown\n", 5},
	{"as", "unknown\n", 0},
	{"check", "undecided\n", 5},
	{"show", "", 5},
};

static const struct ending *ending;

static void put(int fd, const char *text) {
	size_t left = strlen(text);
	while (left > 0) {
		ssize_t n = write(fd, text, left);
		if (n <= 0)
			return;
		text += n;
		left -= n;
	}
}

static void early(int sig) {
	(void)sig;
	// Once the program has asked for signals, this handler only sees one that is to kill.
	if (hb_handled)
		return;
	if (ending == NULL) {
		put(2, "hornbeam: interrupted before the command began\n");
		_exit(1);
	}
	put(1, ending->verdict);
	put(2, "; interrupted before the command began\n");
	_exit(ending->code);
}

__attribute__((constructor)) static void install(int argc, char **argv, char **envp) {
	static const int signals[] = {SIGINT, SIGTERM};
	(void)envp;
#if !defined(__GLIBC__) && !defined(__APPLE__)
	argc = 0; // other C libraries do not give constructors the command line
#endif
	for (int i = 1; i < argc && ending == NULL; i++)
		for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
			if (strcmp(argv[i], endings[k].command) == 0)
				ending = &endings[k];
	for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
		struct sigaction old, mine;
		// What the parent had ignored stays ignored.
		if (sigaction(signals[k], NULL, &old) != 0 || old.sa_handler != SIG_DFL)
			continue;
		memset(&mine, 0, sizeof mine);
		mine.sa_handler = early;
		mine.sa_flags = SA_RESTART | SA_ONSTACK;
		sigemptyset(&mine.sa_mask);
		sigaction(signals[k], &mine, NULL);
	}
}
