package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// Format is a way to draw sheets.
type Format string

// The formats. JSON is not drawn from sheets: see [WriteJSON].
const (
	Text     Format = "text"
	Markdown Format = "markdown"
	CSV      Format = "csv"
	JSON     Format = "json"
)

// Write draws the sheets as text, Markdown or CSV. A CSV file has all sheets' rows under the head of the first, so that
// sheets of different columns can't be written together; its numbers are not rounded, and memory is in bytes.
func Write(w io.Writer, format Format, sheets []*Sheet) error {
	switch format {
	case CSV:
		return writeCSV(w, sheets)
	case Text, Markdown:
	default:
		return fmt.Errorf("draw tables: no format is called %q", format)
	}
	var b strings.Builder
	for i, s := range Shown(sheets) {
		if i > 0 {
			b.WriteString("\n")
		}
		draw(&b, format, s)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write tables: %w", err)
	}
	return nil
}

func draw(b *strings.Builder, format Format, s *Sheet) {
	if format == Markdown {
		fmt.Fprintf(b, "## %s\n\n", markdown(s.Title))
	} else {
		fmt.Fprintf(b, "%s\n", printable(s.Title))
	}
	for _, line := range s.Lead {
		if format == Markdown {
			fmt.Fprintf(b, "%s\n\n", markdown(line))
		} else {
			fmt.Fprintf(b, "%s\n", printable(line))
		}
	}
	if len(s.Rows) == 0 {
		return
	}
	t := pretty.NewWriter()
	style := pretty.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options = pretty.Options{SeparateHeader: true, SeparateColumns: false}
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	var head pretty.Row
	var columns []pretty.ColumnConfig
	for i, c := range s.Columns {
		head = append(head, c.Head)
		align := text.AlignLeft
		if c.Number {
			align = text.AlignRight
		}
		columns = append(columns, pretty.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	t.AppendHeader(head)
	t.SetColumnConfigs(columns)
	group := ""
	for i, row := range s.Rows {
		var r pretty.Row
		for _, cell := range row {
			if format == Markdown {
				r = append(r, markdown(cell.Text))
			} else {
				r = append(r, cell.Text)
			}
		}
		// Groups of the summaries' tables are told apart by a line.
		if g := row[0].Text; format == Text && slices.Contains([]string{Summary, Families, Ratios}, s.Name) && g != group {
			if i > 0 {
				t.AppendSeparator()
			}
			group = g
		}
		t.AppendRow(r)
	}
	if format == Markdown {
		b.WriteString(t.RenderMarkdown())
	} else {
		b.WriteString(t.Render())
	}
	b.WriteString("\n")
}

// markdown keeps a sentence from being read as markup.
func markdown(line string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "<", "&lt;", "[", "\\[").Replace(printable(line))
}

func writeCSV(w io.Writer, sheets []*Sheet) error {
	out := csv.NewWriter(w)
	for i, s := range sheets {
		var head []string
		for _, c := range s.Columns {
			head = append(head, c.Key)
		}
		if i == 0 {
			out.Write(head)
		}
		for _, row := range s.Rows {
			var fields []string
			for _, cell := range row {
				fields = append(fields, field(cell.Value))
			}
			out.Write(fields)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write tables: %w", err)
	}
	return nil
}

func field(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// taskJSON is a task of a board in a JSON file.
type taskJSON struct {
	List     string         `json:"list,omitempty"`
	Task     string         `json:"task"`
	Property string         `json:"property,omitempty"`
	Track    string         `json:"track,omitempty"`
	Family   string         `json:"family,omitempty"`
	Expected result.Verdict `json:"expected,omitempty"`
	// Cells are in the order of the tools; null where a tool was not run.
	Cells []*score.Cell `json:"cells"`
}

// WriteJSON writes the scores, and with tasks every cell of the board.
func WriteJSON(w io.Writer, b *score.Board, s *score.Scores, tasks bool) error {
	var list []taskJSON
	if tasks {
		for _, t := range b.Tasks {
			list = append(list, taskJSON{t.List, t.Task, t.Property, t.Track, t.Family, t.Expected, t.Cells})
		}
	}
	return writeJSON(w, struct {
		*score.Scores
		Tasks []taskJSON `json:"tasks,omitempty"`
	}{s, list})
}

// WriteDiffJSON writes a comparison.
func WriteDiffJSON(w io.Writer, d *score.Diff) error { return writeJSON(w, d) }

func writeJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(v); err != nil {
		return fmt.Errorf("write scores as JSON: %w", err)
	}
	return nil
}
