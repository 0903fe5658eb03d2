package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// data is what the page's script reads.
type data struct {
	Tools []string   `json:"tools"`
	Time  score.Time `json:"time"`
	Tasks []taskData `json:"tasks"`
	// Texts are the outputs, each once however many runs printed it.
	Texts []string `json:"texts"`
}

type taskData struct {
	List     string `json:"list"`
	Track    string `json:"track"`
	Family   string `json:"family"`
	Name     string `json:"name"`
	Property string `json:"property,omitempty"`
	Expected string `json:"expected"`
	Disputed bool   `json:"disputed,omitempty"`
	// Cells are in the order of the tools; null where a tool was not run.
	Cells []*cellData `json:"cells"`
}

type cellData struct {
	Outcome score.Outcome `json:"outcome"`
	// Says is the outcome in words.
	Says     string    `json:"says"`
	Seconds  float64   `json:"seconds"`
	Unsteady bool      `json:"unsteady,omitempty"`
	Runs     []runData `json:"runs"`
}

type runData struct {
	Repeat  int           `json:"repeat"`
	Verdict string        `json:"verdict"`
	Status  result.Status `json:"status"`
	Detail  string        `json:"detail,omitempty"`
	Exit    int           `json:"exit"`
	Wall    float64       `json:"wall"`
	CPU     float64       `json:"cpu"`
	Memory  int64         `json:"memory"`
	Command string        `json:"command"`
	// Stdout and Stderr are places in the texts, -1 where nothing was written or kept; Missing says why there is none.
	Stdout  int    `json:"stdout"`
	Stderr  int    `json:"stderr"`
	Missing string `json:"missing,omitempty"`
}

// collector gathers the data and keeps its size in bounds.
type collector struct {
	each, total int
	texts       []string
	at          map[string]int
	used        int
}

// collect makes the page's data. folder is where a run's files of outputs lie.
func collect(b *score.Board, folder func(*result.Run) string, o Options) data {
	c := &collector{each: o.OutputBytes, total: o.TotalBytes, at: map[string]int{}}
	d := data{Time: o.Time, Tools: []string{}, Tasks: []taskData{}}
	for _, t := range b.Tools {
		d.Tools = append(d.Tools, t.Label)
	}
	disputed := map[result.Subject]bool{}
	for _, f := range b.Disagreements() {
		disputed[result.Subject{List: f.List, Task: f.Task, Property: f.Property}] = true
	}
	for _, t := range b.Tasks {
		task := taskData{t.List, t.Track, t.Family, t.Task, t.Property, string(t.Expected), disputed[t.Subject], []*cellData{}}
		for _, cell := range t.Cells {
			if cell == nil {
				task.Cells = append(task.Cells, nil)
				continue
			}
			k := &cellData{Outcome: cell.Outcome, Says: table.Describe(cell), Seconds: cell.Seconds(o.Time), Unsteady: cell.Unsteady}
			for _, r := range cell.Runs {
				k.Runs = append(k.Runs, c.run(r, folder(r)))
			}
			task.Cells = append(task.Cells, k)
		}
		d.Tasks = append(d.Tasks, task)
	}
	d.Texts = append([]string{}, c.texts...)
	return d
}

func (c *collector) run(r *result.Run, folder string) runData {
	d := runData{
		Repeat: r.Repeat, Verdict: string(r.Verdict), Status: r.Status, Detail: r.Detail, Exit: r.Exit,
		Wall: r.Wall, CPU: r.CPU, Memory: r.Memory, Command: strings.Join(slices.Concat([]string{r.Tool}, r.Options), " "),
	}
	var missing []string
	for _, output := range []struct {
		name string
		at   *int
	}{{r.Stdout, &d.Stdout}, {r.Stderr, &d.Stderr}} {
		*output.at = -1
		if output.name == "" {
			continue
		}
		text, err := c.read(folder, output.name)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", output.name, err))
			continue
		}
		if text != "" {
			*output.at = c.keep(text)
		}
	}
	if r.Cut {
		missing = append(missing, "the run's output was too long to be kept whole")
	}
	d.Missing = strings.Join(missing, "; ")
	return d
}

// keep returns the text's place.
func (c *collector) keep(text string) int {
	if i, ok := c.at[text]; ok {
		return i
	}
	i := len(c.texts)
	c.at[text] = i
	c.texts = append(c.texts, text)
	c.used += len(text)
	return i
}

// read reads an output, without its middle if it is longer than an output may be. An error says in few words why the
// report does not have it. Names and links that lead out of the results' folder are not
// followed.
func (c *collector) read(folder, name string) (string, error) {
	if c.used >= c.total {
		return "", fmt.Errorf("left out, for the report has its %d MiB of outputs", c.total>>20)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("not read, for it lies outside of the results' folder")
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", fmt.Errorf("not found beside the results")
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return "", fmt.Errorf("not found beside the results")
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("not a file")
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", fmt.Errorf("not readable")
	}
	defer f.Close()
	if info.Size() <= int64(c.each) {
		text, err := io.ReadAll(f)
		if err != nil {
			return "", fmt.Errorf("not readable")
		}
		return clean(text), nil
	}
	head, tail := make([]byte, c.each/2), make([]byte, c.each-c.each/2)
	if _, err := io.ReadFull(f, head); err != nil {
		return "", fmt.Errorf("not readable")
	}
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return "", fmt.Errorf("not readable")
	}
	return fmt.Sprintf("%s\n[… %d bytes left out; all of it is in %s …]\n%s", clean(head), info.Size()-int64(c.each), name, clean(tail)), nil
}

// clean makes text of what may be anything.
func clean(output []byte) string {
	return strings.ToValidUTF8(string(bytes.ReplaceAll(output, []byte{0}, []byte("\u2400"))), "\uFFFD")
}
