package chc

import "strconv"

// String returns `file:line:column`, without the parts that are unknown.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	s := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	if p.File != "" {
		s = p.File + ":" + s
	}
	return s
}
