package usage

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// Nearest returns the name that a word was meant to be, "" where none is near it.
func Nearest(names []string, word string) string {
	// The similarity is that of urfave/cli: Jaro and Winkler's, from 0 to 1, with a bonus for common beginnings.
	const boost, prefix, least = 0.7, 4, 0.85
	nearest, best := "", least
	for _, n := range names {
		if s := smetrics.JaroWinkler(strings.TrimLeft(n, "-"), strings.TrimLeft(word, "-"), boost, prefix); s > best {
			nearest, best = n, s
		}
	}
	return nearest
}

//go:embed shells
var shells embed.FS

// Shells are those that Completion knows.
var Shells = []string{"bash", "zsh", "fish"}

// Completion writes the script with which a shell asks the hidden command complete.
func Completion(w io.Writer, shell string) error {
	script, err := shells.ReadFile("shells/" + shell)
	if err != nil {
		return fmt.Errorf("the script of %s: %w", shell, err)
	}
	_, err = w.Write(script)
	return err
}

// Complete returns what may stand in place of the last of the words behind the program's name, each with a sentence where there is
// one. Nothing stands for names of files.
func Complete(app *cli.App, words []string) [][2]string {
	if len(words) == 0 {
		return nil
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	commands, within := app.Commands, (*cli.Command)(nil)
	for len(before) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(before[0]) })
		if i < 0 {
			break
		}
		within, commands, before = commands[i], commands[i].Subcommands, before[1:]
	}
	var found [][2]string
	add := func(name, doc string) {
		if strings.HasPrefix(name, last) {
			found = append(found, [2]string{name, doc})
		}
	}
	if !strings.HasPrefix(last, "-") && len(before) == 0 {
		for _, c := range commands {
			if !c.Hidden {
				add(c.Name, c.Usage)
			}
		}
	}
	if within == nil {
		return found
	}
	flag := ""
	if len(before) > 0 {
		flag = strings.TrimLeft(before[len(before)-1], "-")
	}
	for _, f := range within.Flags {
		r, ok := rowOf(f)
		if !ok {
			continue
		}
		if r.name == flag && r.value != "" {
			found = nil
			for _, c := range r.choices {
				add(c, "")
			}
			return found
		}
		if strings.HasPrefix(last, "-") {
			add("--"+r.name, r.sentence())
		}
	}
	return found
}
