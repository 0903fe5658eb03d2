package acsl

import (
	"bytes"
	"math"
)

// Group are the lines between two directives, such as #if and #else, of which the preprocessor may leave out all. The directives'
// lines are not among them.
type Group struct{ First, Last int }

// Groups are those of a text, in the order of their beginnings.
func Groups(text []byte) []Group {
	var out []Group
	var open []int
	line, blank := 1, true // whether nothing stands before in the line
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			line, blank = line+1, true
		case c == ' ' || c == '\t' || c == '\r':
		case c == '"' || c == '\'':
			blank = false
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' && i+1 < len(text) {
					i++
					if text[i] == '\n' {
						line++
					}
				}
			}
			if i < len(text) && text[i] == '\n' {
				i--
			}
		case bytes.HasPrefix(text[i:], []byte("//")):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case bytes.HasPrefix(text[i:], []byte("/*")):
			end := len(text)
			if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
			line += bytes.Count(text[i:end], []byte("\n"))
			i = end - 1
		case c == '#' && blank:
			blank = false
			rest := bytes.TrimLeft(text[i+1:], " \t")
			n := 0
			for n < len(rest) && 'a' <= rest[n] && rest[n] <= 'z' {
				n++
			}
			begin := func() {
				open = append(open, len(out))
				out = append(out, Group{line + 1, math.MaxInt})
			}
			end := func() {
				if len(open) > 0 {
					out[open[len(open)-1]].Last = line - 1
					open = open[:len(open)-1]
				}
			}
			switch string(rest[:n]) {
			case "if", "ifdef", "ifndef":
				begin()
			case "elif", "elifdef", "elifndef", "else":
				end()
				begin()
			case "endif":
				end()
			}
		default:
			blank = false
		}
	}
	return out
}

// Compiled divides annotations into those that count and those that are left out, in groups of a text in which nothing is compiled.
// lines are the lines with what is.
func Compiled(comments []Comment, groups []Group, lines func() map[int]bool) (counting, left []Comment) {
	if len(groups) == 0 {
		return comments, nil
	}
	var compiled map[int]bool
	for _, c := range comments {
		inner := -1
		for i, g := range groups {
			if g.First <= c.Begin.Line && c.Begin.Line <= g.Last {
				inner = i // those further inside begin later
			}
		}
		keep := inner < 0
		if !keep {
			if compiled == nil {
				compiled = lines()
			}
			for line := range compiled {
				keep = keep || groups[inner].First <= line && line <= groups[inner].Last
			}
		}
		if keep {
			counting = append(counting, c)
		} else {
			left = append(left, c)
		}
	}
	return counting, left
}
