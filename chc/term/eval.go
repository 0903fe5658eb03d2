package term

// Evaluator evaluates terms under a partial assignment. A result that depends on a variable without a value, a
// division by zero, a field of another constructor's value or a quantifier is undetermined; a result that does not
// depend on the undetermined part is determined. Results are kept, so the assignment must not change. An evaluator is
// not for concurrent use.
type Evaluator struct {
	p    *Pool
	a    Assignment
	memo Map[int32] // a truth, or numTruths + an index of vals
	vals []Value
	// total evaluators give operations that SMT-LIB leaves open a default value.
	total bool
}

// The memoised truths of Boolean terms, and "undetermined" of any term.
const (
	unknown int32 = iota
	isFalse
	isTrue
	numTruths
)

// NewEvaluator returns an evaluator of p's terms under a. The value of an Apply is asked of a as the function applied
// to value terms.
func NewEvaluator(p *Pool, a Assignment) *Evaluator { return &Evaluator{p: p, a: a} }

// NewTotalEvaluator returns an evaluator under the interpretation in which a quotient or remainder by zero is 0, and a
// field of another constructor's value the DefaultValue of its sort: one of those that SMT-LIB allows. What holds under
// it need not hold under others.
func NewTotalEvaluator(p *Pool, a Assignment) *Evaluator { return &Evaluator{p: p, a: a, total: true} }

// Eval returns t's value and whether it is determined.
func (e *Evaluator) Eval(t *Term) (Value, bool) {
	e.prepare(t)
	return e.value(t)
}

// True reports whether the Boolean term t is determined and true.
func (e *Evaluator) True(t *Term) bool {
	e.prepare(t)
	return e.truth(t) == isTrue
}

// False reports whether the Boolean term t is determined and false.
func (e *Evaluator) False(t *Term) bool {
	e.prepare(t)
	return e.truth(t) == isFalse
}

// prepare evaluates the arguments of a very deep term bottom-up, so that the recursion stays flat.
func (e *Evaluator) prepare(t *Term) {
	if t.depth <= safeDepth {
		return
	}
	for _, u := range postorder(t, func(u *Term) bool {
		_, done := e.memo.Get(u)
		return !done && len(u.args) > 0 && !u.IsQuantifier()
	}) {
		if u.sort == Bool {
			e.truth(u)
		} else {
			e.value(u)
		}
	}
}

func truthOf(b bool) int32 {
	if b {
		return isTrue
	}
	return isFalse
}

func negate(x int32) int32 {
	if x == unknown {
		return x
	}
	return isTrue + isFalse - x
}

// truth evaluates a Boolean term.
func (e *Evaluator) truth(t *Term) int32 {
	switch t.op {
	case True:
		return isTrue
	case False:
		return isFalse
	case Not:
		return negate(e.truth(t.args[0]))
	}
	if x, ok := e.memo.Get(t); ok {
		return x
	}
	x := e.evalTruth(t)
	e.memo.Put(t, x)
	return x
}

func (e *Evaluator) evalTruth(t *Term) int32 {
	switch t.op {
	case And, Or:
		// zero ends the search, the other truth is the unit.
		zero := truthOf(t.op == Or)
		out := negate(zero)
		for _, a := range t.args {
			switch e.truth(a) {
			case zero:
				return zero
			case unknown:
				out = unknown
			}
		}
		return out
	case Ite:
		return e.iteTruth(t)
	case Le, Lt:
		if x, ok := e.num(t.args[0]); ok {
			c := x.Cmp(t.args[1].ext.num)
			return truthOf(c < 0 || c == 0 && t.op == Le)
		}
		return unknown
	case Eq:
		return e.equal(t.args[0], t.args[1])
	case Divides:
		if x, ok := e.num(t.args[1]); ok {
			_, r := EuclidDiv(x, t.args[0].ext.num)
			return truthOf(r.IsZero())
		}
		return unknown
	case IsInt:
		if x, ok := e.num(t.args[0]); ok {
			return truthOf(x.IsInt())
		}
		return unknown
	case Is:
		if x, ok := e.value(t.args[0]); ok {
			return truthOf(x.term.ext.ctor == t.ext.ctor)
		}
		return unknown
	case BVUle, BVSle:
		x, ok := e.num(t.args[0])
		y, ok2 := e.num(t.args[1])
		if ok && ok2 {
			return truthOf(bvCompare(t.op, x, y, t.args[0].sort.Width))
		}
		return unknown
	case Forall, Exists:
		// Determined only where the body is, whatever the bound variables are.
		inner := &Evaluator{p: e.p, a: masked{e.a, t.ext.q.bound}, total: e.total}
		inner.prepare(t.args[0])
		return inner.truth(t.args[0])
	}
	if v, ok := e.evalOther(t); ok {
		return truthOf(v.Bool())
	}
	return unknown
}

