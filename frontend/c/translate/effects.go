package translate

import (
	"slices"
	"strings"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// change is what evaluating something may change.
type change struct {
	// globals says that objects that other functions see may change: something is called or stored through a pointer.
	globals bool
	// objects are changed by name, or have their address given to what is called.
	objects []*tree.Object
	// guarded says that whether the evaluation happens matters for more than its value: it changes something, ends the
	// path, or is checked for overflow.
	guarded bool
	// asks says that a run has to be asked for a result if, and only if, the evaluation happens: that of a function without a
	// body, or of the library.
	asks bool
}

// conditional tells whether it matters that something is evaluated only if its value is needed.
func (c *change) conditional() bool { return c.guarded || c.asks }

func (c *change) some() bool { return c.globals || len(c.objects) > 0 }

// effectsOf finds what evaluating changes, once for each node.
type effectsOf struct {
	options Options
	program *tree.Program
	known   map[tree.Node]*change
}

func newEffects(program *tree.Program, options Options) *effectsOf {
	return &effectsOf{options: options, program: program, known: map[tree.Node]*change{}}
}

var nothing = &change{}

// of is what evaluating a node changes; a nil node changes nothing.
func (e *effectsOf) of(n tree.Node) *change {
	switch n.(type) {
	case nil, *tree.Constant, *tree.FloatConstant, *tree.Use, *tree.FunctionAddress:
		return nothing
	}
	if c := e.known[n]; c != nil {
		return c
	}
	c := &change{}
	tree.EachChild(n, func(child tree.Node) {
		if below := e.of(child); below != nothing {
			c.globals = c.globals || below.globals
			c.guarded = c.guarded || below.guarded
			c.asks = c.asks || below.asks
			c.objects = append(c.objects, below.objects...)
		}
	})
	switch n := n.(type) {
	case *tree.Assign:
		e.store(c, n.Place)
	case *tree.Update:
		e.store(c, n.Place)
	case *tree.Call:
		e.call(c, n)
	case *tree.Declare:
		c.objects = append(c.objects, n.Object)
		c.guarded = true
	case *tree.StatementValue, *tree.UnsupportedValue, *tree.Unsupported, *tree.Assembly, *tree.Return, *tree.Goto, *tree.Break, *tree.Continue:
		c.guarded = true
	case *tree.Binary:
		c.guarded = c.guarded || e.checked(n.T, n.Op)
	case *tree.Unary:
		c.guarded = c.guarded || n.Op == tree.Neg && e.checked(n.T, tree.Sub)
	}
	if !c.some() && !c.conditional() {
		c = nothing
	}
	e.known[n] = c
	return c
}

// checked tells whether an operation is checked for overflow.
func (e *effectsOf) checked(t tree.Type, op tree.BinaryOp) bool {
	i, ok := t.(*tree.Integer)
	if !ok || !i.Signed || e.options.Property != NoOverflow {
		return false
	}
	switch op {
	case tree.Add, tree.Sub, tree.Mul, tree.Div, tree.Shl:
		return true
	}
	return false
}

func (e *effectsOf) store(c *change, p tree.Place) {
	c.guarded = true
	if o := owner(p); o != nil {
		c.objects = append(c.objects, o)
	} else {
		c.globals = true
	}
}

func (e *effectsOf) call(c *change, n *tree.Call) {
	if n.Function != nil {
		meaning := known(n.Target(), e.options)
		if o := e.program.Errno; o != nil && meaning.SetsErrno() {
			c.objects, c.guarded = append(c.objects, o), true
		}
		switch meaning.Kind {
		case lib.Expect:
			return
		case lib.Compute, lib.Math:
			// Those with pointers store something, and those of <fenv.h> set the direction of rounding.
			if !strings.HasPrefix(n.Function.Name, "fe") && !slices.ContainsFunc(n.Arguments, func(a tree.Value) bool { return tree.IsPointer(a.Type()) }) {
				return
			}
		case lib.System:
			c.asks = true
			if len(meaning.Globals()) == 0 && meaning.Shares() == "" {
				return
			}
		case lib.Ordinary:
			c.asks = c.asks || n.Function.Body == nil
			if n.Function.Body == nil && !passesMemory(n) {
				return
			}
		}
	}
	c.globals, c.guarded = true, true
	for _, a := range n.Arguments {
		tree.Inspect(a, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Address:
				if o := owner(n.Place); o != nil {
					c.objects = append(c.objects, o)
				}
			case *tree.Load:
				// A parameter that stands for a named object.
				if u, ok := n.Place.(*tree.Use); ok && tree.IsPointer(u.Object.Type) {
					c.objects = append(c.objects, u.Object)
				}
			}
			return true
		})
	}
}

// owner is the object that a place is or is a part of; nil behind a pointer and for what has no name.
func owner(p tree.Place) *tree.Object {
	for {
		switch q := tree.Root(p).(type) {
		case *tree.Use:
			return q.Object
		case *tree.Dereference:
			// A parameter that stands for an object may stand at the root, too.
			a, ok := steppedFrom(q.Pointer).(*tree.Address)
			if !ok {
				return nil
			}
			p = a.Place
		default:
			return nil
		}
	}
}

// steppedFrom is the pointer that sums and conversions begin with.
func steppedFrom(v tree.Value) tree.Value {
	for {
		switch w := v.(type) {
		case *tree.PointerSum:
			v = w.P
		case *tree.Convert:
			v = w.X
		default:
			return v
		}
	}
}
