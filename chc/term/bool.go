package term

import (
	"cmp"
	"fmt"
	"slices"
)

// maxFlatten bounds the arguments of a nested conjunction or disjunction that are copied into the one around it.
// Without it a chain of n nested binary conjunctions would cost n*n.
const maxFlatten = 1024

func (p *Pool) check(ok bool, what string, ts ...*Term) {
	if !ok {
		msg := "term: ill-sorted " + what + ":"
		for _, t := range ts {
			msg += fmt.Sprintf(" %s", t.sort)
		}
		panic(msg)
	}
}

func byID(a, b *Term) int { return cmp.Compare(a.id, b.id) }

// sortTerms sorts by ID and drops repetitions.
func sortTerms(ts []*Term) []*Term {
	sorted := true
	for i := 1; i < len(ts); i++ {
		if ts[i-1].id >= ts[i].id {
			sorted = false
			break
		}
	}
	if sorted {
		return ts
	}
	if len(ts) <= 12 {
		for i := 1; i < len(ts); i++ {
			for j := i; j > 0 && ts[j-1].id > ts[j].id; j-- {
				ts[j-1], ts[j] = ts[j], ts[j-1]
			}
		}
	} else {
		slices.SortFunc(ts, byID)
	}
	return slices.Compact(ts)
}

// True returns true.
func (p *Pool) True() *Term { return p.tru }

// False returns false.
func (p *Pool) False() *Term { return p.fls }

// Bool returns the truth value b.
func (p *Pool) Bool(b bool) *Term {
	if b {
		return p.tru
	}
	return p.fls
}

// Not returns the negation of t. A double negation vanishes; conjunctions and disjunctions are not pushed through.
func (p *Pool) Not(t *Term) *Term {
	switch t.op {
	case True:
		return p.fls
	case False:
		return p.tru
	case Not:
		return t.args[0]
	}
	p.check(t.sort == Bool, "not", t)
	return p.intern(Not, Bool, nil, t)
}

// And returns the conjunction of ts: flattened, sorted by ID, without repetitions, true; false when it has a false or
// complementary argument. The empty conjunction is true. A nested conjunction of more than 1024 arguments is kept as an
// argument; Conjuncts looks through it.
func (p *Pool) And(ts ...*Term) *Term { return p.junction(And, ts) }

// Or returns the disjunction of ts, normalised like And. The empty disjunction is false.
func (p *Pool) Or(ts ...*Term) *Term { return p.junction(Or, ts) }

func (p *Pool) junction(op Op, ts []*Term) *Term {
	unit, zero := p.tru, p.fls
	if op == Or {
		unit, zero = zero, unit
	}
	var scratch [16]*Term
	args := scratch[:0]
	for _, t := range ts {
		switch {
		case t == unit:
		case t == zero:
			return zero
		case t.op == op && len(t.args) <= maxFlatten:
			args = append(args, t.args...)
		default:
			p.check(t.sort == Bool, op.String(), t)
			args = append(args, t)
		}
	}
	args = sortTerms(args)
	switch len(args) {
	case 0:
		return unit
	case 1:
		return args[0]
	}
	for _, t := range args {
		// A negation is younger than what it negates, so both are in the list when the inner one is found.
		if t.op == Not {
			if _, ok := slices.BinarySearchFunc(args, t.args[0], byID); ok {
				return zero
			}
		}
	}
	return p.intern(op, Bool, nil, args...)
}

// Implies returns Or(Not(a), b).
func (p *Pool) Implies(a, b *Term) *Term { return p.Or(p.Not(a), b) }

// Iff returns the equality of two Boolean terms.
func (p *Pool) Iff(a, b *Term) *Term {
	p.check(a.sort == Bool && b.sort == Bool, "iff", a, b)
	return p.Eq(a, b)
}

// Xor returns Not(Iff(a, b)).
func (p *Pool) Xor(a, b *Term) *Term { return p.Not(p.Iff(a, b)) }

// Ite returns "if c then a else b"; a and b have one sort.
func (p *Pool) Ite(c, a, b *Term) *Term {
	p.check(c.sort == Bool && a.sort == b.sort, "ite", c, a, b)
	if c.op == Not {
		c, a, b = c.args[0], b, a
	}
	switch {
	case c.op == True:
		return a
	case c.op == False:
		return b
	}
	if a.op == Ite && a.args[0] == c {
		a = a.args[1]
	}
	if b.op == Ite && b.args[0] == c {
		b = b.args[2]
	}
	if a == b {
		return a
	}
	if a.sort == Bool {
		switch {
		case a == c || a.op == True:
			return p.Or(c, b)
		case b == c || b.op == False:
			return p.And(c, a)
		case a.op == False || a.op == Not && a.args[0] == c:
			return p.And(p.Not(c), b)
		case b.op == True || b.op == Not && b.args[0] == c:
			return p.Or(p.Not(c), a)
		case a.op == Not && a.args[0] == b, b.op == Not && b.args[0] == a:
			return p.Eq(c, a)
		}
	}
	return p.intern(Ite, a.sort, nil, c, a, b)
}

