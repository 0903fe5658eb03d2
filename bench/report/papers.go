package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"hornbeam/bench/table"
)

// Papers is a page on what became of the claims of several papers.
type Papers struct {
	Title string
	// Lead are sentences on how the page was made.
	Lead   []string
	Papers []Paper
}

// Paper is what a paper claims, and what the runs say of it.
type Paper struct {
	// Name is a word by which the page's links find the paper.
	Name, Title, By, Claim string
	Standing               Standing
	// Held, Failed and Open count the findings that hold, do not hold, and were not measured.
	Held, Failed, Open int
	Findings           []Finding
	Experiments        []Part
}

// Finding is one sentence of a claim with the figures that decide it.
type Finding struct {
	Says, Figures string
	Standing      Standing
	Experiment    string
}

// Part is an experiment on the page.
type Part struct {
	Name, Title, Claim string
	Standing           Standing
	// Facts are sentences on what was run.
	Facts []string
	// Link leads to the experiment's own report; empty for none.
	Link   string
	Sheets []*table.Sheet
}

// Standing says whether something holds: the words for people, and the class by which they are coloured: good, bad, mixed or open.
type Standing struct{ Text, Class string }

//go:embed papers.html
var papersHTML string

// WritePapers writes the page.
func WritePapers(w io.Writer, p *Papers) error {
	page, err := template.New("report").Funcs(template.FuncMap{"alarming": alarming}).Parse(pageHTML)
	if err == nil {
		// The head and the tables are those of the report on runs.
		page, err = page.New("papers").Parse(papersHTML)
	}
	if err != nil {
		return fmt.Errorf("read the template of the papers' report: %w", err)
	}
	err = page.Execute(w, map[string]any{"Title": p.Title, "Lead": p.Lead, "Papers": p.Papers, "Style": template.CSS(pageCSS), "Policy": policy})
	if err != nil {
		return fmt.Errorf("write the papers' report: %w", err)
	}
	return nil
}
