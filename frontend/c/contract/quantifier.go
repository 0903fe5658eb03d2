package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// Quantified conditions are evaluated at single values. One of which any value decides, a \forall that is asserted or an \exists that
// is assumed, is about a variable with any value. Of a \forall that is assumed and of an \exists that is asserted the values are tried
// that the rest of the program suggests, which says less of the former and asks more of the latter: what is proved so holds, and
// runs that come there show nothing, for which a statement stands that they cannot execute.

// weakened is a quantified condition that is evaluated at suggested values. It is part of condition.
type weakened struct {
	value     *tree.StatementValue
	asserted  bool
	universal bool
	depth     int // how many others are around it
	condition tree.Value
}

// skolem is an object with any value, the same one for a whole run.
func (w *instrumenter) skolem(like *tree.Object) *tree.Object {
	o := &tree.Object{Name: like.Name + ".any", Type: like.Type, Storage: tree.Static, External: true, Pos: like.Pos}
	*w.Static = append(*w.Static, o)
	w.suggested = append(w.suggested, o)
	return o
}

// bound is the variable of a quantified condition.
func bound(v *tree.StatementValue) *tree.Declare { return v.Block.Statements[0].(*tree.Declare) }

// quantify has the quantified conditions in one that is asserted or assumed evaluated at single values. Where it is not known whether
// a condition supports the one around it, it is unsupported.
func (w *instrumenter) quantify(name string, condition tree.Value) {
	known := map[*tree.StatementValue]bool{}
	var visit func(v tree.Value, positive bool, depth int)
	visit = func(v tree.Value, positive bool, depth int) {
		switch v := v.(type) {
		case *tree.Logical:
			visit(v.X, positive, depth)
			visit(v.Y, positive, depth)
		case *tree.Conditional:
			if v.Then != nil {
				visit(v.Then, positive, depth)
				visit(v.Else, positive, depth)
			}
		case *tree.Convert:
			if i, ok := v.T.(*tree.Integer); ok && (i.Bool || i.Bits >= 32) {
				visit(v.X, positive, depth)
			}
		case *tree.Unary:
			if v.Op == tree.Not {
				visit(v.X, !positive, depth)
			}
		case *tree.StatementValue:
			universal, ok := w.Quantifiers[v]
			if !ok {
				return
			}
			known[v] = true
			inner := v.Result
			// An assertion fails if there is a value against it, an assumption holds if there is one for it.
			switch {
			case universal != (positive == (name == asserting)):
				w.weakened = append(w.weakened, &weakened{value: v, asserted: name == asserting, universal: universal, depth: depth, condition: condition})
				depth++
			case depth > 0 || w.Modular == "" && len(w.old[bound(v).Object]) == 0:
				// It has another value for each that is tried of the one around it.
			case name == asserting:
				d := bound(v)
				any := w.skolem(d.Object)
				for _, old := range w.old[d.Object] {
					replace(old.Init[0].Value, d.Object, any)
				}
				*d = *tree.Initialise(d.Object, tree.Read(any, v.Position), v.Position)
			default:
				k := bound(v).Object
				v.Result = &tree.Comma{At: v.At, First: &tree.Assign{At: v.At,
					Place: &tree.Use{At: v.At, Object: w.skolem(k)}, Value: tree.Read(k, v.Position)}, Second: inner}
			}
			visit(inner, positive, depth)
		}
	}
	visit(condition, true, 0)
	tree.Inspect(condition, func(n tree.Node) bool {
		if v, ok := n.(*tree.StatementValue); ok && w.quantifier(v) && !known[v] {
			v.Block.Statements = append(v.Block.Statements, &tree.Unsupported{At: v.At, What: undecided})
		}
		return true
	})
}

// most is how many values are tried of a quantified condition within as many others.
var most = []int{24, 6, 3}

// instantiate evaluates what is weakened at the suggested values.
func (w *instrumenter) instantiate() {
	for _, q := range slices.Backward(w.weakened) {
		v := q.value
		at := v.At
		k := bound(v).Object
		v.Block.Statements = append(v.Block.Statements, &tree.Havoc{At: at, Only: true, Body: &tree.Empty{At: at}})
		var values []tree.Value
		if q.asserted {
			values = w.mentioned(q)
		}
		for _, o := range w.suggested {
			values = append(values, tree.Read(o, at.Position))
		}
		for _, c := range w.constants {
			values = append(values, constant(at.Position, w.Program.Int, c))
		}
		values = values[:min(len(values), most[min(q.depth, len(most)-1)])]
		inner := v.Result
		var all tree.Value
		for _, value := range w.kept(q, values) {
			one := inner
			set := func(o *tree.Object, v tree.Value) {
				one = &tree.Comma{At: at, First: &tree.Assign{At: at, Place: &tree.Use{At: at, Object: o}, Value: v}, Second: one}
			}
			for i, o := range value.places {
				set(o, tree.Read(value.old[i], at.Position))
			}
			set(k, &tree.Convert{At: at, T: k.Type, X: value.value, Explicit: true})
			if all != nil {
				one = &tree.Logical{At: at, T: w.Program.Int, Or: !q.universal, X: all, Y: one}
			}
			all = one
		}
		if v.Result = all; all == nil {
			truth := int64(1)
			if !q.universal {
				truth = 0
			}
			v.Result = constant(at.Position, w.Program.Int, truth)
		}
		v.T = v.Result.Type()
	}
	for _, p := range w.places {
		if len(p.block.Statements) == 0 {
			p.block.Statements = []tree.Statement{stop(p.old.Init[0].Value, aboutLocals)}
		}
	}
}

