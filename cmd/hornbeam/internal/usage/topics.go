package usage

import (
	"embed"
	"io"
	"io/fs"
	"slices"
	"strings"

	"hornbeam/engine"
)

//go:embed topics
var topics embed.FS

// Topics are the names of the texts that Topic writes.
func Topics() []string {
	entries, _ := fs.ReadDir(topics, "topics")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return slices.Sorted(slices.Values(names))
}

// Topic writes a text; false stands for one that there is not.
func Topic(w io.Writer, s Style, name string) (bool, error) {
	text, err := topics.ReadFile("topics/" + name + ".txt")
	if err != nil {
		return false, nil
	}
	title, rest, _ := strings.Cut(string(text), "\n")
	_, err = io.WriteString(w, s.Strong(title)+"\n"+rest)
	return true, err
}

// Entries writes a title with lines of two columns, of a name and a sentence each.
func Entries(w io.Writer, s Style, title string, entries [][2]string) error {
	p := newPage(s, 18)
	p.text.WriteString(s.Strong(title) + "\n\n")
	for _, e := range entries {
		p.entry(e[0], e[1])
	}
	return p.write(w)
}

// Options writes a title with the options of a table, each with all of its sentence.
func Options(w io.Writer, s Style, title string, table []engine.Option) error {
	p := newPage(s, 24)
	p.text.WriteString(s.Strong(title) + "\n\n")
	for _, o := range table {
		r := row{choices: o.Choices, standard: o.Default}
		if o.Kind == "bool" && o.Default == "false" {
			r.standard = ""
		}
		first := "--" + o.Name
		if strings.Contains(o.Name, ".") {
			first = o.Name
		}
		if o.Kind != "bool" {
			first += " " + valueOf(o)
		}
		p.entry(first, strings.TrimSuffix(o.Doc, ".")+r.more())
	}
	return p.write(w)
}
