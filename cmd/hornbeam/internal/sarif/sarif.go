// Package sarif writes findings in SARIF 2.1.0, the format of code scanning.
package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
)

// Finding is one thing that is to be said of an input.
type Finding struct {
	// Rule is the property's name, or Input.
	Rule string
	// Open says that the property is not decided; otherwise it is broken.
	Open    bool
	Message string
	// Place is where; a File without a Line is the whole file.
	Place chc.Position
	// Run is the run that leads there, nil for none.
	Run *trace.Trace
}

// Input is the rule of an input that cannot be read.
const Input = "input"

// Write writes the findings of a run of the program of the given version. column is the column of a place in code points, which
// the report's columns are: front ends may count bytes.
func Write(w io.Writer, version string, findings []Finding, column func(chc.Position) int) error {
	locate := func(at chc.Position, text string) location {
		at.Column = column(at)
		return locate(at, text)
	}
	seen := map[string]bool{}
	rules, results := []rule{}, []result{}
	for _, f := range findings {
		if !seen[f.Rule] {
			seen[f.Rule] = true
			rules = append(rules, rule{ID: f.Rule, Short: message{describe(f.Rule)}})
		}
		r := result{RuleID: f.Rule, Kind: "fail", Level: "error", Message: message{f.Message}, Locations: []location{locate(f.Place, "")}}
		if f.Open {
			r.Kind, r.Level = "open", "none"
		}
		if f.Run != nil {
			r.CodeFlows = []codeFlow{{ThreadFlows: []threadFlow{{Locations: flow(f.Run, locate)}}}}
		}
		results = append(results, r)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(log{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0",
		Runs: []run{{
			Tool:     tool{Driver: driver{Name: "Hornbeam", Version: version, Rules: rules}},
			Language: "en-US",
			Columns:  "unicodeCodePoints",
			Results:  results,
		}},
	})
	if err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// describe is a rule's sentence.
func describe(rule string) string {
	if rule == Input {
		return "The input can be read."
	}
	return "The property " + rule + " holds in every run."
}

// flow is the steps of a run that have a place.
func flow(t *trace.Trace, locate func(chc.Position, string) location) []flowStep {
	var steps []flowStep
	for _, s := range t.Steps {
		at := s.Pos
		if s.Source.Line > 0 {
			at = s.Source
		}
		if at.Line == 0 {
			continue
		}
		text := s.Text
		for i, v := range s.Values {
			separator := ", "
			if i == 0 {
				separator = "  "
			}
			text += separator + v.Name + " = " + v.Value
		}
		importance := "important"
		if s.Kind == trace.Error {
			importance = "essential"
		}
		steps = append(steps, flowStep{Location: locate(at, text), Nesting: s.Depth, Importance: importance})
	}
	return steps
}

func locate(at chc.Position, text string) location {
	l := location{Physical: physical{Artifact: artifact{URI: filepath.ToSlash(at.File)}}}
	if at.Line > 0 {
		l.Physical.Region = &region{at.Line, at.Column}
	}
	if text != "" {
		l.Message = &message{text}
	}
	return l
}

// The objects of the format, those members of them that are written.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool     tool     `json:"tool"`
		Language string   `json:"language"`
		Columns  string   `json:"columnKind"`
		Results  []result `json:"results"`
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Rules   []rule `json:"rules"`
	}
	rule struct {
		ID    string  `json:"id"`
		Short message `json:"shortDescription"`
	}
	message struct {
		Text string `json:"text"`
	}
	result struct {
		RuleID    string     `json:"ruleId"`
		Kind      string     `json:"kind"`
		Level     string     `json:"level"`
		Message   message    `json:"message"`
		Locations []location `json:"locations"`
		CodeFlows []codeFlow `json:"codeFlows,omitempty"`
	}
	codeFlow struct {
		ThreadFlows []threadFlow `json:"threadFlows"`
	}
	threadFlow struct {
		Locations []flowStep `json:"locations"`
	}
	flowStep struct {
		Location   location `json:"location"`
		Nesting    int      `json:"nestingLevel"`
		Importance string   `json:"importance"`
	}
	location struct {
		Physical physical `json:"physicalLocation"`
		Message  *message `json:"message,omitempty"`
	}
	physical struct {
		Artifact artifact `json:"artifactLocation"`
		Region   *region  `json:"region,omitempty"`
	}
	artifact struct {
		URI string `json:"uri"`
	}
	region struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)
