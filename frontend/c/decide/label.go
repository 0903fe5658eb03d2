package decide

import (
	"hornbeam/frontend/c/library"
	"hornbeam/frontend/c/tree"
)

// The error label of older benchmarks.
const errorLabel = "ERROR"

// ErrorLabel is the label that it is an error to reach, where a program says in no other way what its errors are: ERROR, if
// it has that label, calls no error function and asserts nothing; else there is none.
func ErrorLabel(p *tree.Program) string {
	label, other := "", false
	for _, f := range p.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Label:
				if n.Name == errorLabel {
					label = errorLabel
				}
			case *tree.Call:
				if n.Function != nil {
					switch library.Meaning(n.Function).Kind {
					case library.Error, library.Assert, library.AssertNot, library.AssertIf:
						other = true
					}
				}
			}
			return !other
		})
	}
	if other {
		return ""
	}
	return label
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
				switch library.Meaning(call.Function).Kind {
				case library.Error, library.Assert, library.AssertNot, library.AssertIf:
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
