package region

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// Region is the memory that accesses share: an offset of all objects that pointers do not tell apart.
type Region struct {
	// ID counts from 0 in an order that depends on the program alone.
	ID int
	// Group is the set of objects that the region is a part of: addresses within one group have to differ, and a pointer to
	// one of its objects may lead to any of them.
	Group *Group
	// Offset is where the region begins in its objects.
	Offset int64
	// Types are the scalar types that it is accessed with, each once. If Mixed, they differ in size or overlap other
	// accesses, and only bytes tell what memory holds.
	Types []tree.Type
	Mixed bool
	// Single says that the region is one scalar of one object that exists once: it needs no map.
	Single bool

	// Stride is how far its scalars are from each other, or a divisor of that; 0 if it is one scalar of each object.
	Stride int64

	// low and high are the offsets that it covers.
	low, high int64
}

// Group is a set of objects.
type Group struct {
	ID int
	// Objects are the named ones, with the offsets at which they begin, which are not 0 where a pointer to a part of one
	// may be a pointer to the whole of another.
	Objects []Placed
	// Heap says that allocations are among them, Unknown that a pointer into the group may come from an integer or from
	// outside.
	Heap, Unknown bool
	// Outside says that objects are among them that are not the program's: what a parameter of main or an external object
	// leads to, or what a function without a body returned. They begin with any values.
	Outside bool
	// Given says that functions without bodies are given addresses of the group, so that they may return them.
	Given bool
	// Opaque says that its objects are allocated ones, and that pointers to them lead to where they begin and are only followed, copied
	// and compared for equality: which addresses they have does not matter, as long as they differ.
	Opaque bool
	// Start is the offset that the pointers to an opaque group lead to.
	Start int64
	// Functions are those that a pointer to the group may call.
	Functions []*tree.Function
	// Regions are the parts, by their offsets.
	Regions []*Region
}

// Placed is an object in a group.
type Placed struct {
	Object *tree.Object
	Offset int64
}

// Regions is what the analysis found.
type Regions struct {
	a      *analysis
	Groups []*Group
	byNode map[*node]*Group
	byCell map[cell]*Region
	// repeated are the automatic objects of functions that may call themselves.
	repeated map[*tree.Object]bool
}

// regions makes groups and regions of nodes, and drops what nothing accesses.
func (a *analysis) regions(functions []*tree.Function) *Regions {
	r := &Regions{a: a, byNode: map[*node]*Group{}, byCell: map[cell]*Region{}, repeated: recursive(functions, a.taken)}
	for _, n := range a.nodes {
		if n.parent != nil {
			continue
		}
		g := &Group{ID: len(r.Groups), Heap: n.heap, Unknown: n.unknown, Outside: n.outside, Functions: n.functions}
		for _, p := range n.objects {
			g.Objects = append(g.Objects, Placed{p.object, p.offset})
		}
		r.Groups = append(r.Groups, g)
		r.byNode[n] = g
		r.split(n, g)
		if len(g.Objects) == 1 && !g.Heap && !g.Unknown && !g.Outside && len(n.folds) == 0 && !r.repeated[g.Objects[0].Object] {
			for _, region := range g.Regions {
				region.Single = !region.Mixed
			}
		}
	}
	for _, c := range a.given {
		r.byNode[c.find().node].Given = true
	}
	id := 0
	for _, g := range r.Groups {
		for _, region := range g.Regions {
			region.ID = id
			id++
		}
	}
	return r
}

// split makes the regions of a node: accesses at different offsets that don't overlap. In a fold whose stride is less than
// an access reaches, neighbours overlap, so that all of the fold is one region.
func (r *Regions) split(n *node, g *Group) {
	width := func(offset int64) int64 {
		size := int64(0)
		for _, t := range n.accesses[offset] {
			size = max(size, t.Size())
		}
		return size
	}
	offsets := sortedKeys(n.accesses)
	beyond := make([]int64, len(n.folds)) // by how much accesses reach beyond the stride
	within := func(offset int64) int {
		return slices.IndexFunc(n.folds, func(f fold) bool { return offset >= f.low && offset < f.high })
	}
	for _, offset := range offsets {
		if k := within(offset); k >= 0 {
			f := n.folds[k]
			beyond[k] = max(beyond[k], offset+width(offset)-begin(f)-f.stride)
		}
	}
	end := int64(lowest)
	for _, offset := range offsets {
		types := n.accesses[offset]
		low, high, next := offset, offset+width(offset), offset+width(offset)
		mixed := false
		if k := within(offset); k >= 0 && beyond[k] > 0 {
			f := n.folds[k]
			mixed = true
			// What reaches beyond the last element is at offsets that are not folded.
			next = max(begin(f)+f.stride, f.high) + beyond[k]
			low, high = begin(f), next
		}
		if last := len(g.Regions) - 1; last >= 0 && offset < end {
			region := g.Regions[last]
			region.Mixed = true
			for _, t := range types {
				if !slices.ContainsFunc(region.Types, func(o tree.Type) bool { return tree.Same(o, t) }) {
					region.Types = append(region.Types, t)
				}
			}
			region.low, region.high = min(region.low, low), max(region.high, high)
			r.byCell[cell{n, offset}] = region
			end = max(end, next)
			continue
		}
		region := &Region{Group: g, Offset: offset, Types: types, Mixed: mixed, low: low, high: high}
		if k := within(offset); k >= 0 {
			region.Stride = n.folds[k].stride
		}
		for _, t := range types[1:] {
			if !tree.Alike(types[0], t) {
				region.Mixed = true
			}
		}
		g.Regions = append(g.Regions, region)
		r.byCell[cell{n, offset}] = region
		end = next
	}
}

