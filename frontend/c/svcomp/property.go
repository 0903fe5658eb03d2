package svcomp

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// Property is what is asked about a program.
type Property struct {
	// Text is the specification as the file has it, without space around it.
	Text string
	// Name is what benchmarks call it: unreach-call, no-overflow, valid-memsafety, ...
	Name string
	// Entry is the function that runs begin with.
	Entry string
	// Label is the label that may not be reached, and Function the function that may not be called, where the property says
	// so.
	Label, Function string
	// Faults are the kinds of faults of which the program may have none; empty if the property is not decided.
	Faults fault.Set
}

// The names of properties that speak of calls and labels.
const (
	UnreachCall  = "unreach-call"
	UnreachLabel = "unreach-label"
)

// decided are the properties that are decided, with the faults that violate them: SV-COMP's, and those of other verifiers.
var decided = map[string]fault.Set{
	UnreachCall: fault.Of(fault.Assertion), UnreachLabel: fault.Of(fault.Assertion), "no-overflow": fault.Of(fault.Overflow),
	"valid-memsafety": fault.Of(fault.Dereference, fault.Free, fault.Lost), "valid-memcleanup": fault.Of(fault.Cleanup),
	"valid-deref": fault.Of(fault.Dereference), "valid-free": fault.Of(fault.Free), "valid-memtrack": fault.Of(fault.Lost),

	"assertions": fault.Of(fault.Assertion), "overflow": fault.Of(fault.Overflow), "unsigned-overflow": fault.Of(fault.UnsignedOverflow),
	"conversion": fault.Of(fault.Conversion), "division": fault.Of(fault.Division), "shift": fault.Of(fault.Shift),
	"unreachable": fault.Of(fault.Unreachable), "memory": fault.Of(fault.Dereference, fault.Free), "leaks": fault.Of(fault.Cleanup),
	"uninitialised": fault.Of(fault.Uninitialised),
}

// All are the names of the properties that the property all stands for.
var All = []string{"assertions", "memory", "leaks", "overflow", "unsigned-overflow", "conversion", "division", "shift", "unreachable", "uninitialised"}

// specifications are the formulas of properties that have a name.
var specifications = map[string]string{
	UnreachCall: "G ! call(reach_error())", "no-overflow": "G ! overflow", "valid-memcleanup": "G valid-memcleanup",
}

var check = regexp.MustCompile(`^CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*(.*?)\s*\)\s*\)$`)

// formulas are the properties' formulas without space; a call or label of any name is taken out first.
var formulas = map[string]string{
	"G!overflow": "no-overflow", "Gvalid-free": "valid-memsafety", "Gvalid-deref": "valid-memsafety", "Gvalid-memtrack": "valid-memsafety",
	"Gvalid-memcleanup": "valid-memcleanup", "Fend": "termination", "Gdef-behavior": "def-behavior", "G!data-race": "no-data-race",
}

// coverage is a specification of tests, and goals are the names of what they have to cover.
var coverage = regexp.MustCompile(`^COVER\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*FQL\s*\(\s*COVER\s+EDGES\s*\(\s*@(\w+).*\)\s*\)\s*\)$`)

var goals = map[string]string{
	"DECISIONEDGE": "coverage-branches", "CONDITIONEDGE": "coverage-conditions", "BASICBLOCKENTRY": "coverage-statements", "CALL": "coverage-error-call",
}

var unreachable = regexp.MustCompile(`^G!(call|label)\((\w+)(?:\(\))?\)$`)

// Named is the property that benchmarks call by a name, of runs that begin with main; that of unreach-call is about
// reach_error. ok is false for what is no name of one.
func Named(name string) (p Property, ok bool) {
	p = Property{Name: name, Entry: "main", Faults: decided[name]}
	if p.Faults.Has(fault.Assertion) {
		p.Function = "reach_error"
	}
	if s := specifications[name]; s != "" {
		p.Text = "CHECK( init(main()), LTL(" + s + ") )"
	}
	if p.Faults != 0 && name != UnreachLabel {
		return p, true
	}
	if !slices.Contains(slices.Collect(maps.Values(formulas)), name) && !slices.Contains(slices.Collect(maps.Values(goals)), name) {
		return Property{}, false
	}
	return p, true
}

// Names are the names of the properties that are decided.
func Names() []string {
	names := slices.Sorted(maps.Keys(decided))
	return slices.DeleteFunc(names, func(name string) bool { return name == UnreachLabel })
}

// ParseProperty reads the text of a .prp file. A property that is known but can't be decided is no error: it has its name.
// What is wrong is a *report.Error with its place.
func ParseProperty(file, text string) (Property, error) {
	p := Property{Text: strings.TrimSpace(text)}
	wrong := func(line, column int, msg string) error {
		return &report.Error{Pos: tree.Pos{File: file, Line: line, Column: column}, Msg: msg}
	}
	if p.Text == "" {
		return p, wrong(1, 1, "no property: the file is empty")
	}
	for i, whole := range strings.Split(text, "\n") {
		line := strings.TrimSpace(whole)
		if line == "" {
			continue
		}
		column := strings.Index(whole, line) + 1
		if c := coverage.FindStringSubmatch(line); c != nil && goals[c[2]] != "" && p.Name == "" {
			p.Name, p.Entry = goals[c[2]], c[1]
			continue
		}
		m := check.FindStringSubmatch(line)
		if m == nil {
			return p, wrong(i+1, column, "no property, which is of the form CHECK( init(main()), LTL(...) )")
		}
		formula := strings.Join(strings.Fields(m[2]), "")
		name, label, function := formulas[formula], "", ""
		if u := unreachable.FindStringSubmatch(formula); u != nil {
			if u[1] == "call" {
				name, function = UnreachCall, u[2]
			} else {
				name, label = UnreachLabel, u[2]
			}
		}
		switch {
		case name == "":
			return p, wrong(i+1, column+strings.Index(line, m[2]), "the formula "+m[2]+" is none of those that are known")
		case p.Name != "" && (p.Name != name || p.Label != label || p.Function != function || p.Entry != m[1]):
			return p, wrong(i+1, column, "two properties, "+p.Name+" and "+name+", in one file")
		}
		p.Name, p.Label, p.Function, p.Entry, p.Faults = name, label, function, m[1], decided[name]
	}
	return p, nil
}

// Decidable reports whether Hornbeam decides the property.
func (p Property) Decidable() bool { return p.Faults != 0 }

// Union is the property that two properties hold. At most one of them speaks of a call or label.
func (p Property) Union(q Property) Property {
	p.Faults |= q.Faults
	if q.Faults.Has(fault.Assertion) {
		p.Name, p.Label, p.Function = q.Name, q.Label, q.Function
	}
	return p
}

// OtherFunction is the function that may not be called, if its name is not one that always stands for an error; else it is
// empty.
func (p Property) OtherFunction() string {
	if p.Name == UnreachCall && lib.Lookup(p.Function, false).Kind != lib.Error {
		return p.Function
	}
	return ""
}

// String is the property's name, with the function that it speaks of if that is not one of the usual.
func (p Property) String() string {
	if other := p.OtherFunction(); other != "" {
		return p.Name + " of " + other
	}
	return p.Name
}
