// Package doctor looks for the programs that Hornbeam works with, and says what each of them is for.
package doctor

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"time"
)

// Tool is a program that Hornbeam works with. None of them is needed to solve and verify.
type Tool struct {
	// Names are what the program may be called, the usual name first; Arguments make it print its version.
	Names     []string
	Arguments []string
	// For says what Hornbeam uses it for.
	For string
}

// Tools are the programs.
var Tools = []Tool{
	{[]string{"gcc", "cc"}, []string{"--version"}, "verify --harness-run, and #include of system headers in C programs"},
	{[]string{"z3"}, []string{"--version"}, "check --solver z3, and the tool z3 of bench"},
	{[]string{"cvc5"}, []string{"--version"}, "check --solver cvc5"},
	{[]string{"golem"}, []string{"--version"}, "the tool golem of bench"},
	{[]string{"eld"}, nil, "the tool eldarica of bench"},
	{[]string{"dot"}, []string{"-V"}, "drawing what show --format dot prints"},
	{[]string{"chromium", "google-chrome", "firefox"}, []string{"--version"}, "looking at pages of verify --trace html and bench report"},
}

// Found is what was found of a tool.
type Found struct {
	Tool
	// Path is where it is, "" for nowhere; Version the first line that it prints about itself, "" for none.
	Path, Version string
}

// Look looks for the tools along the path.
func Look(ctx context.Context) []Found {
	var all []Found
	for _, t := range Tools {
		f := Found{Tool: t}
		for _, name := range t.Names {
			path, err := exec.LookPath(name)
			if err != nil {
				continue
			}
			f.Path = path
			if len(t.Arguments) > 0 {
				f.Version = version(ctx, path, t.Arguments)
			}
			break
		}
		all = append(all, f)
	}
	return all
}

// version is the first line that a program prints, "" for one that fails or takes more than a moment.
func version(ctx context.Context, path string, arguments []string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var out, complaints bytes.Buffer
	command := exec.CommandContext(ctx, path, arguments...)
	command.Stdout, command.Stderr = &out, &complaints
	if err := command.Run(); err != nil {
		return ""
	}
	// Some programs print it on standard error; others only complain there.
	text := strings.TrimSpace(out.String())
	if text == "" {
		text = strings.TrimSpace(complaints.String())
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}