// at is the region at a cell: that of the access there, or the one of several kinds of access whose bytes are there.
func (r *Regions) at(c cell) *Region {
	c = c.find()
	if region := r.byCell[c]; region != nil {
		return region
	}
	g := r.byNode[c.node]
	if g == nil {
		return nil
	}
	for _, region := range g.Regions {
		if region.Mixed && region.low <= c.offset && c.offset < region.high {
			return region
		}
	}
	return nil
}

// recursive are the automatic objects that may exist several times at once. Every automatic object may, as far as this
// analysis knows, unless its function cannot call itself.
func recursive(functions, taken []*tree.Function) map[*tree.Object]bool {
	calls := map[*tree.Function][]*tree.Function{}
	var indirect []*tree.Function
	for _, f := range functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				if n.Function != nil {
					calls[f] = append(calls[f], n.Target())
				} else {
					indirect = append(indirect, f)
				}
			}
			return true
		})
	}
	for _, f := range indirect {
		calls[f] = append(calls[f], taken...)
	}
	out := map[*tree.Object]bool{}
	for _, f := range functions {
		if reaches(calls, f, f) {
			for _, o := range append(slices.Clone(f.Params), f.Locals...) {
				out[o] = true
			}
		}
	}
	return out
}

// reaches tells whether a call of one function may lead to a call of the other.
func reaches(calls map[*tree.Function][]*tree.Function, from, to *tree.Function) bool {
	seen := map[*tree.Function]bool{}
	work := []*tree.Function{from}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, g := range calls[f] {
			if g == to {
				return true
			}
			if !seen[g] {
				seen[g] = true
				work = append(work, g)
			}
		}
	}
	return false
}

// Location is something in memory: Offset bytes behind the beginning of a place or an object, or behind where a pointer leads.
// One of Place, Pointer and Object is set.
type Location struct {
	Place   tree.Place
	Pointer tree.Value
	Object  *tree.Object
	Offset  int64
}

// cell is the location's cell, without the offset; one that is nowhere if the pointer leads nowhere, or no analysed function has it.
func (r *Regions) cell(l *Location) cell {
	switch {
	case l == nil:
		return cell{}
	case l.Place != nil:
		return r.a.places[l.Place]
	case l.Pointer != nil:
		return r.a.values[l.Pointer]
	}
	return r.a.objects[l.Object]
}

// Region is the region of the scalar at a location; nil if nothing accesses it.
func (r *Regions) Region(l *Location) *Region {
	if c := r.cell(l); !c.nowhere() {
		return r.at(c.at(l.Offset))
	}
	return nil
}

// Group is the group of a location; nil if no analysed function has it.
func (r *Regions) Group(l *Location) *Group {
	if c := r.cell(l); !c.nowhere() {
		return r.byNode[c.find().node]
	}
	return nil
}

// Begin is where a location is among the offsets of its group.
func (r *Regions) Begin(l *Location) int64 { return r.cell(l).at(l.Offset).offset }

// GroupOfObject is the group of an object, nil if no analysed function uses it.
func (r *Regions) GroupOfObject(o *tree.Object) *Group { return r.Group(&Location{Object: o}) }

// Target is the group of what a pointer leads to; nil if that is nowhere or no analysed function has the value.
func (r *Regions) Target(v tree.Value) *Group { return r.Group(&Location{Pointer: v}) }

// Repeated tells whether an automatic object may exist several times at once, as its function may call itself.
func (r *Regions) Repeated(o *tree.Object) bool { return r.repeated[o] }

// Callees are the functions that a call through a pointer may call.
func (r *Regions) Callees(call *tree.Call) []*tree.Function {
	var out []*tree.Function
	g := r.Target(call.Callee)
	if g == nil {
		return nil
	}
	unassigned := len(g.Functions) == 0 && !g.Heap
	for _, f := range r.a.taken {
		if tree.Compatible(f.Type, call) && (g.Unknown || unassigned || contains(g.Functions, f)) {
			out = append(out, f)
		}
	}
	return out
}

// Unfit are the functions that a call through a pointer may call, but whose arguments or results are passed in another way.
func (r *Regions) Unfit(call *tree.Call) []*tree.Function {
	var out []*tree.Function
	if g := r.Target(call.Callee); g != nil {
		for _, f := range g.Functions {
			if !tree.Compatible(f.Type, call) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Cut tells whether a location is in the midst of a scalar that some access reads or writes as one.
func (r *Regions) Cut(l *Location) bool {
	c := r.cell(l)
	if c.nowhere() {
		return false
	}
	c = c.at(l.Offset)
	if region := r.at(c); region != nil && region.Mixed {
		return false // it is bytes
	}
	n := c.node
	for _, begins := range sortedKeys(n.accesses) {
		width := int64(0)
		for _, t := range n.accesses[begins] {
			width = max(width, t.Size())
		}
		for k := int64(1); k < width; k++ {
			if n.normal(begins+k) == c.offset && begins != c.offset {
				return true
			}
		}
	}
	return false
}
