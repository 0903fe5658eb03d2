package witness

import (
	"bufio"
	"fmt"
	"io"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// PrintModel writes the model as SMT-LIB: a line `(`, the functions that it defines as define-fun-rec or
// define-funs-rec and the lemmas about them as comments, one define-fun for each predicate of sys in declaration order,
// and a line `)`. Parameters get readable names: the predicate's own argument names where they are usable, letters
// otherwise. Shared subterms become lets. No define-fun refers to another, but for those of the least model, each of which applies
// some that are before it; of recursive clauses it has one for each predicate and each number of steps, too. A model that is not well-formed, such as
// one that does not interpret every predicate over its sorts, is an error that wraps ErrInvalid, and nothing is written.
func PrintModel(w io.Writer, sys *chc.System, m *Model) error {
	if err := m.wellFormed(sys); err != nil {
		return fmt.Errorf("printing a model: %w", err)
	}
	b := bufio.NewWriter(w)
	b.WriteString("(\n")
	if m.Steps > 0 {
		fmt.Fprintf(b, "%s%d\n", StepsComment, m.Steps)
		sys, m = within(sys, m.Steps), Least()
	}
	global := globals(sys)
	predicates := sys.Predicates
	if m.Least {
		predicates = inOrderOfDerivation(sys)
	}
	m = m.printable(sys)
	m.printDefinitions(b, sys, global)
	for _, pred := range predicates {
		i := readable(sys, global, pred, m.Interpretations[pred])
		fmt.Fprintf(b, "(define-fun %s (%s) Bool ", term.QuoteSymbol(pred.Name), binders(i.Params))
		if err := term.WriteWithPatterns(b, i.Body); err != nil {
			return fmt.Errorf("printing the interpretation of %s: %w", term.QuoteSymbol(pred.Name), err)
		}
		b.WriteString(")\n")
	}
	b.WriteString(")\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("printing a model: %w", err)
	}
	return nil
}

// PrintRefutation writes the refutation as text, one step a line, in the format of the package comment. It fails when a
// step lacks a clause or a value; whether the steps are right is for CheckRefutation to say.
func PrintRefutation(w io.Writer, sys *chc.System, r *Refutation) error {
	b := bufio.NewWriter(w)
	b.WriteString("(refutation\n")
	for i, s := range r.Steps {
		fmt.Fprintf(b, "  (step %d", i)
		if err := writeStep(b, sys.Pool, s); err != nil {
			return fmt.Errorf("printing step %d of a refutation: %w", i, err)
		}
		b.WriteString(")\n")
	}
	b.WriteString(")\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("printing a refutation: %w", err)
	}
	return nil
}

// writeStep writes what a step has beside its number.
func writeStep(b *bufio.Writer, p *term.Pool, s Step) error {
	if s.Repeat == nil {
		return writeInstance(b, p, s, nil)
	}
	fmt.Fprintf(b, " (repeat %s)", s.Repeat.Count)
	writePremises(b, s.Premises)
	b.WriteString(" (round")
	for j, round := range s.Repeat.Round {
		fmt.Fprintf(b, "\n    (step %d", j)
		if err := writeInstance(b, p, round.At(term.Num{}), &round); err != nil {
			return err
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
	return nil
}

// writeInstance writes a step's clause, its values, each with what a round adds to it if that is something, or what it is in the second
// round, and its premises. round is nil for a step that is not repeated.
func writeInstance(b *bufio.Writer, p *term.Pool, s Step, round *RoundStep) error {
	values, err := printable(s)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, " (clause %d) (values", s.Clause.ID)
	for _, v := range values {
		b.WriteString(" (")
		b.WriteString(term.QuoteSymbol(v.Var.Name()))
		if v.ambiguous {
			fmt.Fprintf(b, " %s", v.Var.Sort())
		}
		b.WriteByte(' ')
		if err := term.Write(b, s.Ground(p, v.Var)); err != nil {
			return err
		}
		if round != nil {
			if d := round.Increments[v.Var]; !d.IsZero() {
				fmt.Fprintf(b, " (by %s)", term.NumValue(d, v.Var.Sort()))
			}
			if w, ok := round.Next[v.Var]; ok {
				fmt.Fprintf(b, " (then %s)", w)
			}
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
	writePremises(b, s.Premises)
	return nil
}

func writePremises(b *bufio.Writer, premises []int) {
	b.WriteString(" (premises")
	for _, q := range premises {
		fmt.Fprintf(b, " %d", q)
	}
	b.WriteByte(')')
}

// printedBinding is a value of a step; ambiguous says that its variable's name alone does not tell which it is.
type printedBinding struct {
	Binding
	ambiguous bool
}

// printable returns the values of the clause's variables in the clause's order.
func printable(s Step) ([]printedBinding, error) {
	if s.Clause == nil {
		return nil, fmt.Errorf("it has no clause")
	}
	vars := s.Clause.Vars()
	uses := make(map[string]int, len(vars))
	for _, x := range vars {
		uses[x.Name()]++
	}
	out := make([]printedBinding, len(vars))
	for k, x := range vars {
		v, ok := s.Values[x]
		if !ok {
			return nil, fmt.Errorf("variable %s of %s has no value", term.QuoteSymbol(x.Name()), describe(s.Clause))
		}
		out[k] = printedBinding{Binding{x, v}, uses[x.Name()] > 1}
	}
	return out, nil
}
