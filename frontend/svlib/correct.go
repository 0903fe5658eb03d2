package svlib

import (
	"fmt"
	"strings"

	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
)

// Annotations are a proof of the program's clauses as annotate-tag commands, a line each, with what has no words in SV-LIB.
func (p *Program) Annotations(e *encode.Encoding, m *witness.Model) (text string, dropped []string) {
	x := proof.NewExpressions(e)
	var b strings.Builder
	for _, c := range proof.Claims(e, m, proof.Options{}) {
		own := p.procedures[c.Procedure.Name]
		if own == nil {
			continue // the procedure that makes the call
		}
		at, attribute := own.Body, ":requires"
		switch c.Kind {
		case proof.Ensures:
			attribute = ":ensures"
		case proof.Invariant:
			attribute = ":invariant"
			at = p.heads[headKey{c.Procedure.Name, c.Head.Label}]
		}
		if at == nil {
			dropped = append(dropped, fmt.Sprintf("%s: %s of %s, which is at no statement", c.Pos, attribute, own.Name))
			continue
		}
		w := &writer{Program: p}
		if len(own.Body.Tags) > 0 {
			w.entry = tagOf(own.Body)
		}
		conditions, left := x.Conditions(c)
		for _, d := range left {
			dropped = append(dropped, d.String())
		}
		var written []string
		for _, condition := range conditions {
			s, err := w.condition(condition)
			if err != nil {
				dropped = append(dropped, fmt.Sprintf("%s: %s", c.Pos, err))
				continue
			}
			written = append(written, s)
		}
		if len(written) == 1 {
			fmt.Fprintf(&b, "(annotate-tag %s %s %s)\n", tagOf(at), attribute, written[0])
		} else if len(written) > 1 {
			fmt.Fprintf(&b, "(annotate-tag %s %s (and %s))\n", tagOf(at), attribute, strings.Join(written, " "))
		}
	}
	return b.String(), dropped
}
