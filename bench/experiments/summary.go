package experiments

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"hornbeam/bench"
	"hornbeam/bench/report"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// Paper is a paper whose claims are tested by experiments.
type Paper struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	By    string `yaml:"by"`
	Claim string `yaml:"claim"`
}

// Papers returns the papers of bench/papers.yml, in the order of the report.
func Papers() ([]Paper, error) {
	var all []Paper
	if err := yaml.UnmarshalWithOptions(bench.Papers, &all, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read bench/papers.yml: %w", err)
	}
	return all, nil
}

// Summary says of every paper whether the experiments confirm its claims.
type Summary struct {
	papers []Paper
	made   map[string][]*Made
	within time.Duration
}

// Summarise groups experiments by their papers. Experiments without a paper come last.
func Summarise(all []*Made, within time.Duration) (*Summary, error) {
	papers, err := Papers()
	if err != nil {
		return nil, err
	}
	s := &Summary{within: within, made: map[string][]*Made{}}
	for _, m := range all {
		s.made[m.Paper] = append(s.made[m.Paper], m)
	}
	for _, p := range append(papers, Paper{Title: "Other comparisons"}) {
		if len(s.made[p.Name]) > 0 {
			s.papers = append(s.papers, p)
		}
	}
	return s, nil
}

// judged are the rules of a paper, with their experiments.
func (s *Summary) judged(p *Paper, each func(*Made, *Judged)) Standing {
	var all []Standing
	for _, m := range s.made[p.Name] {
		for i := range m.Rules {
			all = append(all, m.Rules[i].Standing)
			each(m, &m.Rules[i])
		}
	}
	return Together(all)
}

// Sheets are the papers with their standings, and every sentence with its figures.
func (s *Summary) Sheets() []*table.Sheet {
	papers := &table.Sheet{Name: "papers", Title: "Papers", Columns: []table.Column{{Key: "paper", Head: "paper"}, {Key: "standing", Head: "standing"}}}
	claims := &table.Sheet{Name: "claims", Title: "Claims", Columns: []table.Column{{Key: "experiment", Head: "experiment"}, {Key: "standing", Head: "standing"},
		{Key: "claim", Head: "claim"}, {Key: "figures", Head: "figures"}}}
	for i := range s.papers {
		standing := s.judged(&s.papers[i], func(m *Made, r *Judged) {
			claims.Rows = append(claims.Rows, []table.Cell{table.Word(m.Name), table.Word(string(r.Standing)), table.Word(r.Says), table.Word(r.Figures)})
		})
		papers.Rows = append(papers.Rows, []table.Cell{table.Word(s.papers[i].Title), table.Word(string(standing))})
	}
	return []*table.Sheet{claims, papers}
}

// WriteHTML writes the report: a section for each paper with its claim, the figures that the rules of its experiments compare, and
// whether they confirm it.
func (s *Summary) WriteHTML(w io.Writer) error {
	page := &report.Papers{Title: "What the papers claim, and what was measured", Lead: []string{
		fmt.Sprintf("Made by hornbeam bench experiment all within %s. Each sentence is tried by a rule in its experiment's file, which compares two figures. "+
			"Where the time was short, runs had lower limits than the experiment asks for, and not all tasks were tried: a sentence that is confirmed on few tasks is a hint and no more.", s.within)}}
	for i := range s.papers {
		p := &s.papers[i]
		one := report.Paper{Name: "paper-" + p.Name, Title: p.Title, By: p.By, Claim: strings.Join(strings.Fields(p.Claim), " ")}
		one.Standing = coloured(s.judged(p, func(m *Made, r *Judged) {
			switch r.Standing {
			case Confirmed:
				one.Held++
			case NotConfirmed:
				one.Failed++
			default:
				one.Open++
			}
			one.Findings = append(one.Findings, report.Finding{Says: r.Says, Figures: r.Figures, Standing: coloured(r.Standing), Experiment: m.Name})
		}))
		for _, m := range s.made[p.Name] {
			part := report.Part{Name: m.Name, Title: m.Title, Claim: strings.Join(strings.Fields(m.Claim), " "), Standing: coloured(m.Standing()), Facts: m.facts(), Sheets: m.Sheets}
			if m.Folder != "" {
				part.Link = path.Join(m.Folder, "report.html")
			}
			one.Experiments = append(one.Experiments, part)
		}
		page.Papers = append(page.Papers, one)
	}
	return report.WritePapers(w, page)
}

// facts say what was run.
func (m *Made) facts() []string {
	if m.Failure != "" {
		return []string{"not made: " + m.Failure}
	}
	facts := []string{
		fmt.Sprintf("%d of %d tasks tried, %d runs, each with %s", m.Tried, m.Tasks, len(m.Runs), score.DescribeLimits(m.Limits)),
		"hornbeam bench experiment " + m.Name,
	}
	if len(m.Absent) > 0 {
		facts = append(facts, "without the tasks "+strings.Join(m.Absent, ", ")+", which were not there")
	}
	if len(m.Missing) > 0 {
		facts = append(facts, "without "+strings.Join(m.Missing, ", ")+", not installed")
	}
	return facts
}

// coloured is a standing as the page shows it.
func coloured(s Standing) report.Standing {
	return report.Standing{Text: string(s), Class: map[Standing]string{Confirmed: "good", NotConfirmed: "bad", Mixed: "mixed", NotMeasured: "open"}[s]}
}
