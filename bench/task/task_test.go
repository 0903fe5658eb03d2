package task

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/result"
)

// files writes files below a new folder, and returns it.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

// short says what matters of tasks in a line each.
func short(tasks []Task) []string {
	var lines []string
	for _, t := range tasks {
		var inputs []string
		for _, i := range t.Inputs {
			inputs = append(inputs, filepath.Base(i))
		}
		lines = append(lines, strings.Join([]string{t.List, t.Name, strings.Join(inputs, "+"), t.Track, t.Family, t.Property, t.DataModel, string(t.Expected)}, "|"))
	}
	return lines
}

func TestAFolderWithVerdicts(t *testing.T) {
	root := files(t, map[string]string{
		"LIA/verdicts.tsv":    "# file\texpected\tfamily\na__1.smt2\tsat\taeval\n# a comment\tx\nb__2.smt2\tunsat\t\nc.smt2\tunknown\n",
		"LIA/a__1.smt2":       "",
		"LIA/b__2.smt2":       "",
		"LIA/c.smt2":          "",
		"bpl/verdicts.tsv":    "path\texpected\tflags\tsource\nd/x.bpl\treject\t-f\twild\nd/y.bpl\tsafe\t\t\n",
		"bpl/d/x.bpl":         "",
		"bpl/d/y.bpl":         "",
		"svcomp/verdicts.tsv": "path\texpected\tdata_model\tproperty\r\na/z.c\ttrue\tILP32\tunreach-call\r\n",
		"svcomp/a/z.c":        "",
		"notes/readme":        "no tasks",
	})
	want := map[string][]string{
		"LIA":    {"LIA|a__1.smt2|a__1.smt2|LIA|aeval|||sat", "LIA|b__2.smt2|b__2.smt2|LIA|b|||unsat", "LIA|c.smt2|c.smt2|LIA||||unknown"},
		"bpl":    {"bpl|d/x.bpl|x.bpl|bpl|wild|||reject", "bpl|d/y.bpl|y.bpl|bpl|d|||safe"},
		"svcomp": {"svcomp|a/z.c|z.c|svcomp|a|unreach-call|ILP32|safe"},
	}
	var all []string
	for _, track := range []string{"LIA", "bpl", "svcomp"} {
		tasks, err := Load(filepath.Join(root, track))
		require.NoError(t, err)
		require.Equal(t, want[track], short(tasks))
		all = append(all, want[track]...)
	}
	tracks, err := Load(root)
	require.NoError(t, err)
	require.Equal(t, all, short(tracks))
}

func TestAFolderOfFilesAndSingleFiles(t *testing.T) {
	root := files(t, map[string]string{
		"b.smt2": "; models something\n; verdict: unsat\n", "a.smt2": "(set-logic HORN)\n(set-info :status sat)\n",
		"c.bpl": "// verdict: safe\n", "d.c": "// model: ILP32\nint main() {}\n", "e.smt2": "(set-info :status unknown)\n", "notes.md": "; verdict: sat\n",
	})
	list := filepath.Base(root)
	tasks, err := Load(root)
	require.NoError(t, err)
	row := func(name, verdict string) string {
		return strings.Join([]string{list, name, name, list, "", "", "", verdict}, "|")
	}
	want := []string{row("a.smt2", "sat"), row("b.smt2", "unsat"), row("c.bpl", "safe"), strings.Join([]string{list, "d.c", "d.c", list, "", "", "ILP32", ""}, "|"), row("e.smt2", "")}
	require.Equal(t, want, short(tasks))
	one, err := Load(filepath.Join(root, "b.smt2"))
	require.NoError(t, err)
	require.Equal(t, want[1:2], short(one))
	require.Equal(t, "smt2", one[0].Ext())
}

const definitionText = `# a comment
format_version: '2.0'
input_files:
  - 'x.c'
  - 'y_*.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: true
    subproperty: valid-deref
  - property_file: ../properties/coverage-branches.prp
additional_information:
  anything: [1, 2]
options:
  language: C
  data_model: LP64
`

