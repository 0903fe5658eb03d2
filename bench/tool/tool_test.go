package tool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/result"
	"hornbeam/bench/task"
)

const some = `
zed:
  command: [prog, -x, "{options}", "--model={data_model}", "-T:{wall}", "--mem", "{memory}", "{property}", "{file}"]
  reads: [smt2, c, bpl]
  arguments: {bpl: [verify, "{options}", "{file}"]}
  version: [prog, --version]
  version_match: 'v(\d+)'
  verdict: {from: stdout, take: last, words: {sat: sat, "no": unsat, "TRUE": "true"}, lines: [{match: '^bug', verdict: unsafe}]}
  exit_codes: {7: reject}
  data_models: {ILP32: "32"}
abc:
  command: ["{hornbeam}", "in={file}"]
  reads: [c]
`

func parse(t *testing.T, text string) *Definitions {
	t.Helper()
	d, err := Parse("tools.yml", []byte(text))
	require.NoError(t, err)
	return d
}

func TestTheToolsThatComeWithTheProgramAreDefined(t *testing.T) {
	text, err := os.ReadFile("../tools.yml")
	require.NoError(t, err)
	require.Equal(t, []string{"hornbeam", "z3", "golem", "eldarica", "cvc5", "cbmc", "boogie", "corral", "bounded"}, parse(t, string(text)).Names())
}

func TestDefinitionsAreReadWhole(t *testing.T) {
	d := parse(t, some)
	require.Equal(t, []string{"zed", "abc"}, d.Names())
	z, err := d.Choose("zed")
	require.NoError(t, err)
	require.Equal(t, Reading{From: "stdout", Take: "last", Words: map[string]result.Verdict{"sat": result.Sat, "no": result.Unsat, "TRUE": result.Safe},
		Lines: []Line{{"^bug", result.Unsafe}}}, z.Verdict)
	require.Equal(t, map[int]result.Verdict{7: result.Reject}, z.ExitCodes)

	d.Add(parse(t, "abc: {command: [other, \"{file}\"], reads: [bpl]}\nnew: {command: [n, \"{file}\"], reads: [c]}\n"))
	require.Equal(t, []string{"zed", "abc", "new"}, d.Names())
	a, err := d.Choose("abc")
	require.NoError(t, err)
	require.Equal(t, "other", a.Command[0])
}

func TestADefinitionThatIsWrongIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"x: [":                        "tools.yml",
		"x:\n":                        "x: no definition",
		"x: {command: [a]}":           "x: the command has no {file}",
		"x: {reads: [c]}":             "x: the command is missing",
		`x: {command: [a, "{file}"]}`: "x: reads is missing",
		`x: {command: [a, "{file}"], reads: [c], arguments: {c: [b]}}`:                                "the arguments for c have no {file}",
		`x: {command: [a, "{file}"], reads: [c], properties: {p: [-q]}}`:                              "the command has no {checks}",
		`x: {command: [a, "{file}"], reads: [c], arguments: {d: ["{file}"]}}`:                         "which it does not read",
		`x: {command: [a, "{file}"], read: [c]}`:                                                      "unknown field",
		`"x y": {command: [a, "{file}"], reads: []}`:                                                  "a name has no space",
		`x: {command: [a, "{file}"], reads: [c], version_match: "("}`:                                 "version_match",
		`x: {command: [a, "{file}"], reads: [c], exit_codes: {1: maybe}}`:                             `"maybe" is no verdict`,
		`x: {command: [a, "{file}"], reads: [c], verdict: {from: paper}}`:                             `"paper" is none of`,
		`x: {command: [a, "{file}"], reads: [c], verdict: {take: second}}`:                            `"second" is none of`,
		`x: {command: [a, "{file}"], reads: [c], verdict: {words: {ok: fine}}}`:                       `"fine" is no verdict`,
		`x: {command: [a, "{file}"], reads: [c], verdict: {lines: [{match: "[", verdict: sat}]}}`:     "missing closing",
		`x: {command: [a, "{file}"], reads: [c], verdict: {lines: [{match: "a", verdict: "great"}]}}`: `"great" is no verdict`,
	} {
		_, err := Parse("tools.yml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestRequestsNameToolsWithOptions(t *testing.T) {
	d := parse(t, some)
	for request, want := range map[string][]string{
		"zed":                          {"zed"},
		"zed -a b":                     {"zed -a b", "-a", "b"},
		"fast=zed -a 'b c' \"d, e\"":   {"fast", "-a", "b c", "d, e"},
		"fast=zed":                     {"fast"},
		"zed:gpdr":                     {"zed:gpdr", "--engine", "gpdr"},
		"zed:gpdr --option x=1":        {"zed:gpdr --option x=1", "--engine", "gpdr", "--option", "x=1"},
		"g=zed:gpdr --passes -inline,": {"g", "--engine", "gpdr", "--passes", "-inline,"},
		"e=zed ''":                     {"e", ""},
	} {
		tool, err := d.Choose(request)
		require.NoError(t, err, request)
		require.Equal(t, want, append([]string{tool.Name}, tool.Options...), request)
	}
	for request, want := range map[string]string{
		"":            "without a name",
		"steam":       `no tool is called "steam"; there are zed, abc`,
		"x=steam":     `no tool is called "steam"`,
		"=zed":        "a name is missing before =",
		"zed 'a":      "nterminated single-quoted string",
		"abc --quick": "takes no options",
	} {
		_, err := d.Choose(request)
		require.ErrorContains(t, err, want, request)
	}
}

func TestArgumentsAreFilledIn(t *testing.T) {
	d := parse(t, some)
	z, err := d.Choose("zed -q '{file}'")
	require.NoError(t, err)
	z.Path = "/bin/prog"
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	horn := &task.Task{Name: "a.smt2", Inputs: []string{"a.smt2"}}
	argv, err := z.Arguments(horn, result.Limits{})
	require.NoError(t, err)
	// Options are words of the user's: nothing in them is filled in.
	require.Equal(t, []string{"/bin/prog", "-x", "-q", "{file}", "--mem", filepath.Join(here, "a.smt2")}, argv)

	reach := filepath.Join(t.TempDir(), "reach.prp")
	require.NoError(t, os.WriteFile(reach, nil, 0o644))
	program := &task.Task{Name: "x.yml", Inputs: []string{"a.c", "b.c"}, DataModel: "ILP32", PropertyFile: reach}
	limits := result.Limits{Wall: 2.5, Memory: 1 << 30}
	argv, err = z.Arguments(program, limits)
	require.NoError(t, err)
	require.Equal(t, []string{"/bin/prog", "-x", "-q", "{file}", "--model=32", "-T:3", "--mem", "1073741824",
		reach, filepath.Join(here, "a.c"), filepath.Join(here, "b.c")}, argv)
	require.Equal(t, []string{"-x", "-q", "{file}", "--model=32", "-T:3", "--mem", "1073741824", "reach.prp", "{file}"}, z.Described(program, limits))
	require.True(t, z.Accepts(horn))
	require.True(t, z.Accepts(program))

	gone := *program
	gone.PropertyFile = "props/gone.prp"
	_, err = z.Arguments(&gone, limits)
	require.ErrorContains(t, err, "the property of x.yml")
	require.ErrorIs(t, err, os.ErrNotExist)

	argv, err = z.Arguments(&task.Task{Inputs: []string{"/x/p.bpl"}, PropertyFile: "props/gone.prp"}, limits)
	require.NoError(t, err)
	require.Equal(t, []string{"/bin/prog", "verify", "-q", "{file}", "/x/p.bpl"}, argv, "arguments for its kind")

	a, err := d.Choose("abc")
	require.NoError(t, err)
	require.False(t, a.Accepts(horn))
	_, err = a.Arguments(program, limits)
	require.ErrorContains(t, err, "takes one file")
	argv, err = a.Arguments(&task.Task{Inputs: []string{"a.c"}}, limits)
	require.NoError(t, err)
	require.Equal(t, "in="+filepath.Join(here, "a.c"), argv[1])
}

func TestAToolIsGivenThePropertiesThatItDecides(t *testing.T) {
	d := parse(t, `
some: {command: [p, "{checks}", "{options}", "{file}"], reads: [c], properties: {unreach-call: [], no-overflow: [--signed, --unsigned]}}
any: {command: [p, "{property}", "{file}"], reads: [c]}
`)
	some, err := d.Choose("some -q")
	require.NoError(t, err)
	of := func(property string) *task.Task { return &task.Task{Inputs: []string{"/a.c"}, Property: property} }
	for property, want := range map[string]bool{"": true, "unreach-call": true, "no-overflow": true, "termination": false} {
		require.Equal(t, want, some.Accepts(of(property)), property)
	}
	require.False(t, some.Accepts(&task.Task{Inputs: []string{"/a.bpl"}, Property: "unreach-call"}))
	argv, err := some.Arguments(of("no-overflow"), result.Limits{})
	require.NoError(t, err)
	require.Equal(t, []string{"--signed", "--unsigned", "-q", "/a.c"}, argv[1:])
	require.Equal(t, []string{"-q", "{file}"}, some.Described(of("unreach-call"), result.Limits{}))
	every, err := d.Choose("any")
	require.NoError(t, err)
	require.True(t, every.Accepts(of("termination")), "it says nothing of properties")
}

func TestTheToolsThatComeWithTheProgramDecideWhatTheyCan(t *testing.T) {
	text, err := os.ReadFile("../tools.yml")
	require.NoError(t, err)
	d := parse(t, string(text))
	for _, test := range []struct {
		input, property string
		want            []string
	}{
		{"/a.smt2", "", []string{"hornbeam", "z3", "golem", "eldarica", "cvc5"}},
		{"/a.smt2", "check-sat", []string{"hornbeam", "z3", "golem", "eldarica", "cvc5"}},
		{"/a.smt2", "termination", nil},
		{"/a.bpl", "", []string{"hornbeam", "boogie", "corral"}},
		{"/a.bpl", "no-overflow", nil},
		{"/a.c", "unreach-call", []string{"hornbeam", "cbmc", "bounded"}},
		{"/a.i", "no-overflow", []string{"cbmc"}},
		{"/a.i", "valid-memsafety", []string{"cbmc"}},
		{"/a.i", "termination", nil},
	} {
		var accept []string
		for _, name := range d.Names() {
			one, err := d.Choose(name)
			require.NoError(t, err)
			if one.Accepts(&task.Task{Inputs: []string{test.input}, Property: test.property}) {
				accept = append(accept, name)
			}
		}
		require.Equal(t, test.want, accept, "%+v", test)
	}
}

func TestHornbeamHasArgumentsForEachKind(t *testing.T) {
	text, err := os.ReadFile("../tools.yml")
	require.NoError(t, err)
	h, err := parse(t, string(text)).Choose("hornbeam:spacer")
	require.NoError(t, err)
	for input, want := range map[string][]string{
		"/a.smt2": {"solve", "--engine", "spacer", "{file}"}, "/a.bpl": {"verify", "--engine", "spacer", "{file}"},
		"/a.c": {"verify", "--32", "--engine", "spacer", "{file}"}, "/a.i": {"verify", "--32", "--engine", "spacer", "{file}"},
	} {
		require.Equal(t, want, h.Described(&task.Task{Inputs: []string{input}, DataModel: "ILP32"}, result.Limits{}), input)
	}
	require.Equal(t, []string{"verify", "--engine", "spacer", "{file}"}, h.Described(&task.Task{Inputs: []string{"/a.c"}}, result.Limits{}))
}

func TestProgramsAreFoundWithTheirVersions(t *testing.T) {
	folder := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
		return path
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
	d := parse(t, some)
	z, err := d.Choose("zed")
	require.NoError(t, err)
	require.ErrorIs(t, z.Find(t.Context(), ""), ErrMissing)

	script("prog", "echo; echo 'prog v12 of today' >&2; exit 3\n")
	require.NoError(t, z.Find(t.Context(), ""))
	require.Equal(t, "12", z.Version)
	require.Equal(t, filepath.Join(folder, "prog"), z.Path)
	first := z.Binary
	require.Len(t, first, 16)
	script("prog", "echo 'nothing of the kind'\n")
	require.NoError(t, z.Find(t.Context(), ""))
	require.Empty(t, z.Version)
	require.NotEqual(t, first, z.Binary, "another program is another binary")

	a, err := d.Choose("abc")
	require.NoError(t, err)
	require.NoError(t, a.Find(t.Context(), script("self", "")))
	require.Equal(t, filepath.Join(folder, "self"), a.Path)
	require.Empty(t, a.Version, "it has no command for it")
}
