package result

// Verdict is what a tool says of a task, or what is known of it. Horn clauses are sat or unsat, programs safe or unsafe.
type Verdict string

const (
	// None is no verdict at all: the tool said nothing that could be read as one, or nothing is known of the task.
	None Verdict = ""
	// Sat: the clauses have a model.
	Sat Verdict = "sat"
	// Unsat: the clauses have a refutation.
	Unsat Verdict = "unsat"
	// Safe: the program keeps its property; counts as Sat.
	Safe Verdict = "safe"
	// Unsafe: the program breaks its property; counts as Unsat.
	Unsafe Verdict = "unsafe"
	// Unknown: the tool said that it does not know.
	Unknown Verdict = "unknown"
	// Reject: the tool refused the input as malformed, or the input is known to be.
	Reject Verdict = "reject"
)

// ParseVerdict reads the words in use: the verdicts themselves, and SV-COMP's true and false for safe and unsafe. ok is
// false for any other word.
func ParseVerdict(word string) (v Verdict, ok bool) {
	switch v := Verdict(word); v {
	case Sat, Unsat, Safe, Unsafe, Unknown, Reject:
		return v, true
	case "true":
		return Safe, true
	case "false":
		return Unsafe, true
	}
	return None, false
}

// Canonical is the verdict with programs' words replaced by those for clauses: safe is sat, unsafe is unsat.
func (v Verdict) Canonical() Verdict {
	switch v {
	case Safe:
		return Sat
	case Unsafe:
		return Unsat
	}
	return v
}

// Definite says whether the verdict is one of sat, unsat, safe and unsafe.
func (v Verdict) Definite() bool {
	c := v.Canonical()
	return c == Sat || c == Unsat
}

// Agrees says whether both mean the same, be it in different words.
func (v Verdict) Agrees(other Verdict) bool { return v.Canonical() == other.Canonical() }

// Status says how a run ended.
type Status string

const (
	// OK: the tool ended by itself, with a verdict (unknown and reject included).
	OK Status = "ok"
	// Timeout: the wall limit ended it.
	Timeout Status = "timeout"
	// CPUTimeout: the limit on CPU time ended it.
	CPUTimeout Status = "cpu-timeout"
	// MemoryOut: the limit on memory ended it.
	MemoryOut Status = "memory-out"
	// Crash: a signal that was not ours ended it.
	Crash Status = "crash"
	// Error: it ended by itself without a verdict that could be read, or could not be started.
	Error Status = "error"
)
