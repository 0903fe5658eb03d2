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

// Words are those that may stand for something that the tables of options do not list.
type Words struct {
	// Values are those of flags, by their names; several of them may stand in a list, separated by commas.
	Values map[string][]string
	// Arguments are those of commands, by their names.
	Arguments map[string][]string
}

// Complete returns what may stand in place of the last of the words behind the program's name, each with a sentence where there is
// one. Nothing stands for names of files.
func Complete(app *cli.App, more Words, words []string) [][2]string {
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
	if within == nil && !strings.HasPrefix(last, "-") {
		for _, c := range commands {
			if !c.Hidden {
				add(c.Name, c.Usage)
			}
		}
	}
	if within == nil {
		return found
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "-") {
		for _, v := range more.values(within, strings.TrimLeft(name, "-"), value) {
			add(name+"="+v, "")
		}
		return found
	}
	if len(before) > 0 && strings.HasPrefix(before[len(before)-1], "-") {
		flag := strings.TrimLeft(before[len(before)-1], "-")
		if valuesTaken(within, flag) {
			for _, v := range more.values(within, flag, last) {
				add(v, "")
			}
			return found
		}
	}
	if strings.HasPrefix(last, "-") {
		for _, f := range within.Flags {
			if r, ok := rowOf(f); ok {
				add("--"+r.name, r.sentence())
			}
		}
		return found
	}
	if len(before) == 0 {
		for _, c := range commands {
			if within.Subcommands != nil && !c.Hidden {
				add(c.Name, c.Usage)
			}
		}
		for _, word := range more.Arguments[within.Name] {
			add(word, "")
		}
	}
	return found
}

// valuesTaken reports whether a flag of a command has a value.
func valuesTaken(c *cli.Command, flag string) bool {
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool {
		r, ok := rowOf(f)
		return ok && r.name == flag && r.value != ""
	})
}

// values are what the value of a flag may go on to, of a list what its last word may.
func (w Words) values(c *cli.Command, flag, begun string) []string {
	list := begun[:strings.LastIndexByte(begun, ',')+1]
	var out []string
	for _, f := range c.Flags {
		r, ok := rowOf(f)
		if !ok || r.name != flag {
			continue
		}
		if len(r.choices) > 0 {
			return r.choices
		}
		for _, v := range w.Values[flag] {
			out = append(out, list+v)
		}
	}
	return out
}
