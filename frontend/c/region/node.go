package region

import (
	"math"
	"slices"

	"hornbeam/frontend/c/tree"
)

// node is a set of objects that pointers may not tell apart. Those that were unified with another one are only a way to
// it: parent, at delta bytes from its beginning.
type node struct {
	parent *node
	delta  int64

	id      int
	objects []placed
	// functions are what a pointer to the node may call.
	functions []*tree.Function
	// folds are the ranges in which offsets count modulo a stride, disjoint and ascending.
	folds []fold
	// links are what pointers in the node lead to, by their offsets.
	links map[int64]cell
	// accesses are the scalars that the program reads or writes in the node, by their offsets.
	accesses map[int64][]tree.Type
	// heap says that there may be any number of objects, unknown that an address may come from an integer or from code that
	// is not there; outside that objects are among them that are not the program's, which began with any values.
	heap, unknown, outside bool
	// ordered says that pointers to it are compared by their order, or subtracted from each other.
	ordered bool
}

// unassigned tells whether nothing is assigned to the pointers to a node, which may call anything then. What is not there may
// return a function of its own.
func (n *node) unassigned() bool { return len(n.functions) == 0 && !n.heap }

// placed is an object that begins at an offset of a node.
type placed struct {
	object *tree.Object
	offset int64
}

// fold says that all offsets from low to below high that are congruent modulo stride are the same memory.
type fold struct{ low, high, stride int64 }

// The ends of a fold over all offsets.
const (
	lowest  = math.MinInt64 / 4
	highest = math.MaxInt64 / 4
)

// cell is a place in memory: an offset of a node. A cell without a node is nowhere: a null pointer.
type cell struct {
	node   *node
	offset int64
}

func (c cell) nowhere() bool { return c.node == nil }

// find is the cell in terms of the node that stands for all that were unified, with its offset folded.
func (c cell) find() cell {
	if c.node == nil {
		return c
	}
	n, offset := c.node, c.offset
	for n.parent != nil {
		offset += n.delta
		n = n.parent
	}
	// Shorten the way for the next time.
	for m, o := c.node, c.offset; m.parent != nil && m.parent != n; {
		next, step := m.parent, m.delta
		m.parent, m.delta = n, offset-o
		m, o = next, o+step
	}
	return cell{n, n.normal(offset)}
}

// at is the cell some bytes further.
func (c cell) at(bytes int64) cell {
	if c.node == nil {
		return c
	}
	c = c.find()
	return cell{c.node, c.offset + bytes}.find()
}

// normal is the least offset in its fold that is the same memory.
func (n *node) normal(offset int64) int64 {
	for _, f := range n.folds {
		if offset >= f.low && offset < f.high {
			if f.low == lowest {
				return ((offset % f.stride) + f.stride) % f.stride
			}
			return f.low + (offset-f.low)%f.stride
		}
	}
	return offset
}

// graph is all nodes.
type graph struct {
	nodes []*node
	// unions counts the changes that unification made.
	unions int
}

func (g *graph) fresh() cell {
	n := &node{id: len(g.nodes), links: map[int64]cell{}, accesses: map[int64][]tree.Type{}}
	g.nodes = append(g.nodes, n)
	return cell{n, 0}
}

// link is what a pointer that is stored at a cell leads to.
func (g *graph) link(c cell) cell {
	c = c.find()
	to, ok := c.node.links[c.offset]
	if !ok {
		to = g.fresh()
		c.node.links[c.offset] = to
	}
	return to.find()
}

// unify makes two cells one.
func (g *graph) unify(a, b cell) {
	if a.nowhere() || b.nowhere() {
		return
	}
	a, b = a.find(), b.find()
	if a == b {
		return
	}
	g.unions++
	if a.node == b.node {
		// One node at two offsets: from here on these are the same, and so is all that is as far apart.
		distance := a.offset - b.offset
		if distance < 0 {
			distance = -distance
		}
		g.fold(a.node, fold{lowest, highest, distance})
		return
	}
	// b's node becomes part of a's, shifted so that the two offsets meet.
	into, from, delta := a.node, b.node, a.offset-b.offset
	from.parent, from.delta = into, delta
	into.heap = into.heap || from.heap
	into.unknown = into.unknown || from.unknown
	into.outside = into.outside || from.outside
	into.ordered = into.ordered || from.ordered
	into.functions = append(into.functions, from.functions...)
	for _, p := range from.objects {
		into.objects = append(into.objects, placed{p.object, p.offset + delta})
	}
	links, accesses := from.links, from.accesses
	from.links, from.accesses, from.objects, from.functions = nil, nil, nil, nil
	for _, f := range from.folds {
		if f.low != lowest {
			f.low, f.high = f.low+delta, f.high+delta
		}
		g.fold(into, f)
	}
	for _, offset := range sortedKeys(accesses) {
		for _, t := range accesses[offset] {
			access(cell{into, offset + delta}, t)
		}
	}
	for _, offset := range sortedKeys(links) {
		// What is unified on the way may have made into part of another node: cells find it.
		g.relink(cell{into, offset + delta}, links[offset])
	}
}

// relink says that the pointer at a cell leads to another one, too.
func (g *graph) relink(at, to cell) {
	at = at.find()
	if old, ok := at.node.links[at.offset]; ok {
		g.unify(old, to)
		return
	}
	at.node.links[at.offset] = to
}

// fold folds a range of a node, whose offsets are meant as they were when the node stood for itself, together with the
// ranges that it meets.
func (g *graph) fold(n *node, f fold) {
	c := cell{n, 0}
	shift := int64(0)
	for m := n; m.parent != nil; m = m.parent {
		shift += m.delta
		c.node = m.parent
	}
	n = c.node
	if f.low != lowest {
		f.low, f.high = f.low+shift, f.high+shift
	}
	for merged := true; merged; {
		merged = false
		for i, old := range n.folds {
			if old.high <= f.low || f.high <= old.low {
				continue
			}
			if old.low <= f.low && f.high <= old.high && f.stride%old.stride == 0 && distance(old, f)%old.stride == 0 {
				return // it is there already
			}
			f = fold{min(old.low, f.low), max(old.high, f.high), gcd(gcd(old.stride, f.stride), distance(old, f))}
			n.folds = slices.Delete(n.folds, i, i+1)
			merged = true
			break
		}
	}
	n.folds = append(n.folds, f)
	slices.SortFunc(n.folds, func(a, b fold) int { return int(min(max(a.low-b.low, -1), 1)) })
	// What lay at offsets that are the same now is the same.
	links, accesses := n.links, n.accesses
	n.links, n.accesses = map[int64]cell{}, map[int64][]tree.Type{}
	for _, offset := range sortedKeys(accesses) {
		for _, t := range accesses[offset] {
			access(cell{n, offset}, t)
		}
	}
	for _, offset := range sortedKeys(links) {
		g.relink(cell{n, offset}, links[offset])
	}
}

// begin is where a fold's first stride begins; those over all offsets begin at 0.
func begin(f fold) int64 {
	if f.low == lowest {
		return 0
	}
	return f.low
}

// distance is how far apart two folds begin.
func distance(a, b fold) int64 {
	d := begin(a) - begin(b)
	if d < 0 {
		return -d
	}
	return d
}

// access says that the program reads or writes a scalar at a cell.
func access(c cell, t tree.Type) {
	c = c.find()
	for _, old := range c.node.accesses[c.offset] {
		if tree.Same(old, t) {
			return
		}
	}
	c.node.accesses[c.offset] = append(c.node.accesses[c.offset], t)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func sortedKeys[V any](m map[int64]V) []int64 {
	keys := make([]int64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
