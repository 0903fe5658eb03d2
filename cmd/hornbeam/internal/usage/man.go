package usage

import (
	"fmt"
	"io"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"
)

// Manual writes the manual page: the commands with all of their flags and the topics.
func Manual(w io.Writer, app *cli.App) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%% HORNBEAM 1\n\n# NAME\n\nhornbeam - %s\n\n# SYNOPSIS\n\n**hornbeam** *FILE*\n\n**hornbeam** *COMMAND* [*FLAG*...] *FILE*...\n\n# COMMANDS\n", app.Usage)
	for _, c := range app.Commands {
		manual(&b, "hornbeam", c)
	}
	for _, name := range Topics() {
		text, err := topics.ReadFile("topics/" + name + ".txt")
		if err != nil {
			return fmt.Errorf("the topic %s: %w", name, err)
		}
		title, rest, _ := strings.Cut(string(text), "\n")
		fmt.Fprintf(&b, "\n# %s\n\n```\n%s\n```\n", strings.ToUpper(title), strings.Trim(rest, "\n"))
	}
	_, err := w.Write(md2man.Render([]byte(b.String())))
	return err
}

// manual appends a command, with those inside it.
func manual(b *strings.Builder, within string, c *cli.Command) {
	if c.Hidden {
		return
	}
	name := within + " " + c.Name
	fmt.Fprintf(b, "\n## %s %s\n\n%s.\n", name, escaped(c.ArgsUsage), escaped(c.Usage))
	for _, f := range c.Flags {
		if r, ok := rowOf(f); ok {
			doc := r.doc
			if r.standard != "" {
				doc += " (default " + r.standard + ")"
			}
			fmt.Fprintf(b, "\n**%s**\n: %s\n", escaped(strings.TrimSpace("--"+r.name+" "+r.value)), escaped(doc))
		}
	}
	for _, sub := range c.Subcommands {
		manual(b, name, sub)
	}
}

// escaped is text without the meaning that its marks have in Markdown.
func escaped(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "`", "\\`", "[", `\[`).Replace(text)
}
