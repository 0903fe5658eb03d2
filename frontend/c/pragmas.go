package c

import (
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// packing is a #pragma pack: from its place on, members of structs are aligned to at most that many bytes.
type packing struct {
	pos tree.Pos
	// most is 0 if there is no bound, and below 0 if the pragma was not understood.
	most  int64
	stack []int64
}

// pragma takes note of a pragma. Only pack and weak change what a program means.
func (r *reader) pragma(tokens []cc.Token) {
	var words []string
	for _, t := range tokens {
		if s := strings.TrimSpace(t.SrcStr()); s != "" {
			words = append(words, s)
		}
	}
	if len(words) == 2 && words[0] == "weak" {
		if r.weakNames == nil {
			r.weakNames = map[string]bool{}
		}
		r.weakNames[words[1]] = true
	}
	if len(words) == 0 || words[0] != "pack" {
		if len(words) > 0 && words[0] == "scalar_storage_order" {
			r.packings = append(r.packings, packing{pos: r.pos(tokens[0]), most: -1})
		}
		return
	}
	var p packing
	if n := len(r.packings); n > 0 {
		p = r.packings[n-1]
	}
	p.pos = r.pos(tokens[0])
	arguments := strings.FieldsFunc(strings.Join(words[1:], " "), func(c rune) bool { return strings.ContainsRune("(), ", c) })
	if len(arguments) == 0 {
		p.most = 0
	}
	for _, a := range arguments {
		switch n, err := strconv.ParseInt(a, 10, 32); {
		case a == "push":
			p.stack = append(append([]int64{}, p.stack...), p.most)
		case a == "pop" && len(p.stack) > 0:
			p.most, p.stack = p.stack[len(p.stack)-1], p.stack[:len(p.stack)-1]
		case err == nil && n >= 0 && n <= 16:
			p.most = n
		default:
			p.most = -1
		}
	}
	r.packings = append(r.packings, p)
}

// packed is the greatest alignment that members have in a record that begins at a place; 0 if there is no bound.
func (r *reader) packed(pos tree.Pos) int64 {
	most := int64(0)
	for _, p := range r.packings {
		if p.pos.File != pos.File || p.pos.Line <= pos.Line {
			most = p.most
		} else if p.pos.File == pos.File {
			break
		}
	}
	if most < 0 {
		r.Unsupported(pos, "a pragma on the layout of structs")
	}
	return most
}
