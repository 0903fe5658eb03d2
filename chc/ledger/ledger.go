// Package ledger collects the assumptions of a verdict: everything that neither the check of its witness nor the
// input establishes.
//
// Whoever assumes something, a front end, a transformation, an engine, adds an entry where it does so; the command prints
// the entries that the verdict rests on, in text and in JSON.
package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// Kind names an assumption in JSON. The names are documented in docs/verify.md and do not change.
type Kind string

// The kinds of assumptions.
const (
	// Allocation: malloc and its likes never return a null pointer.
	Allocation Kind = "allocation"
	// Accesses: accesses stay within the objects that they are meant for, while these exist, and null pointers are not dereferenced.
	Accesses Kind = "accesses"
	// Division: nothing is divided by zero.
	Division Kind = "division"
	// Shift: nothing is shifted by a negative amount, or by the width of its type and more.
	Shift Kind = "shift"
	// SignedOverflow: no signed operation overflows, where that ends a run or integers have no bounds.
	SignedOverflow Kind = "signed-overflow"
	// Undefined: functions without a body return any value and change what their arguments reach.
	Undefined Kind = "undefined-functions"
	// Input: functions of the library that read input write any values.
	Input Kind = "input"
	// Addresses: objects have the addresses that Hornbeam gives them.
	Addresses Kind = "addresses"
	// Outside: pointers from outside of the program point to distinct objects.
	Outside Kind = "outside"
	// WeakSymbols: weak definitions are the ones that are linked.
	WeakSymbols Kind = "weak-symbols"
	// Assembly: asm statements give their outputs any values and change nothing else.
	Assembly Kind = "assembly"
	// EntryPoint: runs begin with the selected function, in any state that its contract allows.
	EntryPoint Kind = "entry"
	// Uninitialised: objects that are read before they are written have the values that a run shows.
	Uninitialised Kind = "uninitialised"
	// Order: operands are evaluated from left to right where the language leaves the order open.
	Order Kind = "order"
	// Threads: the program has one thread, and signals are not handled.
	Threads Kind = "threads"
	// Contracts: what contracts say without being checked holds.
	Contracts Kind = "contracts"
	// Axioms: the axioms of a program do not contradict each other.
	Axioms Kind = "axioms"
	// Types: types that a program leaves open have infinitely many values.
	Types Kind = "types"
	// Meaning: constructs that have no meaning of their own in the language are taken as the entry says.
	Meaning Kind = "meaning"
)

// Verdicts says which verdicts rest on an assumption.
type Verdicts uint8

// The verdicts: a proof may rest on what a run does not need, and the other way round.
const (
	Both Verdicts = iota
	SafeOnly
	UnsafeOnly
)

// Entry is one assumption.
type Entry struct {
	Kind Kind
	// What is a sentence without a full stop, in the words of the user's language.
	What string
	// Names are the functions, objects or places that it is about; none where it is about the whole program.
	Names []string
	// For says which verdicts rest on it.
	For Verdicts
}

// String is the sentence with all names.
func (e Entry) String() string {
	if len(e.Names) == 0 {
		return e.What
	}
	return e.What + ": " + strings.Join(e.Names, ", ")
}

// briefNames is how many names a short sentence has.
const briefNames = 3

// Brief is the sentence with a few of its names. It is empty for an entry that is only about functions whose names say that
// they return any value, such as __VERIFIER_nondet_int.
func (e Entry) Brief() string {
	var names []string
	for _, n := range e.Names {
		if !anyValue(n) {
			names = append(names, n)
		}
	}
	switch left := len(names) - briefNames; {
	case len(e.Names) == 0:
		return e.What
	case len(names) == 0:
		return ""
	case left > 1:
		names = append(names[:briefNames:briefNames], fmt.Sprintf("and %d others", left))
	}
	return e.What + ": " + strings.Join(names, ", ")
}

// anyValue reports whether a function has one of the names that benchmarks use for functions that return any value.
func anyValue(name string) bool {
	for _, prefix := range []string{"__VERIFIER_nondet_", "__SMACK_nondet_", "nondet", "unknown"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "nd"
}

// Ledger is a list of assumptions. The zero value is empty and ready to use.
type Ledger struct{ entries []Entry }

// Add adds an entry. The names of entries with the same kind, sentence and verdicts are joined.
func (l *Ledger) Add(e Entry) {
	for i := range l.entries {
		old := &l.entries[i]
		if old.Kind == e.Kind && old.What == e.What && old.For == e.For {
			for _, n := range e.Names {
				if !slices.Contains(old.Names, n) {
					old.Names = append(old.Names, n)
				}
			}
			return
		}
	}
	e.Names = slices.Clone(e.Names)
	l.entries = append(l.entries, e)
}

// Safe returns the assumptions that a verdict of safe or sat rests on, in the order in which they were added.
func (l *Ledger) Safe() []Entry { return l.without(UnsafeOnly) }

// Unsafe returns the assumptions that a verdict of unsafe or unsat rests on, in the order in which they were added.
func (l *Ledger) Unsafe() []Entry { return l.without(SafeOnly) }

func (l *Ledger) without(v Verdicts) []Entry {
	if l == nil {
		return nil
	}
	var out []Entry
	for _, e := range l.entries {
		if e.For != v {
			out = append(out, e)
		}
	}
	return out
}
