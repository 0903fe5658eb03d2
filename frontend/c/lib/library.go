package lib

import (
	"math/bits"
	"strconv"
	"strings"

	"hornbeam/frontend/c/tree"
)

// Kind is what a function means.
type Kind uint8

// The kinds of functions.
const (
	// Ordinary functions mean what their body says, or are undefined externs without one.
	Ordinary Kind = iota
	// Error functions are the error when they are called.
	Error
	// Assert functions are the error when their first argument is zero.
	Assert
	// AssertNot functions are the error when their first argument is not zero.
	AssertNot
	// AssertIf functions are the error when the first argument is not zero but the second is.
	AssertIf
	// Assume functions end the path silently when their first argument is zero.
	Assume
	// Stop functions end the path silently.
	Stop
	// Allocate functions return a new object: malloc, calloc, realloc, alloca and their likes.
	Allocate
	// Release functions end the life of one: free.
	Release
	// Memory functions read or write memory in the way that C's standard says: memcpy, strlen, qsort... Those that copy or fill memory
	// are intrinsics, the others have definitions in C.
	Memory
	// Compute functions have a value that depends on their arguments alone: abs, isdigit, __builtin_popcount...
	Compute
	// Math functions are those of <math.h> and <fenv.h>.
	Math
	// Output functions evaluate their arguments and return any value: printf, puts...
	Output
	// Input functions write any values into what their arguments reach, and return any value of their range: scanf, fgets...
	Input
	// System functions write nothing and return any value of their range: getchar, rand, open...
	System
	// Unmodelled functions have a meaning that is not computed: strtod, wcscpy... In a proof they are Input functions, and a run
	// that calls one cannot be followed.
	Unmodelled
	// Trap functions are an error when they are called, though no failed check: __builtin_trap.
	Trap
	// Expect functions have the value of their first argument: __builtin_expect.
	Expect
	// Havoc functions give the bytes at their first argument, as many as the second says, any values.
	Havoc
	// Any functions return any value, and in a run that of their first argument.
	Any
	// Require functions say that the behaviour is undefined if their first argument is zero, which is seen in runs alone.
	Require
	// Metadata functions are what SeaHorn knows of memory beside what it holds: sea_is_dereferenceable, sea_is_modified...
	Metadata
	// Valid functions say whether the elements from the second argument to the third behind the first can be accessed, and written if
	// the fourth is not zero.
	Valid
	// Ignore functions do nothing, and return any value if they return one.
	Ignore
	// Refuse functions can't be handled: threads, long jumps, inline Boogie, contracts...
	Refuse
)

// String is the kind in a word.
func (k Kind) String() string {
	return [...]string{"ordinary", "error", "assert", "assert not", "assert if", "assume", "stop", "allocate", "release", "memory",
		"compute", "math", "output", "input", "system", "unmodelled", "trap", "expect", "havoc", "any", "require", "metadata", "valid", "ignore", "refuse"}[k]
}

// Function is what is known about a function by its name. What a function of the kind Input or Unmodelled writes is what its
// declaration leaves open: what the pointers among its arguments reach that do not point to a const type.
type Function struct {
	// Name is the function's name in C's standard, or what is closest to it: memcpy for __builtin___memcpy_chk.
	Name string
	Kind Kind
	// Always says that the meaning holds though the program defines the function.
	Always bool
	// Result is what is known of the result of a function of the kinds Input, System and Output.
	Result Result
	// Checked says that the arguments are not those of Name, but those of what compilers make of it: __fgets_chk.
	Checked bool
}

