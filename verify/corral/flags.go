package corral

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ignoredFlags are flags of Corral's that ask for nothing that Hornbeam does otherwise: how its solver is called, which
// variables it begins with, what it infers beforehand, how many threads may take turns, what it prints beside the verdict.
// Those in ignoredWithValue are followed by a colon and a value.
var (
	ignoredFlags = []string{
		"trackAllVars", "oldCorralFlags", "staticInlining", "fastRequiresInference", "cadeTiming", "useArrayTheory", "noArrayTheory",
		"useProverEvaluate", "noCallTreeReuse", "printVerify", "printMemUsage", "nonUniformUnfolding", "printAllTraces",
		"disableStaticAnalysis", "runHoudini", "useHoudiniLite", "computeSummary", "useLocalVarAbs", "noRaiseException", "catchAll",
		"noInitPruning", "printBoogieFlags", "printProgress", "stats", "deepAsserts", "deepAssertsNoLoop", "checkStaticAnalysis",
		"oldStratifiedInlining", "newStratifiedInlining", "fwdBck", "fwdBckInRef", "di", "cooperative", "useDuality", "detectConstantLoops",
	}
	ignoredWithValue = []string{
		"track", "trackSecondary", "trackField", "trackResource", "dislike", "include", "irreducibleLoopUnroll", "special", "set",
		"houdiniTimeLimit", "dumpCorralState", "prevCorralState", "runHoudini", "ann", "refinementAlgo", "z3exe", "z3opt", "proverLog",
		"prover", "bopt", "newStratifiedInlining", "stackDepthBound", "printHoudiniQuery", "maxInlinedBound",
	}
	// unsupportedFlags are flags of Corral's that ask for another answer than Hornbeam's would be.
	unsupportedFlags = []string{
		"assertVar", "assertVarIsInt", "concat", "unfoldRecursion", "dainst", "unifyMaps", "sdv", "sdvInstrumentAssert",
		"printInstrumented", "printFinalProg", "traceProgram", "explainQuantifiers", "explainError", "printBoogieExt", "break",
	}
)

// flags are what a call says.
type flags struct {
	file, main string
	// bound is the recursion bound, bounded whether it was given; loops may turn as often as loops says when that is more.
	bound, loops int
	bounded      bool
	limit        time.Duration
	// memory is in bytes, 0 for no limit.
	memory uint64
	// traces is how many bugs are shown at most.
	traces  int
	verbose int
	// data is what /printDataValues says; source whether traces are told in the words of the source.
	data                   int
	source                 bool
	noTrace, noTraceOnDisk bool
	// onlyInline is /si.
	onlyInline bool
	// ignored are the procedures whose assertions do not count.
	ignored []string
}

// readFlags reads the arguments. Its errors are those of usage.
func readFlags(args []string) (*flags, error) {
	f := &flags{traces: 1}
	for _, a := range args {
		path, fromFile := strings.CutPrefix(a, "/flags:")
		switch {
		case fromFile:
			flags, err := flagsOfFile(path)
			if err != nil {
				return nil, err
			}
			for _, b := range flags {
				if err := f.flag(b); err != nil {
					return nil, err
				}
			}
		case isFlag(a):
			if err := f.flag(a); err != nil {
				return nil, err
			}
		case !strings.HasSuffix(a, ".bpl"):
			return nil, usageError("Unknown command line argument: %s", a)
		case f.file != "":
			return nil, usageError("Multiple input files given: %s and %s", f.file, a)
		default:
			f.file = a
		}
	}
	if f.file == "" {
		return nil, usageError("Input file not given")
	}
	if info, err := os.Stat(f.file); err != nil || info.IsDir() {
		return nil, usageError("Input file %s does not exist", f.file)
	}
	if f.bounded = f.bound >= 1; !f.bounded {
		f.bound = 1
	}
	return f, nil
}

// isFlag tells flags from files, whose paths begin with a slash too.
func isFlag(arg string) bool {
	if !strings.HasPrefix(arg, "/") {
		return false
	}
	if strings.HasSuffix(arg, ".bpl") && !strings.Contains(arg, ":") {
		return false
	}
	_, err := os.Stat(arg)
	return err != nil
}

// flagsOfFile reads a file of flags: those of a line are separated by spaces, lines that begin with # are comments,
// and `TrackVars = a, b` stands for flags /track.
func flagsOfFile(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError("/flags: %s", err)
	}
	var flags []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "Track"):
			continue
		case strings.HasPrefix(line, "/"):
		default:
			return nil, usageError("Illegal flag in file %s: %s", path, line)
		}
		for _, flag := range strings.Fields(line) {
			if !strings.HasPrefix(flag, "/") {
				return nil, usageError("Illegal flag in file %s: %s", path, flag)
			}
			if strings.HasPrefix(flag, "/flags:") {
				return nil, usageError("Cannot have nested /flags")
			}
			flags = append(flags, flag)
		}
	}
	return flags, nil
}

// flag reads one flag.
func (f *flags) flag(arg string) error {
	name, value, hasValue := strings.Cut(arg[1:], ":")
	var number *int
	switch {
	case !hasValue && name == "tryCTrace", hasValue && name == "tryCTrace" && value == "sdv":
		f.source = true
	case !hasValue && name == "noTrace":
		f.noTrace = true
	case !hasValue && name == "noTraceOnDisk":
		f.noTraceOnDisk = true
	case !hasValue && name == "si":
		f.onlyInline = true
	case slices.Contains(unsupportedFlags, name):
		return usageError("the flag %s is not supported", arg)
	case !hasValue && slices.Contains(ignoredFlags, name), hasValue && slices.Contains(ignoredWithValue, name):
	case !hasValue:
		return usageError("Invalid flag: %s", arg)
	case name == "main":
		f.main = value
	case name == "ignoreAssertMethod":
		f.ignored = append(f.ignored, value)
	case name == "recursionBound":
		number = &f.bound
	case name == "maxStaticLoopBound":
		number = &f.loops
	case name == "cex":
		number = &f.traces
	case name == "v":
		number = &f.verbose
	case name == "printDataValues":
		number = &f.data
	case name == "k", name == "timeLimit", name == "killAfter", name == "memLimit":
		number = new(int)
	default:
		return usageError("Invalid flag: %s", arg)
	}
	if number == nil {
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 && name != "recursionBound" {
		return usageError("%s: give a number", arg)
	}
	*number = n
	switch name {
	case "k":
		if n == 0 {
			return usageError("Context bound invalid")
		}
	case "cex":
		f.traces = max(n, 1)
	case "timeLimit", "killAfter":
		if limit := time.Duration(n) * time.Second; n > 0 && (f.limit == 0 || limit < f.limit) {
			f.limit = limit
		}
	case "memLimit":
		f.memory = uint64(n) << 20
	}
	return nil
}
