package translate

import (
	"fmt"
	"strings"
)

// Assumption is something that a translation takes for granted of the world.
type Assumption struct {
	// What is a sentence, Names the functions that it is about, none where it is about the whole program.
	What  string
	Names []string
}

// String is the sentence with all of its names.
func (a Assumption) String() string {
	if len(a.Names) == 0 {
		return a.What
	}
	return a.What + ": " + join(a.Names)
}

// briefNames is how many names a short sentence has.
const briefNames = 3

// Brief is the sentence with a few of its names; empty where it is only about functions that are called what everybody calls
// functions that return any value, such as __VERIFIER_nondet_int, of which nothing else is expected.
func (a Assumption) Brief() string {
	var names []string
	for _, n := range a.Names {
		if !anyValue(n) {
			names = append(names, n)
		}
	}
	switch left := len(names) - briefNames; {
	case len(a.Names) == 0:
		return a.What
	case len(names) == 0:
		return ""
	case left > 1:
		names = append(names[:briefNames:briefNames], fmt.Sprintf("and %d others", left))
	}
	return a.What + ": " + join(names)
}

// anyValue tells whether a function has one of the names that benchmarks have for functions that return any value.
func anyValue(name string) bool {
	for _, prefix := range []string{"__VERIFIER_nondet_", "__SMACK_nondet_", "nondet", "unknown"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "nd"
}
