package tool

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/kballard/go-shellquote"

	"hornbeam/bench/result"
)

// Tool is a command that decides tasks.
type Tool struct {
	// Name is what results call it.
	Name string `yaml:"-"`
	// Command is the program with its arguments; tools.yml says what stands for what in braces.
	Command []string `yaml:"command"`
	// Kinds take the place of the command's arguments for tasks of some kinds, by the endings of their files.
	Kinds map[string][]string `yaml:"arguments"`
	// Reads are the endings of the files that it reads, without dots.
	Reads []string `yaml:"reads"`
	// Properties are the properties that it decides, each with the arguments that {checks} stands for; where there are none,
	// it decides whatever it is given.
	Properties map[string][]string `yaml:"properties"`
	// VersionCommand prints the version on its first line that is not empty; VersionMatch is a pattern whose first group, or
	// whose whole where it has none, is the version. Without a command the version is empty.
	VersionCommand []string `yaml:"version"`
	VersionMatch   string   `yaml:"version_match"`
	Verdict        Reading  `yaml:"verdict"`
	// ExitCodes give the verdict where no line does.
	ExitCodes map[int]result.Verdict `yaml:"exit_codes"`
	// DataModels are the arguments for a program's data model.
	DataModels map[string]string `yaml:"data_models"`

	// Options are what {options} stands for.
	Options []string `yaml:"-"`

	// Path is the program's file, Version what it says of itself and Binary the start of its file's SHA-256; Find sets them.
	Path, Version, Binary string `yaml:"-"`
	// here is this program's own file.
	here string
}

// Reading says how a verdict is read from lines of output. It goes to the supervising process as JSON.
type Reading struct {
	// From is stdout, stderr or both; empty is both.
	From string `yaml:"from" json:"from,omitempty"`
	// Take is first or last; empty is first.
	Take string `yaml:"take" json:"take,omitempty"`
	// Words are lines that say a verdict by being this word, whatever its case and the space around it.
	Words map[string]result.Verdict `yaml:"words" json:"words,omitempty"`
	// Lines are patterns that are looked for in each line, in their order.
	Lines []Line `yaml:"lines" json:"lines,omitempty"`
}

// Line is a pattern for lines and what they say.
type Line struct {
	Match   string         `yaml:"match" json:"match"`
	Verdict result.Verdict `yaml:"verdict" json:"verdict"`
}

// Definitions are tools by name, in the order in which they were defined.
type Definitions struct {
	names []string
	tools map[string]*Tool
}

// Parse reads definitions; name stands for the text in errors. A key that means nothing is an error.
func Parse(name string, text []byte) (*Definitions, error) {
	var order yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &order, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("read the tools in %s: %w", name, err)
	}
	tools := map[string]*Tool{}
	if err := yaml.UnmarshalWithOptions(text, &tools, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read the tools in %s: %w", name, err)
	}
	d := &Definitions{tools: tools}
	for _, item := range order {
		n, ok := item.Key.(string)
		t := tools[n]
		if !ok || t == nil {
			return nil, fmt.Errorf("read the tools in %s: %v: no definition", name, item.Key)
		}
		t.Name = n
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("read the tools in %s: %s: %w", name, n, err)
		}
		d.names = append(d.names, n)
	}
	return d, nil
}

