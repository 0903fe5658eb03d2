package usage

import (
	"embed"
	"io"
	"io/fs"
	"slices"
	"strings"
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
	p := page{left: 18}
	p.text.WriteString(s.Strong(title) + "\n\n")
	for _, e := range entries {
		p.entry(e[0], e[1])
	}
	return p.write(w)
}
