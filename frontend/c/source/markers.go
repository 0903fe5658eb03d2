package source

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"

	"hornbeam/frontend/c/tree"
)

// marker is a line marker of gcc's preprocessor, # 12 "file.c" 2: the line behind it is line `from` of a file.
type marker struct {
	at   int // the marker's own line
	file string
	from int
}

var lineMarker = regexp.MustCompile(`^[ \t]*#[ \t]*(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"`)

// Places has Place go by the text's line markers, unless the options want places in the file that is read.
func (s *Text) Places(o Options) {
	if o.Physical || !bytes.Contains(s.Text, []byte("# ")) {
		return
	}
	line := 0
	for l := range bytes.Lines(s.Text) {
		line++
		m := lineMarker.FindSubmatch(l)
		if m == nil {
			continue
		}
		from, err := strconv.Atoi(string(m[1]))
		file, quoted := strconv.Unquote(`"` + string(m[2]) + `"`)
		if err == nil && quoted == nil {
			s.markers = append(s.markers, marker{line, file, from})
		}
	}
}

// Place turns a position in the source into the position that the source's line markers say it has.
func (s *Text) Place(p tree.Pos) tree.Pos {
	if p.File != s.Name {
		return p
	}
	i := sort.Search(len(s.markers), func(i int) bool { return s.markers[i].at >= p.Line })
	if i == 0 {
		return p
	}
	m := s.markers[i-1]
	p.File, p.Line = m.file, m.from+p.Line-m.at-1
	return p
}
