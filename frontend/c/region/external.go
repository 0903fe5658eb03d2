package region

import (
	"slices"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// opened is a call that may execute code which is not there.
type opened struct {
	call  *tree.Call
	roots []root
	// keeps says that the function may keep what it is given, and that another one, or a later call, may hand it out.
	keeps bool
	// handed is where the pointers lead that the function hands out.
	handed cell
}

// root is where a pointer leads that a call is given, or where a struct is held that it is given; written says that the
// function may write there.
type root struct {
	at      cell
	written bool
}

// open says that a call may execute a function that is not there. Type is the type that the function is called by, known
// what is known of it.
func (a *analysis) open(call *tree.Call, t *tree.FunctionType, known lib.Function) {
	o := &opened{call: call, keeps: known.Kind == lib.Ordinary}
	for i, v := range call.Arguments {
		switch v.Type().(type) {
		case *tree.Pointer:
			c := a.value(v)
			if c.nowhere() {
				continue
			}
			written := !t.Reads(i) && !(t.Variadic && i >= len(t.Params) && known.Formats() && !lib.Counts(call))
			o.roots = append(o.roots, root{c, written})
			if o.keeps {
				a.given = append(a.given, c)
			}
		case *tree.Struct:
			if c := a.value(v); !c.nowhere() {
				o.roots = append(o.roots, root{c, false})
			}
		}
	}
	shared := cell{}
	if name := known.Shares(); name != "" {
		c, ok := a.shared[name]
		if !ok {
			c = a.fresh()
			c.node.heap = true
			holder := a.fresh()
			a.unify(a.link(holder), c)
			a.undefined = append(a.undefined, holder)
			a.shared[name] = c
		}
		shared = c
		o.roots = append(o.roots, root{c, true})
	}
	a.opened = append(a.opened, o)
	site := a.site(call)
	a.undefined = append(a.undefined, site)
	if _, ok := call.T.(*tree.Pointer); !ok {
		return
	}
	// The result is null, an object of its own, or one that the function was given.
	target := a.link(site).find()
	target.node.heap = true
	a.unify(target, shared)
	switch {
	case o.keeps:
		a.returned = append(a.returned, target)
	case known.Kind != lib.System:
		for _, r := range o.roots {
			a.unify(target, r.at)
		}
	}
}

// openIndirect opens the calls through pointers that may hold what is no function of the program, each once.
func (a *analysis) openIndirect() {
	for _, call := range a.indirect {
		if a.isOpened[call] {
			continue
		}
		target := a.value(call.Callee).find()
		if !target.nowhere() && len(target.node.functions) > 0 && !target.node.unknown && !target.node.heap {
			continue
		}
		a.isOpened[call] = true
		t := &tree.FunctionType{Unspecified: true}
		if p, ok := call.Callee.Type().(*tree.Pointer); ok {
			if f, ok := p.Elem.(*tree.FunctionType); ok {
				t = f
			}
		}
		a.open(call, t, lib.Function{})
	}
}

// outside unifies what functions without bodies hand out. If they return or write any pointers, these, and all that is in the
// memory that they reach, lead to an object of their own, or to anything that they reach. As they may keep what they are given,
// that is one set for all of them; a function of the library has a set for each call.
func (a *analysis) outside() {
	hand := func(to *cell, c cell) {
		if to.nowhere() {
			holder := a.fresh()
			*to = a.link(holder)
			to.node.heap = true
			a.undefined = append(a.undefined, holder)
		}
		a.unify(*to, c)
	}
	for before := -1; before != a.unions; {
		before = a.unions
		for _, o := range a.opened {
			handed := &o.handed
			if o.keeps {
				handed = &a.handed
			}
			written := map[*node]bool{}
			reached := a.reach(o.roots, written)
			receives := o.keeps && !a.handed.nowhere()
			var links []cell
			for _, n := range reached {
				to := a.pointers(n)
				links = append(links, to...)
				receives = receives || written[n] && len(to) > 0
			}
			if !receives {
				continue
			}
			for _, c := range links {
				hand(handed, c)
			}
			for _, r := range o.roots {
				hand(handed, r.at)
			}
		}
		if len(a.returned) > 0 && (len(a.given) > 0 || !a.handed.nowhere()) {
			for _, c := range append(slices.Clone(a.returned), a.given...) {
				hand(&a.handed, c)
			}
		}
		if !a.handed.nowhere() {
			for _, c := range a.given {
				hand(&a.handed, c)
			}
		}
	}
}

// pointers is where the pointers lead that a node holds.
func (a *analysis) pointers(n *node) []cell {
	for _, offset := range sortedKeys(n.accesses) {
		if slices.ContainsFunc(n.accesses[offset], tree.IsPointer) {
			a.link(cell{n, offset})
		}
	}
	var out []cell
	for _, offset := range sortedKeys(n.links) {
		out = append(out, n.links[offset])
	}
	return out
}

// reach are the nodes that a function reaches from its roots, through the pointers in what it reaches. Those that it may write
// are added to written, unless that is nil: what a root leads to if the root says so, and all that is behind it.
func (a *analysis) reach(roots []root, written map[*node]bool) []*node {
	var out []*node
	seen := map[*node]bool{}
	add := func(c cell, writes bool) {
		n := c.find().node
		if n == nil {
			return
		}
		if writes && written != nil {
			written[n] = true
		}
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, r := range roots {
		add(r.at, r.written)
	}
	for i := 0; i < len(out); i++ {
		for _, offset := range sortedKeys(out[i].links) {
			add(out[i].links[offset], true)
		}
	}
	return out
}

// Written are the groups that a call may write if it executes a function that is not there, or one of the library whose
// writing is not known in detail.
func (r *Regions) Written(call *tree.Call) []*Group {
	var roots []root
	for _, o := range r.a.opened {
		if o.call == call {
			roots = append(roots, o.roots...)
		}
	}
	written := map[*node]bool{}
	r.a.reach(roots, written)
	var out []*Group
	for _, g := range r.Groups {
		for n := range written {
			if r.byNode[n] == g {
				out = append(out, g)
			}
		}
	}
	return out
}

// GivesFunction tells whether a call of a function that is not there may be given the address of a function of the program.
func (r *Regions) GivesFunction(call *tree.Call) bool {
	for _, o := range r.a.opened {
		if o.call != call {
			continue
		}
		for _, n := range r.a.reach(o.roots, nil) {
			if slices.ContainsFunc(n.functions, func(f *tree.Function) bool { return f.Body != nil }) {
				return true
			}
		}
	}
	return false
}

// Stand makes a call that no analysed function has stand for one that an analysed function has.
func (r *Regions) Stand(call, original *tree.Call) {
	for _, o := range r.a.opened {
		if o.call == original {
			r.a.opened = append(r.a.opened, &opened{call: call, roots: o.roots})
		}
	}
	if c, ok := r.a.values[original]; ok {
		r.a.values[call] = c
	}
}
