package svcomp

import (
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// The error label of older benchmarks.
const errorLabel = "ERROR"

// ErrorLabel is the label that it is an error to reach in a program that says in no other way what its errors are; else it is
// empty. A program follows the convention of older benchmarks, by which ERROR is that label, if one of these holds:
//
//   - nothing but calls of functions without a body stands between the label and an endless loop that does nothing;
//   - the program is a file whose name says that its property is about labels, as in SV-COMP's x_false-unreach-label.c;
//   - its inputs are calls of undefined functions whose names begin with nondet, as before SV-COMP's __VERIFIER_nondet_int.
//
// In every other program the label is one like any other: programs write their cleanup behind it.
func ErrorLabel(p *tree.Program) string {
	if label, follows := findErrorLabel(p); follows {
		return label
	}
	return ""
}

// UnusedLabel is the label ERROR of a program that says in no other way what its errors are, where it is none.
func UnusedLabel(p *tree.Program) string {
	if label, follows := findErrorLabel(p); !follows {
		return label
	}
	return ""
}

// findErrorLabel finds the label ERROR, unless something else is an error, and tells whether the program follows the convention.
func findErrorLabel(p *tree.Program) (label string, follows bool) {
	follows = strings.Contains(filepath.Base(p.Name), "-unreach-label")
	other := false
	for _, f := range p.Functions {
		if f.Body == nil {
			follows = follows || strings.HasPrefix(f.Name, "nondet")
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Block:
				for i, s := range n.Statements {
					if l, ok := s.(*tree.Label); ok && l.Name == errorLabel && hangs(n.Statements[i:]) {
						follows = true
					}
				}
			case *tree.Label:
				if n.Name == errorLabel {
					label = errorLabel
				}
			case *tree.Call:
				if n.Function != nil {
					switch lib.Meaning(n.Function).Kind {
					case lib.Error, lib.Assert, lib.AssertNot, lib.AssertIf:
						other = true
					}
				}
			}
			return !other
		})
	}
	if other {
		return "", false
	}
	return label, follows
}

// hangs tells whether a run of the statements calls nothing but functions without a body before it goes on for ever.
func hangs(statements []tree.Statement) bool {
	var passed []*tree.Label
	for len(statements) > 0 {
		s, rest := statements[0], statements[1:]
		switch s := s.(type) {
		case *tree.Empty:
		case *tree.Label:
			passed = append(passed, s)
			rest = append([]tree.Statement{s.Statement}, rest...)
		case *tree.Block:
			rest = append(slices.Clone(s.Statements), rest...)
		case *tree.Goto:
			return slices.Contains(passed, s.Target)
		case *tree.While:
			return endless(s.Test) && idle(s.Body)
		case *tree.For:
			return len(s.Init) == 0 && s.Step == nil && (s.Test == nil || endless(s.Test)) && idle(s.Body)
		case *tree.Evaluate:
			call, ok := s.Value.(*tree.Call)
			if !ok || call.Function == nil || call.Function.Body != nil {
				return false
			}
		default:
			return false
		}
		statements = rest
	}
	return false
}

// endless tells whether a test always holds.
func endless(test tree.Value) bool {
	c, ok := test.(*tree.Constant)
	return ok && c.Int.Sign() != 0
}

// idle tells whether a statement does nothing.
func idle(s tree.Statement) bool {
	switch s := s.(type) {
	case *tree.Empty:
		return true
	case *tree.Block:
		return !slices.ContainsFunc(s.Statements, func(s tree.Statement) bool { return !idle(s) })
	}
	return false
}

// UnmarkedError is a function that the program calls and that is an error by its name, without being marked as one; nil if
// there is none.
func UnmarkedError(p *tree.Program) *tree.Function {
	var found *tree.Function
	for _, f := range p.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && call.Function != nil && !call.Function.Error {
				switch lib.Meaning(call.Function).Kind {
				case lib.Error, lib.Assert, lib.AssertNot, lib.AssertIf:
					found = call.Function
				}
			}
			return found == nil
		})
	}
	return found
}

// HasLabel tells whether a function of the program has a label of the name.
func HasLabel(p *tree.Program, name string) bool {
	has := false
	for _, f := range p.Functions {
		if f.Body != nil {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				l, ok := n.(*tree.Label)
				has = has || ok && l.Name == name
				return !has
			})
		}
	}
	return has
}