func (t *Tool) check() error {
	if strings.ContainsAny(t.Name, "= \t\n") || t.Name == "" {
		return errors.New("a name has no space and no =")
	}
	if len(t.Command) == 0 {
		return errors.New("the command is missing")
	}
	file := func(a string) bool { return strings.Contains(a, "{file}") }
	if !slices.ContainsFunc(t.Command, file) {
		return errors.New("the command has no {file}")
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Kinds)) {
		if !slices.ContainsFunc(t.Kinds[kind], file) {
			return fmt.Errorf("the arguments for %s have no {file}", kind)
		}
		if !slices.Contains(t.Reads, kind) {
			return fmt.Errorf("there are arguments for %s, which it does not read", kind)
		}
	}
	whole := func(a string) bool { return a == "{checks}" }
	for _, name := range slices.Sorted(maps.Keys(t.Properties)) {
		if len(t.Properties[name]) > 0 && !slices.ContainsFunc(t.Command, whole) {
			return fmt.Errorf("there are arguments for the property %s, and the command has no {checks}", name)
		}
	}
	if len(t.Reads) == 0 {
		return errors.New("reads is missing: the endings of the files that it reads")
	}
	if _, err := regexp.Compile(t.VersionMatch); err != nil {
		return fmt.Errorf("version_match: %w", err)
	}
	for _, code := range slices.Sorted(maps.Keys(t.ExitCodes)) {
		v, ok := result.ParseVerdict(string(t.ExitCodes[code]))
		if !ok {
			return fmt.Errorf("exit_codes: %d: %q is no verdict", code, t.ExitCodes[code])
		}
		t.ExitCodes[code] = v
	}
	return t.Verdict.check()
}

func (r *Reading) check() error {
	if !slices.Contains([]string{"", "both", "stdout", "stderr"}, r.From) {
		return fmt.Errorf("verdict: from: %q is none of stdout, stderr and both", r.From)
	}
	if !slices.Contains([]string{"", "first", "last"}, r.Take) {
		return fmt.Errorf("verdict: take: %q is none of first and last", r.Take)
	}
	for _, w := range slices.Sorted(maps.Keys(r.Words)) {
		v, ok := result.ParseVerdict(string(r.Words[w]))
		if !ok {
			return fmt.Errorf("verdict: words: %s: %q is no verdict", w, r.Words[w])
		}
		r.Words[w] = v
	}
	for i, l := range r.Lines {
		if _, err := regexp.Compile(l.Match); err != nil {
			return fmt.Errorf("verdict: lines: %w", err)
		}
		v, ok := result.ParseVerdict(string(l.Verdict))
		if !ok {
			return fmt.Errorf("verdict: lines: %q is no verdict", l.Verdict)
		}
		r.Lines[i].Verdict = v
	}
	return nil
}

// Names are the tools' names, in the order of their definitions.
func (d *Definitions) Names() []string { return slices.Clone(d.names) }

// Add adds the other's definitions; those with a name that is there already replace what was there.
func (d *Definitions) Add(other *Definitions) {
	for _, n := range other.names {
		if d.tools[n] == nil {
			d.names = append(d.names, n)
		}
		d.tools[n] = other.tools[n]
	}
}

// Choose returns the tool that a word of a command line asks for: NAME, NAME OPTIONS…, or LABEL=NAME OPTIONS…, where the
// results then call it LABEL. Options are words as a POSIX shell reads them: quotes keep spaces together. NAME:ENGINE is short for
// NAME:ENGINE=NAME --engine ENGINE.
func (d *Definitions) Choose(request string) (*Tool, error) {
	words, err := shellquote.Split(request)
	if err != nil {
		return nil, fmt.Errorf("the tool %q: %w", request, err)
	}
	if len(words) == 0 {
		return nil, errors.New("a tool without a name")
	}
	label, name, labelled := strings.Cut(words[0], "=")
	if !labelled {
		name = label
	}
	options := words[1:]
	base, engine, short := strings.Cut(name, ":")
	if short {
		name, options = base, append([]string{"--engine", engine}, options...)
	}
	defined := d.tools[name]
	if defined == nil {
		return nil, fmt.Errorf("no tool is called %q; there are %s", name, strings.Join(d.names, ", "))
	}
	if label == "" {
		return nil, fmt.Errorf("the tool %q: a name is missing before =", request)
	}
	if !labelled && len(words) > 1 {
		label = strings.Join(words, " ")
	}
	t := *defined
	t.Name = label
	t.Options = options
	if len(options) > 0 && !slices.Contains(t.Command, "{options}") {
		return nil, fmt.Errorf("the tool %q takes no options: its command has no {options}", name)
	}
	return &t, nil
}