// Meaning is what a function of a program means. One that is marked as an error is that. Otherwise a body says it, unless the function means the same always, or the body
// is a stub: an empty one of a function that assumes or asserts and has a name that is reserved for verifiers, or one of a
// function that SeaHorn's sea_nd_ begins, which returns any value. One that has no body and does not return is the run's end.
func Meaning(f *tree.Function) Function {
	if f.Error {
		return Function{Name: f.Name, Kind: Error, Always: true}
	}
	if f.Body == nil {
		m := Lookup(f.Name, false)
		if m.Kind == Ordinary && f.NoReturn {
			m.Kind = Stop
		}
		return m
	}
	if strings.HasPrefix(f.Name, "sea_nd_") {
		return Function{Name: f.Name, Kind: Ignore, Always: true}
	}
	if stub := Lookup(f.Name, false); len(f.Body.Statements) == 0 && reserved(f.Name) {
		switch stub.Kind {
		case Assert, AssertNot, AssertIf, Assume:
			return stub
		}
	}
	return Lookup(f.Name, true)
}

// reserved tells whether a name is one of those that verifiers keep for themselves.
func reserved(name string) bool {
	return strings.HasPrefix(name, "__VERIFIER_") || strings.HasPrefix(name, "__SEA_") || strings.HasPrefix(name, "sea_")
}

// Lookup finds what a function with the name means; hasBody says whether the program defines it, and then it is Ordinary
// unless it means what it means always.
func Lookup(name string, hasBody bool) Function {
	f, ok := functions[name]
	if !ok {
		if base := Base(name); base != name {
			if f, ok = functions[base]; ok && !builtin(f.Kind) {
				ok = false
			}
		}
	}
	if !ok && !hasBody && intrinsic(name) {
		return Function{Name: name, Kind: Refuse}
	}
	if !ok || hasBody && !f.Always {
		return Function{Name: name}
	}
	if strings.HasSuffix(name, "_chk") && (f.Kind == Input || f.Kind == Output) {
		f.Checked, f.Result = true, Result{}
	}
	return f
}

// intrinsic tells whether a name is that of a function that CBMC or ESBMC know, other than one that returns any value.
func intrinsic(name string) bool {
	return (strings.HasPrefix(name, "__CPROVER_") || strings.HasPrefix(name, "__ESBMC_")) && !strings.Contains(name, "nondet")
}

// Ends reports whether a call of a function ends the program, and not only the run as far as it is known.
func Ends(f Function) bool {
	return f.Kind == Stop && (f.Name == "abort" || strings.HasSuffix(strings.ToLower(f.Name), "exit") && f.Name != "thrd_exit" && f.Name != "pthread_exit")
}

// builtin tells whether a compiler has functions of the kind with __builtin_ before their names.
func builtin(k Kind) bool {
	switch k {
	case Allocate, Release, Memory, Compute, Math, Output, Input, System, Unmodelled, Stop:
		return true
	}
	return false
}

// Base is the name without what compilers and C libraries put around the names of library functions: __builtin_, the
// prefixes of glibc for a standard, as in __isoc99_sscanf, and _chk behind with two underscores more in front.
func Base(name string) string {
	base := name
	for _, prefix := range []string{"__builtin_", "__isoc99_", "__isoc23_", "_IO_"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			base = rest
			break
		}
	}
	if checked, ok := strings.CutSuffix(base, "_chk"); ok {
		if checked, ok := strings.CutPrefix(checked, "__"); ok {
			return checked
		}
	}
	return base
}

// Formats tells whether what is behind the parameters of a function is what it prints by a format.
func (f Function) Formats() bool {
	switch f.Name {
	case "sprintf", "snprintf", "asprintf", "swprintf":
		return true
	}
	return false
}

// Relied tells whether what the function asserts is part of a contract that others rely on: it is asserted whatever is asked.
func (f Function) Relied() bool { return f.Name == "__hornbeam_rely" }

// Memory tells whether what the function asserts is about the validity of pointers: it is asserted where accesses are checked.
func (f Function) Memory() bool { return f.Name == "__hornbeam_rely_valid" }

// SetsErrno tells whether a call of the function may set errno, to anything but 0.
func (f Function) SetsErrno() bool {
	switch f.Kind {
	case Allocate, Math, Output, Input, System, Unmodelled:
		return true
	case Memory:
		return strings.HasPrefix(f.Name, "strto") || strings.HasPrefix(f.Name, "ato")
	}
	return false
}

