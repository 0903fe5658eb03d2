package read

import "hornbeam/frontend/c/tree"

// uses finds which functions and objects a program mentions, and what becomes of the objects.
type uses struct {
	functions map[*tree.Function]bool
	objects   map[*tree.Object]bool
	pending   []*tree.Object // mentioned, with initialisers that have not been looked at
}

// findUses sets which objects escape and are written, and leaves in the program only what it defines or mentions.
func (r *reader) findUses() {
	u := &uses{functions: map[*tree.Function]bool{}, objects: map[*tree.Object]bool{}}
	for _, f := range r.out.Functions {
		if f.Body != nil {
			u.functions[f] = true
			u.node(f.Body)
		}
	}
	for _, f := range r.addressed {
		u.functions[f] = true
	}
	for _, f := range r.out.Copies {
		u.node(f.Body)
	}
	for _, o := range r.mentioned {
		if o.Storage == tree.Global && !o.External {
			u.mention(o)
		}
	}
	for len(u.pending) > 0 {
		o := u.pending[len(u.pending)-1]
		u.pending = u.pending[:len(u.pending)-1]
		for _, i := range o.Init {
			if i.Value != nil {
				u.node(i.Value)
			}
		}
	}
	if u.objects[r.errno] {
		r.errno.Written, r.out.Errno = true, r.errno
	}
	for o := range u.objects {
		o.Const = o.Const && !o.Written
	}
	var functions []*tree.Function
	for _, f := range r.out.Functions {
		if u.functions[f] {
			functions = append(functions, f)
		}
	}
	r.out.Functions = functions
	for _, o := range r.mentioned {
		if u.objects[o] {
			r.out.Globals = append(r.out.Globals, o)
		}
	}
}

// inspect visits what the bodies of functions and the initial values of objects are made of, as tree.Inspect does.
func (r *reader) inspect(visit func(tree.Node) bool) {
	for _, f := range r.out.Functions {
		if f.Body != nil {
			tree.Inspect(f.Body, visit)
		}
	}
	for _, o := range r.mentioned {
		for _, i := range o.Init {
			if i.Value != nil {
				tree.Inspect(i.Value, visit)
			}
		}
	}
}

// mention notes that an object is part of the program.
func (u *uses) mention(o *tree.Object) {
	if u.objects[o] {
		return
	}
	u.objects[o] = true
	switch o.Storage {
	case tree.Global, tree.Static, tree.Literal:
		u.pending = append(u.pending, o)
	}
}

// node looks at a tree.
func (u *uses) node(n tree.Node) {
	tree.Inspect(n, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Use:
			u.mention(n.Object)
		case *tree.Call:
			if n.Function != nil {
				u.functions[n.Function] = true
			}
		case *tree.FunctionAddress:
			u.functions[n.Function] = true
		case *tree.Address:
			if o := tree.RootObject(n.Place); o != nil {
				o.Escapes = true
			}
		}
		for _, p := range tree.Written(n) {
			if o := tree.RootObject(p); o != nil {
				o.Written = true
			}
		}
		return true
	})
}

// called are the functions that something in the program may call.
func (r *reader) called() map[*tree.Function]bool {
	out := map[*tree.Function]bool{}
	visit := func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Call:
			if n.Function != nil {
				out[n.Function] = true
			}
		case *tree.FunctionAddress:
			out[n.Function] = true
		}
		return true
	}
	r.inspect(visit)
	for _, f := range r.out.Functions {
		if c := r.contracts.Functions[f]; c != nil {
			for _, condition := range c.Conditions() {
				tree.Inspect(condition, visit)
			}
		}
	}
	return out
}
