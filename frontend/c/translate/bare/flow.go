package bare

import (
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// Program is what Find looks at.
type Program struct {
	Reached *usage.Reached
	// Faults are the kinds of faults that are looked for: what functions mean depends on them.
	Faults fault.Set
	// InMemory tells whether an object is reached through pointers. The others have variables of their own.
	InMemory func(*tree.Object) bool
	// Regions is how memory behind pointers is divided; nil if that is not known. It may be costly, and is called only if needed.
	Regions func() *region.Regions
}

// Flow says where values may come to that come from objects without one, as far as the assignments on the ways and what is stored
// where tell. Nil stands for a program that has no such values.
type Flow struct {
	program Program
	// objects that are not in memory, results of functions, and groups of regions may have such values.
	objects map[*tree.Object]bool
	results map[*tree.Function]bool
	groups  map[*region.Group]bool
	changed bool
	// known is what May found; nil while places are still being found.
	known map[tree.Node]bool
}

// Find finds where values may come to that come from the objects in unset, which may be read before they have a value, and from what
// the program allocates; nil if there are none.
func Find(p Program, unset map[*tree.Object]bool) *Flow {
	b := &Flow{program: p, objects: map[*tree.Object]bool{}, results: map[*tree.Function]bool{}, groups: map[*region.Group]bool{}}
	for o := range unset {
		b.reachesObject(o)
	}
	for _, f := range p.Reached.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			call, ok := n.(*tree.Call)
			if !ok || call.Function == nil {
				return true
			}
			if m := usage.Meaning(call.Target(), p.Faults); m.Kind == lib.Allocate && m.Name != "calloc" && m.Name != "kzalloc" {
				if r := p.Regions(); r != nil {
					b.reachesGroup(r.Target(call))
				}
			}
			return true
		})
	}
	if len(b.objects) == 0 && len(b.groups) == 0 {
		return nil
	}
	for b.changed = true; b.changed; {
		b.changed = false
		for _, f := range p.Reached.Functions {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				b.flow(f, n)
				return true
			})
		}
	}
	b.known = map[tree.Node]bool{}
	return b
}

// flow notes what one node lets values come to.
func (b *Flow) flow(f *tree.Function, n tree.Node) {
	switch n := n.(type) {
	case *tree.Assign:
		if b.May(n.Value) {
			b.reachesPlace(n.Place)
		}
	case *tree.Update:
		if b.May(n.Operand) {
			b.reachesPlace(n.Place)
		}
	case *tree.Declare:
		for _, i := range n.Init {
			if i.Value != nil && b.May(i.Value) {
				b.reachesObject(n.Object)
			}
		}
	case *tree.Return:
		if n.Value != nil && b.May(n.Value) && !b.results[f] {
			b.results[f], b.changed = true, true
		}
	case *tree.Call:
		callees := b.program.Reached.AddressTaken
		if target := n.Target(); target != nil {
			callees = []*tree.Function{target}
			if usage.Meaning(target, b.program.Faults).Kind == lib.Memory {
				b.copies(n)
			}
		}
		for _, callee := range callees {
			for k, p := range callee.Params {
				if callee.Body != nil && k < len(n.Arguments) && b.May(n.Arguments[k]) {
					b.reachesObject(p)
				}
			}
		}
	}
}

// copies notes that what is in one group may come to another one by a call that gets pointers to both.
func (b *Flow) copies(call *tree.Call) {
	if len(b.groups) == 0 {
		return
	}
	regions := b.program.Regions()
	for _, from := range call.Arguments {
		for _, to := range call.Arguments {
			if tree.IsPointer(from.Type()) && tree.IsPointer(to.Type()) && b.groups[regions.Target(from)] {
				b.reachesGroup(regions.Target(to))
			}
		}
	}
}

func (b *Flow) reachesObject(o *tree.Object) {
	if b.program.InMemory(o) {
		if r := b.program.Regions(); r != nil {
			b.reachesGroup(r.GroupOfObject(o))
		}
	} else if !b.objects[o] {
		b.objects[o], b.changed = true, true
	}
}

func (b *Flow) reachesGroup(g *region.Group) {
	if g != nil && !b.groups[g] {
		b.groups[g], b.changed = true, true
	}
}

func (b *Flow) reachesPlace(p tree.Place) {
	if o := usage.Owner(p); o != nil {
		b.reachesObject(o)
	} else if r := b.program.Regions(); r != nil {
		b.reachesGroup(r.Group(&region.Location{Place: p}))
	}
}

// May tells whether something in a value may come from an object without one.
func (b *Flow) May(n tree.Node) bool {
	if b == nil || n == nil {
		return false
	}
	if known, ok := b.known[n]; ok {
		return known
	}
	found := false
	tree.Inspect(n, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Load:
			found = found || b.place(n.Place)
		case *tree.Update:
			found = found || b.place(n.Place)
		case *tree.Call:
			if target := n.Target(); target != nil {
				found = found || b.results[target]
				break
			}
			for _, callee := range b.program.Reached.AddressTaken {
				found = found || b.results[callee]
			}
		}
		return !found
	})
	if b.known != nil {
		b.known[n] = found
	}
	return found
}

// place tells whether a place may hold a value that comes from an object without one.
func (b *Flow) place(p tree.Place) bool {
	if o := usage.Owner(p); o != nil {
		return b.Object(o)
	}
	return len(b.groups) > 0 && b.groups[b.program.Regions().Group(&region.Location{Place: p})]
}

// Object tells whether an object, in memory or not, may hold a value that comes from an object without one.
func (b *Flow) Object(o *tree.Object) bool {
	switch {
	case b == nil:
		return false
	case !b.program.InMemory(o):
		return b.objects[o]
	}
	return len(b.groups) > 0 && b.groups[b.program.Regions().GroupOfObject(o)]
}

// Group tells whether what regions of a group hold may come from objects without values.
func (b *Flow) Group(g *region.Group) bool { return b != nil && b.groups[g] }

// Result tells whether the result of a function may come from an object without a value.
func (b *Flow) Result(f *tree.Function) bool { return b != nil && b.results[f] }