// Shares names the object of the library that all pointers lead to that the function returns, and that each call may write
// again; empty if it has none.
func (f Function) Shares() string { return shared[f.Name] }

var shared = func() map[string]string {
	m := map[string]string{}
	for _, names := range []string{
		"localtime gmtime", "asctime ctime", "readdir", "getpwnam getpwuid", "getgrnam getgrgid", "strerror strsignal", "ttyname", "getlogin",
		"setlocale", "localeconv", "inet_ntoa", "basename dirname", "tmpnam", "getenv setenv putenv unsetenv",
		"gethostbyname gethostbyaddr getservbyname getservbyport getprotobyname", "l64a", "ecvt fcvt",
	} {
		all := strings.Fields(names)
		for _, n := range all {
			m[n] = all[0]
		}
	}
	return m
}()

// Threads tells whether the function is about threads or signals.
func (f Function) Threads() bool {
	for _, prefix := range []string{"pthread_", "mtx_", "cnd_", "thrd_", "tss_", "sem_", "sig", "__VERIFIER_atomic_"} {
		if strings.HasPrefix(f.Name, prefix) && !strings.HasPrefix(f.Name, "signbit") && !strings.HasPrefix(f.Name, "significand") {
			return true
		}
	}
	switch f.Name {
	case "raise", "kill", "alarm", "pause":
		return true
	}
	return false
}

// Globals are the names of the library's own objects that a function writes: those that getopt tells its results by.
func (f Function) Globals() []string {
	switch f.Name {
	case "getopt", "getopt_long", "getopt_long_only":
		return []string{"optarg", "optind", "opterr", "optopt"}
	case "tzset", "localtime", "mktime", "strftime", "ctime", "localtime_r":
		return []string{"timezone", "daylight", "tzname"}
	case "setenv", "putenv", "unsetenv":
		return []string{"environ"}
	case "lgamma", "lgammaf", "lgammal", "gamma":
		return []string{"signgam"}
	}
	return nil
}

// BitFunction splits the name of a function of the bits of one integer, such as popcountl, into what it computes and the bits of its
// argument, of which a long has the given number. The width is 0 for other functions.
func BitFunction(name string, long int) (base string, width int) {
	switch name {
	case "htons", "ntohs":
		return "bswap", 16
	case "htonl", "ntohl":
		return "bswap", 32
	}
	for _, base := range []string{"bswap", "bitreverse"} {
		for _, width := range []int{8, 16, 32, 64} {
			if name == base+strconv.Itoa(width) {
				return base, width
			}
		}
	}
	for _, base := range []string{"popcount", "parity", "ffs", "ctz", "clz", "clrsb"} {
		switch name {
		case base:
			return base, 32
		case base + "l":
			return base, long
		case base + "ll":
			return base, 64
		}
	}
	return "", 0
}

// Bits is the value of a function of BitFunction; of 0, ctz and clz have none.
func Bits(base string, width int, x uint64) (uint64, bool) {
	unused := 64 - width
	x = x << unused >> unused
	switch base {
	case "popcount":
		return uint64(bits.OnesCount64(x)), true
	case "parity":
		return uint64(bits.OnesCount64(x) & 1), true
	case "ffs":
		if x == 0 {
			return 0, true
		}
		return uint64(bits.TrailingZeros64(x) + 1), true
	case "ctz":
		return uint64(bits.TrailingZeros64(x)), x != 0
	case "clz":
		return uint64(bits.LeadingZeros64(x) - unused), x != 0
	case "clrsb":
		y := int64(x<<unused) >> unused
		return uint64(bits.LeadingZeros64(uint64(y^y>>63)) - unused - 1), true
	case "bswap":
		return bits.ReverseBytes64(x) >> unused, true
	}
	return bits.Reverse64(x) >> unused, true
}
