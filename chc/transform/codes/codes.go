package codes

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// maxParts bounds the parts of the values of one argument.
const maxParts = 128

// Pass returns the pass "codes".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "codes",
		Doc: "Replaces arguments that are only copied and compared with constants by Booleans that tell which constant they are, or " +
			"between which ones.",
		Run: func(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			next, back, _, err := Encode(ctx, sys)
			return next, back, err
		},
	}
}

// Encode is the pass. By the predicates' IDs, groups has for each argument of the result the position of the argument that it is a bit
// of. It is nil when nothing changes.
func Encode(ctx context.Context, sys *chc.System) (next *chc.System, back transform.Translator, groups [][]int, err error) {
	e := newEncoder(sys)
	if len(e.codes) == 0 {
		return sys, nil, nil, nil
	}
	if next, err = e.system(ctx, sys); err != nil {
		return nil, nil, nil, err
	}
	groups = make([][]int, len(sys.Predicates))
	for i, p := range sys.Predicates {
		for k := range p.Sorts {
			n := 1
			if c := e.code(transform.Place{Predicate: p, Position: k}); c != nil {
				n = c.width()
			}
			for range n {
				groups[i] = append(groups[i], k)
			}
		}
	}
	return next, &transform.Retyping{Old: sys, New: next, Recode: e.recode, Interpret: e.interpret}, groups, nil
}

// encoder puts codes in place of values.
type encoder struct {
	pool    *term.Pool
	classes *classes
	// codes are by the classes' roots.
	codes map[any]*code
	// variables are the bits of variables.
	variables map[transform.Local][]*term.Term
}

// newEncoder chooses the codes for a system.
func newEncoder(sys *chc.System) *encoder {
	e := &encoder{pool: sys.Pool, classes: findClasses(sys), codes: map[any]*code{}, variables: map[transform.Local][]*term.Term{}}
	e.choose(sys)
	return e
}

// Count returns the number of arguments that are Boolean or that the pass replaces.
func Count(sys *chc.System) int {
	e := newEncoder(sys)
	n := 0
	for _, p := range sys.Predicates {
		for i, s := range p.Sorts {
			if s == term.Bool || coded(s) && e.code(transform.Place{Predicate: p, Position: i}) != nil {
				n++
			}
		}
	}
	return n
}

// choose finds the classes that get a code.
func (e *encoder) choose(sys *chc.System) {
	refused, ordered := map[any]bool{}, map[any]bool{}
	for _, n := range e.classes.refused {
		refused[e.classes.same.Find(n)] = true
	}
	for _, n := range e.classes.ordered {
		ordered[e.classes.same.Find(n)] = true
	}
	constants := map[any][]term.Num{}
	for _, c := range e.classes.constants {
		root := e.classes.same.Find(c.node)
		constants[root] = append(constants[root], c.value)
	}
	for _, p := range sys.Predicates {
		for i, s := range p.Sorts {
			root := e.classes.same.Find(transform.Place{Predicate: p, Position: i})
			if !coded(s) || refused[root] || e.codes[root] != nil {
				continue
			}
			if c := newCode(s, constants[root], ordered[root], maxParts); c != nil {
				e.codes[root] = c
			}
		}
	}
}

// code returns the code of a node, nil if it has none.
func (e *encoder) code(n any) *code { return e.codes[e.classes.same.Find(n)] }

// system encodes a system.
func (e *encoder) system(ctx context.Context, sys *chc.System) (*chc.System, error) {
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		preds[i] = transform.Spread(p, func(k int) ([]transform.Argument, bool) {
			c := e.code(transform.Place{Predicate: p, Position: k})
			if c == nil {
				return nil, false
			}
			out := make([]transform.Argument, c.width())
			for b := range out {
				out[b] = transform.Argument{Sort: term.Bool, Suffix: fmt.Sprintf("!%d", b)}
			}
			return out, true
		})
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		constraint := e.formula(i, c.Constraint, map[*term.Term]*term.Term{})
		next := c.MapAtoms(func(a chc.App) chc.App { return e.atom(i, a, preds[a.Pred.ID]) })
		next.Constraint = constraint
		clauses[i] = next
	}
	return transform.Rebuild(sys, preds, clauses), nil
}

