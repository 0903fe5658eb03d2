package benchexec

import (
	"encoding/xml"
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

// standIn is as much of BenchExec's base class for CHC solvers as the module builds on.
const standIn = `
import subprocess

class ChcTool:
    def _version_from_tool(self, executable, arg="--version", line_prefix=None):
        line = subprocess.run([executable, arg], capture_output=True, text=True).stdout.strip()
        assert line.startswith(line_prefix), line
        return line[len(line_prefix):].strip()
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
	require.Equal(t, []string{"Hornbeam 1.2.3", "['hornbeam', 'solve', '--model', 'a.smt2']", "['hornbeam', 'lib']"}, strings.Split(strings.TrimSpace(string(out)), "\n"))
}
