package z3

// #include "bridge.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"hornbeam/chc/term"
)

const (
	pageBits = 10
	pageSize = 1 << pageBits

	// maxDepth is the height at which a node gets a name of its own. Z3 recurses, and ends the process when it has no
	// stack left, at heights beyond ten times this.
	maxDepth = 2000
)

// translator remembers the Z3 node of every term that was translated and gathers the program that makes new ones.
type translator struct {
	// pages maps a term's ID to its node + 1; a pool's terms are only partly met by any one context.
	pages [][]uint32
	made  uint32 // nodes that exist or will when the program was run
	// terms are the terms that nodes stand for; nil for a node that serves another.
	terms []*term.Term
	// depth is the height of each node, counted from constants, numerals and named nodes.
	depth []uint16

	code    []uint32
	text    []byte
	pending []*term.Term // terms whose nodes the program makes
	stack   []frame
}

type frame struct {
	t    *term.Term
	next int
}

// lookup returns the node of t when it has one.
func (tr *translator) lookup(t *term.Term) (uint32, bool) {
	id := t.ID()
	page := id >> pageBits
	if int(page) >= len(tr.pages) || tr.pages[page] == nil {
		return 0, false
	}
	n := tr.pages[page][id&(pageSize-1)]
	return n - 1, n != 0
}

func (tr *translator) set(t *term.Term, entry uint32) {
	id := t.ID()
	page := int(id >> pageBits)
	for page >= len(tr.pages) {
		tr.pages = append(tr.pages, nil)
	}
	if tr.pages[page] == nil {
		tr.pages[page] = make([]uint32, pageSize)
	}
	tr.pages[page][id&(pageSize-1)] = entry
}

// emit adds one instruction that makes a node; immediates and args are its words.
func (tr *translator) emit(op uint32, immediates []uint32, args ...uint32) uint32 {
	tr.code = append(tr.code, op|uint32(len(args))<<8)
	tr.code = append(tr.code, immediates...)
	tr.code = append(tr.code, args...)
	return tr.finish(args)
}

// finish numbers the node of the instruction that was just added, whose arguments are the given nodes.
func (tr *translator) finish(args []uint32) uint32 {
	var depth uint16
	for _, a := range args {
		depth = max(depth, tr.depth[a]+1)
	}
	tr.depth = append(tr.depth, depth)
	tr.terms = append(tr.terms, nil)
	tr.made++
	return tr.made - 1
}

// node returns the node of t, making it and whatever it needs; the program must be run before the node is used.
func (c *solverContext) node(t *term.Term) (uint32, error) {
	if t.Pool() != c.pool {
		return 0, fmt.Errorf("z3: a term of another pool: %v", t)
	}
	if n, ok := c.lookup(t); ok {
		return n, nil
	}
	c.stack = append(c.stack[:0], frame{t: t})
	for len(c.stack) > 0 {
		f := &c.stack[len(c.stack)-1]
		if child := c.nextChild(f); child != nil {
			if _, ok := c.lookup(child); !ok {
				c.stack = append(c.stack, frame{t: child})
			}
			continue
		}
		done := f.t
		c.stack = c.stack[:len(c.stack)-1]
		// A term that was pushed twice before it was made is made once.
		if _, ok := c.lookup(done); ok {
			continue
		}
		n, err := c.instruction(done)
		if err == nil && c.depth[n] >= maxDepth {
			n, err = c.name(done, n)
		}
		if err != nil {
			return 0, err
		}
		c.set(done, n+1)
		c.terms[n] = done
		c.pending = append(c.pending, done)
	}
	n, _ := c.lookup(t)
	return n, nil
}

// nextChild advances through the children of a term; a quantifier's are its bound variables, its body and the terms of its
// patterns.
func (c *solverContext) nextChild(f *frame) *term.Term {
	i := f.next
	f.next++
	bound := f.t.Bound()
	if i < len(bound) {
		return bound[i]
	}
	if args := f.t.Args(); i-len(bound) < len(args) {
		return args[i-len(bound)]
	}
	if len(bound) > 0 {
		i -= len(bound) + 1
		for _, p := range c.patterns[f.t] {
			if i < len(p) {
				return p[i]
			}
			i -= len(p)
		}
	}
	return nil
}

// run makes the nodes of the gathered program; after an error none of them exists.
func (c *solverContext) run() error {
	if len(c.code) == 0 {
		return nil
	}
	c.text = append(c.text, 0)
	done := C.hb_build(c.h, words(c.code), C.size_t(len(c.code)), (*C.char)(unsafe.Pointer(unsafe.SliceData(c.text))))
	if uint32(c.h.n_nodes) != c.made {
		err := c.failure(fmt.Sprintf("translating terms (step %d)", done))
		c.abandon()
		return err
	}
	c.code, c.text, c.pending = c.code[:0], c.text[:0], c.pending[:0]
	return nil
}

// name introduces a constant that equals node n of t, and returns the constant's node.
func (c *solverContext) name(t *term.Term, n uint32) (uint32, error) {
	v, err := c.constant(t.Sort(), variable{term: t, role: name})
	if err == nil {
		c.terms[n] = t
		c.facts = append(c.facts, c.emit(C.HB_EQ, nil, v, n))
		c.terms[c.made-1] = c.pool.True()
	}
	return v, err
}

// bindable reports whether the quantifier t may be made from its children's nodes: not when it would bind a variable
// inside a node that was named.
func (c *solverContext) bindable(t *term.Term) bool {
	for _, v := range c.vars {
		if v.role == name && slices.ContainsFunc(t.Bound(), func(b *term.Term) bool { return term.Contains(v.term, b) }) {
			return false
		}
	}
	return true
}

// abandon forgets the nodes that the gathered program would have made.
func (c *solverContext) abandon() {
	for _, t := range c.pending {
		c.set(t, 0)
	}
	c.pending, c.code, c.text = c.pending[:0], c.code[:0], c.text[:0]
	c.made = uint32(c.h.n_nodes)
	c.depth, c.terms = c.depth[:c.made], c.terms[:c.made]
	for _, v := range c.vars[c.h.n_vars:] {
		if v.role == proxy {
			delete(c.proxies, v.term)
		}
	}
	c.vars = c.vars[:c.h.n_vars]
	if i := slices.IndexFunc(c.facts, func(n uint32) bool { return n >= c.made }); i >= 0 {
		c.facts = c.facts[:i]
	}
}

// nodes translates ts and appends their nodes to dst.
func (c *solverContext) nodes(dst []uint32, ts ...*term.Term) ([]uint32, error) {
	for _, t := range ts {
		n, err := c.node(t)
		if err != nil {
			c.abandon()
			return dst, err
		}
		dst = append(dst, n)
	}
	return dst, c.run()
}
