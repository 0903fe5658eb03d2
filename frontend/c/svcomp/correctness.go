package svcomp

import (
	"context"
	"regexp"

	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/tree"
)

// Invariant is a condition, as an expression of C, that holds whenever a run comes to a place.
type Invariant struct {
	// Loop is set where the place is the beginning of a loop statement; else it is any statement.
	Loop     bool
	Pos      tree.Pos
	Function *tree.Function
	Text     string
}

type invariant struct {
	Invariant struct {
		Type     string   `yaml:"type"`
		Location location `yaml:"location"`
		Value    string   `yaml:"value"`
		Format   string   `yaml:"format"`
	} `yaml:"invariant"`
}

// Correctness writes a correctness witness.
func Correctness(m Metadata, invariants []Invariant) ([]byte, error) {
	content := make([]invariant, len(invariants))
	for i, v := range invariants {
		out := &content[i].Invariant
		out.Type = "location_invariant"
		if v.Loop {
			out.Type = "loop_invariant"
		}
		out.Location, out.Value, out.Format = at(v.Pos, v.Function), v.Text, "c_expression"
	}
	return document("invariant_set", m, content)
}

// loopKeyword is what the text of a loop begins with, if the loop is from no macro.
var loopKeyword = regexp.MustCompile(`^(?:for|while|do)\b`)

// Invariants are what a proof says of the loops of the program in C, and what of it C has no words for, or no place in the
// program's source: they need not be inductive. Each can be evaluated without undefined behaviour, and holds whenever a run
// comes to the place.
func Invariants(ctx context.Context, p proof.Proof, files []File) (invariants []Invariant, dropped []proof.Dropped) {
	places, dropped := proof.Places(ctx, p, proof.Executable)
	text := textOf(files)
	for _, place := range places {
		i := Invariant{Loop: true, Pos: place.Pos, Function: place.Function}
		begins := loopKeyword
		switch s := place.Statement.(type) {
		case *tree.DoWhile:
			// The invariant of such a loop is one of its test, and this one holds before its body.
			if first := firstStatement(s.Body); first != nil {
				i.Loop, i.Pos = false, first.Pos()
			} else {
				begins = nil
			}
		case *tree.Label:
			i.Loop = false
			begins = regexp.MustCompile(`^` + regexp.QuoteMeta(s.Name) + `\s*:`)
		}
		if begins == nil || !text.reads(at(place.Pos, nil), begins) {
			for _, what := range place.Invariants {
				dropped = append(dropped, proof.Dropped{Pos: place.Pos, What: what, Why: "a place that the file does not have"})
			}
			continue
		}
		for _, t := range place.Invariants {
			i.Text = t
			invariants = append(invariants, i)
		}
	}
	return invariants, dropped
}

// firstStatement is the first statement of a block, if its place is known to be where it begins.
func firstStatement(s tree.Statement) tree.Statement {
	b, ok := s.(*tree.Block)
	if !ok || len(b.Statements) == 0 {
		return nil
	}
	switch s := b.Statements[0].(type) {
	case *tree.Declare, *tree.Block, *tree.Case:
		return nil
	default:
		return s
	}
}
