package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"hornbeam/bench/result"
	"hornbeam/bench/tool"
)

// judge reads a verdict from lines as they come. It is safe for several goroutines.
type judge struct {
	mu      sync.Mutex
	reading tool.Reading
	lines   []*regexp.Regexp
	verdict result.Verdict
	// closed says that the time is up: what is said from here on does not count.
	closed bool
}

func newJudge(r tool.Reading) (*judge, error) {
	j := &judge{reading: r}
	for _, l := range r.Lines {
		m, err := regexp.Compile(l.Match)
		if err != nil {
			return nil, fmt.Errorf("how the verdict is read: %w", err)
		}
		j.lines = append(j.lines, m)
	}
	return j, nil
}

// line takes a line of the stream called from.
func (j *judge) line(from string, line []byte) {
	if j.reading.From != "" && j.reading.From != "both" && j.reading.From != from {
		return
	}
	v := j.read(strings.TrimSpace(string(line)))
	if v == result.None {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed && (j.verdict == result.None || j.reading.Take == "last") {
		j.verdict = v
	}
}

func (j *judge) read(line string) result.Verdict {
	if v, ok := j.reading.Words[strings.ToLower(line)]; ok {
		return v
	}
	for i, m := range j.lines {
		if m.MatchString(line) {
			return j.reading.Lines[i].Verdict
		}
	}
	return result.None
}

// close ends the time in which words count.
func (j *judge) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
}

func (j *judge) said() result.Verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.verdict
}

// longestLine is how much of a line is looked at for a verdict.
const longestLine = 64 << 10

// keeper takes one stream of output: it shows its lines to the judge, and keeps the beginning and the end of it in a file.
type keeper struct {
	from  string
	judge *judge
	path  string
	// head and tail are how many bytes of the beginning and of the end are kept.
	head, tail int64

	file    *os.File
	written int64
	// ring holds the last bytes behind the head, next is where the next one goes.
	ring  []byte
	next  int
	total int64
	line  []byte
	start []byte
}

// newKeeper keeps up to limit bytes at path; without a path nothing is kept.
func newKeeper(from, path string, limit int64, j *judge) *keeper {
	return &keeper{from: from, judge: j, path: path, head: limit / 2, tail: limit - limit/2}
}

// copy takes all of the stream, to its end: even where it cannot be kept, as a tool that nobody reads would wait for ever.
func (k *keeper) copy(in io.Reader) error {
	block := make([]byte, 32<<10)
	var failure error
	for {
		n, err := in.Read(block)
		if n > 0 {
			k.split(block[:n])
			if failure == nil {
				failure = k.keep(block[:n])
			}
		}
		if err != nil {
			// The other end of a pipe has no errors that mean anything here.
			return failure
		}
	}
}

func (k *keeper) split(b []byte) {
	if len(k.start) < 400 {
		k.start = append(k.start, b[:min(len(b), 400)]...)
	}
	for {
		i := bytes.IndexByte(b, '\n')
		part := b
		if i >= 0 {
			part = b[:i]
		}
		if room := longestLine - len(k.line); room > 0 {
			k.line = append(k.line, part[:min(room, len(part))]...)
		}
		if i < 0 {
			return
		}
		k.judge.line(k.from, k.line)
		k.line = k.line[:0]
		b = b[i+1:]
	}
}

func (k *keeper) keep(b []byte) error {
	k.total += int64(len(b))
	if k.path == "" {
		return nil
	}
	if k.file == nil {
		if err := os.MkdirAll(filepath.Dir(k.path), 0o755); err != nil {
			return fmt.Errorf("keep the output: %w", err)
		}
		// The supervisor of a benchmark that was killed may still have a file of this name open: it keeps its own.
		if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep the output: %w", err)
		}
		f, err := os.Create(k.path)
		if err != nil {
			return fmt.Errorf("keep the output: %w", err)
		}
		k.file = f
	}
	n := min(k.head-k.written, int64(len(b)))
	if n > 0 {
		if _, err := k.file.Write(b[:n]); err != nil {
			return fmt.Errorf("keep the output: %w", err)
		}
		k.written += n
		b = b[n:]
	}
	if int64(len(b)) > k.tail {
		b = b[int64(len(b))-k.tail:]
	}
	for len(b) > 0 {
		if grow := int(k.tail) - len(k.ring); grow > 0 && k.next == len(k.ring) {
			n := min(grow, len(b))
			k.ring = append(k.ring, b[:n]...)
			k.next += n
			b = b[n:]
			continue
		}
		k.next %= len(k.ring)
		n := copy(k.ring[k.next:], b)
		k.next += n
		b = b[n:]
	}
	return nil
}

// finish shows the judge a last line that has no end, and writes the end of the output. cut says whether a part in between
// was left out, kept whether there is a file.
func (k *keeper) finish() (kept, cut bool, err error) {
	if len(k.line) > 0 {
		k.judge.line(k.from, k.line)
		k.line = nil
	}
	if k.file == nil {
		return false, false, nil
	}
	left := k.total - k.written - int64(len(k.ring))
	if left > 0 {
		_, err = fmt.Fprintf(k.file, "\n[%d bytes are left out here]\n", left)
	}
	if err == nil && len(k.ring) > 0 {
		at := k.next % len(k.ring)
		if _, err = k.file.Write(k.ring[at:]); err == nil {
			_, err = k.file.Write(k.ring[:at])
		}
	}
	if closed := k.file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return true, left > 0, fmt.Errorf("keep the output: %w", err)
	}
	return true, left > 0, nil
}

// firstLine is the output's first line that says something, shortened.
func (k *keeper) firstLine() string { return firstLine(string(k.start)) }

// firstLine is the first line of a text that says something, shortened.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "?")), " ")
		if line == "" {
			continue
		}
		if r := []rune(line); len(r) > 160 {
			line = string(r[:160]) + "…"
		}
		return line
	}
	return ""
}

// counters are those with the given names among the statistics of an output: a line that is a JSON object with a member
// "statistics". They are nil where there is no such line, or the middle of it was left out.
func counters(path string, names []string) map[string]float64 {
	if len(names) == 0 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(text) {
		var report struct{ Statistics map[string]float64 }
		if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &report) != nil {
			continue
		}
		maps.DeleteFunc(report.Statistics, func(name string, _ float64) bool { return !slices.Contains(names, name) })
		return report.Statistics
	}
	return nil
}
