package witness

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// ModelDocument is a model's JSON document; the package comment gives its schema.
type ModelDocument struct {
	Kind       string              `json:"kind"`
	Predicates []PredicateDocument `json:"predicates"`
	// Definitions and Lemmas are the functions that the predicates' bodies apply, and what is to be proved of them.
	Definitions []DefinitionDocument `json:"definitions,omitempty"`
	Lemmas      []LemmaDocument      `json:"lemmas,omitempty"`
}

// PredicateDocument is the interpretation of one predicate.
type PredicateDocument struct {
	Name       string             `json:"name"`
	Parameters []VariableDocument `json:"parameters"`
	Body       string             `json:"body"`
}

// VariableDocument is a variable, with its value in a step of a refutation.
type VariableDocument struct {
	Name  string `json:"name"`
	Sort  string `json:"sort"`
	Value string `json:"value,omitempty"`
}

// RefutationDocument is a refutation's JSON document; the package comment gives its schema.
type RefutationDocument struct {
	Kind  string         `json:"kind"`
	Steps []StepDocument `json:"steps"`
}

// StepDocument is one step of a refutation.
type StepDocument struct {
	Step     int                `json:"step"`
	Clause   int                `json:"clause"`
	Name     string             `json:"name,omitempty"`
	File     string             `json:"file,omitempty"`
	Line     int                `json:"line,omitempty"`
	Column   int                `json:"column,omitempty"`
	Values   []VariableDocument `json:"values"`
	Premises []int              `json:"premises"`
	Head     *AtomDocument      `json:"head,omitempty"`
}

// AtomDocument is a ground atom.
type AtomDocument struct {
	Predicate string   `json:"predicate"`
	Arguments []string `json:"arguments"`
}

// ModelJSON returns the model's document, for encoding/json. It fails as PrintModel does.
func ModelJSON(sys *chc.System, m *Model) (ModelDocument, error) {
	d := ModelDocument{Kind: "model", Predicates: make([]PredicateDocument, 0, len(sys.Predicates))}
	if err := m.wellFormed(sys); err != nil {
		return d, fmt.Errorf("printing a model: %w", err)
	}
	global := globals(sys)
	m = m.printable(sys)
	m.document(&d, sys, global)
	for _, pred := range sys.Predicates {
		i := readable(sys, global, pred, m.Interpretations[pred])
		d.Predicates = append(d.Predicates, PredicateDocument{
			Name: pred.Name, Parameters: variableDocuments(i.Params), Body: term.FormatWithPatterns(i.Body),
		})
	}
	return d, nil
}

// RefutationJSON returns the refutation's document, for encoding/json. It fails as PrintRefutation does.
func RefutationJSON(sys *chc.System, r *Refutation) (RefutationDocument, error) {
	d := RefutationDocument{Kind: "refutation", Steps: make([]StepDocument, 0, len(r.Steps))}
	for i, s := range r.Steps {
		values, err := printable(s)
		if err != nil {
			return d, fmt.Errorf("printing step %d of a refutation: %w", i, err)
		}
		c := s.Clause
		q := StepDocument{
			Step: i, Clause: c.ID, Name: c.Name, File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column,
			Values: []VariableDocument{}, Premises: append([]int{}, s.Premises...),
		}
		for _, v := range values {
			q.Values = append(q.Values, VariableDocument{
				Name: v.Var.Name(), Sort: v.Var.Sort().String(), Value: term.Format(s.Ground(sys.Pool, v.Var)),
			})
		}
		if c.Head != nil {
			q.Head = &AtomDocument{Predicate: c.Head.Pred.Name, Arguments: []string{}}
			for _, t := range c.Head.Args {
				q.Head.Arguments = append(q.Head.Arguments, term.Format(s.Ground(sys.Pool, t)))
			}
		}
		d.Steps = append(d.Steps, q)
	}
	return d, nil
}
