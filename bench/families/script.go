package families

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// script is the text of an instance. Every variable is an integer.
type script struct {
	text   strings.Builder
	random *rand.Rand
}

func (s *script) line(text string) {
	s.text.WriteString(text)
	s.text.WriteByte('\n')
}

func (s *script) comment(text string) { s.line("; " + text) }

// declare declares a predicate.
func (s *script) declare(name string, arity int) {
	s.line(fmt.Sprintf("(declare-fun %s (%s) Bool)", name, strings.TrimSpace(strings.Repeat("Int ", arity))))
}

// clause writes `body => head`, bound over its variables. The head of a query is "false".
func (s *script) clause(variables []string, head string, body ...string) {
	sorted := make([]string, len(variables))
	for i, v := range variables {
		sorted[i] = "(" + v + " Int)"
	}
	s.line(fmt.Sprintf("(assert (forall (%s) (=> %s %s)))", strings.Join(sorted, " "), connect("and", body), head))
}

// connect joins formulas; none are what the connective is neutral to.
func connect(connective string, formulas []string) string {
	switch {
	case len(formulas) == 1:
		return formulas[0]
	case len(formulas) > 0:
		return apply(connective, formulas...)
	case connective == "or":
		return "false"
	}
	return "true"
}

// apply is a function or a predicate with its arguments.
func apply(name string, args ...string) string {
	return "(" + name + " " + strings.Join(args, " ") + ")"
}

// numbered are the names prefix0, prefix1 and so on.
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return names
}

// joined is one list of all the names.
func joined(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