func TestTaskDefinitionsAndSets(t *testing.T) {
	root := files(t, map[string]string{
		"c/loops/x.yml": definitionText, "c/loops/x.c": "1", "c/loops/y_1.c": "2", "c/loops/y_2.c": "3",
		"c/horn/h.yml":  "format_version: 2.0\ninput_files: h.smt2\nproperties:\n- property_file: ../check-sat.prp\n  expected_verdict: false\n- property_file: ../other.prp\n  expected_verdict: true\n",
		"c/horn/h.smt2": "", "c/horn/deep/g.smt2": "; verdict: sat\n", "c/horn/free.yml": "format_version: 2.1\ninput_files: [h.smt2]\n",
		"c/all.set": "# loops\nloops/*.yml\n\n  horn/h.yml\nloops/x.yml\nhorn/**/*.smt2\n",
	})
	one, err := Load(filepath.Join(root, "c", "loops", "x.yml"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"x|x.yml|x.c+y_1.c+y_2.c|x||unreach-call|LP64|unsafe",
		"x|x.yml|x.c+y_1.c+y_2.c|x||valid-memsafety|LP64|safe",
		"x|x.yml|x.c+y_1.c+y_2.c|x||coverage-branches|LP64|",
	}, short(one))
	require.Equal(t, filepath.Join(root, "c", "properties", "unreach-call.prp"), one[0].PropertyFile)

	free, err := Load(filepath.Join(root, "c", "horn", "free.yml"))
	require.NoError(t, err)
	require.Equal(t, []string{"free|free.yml|h.smt2|free||||"}, short(free))

	set, err := Load(filepath.Join(root, "c", "all.set"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"all|loops/x.yml|x.c+y_1.c+y_2.c|all|loops|unreach-call|LP64|unsafe",
		"all|loops/x.yml|x.c+y_1.c+y_2.c|all|loops|valid-memsafety|LP64|safe",
		"all|loops/x.yml|x.c+y_1.c+y_2.c|all|loops|coverage-branches|LP64|",
		"all|horn/h.yml|h.smt2|all|horn|check-sat||unsat",
		"all|horn/h.yml|h.smt2|all|horn|other||sat",
		"all|horn/deep/g.smt2|g.smt2|all|horn|||sat",
		"all|horn/h.smt2|h.smt2|all|horn|||",
	}, short(set))
}

func TestAListThatIsWrongIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		texts map[string]string
		want  string
	}{
		"verdicts.tsv": {map[string]string{"verdicts.tsv": "a.smt2\tperhaps\n", "a.smt2": ""}, `verdicts.tsv:1: "perhaps" is no verdict`},
		"x.set":        {map[string]string{"x.set": "*.smt2\n"}, "x.set:1: "},
		"y.set":        {map[string]string{"y.set": "\nmissing.yml\n"}, "y.set:2: "},
		"z.yml":        {map[string]string{"z.yml": "format_version: 3\ninput_files: a\n"}, "format_version"},
		"v.yml":        {map[string]string{"v.yml": "format_version: 2.0\n"}, "no input_files"},
		"w.yml":        {map[string]string{"w.yml": "format_version: [\n"}, "w.yml:1:17: no task definition"},
		"u.yml":        {map[string]string{"u.yml": "format_version: 2.0\ninput_files: a.c\nproperties: [{expected_verdict: true}]\n", "a.c": ""}, "property_file"},
		"t.yml":        {map[string]string{"t.yml": "format_version: 2.0\ninput_files: gone.c\n"}, "gone.c"},
		"b.smt2":       {map[string]string{"b.smt2": "; verdict: nice\n"}, `"nice" is no verdict`},
		"empty":        {map[string]string{"empty/readme": ""}, "no tasks"},
		"nowhere":      {nil, "nowhere"},
	} {
		root := files(t, test.texts)
		path := filepath.Join(root, name)
		if name == "verdicts.tsv" {
			path = root
		}
		_, err := Load(path)
		require.ErrorContains(t, err, test.want, name)
	}
	for text, want := range map[string]string{
		"gone.smt2\tsat\n":       "gone.smt2",
		"../x.smt2\tsat\n":       "no path within",
		"file\tverdict\n":        "expected",
		"# file\tname\tfamily\n": "expected",
	} {
		_, err := Load(files(t, map[string]string{"verdicts.tsv": text}))
		require.ErrorContains(t, err, want)
	}
}

func TestListsAreFoundAtAnyDepth(t *testing.T) {
	root := files(t, map[string]string{
		"bpl/verdicts.tsv": "path\texpected\tflags\tsource\nx/a.bpl\tsafe\t-x\tboogie\n", "bpl/x/a.bpl": "",
		"c/one/verdicts.tsv": "path\texpected\tdata_model\nb.c\tunsafe\tILP32\n", "c/one/b.c": "",
		"c/two/verdicts.tsv": "path\texpected\tproperty\tflags\nd/c.c\tsafe\tmemory-safety\t--unroll=2\n", "c/two/d/c.c": "",
		// What lies in a list's folder is the list's.
		"c/two/d/verdicts.tsv": "c.c\tunsafe\n", "other/e.smt2": "",
	})
	tasks, err := Load(root)
	require.NoError(t, err)
	require.Equal(t, []string{
		"bpl|x/a.bpl|a.bpl|bpl|boogie|||safe", "one|b.c|b.c|one|||ILP32|unsafe", "two|d/c.c|c.c|two|d|memory-safety||safe",
	}, short(tasks))
	_, err = Load(filepath.Join(root, "other"))
	require.NoError(t, err)
}

