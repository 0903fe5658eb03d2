package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"hornbeam/frontend/smtlib"
)

var update = flag.Bool("update", false, "write what the command prints into the scripts and docs/options.md instead of comparing it")

// binary is the test's program under the command's name: called so, it is the command.
var binary string

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "hornbeam" {
		main()
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hornbeam")
		if err == nil {
			defer os.RemoveAll(dir)
			binary = filepath.Join(dir, "hornbeam")
			err = copySelf(binary)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// copySelf copies the test's program. A symbolic link would not do: a benchmark starts the program that it is itself.
func copySelf(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if os.Link(self, to) == nil {
		return nil
	}
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, from)
	return errors.Join(err, w.Close())
}

// TestScripts runs testdata/script: sessions with the command in a folder of their own, which has the repository's examples
// in examples. Beside testscript's commands they have
//
//	hornbeam ARGS... [<FILE] [>FILE]    the command, which must end with exit code 0
//	exits CODE hornbeam ARGS...         the same with another exit code
//	refused hornbeam ARGS...            the same with exit code 1, no output and one line on standard error
//	verdicts REGEXP hornbeam ARGS...    the same with any exit code and several files; each file's line of output matches
//	json PATH [VALUE]                   the object in the last line of standard output has the value at a/b/0/c, or has the
//	                                    path at all; a/len is the length of a list
//	replace OLD NEW FILE OUT            a copy of the file with the first OLD replaced, which must be there
//	sarif FILE                          the file keeps the schema of SARIF 2.1.0
//	document FILE PATH                  compares standard output with a document of the repository
//
// An argument with * stands for the files that it matches.
func TestScripts(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup:              func(env *testscript.Env) error { return os.Symlink(examples, filepath.Join(env.WorkDir, "examples")) },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"hornbeam": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg {
					ts.Fatalf("usage: exits CODE hornbeam ARGS...")
				}
				expectCode(ts, exitOK, runInScript(ts, args))
			},
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 || args[1] != "hornbeam" {
					ts.Fatalf("usage: exits CODE hornbeam ARGS...")
				}
				code, err := strconv.Atoi(args[0])
				ts.Check(err)
				expectCode(ts, code, runInScript(ts, args[2:]))
			},
			"refused": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 || args[0] != "hornbeam" {
					ts.Fatalf("usage: refused hornbeam ARGS...")
				}
				c := runInScript(ts, args[1:])
				expectCode(ts, exitUsage, c)
				if c.out != "" || strings.Count(c.err, "\n") != 1 || !strings.HasSuffix(c.err, "\n") {
					ts.Fatalf("there is more than one line on standard error")
				}
			},
			"verdicts": verdictsInScript,
			"json":     jsonInScript,
			"replace":  replaceInScript,
			"document": documentInScript,
			"sarif":    sarifInScript,
		},
	})
}

func expectCode(ts *testscript.TestScript, code int, c finished) {
	if c.code != code {
		ts.Fatalf("exit code %d instead of %d", c.code, code)
	}
}

func verdictsInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "hornbeam" {
		ts.Fatalf("usage: verdicts REGEXP hornbeam ARGS...")
	}
	want, err := regexp.Compile("^(" + args[0] + ")$")
	ts.Check(err)
	c := runInScript(ts, args[2:])
	lines := strings.Split(strings.TrimSuffix(c.out, "\n"), "\n")
	if len(lines) != len(c.files) {
		ts.Fatalf("%d lines for %d files", len(lines), len(c.files))
	}
	for i, line := range lines {
		name, word, _ := strings.Cut(line, ": ")
		if len(lines) == 1 {
			name, word = c.files[0], line
		}
		if name != c.files[i] || !want.MatchString(word) {
			ts.Fatalf("%s is %s instead of %s", c.files[i], line, args[0])
		}
	}
}

// finished is a call of the command in a script.
type finished struct {
	code     int
	out, err string
	files    []string
}

