package tree

import (
	"cmp"
	"maps"
	"slices"
)

// Conflict is an object that one expression changes and, with no order that C says between the two, reads or changes.
type Conflict struct {
	Pos    Pos
	Object *Object
}

// Unsequenced are the conflicts in a statement or an expression, each place once: i = i++, or a[i] = i++. They are looked for among
// objects that are used by their names; what is behind pointers, and what called functions do, is not looked at.
func Unsequenced(n Node) []Conflict {
	f := &sequencer{seen: map[Conflict]bool{}}
	Inspect(n, func(n Node) bool {
		// An expression is looked at as a whole.
		switch n := n.(type) {
		case Value:
			f.value(n)
			return false
		}
		return true
	})
	return f.found
}

// effects are what evaluating an expression does to objects.
type effects struct {
	reads, writes map[*Object]bool
	// pending are the writes that need not be done when the expression has its value.
	pending map[*Object]bool
}

type sequencer struct {
	found []Conflict
	seen  map[Conflict]bool
}

func union(sets ...map[*Object]bool) map[*Object]bool {
	out := map[*Object]bool{}
	for _, s := range sets {
		for o := range s {
			out[o] = true
		}
	}
	return out
}

func (f *sequencer) conflict(n Node, a, b map[*Object]bool) {
	objects := slices.SortedFunc(maps.Keys(a), func(x, y *Object) int { return cmp.Compare(x.Unique, y.Unique) })
	for _, o := range objects {
		c := Conflict{n.Pos(), o}
		if b[o] && !f.seen[c] {
			f.seen[c] = true
			f.found = append(f.found, c)
		}
	}
}

// together are the effects of expressions that are evaluated in any order.
func (f *sequencer) together(n Node, parts ...effects) effects {
	var out effects
	for _, p := range parts {
		f.conflict(n, p.writes, union(out.reads, out.writes))
		f.conflict(n, out.writes, p.reads)
		out = effects{union(out.reads, p.reads), union(out.writes, p.writes), union(out.pending, p.pending)}
	}
	return out
}

// inOrder are the effects of expressions that are evaluated one after the other; pending are those of the last ones.
func inOrder(first effects, last ...effects) effects {
	out := effects{reads: first.reads, writes: first.writes}
	for _, l := range last {
		out = effects{union(out.reads, l.reads), union(out.writes, l.writes), union(out.pending, l.pending)}
	}
	return out
}

// place are the effects of finding a place, and the object that it is, if that has a name.
func (f *sequencer) place(p Place) (effects, *Object) {
	switch p := p.(type) {
	case *Use:
		if _, array := p.Object.Type.(*Array); array {
			return effects{}, nil
		}
		return effects{}, p.Object
	case *Dereference:
		return f.value(p.Pointer), nil
	case *Member:
		// Fields are objects of their own, which are not told apart here.
		e, _ := f.place(p.Struct)
		return e, nil
	case *Element:
		a, _ := f.place(p.Array)
		return f.together(p, a, f.value(p.Index)), nil
	case *Temporary:
		return f.value(p.Init), nil
	}
	return effects{}, nil
}

// store adds that an object changes after what is evaluated.
func (f *sequencer) store(n Node, e effects, o *Object) effects {
	if o == nil {
		return e
	}
	own := map[*Object]bool{o: true}
	f.conflict(n, own, e.pending)
	return effects{e.reads, union(e.writes, own), union(e.pending, own)}
}

func (f *sequencer) value(v Value) effects {
	switch v := v.(type) {
	case nil:
		return effects{}
	case *Load:
		e, o := f.place(v.Place)
		if o != nil {
			e.reads = union(e.reads, map[*Object]bool{o: true})
		}
		return e
	case *Address:
		e, _ := f.place(v.Place)
		return e
	case *Assign:
		e, o := f.place(v.Place)
		return f.store(v, f.together(v, e, f.value(v.Value)), o)
	case *Update:
		e, o := f.place(v.Place)
		e = f.together(v, e, f.value(v.Operand))
		if o != nil {
			e.reads = union(e.reads, map[*Object]bool{o: true})
		}
		return f.store(v, e, o)
	case *Unary:
		return f.value(v.X)
	case *Convert:
		return f.value(v.X)
	case *Binary:
		return f.together(v, f.value(v.X), f.value(v.Y))
	case *PointerSum:
		return f.together(v, f.value(v.P), f.value(v.Count))
	case *PointerDifference:
		return f.together(v, f.value(v.X), f.value(v.Y))
	case *Logical:
		return inOrder(f.value(v.X), f.value(v.Y))
	case *Comma:
		return inOrder(f.value(v.First), f.value(v.Second))
	case *Conditional:
		test := f.value(v.Test)
		if v.Then == nil {
			return inOrder(test, f.value(v.Else))
		}
		return inOrder(test, f.value(v.Then), f.value(v.Else))
	case *Call:
		parts := []effects{f.value(v.Callee)}
		for _, a := range v.Arguments {
			parts = append(parts, f.value(a))
		}
		// The function begins when its arguments are done.
		return inOrder(f.together(v, parts...))
	case *StatementValue:
		for _, c := range Unsequenced(v.Block) {
			if !f.seen[c] {
				f.seen[c] = true
				f.found = append(f.found, c)
			}
		}
		return inOrder(effects{}, f.value(v.Result))
	}
	return effects{}
}
