package translate

import (
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// reached is what the entry reaches.
type reached struct {
	program *tree.Program
	// functions have bodies that may run, in the order in which they were found.
	functions []*tree.Function
	has       map[*tree.Function]bool
	// objects live as long as the program and are named somewhere.
	objects []*tree.Object
	object  map[*tree.Object]bool
	// taken are the functions whose address is used, with bodies or not.
	taken   []*tree.Function
	isTaken map[*tree.Function]bool
}

// known is what a function means by its name. Error functions mean what their bodies say if overflows are looked for.
func known(f *tree.Function, options Options) lib.Function {
	meaning := lib.Meaning(f)
	if options.Property != Reach && f.Body != nil {
		return lib.Function{Name: f.Name}
	}
	return meaning
}

// reach finds what the entry reaches: by calls, by addresses of functions, and by initial values.
func reach(program *tree.Program, entry *tree.Function, options Options) *reached {
	r := &reached{program: program, has: map[*tree.Function]bool{}, object: map[*tree.Object]bool{}, isTaken: map[*tree.Function]bool{}}
	var queue []tree.Node
	function := func(f *tree.Function) {
		if f.Body == nil || r.has[f] || known(f, options).Kind != lib.Ordinary {
			return
		}
		r.has[f] = true
		r.functions = append(r.functions, f)
		queue = append(queue, f.Body)
	}
	visit := func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Use:
			o := n.Object
			if o.Storage == tree.Automatic || o.Storage == tree.Parameter || r.object[o] {
				return true
			}
			r.object[o] = true
			r.objects = append(r.objects, o)
			for _, i := range o.Init {
				if i.Value != nil {
					queue = append(queue, i.Value)
				}
			}
		case *tree.FunctionAddress:
			if !r.isTaken[n.Function] {
				r.isTaken[n.Function] = true
				r.taken = append(r.taken, n.Function)
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