// runInScript runs the command as a process in the script's folder and checks that no line of its output passes for another
// verdict than those that the files have.
func runInScript(ts *testscript.TestScript, args []string) finished {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Dir = ts.MkAbs(".")
	// A process under the race detector sleeps a second at its end otherwise.
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", cacheVariable+"="+cmp.Or(ts.Getenv(cacheVariable), "off"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var files []string
	redirected, script := "", ""
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "<"):
			script = ts.ReadFile(a[1:])
			cmd.Stdin = strings.NewReader(script)
		case strings.HasPrefix(a, ">"):
			redirected = ts.MkAbs(a[1:])
		case strings.Contains(a, "*"):
			matches, err := filepath.Glob(ts.MkAbs(a))
			ts.Check(err)
			if len(matches) == 0 {
				ts.Fatalf("no file matches %s", a)
			}
			for _, m := range matches {
				relative, err := filepath.Rel(cmd.Dir, m)
				ts.Check(err)
				files = append(files, relative)
				cmd.Args = append(cmd.Args, relative)
			}
		default:
			cmd.Args = append(cmd.Args, a)
			if info, err := os.Stat(ts.MkAbs(a)); a == "-" || err == nil && info.Mode().IsRegular() {
				files = append(files, a)
				if a != "-" {
					script = ts.ReadFile(a)
				}
			}
		}
	}
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%s", err)
	}
	_, err := ts.Stdout().Write(stdout.Bytes())
	ts.Check(err)
	_, err = ts.Stderr().Write(stderr.Bytes())
	ts.Check(err)
	if redirected != "" {
		ts.Check(os.WriteFile(redirected, stdout.Bytes(), 0o666))
	}
	// Where there is one file, its verdict is the first line; one with several checks has a verdict for each.
	rest, allowed := stdout.String(), len(files)
	if len(files) <= 1 {
		_, rest, _ = strings.Cut(rest, "\n")
		allowed = 0
		if smtlib.IsIncremental([]byte(script)) || slices.Contains(args, "as") {
			allowed = strings.Count(script, "(check-sat")
		}
	}
	if bareVerdicts(rest) > allowed || bareVerdicts(stderr.String()) > 0 {
		ts.Fatalf("a stray verdict")
	}
	if code := cmd.ProcessState.ExitCode(); slices.Contains(args, "--json") && code != exitUsage {
		ts.Check(validJSON(stdout.Bytes()))
	}
	return finished{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), files}
}

// validJSON checks that an output of --json is objects of docs/json.schema.json, one a line, and no more.
func validJSON(output []byte) error {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/json.schema.json")
	if err != nil {
		return err
	}
	if len(output) == 0 {
		return errors.New("there is no object")
	}
	for line := range bytes.Lines(output) {
		object, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			return fmt.Errorf("not alone an object: %q: %w", line, err)
		}
		if err := schema.Validate(object); err != nil {
			return err
		}
	}
	return nil
}

// jsonInScript looks into the object that is the last line of standard output.
func jsonInScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || len(args) > 2 || neg && len(args) > 1 {
		ts.Fatalf("usage: [!] json PATH [VALUE]")
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	var value any
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &value))
	found := true
	for key := range strings.SplitSeq(args[0], "/") {
		switch v := value.(type) {
		case map[string]any:
			value, found = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			switch {
			case key == "len":
				value = len(v)
			case err == nil && i < len(v):
				value = v[i]
			default:
				found = false
			}
		default:
			found = false
		}
		if !found {
			break
		}
	}
	if found == neg {
		ts.Fatalf("%s: found is %v", args[0], found)
	}
	if len(args) == 2 && fmt.Sprint(value) != args[1] {
		ts.Fatalf("%s is %v instead of %s", args[0], value, args[1])
	}
}

func replaceInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: replace OLD NEW FILE OUT")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("%s has no %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(strings.Replace(text, args[0], args[1], 1)), 0o666))
}

func sarifInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sarif FILE")
	}
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	ts.Check(err)
	report, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(schema.Validate(report))
}

func documentInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: document PATH")
	}
	path := filepath.Join("..", "..", filepath.FromSlash(args[0]))
	if *update {
		ts.Check(os.WriteFile(path, []byte(ts.ReadFile("stdout")), 0o666))
	}
	want, err := os.ReadFile(path)
	ts.Check(err)
	if string(want) != ts.ReadFile("stdout") {
		ts.Fatalf("%s differs; go test ./cmd/hornbeam -update writes it", args[0])
	}
}

// hang is how long a test waits for what should take a moment before it gives up.
const hang = 2 * time.Minute

// bareVerdicts counts the lines that are nothing but a verdict on clauses.
func bareVerdicts(text string) int {
	n := 0
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		switch strings.TrimSpace(line) {
		case "sat", "unsat", "unknown":
			n++
		}
	}
	return n
}
