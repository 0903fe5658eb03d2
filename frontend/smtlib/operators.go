package smtlib

import (
	"slices"

	"hornbeam/chc/term"
)

// opID names the operators that the reader treats specially.
type opID uint8

const (
	opOther opID = iota
	opAnd
	opImplies
)

// operator is an operator of a theory. Its build function may rely on the number of operands.
type operator struct {
	name string
	id   opID
	// min and max bound the number of operands; a max below 0 is no bound.
	min, max int
	// connective says that predicates may occur in the operands.
	connective bool
	// indices is the number of indices of an indexed operator.
	indices int
	build   func(r *reader, f *frame, a []operand) *term.Term
}

// operators are the operators without indices.
var operators = slices.Concat([]operator{
	{name: "true", build: func(r *reader, _ *frame, _ []operand) *term.Term { return r.pool.True() }},
	{name: "false", build: func(r *reader, _ *frame, _ []operand) *term.Term { return r.pool.False() }},
	{name: "not", min: 1, max: 1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Not(r.bools(f, a)[0])
	}},
	{name: "and", id: opAnd, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.And(r.bools(f, a)...)
	}},
	{name: "or", max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Or(r.bools(f, a)...)
	}},
	{name: "=>", id: opImplies, min: 2, max: -1, connective: true, build: buildImplies},
	{name: "implies", id: opImplies, min: 2, max: -1, connective: true, build: buildImplies},
	{name: "xor", min: 2, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		ts := r.bools(f, a)
		out := ts[0]
		for _, t := range ts[1:] {
			out = r.pool.Xor(out, t)
		}
		return out
	}},
	{name: "=", min: 2, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.alike(f, a), r.pool.Eq)
	}},
	{name: "iff", min: 2, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.bools(f, a), r.pool.Iff)
	}},
	{name: "distinct", min: 2, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Distinct(r.alike(f, a)...)
	}},
	{name: "ite", min: 3, max: 3, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		r.wantBool(a[0], 0, "ite")
		ts := r.alike(f, a[1:])
		if a[0].pred && ts[0].Sort() != term.Bool {
			r.predicateInTerm(a[0], "ite")
		}
		return r.pool.Ite(a[0].t, ts[0], ts[1])
	}},

	{name: "+", min: 1, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Add(r.numbers(f, a)...)
	}},
	{name: "-", min: 1, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		ts := r.numbers(f, a)
		if len(ts) == 1 {
			return r.pool.Neg(ts[0])
		}
		return r.left(ts, r.pool.Sub)
	}},
	{name: "*", min: 1, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.left(r.numbers(f, a), r.pool.Mul)
	}},
	{name: "/", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.left(r.reals(f, a), r.pool.Div)
	}},
	{name: "div", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.left(r.ints(f, a), r.pool.IntDiv)
	}},
	{name: "mod", min: 2, max: 2, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.left(r.ints(f, a), r.pool.Mod)
	}},
	{name: "rem", min: 2, max: 2, build: func(r *reader, f *frame, a []operand) *term.Term {
		// Z3's remainder has the sign of the divisor.
		ts := r.ints(f, a)
		m := r.pool.Mod(ts[0], ts[1])
		return r.pool.Ite(r.pool.Ge(ts[1], r.pool.Int(0)), m, r.pool.Neg(m))
	}},
	{name: "abs", min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Abs(r.numbers(f, a)[0])
	}},
	{name: "<=", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.numbers(f, a), r.pool.Le)
	}},
	{name: "<", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.numbers(f, a), r.pool.Lt)
	}},
	{name: ">=", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.numbers(f, a), r.pool.Ge)
	}},
	{name: ">", min: 2, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.chain(r.numbers(f, a), r.pool.Gt)
	}},
	{name: "to_real", min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.reals(f, a)[0]
	}},
	{name: "to_int", min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		if a[0].t.Sort() == term.Int {
			return a[0].t
		}
		return r.pool.ToInt(r.reals(f, a)[0])
	}},
	{name: "is_int", min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.IsInt(r.reals(f, a)[0])
	}},

	{name: "select", min: 2, max: 2, build: func(r *reader, f *frame, a []operand) *term.Term {
		s := r.arraySort(f, a)
		return r.pool.Select(a[0].t, r.coerceArg(a[1], s.Index, 1, "select"))
	}},
	{name: "store", min: 3, max: 3, build: func(r *reader, f *frame, a []operand) *term.Term {
		s := r.arraySort(f, a)
		return r.pool.Store(a[0].t, r.coerceArg(a[1], s.Index, 1, "store"), r.coerceArg(a[2], s.Elem, 2, "store"))
	}},
}, bitVectorOperators)

