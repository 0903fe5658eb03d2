package svcomp

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Property is what is asked about a program.
type Property struct {
	// Text is the specification as the file has it, without space around it.
	Text string
	// Name is what benchmarks call it: unreach-call, no-overflow, valid-memsafety, ...
	Name string
	// Label is the label that may not be reached, where the property says so.
	Label string
}

// The properties that can be decided.
const (
	UnreachCall  = "unreach-call"
	UnreachLabel = "unreach-label"
	NoOverflow   = "no-overflow"
)

// ErrProperty is wrapped by errors of texts that are no property.
var ErrProperty = errors.New("no property of programs")

var check = regexp.MustCompile(`^CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*(.*?)\s*\)\s*\)$`)

// formulas are the properties' formulas without space; a call or label of any name is taken out first.
var formulas = map[string]string{
	"G!overflow": NoOverflow, "Gvalid-free": "valid-memsafety", "Gvalid-deref": "valid-memsafety", "Gvalid-memtrack": "valid-memsafety",
	"Gvalid-memcleanup": "valid-memcleanup", "Fend": "termination", "Gdef-behavior": "def-behavior", "G!data-race": "no-data-race",
}

var unreachable = regexp.MustCompile(`^G!(call|label)\((\w+)(?:\(\))?\)$`)

// ParseProperty reads the text of a .prp file. A property that is known but can't be decided is no error: it has its name.
func ParseProperty(text string) (Property, error) {
	p := Property{Text: strings.TrimSpace(text)}
	if p.Text == "" {
		return p, fmt.Errorf("%w: the text is empty", ErrProperty)
	}
	for _, line := range strings.Split(p.Text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := check.FindStringSubmatch(line)
		if m == nil {
			return p, fmt.Errorf("%w: %q", ErrProperty, line)
		}
		formula := strings.Join(strings.Fields(m[2]), "")
		name, label := formulas[formula], ""
		if u := unreachable.FindStringSubmatch(formula); u != nil {
			if u[1] == "call" {
				name = UnreachCall
			} else {
				name, label = UnreachLabel, u[2]
			}
		}
		switch {
		case name == "":
			return p, fmt.Errorf("%w: %q", ErrProperty, line)
		case p.Name != "" && p.Name != name:
			return p, fmt.Errorf("%w: two properties, %s and %s, in one file", ErrProperty, p.Name, name)
		}
		p.Name, p.Label = name, label
	}
	return p, nil
}

// Decidable tells whether Hornbeam decides the property.
func (p Property) Decidable() bool {
	return p.Name == UnreachCall || p.Name == UnreachLabel || p.Name == NoOverflow
}
