package live

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// Instruction is what an instruction executes, as it is in the source: a value, a declaration or a statement; nil for nothing that has
// values. To are the instructions that it may go to.
type Instruction struct {
	Source tree.Node
	To     []int
}

// Body is what is known of a function's body: what may be read from each of its instructions on, and the instructions that begin with a
// call, before which nothing is computed that they need after it.
type Body struct {
	Before []Set
	Calls  map[tree.Node]int
}

// Look finds out about a body whose objects have numbers below count. Objects that are used by their addresses may be read at any time, and so
// may those without names, which lengths of types are in.
func Look(instructions []Instruction, numbers map[*tree.Object]int, count int) *Body {
	b := &Body{Calls: map[tree.Node]int{}}
	ops := make([]Op, len(instructions))
	var always []int
	for o, n := range numbers {
		if o.Name == "" {
			always = append(always, n)
		}
	}
	for at, in := range instructions {
		o := &ops[at]
		o.To = in.To
		tree.Inspect(in.Source, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Use:
				if i, ok := numbers[n.Object]; ok {
					o.Reads = append(o.Reads, i)
				}
			case *tree.Address:
				if i, ok := numbers[tree.RootObject(n.Place)]; ok {
					always = append(always, i)
				}
			}
			return true
		})
		written, itself := writes(in.Source)
		if i, ok := numbers[written]; ok {
			o.Writes = append(o.Writes, i)
			if !itself {
				o.Reads = slices.DeleteFunc(o.Reads, func(n int) bool { return n == i })
			}
		}
		if call := leading(in.Source); call != nil {
			b.Calls[call] = at
		}
	}
	for i := range ops {
		ops[i].Reads = append(ops[i].Reads, always...)
	}
	b.Before = Before(ops, count)
	return b
}

// writes is the object that is given a new value whatever happens, nil for none, and whether that value is computed from its former one.
func writes(n tree.Node) (o *tree.Object, itself bool) {
	switch n := n.(type) {
	case *tree.Declare:
		return n.Object, n.NamesItself()
	case *tree.Assign:
		if u, ok := n.Place.(*tree.Use); ok {
			return u.Object, tree.Names(n.Value, u.Object)
		}
	}
	return nil, false
}

// leading is the call that is evaluated before everything else, nil if there is none: what is computed before a call, and needed after it,
// is in no object.
func leading(n tree.Node) tree.Node {
	for {
		switch m := n.(type) {
		case *tree.Call:
			return m
		case *tree.Declare:
			if len(m.Init) != 1 {
				return nil
			}
			n = m.Init[0].Value
		case *tree.Convert:
			n = m.X
		case *tree.Unary:
			n = m.X
		case *tree.Logical:
			n = m.X
		case *tree.Conditional:
			n = m.Test
		case *tree.Binary:
			if _, constant := m.Y.(*tree.Constant); !constant {
				return nil
			}
			n = m.X
		case *tree.Assign:
			if _, named := m.Place.(*tree.Use); !named {
				return nil
			}
			n = m.Value
		default:
			return nil
		}
	}
}
