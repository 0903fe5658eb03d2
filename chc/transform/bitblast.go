package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// BitBlastOptions say which bit-vectors the pass bit-blast expands.
type BitBlastOptions struct {
	// Width is the largest width of a vector that is expanded.
	Width int
	// Bits is the largest number of Boolean arguments that the vectors of one predicate may become; a predicate with more
	// keeps them as they are.
	Bits int
}

// DefaultBitBlastOptions expands bytes.
func DefaultBitBlastOptions() BitBlastOptions { return BitBlastOptions{Width: 8, Bits: 96} }

// BitBlast returns the pass "bit-blast" with the default options.
func BitBlast() Pass { return BitBlastWith(DefaultBitBlastOptions()) }

// BitBlastWith returns the pass "bit-blast". It makes one Boolean of every bit of narrow bit-vectors, arguments and clause
// variables alike, the least significant first, and circuits of the operations on them. Wider vectors and other terms
// stay and see the narrow ones as concatenations of their bits. Models come back with the bits extracted from the
// vectors, refutations with the vectors put together.
func BitBlastWith(opts BitBlastOptions) Pass {
	return Pass{
		Name: "bit-blast",
		Doc:  "Makes a Boolean of every bit of narrow bit-vectors, and circuits of the operations on them.",
		Run: func(ctx context.Context, _ Environment, sys *chc.System) (*chc.System, Translator, error) {
			if !hasBitVectors(sys) {
				return sys, nil, nil
			}
			b := &bitBlast{opts: opts, pool: sys.Pool, old: sys}
			changed, err := b.run(ctx)
			if err != nil || !changed {
				return sys, nil, err
			}
			return b.next, &retyping{old: sys, new: b.next, variables: b.variables, interpret: b.interpret}, nil
		},
	}
}

// bitBlast translates one system.
type bitBlast struct {
	opts      BitBlastOptions
	pool      *term.Pool
	old, next *chc.System
	// expanded says which predicates' narrow arguments become Booleans.
	expanded  []bool
	variables []map[*term.Term]recoding
}

// narrow reports whether vectors of a sort are expanded.
func (b *bitBlast) narrow(s *term.Sort) bool { return s.IsBitVec() && s.Width <= b.opts.Width }

// run sets next and reports whether anything was expanded.
func (b *bitBlast) run(ctx context.Context) (bool, error) {
	changed := false
	next := *b.old
	next.Predicates = make([]*chc.Predicate, len(b.old.Predicates))
	b.expanded = make([]bool, len(b.old.Predicates))
	for i, p := range b.old.Predicates {
		next.Predicates[i] = b.predicate(p)
		changed = changed || b.expanded[i]
	}
	next.Clauses = make([]*chc.Clause, len(b.old.Clauses))
	b.variables = make([]map[*term.Term]recoding, len(b.old.Clauses))
	for i, c := range b.old.Clauses {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		x := newCircuits(b)
		next.Clauses[i] = x.clause(c, next.Predicates)
		b.variables[i] = x.codes
		changed = changed || len(x.codes) > 0
	}
	b.next = &next
	return changed, nil
}

// predicate returns the successor of p. Names of arguments that are expanded get the bit's number.
func (b *bitBlast) predicate(p *chc.Predicate) *chc.Predicate {
	bits, found := 0, false
	for _, s := range p.Sorts {
		if b.narrow(s) {
			bits, found = bits+s.Width, true
		}
	}
	b.expanded[p.ID] = found && bits <= b.opts.Bits
	q := *p
	if !b.expanded[p.ID] {
		return &q
	}
	q.Sorts, q.ArgNames = nil, nil
	for i, s := range p.Sorts {
		n := 1
		if b.narrow(s) {
			n, s = s.Width, term.Bool
		}
		for j := range n {
			q.Sorts = append(q.Sorts, s)
			switch {
			case p.ArgNames == nil:
			case b.narrow(p.Sorts[i]):
				q.ArgNames = append(q.ArgNames, fmt.Sprintf("%s.%d", p.ArgNames[i], j))
			default:
				q.ArgNames = append(q.ArgNames, p.ArgNames[i])
			}
		}
	}
	return &q
}

// interpret replaces the Boolean parameters of an interpretation by the bits of vectors.
func (b *bitBlast) interpret(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := make([]*term.Term, 0, len(old.Sorts))
	bits := map[*term.Term]*term.Term{}
	left := in.Params
	for _, s := range old.Sorts {
		n := 1
		if b.expanded[old.ID] && b.narrow(s) {
			n = s.Width
		}
		if len(left) < n {
			return witness.Interpretation{}, fmt.Errorf("%d parameters are not enough", len(in.Params))
		}
		x := left[0]
		if x.Sort() != s {
			x = b.pool.Fresh("a", s)
			for i := range n {
				bits[left[i]] = bitOf(b.pool, x, i)
			}
		}
		params, left = append(params, x), left[n:]
	}
	return witness.Interpretation{Params: params, Body: b.pool.Substitute(in.Body, bits)}, nil
}

