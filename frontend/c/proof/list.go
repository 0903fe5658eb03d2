package proof

import (
	"bytes"
	"fmt"

	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/tree"
)

// Text is the places with what holds at each on lines of its own:
//
//	f.c:3:5: function double_of
//	  requires n >= 0;
//	  ensures \result == (2 * n);
//	f.c:5:3: loop in double_of
//	  invariant (r + i) == n;
func Text(places []Place) []byte {
	var b bytes.Buffer
	for _, p := range places {
		switch s := p.Statement.(type) {
		case nil:
			fmt.Fprintf(&b, "%s: function %s\n", p.Pos, p.Function.Name)
		case *tree.Label:
			fmt.Fprintf(&b, "%s: label %s in %s\n", p.Pos, s.Name, p.Function.Name)
		default:
			fmt.Fprintf(&b, "%s: loop in %s\n", p.Pos, p.Function.Name)
		}
		for _, c := range p.clauses() {
			fmt.Fprintf(&b, "  %s %s;\n", c.word, c.text)
		}
	}
	return b.Bytes()
}

// clause is a condition with the word that says when it holds.
type clause struct{ word, text string }

// Conditions are what holds at the place, each with the word that says when.
func (p Place) Conditions() []string {
	var out []string
	for _, c := range p.clauses() {
		out = append(out, c.word+" "+c.text)
	}
	return out
}

func (p Place) clauses() []clause {
	var out []clause
	for _, part := range []struct {
		word string
		list []string
	}{{"requires", p.Requires}, {"ensures", p.Ensures}, {"invariant", p.Invariants}} {
		for _, text := range part.list {
			out = append(out, clause{part.word, text})
		}
	}
	return out
}

// Documents are the places as reports have them.
func Documents(places []Place) []boogie.Place {
	out := make([]boogie.Place, len(places))
	for i, p := range places {
		out[i] = boogie.Place{
			File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column, Procedure: p.Function.Name, Loop: p.Statement != nil,
			Requires: p.Requires, Ensures: p.Ensures, Invariants: p.Invariants,
		}
		if l, ok := p.Statement.(*tree.Label); ok {
			out[i].Label = l.Name
		}
	}
	return out
}