// Eq returns the equality of two terms of one sort. Arithmetic equalities have the form "normalised sum = numeral".
func (p *Pool) Eq(a, b *Term) *Term {
	p.check(a.sort == b.sort, "=", a, b)
	if a == b {
		return p.tru
	}
	switch a.sort.Kind {
	case IntKind, RealKind:
		return p.compare(EQ, a, b)
	case BoolKind:
		return p.iff(a, b)
	}
	if a.op == Construct && b.op == Construct {
		return p.eqConstruct(a, b, map[[2]*Term]*Term{})
	}
	return p.eqOpaque(a, b)
}

// eqOpaque is the equality of two different terms whose sort has no rules of its own.
func (p *Pool) eqOpaque(a, b *Term) *Term {
	switch {
	case a.flags&b.flags&flagValue != 0:
		return p.fls
	case a.op == ConstArray && b.op == ConstArray:
		return p.Eq(a.args[0], b.args[0])
	}
	if a.id > b.id {
		a, b = b, a
	}
	return p.intern(Eq, Bool, nil, a, b)
}

// eqConstruct is the equality of two constructor terms: of their fields. memo keeps terms with shared fields from taking
// exponential time.
func (p *Pool) eqConstruct(a, b *Term, memo map[[2]*Term]*Term) *Term {
	if a == b {
		return p.tru
	}
	if a.ext != b.ext || a.flags&b.flags&flagValue != 0 {
		return p.fls
	}
	if t := memo[[2]*Term{a, b}]; t != nil {
		return t
	}
	parts := make([]*Term, len(a.args))
	for i, x := range a.args {
		if y := b.args[i]; x.op == Construct && y.op == Construct {
			parts[i] = p.eqConstruct(x, y, memo)
		} else {
			parts[i] = p.Eq(x, y)
		}
	}
	t := p.And(parts...)
	memo[[2]*Term{a, b}] = t
	return t
}

func (p *Pool) iff(a, b *Term) *Term {
	switch {
	case a.op == True:
		return b
	case b.op == True:
		return a
	case a.op == False:
		return p.Not(b)
	case b.op == False:
		return p.Not(a)
	}
	x, pa := a.Atom()
	y, pb := b.Atom()
	var t *Term
	if x == y {
		t = p.tru
	} else {
		if x.id > y.id {
			x, y = y, x
		}
		t = p.intern(Eq, Bool, nil, x, y)
	}
	if pa != pb {
		return p.Not(t)
	}
	return t
}

// Ne returns Not(Eq(a, b)).
func (p *Pool) Ne(a, b *Term) *Term { return p.Not(p.Eq(a, b)) }

// Distinct says that the terms, all of one sort, differ pairwise.
func (p *Pool) Distinct(ts ...*Term) *Term {
	if len(ts) > 2 {
		if n := p.finiteSize(ts[0].sort); n > 0 && len(ts) > n {
			return p.fls
		}
	}
	var parts []*Term
	for i, a := range ts {
		for _, b := range ts[:i] {
			parts = append(parts, p.Ne(b, a))
		}
	}
	return p.And(parts...)
}

// Conjuncts returns the conjuncts of t: none for true, t itself when it is no conjunction.
func Conjuncts(t *Term) []*Term { return juncts(And, True, t) }

// Disjuncts returns the disjuncts of t: none for false, t itself when it is no disjunction.
func Disjuncts(t *Term) []*Term { return juncts(Or, False, t) }

func juncts(op, unit Op, t *Term) []*Term {
	if t.op == unit {
		return nil
	}
	var out []*Term
	stack := []*Term{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.op != op {
			out = append(out, t)
			continue
		}
		for _, a := range slices.Backward(t.args) {
			stack = append(stack, a)
		}
	}
	return out
}

// Forall returns the universal quantification of body over vars. Variables that are not free in the body are dropped,
// directly nested universal quantifiers are joined.
func (p *Pool) Forall(vars []*Term, body *Term) *Term { return p.quantify(Forall, vars, body) }

// Exists returns the existential quantification of body over vars, normalised like Forall.
func (p *Pool) Exists(vars []*Term, body *Term) *Term { return p.quantify(Exists, vars, body) }

func (p *Pool) quantify(op Op, vars []*Term, body *Term) *Term {
	p.check(body.sort == Bool, op.String(), body)
	if body.IsGround() {
		return body
	}
	free := map[*Term]bool{}
	for _, v := range Vars(body) {
		free[v] = true
	}
	var bound []*Term
	for _, v := range vars {
		if v.op != Var {
			panic("term: quantification over the term " + v.String())
		}
		if free[v] && !slices.Contains(bound, v) {
			bound = append(bound, v)
		}
	}
	if len(bound) == 0 {
		return body
	}
	if body.op == op {
		// The inner variables are bound in the inner body, so no outer one is among them.
		bound = append(bound, body.ext.q.bound...)
		body = body.args[0]
	}
	return p.own(op, Bool, &key{bound: bound}, body)
}

// freeWithout returns the free variables of t without those in bound.
func freeWithout(t *Term, bound []*Term) []*Term {
	return slices.DeleteFunc(Vars(t), func(v *Term) bool { return slices.Contains(bound, v) })
}
