package session

import (
	"errors"
	"fmt"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
)

// values answers get-value: each term with its value in the last model. A term without a determined value, such as one with a
// quantifier, is what it becomes with the interpretations for its predicates.
func (s *session) values(text []byte) error {
	if s.checked == nil || s.answer.Verdict != engine.Sat {
		return s.wrong(text, "model is not available")
	}
	asked, err := smtlib.ReadAsked(s.Name, text, s.checked)
	if err != nil {
		var wrong *smtlib.Error
		if !errors.As(err, &wrong) {
			return err
		}
		return s.wrong(text, "%s", wrong.Msg)
	}
	lines := make([]string, len(asked))
	for i, a := range asked {
		lines[i] = fmt.Sprintf("(%s %s)", a.Text, valueOf(s.checked, s.answer.Model, a))
	}
	return s.print("(" + strings.Join(lines, "\n ") + ")\n")
}

// valueOf is the value of a term in the model, and of a predicate its interpretation as a function of its arguments.
func valueOf(script *smtlib.Script, m *witness.Model, a smtlib.Asked) string {
	pool := script.System.Pool
	if a.Predicate == nil {
		t := interpreted(pool, script, m, a.Term)
		if v, ok := term.NewEvaluator(pool, term.MapAssignment{}).Eval(t); ok {
			return v.String()
		}
		return term.Format(t)
	}
	i := m.Interpretations[a.Predicate]
	parameters := make([]string, len(i.Params))
	for k, p := range i.Params {
		parameters[k] = fmt.Sprintf("(%s %s)", term.QuoteSymbol(p.Name()), p.Sort())
	}
	return fmt.Sprintf("(lambda (%s) %s)", strings.Join(parameters, " "), term.Format(i.Body))
}

// interpreted is a term with the model's interpretations for its predicates.
func interpreted(pool *term.Pool, script *smtlib.Script, m *witness.Model, t *term.Term) *term.Term {
	t = pool.MapArgs(t, func(a *term.Term) *term.Term { return interpreted(pool, script, m, a) })
	if t.Op() != term.Apply {
		return t
	}
	for _, p := range script.Declared {
		if t.Func() == pool.DeclareFunc(p.Name, p.Sorts, term.Bool) {
			return m.Interpretations[p].Apply(pool, t.Args())
		}
	}
	return t
}

// info answers get-info.
func (s *session) info(text []byte) error {
	words := strings.Fields(strings.Trim(strings.TrimSpace(string(text)), "()"))
	if len(words) != 2 {
		return s.wrong(text, "get-info needs a keyword")
	}
	value := ""
	switch words[1] {
	case ":name":
		value = `"Hornbeam"`
	case ":version":
		value = Quote(s.Version)
	case ":authors":
		value = `""`
	case ":error-behavior":
		value = "continued-execution"
	case ":assertion-stack-levels":
		value = fmt.Sprint(s.script.Levels())
	case ":reason-unknown":
		if s.reason == "" {
			return s.wrong(text, "the last check did not end as unknown")
		}
		value = Quote(s.reason)
	default:
		return s.print("unsupported\n")
	}
	return s.print(fmt.Sprintf("(%s %s)\n", words[1], value))
}

// Quote returns the string literal of SMT-LIB with a text.
func Quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// echo answers `(echo "text")` with the literal, as SMT-LIB says.
func (s *session) echo(text []byte) error {
	trimmed := strings.TrimSpace(string(text))
	begin, end := strings.IndexByte(trimmed, '"'), strings.LastIndexByte(trimmed, '"')
	if begin < 0 || end <= begin {
		return s.wrong(text, "echo needs a string")
	}
	literal := trimmed[begin : end+1]
	if s.BareEcho {
		literal = strings.ReplaceAll(literal[1:len(literal)-1], `""`, `"`)
	}
	return s.print(literal + "\n")
}
