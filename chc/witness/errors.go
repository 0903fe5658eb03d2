package witness

import (
	"errors"
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// ErrInvalid is wrapped by every error of a checker that has shown the witness to be wrong.
var ErrInvalid = errors.New("the witness is not valid")

// ErrUndecided is wrapped by every error of a checker that could show neither that the witness is right nor that it is
// wrong.
var ErrUndecided = errors.New("the witness could not be checked")

// Binding is a variable with its value.
type Binding struct {
	Var   *term.Term
	Value term.Value
}

// bindings returns the variables that have a value under a, with it.
func bindings(a term.Assignment, vars []*term.Term) []Binding {
	out := []Binding{}
	for _, x := range vars {
		if v, ok := a.Lookup(x); ok {
			out = append(out, Binding{Var: x, Value: v})
		}
	}
	return out
}

// writeCounterexample writes `: counterexample x = 1, y = 2`; nothing for no values.
func writeCounterexample(b *strings.Builder, values []Binding) {
	for i, v := range values {
		fmt.Fprintf(b, "%s%s = %s", []string{": counterexample ", ", "}[min(i, 1)], term.QuoteSymbol(v.Var.Name()), v.Value)
	}
}

// ClauseError says on which clause the check of a model failed. Err is ErrInvalid or ErrUndecided.
type ClauseError struct {
	Clause *chc.Clause
	// Values is a counterexample to the clause under the model, when Err is ErrInvalid and the solver gave one.
	Values []Binding
	// Detail is what there is to say beyond the counterexample; it may be empty.
	Detail string
	Err    error
}

// Error names the clause, its place in the source and the counterexample.
func (e *ClauseError) Error() string {
	var b strings.Builder
	b.WriteString(e.Err.Error())
	b.WriteString(": ")
	b.WriteString(describe(e.Clause))
	if e.Detail != "" {
		b.WriteString(": ")
		b.WriteString(e.Detail)
	}
	writeCounterexample(&b, e.Values)
	return b.String()
}

// Unwrap returns ErrInvalid or ErrUndecided.
func (e *ClauseError) Unwrap() error { return e.Err }

// StepError says which step of a refutation is wrong. Err is ErrInvalid or ErrUndecided.
type StepError struct {
	// Step is the index of the step.
	Step int
	// Clause is the step's clause, or nil when it has none.
	Clause *chc.Clause
	Detail string
	Err    error
}

// Error names the step, its clause and what is wrong with it.
func (e *StepError) Error() string {
	where := fmt.Sprintf("step %d", e.Step)
	if e.Clause != nil {
		where += " (" + describe(e.Clause) + ")"
	}
	return e.Err.Error() + ": " + where + ": " + e.Detail
}

// Unwrap returns ErrInvalid or ErrUndecided.
func (e *StepError) Unwrap() error { return e.Err }

// describe names a clause as a user can find it: index, name and place in the source, and its predicates.
func describe(c *chc.Clause) string {
	var b strings.Builder
	fmt.Fprintf(&b, "clause %d", c.ID)
	if c.Name != "" {
		fmt.Fprintf(&b, " %s", term.QuoteSymbol(c.Name))
	}
	if c.Pos.Line > 0 {
		fmt.Fprintf(&b, " at %s", c.Pos)
	}
	b.WriteString(" [")
	for i, a := range c.Body {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(term.QuoteSymbol(a.Pred.Name))
	}
	b.WriteString(" => ")
	if c.Head == nil {
		b.WriteString("false")
	} else {
		b.WriteString(term.QuoteSymbol(c.Head.Pred.Name))
	}
	b.WriteString("]")
	return b.String()
}
