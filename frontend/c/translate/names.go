package translate

import (
	"strconv"
	"strings"
)

// names makes Boogie identifiers. C's names have letters, digits, _ and $; what is made here and has no name in C begins
// with $, so that C's own $ become '.
type names struct {
	taken  map[string]bool
	number map[string]int
}

func newNames() *names { return &names{taken: map[string]bool{}, number: map[string]int{}} }

// escape makes an identifier of a name of C's.
func escape(name string) string {
	if name == "" {
		return "literal"
	}
	var out strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && i > 0, c == '_', c == '.', c == '#', c == '~', c == '^':
			out.WriteByte(c)
		case c == '$':
			out.WriteByte('\'')
		default:
			out.WriteString("#" + strconv.FormatInt(int64(c), 16))
		}
	}
	return out.String()
}

// fresh is the name, with a number if it is taken.
func (n *names) fresh(name string) string {
	for candidate := name; ; {
		if !n.taken[candidate] {
			n.taken[candidate] = true
			return candidate
		}
		n.number[name]++
		candidate = name + "#" + strconv.Itoa(n.number[name])
	}
}

// reserved are names of procedures that mean something to those who work on Boogie programs.
var reserved = map[string]bool{"reach_error": true, "__VERIFIER_error": true, "ULTIMATE.start": true}

// procedure is a name for a procedure.
func (n *names) procedure(name string) string {
	name = escape(name)
	if reserved[name] {
		name += "'"
	}
	return name
}