// bitOf returns the condition that the i-th bit of a vector is set.
func bitOf(p *term.Pool, x *term.Term, i int) *term.Term {
	return p.Eq(p.Extract(i, i, x), p.BVNum(term.NewInt(1), 1))
}

// circuits translates one clause.
type circuits struct {
	*bitBlast
	codes    map[*term.Term]recoding
	vectors  map[*term.Term]*term.Term
	byTerm   map[*term.Term][]*term.Term
	formulas map[*term.Term]*term.Term
}

func newCircuits(b *bitBlast) *circuits {
	return &circuits{
		bitBlast: b, codes: map[*term.Term]recoding{}, vectors: map[*term.Term]*term.Term{},
		byTerm: map[*term.Term][]*term.Term{}, formulas: map[*term.Term]*term.Term{},
	}
}

func (x *circuits) clause(c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	out := *c
	out.Body = make([]chc.App, len(c.Body))
	for i, a := range c.Body {
		out.Body[i] = x.app(a, preds)
	}
	out.Constraint = x.formula(c.Constraint)
	if c.Head != nil {
		h := x.app(*c.Head, preds)
		out.Head = &h
	}
	return &out
}

func (x *circuits) app(a chc.App, preds []*chc.Predicate) chc.App {
	out := chc.App{Pred: preds[a.Pred.ID]}
	for _, t := range a.Args {
		switch {
		case !t.Sort().IsBitVec():
			out.Args = append(out.Args, x.formula(t))
		case x.expanded[a.Pred.ID] && x.narrow(t.Sort()):
			out.Args = append(out.Args, x.bits(t)...)
		default:
			out.Args = append(out.Args, x.vector(t))
		}
	}
	return out
}

// variable returns the Booleans that a narrow variable becomes.
func (x *circuits) variable(v *term.Term) []*term.Term {
	pool, w := x.pool, v.Sort().Width
	bits := make([]*term.Term, w)
	for i := range bits {
		bits[i] = pool.Fresh(fmt.Sprintf("%s.%d", v.Name(), i), term.Bool)
	}
	x.codes[v] = recoding{variables: bits, value: func(vs []term.Value) term.Value {
		n := term.Num{}
		for i, b := range vs {
			if b.Bool() {
				n = n.Add(power(i))
			}
		}
		return term.TermValue(pool.BVNum(n, w))
	}}
	return bits
}

// formula translates a term of any sort but bit-vectors.
func (x *circuits) formula(t *term.Term) *term.Term {
	if out := x.formulas[t]; out != nil {
		return out
	}
	out := x.translate(t)
	x.formulas[t] = out
	return out
}

func (x *circuits) translate(t *term.Term) *term.Term {
	args := t.Args()
	switch {
	case len(args) == 0:
		return t
	case t.IsQuantifier():
		m := map[*term.Term]*term.Term{}
		for _, v := range term.Vars(t) {
			if x.narrow(v.Sort()) {
				m[v] = x.vector(v)
			}
		}
		return x.pool.Substitute(t, m)
	case x.narrow(args[0].Sort()):
		switch t.Op() {
		case term.Eq:
			return x.equal(x.bits(args[0]), x.bits(args[1]))
		case term.BVUle:
			return x.atMost(x.bits(args[0]), x.bits(args[1]))
		case term.BVSle:
			return x.atMostSigned(x.bits(args[0]), x.bits(args[1]))
		case term.BVToNat:
			sum := x.pool.Int(0)
			for i, b := range x.bits(args[0]) {
				sum = x.pool.Add(sum, x.pool.Ite(b, x.pool.IntNum(power(i)), x.pool.Int(0)))
			}
			return sum
		}
	}
	return x.rebuild(t)
}

// rebuild returns t with its arguments translated.
func (x *circuits) rebuild(t *term.Term) *term.Term {
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		if a.Sort().IsBitVec() {
			args[i] = x.vector(a)
		} else {
			args[i] = x.formula(a)
		}
	}
	return x.pool.Rebuild(t, args)
}

// vector translates a bit-vector term to one of the same sort: a narrow one is the concatenation of its bits.
func (x *circuits) vector(t *term.Term) *term.Term {
	if out := x.vectors[t]; out != nil {
		return out
	}
	out := t
	switch {
	case x.narrow(t.Sort()):
		out = nil
		for _, b := range x.bits(t) {
			b = x.pool.Ite(b, x.pool.BVNum(term.NewInt(1), 1), x.pool.BVNum(term.Num{}, 1))
			if out != nil {
				b = x.pool.BV(term.BVConcat, b, out)
			}
			out = b
		}
	case len(t.Args()) > 0:
		out = x.rebuild(t)
	}
	x.vectors[t] = out
	return out
}