// mentioned are values that a condition names: what the variable is compared with, with its neighbours, and scalars.
func (w *instrumenter) mentioned(q *weakened) []tree.Value {
	at := q.value.At
	k := bound(q.value).Object
	own := map[*tree.Object]bool{}
	tree.Inspect(q.condition, func(n tree.Node) bool {
		if d, ok := n.(*tree.Declare); ok {
			own[d.Object] = true
		}
		return true
	})
	var out []tree.Value
	tree.Inspect(q.value.Result, func(n tree.Node) bool {
		b, ok := n.(*tree.Binary)
		if !ok || !b.Op.Comparison() {
			return true
		}
		for _, sides := range [][2]tree.Value{{b.X, b.Y}, {b.Y, b.X}} {
			x, ok := w.sum(sides[1], own)
			if !ok || objectOf(sides[0]) != k {
				continue
			}
			out = append(out, x)
			if b.Op != tree.Eq && b.Op != tree.Ne && !isConstant(sides[1]) {
				one := func(op tree.BinaryOp) tree.Value {
					return &tree.Binary{At: at, T: k.Type, Op: op, X: &tree.Convert{At: at, T: k.Type, X: x, Explicit: true},
						Y: &tree.Convert{At: at, T: k.Type, X: constant(at.Position, w.Program.Int, 1)}}
				}
				out = append(out, one(tree.Sub))
			}
		}
		return true
	})
	tree.Inspect(q.condition, func(n tree.Node) bool {
		if l, ok := n.(*tree.Load); ok && !own[objectOf(l)] {
			if x, ok := w.sum(l, own); ok {
				out = append(out, x)
			}
		}
		return true
	})
	return out
}

// objectOf is the object whose value an expression is, nil if it is another one.
func objectOf(v tree.Value) *tree.Object {
	for {
		switch x := v.(type) {
		case *tree.Convert:
			v = x.X
		case *tree.Load:
			if u, ok := x.Place.(*tree.Use); ok {
				return u.Object
			}
			return nil
		default:
			return nil
		}
	}
}

func isConstant(v tree.Value) bool {
	for {
		c, ok := v.(*tree.Convert)
		if !ok {
			_, ok := v.(*tree.Constant)
			return ok
		}
		v = c.X
	}
}

// wide is the type in which sums of narrower integers do not overflow.
func wide() *tree.Integer { return tree.NewInteger("long long", 64, true, 8) }

// sum is an expression again that adds integers narrower than 64 bits, or is an object's value: evaluating it in another place changes
// nothing and never overflows. It names none of the given objects.
func (w *instrumenter) sum(v tree.Value, without map[*tree.Object]bool) (tree.Value, bool) {
	const deep = 4
	var visit func(v tree.Value, alone bool, depth int) (tree.Value, bool)
	visit = func(v tree.Value, alone bool, depth int) (tree.Value, bool) {
		t, ok := v.Type().(*tree.Integer)
		if !ok || depth == deep {
			return nil, false
		}
		switch v := v.(type) {
		case *tree.Constant:
			return v, alone || v.Int.IsInt64() && v.Int.Int64() == int64(int32(v.Int.Int64()))
		case *tree.Convert:
			return visit(v.X, alone, depth+1)
		case *tree.Load:
			u, ok := v.Place.(*tree.Use)
			if !ok || without[u.Object] || u.Object.Volatile || t.Bits > 32 && !alone {
				return nil, false
			}
			return tree.Read(u.Object, v.Position), true
		case *tree.Binary:
			if v.Op != tree.Add && v.Op != tree.Sub {
				return nil, false
			}
			x, okX := visit(v.X, false, depth+1)
			y, okY := visit(v.Y, false, depth+1)
			if !okX || !okY {
				return nil, false
			}
			t := wide()
			convert := func(x tree.Value) tree.Value { return &tree.Convert{At: v.At, T: t, X: x} }
			return &tree.Binary{At: v.At, T: t, Op: v.Op, X: convert(x), Y: convert(y)}, true
		}
		return nil, false
	}
	return visit(v, true, 0)
}
