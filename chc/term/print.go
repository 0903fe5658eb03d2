package term

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxTree is the number of nodes up to which String prints without lets.
const maxTree = 2000

// inlineSum is the number of summands up to which a comparison moves negative summands to its right side.
const inlineSum = 8

// Write prints t in SMT-LIB. Reading the output with the pool's constructors gives t again. Subterms that occur more
// than once are bound by let, unless they are very small, so the output is linear in the term's size as a graph.
func Write(w io.Writer, t *Term) error {
	b := bufio.NewWriter(w)
	pr := newPrinter(b, t)
	pr.scope(t, nil, nil)
	if err := b.Flush(); err != nil {
		return fmt.Errorf("print term: %w", err)
	}
	return nil
}

// Format returns what Write prints.
func Format(t *Term) string {
	if len(t.args) == 0 {
		return leaf(t)
	}
	var s strings.Builder
	b := bufio.NewWriter(&s)
	newPrinter(b, t).scope(t, nil, nil)
	_ = b.Flush() // a strings.Builder does not fail
	return s.String()
}

// formatTree prints t without lets when it is small as a tree.
func formatTree(t *Term) string {
	n := 0
	var stack []*Term
	for stack = append(stack, t); len(stack) > 0 && n <= maxTree; n++ {
		u := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], u.args...)
	}
	if n > maxTree {
		return Format(t)
	}
	var s strings.Builder
	b := bufio.NewWriter(&s)
	pr := &printer{w: b, noLets: true}
	pr.scope(t, nil, nil)
	_ = b.Flush() // a strings.Builder does not fail
	return s.String()
}

// piece is a part of the printed form of a term: text, a subterm, or a quantifier's body.
type piece struct {
	text string
	t    *Term
	// body says that t is the body of the quantifier q.
	q *Term
}

type printer struct {
	w      *bufio.Writer
	prefix string // of let names; no symbol of the term is prefix and digits
	count  int
	noLets bool
}

func newPrinter(w *bufio.Writer, t *Term) *printer {
	pr := &printer{w: w, prefix: "?"}
	longest := 0
	Walk(t, func(t *Term) bool {
		if name := t.Name(); strings.HasPrefix(name, "?") {
			longest = max(longest, len(name)-len(strings.TrimLeft(name, "?")))
		}
		if t.op == Construct && strings.HasPrefix(t.ext.ctor.Name, "?") || t.op == Field && strings.HasPrefix(t.ext.sel.Name, "?") {
			longest = max(longest, strings.Count(t.String(), "?"))
		}
		return true
	})
	pr.prefix = strings.Repeat("?", longest+1)
	return pr
}

// letScope holds the names that lets bind from a quantifier's body down.
type letScope struct {
	outer *letScope
	names idMap[string]
	bound map[*Term]bool // by the quantifier whose body this is
}

// find returns the let name of t that holds in s.
func (s *letScope) find(t *Term) (string, bool) {
	for ; s != nil; s = s.outer {
		if name, ok := s.names.get(t); ok {
			return name, true
		}
		if HasAny(t, s.bound) {
			return "", false
		}
	}
	return "", false
}

// scope prints t, the whole term or the body of quantifier q, with lets for what it shares.
func (pr *printer) scope(t *Term, q *Term, outer *letScope) {
	sc := &letScope{outer: outer}
	if q != nil {
		sc.bound = map[*Term]bool{}
		for _, v := range q.ext.q.bound {
			sc.bound[v] = true
		}
	}
	closing := 0
	if !pr.noLets {
		for _, group := range sharedGroups(t, sc) {
			// Name the group only when its terms are printed: they do not refer to each other.
			pr.w.WriteString("(let (")
			names := make([]string, len(group))
			for i, u := range group {
				names[i] = pr.prefix + strconv.Itoa(pr.count)
				pr.count++
				if i > 0 {
					pr.w.WriteByte(' ')
				}
				pr.w.WriteByte('(')
				pr.w.WriteString(names[i])
				pr.w.WriteByte(' ')
				pr.emit(u, sc)
				pr.w.WriteByte(')')
			}
			pr.w.WriteString(") ")
			closing++
			for i, u := range group {
				sc.names.put(u, names[i])
			}
		}
	}
	pr.emit(t, sc)
	for range closing {
		pr.w.WriteByte(')')
	}
}

// emit prints t; the let names of sc stand for their terms.
func (pr *printer) emit(t *Term, sc *letScope) {
	stack := []piece{{t: t}}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case x.q != nil:
			pr.scope(x.t, x.q, sc)
		case x.t == nil:
			pr.w.WriteString(x.text)
		case len(x.t.args) == 0:
			pr.w.WriteString(leaf(x.t))
		default:
			if name, ok := sc.find(x.t); ok {
				pr.w.WriteString(name)
				continue
			}
			n := len(stack)
			stack = appendPieces(stack, x.t)
			for i, j := n, len(stack)-1; i < j; i, j = i+1, j-1 {
				stack[i], stack[j] = stack[j], stack[i]
			}
		}
	}
}

// sharedGroups returns the terms below t that are to be bound by lets, each group referring only to earlier ones.
func sharedGroups(t *Term, sc *letScope) [][]*Term {
	type info struct {
		uses  int
		level int // number of let groups needed below
	}
	type frame struct {
		t    *Term
		kids []piece
		next int
	}
	var infos idMap[*info]
	var order []*Term
	kids := func(t *Term) []piece {
		var out []piece
		for _, x := range appendPieces(nil, t) {
			if x.t != nil && x.q == nil && len(x.t.args) > 0 {
				out = append(out, x)
			}
		}
		return out
	}
	if len(t.args) == 0 {
		return nil
	}
	infos.put(t, &info{uses: 1})
	stack := []frame{{t: t, kids: kids(t)}}
	var kidsOf idMap[[]piece]
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(f.kids) {
			kidsOf.put(f.t, f.kids)
			order = append(order, f.t)
			stack = stack[:len(stack)-1]
			continue
		}
		k := f.kids[f.next].t
		f.next++
		if in, ok := infos.get(k); ok {
			in.uses++
			continue
		}
		if sc.outer != nil {
			if _, ok := sc.find(k); ok {
				continue
			}
		}
		infos.put(k, &info{uses: 1})
		stack = append(stack, frame{t: k, kids: kids(k)})
	}
	var groups [][]*Term
	for _, u := range order {
		in, _ := infos.get(u)
		ks, _ := kidsOf.get(u)
		for _, k := range ks {
			if ki, ok := infos.get(k.t); ok {
				in.level = max(in.level, ki.level)
			}
		}
		if in.uses > 1 && u != t && !isSmall(u) {
			if in.level == len(groups) {
				groups = append(groups, nil)
			}
			groups[in.level] = append(groups[in.level], u)
			in.level++
		}
	}
	return groups
}

// isSmall reports whether t is shorter to repeat than to name.
func isSmall(t *Term) bool {
	if len(t.args) > 2 || t.IsQuantifier() {
		return false
	}
	for _, a := range t.args {
		if len(a.args) > 0 {
			return false
		}
	}
	return true
}
