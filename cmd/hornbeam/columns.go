package main

import (
	"bytes"
	"os"
	"path/filepath"
	"unicode/utf8"

	"hornbeam/chc"
	"hornbeam/engine"
)

// codePoints returns a function that gives the column of a place in code points. The columns of C, also those that Boogie
// programs made of C refer to, count bytes; others count code points already. lang is the language of files whose names do not
// say theirs. A place whose line cannot be read, as on standard input, keeps its column.
func codePoints(lang string) func(chc.Position) int {
	lines := map[string][][]byte{}
	return func(at chc.Position) int {
		language, known := extensions[filepath.Ext(at.File)]
		if language != engine.C && (known || lang != "c") || at.File == "-" {
			return at.Column
		}
		text, read := lines[at.File]
		if !read {
			// What cannot be read has no lines.
			content, _ := os.ReadFile(at.File)
			text = bytes.Split(content, []byte("\n"))
			lines[at.File] = text
		}
		if at.Line < 1 || at.Line > len(text) || at.Column < 1 || at.Column-1 > len(text[at.Line-1]) {
			return at.Column
		}
		return 1 + utf8.RuneCount(text[at.Line-1][:at.Column-1])
	}
}
