// Package table lays out scores and comparisons as tables, and draws them as plain text, Markdown, CSV and JSON.
//
//	sheets := table.Sheets(board, scores, table.Options{Time: score.CPU, Tables: table.Defaults})
//	err := table.Write(w, table.Markdown, sheets)
//
// A [Sheet] is a table before it is drawn: each cell has its value and its words. The HTML report draws the same sheets.
package table

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode"
)

// Sheet is a table before it is drawn.
type Sheet struct {
	// Name is the word by which the sheet is asked for, Title what stands above it.
	Name, Title string
	// Lead are sentences that stand between the title and the table.
	Lead    []string
	Columns []Column
	Rows    [][]Cell
}

// Column is a column of a sheet.
type Column struct {
	// Key heads the column in CSV files, Head where people read.
	Key, Head string
	// Help says what the column means.
	Help string
	// Number columns are set flush right.
	Number bool
	// Spare columns are left out where people read if no row has anything in them but zero.
	Spare bool
	// Alarm columns count what should be zero.
	Alarm bool
}

// Cell is a value with its words.
type Cell struct {
	// Value is a string, an int, a float64 or nil: what stands in a CSV file, and what the cell is sorted by.
	Value any
	// Text is for people.
	Text string
}

// Word is a cell with a text.
func Word(text string) Cell { return Cell{printable(text), printable(text)} }

// Count is a cell with a number.
func Count(n int) Cell { return Cell{n, fmt.Sprint(n)} }

// Nothing is an empty cell.
func Nothing() Cell { return Cell{nil, ""} }

// Seconds is a time with three significant digits at the least, and no more than two behind the point.
func Seconds(s float64) Cell {
	switch {
	case math.IsNaN(s):
		return Nothing()
	case s < 100:
		return Cell{s, fmt.Sprintf("%.2f", s)}
	case s < 1000:
		return Cell{s, fmt.Sprintf("%.1f", s)}
	}
	return Cell{s, fmt.Sprintf("%.0f", s)}
}

func ratio(r float64) Cell { return Cell{r, fmt.Sprintf("%.3g", r)} }

// mebibytes has the bytes as its value.
func mebibytes(b int64) Cell { return Cell{int(b), fmt.Sprintf("%.0f", float64(b)/(1<<20))} }

// printable replaces what would break a line or a terminal: names and messages come from anywhere.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

// shown is the sheet without the spare columns that have nothing to say.
func (s *Sheet) shown() *Sheet {
	keep := make([]bool, len(s.Columns))
	for i, c := range s.Columns {
		keep[i] = !c.Spare
		for _, row := range s.Rows {
			if v := row[i].Value; v != nil && v != 0 && v != "" {
				keep[i] = true
			}
		}
	}
	t := &Sheet{Name: s.Name, Title: s.Title, Lead: s.Lead}
	for i, c := range s.Columns {
		if keep[i] {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, row := range s.Rows {
		var r []Cell
		for i, cell := range row {
			if keep[i] {
				r = append(r, cell)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// Shown are the sheets as people read them: without the spare columns that have nothing to say, and without sheets that
// have neither rows nor lead.
func Shown(sheets []*Sheet) []*Sheet {
	var shown []*Sheet
	for _, s := range sheets {
		if len(s.Rows) > 0 || len(s.Lead) > 0 {
			shown = append(shown, s.shown())
		}
	}
	return shown
}

func orDash(text string) Cell { return Word(cmp.Or(text, "-")) }
