package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// The numbers of columns that a page has at most, and at least, and below which it puts what it explains on lines of its own.
const (
	width    = 80
	least    = 30
	narrow   = 60
	indented = 6
)

// Style is how pages are shown.
type Style interface {
	// Strong marks a heading.
	Strong(text string) string
	// Width is the number of columns that there are.
	Width() int
}

// newPage is an empty page whose entries are explained from a column on.
func newPage(s Style, left int) page {
	p := page{left: left, width: max(least, min(width, s.Width()))}
	if p.width < narrow {
		p.left = indented
	}
	return p
}

// Program writes the page of the program.
func Program(w io.Writer, s Style, app *cli.App) error {
	p := newPage(s, 14)
	fmt.Fprintf(&p.text, "%s: %s\n\n", app.Name, app.Usage)
	p.text.WriteString("usage: hornbeam FILE                    decide what the file holds\n")
	p.text.WriteString("       hornbeam COMMAND [FLAG...] FILE  say what is to be done with it\n")
	for _, section := range sections {
		fmt.Fprintf(&p.text, "\n%s\n", s.Strong(section))
		for _, c := range app.Commands {
			if c.Category == section && !c.Hidden {
				p.entry(c.Name, c.Usage)
			}
		}
	}
	fmt.Fprintf(&p.text, "\n%s\n", s.Strong("Examples"))
	examples := newPage(s, 36)
	for _, e := range [][2]string{
		{"hornbeam queue.c", "prove a C program, or show a run that fails"},
		{"hornbeam solve --model loop.smt2", "decide Horn clauses and print the model"},
		{"hornbeam verify --proof lock.bpl", "prove a Boogie program and show why"},
		{"hornbeam help verify", "the flags of a command"},
		{"hornbeam help topics", "what else there is to be read"},
	} {
		examples.entry(e[0], e[1])
	}
	p.text.WriteString(examples.text.String())
	return p.write(w)
}

// Command writes the page of a command, whose name is the words that call it.
func Command(w io.Writer, s Style, name string, c *cli.Command) error {
	p := newPage(s, 24)
	p.wrapped(0, "", name+": "+c.Usage)
	p.text.WriteByte('\n')
	arguments := "[FLAG...] " + c.ArgsUsage
	if len(c.Subcommands) > 0 {
		arguments = "COMMAND [FLAG...]"
	}
	p.wrapped(7, "usage: ", strings.TrimSpace(name+" "+arguments))
	if c.Description != "" {
		p.text.WriteByte('\n')
		p.wrapped(0, "", c.Description)
	}
	if len(c.Subcommands) > 0 {
		fmt.Fprintf(&p.text, "\n%s\n", s.Strong("Commands"))
		for _, sub := range c.Subcommands {
			if !sub.Hidden {
				p.entry(sub.Name, sub.Usage)
			}
		}
		fmt.Fprintf(&p.text, "\n%s COMMAND --help has the flags of one.\n", name)
	}
	for _, g := range grouped(c) {
		fmt.Fprintf(&p.text, "\n%s\n", s.Strong(g.title))
		for _, r := range g.rows {
			p.entry(strings.TrimSpace("--"+r.name+" "+r.value), r.sentence())
		}
	}
	if c.Category == Decide {
		p.text.WriteByte('\n')
		p.wrapped(0, "", "hornbeam help options "+c.Name+" has all flags, with all of their sentences.")
	}
	return p.write(w)
}

// rowGroup is a group with its rows.
type rowGroup struct {
	title string
	rows  []row
}

// grouped returns the flags of a command that its page shows. A command that does not decide files shows all.
func grouped(c *cli.Command) []rowGroup {
	var all []row
	for _, f := range c.Flags {
		if r, ok := rowOf(f); ok {
			all = append(all, r)
		}
	}
	if c.Category != Decide {
		if len(all) == 0 {
			return nil
		}
		return []rowGroup{{"Flags", all}}
	}
	var out []rowGroup
	for _, g := range Groups {
		rows := rowGroup{title: g.Title}
		for _, name := range g.Names {
			if i := slices.IndexFunc(all, func(r row) bool { return r.name == name }); i >= 0 {
				rows.rows = append(rows.rows, all[i])
			}
		}
		if len(rows.rows) > 0 {
			out = append(out, rows)
		}
	}
	return out
}

// sentence is the first clause of what a flag does, with its choices and its default.
func (r row) sentence() string {
	text := r.doc
	for _, end := range []string{"; ", ". "} {
		text, _, _ = strings.Cut(text, end)
	}
	if slices.ContainsFunc(r.choices, func(c string) bool { return len(c) > 3 && strings.Contains(text, c) }) {
		r.choices = nil
	}
	return text + r.more()
}

// more is the choices and the default, in brackets.
func (r row) more() string {
	var more []string
	if len(r.choices) > 0 {
		more = append(more, strings.Join(r.choices, ", "))
	}
	if r.standard != "" {
		more = append(more, "default "+r.standard)
	}
	if len(more) == 0 {
		return ""
	}
	return " (" + strings.Join(more, "; ") + ")"
}

// page is text in the making.
type page struct {
	text strings.Builder
	// left is the number of columns of the first part of an entry, width that of a line.
	left, width int
}

// entry writes a line of two columns; the second is wrapped, and begins on a line of its own where the first is long.
func (p *page) entry(first, second string) {
	first = "  " + first
	if n := p.left - utf8.RuneCountInString(first); n >= 2 {
		first += strings.Repeat(" ", n)
	} else {
		first += "\n" + strings.Repeat(" ", p.left)
	}
	p.wrapped(p.left, first, second)
}

// wrapped writes a text behind what begins its first line, with the other lines indented.
func (p *page) wrapped(indent int, first, text string) {
	p.text.WriteString(first)
	column := indent
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > p.width:
			p.text.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			p.text.WriteByte(' ')
			column++
		}
		p.text.WriteString(word)
		column += n
	}
	p.text.WriteByte('\n')
}

func (p *page) write(w io.Writer) error {
	_, err := io.WriteString(w, p.text.String())
	return err
}
