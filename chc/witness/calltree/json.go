package calltree

import (
	"hornbeam/chc/term"
)

// Document is the tree for encoding/json, complete; docs/hunt.md describes it.
type Document struct {
	Kind string `json:"kind"`
	// Steps begins with the query; calls come after the steps that need them.
	Steps []StepDocument `json:"steps"`
}

// StepDocument is one step of the tree: an instance of a clause.
type StepDocument struct {
	Step      int                `json:"step"`
	Predicate string             `json:"predicate,omitempty"`
	Arguments []ArgumentDocument `json:"arguments"`
	Clause    int                `json:"clause"`
	Name      string             `json:"name,omitempty"`
	File      string             `json:"file,omitempty"`
	Line      int                `json:"line,omitempty"`
	Column    int                `json:"column,omitempty"`
	Variables []ArgumentDocument `json:"variables"`
	Calls     []int              `json:"calls"`
}

// ArgumentDocument is a value in SMT-LIB, with its name where it has one.
type ArgumentDocument struct {
	Name  string `json:"name,omitempty"`
	Sort  string `json:"sort"`
	Value string `json:"value"`
}

// Document returns the tree as a document.
func (t *Tree) Document() Document {
	d := Document{Kind: "trace", Steps: make([]StepDocument, 0, len(t.steps))}
	last := len(t.steps) - 1
	for i := range t.steps {
		s := &t.steps[last-i]
		c := s.clause
		n := StepDocument{
			Step: i, Arguments: t.documents(s.arguments), Clause: c.ID, Name: c.Name, File: c.Pos.File, Line: c.Pos.Line,
			Column: c.Pos.Column, Variables: t.documents(s.locals), Calls: []int{},
		}
		if c.Head != nil {
			n.Predicate = c.Head.Pred.Name
		}
		for _, call := range s.calls {
			n.Calls = append(n.Calls, last-call)
		}
		d.Steps = append(d.Steps, n)
	}
	return d
}

func (t *Tree) documents(args []Argument) []ArgumentDocument {
	out := make([]ArgumentDocument, len(args))
	for i, a := range args {
		out[i] = ArgumentDocument{Name: a.Name, Sort: a.Value.Sort().String(), Value: term.Format(a.Value.Term(t.pool))}
	}
	return out
}
