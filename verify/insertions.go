package verify

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/proof"
)

// Insertion is a piece of text that states a result of a proof, and the offset in the program at which it is inserted.
type Insertion struct {
	// File is the file that Text goes into where that is included by the program; it is empty for the program itself.
	File string
	// Offset is where in the file Text goes. What goes to one offset goes there in the order of the insertions.
	Offset int
	Text   string
	// Procedure is the one that it is about, Pos where its name stands, or the loop. A declaration that others need has neither.
	Procedure string
	Pos       chc.Position
	// Conditions are what is inserted, such as `invariant x >= 0`.
	Conditions []string

	// boogie is what Boogie's programs are verified with.
	boogie proof.Insertion
}

// Alone is the text where nothing else goes to the offset.
func (i Insertion) Alone() string {
	if i.boogie.Condition == "" {
		return i.Text
	}
	_, text := i.boogie.Edit(true)
	return text
}

// Declares reports whether the insertion is a declaration that others need.
func (i Insertion) Declares() bool { return i.Procedure == "" }

// insertionsOf are insertions into a Boogie program, in the order of its text.
func insertionsOf(found []proof.Insertion) []Insertion {
	var out []Insertion
	for i, in := range found {
		offset, text := in.Edit(i+1 == len(found) || found[i+1].Compare(in) != 0)
		one := Insertion{Offset: offset, Text: text, Procedure: in.Procedure, Pos: in.Pos, boogie: in}
		if !in.Declares() {
			one.Conditions = []string{in.Word() + " " + in.Condition}
		}
		out = append(out, one)
	}
	return out
}

// Inductive are those of insertions, from several proofs of a program perhaps, which modular verification proves together, each once
// and in the order of the text: with them the program is verified procedure by procedure as far as they suffice. Conditions of C
// programs are comments, and stay.
func Inductive(ctx context.Context, req Request, insertions []Insertion) ([]Insertion, error) {
	if req.Language != engine.Boogie || len(insertions) == 0 {
		return insertions, nil
	}
	p, err := ReadBoogie(ctx, req)
	if err != nil {
		return nil, err
	}
	var all []proof.Insertion
	for _, i := range insertions {
		if !slices.Contains(all, i.boogie) {
			all = append(all, i.boogie)
		}
	}
	slices.SortStableFunc(all, proof.Insertion.Compare)
	kept, _, err := p.surviving(ctx, all)
	if err != nil {
		return nil, err
	}
	return insertionsOf(kept), nil
}

// Entry is a procedure that runs of a Boogie program begin with.
type Entry struct {
	Name string
	Pos  chc.Position
	// Reaches are the procedures with bodies that runs from it may come to, without itself.
	Reaches []Callee
}

// Callee is a procedure that is called.
type Callee struct {
	Name string
	Pos  chc.Position
}

// Entries reads a Boogie program and returns the procedures that runs begin with, in the program's order. An error is one of Program's.
func Entries(ctx context.Context, req Request) ([]Entry, error) {
	p, err := ReadBoogie(ctx, req)
	if err == nil {
		err = p.Encode(ctx)
	}
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, q := range p.Encoding.Entries {
		e := Entry{Name: q.Name, Pos: q.Pos}
		seen := map[*ast.Procedure]bool{q: true}
		for todo := []*ast.Procedure{q}; len(todo) > 0; todo = todo[1:] {
			for _, impl := range todo[0].Implementations {
				for s := range ast.Statements(impl.Body.Stmts) {
					call, ok := s.(*ast.Call)
					if !ok || call.Procedure == nil || seen[call.Procedure] {
						continue
					}
					seen[call.Procedure] = true
					todo = append(todo, call.Procedure)
					if len(call.Procedure.Implementations) > 0 {
						e.Reaches = append(e.Reaches, Callee{call.Procedure.Name, call.Procedure.Pos})
					}
				}
			}
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return a.Pos.Compare(b.Pos) })
	return out, nil
}
