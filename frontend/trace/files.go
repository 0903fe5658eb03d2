package trace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
)

// maxFile is the size in bytes of the largest file that is shown as a source.
const maxFile = 8 << 20

// Files are the texts of the files that a trace names. A source of a generated program is looked up by its name,
// relative to the working directory and to the program's folder, and by its base name in the program's folder.
type Files struct {
	folder string
	// lines has what was read; nil for what cannot be.
	lines map[string][]string
}

// NewFiles are the files around a program: program is the name that its positions have, text what was read under it.
func NewFiles(program string, text []byte) *Files {
	return &Files{folder: filepath.Dir(program), lines: map[string][]string{program: split(text)}}
}

// Lines are the lines of a file, or nil when it cannot be shown: it is not there, no text, no ordinary file, or too large.
func (f *Files) Lines(name string) []string {
	lines, known := f.lines[name]
	if !known {
		for _, path := range f.paths(name) {
			if text, ok := readText(path); ok {
				lines = split(text)
				break
			}
		}
		f.lines[name] = lines
	}
	return lines
}

// Line is the text of the line of a position, or empty when it cannot be shown.
func (f *Files) Line(pos chc.Position) string {
	if pos.Line < 1 {
		return ""
	}
	if lines := f.Lines(pos.File); pos.Line <= len(lines) {
		return lines[pos.Line-1]
	}
	return ""
}

// paths are the places where a file may be. A name with backslashes is one of another system's, as is one from another
// machine: its last part may still be beside the program.
func (f *Files) paths(name string) []string {
	name = strings.ReplaceAll(name, `\`, "/")
	paths := []string{name}
	if !filepath.IsAbs(name) {
		paths = append(paths, filepath.Join(f.folder, name))
	}
	return append(paths, filepath.Join(f.folder, filepath.Base(name)))
}

func readText(path string) ([]byte, bool) {
	// Reading a device or a pipe could block.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, false
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	return text, err == nil && utf8.Valid(text) && !strings.ContainsRune(string(text), 0)
}

func split(text []byte) []string {
	s := strings.ReplaceAll(strings.ToValidUTF8(string(text), "�"), "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
