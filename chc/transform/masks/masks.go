package masks

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Pass returns the pass "masks". Solidity's compiler writes x & 4 for an integer x as bv2nat (bvand (int2bv x) 4), of which a solver
// knows little where x is a variable. Where a class of variables and arguments is used so only, compared and copied, its values are
// numbers of the vectors' width in all derivations, and it becomes a class of such vectors. Models come back as the same formulas over
// int2bv of the arguments, which are in the range; refutations by converting values.
func Pass() transform.Pass {
	return transform.Pass{
		Name:   "masks",
		Doc:    "Makes bit-vectors of the integers that are only converted to bit-vectors, compared and copied, where their values are in the range.",
		Repeat: true,
		Run:    run,
	}
}

func run(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if !slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool { return slices.ContainsFunc(c.Terms(), term.ConvertsBits) }) {
		return sys, nil, nil
	}
	c := findClasses(sys)
	widths, err := chooseWidths(ctx, env, sys, c)
	if err != nil || len(widths) == 0 {
		return sys, nil, err
	}
	e := &encoder{pool: sys.Pool, classes: c, widths: widths, vectors: map[transform.Local]*term.Term{}}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		preds[i] = transform.Spread(p, func(k int) ([]transform.Argument, bool) {
			w := e.width(transform.Place{Predicate: p, Position: k})
			if w == 0 {
				return nil, false
			}
			return []transform.Argument{{Sort: sys.Pool.BitVec(w)}}, true
		})
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, old := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		e.clause, e.done = i, map[*term.Term]*term.Term{}
		next := old.MapAtoms(func(a chc.App) chc.App { return e.atom(a, preds[a.Pred.ID]) })
		next.Constraint = e.term(old.Constraint)
		clauses[i] = next
	}
	next := transform.Rebuild(sys, preds, clauses)
	return next, &transform.Retyping{Old: sys, New: next, Recode: e.recode, Interpret: e.interpret}, nil
}

// encoder writes clauses with vectors for the classes that have a width.
type encoder struct {
	pool    *term.Pool
	classes *classes
	widths  map[any]int
	// vectors are what became of variables.
	vectors map[transform.Local]*term.Term

	clause int // the one that is written
	done   map[*term.Term]*term.Term
}

// width returns the width of a node, 0 if it stays an Int.
func (e *encoder) width(n any) int { return e.widths[e.classes.same.Find(n)] }

func (e *encoder) atom(a chc.App, pred *chc.Predicate) chc.App {
	out := chc.App{Pred: pred, Args: make([]*term.Term, len(a.Args))}
	for j, t := range a.Args {
		if w := e.width(transform.Place{Predicate: a.Pred, Position: j}); w > 0 {
			out.Args[j] = e.pool.Resize(e.vector(t), w, false)
		} else {
			out.Args[j] = e.term(t)
		}
	}
	return out
}

// variable returns the vector that became of a variable; nil of one that stays an Int.
func (e *encoder) variable(x transform.Local) *term.Term {
	w := e.width(x)
	if w > 0 && e.vectors[x] == nil {
		e.vectors[x] = e.pool.Fresh(x.Variable.Name(), e.pool.BitVec(w))
	}
	return e.vectors[x]
}

// term writes a term of the clause; the numbers of the vectors of variables stand where Int is needed.
func (e *encoder) term(t *term.Term) *term.Term {
	r := e.done[t]
	if r == nil {
		r = e.write(t)
		e.done[t] = r
	}
	return r
}

func (e *encoder) write(t *term.Term) *term.Term {
	switch {
	case t.IsVar():
		if v := e.variable(transform.Local{Clause: e.clause, Variable: t}); v != nil {
			return e.pool.BVToNat(v)
		}
		return t
	case t.IsQuantifier():
		return t
	case t.Op() == term.NatToBV && e.bits(t.Arg(0)) > 0:
		return e.pool.Resize(e.vector(t.Arg(0)), t.Sort().Width, false)
	}
	if a, ok := comparisonOf(e.pool, t); ok {
		if r := e.comparison(a); r != nil {
			return r
		}
	}
	return e.pool.MapArgs(t, e.term)
}

