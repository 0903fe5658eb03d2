package benchexec

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// definition is a benchmark definition, as far as the competition's audit looks at it.
type definition struct {
	XMLName  xml.Name `xml:"benchmark"`
	Tool     string   `xml:"tool,attr"`
	Time     string   `xml:"timelimit,attr"`
	HardTime string   `xml:"hardtimelimit,attr"`
	Memory   string   `xml:"memlimit,attr"`
	Cores    string   `xml:"cpuCores,attr"`
	Options  []struct {
		Name string `xml:"name,attr"`
	} `xml:"option"`
	Runs []struct {
		Name  string `xml:"name,attr"`
		Tasks []struct {
			Name       string   `xml:"name,attr"`
			Sets       []string `xml:"includesfile"`
			Properties []struct {
				Expected string `xml:"expectedverdict,attr"`
				File     string `xml:",chardata"`
			} `xml:"propertyfile"`
		} `xml:"tasks"`
	} `xml:"rundefinition"`
}

func TestDefinitionsHaveTheCompetitionsLimitsTracksAndLabels(t *testing.T) {
	tracks := []string{"LIA-Lin", "LIA", "LIA-Lin-Arrays", "LIA-Arrays", "ADT-LIA", "ADT-LIA-Arrays", "BV", "BV-Lin", "LRA-Lin"}
	for file, expected := range map[string]string{"hornbeam.xml.template": "", "hornbeam-model.xml.template": "true"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var d definition
		require.NoError(t, xml.Unmarshal(text, &d), file)
		require.Equal(t, []string{"hornbeam", "30 min", "30 min", "30 GB", "8"}, []string{d.Tool, d.Time, d.HardTime, d.Memory, d.Cores})
		require.Equal(t, expected == "true", len(d.Options) == 1 && d.Options[0].Name == "--model")
		require.Len(t, d.Runs, 1)
		var names []string
		for _, tasks := range d.Runs[0].Tasks {
			names = append(names, tasks.Name)
			require.Equal(t, []string{"../chc-comp26-benchmarks/" + tasks.Name + ".set"}, tasks.Sets)
			require.Len(t, tasks.Properties, 1)
			require.Equal(t, expected, tasks.Properties[0].Expected)
			require.Equal(t, "../chc-comp26-benchmarks/properties/check-sat.prp", tasks.Properties[0].File)
		}
		require.Equal(t, tracks, names)
	}
	text, err := os.ReadFile("local.xml")
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(text, new(definition)))
}

// The elements of a benchmark definition with those that may stand in them, and with the attributes that they may have; an
// attribute with ! has to be there. This is what BenchExec's document type says.
var elements = map[string]struct{ children, attributes string }{
	"benchmark":     {"rundefinition option propertyfile tasks requiredfiles resultfiles require columns", "tool! displayName timelimit hardtimelimit walltimelimit memlimit cpuCores threads"},
	"rundefinition": {"tasks option propertyfile requiredfiles resultfiles", "name"},
	"tasks":         {"include includesfile exclude excludesfile withoutfile option propertyfile requiredfiles resultfiles", "name"},
	"option":        {"", "name!"},
	"propertyfile":  {"", "expectedverdict"},
	"include":       {"", ""}, "includesfile": {"", ""}, "exclude": {"", ""}, "excludesfile": {"", ""},
}

func TestDefinitionsHaveTheElementsThatBenchExecKnows(t *testing.T) {
	for _, file := range []string{"hornbeam.xml.template", "hornbeam-model.xml.template", "local.xml"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "benchexec/benchmark-2.3.dtd")
		d := xml.NewDecoder(strings.NewReader(string(text)))
		var open []string
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, file)
			switch e := token.(type) {
			case xml.StartElement:
				name := e.Name.Local
				known, ok := elements[name]
				require.True(t, ok, "%s: %s", file, name)
				if len(open) == 0 {
					require.Equal(t, "benchmark", name)
				} else {
					require.Contains(t, strings.Fields(elements[open[len(open)-1]].children), name, file)
				}
				given := map[string]bool{}
				for _, a := range e.Attr {
					given[a.Name.Local] = true
					require.Contains(t, strings.Fields(strings.ReplaceAll(known.attributes, "!", "")), a.Name.Local, "%s: %s", file, name)
				}
				for _, a := range strings.Fields(known.attributes) {
					if required, ok := strings.CutSuffix(a, "!"); ok {
						require.True(t, given[required], "%s: %s needs %s", file, name, required)
					}
				}
				open = append(open, name)
			case xml.EndElement:
				open = open[:len(open)-1]
			case xml.CharData:
				// Text stands in elements that have no others in them.
				if strings.TrimSpace(string(e)) != "" {
					require.Empty(t, elements[open[len(open)-1]].children, "%s: %s", file, e)
				}
			}
		}
	}
}

// standIn is as much of BenchExec's base class for CHC solvers as the module builds on, by what its documentation says: the
// verdict is the last line that is one; the version is what stands behind the prefix.
const standIn = `
import subprocess

class ChcTool:
    REQUIRED_PATHS = []

    def _version_from_tool(self, executable, arg="--version", use_stderr=False, ignore_stderr=False, line_prefix=None):
        done = subprocess.run([executable, arg], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode or done.stderr and not ignore_stderr:
            return ""
        for line in done.stdout.splitlines():
            if line_prefix is None or line.startswith(line_prefix):
                return line[len(line_prefix or ""):].strip()
        return ""

    def determine_result(self, run):
        status = None
        for line in run.output:
            line = line.strip()
            if line in ("sat", "unsat"):
                status = {"sat": "true", "unsat": "false"}[line]
            elif not status and line.startswith("(error "):
                status = "ERROR"
        return status or "unknown"
`

const script = `
import sys
sys.path.insert(0, sys.argv[1])
import importlib.util
spec = importlib.util.spec_from_file_location("hornbeam", sys.argv[2])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
tool = module.Tool()

class Locator:
    def find_executable(self, name):
        assert name == "hornbeam"
        return sys.argv[3]

class Task:
    single_input_file = "a.smt2"

executable = tool.executable(Locator())
print(tool.name(), tool.version(executable))
print(tool.cmdline("hornbeam", ["--model"], Task(), None))
print(tool.REQUIRED_PATHS)

class Run:
    def __init__(self, output):
        self.output = output.splitlines(keepends=True)

for text in ["sat\n(\n  (define-fun inv ((x Int)) Bool (> x 0))\n)\n", "; a comment: unsat\nunsat\n; time 1 s\n", "unknown\n; reason: time\n", "a.smt2:1:2: no such sort\n", ""]:
    print(tool.determine_result(Run(text)))
`

func TestTheToolInfoModuleBuildsTheCommand(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: the tool-info module is not tried")
	}
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	write("benchexec/__init__.py", "", 0o644)
	write("benchexec/tools/__init__.py", "", 0o644)
	write("benchexec/tools/chc.py", standIn, 0o644)
	program := write("hornbeam", "#!/bin/sh\necho hornbeam 1.2.3\n", 0o755)
	out, err := exec.Command(python, "-B", "-c", script, folder, "hornbeam.py", program).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, []string{"Hornbeam 1.2.3", "['hornbeam', 'solve', '--model', 'a.smt2']", "['hornbeam', 'lib']", "true", "false", "unknown", "unknown", "unknown"}, strings.Split(strings.TrimSpace(string(out)), "\n"))
}
