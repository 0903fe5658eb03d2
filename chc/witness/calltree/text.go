package calltree

import (
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// The widths of a text that is not full.
const (
	// valueWidth and formulaWidth are the most characters of a value and of a query's constraint.
	valueWidth   = 60
	formulaWidth = 160
	// wide is the number of arguments up to which a line repeats those that are as in the line above.
	wide = 6
	// manyLocals is the most variables of a clause that are shown beside its arguments.
	manyLocals = 8
)

// Text returns the tree as text, each line with a line feed. Without full, long chains are folded, long values and deep
// trees cut, and arguments left out that are as in the line above; complete says that nothing was. An ellipsis stands
// wherever something is left out.
func (t *Tree) Text(full bool) (text string, complete bool) {
	w := textWriter{layouter: t.layout(full), labels: map[int]int{}}
	for _, n := range w.lines {
		if !n.reference && n.hidden == 0 && w.referred[n.step] {
			w.labels[n.step] = len(w.labels) + 1
		}
	}
	w.query()
	for _, n := range w.lines {
		w.line(n)
	}
	return w.out.String(), !w.cut
}

// textWriter writes the lines of a layout.
type textWriter struct {
	*layouter
	out strings.Builder
	// labels number the steps that others refer to, in the order of the text.
	labels map[int]int
	cut    bool
}

const ellipsis = "…"

func (w *textWriter) query() {
	q := w.root()
	fmt.Fprintf(&w.out, "query %s fails\n", Place(q.clause))
	words := ""
	if len(q.locals) > 0 {
		words = "with " + w.locals(q.locals)
	}
	if c := q.clause.Constraint; !c.IsTrue() {
		if words != "" {
			words += " "
		}
		words += "such that " + w.formula(c)
	}
	if words != "" {
		fmt.Fprintf(&w.out, "  %s\n", words)
	}
}

func (w *textWriter) formula(t *term.Term) string {
	s := []rune(plain(term.Format(t)))
	if w.full || len(s) <= formulaWidth {
		return string(s)
	}
	w.cut = true
	return string(s[:formulaWidth]) + ellipsis
}

func (w *textWriter) line(n line) {
	const indentation = "    "
	indent := strings.Repeat(indentation, n.depth)
	w.out.WriteString(indent)
	w.out.WriteString(map[bool]string{true: "- ", false: "  "}[n.first])
	if n.hidden > 0 {
		w.cut = true
		fmt.Fprintf(&w.out, "%s %d steps, #%d to #%d\n", ellipsis, n.hidden, n.number, n.number-n.hidden+1)
		return
	}
	if n.number > 0 {
		fmt.Fprintf(&w.out, "%-*s ", n.digits+1, fmt.Sprintf("#%d", n.number))
	}
	s := &w.steps[n.step]
	w.out.WriteString(symbol(s.clause.Head.Pred.Name))
	w.arguments(n)
	switch {
	case n.reference:
		fmt.Fprintf(&w.out, ", see [%d]", w.labels[n.step])
	default:
		if k := w.labels[n.step]; k > 0 {
			fmt.Fprintf(&w.out, " [%d]", k)
		}
		fmt.Fprintf(&w.out, " at %s", Place(s.clause))
		if len(s.locals) > 0 {
			w.out.WriteString(" with " + w.locals(s.locals))
		}
	}
	w.out.WriteByte('\n')
	if n.below {
		w.cut = true
		fmt.Fprintf(&w.out, "%s- %s its calls are left out\n", indent+indentation, ellipsis)
	}
}

// arguments writes the values of what a step derives; those of a wide predicate that are as in the line above are left
// out.
func (w *textWriter) arguments(n line) {
	args := w.steps[n.step].arguments
	if len(args) == 0 {
		return
	}
	var above []Argument
	if !w.full && len(args) > wide && n.above >= 0 && w.predicate(n.above) == w.predicate(n.step) {
		above = w.steps[n.above].arguments
	}
	var shown []string
	for i, a := range args {
		if above != nil && above[i].Value.Equal(a.Value) {
			continue
		}
		shown = append(shown, w.argument(a))
	}
	if len(shown) < len(args) {
		w.cut = true
		shown = append(shown, ellipsis)
	}
	w.out.WriteString("(" + strings.Join(shown, ", ") + ")")
}

func (w *textWriter) locals(args []Argument) string {
	var shown []string
	for i, a := range args {
		if i == manyLocals && !w.full {
			w.cut = true
			shown = append(shown, ellipsis)
			break
		}
		shown = append(shown, w.argument(a))
	}
	return strings.Join(shown, ", ")
}

func (w *textWriter) argument(a Argument) string {
	limit := valueWidth
	if w.full {
		limit = 0
	}
	value, cut := valueText(a.Value.Term(w.pool), limit)
	w.cut = w.cut || cut
	if a.Name == "" {
		return value
	}
	return symbol(a.Name) + " = " + value
}

// Place is where a clause stands in its source, FILE:LINE:COLUMN, with its name where it has one, on one line.
func Place(c *chc.Clause) string {
	at := plain(c.Pos.String())
	if at == "" {
		at = fmt.Sprintf("clause %d", c.ID)
	}
	if c.Name != "" {
		at += " (" + symbol(c.Name) + ")"
	}
	return at
}
