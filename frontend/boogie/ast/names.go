package ast

import "strings"

// keywords cannot be names unless a backslash stands before them. The newer words of the language (datatype, is, pure, …)
// are keywords only where they mean something.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range []string{
		"var", "where", "int", "real", "bool", "const", "unique", "function", "returns", "axiom", "type",
		"procedure", "implementation", "requires", "ensures", "free", "modifies", "invariant", "goto", "return", "if",
		"then", "else", "while", "break", "assert", "assume", "havoc", "call", "div", "mod", "false", "true", "old",
		"forall", "exists", "lambda",
	} {
		m[w] = true
	}
	return m
}()

// IsKeyword reports whether name is a word of the language everywhere, so that a name spelled like it needs a backslash.
func IsKeyword(name string) bool { return keywords[name] }

// contextual are the words that are keywords in some places. A name spelled like one of them gets a backslash, so
// that it is a name in all places.
var contextual = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range []string{
		"uses", "extends", "complete", "finite", "datatype", "is", "pure", "revealed", "hideable", "yield", "par", "async",
		"action", "atomic", "left", "right", "both", "fork", "join", "push", "pop", "hide", "reveal", "preserves", "asserts",
		"refines", "measure", "creates", "string", "regex", "rmode",
	} {
		m[w] = true
	}
	return m
}()

// quote is a name as the source writes it: with a backslash when it would be read as something else.
func quote(name string) string {
	if keywords[name] || contextual[name] || IsBitVectorName(name) || strings.HasPrefix(name, `\`) ||
		strings.HasPrefix(name, "#if") || strings.HasPrefix(name, "#elsif") || strings.HasPrefix(name, "#endif") {
		return `\` + name
	}
	return name
}

// IsBitVectorName reports whether name is bv and digits, the name of a bit-vector type.
func IsBitVectorName(name string) bool {
	if len(name) < 3 || name[0] != 'b' || name[1] != 'v' {
		return false
	}
	for _, c := range []byte(name[2:]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
