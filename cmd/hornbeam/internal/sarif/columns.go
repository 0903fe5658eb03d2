package sarif

import (
	"bytes"
	"os"
	"unicode/utf8"

	"hornbeam/chc"
)

// CodePoints returns a function that gives the column of a place in code points. countsBytes tells of a file's name whether the
// columns of places in it count bytes, as those of C do; others count code points already. A place whose line cannot be read, as on
// standard input, keeps its column.
func CodePoints(countsBytes func(file string) bool) func(chc.Position) int {
	lines := map[string][][]byte{}
	return func(at chc.Position) int {
		if at.File == "-" || !countsBytes(at.File) {
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
