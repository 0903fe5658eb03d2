package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hornbeam/bench/result"
	"hornbeam/bench/task"
)

// ErrMissing is what [Tool.Find] returns for a program that is not on the PATH.
var ErrMissing = errors.New("not installed")

// versionTime is how long a tool may take to say its version; a cold Java machine takes seconds.
const versionTime = 30 * time.Second

// Find looks for the program, and asks it for its version; here is the file of this program, for {hornbeam}. The error is
// [ErrMissing] where there is no such program; a program that does not say its version has none, which is no error.
func (t *Tool) Find(ctx context.Context, here string) error {
	t.here = here
	path, err := exec.LookPath(t.program(t.Command[0]))
	if err != nil {
		return fmt.Errorf("%s: %w: %w", t.Name, ErrMissing, err)
	}
	if t.Path, err = filepath.Abs(path); err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	if t.Binary, err = digest(t.Path); err != nil {
		return fmt.Errorf("%s: read the program: %w", t.Name, err)
	}
	t.Version = ""
	if len(t.VersionCommand) > 0 {
		t.Version = t.askVersion(ctx)
	}
	return ctx.Err()
}

func (t *Tool) program(name string) string {
	if name == "{hornbeam}" {
		return t.here
	}
	return name
}

// digest is the start of the SHA-256 of a file.
func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// askVersion runs the version command. Its exit code means nothing, as several tools have a strange one here.
func (t *Tool) askVersion(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.program(t.VersionCommand[0]), t.VersionCommand[1:]...)
	cmd.WaitDelay = time.Second
	out, _ := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if t.VersionMatch == "" {
			return line
		}
		// The pattern was checked when it was read.
		m := regexp.MustCompile(t.VersionMatch).FindStringSubmatch(line)
		if len(m) > 0 {
			return m[min(1, len(m)-1)]
		}
	}
	return ""
}

// Accepts says whether the task is of a kind that the tool reads, and asks for a property that it decides.
func (t *Tool) Accepts(task *task.Task) bool {
	if !slices.Contains(t.Reads, task.Ext()) {
		return false
	}
	_, decides := t.Properties[task.Property]
	return decides || task.Property == "" || len(t.Properties) == 0
}

// Described are the arguments for the record of a run: what [Tool.Arguments] returns, without the program and without
// anything of where files lie: {file} stands for the inputs, and the property's file has no folder.
func (t *Tool) Described(task *task.Task, limits result.Limits) []string {
	moved := *task
	if moved.PropertyFile != "" {
		moved.PropertyFile = filepath.Base(moved.PropertyFile)
	}
	return t.expand(&moved, limits, []string{"{file}"})
}

// Arguments returns the program's file and the arguments for a task. An argument that holds {file} among other text can
// stand for one input file only; it is an error for a task with several.
func (t *Tool) Arguments(task *task.Task, limits result.Limits) ([]string, error) {
	located := *task
	if located.PropertyFile != "" {
		full, err := filepath.Abs(located.PropertyFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		located.PropertyFile = full
		asked := slices.ContainsFunc(t.arguments(task), func(a string) bool { return strings.Contains(a, "{property}") })
		if _, err := os.Stat(full); err != nil && asked {
			return nil, fmt.Errorf("%s: the property of %s: %w", t.Name, task.Name, err)
		}
	}
	var inputs []string
	for _, input := range task.Inputs {
		full, err := filepath.Abs(input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		inputs = append(inputs, full)
	}
	if len(inputs) > 1 && !slices.Contains(t.arguments(task), "{file}") {
		return nil, fmt.Errorf("%s: its command takes one file, and %s has %d", t.Name, task.Name, len(inputs))
	}
	return append([]string{t.Path}, t.expand(&located, limits, inputs)...), nil
}

// arguments are those for the task's kind, with nothing filled in.
func (t *Tool) arguments(task *task.Task) []string {
	if own, ok := t.Kinds[task.Ext()]; ok {
		return own
	}
	return t.Command[1:]
}

// expand fills in the command's arguments.
func (t *Tool) expand(task *task.Task, limits result.Limits, inputs []string) []string {
	number := func(x float64) string {
		if x <= 0 {
			return ""
		}
		return strconv.FormatInt(int64(math.Ceil(x)), 10)
	}
	values := map[string]string{
		"{data_model}": t.DataModels[task.DataModel], "{property}": task.PropertyFile,
		"{wall}": number(limits.Wall), "{cpu}": number(limits.CPU),
		"{memory}": number(float64(limits.Memory)), "{cores}": number(float64(limits.Cores)),
	}
	var args []string
argument:
	for _, a := range t.arguments(task) {
		switch a {
		case "{file}":
			args = append(args, inputs...)
			continue
		case "{options}":
			args = append(args, t.Options...)
			continue
		case "{checks}":
			args = append(args, t.Properties[task.Property]...)
			continue
		}
		a = strings.ReplaceAll(a, "{file}", inputs[0])
		for _, name := range placeholders {
			if !strings.Contains(a, name) {
				continue
			}
			if values[name] == "" {
				continue argument
			}
			a = strings.ReplaceAll(a, name, values[name])
		}
		args = append(args, a)
	}
	return args
}

// placeholders are the names that may stand anywhere in an argument.
var placeholders = []string{"{data_model}", "{property}", "{wall}", "{cpu}", "{memory}", "{cores}"}
