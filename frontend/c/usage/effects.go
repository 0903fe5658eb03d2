package usage

import (
	"slices"
	"strings"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Change is what evaluating something may change.
type Change struct {
	// Globals says that objects that other functions see may change: something is called or stored through a pointer.
	Globals bool
	// Objects are changed by name, or have their address given to what is called.
	Objects []*tree.Object
	// Guarded says that whether the evaluation happens matters for more than its value: it changes something, ends the
	// path, or is checked for a fault.
	Guarded bool
	// Asks says that a run has to be asked for a result if, and only if, the evaluation happens: that of a function without a
	// body, or of the library.
	Asks bool
}

// Conditional tells whether it matters that something is evaluated only if its value is needed.
func (c *Change) Conditional() bool { return c.Guarded || c.Asks }

func (c *Change) Writes() bool { return c.Globals || len(c.Objects) > 0 }

// Effects finds what evaluating changes, once for each node.
type Effects struct {
	// asked are the kinds of faults that evaluating something is checked for.
	asked   fault.Set
	program *tree.Program
	known   map[tree.Node]*Change
}

func NewEffects(program *tree.Program, asked fault.Set) *Effects {
	return &Effects{asked: asked, program: program, known: map[tree.Node]*Change{}}
}

var NoEffect = &Change{}

// Of is what evaluating a node changes; a nil node changes nothing.
func (e *Effects) Of(n tree.Node) *Change {
	switch n.(type) {
	case nil, *tree.Constant, *tree.FloatConstant, *tree.Use, *tree.FunctionAddress:
		return NoEffect
	}
	if c := e.known[n]; c != nil {
		return c
	}
	c := &Change{}
	tree.EachChild(n, func(child tree.Node) {
		if below := e.Of(child); below != NoEffect {
			c.Globals = c.Globals || below.Globals
			c.Guarded = c.Guarded || below.Guarded
			c.Asks = c.Asks || below.Asks
			c.Objects = append(c.Objects, below.Objects...)
		}
	})
	switch n := n.(type) {
	case *tree.Assign, *tree.Update:
		e.store(c, tree.Written(n)[0])
	case *tree.Call:
		e.call(c, n)
	case *tree.Declare:
		c.Objects = append(c.Objects, n.Object)
		c.Guarded = true
	case *tree.StatementValue, *tree.UnsupportedValue, *tree.Unsupported, *tree.Assembly, *tree.Havoc, *tree.Return, *tree.Goto, *tree.Break, *tree.Continue:
		c.Guarded = true
	case *tree.Binary:
		c.Guarded = c.Guarded || e.checked(n.T, n.Op)
	case *tree.Unary:
		c.Guarded = c.Guarded || n.Op == tree.Neg && e.checked(n.T, tree.Sub)
	case *tree.Convert:
		c.Guarded = c.Guarded || e.asked.Has(fault.Conversion)
	case *tree.Load:
		c.Guarded = c.Guarded || e.asked.Has(fault.Dereference) && accesses(n.Place)
	case *tree.PointerSum, *tree.Address:
		c.Guarded = c.Guarded || e.asked.Has(fault.Dereference)
	}
	if !c.Writes() && !c.Conditional() {
		c = NoEffect
	}
	e.known[n] = c
	return c
}

// checked tells whether an operation is checked for a fault.
func (e *Effects) checked(t tree.Type, op tree.BinaryOp) bool {
	i, ok := t.(*tree.Integer)
	if !ok {
		return false
	}
	overflow := fault.UnsignedOverflow
	if i.Signed {
		overflow = fault.Overflow
	}
	switch op {
	case tree.Add, tree.Sub, tree.Mul:
		return e.asked.Has(overflow)
	case tree.Div, tree.Rem:
		return e.asked.Has(fault.Division) || i.Signed && e.asked.Has(fault.Overflow)
	case tree.Shl:
		return e.asked.Has(fault.Shift) || i.Signed && e.asked.Has(fault.Overflow)
	case tree.Shr:
		return e.asked.Has(fault.Shift)
	}
	return false
}

// accesses tells whether finding a place depends on a pointer or an index.
func accesses(p tree.Place) bool {
	for {
		switch q := p.(type) {
		case *tree.Member:
			p = q.Struct
		case *tree.Element, *tree.Dereference:
			return true
		default:
			return false
		}
	}
}

func (e *Effects) store(c *Change, p tree.Place) {
	c.Guarded = true
	if o := Owner(p); o != nil {
		c.Objects = append(c.Objects, o)
	} else {
		c.Globals = true
	}
}

func (e *Effects) call(c *Change, n *tree.Call) {
	if n.Function != nil {
		meaning := Meaning(n.Target(), e.asked)
		if o := e.program.Errno; o != nil && meaning.SetsErrno() {
			c.Objects, c.Guarded = append(c.Objects, o), true
		}
		switch meaning.Kind {
		case lib.Expect, lib.Valid:
			return
		case lib.Compute, lib.Math:
			// Those with pointers store something, and those of <fenv.h> set the direction of rounding.
			if !strings.HasPrefix(n.Function.Name, "fe") && !slices.ContainsFunc(n.Arguments, func(a tree.Value) bool { return tree.IsPointer(a.Type()) }) {
				return
			}
		case lib.System:
			c.Asks = true
			if len(meaning.Globals()) == 0 && meaning.Shares() == "" {
				return
			}
		case lib.Ordinary:
			c.Asks = c.Asks || n.Function.Body == nil
			if n.Function.Body == nil && !PassesMemory(n) {
				return
			}
		}
	}
	c.Globals, c.Guarded = true, true
	for _, a := range n.Arguments {
		tree.Inspect(a, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Address:
				if o := Owner(n.Place); o != nil {
					c.Objects = append(c.Objects, o)
				}
			case *tree.Load:
				// A parameter that stands for a named object.
				if u, ok := n.Place.(*tree.Use); ok && tree.IsPointer(u.Object.Type) {
					c.Objects = append(c.Objects, u.Object)
				}
			}
			return true
		})
	}
}

// Owner is the object that a place is or is a part of; nil behind a pointer and for what has no name.
func Owner(p tree.Place) *tree.Object {
	for {
		switch q := tree.Root(p).(type) {
		case *tree.Use:
			return q.Object
		case *tree.Dereference:
			// A parameter that stands for an object may stand at the root, too.
			a, ok := withoutSteps(q.Pointer).(*tree.Address)
			if !ok {
				return nil
			}
			p = a.Place
		default:
			return nil
		}
	}
}

// withoutSteps is the pointer that sums and conversions begin with.
func withoutSteps(v tree.Value) tree.Value {
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

// PassesMemory tells whether a call has an argument that memory may be reached by.
func PassesMemory(v *tree.Call) bool {
	return slices.ContainsFunc(v.Arguments, func(a tree.Value) bool {
		_, structure := a.Type().(*tree.Struct)
		return structure || tree.IsPointer(a.Type())
	})
}
