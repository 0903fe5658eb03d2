package persona

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The tools whose command lines are understood.
const (
	Z3       = "z3"
	Eldarica = "eld"
)

// Named reports whether a program that is called by this name is one of the tools, and which.
func Named(program string) (tool string, ok bool) {
	tool = strings.TrimSuffix(filepath.Base(program), ".exe")
	return tool, tool == Z3 || tool == Eldarica
}

// UsageError says what is wrong with the arguments.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// arguments are what a command line of one of the tools says.
type arguments struct {
	tool string
	// file is what is read; "" is standard input.
	file string
	// limit is the time for a check, total that for everything; 0 is no limit.
	limit, total time.Duration
	// memory is in bytes; 0 is no limit.
	memory uint64
	// model asks for the model after sat.
	model bool
	// help and version ask for these alone.
	help, version bool
}

// withoutLimit is the time for a check where the host counts z3's steps and not the time. solc's JavaScript ends the process after ten
// seconds then, and has no verdict at all.
const withoutLimit = 10 * time.Second

// read reads a command line.
func read(tool string, words []string) (*arguments, error) {
	a := &arguments{tool: tool}
	stdin := false
	for _, w := range words {
		// z3 takes its options with two dashes, too.
		if tool == Z3 && len(w) > 2 && strings.HasPrefix(w, "--") {
			w = w[1:]
		}
		name, value, hasValue := strings.Cut(w, ":")
		switch {
		case w == "-in" || w == "-":
			stdin = true
		case w == "-h" || w == "-?" || w == "--help" || w == "-help":
			a.help = true
		case w == "-version" || w == "--version":
			a.version = true
		case name == "-t" || name == "-T" || name == "-memory":
			if err := a.bound(name, value); err != nil {
				return nil, err
			}
		case w == "-model" && tool == Z3, w == "-ssol" && tool == Eldarica:
			a.model = true
		case slices.Contains(ignored[tool], name) && (hasValue || name == w):
		case strings.HasPrefix(w, "-"):
			return nil, &UsageError{fmt.Sprintf("invalid command line option: %s", w)}
		case tool == Z3 && strings.Contains(w, "=") && !strings.ContainsAny(w, "/\\"):
			a.setting(w)
		case a.file != "":
			return nil, &UsageError{fmt.Sprintf("two files are given, %s and %s", a.file, w)}
		default:
			a.file = w
		}
	}
	if a.file == "" && !stdin && !a.help && !a.version {
		return nil, &UsageError{"an input file is needed, or -in for standard input"}
	}
	return a, nil
}

// ignored are the options without effect here: those that say that the input is SMT-LIB, that change how a tool works, or what it
// prints beside its answer.
var ignored = map[string][]string{
	Z3: {"-smt2", "-v", "-st", "-nw", "-pd", "-rs"},
	Eldarica: {
		"-hsmt", "-horn", "-smt", "-log", "-logPreds", "-statistics", "-pngNo", "-sol", "-cex", "-scex", "-cexSimplified", "-assert",
		"-verifyInterpolants", "-abstract", "-abstractPO", "-abstractTO", "-portfolio", "-splitClauses", "-arrayQuans", "-cloneArrays",
		"-noSlicing", "-noIntervals", "-princess", "-stac", "-dynac", "-unap", "-tem", "-disj", "-lbe", "-n", "-sym", "-symDepth",
	},
}

// bound reads a limit: z3's -t is in milliseconds and for each check, its -T in seconds and for everything, its -memory in megabytes;
// Eldarica's -t is in seconds, and may have a fraction.
func (a *arguments) bound(name, value string) error {
	if a.tool == Eldarica && name == "-t" {
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f >= 0) {
			return &UsageError{fmt.Sprintf("invalid command line option: %s:%s", name, value)}
		}
		a.limit = milliseconds(uint64(min(1000*f, math.MaxUint32*1000)))
		return nil
	}
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || a.tool == Eldarica {
		return &UsageError{fmt.Sprintf("invalid command line option: %s:%s", name, value)}
	}
	switch {
	case name == "-memory":
		a.memory = min(n, math.MaxUint64>>20) << 20
	case name == "-T":
		a.total = seconds(n)
	default:
		a.limit = milliseconds(n)
	}
	return nil
}

func seconds(n uint64) time.Duration { return milliseconds(min(n, math.MaxUint32) * 1000) }

func milliseconds(n uint64) time.Duration {
	return time.Duration(min(n, math.MaxInt64/uint64(time.Millisecond))) * time.Millisecond
}

// setting reads one of z3's name=value settings. Those that are not about limits or the model have no effect here.
func (a *arguments) setting(word string) {
	name, value, _ := strings.Cut(word, "=")
	n, err := strconv.ParseUint(value, 10, 63)
	switch {
	case name == "timeout" && err == nil && n < math.MaxUint32:
		a.limit = milliseconds(n)
	case name == "rlimit" && a.limit == 0:
		a.limit = withoutLimit
	case name == "memory_max_size" && err == nil:
		a.memory = min(n, math.MaxUint64>>20) << 20
	case name == "dump_models":
		a.model = value == "true"
	}
}

// before is when to answer so that a host that ends the process at the limit still reads the answer: what is kept back is a tenth, at
// most a second, but where there is as much a third of one, which starting, reading and stopping take on a busy machine.
func before(limit time.Duration) time.Duration {
	return limit - max(min(limit/10, time.Second), min(limit/4, time.Second/3))
}