// bits returns the width of the vector of an Int term; 0 if it has none.
func (e *encoder) bits(t *term.Term) int {
	switch {
	case t.IsVar():
		return e.width(transform.Local{Clause: e.clause, Variable: t})
	case t.IsNumeral() && t.Num().Sign() >= 0:
		return max(1, t.Num().BigInt().BitLen())
	case t.Op() == term.BVToNat:
		return t.Arg(0).Sort().Width
	case t.Op() == term.Ite:
		if a, b := e.bits(t.Arg(1)), e.bits(t.Arg(2)); a > 0 && b > 0 {
			return max(a, b)
		}
	}
	return 0
}

// vector returns the vector of an Int term that has bits.
func (e *encoder) vector(t *term.Term) *term.Term {
	w := e.bits(t)
	switch {
	case t.IsVar():
		return e.variable(transform.Local{Clause: e.clause, Variable: t})
	case t.IsNumeral():
		return e.pool.BVNum(t.Num(), w)
	case t.Op() == term.BVToNat:
		return e.term(t.Arg(0))
	}
	return e.pool.Ite(e.term(t.Arg(0)), e.pool.Resize(e.vector(t.Arg(1)), w, false), e.pool.Resize(e.vector(t.Arg(2)), w, false))
}

// values returns the least and the largest value of a term that is a number or has bits.
func (e *encoder) values(t *term.Term) (least, most term.Num, ok bool) {
	if t.IsNumeral() {
		return t.Num(), t.Num(), true
	}
	w := e.bits(t)
	return term.Num{}, largest(w), w > 0
}

// comparison writes a comparison; nil if its terms have no vectors.
func (e *encoder) comparison(c comparison) *term.Term {
	low, high, okLeft := e.values(c.left)
	least, most, okRight := e.values(c.right)
	switch {
	case !okLeft || !okRight:
		return nil
	case c.relation == atMost && high.Cmp(least) <= 0:
		return e.pool.True()
	case low.Cmp(most) > 0 || c.relation == equal && high.Cmp(least) < 0:
		return e.pool.False()
	}
	// A number that is left is in the range of the other side.
	w := max(e.bits(c.left), e.bits(c.right))
	left, right := e.pool.Resize(e.vector(c.left), w, false), e.pool.Resize(e.vector(c.right), w, false)
	switch c.relation {
	case equal:
		return e.pool.Eq(left, right)
	case below:
		return e.pool.Not(e.pool.BV(term.BVUle, right, left))
	}
	return e.pool.BV(term.BVUle, left, right)
}

// recode says what became of a variable of a clause.
func (e *encoder) recode(clause int, x *term.Term) (transform.Recoding, bool) {
	v := e.variable(transform.Local{Clause: clause, Variable: x})
	if v == nil {
		return transform.Recoding{}, false
	}
	return transform.Recoding{Variables: []*term.Term{v}, Value: func(vs []term.Value) term.Value {
		return term.NumValue(vs[0].Num(), term.Int)
	}}, true
}

// interpret turns an interpretation over vectors into one over integers, false beyond the ranges.
func (e *encoder) interpret(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := transform.Parameters(e.pool, old)
	args := make([]*term.Term, len(params))
	var ranges []*term.Term
	for i, x := range params {
		args[i] = x
		if w := e.width(transform.Place{Predicate: old, Position: i}); w > 0 {
			args[i] = e.pool.NatToBV(w, x)
			ranges = append(ranges, within(e.pool, x, w))
		}
	}
	return witness.Interpretation{Params: params, Body: e.pool.And(append(ranges, in.Apply(e.pool, args))...)}, nil
}