func TestTwoListsWithOneNameAreTold(t *testing.T) {
	root := files(t, map[string]string{
		"a/L/verdicts.tsv": "x.smt2\tsat\n", "a/L/x.smt2": "", "b/L/verdicts.tsv": "x.smt2\tsat\n", "b/L/x.smt2": "",
	})
	_, err := LoadAll(filepath.Join(root, "a", "L"), filepath.Join(root, "b", "L"))
	require.ErrorContains(t, err, "two lists are called L")
	twice, err := LoadAll(filepath.Join(root, "a", "L"), filepath.Join(root, "a"))
	require.NoError(t, err)
	require.Len(t, twice, 1)
}

func TestFilters(t *testing.T) {
	tasks := []Task{
		{List: "A", Track: "A", Name: "f/x1.smt2", Family: "f", Expected: result.Sat},
		{List: "A", Track: "A", Name: "f/y.smt2", Family: "f", Expected: result.Unsat},
		{List: "B", Track: "B", Name: "g/x2.c", Family: "g", Expected: result.Safe, Property: "p"},
		{List: "B", Track: "B", Name: "x/z.c", Family: "x"},
	}
	for _, test := range []struct {
		filter Filter
		want   []int
	}{
		{Filter{}, []int{0, 1, 2, 3}},
		{Filter{Names: []string{"x"}}, []int{0, 2, 3}},
		{Filter{Names: []string{"x*"}}, []int{0, 2}},
		{Filter{Names: []string{"*/z.?", "y.smt2"}}, []int{1, 3}},
		{Filter{Tracks: []string{"B"}}, []int{2, 3}},
		{Filter{Families: []string{"f", "x"}}, []int{0, 1, 3}},
		{Filter{Verdicts: []result.Verdict{result.Sat}}, []int{0, 2}},
		{Filter{Verdicts: []result.Verdict{result.None, result.Unsafe}}, []int{1, 3}},
		{Filter{Properties: []string{"p"}}, []int{2}},
		{Filter{Tracks: []string{"A"}, Verdicts: []result.Verdict{result.Unsat}}, []int{1}},
		{Filter{Sample: 9}, []int{0, 1, 2, 3}},
	} {
		got, err := test.filter.Apply(tasks)
		require.NoError(t, err)
		var want []Task
		for _, i := range test.want {
			want = append(want, tasks[i])
		}
		require.Equal(t, want, got, "%+v", test.filter)
	}
	_, err := Filter{Names: []string{"[a"}}.Apply(tasks)
	require.Error(t, err)
}

func TestASampleDependsOnSeedAndNamesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "tasks")
		tasks := make([]Task, n)
		for i := range tasks {
			tasks[i] = Task{List: "l", Name: fmt.Sprint(i)}
		}
		f := Filter{Sample: rapid.IntRange(1, n).Draw(t, "sample"), Seed: rapid.Int64Range(0, 5).Draw(t, "seed")}
		sample, err := f.Apply(tasks)
		require.NoError(t, err)
		require.Len(t, sample, f.Sample)
		in := map[string]bool{}
		last := -1
		for _, s := range sample {
			var index int
			_, err := fmt.Sscan(s.Name, &index)
			require.NoError(t, err)
			require.Greater(t, index, last, "the order of the list is kept")
			last = index
			in[s.Name] = true
		}
		// A task more takes the place of one at most.
		more, err := f.Apply(append(tasks, Task{List: "l", Name: "new"}))
		require.NoError(t, err)
		others := 0
		for _, s := range more {
			if !in[s.Name] {
				others++
			}
		}
		require.LessOrEqual(t, others, 1)
	})
	tasks := make([]Task, 40)
	for i := range tasks {
		tasks[i] = Task{List: "l", Name: fmt.Sprint(i)}
	}
	a, err := Filter{Sample: 10, Seed: 1}.Apply(tasks)
	require.NoError(t, err)
	b, err := Filter{Sample: 10, Seed: 2}.Apply(tasks)
	require.NoError(t, err)
	require.NotEqual(t, a, b)
}

func TestADigestIsOfTheContents(t *testing.T) {
	root := files(t, map[string]string{"a.smt2": "x", "b.smt2": "x", "c.smt2": "y"})
	var digests []string
	for _, name := range []string{"a.smt2", "b.smt2", "c.smt2"} {
		d, err := (&Task{Inputs: []string{filepath.Join(root, name)}}).Digest()
		require.NoError(t, err)
		digests = append(digests, d)
	}
	require.Equal(t, digests[0], digests[1])
	require.NotEqual(t, digests[0], digests[2])
	_, err := (&Task{Inputs: []string{filepath.Join(root, "d")}}).Digest()
	require.Error(t, err)
}
