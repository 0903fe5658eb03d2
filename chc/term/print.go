package term

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
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
	if treeSize(t, maxTree) > maxTree {
		return Format(t)
	}
	var s strings.Builder
	b := bufio.NewWriter(&s)
	pr := &printer{w: b, noLets: true}
	pr.scope(t, nil, nil)
	_ = b.Flush() // a strings.Builder does not fail
	return s.String()
}

// treeSize counts t's nodes as a tree, up to one more than limit.
func treeSize(t *Term, limit int) int {
	n := 0
	for stack := []*Term{t}; len(stack) > 0 && n <= limit; n++ {
		u := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], u.args...)
	}
	return n
}

// fragment is a part of the printed form of a term: text, the subterm t, or t as the body of the quantifier q.
type fragment struct {
	text string
	t    *Term
	q    *Term
}

type printer struct {
	w      *bufio.Writer
	prefix string // of let names; no symbol of the term is prefix and digits
	count  int
	noLets bool
	// patterns adds patterns to universal quantifiers.
	patterns bool
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
	names Map[string]
	bound map[*Term]bool // by the quantifier whose body this is
}

// find returns the let name of t that holds in s.
func (s *letScope) find(t *Term) (string, bool) {
	for ; s != nil; s = s.outer {
		if name, ok := s.names.Get(t); ok {
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
	patterns := ""
	if q != nil && pr.patterns {
		if patterns = annotation(q); patterns != "" {
			pr.w.WriteString("(! ")
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
				sc.names.Put(u, names[i])
			}
		}
	}
	pr.emit(t, sc)
	for range closing {
		pr.w.WriteByte(')')
	}
	if patterns != "" {
		pr.w.WriteString(patterns)
		pr.w.WriteByte(')')
	}
}

// emit prints t; the let names of sc stand for their terms.
func (pr *printer) emit(t *Term, sc *letScope) {
	stack := []fragment{{t: t}}
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
			stack = appendFragments(stack, x.t)
			for i, j := n, len(stack)-1; i < j; i, j = i+1, j-1 {
				stack[i], stack[j] = stack[j], stack[i]
			}
		}
	}
}

// node is a term of the graph that a scope prints.
type node struct {
	t           *Term
	first, last int // its printed subterms in graph.kids
	uses, level int // level: how many groups of lets are needed for what is below
}

// graph is a term as it is printed: comparisons have the sides that are printed as their subterms, the bodies of
// quantifiers are left out.
type graph struct {
	nodes     []node // in order of first visit
	index     Map[int]
	kids      []*Term
	order     []int // of nodes, subterms first
	fragments []fragment
}

// enter adds t and returns its number.
func (g *graph) enter(t *Term) int {
	n := node{t: t, first: len(g.kids), uses: 1}
	g.fragments = appendFragments(g.fragments[:0], t)
	for _, x := range g.fragments {
		if x.t != nil && x.q == nil && len(x.t.args) > 0 {
			g.kids = append(g.kids, x.t)
		}
	}
	n.last = len(g.kids)
	g.index.Put(t, len(g.nodes))
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

// sharedGroups returns the terms below t that are to be bound by lets, each group referring only to earlier ones.
func sharedGroups(t *Term, sc *letScope) [][]*Term {
	if len(t.args) == 0 {
		return nil
	}
	type frame struct{ node, next int }
	var g graph
	var groups [][]*Term
	stack := []frame{{g.enter(t), 0}}
	stack[0].next = g.nodes[0].first
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		n := &g.nodes[f.node]
		if f.next < n.last {
			k := g.kids[f.next]
			f.next++
			if i, ok := g.index.Get(k); ok {
				g.nodes[i].uses++
			} else if _, named := sc.find(k); !named {
				i := g.enter(k)
				stack = append(stack, frame{i, g.nodes[i].first})
			}
			continue
		}
		stack = stack[:len(stack)-1]
		g.order = append(g.order, f.node)
	}
	// Subterms come before their terms here, and all uses are counted.
	for _, i := range g.order {
		n := &g.nodes[i]
		for _, k := range g.kids[n.first:n.last] {
			if j, ok := g.index.Get(k); ok {
				n.level = max(n.level, g.nodes[j].level)
			}
		}
		if n.uses == 1 || n.t == t || isSmall(n.t) {
			continue
		}
		if n.level == len(groups) {
			groups = append(groups, nil)
		}
		groups[n.level] = append(groups[n.level], n.t)
		n.level++
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

// QuoteSymbol returns name as a symbol: as it is when that is a simple symbol of SMT-LIB, else between bars. A backslash, which
// SMT-LIB has in no symbol, is printed as Z3 reads it: between bars, and at the end of a name, where a bar would not end
// the symbol, without bars. What cannot be printed, a bar and the last backslash of a name that needs bars, becomes an
// underscore.
func QuoteSymbol(name string) string {
	if isSimpleSymbol(name) || strings.HasSuffix(name, `\`) && isSimpleSymbol(strings.ReplaceAll(name, `\`, "/")) {
		return name
	}
	name = strings.ReplaceAll(name, "|", "_")
	if short, ok := strings.CutSuffix(name, `\`); ok {
		name = short + "_"
	}
	return "|" + name + "|"
}

func isSimpleSymbol(s string) bool {
	switch s {
	case "", "_", "!", "as", "let", "exists", "forall", "match", "par", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING":
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0:
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return true
}

// formatNum returns the numeral n of sort Int, Real or a bit-vector sort in SMT-LIB.
func formatNum(n Num, s *Sort) string {
	if s.Kind == BitVecKind {
		return formatBits(n.BigInt(), s.Width)
	}
	if n.Sign() < 0 {
		return "(- " + formatNum(n.Neg(), s) + ")"
	}
	switch {
	case s == Int:
		return n.String()
	case n.IsInt():
		return n.String() + ".0"
	}
	return "(/ " + n.Num().String() + ".0 " + n.Denom().String() + ".0)"
}

func formatBits(b *big.Int, w int) string {
	digits, prefix, n := b.Text(2), "#b", w
	if w%4 == 0 {
		digits, prefix, n = b.Text(16), "#x", w/4
	}
	return prefix + strings.Repeat("0", n-len(digits)) + digits
}
