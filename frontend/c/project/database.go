package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kballard/go-shellquote"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// File is a C file of a project, and how it is compiled.
type File struct {
	// Path names the file from the working directory, or absolutely where it is not below that.
	Path    string
	Options source.Options
	// ILP32 says that it is compiled with -m32.
	ILP32 bool
}

// Database is a compilation database.
type Database struct {
	// Files are the C files, each once, by its first command.
	Files []File
	// Others are the files in other languages.
	Others []string
}

// Read reads a compilation database. Errors in its text are report.Errors with their places; others are the file system's.
func Read(path string) (*Database, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var commands []struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Command   string   `json:"command"`
		Arguments []string `json:"arguments"`
	}
	if err := json.Unmarshal(text, &commands); err != nil {
		what := err.Error()
		if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
			what = fmt.Sprintf("%s %s is none of a list of commands with directory, file, and command or arguments", kind.Value, kind.Field)
		}
		return nil, report.Errors{{Pos: place(path, text, err), Msg: "no compilation database: " + what}}
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	d := &Database{}
	seen := map[string]bool{}
	for i, c := range commands {
		if c.File == "" {
			at := tree.Pos{File: path, Line: 1, Column: 1}
			return nil, report.Errors{{Pos: at, Msg: fmt.Sprintf("command %d of the compilation database has no file", i+1)}}
		}
		folder := c.Directory
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(filepath.Dir(path), folder)
		}
		folder = below(here, folder)
		file := c.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(folder, file)
		}
		if file = below(here, file); seen[file] {
			continue
		}
		seen[file] = true
		if filepath.Ext(file) != ".c" && filepath.Ext(file) != ".i" {
			d.Others = append(d.Others, file)
			continue
		}
		arguments := c.Arguments
		if len(arguments) == 0 {
			var err error
			if arguments, err = shellquote.Split(c.Command); err != nil {
				at := tree.Pos{File: path, Line: 1, Column: 1}
				return nil, report.Errors{{Pos: at, Msg: fmt.Sprintf("command %d of the compilation database is no command of a shell: %s", i+1, err)}}
			}
		}
		f := File{Path: file}
		if len(arguments) > 0 {
			f.Options, f.ILP32 = flags(arguments[1:], folder)
		}
		d.Files = append(d.Files, f)
	}
	return d, nil
}

// Find is how the database compiles a file.
func (d *Database) Find(path string) (File, bool) {
	own, err := filepath.Abs(path)
	for _, f := range d.Files {
		if other, e := filepath.Abs(f.Path); err == nil && e == nil && own == other {
			return f, true
		}
	}
	return File{}, false
}

// below is a path as it is named from a folder that it is in.
func below(folder, path string) string {
	if !filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if relative, err := filepath.Rel(folder, path); err == nil && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return filepath.Clean(path)
}

// place is where an error of the decoder is.
func place(path string, text []byte, err error) tree.Pos {
	offset := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset - 1
	case errors.As(err, &kind):
		offset = kind.Offset - 1
	}
	before := text[:min(max(offset, 0), int64(len(text)))]
	return tree.Pos{File: path, Line: 1 + bytes.Count(before, []byte{'\n'}), Column: len(before) - bytes.LastIndexByte(before, '\n')}
}
