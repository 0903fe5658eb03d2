package boogie

import (
	"strings"

	"hornbeam/chc"
)

// condition is an #if whose #endif has not been read.
type condition struct {
	pos chc.Position
	// outside says whether the text around the #if is kept, taken whether one of its branches has been kept, now whether the
	// current one is, and otherwise whether its #else has been read.
	outside, taken, now, otherwise bool
}

// preprocess blanks the lines that #if, #elsif, #else and #endif leave out, and these lines themselves, so that all
// lines keep their numbers. A name counts when it is among the defines.
func preprocess(r *reporter, file, src string, defines []string) string {
	if !strings.Contains(src, "#if") {
		return src
	}
	defined := map[string]bool{}
	for _, d := range defines {
		defined[d] = true
	}
	holds := func(s string) bool {
		name, negated := strings.CutPrefix(strings.TrimSpace(s), "!")
		return defined[strings.TrimSpace(name)] != negated
	}
	var out strings.Builder
	var open []*condition
	counts := true
	number := 0
	for line := range strings.Lines(src) {
		number++
		text := strings.TrimSpace(line)
		pos := chc.Position{File: file, Line: number, Column: 1}
		var last *condition
		if len(open) > 0 {
			last = open[len(open)-1]
		}
		directive := true
		switch {
		case strings.HasPrefix(text, "#if"):
			now := holds(text[len("#if"):])
			open = append(open, &condition{pos: pos, outside: counts, taken: now, now: now})
		case strings.HasPrefix(text, "#elsif") && last != nil && !last.otherwise:
			last.now = !last.taken && holds(text[len("#elsif"):])
			last.taken = last.taken || last.now
		case text == "#else" && last != nil && !last.otherwise:
			last.now, last.otherwise = !last.taken, true
		case text == "#endif" && last != nil:
			counts = last.outside
			open = open[:len(open)-1]
			last = nil
		case strings.HasPrefix(text, "#elsif") || text == "#else" || text == "#endif":
			r.Errorf(pos, "%s without #if", text)
		default:
			directive = false
		}
		if n := len(open); n > 0 {
			counts = open[n-1].outside && open[n-1].now
		}
		if counts && !directive {
			out.WriteString(line)
		} else if strings.HasSuffix(line, "\n") {
			out.WriteByte('\n')
		}
	}
	for _, c := range open {
		r.Errorf(c.pos, "this #if has no #endif")
	}
	return out.String()
}
