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
	connective("not", 1, 1, (*reader).bools, func(r *reader, ts []*term.Term) *term.Term { return r.pool.Not(ts[0]) }),
	{name: "and", id: opAnd, max: -1, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.And(r.bools(f, a)...)
	}},
	connective("or", 0, -1, (*reader).bools, func(r *reader, ts []*term.Term) *term.Term { return r.pool.Or(ts...) }),
	{name: "=>", id: opImplies, min: 2, max: -1, connective: true, build: buildImplies},
	{name: "implies", id: opImplies, min: 2, max: -1, connective: true, build: buildImplies},
	connective("xor", 2, -1, (*reader).bools, func(r *reader, ts []*term.Term) *term.Term { return left(ts, r.pool.Xor) }),
	connective("=", 2, -1, (*reader).alike, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Eq) }),
	connective("iff", 2, -1, (*reader).bools, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Iff) }),
	connective("distinct", 2, -1, (*reader).alike, func(r *reader, ts []*term.Term) *term.Term { return r.pool.Distinct(ts...) }),
	{name: "ite", min: 3, max: 3, connective: true, build: func(r *reader, f *frame, a []operand) *term.Term {
		r.wantBool(a[0], 0, "ite")
		ts := r.alike(f, a[1:])
		if a[0].pred && ts[0].Sort() != term.Bool {
			r.predicateInTerm(a[0], "ite")
		}
		return r.pool.Ite(a[0].t, ts[0], ts[1])
	}},

	on("+", 1, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.pool.Add(ts...) }),
	on("-", 1, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term {
		if len(ts) == 1 {
			return r.pool.Neg(ts[0])
		}
		return left(ts, r.pool.Sub)
	}),
	on("*", 1, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return left(ts, r.pool.Mul) }),
	on("/", 2, -1, (*reader).reals, func(r *reader, ts []*term.Term) *term.Term { return left(ts, r.pool.Div) }),
	on("div", 2, -1, (*reader).ints, func(r *reader, ts []*term.Term) *term.Term { return left(ts, r.pool.IntDiv) }),
	on("mod", 2, 2, (*reader).ints, func(r *reader, ts []*term.Term) *term.Term { return left(ts, r.pool.Mod) }),
	on("rem", 2, 2, (*reader).ints, func(r *reader, ts []*term.Term) *term.Term {
		// Z3's remainder has the sign of the divisor.
		m := r.pool.Mod(ts[0], ts[1])
		return r.pool.Ite(r.pool.Ge(ts[1], r.pool.Int(0)), m, r.pool.Neg(m))
	}),
	on("abs", 1, 1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.pool.Abs(ts[0]) }),
	on("<=", 2, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Le) }),
	on("<", 2, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Lt) }),
	on(">=", 2, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Ge) }),
	on(">", 2, -1, (*reader).numbers, func(r *reader, ts []*term.Term) *term.Term { return r.chain(ts, r.pool.Gt) }),
	on("to_real", 1, 1, (*reader).reals, func(_ *reader, ts []*term.Term) *term.Term { return ts[0] }),
	{name: "to_int", min: 1, max: 1, build: func(r *reader, f *frame, a []operand) *term.Term {
		if a[0].t.Sort() == term.Int {
			return a[0].t
		}
		return r.pool.ToInt(r.reals(f, a)[0])
	}},
	on("is_int", 1, 1, (*reader).reals, func(r *reader, ts []*term.Term) *term.Term { return r.pool.IsInt(ts[0]) }),

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

// on is an operator of min to max operands, which operands checks and converts before build sees them.
func on(name string, min, max int, operands func(*reader, *frame, []operand) []*term.Term, build func(*reader, []*term.Term) *term.Term) operator {
	return operator{name: name, min: min, max: max, build: func(r *reader, f *frame, a []operand) *term.Term {
		return build(r, operands(r, f, a))
	}}
}

// connective is on for an operator in whose operands predicates may occur.
func connective(name string, min, max int, operands func(*reader, *frame, []operand) []*term.Term, build func(*reader, []*term.Term) *term.Term) operator {
	op := on(name, min, max, operands, build)
	op.connective = true
	return op
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
		return left(r.vectors(f, a, true), func(x, y *term.Term) *term.Term { return r.pool.BV(op, x, y) })
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
func left(ts []*term.Term, op func(a, b *term.Term) *term.Term) *term.Term {
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

// bools returns the operands' terms, which must be Bool. Like alike, numbers and the others, it returns r.args, which is valid until the next call.
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
		t := r.converted(o.t, s)
		if t == nil {
			r.fail(o.off, "the arguments of %s should have one sort, but have %s and %s", f.head.name, s, o.t.Sort())
		}
		r.args = append(r.args, t)
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
	return r.all(f, a, term.Real)
}

// ints returns the operands' terms, which must be Int.
func (r *reader) ints(f *frame, a []operand) []*term.Term {
	return r.all(f, a, term.Int)
}

// all returns the operands' terms as terms of the sort s.
func (r *reader) all(f *frame, a []operand, s *term.Sort) []*term.Term {
	for i, o := range a {
		r.args = append(r.args, r.coerceArg(o, s, i, f.head.name))
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
