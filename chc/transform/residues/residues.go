package residues

import (
	"context"
	"fmt"
	"math/bits"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Encode replaces each argument that has a modulus m by its quotient by m and the bits of its remainder. By the predicates'
// IDs, groups has for each argument of the result the position of the argument that it stands for. It is nil when nothing
// changes.
func Encode(ctx context.Context, sys *chc.System) (next *chc.System, back transform.Translator, groups [][]int, err error) {
	e := &encoder{pool: sys.Pool, moduli: findModuli(sys), parts: map[transform.Local]parts{}}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	groups = make([][]int, len(sys.Predicates))
	changed := false
	for i, p := range sys.Predicates {
		preds[i] = e.predicate(p)
		changed = changed || preds[i] != p
		for k := range p.Sorts {
			n := 1
			if m := e.moduli[i][k]; m != 0 {
				n = 1 + width(m)
			}
			for range n {
				groups[i] = append(groups[i], k)
			}
		}
	}
	if !changed {
		return sys, nil, nil, nil
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		clauses[i] = e.clause(i, c, preds)
	}
	next = transform.Rebuild(sys, preds, clauses)
	return next, &transform.Retyping{Old: sys, New: next, Recode: e.recode, Interpret: e.interpret}, groups, nil
}

// encoder puts quotients and remainders in place of numbers.
type encoder struct {
	pool *term.Pool
	// moduli are by the predicates' IDs and the arguments' positions.
	moduli []map[int]int64
	parts  map[transform.Local]parts
}

// parts are a number as modulus * quotient + remainder, and the remainder's bits, the lowest one first.
type parts struct {
	modulus  int64
	quotient *term.Term
	bits     []*term.Term
}

// width returns the number of bits of remainders.
func width(modulus int64) int { return bits.Len64(uint64(modulus - 1)) }

// predicate returns a predicate over quotients and remainders.
func (e *encoder) predicate(p *chc.Predicate) *chc.Predicate {
	return transform.Spread(p, func(k int) ([]transform.Argument, bool) {
		m := e.moduli[p.ID][k]
		if m == 0 {
			return nil, false
		}
		out := []transform.Argument{{Sort: term.Int, Suffix: "!q"}}
		for b := range width(m) {
			out = append(out, transform.Argument{Sort: term.Bool, Suffix: fmt.Sprintf("!r%d", b)})
		}
		return out, true
	})
}

// clause encodes a clause. A variable that is an argument with a modulus becomes a sum; another term of such an argument is
// equal to one.
func (e *encoder) clause(id int, c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	sums := map[*term.Term]*term.Term{}
	var with []*term.Term
	for _, a := range c.Atoms() {
		for k, t := range a.Args {
			if m := e.moduli[a.Pred.ID][k]; m != 0 && t.IsVar() && sums[t] == nil {
				p := e.fresh(m, t.Name())
				e.parts[transform.Local{Clause: id, Variable: t}] = p
				sums[t] = p.sum(e.pool)
				with = append(with, p.bounded(e.pool))
			}
		}
	}
	substitution := e.pool.NewSubstitution(sums)
	next := c.MapAtoms(func(a chc.App) chc.App {
		out := chc.App{Pred: preds[a.Pred.ID]}
		for k, t := range a.Args {
			m := e.moduli[a.Pred.ID][k]
			if m == 0 {
				out.Args = append(out.Args, substitution.Apply(t))
				continue
			}
			p, known := e.parts[transform.Local{Clause: id, Variable: t}]
			if !known || p.modulus != m {
				p = e.fresh(m, "q")
				with = append(with, p.bounded(e.pool), e.pool.Eq(p.sum(e.pool), substitution.Apply(t)))
			}
			out.Args = append(append(out.Args, p.quotient), p.bits...)
		}
		return out
	})
	next.Constraint = e.pool.And(append(with, substitution.Apply(c.Constraint))...)
	return next
}

// fresh returns new parts.
func (e *encoder) fresh(modulus int64, name string) parts {
	p := parts{modulus: modulus, quotient: e.pool.Fresh(name, term.Int)}
	for range width(modulus) {
		p.bits = append(p.bits, e.pool.Fresh(name, term.Bool))
	}
	return p
}

// remainder returns the remainder as a number.
func (p parts) remainder(pool *term.Pool) *term.Term {
	var out []*term.Term
	for b, bit := range p.bits {
		out = append(out, pool.Ite(bit, pool.Int(1<<b), pool.Int(0)))
	}
	return pool.Add(out...)
}

// sum returns the number.
func (p parts) sum(pool *term.Pool) *term.Term {
	return pool.Add(pool.Scale(term.NewInt(p.modulus), p.quotient), p.remainder(pool))
}

// bounded says that the remainder is less than the modulus.
func (p parts) bounded(pool *term.Pool) *term.Term {
	if p.modulus&(p.modulus-1) == 0 {
		return pool.True()
	}
	return pool.Lt(p.remainder(pool), pool.Int(p.modulus))
}

// recode says what became of a variable of a clause.
func (e *encoder) recode(clause int, x *term.Term) (transform.Recoding, bool) {
	p, ok := e.parts[transform.Local{Clause: clause, Variable: x}]
	if !ok {
		return transform.Recoding{}, false
	}
	return transform.Recoding{Variables: append([]*term.Term{p.quotient}, p.bits...), Value: func(vs []term.Value) term.Value {
		n := vs[0].Num().Mul(term.NewInt(p.modulus))
		for b, bit := range vs[1:] {
			if bit.Bool() {
				n = n.Add(term.NewInt(1 << b))
			}
		}
		return term.NumValue(n, term.Int)
	}}, true
}

// interpret turns an interpretation over quotients and remainders into one over numbers.
func (e *encoder) interpret(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := transform.Parameters(e.pool, old)
	var args []*term.Term
	for k, x := range params {
		m := e.moduli[old.ID][k]
		if m == 0 {
			args = append(args, x)
			continue
		}
		by := e.pool.Int(m)
		args = append(args, e.pool.IntDiv(x, by))
		remainder := e.pool.Mod(x, by)
		for b := range width(m) {
			var set []*term.Term
			for r := range m {
				if r>>b&1 == 1 {
					set = append(set, e.pool.Eq(remainder, e.pool.Int(r)))
				}
			}
			args = append(args, e.pool.Or(set...))
		}
	}
	return witness.Interpretation{Params: params, Body: in.Apply(e.pool, args)}, nil
}