func (e *Evaluator) iteTruth(t *Term) int32 {
	switch e.truth(t.args[0]) {
	case isTrue:
		return e.truth(t.args[1])
	case isFalse:
		return e.truth(t.args[2])
	}
	if a := e.truth(t.args[1]); a != unknown && a == e.truth(t.args[2]) {
		return a
	}
	return unknown
}

func (e *Evaluator) equal(a, b *Term) int32 {
	if a.sort == Bool {
		x := e.truth(a)
		if x == unknown {
			return unknown
		}
		y := e.truth(b)
		if y == unknown {
			return unknown
		}
		return truthOf(x == y)
	}
	if a.sort.IsArith() && b.op == Numeral {
		if x, ok := e.num(a); ok {
			return truthOf(x.Equal(b.ext.num))
		}
		return unknown
	}
	x, ok := e.value(a)
	if !ok {
		return unknown
	}
	y, ok := e.value(b)
	if !ok {
		return unknown
	}
	return truthOf(x.Equal(y))
}

// num evaluates an Int, Real or bit-vector term.
func (e *Evaluator) num(t *Term) (Num, bool) {
	switch t.op {
	case Numeral, BVNumeral:
		return t.ext.num, true
	case Add:
		if len(t.args) <= 4 {
			// Short sums are cheaper to compute than to look up.
			return e.sum(t)
		}
	}
	v, ok := e.value(t)
	return v.num, ok
}

func (e *Evaluator) sum(t *Term) (Num, bool) {
	var sum Num
	for _, a := range t.args {
		if a.op == Numeral {
			sum = sum.Add(a.ext.num)
			continue
		}
		m := monomial(a)
		x, ok := e.num(m.Term)
		if !ok {
			return Num{}, false
		}
		sum = sum.Add(m.Coef.Mul(x))
	}
	return sum, true
}

// value evaluates a term of any sort.
func (e *Evaluator) value(t *Term) (Value, bool) {
	if t.sort == Bool {
		x := e.truth(t)
		return BoolValue(x == isTrue), x != unknown
	}
	if t.IsValue() {
		return TermValue(t), true
	}
	if i, ok := e.memo.Get(t); ok {
		if i == unknown {
			return Value{}, false
		}
		return e.vals[i-numTruths], true
	}
	v, ok := e.evalValue(t)
	i := unknown
	if ok {
		i = numTruths + int32(len(e.vals))
		e.vals = append(e.vals, v)
	}
	e.memo.Put(t, i)
	return v, ok
}

func (e *Evaluator) evalValue(t *Term) (Value, bool) {
	switch t.op {
	case Ite:
		switch e.truth(t.args[0]) {
		case isTrue:
			return e.value(t.args[1])
		case isFalse:
			return e.value(t.args[2])
		}
		x, ok := e.value(t.args[1])
		if !ok {
			return Value{}, false
		}
		y, ok := e.value(t.args[2])
		return x, ok && x.Equal(y)
	case Var, Select, Field, Apply, Store, ConstArray, Construct:
		return e.evalOther(t)
	}
	n, ok := e.evalNum(t)
	return Value{sort: t.sort, num: n}, ok
}

// evalNum evaluates the arithmetic and bit-vector operators.
func (e *Evaluator) evalNum(t *Term) (Num, bool) {
	switch t.op {
	case Add:
		return e.sum(t)
	case Mul:
		prod, all := Num{n: 1}, true
		for _, a := range t.args {
			x, ok := e.num(a)
			if ok && x.IsZero() {
				return x, true
			}
			prod, all = prod.Mul(x), all && ok
		}
		return prod, all
	}
	x, ok := e.num(t.args[0])
	if !ok {
		return Num{}, false
	}
	w := t.args[0].sort.Width
	switch len(t.args) {
	case 1:
		switch t.op {
		case Abs:
			return x.Abs(), true
		case ToReal, BVToNat:
			return x, true
		case ToInt:
			return x.Floor(), true
		case NatToBV:
			return wrap(x, t.sort.Width), true
		case BVNot, BVNeg:
			return bvEval1(t.op, x, w), true
		}
		return bvEvalIndexed(t.op, x, w, int(t.ext.hi), int(t.ext.lo)), true
	case 2:
		y, ok := e.num(t.args[1])
		if !ok {
			return Num{}, false
		}
		switch t.op {
		case RealDiv, IntDiv, Mod:
			if y.IsZero() {
				return Num{}, e.total
			}
			if t.op == RealDiv {
				return x.Div(y), true
			}
			q, r := EuclidDiv(x, y)
			if t.op == Mod {
				return r, true
			}
			return q, true
		case BVConcat:
			return x.Mul(Pow2(t.args[1].sort.Width)).Add(y), true
		}
		return bvEval2(t.op, x, y, w), true
	}
	panic("term: no evaluation of " + t.op.String())
}
