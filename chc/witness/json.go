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
	// Increment is what every further round of a repetition adds to the value.
	Increment string `json:"increment,omitempty"`
	// Next is the value in the second round of a repetition of an array or a record that changes in its numbers.
	Next string `json:"next,omitempty"`
}

// RefutationDocument is a refutation's JSON document; the package comment gives its schema.
type RefutationDocument struct {
	Kind  string         `json:"kind"`
	Steps []StepDocument `json:"steps"`
}

// StepDocument is one step of a refutation, or of a round that a step repeats.
type StepDocument struct {
	Step int `json:"step"`
	// Clause is -1 in a step that repeats others, which has no values.
	Clause   int                `json:"clause"`
	Name     string             `json:"name,omitempty"`
	File     string             `json:"file,omitempty"`
	Line     int                `json:"line,omitempty"`
	Column   int                `json:"column,omitempty"`
	Values   []VariableDocument `json:"values"`
	Premises []int              `json:"premises"`
	Head     *AtomDocument      `json:"head,omitempty"`
	// Repeat is how often the steps of Round are done, as a numeral of any size.
	Repeat string         `json:"repeat,omitempty"`
	Round  []StepDocument `json:"round,omitempty"`
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
	if m.Steps > 0 {
		sys, m = within(sys, m.Steps), Least()
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
		q, err := stepDocument(sys.Pool, i, s)
		if err != nil {
			return d, fmt.Errorf("printing step %d of a refutation: %w", i, err)
		}
		d.Steps = append(d.Steps, q)
	}
	return d, nil
}

// stepDocument returns the document of a step.
func stepDocument(p *term.Pool, i int, s Step) (StepDocument, error) {
	if s.Repeat == nil {
		return instanceDocument(p, i, s, nil)
	}
	q := StepDocument{
		Step: i, Clause: -1, Values: []VariableDocument{}, Premises: append([]int{}, s.Premises...), Repeat: s.Repeat.Count.String(),
	}
	for j, round := range s.Repeat.Round {
		d, err := instanceDocument(p, j, round.At(term.Num{}), &round)
		if err != nil {
			return q, err
		}
		q.Round = append(q.Round, d)
	}
	head, err := HeadValues(p, s)
	if err != nil {
		return q, err
	}
	last := s.Repeat.final().Clause
	if last.Head == nil {
		return q, fmt.Errorf("a round ends in an instance of a query")
	}
	q.Head = &AtomDocument{Predicate: last.Head.Pred.Name, Arguments: []string{}}
	for _, v := range head {
		q.Head.Arguments = append(q.Head.Arguments, v.String())
	}
	return q, nil
}

// instanceDocument returns the document of an instance of a clause, whose values may change from round to round.
func instanceDocument(p *term.Pool, i int, s Step, round *RoundStep) (StepDocument, error) {
	values, err := printable(s)
	if err != nil {
		return StepDocument{}, err
	}
	c := s.Clause
	q := StepDocument{
		Step: i, Clause: c.ID, Name: c.Name, File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column,
		Values: []VariableDocument{}, Premises: append([]int{}, s.Premises...),
	}
	for _, v := range values {
		d := VariableDocument{Name: v.Var.Name(), Sort: v.Var.Sort().String(), Value: term.Format(s.Ground(p, v.Var))}
		if round != nil {
			if by := round.Increments[v.Var]; !by.IsZero() {
				d.Increment = term.NumValue(by, v.Var.Sort()).String()
			}
			if w, ok := round.Next[v.Var]; ok {
				d.Next = w.String()
			}
		}
		q.Values = append(q.Values, d)
	}
	if c.Head != nil {
		q.Head = &AtomDocument{Predicate: c.Head.Pred.Name, Arguments: []string{}}
		for _, t := range c.Head.Args {
			q.Head.Arguments = append(q.Head.Arguments, term.Format(s.Ground(p, t)))
		}
	}
	return q, nil
}
