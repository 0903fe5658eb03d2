package proof

import (
	"bytes"
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// Place is one place of the program with what holds there, as `verify --json` writes it.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Procedure is the procedure's name; Loop says that the place is the head of a loop, and Label names that when the
	// source does.
	Procedure string `json:"procedure"`
	Loop      bool   `json:"loop,omitempty"`
	Label     string `json:"label,omitempty"`
	// The conditions that hold there, in Boogie.
	Requires   []string `json:"requires,omitempty"`
	Ensures    []string `json:"ensures,omitempty"`
	Invariants []string `json:"invariants,omitempty"`
	// Functions are declarations that the conditions of all places need; the first place has them.
	Functions []string `json:"functions,omitempty"`
}

// Places writes claims as the program would have them, place by place. It returns what it had to leave out, too.
func Places(e *encode.Encoding, claims []*Claim) ([]Place, []Dropped) {
	x := NewExpressions(e)
	x.avoidHiding(claims)
	var places []Place
	var dropped []Dropped
	var last *Claim
	for _, c := range claims {
		conditions, left := x.Conditions(c)
		dropped = append(dropped, left...)
		if len(conditions) == 0 {
			continue
		}
		if last == nil || last.Procedure != c.Procedure || c.Head != nil {
			place := Place{File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column, Procedure: c.Procedure.Name}
			if c.Head != nil {
				place.Loop, place.Label = true, c.Head.Label
			}
			places = append(places, place)
		}
		last = c
		place := &places[len(places)-1]
		list := map[Kind]*[]string{Requires: &place.Requires, Ensures: &place.Ensures, Invariant: &place.Invariants}[c.Kind]
		for _, e := range conditions {
			*list = append(*list, ast.String(e))
		}
	}
	for _, f := range x.Functions() {
		places[0].Functions = append(places[0].Functions, ast.DeclarationString(f))
	}
	return places, dropped
}

// Text is the places with what holds at each on lines of its own:
//
//	f.bpl:3:11: procedure double
//	  requires n >= 0;
//	  ensures r == 2 * n;
//	f.bpl:5:3: loop in double
//	  invariant r + i == n;
func Text(places []Place) []byte {
	var b bytes.Buffer
	for _, p := range places {
		fmt.Fprintf(&b, "%s:%d:%d: ", p.File, p.Line, p.Column)
		switch {
		case !p.Loop:
			fmt.Fprintf(&b, "procedure %s\n", p.Procedure)
		case p.Label != "":
			fmt.Fprintf(&b, "loop at %s in %s\n", p.Label, p.Procedure)
		default:
			fmt.Fprintf(&b, "loop in %s\n", p.Procedure)
		}
		for _, part := range []struct {
			word string
			list []string
		}{{"requires", p.Requires}, {"ensures", p.Ensures}, {"invariant", p.Invariants}} {
			for _, condition := range part.list {
				fmt.Fprintf(&b, "  %s %s;\n", part.word, condition)
			}
		}
	}
	for _, p := range places {
		for _, f := range p.Functions {
			b.WriteString(f + "\n")
		}
	}
	return b.Bytes()
}