// indexedOperators are the operators with indices.
var indexedOperators = map[string]*operator{
	"extract": {name: "extract", min: 1, max: 1, indices: 2, build: func(r *reader, f *frame, a []operand) *term.Term {
		t := r.vectors(f, a, false)[0]
		if hi, lo := f.index[0], f.index[1]; hi < lo || hi >= t.Sort().Width {
			r.fail(f.headOff, "bits %d to %d of a bit-vector of %d bits", hi, lo, t.Sort().Width)
		}
		return r.pool.Extract(f.index[0], f.index[1], t)
	}},
	"zero_extend":  bvIndexed("zero_extend", (*term.Pool).ZeroExtend),
	"sign_extend":  bvIndexed("sign_extend", (*term.Pool).SignExtend),
	"rotate_left":  bvIndexed("rotate_left", (*term.Pool).RotateLeft),
	"rotate_right": bvIndexed("rotate_right", (*term.Pool).RotateRight),
	"repeat":       bvIndexed("repeat", (*term.Pool).Repeat),
	"int2bv":       intToBV("int2bv"),
	"nat2bv":       intToBV("nat2bv"),
	"int_to_bv":    intToBV("int_to_bv"),
	"divisible": {name: "divisible", min: 1, max: 1, indices: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.Divides(f.divisor.Num(), r.ints(f, a)[0])
	}},
}

func intToBV(name string) *operator {
	return &operator{name: name, min: 1, max: 1, indices: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		if w := f.index[0]; w < 1 || w > maxWidth {
			r.fail(f.headOff, "a bit-vector has 1 to %d bits", maxWidth)
		}
		return r.pool.NatToBV(f.index[0], r.ints(f, a)[0])
	}}
}

func bvToInt(name string) operator {
	return operator{name: name, min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.BVToNat(r.vectors(f, a, true)[0])
	}}
}

func bvUnary(name string, op term.Op) operator {
	return operator{name: name, min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.BV(op, r.vectors(f, a, true)[0])
	}}
}

func bvBinary(name string, op term.Op) operator {
	return operator{name: name, min: 2, max: 2, build: func(r *reader, f *frame, a []operand) *term.Term {
		ts := r.vectors(f, a, true)
		return r.pool.BV(op, ts[0], ts[1])
	}}
}

func bvLeft(name string, op term.Op) operator {
	return operator{name: name, min: 1, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.left(r.vectors(f, a, true), func(x, y *term.Term) *term.Term { return r.pool.BV(op, x, y) })
	}}
}

func bvIndexed(name string, build func(*term.Pool, int, *term.Term) *term.Term) *operator {
	return &operator{name: name, min: 1, max: 1, indices: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		t := r.vectors(f, a, true)[0]
		k, w := f.index[0], t.Sort().Width
		switch name {
		case "repeat":
			if k < 1 {
				r.fail(f.headOff, "repeat needs at least one copy")
			}
			w *= k
		case "zero_extend", "sign_extend":
			w += k
		}
		r.wantWidth(f, w)
		return build(r.pool, k, t)
	}}
}

func buildImplies(r *reader, f *frame, a []operand) *term.Term {
	ts := r.bools(f, a)
	for i := range ts[:len(ts)-1] {
		ts[i] = r.pool.Not(ts[i])
	}
	return r.pool.Or(ts...)
}

