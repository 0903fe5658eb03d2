package trace

// Document is a trace as JSON; docs/verify.md describes it.
type Document struct {
	Kind  string         `json:"kind"`
	Note  string         `json:"note,omitempty"`
	Steps []DocumentStep `json:"steps"`
}

// DocumentStep is a step as JSON.
type DocumentStep struct {
	Kind      Kind            `json:"kind"`
	Depth     int             `json:"depth"`
	Procedure string          `json:"procedure,omitempty"`
	File      string          `json:"file,omitempty"`
	Line      int             `json:"line,omitempty"`
	Column    int             `json:"column,omitempty"`
	Source    *DocumentPlace  `json:"source,omitempty"`
	Library   bool            `json:"library,omitempty"`
	Text      string          `json:"text,omitempty"`
	Values    []DocumentValue `json:"values,omitempty"`
}

// DocumentPlace is a place in the source of a program that was made by another tool.
type DocumentPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
}

// DocumentValue is a named value as JSON.
type DocumentValue struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Global bool   `json:"global,omitempty"`
}

// Document is the trace as JSON, complete.
func (t *Trace) Document() *Document {
	d := &Document{Kind: "run", Note: t.Note}
	for _, s := range t.Steps {
		out := DocumentStep{
			Kind: s.Kind, Depth: s.Depth, Procedure: s.Procedure, Library: s.Library, Text: s.Text,
			File: s.Pos.File, Line: s.Pos.Line, Column: s.Pos.Column,
		}
		if s.Source.Line > 0 {
			out.Source = &DocumentPlace{s.Source.File, s.Source.Line, s.Source.Column}
		}
		for _, v := range s.Values {
			out.Values = append(out.Values, DocumentValue(v))
		}
		d.Steps = append(d.Steps, out)
	}
	return d
}
