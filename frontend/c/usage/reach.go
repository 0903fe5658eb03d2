package usage

import (
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Reached is what the entry reaches.
type Reached struct {
	program *tree.Program
	// Functions have bodies that may run, in the order in which they were found.
	Functions   []*tree.Function
	HasFunction map[*tree.Function]bool
	// Objects live as long as the program and are named somewhere.
	Objects   []*tree.Object
	HasObject map[*tree.Object]bool
	// AddressTaken are the functions whose address is used, with bodies or not.
	AddressTaken []*tree.Function
	isTaken      map[*tree.Function]bool
}

// Meaning is what a function means by its name. Error functions mean what their bodies say if only faults of
// other kinds are asked for.
func Meaning(f *tree.Function, asked fault.Set) lib.Function {
	meaning := lib.Meaning(f)
	if !asked.Has(fault.Assertion) && f.Body != nil {
		return lib.Function{Name: f.Name}
	}
	return meaning
}

// Reach finds what the entry reaches: by calls, by addresses of functions, and by initial values.
func Reach(program *tree.Program, entry *tree.Function, asked fault.Set) *Reached {
	r := &Reached{program: program, HasFunction: map[*tree.Function]bool{}, HasObject: map[*tree.Object]bool{}, isTaken: map[*tree.Function]bool{}}
	var queue []tree.Node
	function := func(f *tree.Function) {
		if f.Body == nil || r.HasFunction[f] || Meaning(f, asked).Kind != lib.Ordinary {
			return
		}
		r.HasFunction[f] = true
		r.Functions = append(r.Functions, f)
		queue = append(queue, f.Body)
	}
	visit := func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Use:
			o := n.Object
			if o.Storage == tree.Automatic || o.Storage == tree.Parameter || r.HasObject[o] {
				return true
			}
			r.HasObject[o] = true
			r.Objects = append(r.Objects, o)
			for _, i := range o.Init {
				if i.Value != nil {
					queue = append(queue, i.Value)
				}
			}
		case *tree.FunctionAddress:
			if !r.isTaken[n.Function] {
				r.isTaken[n.Function] = true
				r.AddressTaken = append(r.AddressTaken, n.Function)
			}
			function(n.Function)
		case *tree.Call:
			if n.Function != nil {
				function(n.Target())
			}
		}
		return true
	}
	function(entry)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		tree.Inspect(next, visit)
	}
	return r
}
