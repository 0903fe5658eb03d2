package table

import (
	"fmt"
	"strings"

	"hornbeam/bench/score"
)

// DiffSheets lays out a comparison: a sheet for each tool, with what changed.
func DiffSheets(d *score.Diff) []*Sheet {
	var sheets []*Sheet
	for i, t := range d.Tools {
		s := &Sheet{Name: "diff", Title: t.New, Columns: []Column{
			{Key: "tool", Head: "tool", Spare: true},
			{Key: "change", Head: "change"}, {Key: "track", Head: "track"}, {Key: "family", Head: "family", Spare: true}, {Key: "task", Head: "task"},
			{Key: "property", Head: "property", Spare: true}, {Key: "expected", Head: "expected"},
			{Key: "old", Head: "old"}, {Key: "old_" + string(d.Noise.By), Head: fmt.Sprintf("%s, s", d.Noise.By), Number: true},
			{Key: "new", Head: "new"}, {Key: "new_" + string(d.Noise.By), Head: fmt.Sprintf("%s, s", d.Noise.By), Number: true},
		}}
		if t.Old != t.New {
			s.Title = t.Old + " → " + t.New
		}
		if i == 0 {
			s.Lead = append(s.Lead, d.Notes...)
		}
		s.Lead = append(s.Lead, sentence(&t, d.Noise))
		for _, c := range t.Changes {
			row := []Cell{Nothing(), Word(string(c.Kind)), Word(c.Track), Word(c.Family), Word(c.Task), Word(c.Property), orDash(string(c.Expected))}
			if len(d.Tools) > 1 {
				row[0] = Word(t.New)
			}
			for _, cell := range []*score.Cell{c.Old, c.New} {
				if cell == nil {
					row = append(row, Word("not run"), Nothing())
					continue
				}
				row = append(row, Word(Describe(cell)), Seconds(cell.Seconds(d.Noise.By)))
			}
			s.Rows = append(s.Rows, row)
		}
		sheets = append(sheets, s)
	}
	return sheets
}

// sentence is the comparison of a tool in a line.
func sentence(t *score.ToolDiff, noise score.Noise) string {
	var counts []string
	for _, kind := range score.ChangeKinds {
		if n := len(t.Of(kind)); n > 0 || kind != score.Missing {
			counts = append(counts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	text := fmt.Sprintf("%d tasks run in both, %d solved before and %d now: %s.", t.Common, t.OldSolved, t.NewSolved, strings.Join(counts, ", "))
	if t.OnlyOld+t.OnlyNew > 0 {
		text += fmt.Sprintf(" %d tasks run only before, %d only now.", t.OnlyOld, t.OnlyNew)
	}
	if r := t.Ratio; r != nil {
		text += fmt.Sprintf(" CPU time new/old: median %.3g, quartiles %.3g and %.3g, over %d tasks.", r.Median, r.Q1, r.Q3, r.Tasks)
	}
	return text + fmt.Sprintf(" Faster and slower: %s time by more than a factor of %g and %g s.", noise.By, noise.Factor, noise.Seconds)
}