// atom encodes an atom of a clause.
func (e *encoder) atom(clause int, a chc.App, pred *chc.Predicate) chc.App {
	out := chc.App{Pred: pred}
	for j, t := range a.Args {
		if c := e.code(transform.Place{Predicate: a.Pred, Position: j}); c != nil {
			out.Args = append(out.Args, e.bits(clause, c, t)...)
		} else {
			out.Args = append(out.Args, t)
		}
	}
	return out
}

// bits returns the code of a variable or a constant.
func (e *encoder) bits(clause int, c *code, t *term.Term) []*term.Term {
	bs := make([]*term.Term, c.width())
	if !t.IsVar() {
		n := c.of(t.Num())
		for b := range bs {
			bs[b] = e.pool.Bool(n>>b&1 == 1)
		}
		return bs
	}
	x := transform.Local{Clause: clause, Variable: t}
	if known := e.variables[x]; known != nil {
		return known
	}
	for b := range bs {
		bs[b] = e.pool.Fresh(t.Name(), term.Bool)
	}
	e.variables[x] = bs
	return bs
}

// formula encodes a formula of a clause.
func (e *encoder) formula(clause int, t *term.Term, done map[*term.Term]*term.Term) *term.Term {
	if r := done[t]; r != nil {
		return r
	}
	r := t
	switch {
	case t.IsAnd(), t.IsOr(), t.IsNot(), t.Op() == term.Ite, t.Op() == term.Eq && t.Arg(0).Sort() == term.Bool:
		r = e.pool.MapArgs(t, func(a *term.Term) *term.Term { return e.formula(clause, a, done) })
	default:
		r = e.comparison(clause, t)
	}
	done[t] = r
	return r
}

// comparison encodes a comparison of coded values.
func (e *encoder) comparison(clause int, t *term.Term) *term.Term {
	if x, _, ok := compared(e.pool, t); ok {
		c := e.code(transform.Local{Clause: clause, Variable: x})
		if c == nil {
			return t
		}
		return c.among(e.pool, e.bits(clause, c, x), func(r part) bool {
			return e.pool.Substitute(t, map[*term.Term]*term.Term{x: c.term(e.pool, r)}).IsTrue()
		})
	}
	x, y, ok := copied(e.pool, t)
	if !ok {
		return t
	}
	c := e.code(transform.Local{Clause: clause, Variable: x})
	if c == nil {
		return t
	}
	var same []*term.Term
	other := e.bits(clause, c, y)
	for b, bit := range e.bits(clause, c, x) {
		same = append(same, e.pool.Eq(bit, other[b]))
	}
	return e.pool.And(same...)
}

// recode says what became of a variable of a clause.
func (e *encoder) recode(clause int, x *term.Term) (transform.Recoding, bool) {
	if !coded(x.Sort()) {
		return transform.Recoding{}, false
	}
	c := e.code(transform.Local{Clause: clause, Variable: x})
	if c == nil {
		return transform.Recoding{}, false
	}
	return transform.Recoding{Variables: e.bits(clause, c, x), Value: c.value}, true
}

// interpret turns an interpretation over codes into one over values.
func (e *encoder) interpret(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := transform.Parameters(e.pool, old)
	var args []*term.Term
	for i, x := range params {
		c := e.code(transform.Place{Predicate: old, Position: i})
		if c == nil {
			args = append(args, x)
			continue
		}
		for b := range c.width() {
			args = append(args, c.bit(e.pool, x, b))
		}
	}
	return witness.Interpretation{Params: params, Body: in.Apply(e.pool, args)}, nil
}