// left folds ts from the left.
func (r *reader) left(ts []*term.Term, op func(a, b *term.Term) *term.Term) *term.Term {
	out := ts[0]
	for _, t := range ts[1:] {
		out = op(out, t)
	}
	return out
}

// chain is the conjunction of rel over neighbours.
func (r *reader) chain(ts []*term.Term, rel func(a, b *term.Term) *term.Term) *term.Term {
	if len(ts) == 2 {
		return rel(ts[0], ts[1])
	}
	var out []*term.Term
	for i, t := range ts[1:] {
		out = append(out, rel(ts[i], t))
	}
	return r.pool.And(out...)
}

// bools returns the operands' terms, which must be Bool. Like its sisters it returns r.args, good until the next call.
func (r *reader) bools(f *frame, a []operand) []*term.Term {
	for i, o := range a {
		r.wantBool(o, i, f.head.name)
		r.args = append(r.args, o.t)
	}
	return r.args
}

func (r *reader) wantBool(o operand, i int, name string) {
	if s := o.t.Sort(); s != term.Bool {
		r.fail(o.off, "argument %d of %s should have sort Bool, but has sort %s", i+1, name, s)
	}
}

// alike returns the operands' terms, which must have one sort; Int becomes Real when some are Real.
func (r *reader) alike(f *frame, a []operand) []*term.Term {
	s := a[0].t.Sort()
	for _, o := range a[1:] {
		if s == term.Int && o.t.Sort() == term.Real {
			s = term.Real
		}
	}
	for _, o := range a {
		switch got := o.t.Sort(); {
		case got == s:
			r.args = append(r.args, o.t)
		case got == term.Int && s == term.Real:
			r.args = append(r.args, r.pool.ToReal(o.t))
		default:
			r.fail(o.off, "the arguments of %s should have one sort, but have %s and %s", f.head.name, s, got)
		}
	}
	return r.args
}

// numbers returns the operands' terms, which must be Int or Real; Int becomes Real when some are Real.
func (r *reader) numbers(f *frame, a []operand) []*term.Term {
	for i, o := range a {
		if s := o.t.Sort(); !s.IsArith() {
			r.fail(o.off, "argument %d of %s should have sort Int or Real, but has sort %s", i+1, f.head.name, s)
		}
	}
	return r.alike(f, a)
}

// reals returns the operands' terms as Real.
func (r *reader) reals(f *frame, a []operand) []*term.Term {
	for i, o := range a {
		r.args = append(r.args, r.coerceArg(o, term.Real, i, f.head.name))
	}
	return r.args
}

// ints returns the operands' terms, which must be Int.
func (r *reader) ints(f *frame, a []operand) []*term.Term {
	for i, o := range a {
		r.args = append(r.args, r.coerceArg(o, term.Int, i, f.head.name))
	}
	return r.args
}

// vectors returns the operands' terms, which must be bit-vectors, of one width if equal is set.
func (r *reader) vectors(f *frame, a []operand, equal bool) []*term.Term {
	for i, o := range a {
		s := o.t.Sort()
		if !s.IsBitVec() {
			r.fail(o.off, "argument %d of %s should be a bit-vector, but has sort %s", i+1, f.head.name, s)
		}
		if equal && s != a[0].t.Sort() {
			r.fail(o.off, "the arguments of %s should have one width, but have %d and %d bits", f.head.name, a[0].t.Sort().Width, s.Width)
		}
		r.args = append(r.args, o.t)
	}
	return r.args
}

// arraySort is the sort of the first operand, which must be an array.
func (r *reader) arraySort(f *frame, a []operand) *term.Sort {
	s := a[0].t.Sort()
	if !s.IsArray() {
		r.fail(a[0].off, "argument 1 of %s should be an array, but has sort %s", f.head.name, s)
	}
	return s
}
