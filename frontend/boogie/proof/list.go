package proof

import (
	"fmt"
	"io"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// List writes claims as the program would have them, under the places where they hold:
//
//	f.bpl:3:11: procedure double
//	  requires n >= 0;
//	  ensures r == 2 * n;
//	f.bpl:5:3: loop of double
//	  invariant r + i == n;
//
// It returns what it had to leave out.
func List(w io.Writer, e *encode.Encoding, claims []*Claim) ([]Dropped, error) {
	x := NewExpressions(e)
	x.avoidHiding(claims)
	var dropped []Dropped
	var last *Claim
	for _, c := range claims {
		conditions, left := x.Conditions(c)
		dropped = append(dropped, left...)
		if last == nil || last.Procedure != c.Procedure || c.Head != nil {
			if _, err := fmt.Fprintf(w, "%s: %s\n", c.Pos, c.title()); err != nil {
				return dropped, err
			}
		}
		last = c
		for _, e := range conditions {
			if _, err := fmt.Fprintf(w, "  %s %s;\n", c.Kind, ast.String(e)); err != nil {
				return dropped, err
			}
		}
	}
	for _, f := range x.Functions() {
		if _, err := fmt.Fprintln(w, ast.DeclarationString(f)); err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}

// String is the word that the source has for claims of a kind.
func (k Kind) String() string {
	return [...]string{Requires: "requires", Ensures: "ensures", Invariant: "invariant"}[k]
}

func (c *Claim) title() string {
	switch {
	case c.Head == nil:
		return "procedure " + c.Procedure.Name
	case c.Head.Label != "":
		return fmt.Sprintf("loop at %s of %s", c.Head.Label, c.Procedure.Name)
	}
	return "loop of " + c.Procedure.Name
}
