package svcomp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"hornbeam/frontend/c/tree"
)

// Metadata is what a witness says of itself.
type Metadata struct {
	// Files are those of the program, the first one first.
	Files []File
	// Property is the specification's text, Model ILP32 or LP64.
	Property string
	Model    string
	// Version is Hornbeam's.
	Version string
	Created time.Time
}

// File is a file of a program: its name as it was given, which places have, and its text.
type File struct {
	Name string
	Text []byte
}

// text is that of a program's files by their names, line by line.
type text map[string][][]byte

func textOf(files []File) text {
	out := text{}
	for _, f := range files {
		out[f.Name] = bytes.Split(f.Text, []byte{'\n'})
	}
	return out
}

// reads tells whether the text at a place in it is as the pattern says; no pattern says nothing.
func (t text) reads(l location, pattern *regexp.Regexp) bool {
	if pattern == nil {
		return true
	}
	lines := t[l.FileName]
	if l.Line < 1 || l.Line > len(lines) {
		return false
	}
	line, column := lines[l.Line-1], max(l.Column-1, 0)
	return column <= len(line) && pattern.Match(line[column:])
}

// The layout of a witness, in the order in which it is written.
type (
	entry struct {
		EntryType string   `yaml:"entry_type"`
		Metadata  metadata `yaml:"metadata"`
		Content   any      `yaml:"content"`
	}
	metadata struct {
		FormatVersion string   `yaml:"format_version"`
		UUID          string   `yaml:"uuid"`
		CreationTime  string   `yaml:"creation_time"`
		Producer      producer `yaml:"producer"`
		Task          task     `yaml:"task"`
	}
	producer struct {
		Name    string `yaml:"name"`
		Version string `yaml:"version"`
	}
	task struct {
		InputFiles      []string          `yaml:"input_files"`
		InputFileHashes map[string]string `yaml:"input_file_hashes"`
		Specification   string            `yaml:"specification"`
		DataModel       string            `yaml:"data_model"`
		Language        string            `yaml:"language"`
	}
	location struct {
		FileName string `yaml:"file_name"`
		Line     int    `yaml:"line"`
		Column   int    `yaml:"column,omitempty"`
		Function string `yaml:"function,omitempty"`
	}
	constraint struct {
		Value  string `yaml:"value"`
		Format string `yaml:"format,omitempty"`
	}
)

func at(p tree.Pos, f *tree.Function) location {
	l := location{FileName: p.File, Line: p.Line, Column: p.Column}
	if f != nil {
		// Behind a dot is what tells static functions of several files apart.
		l.Function, _, _ = strings.Cut(f.Name, ".")
	}
	return l
}

// document writes a witness. Its UUID depends on what the witness says and on the time alone.
func document(kind string, m Metadata, content any) ([]byte, error) {
	var files []string
	hashes := map[string]string{}
	for _, f := range m.Files {
		hash := sha256.Sum256(f.Text)
		files = append(files, f.Name)
		hashes[f.Name] = hex.EncodeToString(hash[:])
	}
	e := entry{EntryType: kind, Content: content, Metadata: metadata{
		FormatVersion: "2.0", CreationTime: m.Created.UTC().Format(time.RFC3339),
		Producer: producer{Name: "Hornbeam", Version: m.Version},
		Task: task{
			InputFiles: files, InputFileHashes: hashes,
			Specification: m.Property, DataModel: m.Model, Language: "C",
		},
	}}
	text, err := yaml.Marshal([]entry{e})
	if err != nil {
		return nil, fmt.Errorf("write a witness: %w", err)
	}
	e.Metadata.UUID = uuid(text)
	if text, err = yaml.Marshal([]entry{e}); err != nil {
		return nil, fmt.Errorf("write a witness: %w", err)
	}
	return text, nil
}

// uuid is a UUID made of a text: version 8 of RFC 9562, whose bits are the maker's choice.
func uuid(text []byte) string {
	h := sha256.Sum256(text)
	h[6] = h[6]&0x0f | 0x80
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
