package bits

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/machine"
)

// ranges is an analysis of intervals: what each statement finds in the variables of its procedure, and in globals since
// the last call. Parameters and results are within their types, or, where all calls agree on less, within that.
type ranges struct {
	ctx     context.Context
	o       Options
	before  map[ast.Stmt]state
	globals []*ast.Variable
	// thresholds are the constants of the program, where widening stops.
	thresholds []*big.Int
}

// state has an interval for each variable that is known better than by its type.
type state map[*ast.Variable]interval

// analyse finds the ranges of a program's variables. The mode that knows no bounds has none.
func analyse(ctx context.Context, p *ast.Program, o Options) (*ranges, error) {
	r := &ranges{ctx: ctx, o: o, before: map[ast.Stmt]state{}}
	for _, g := range p.Globals {
		if sortOf(g.Syntax).shape != other && !isMap(g.Syntax) {
			r.globals = append(r.globals, g)
		}
	}
	if o.Mode != Ranged {
		return r, nil
	}
	r.findThresholds(p)
	for _, q := range p.Procedures {
		for _, impl := range q.Implementations {
			if err := r.procedure(flow.Build(impl)); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// findThresholds collects the program's constants with their neighbours, and the bounds of the types.
func (r *ranges) findThresholds(p *ast.Program) {
	seen := map[string]bool{}
	add := func(n *big.Int) {
		if !seen[n.String()] && len(r.thresholds) < 400 {
			seen[n.String()] = true
			r.thresholds = append(r.thresholds, n)
		}
	}
	for _, bits := range []int{8, 16, 32, 64} {
		for _, signed := range []bool{false, true} {
			t := machine.Type{Bits: bits, Signed: signed}
			add(t.Min())
			add(t.Max())
		}
	}
	eachExpression(p, func(e ast.Expr) {
		if n, ok := e.(*ast.IntLiteral); ok {
			for _, d := range []int64{0, -1, 1} {
				add(new(big.Int).Add(n.Value, big.NewInt(d)))
			}
		}
	})
	slices.SortFunc(r.thresholds, (*big.Int).Cmp)
}

// widenAfter is how often a block is looked at before its state is widened.
const widenAfter = 3

// procedure runs the analysis to its fixed point over one body, and records what each statement finds.
func (r *ranges) procedure(g *flow.Graph) error {
	in := make([]state, len(g.Blocks))
	visits := make([]int, len(g.Blocks))
	in[0] = state{}
	dirty := map[int]bool{0: true}
	for len(dirty) > 0 {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("analyse ranges: %w", err)
		}
		next := -1
		for i := range dirty {
			if next < 0 || i < next {
				next = i
			}
		}
		delete(dirty, next)
		b := g.Blocks[next]
		s := r.block(b, in[next], false)
		if s == nil {
			continue
		}
		for _, n := range b.Next {
			joined, changed := r.join(in[n.Index], s, n.Loop && visits[n.Index] >= widenAfter)
			if changed {
				in[n.Index] = joined
				visits[n.Index]++
				dirty[n.Index] = true
			}
		}
	}
	// Rounds down take back some of what widening gave away: a loop's guard bounds its counter.
	before := make([][]*flow.Block, len(g.Blocks))
	for i, b := range g.Blocks {
		for _, n := range b.Next {
			if in[i] != nil {
				before[n.Index] = append(before[n.Index], b)
			}
		}
	}
	for range 2 {
		for i := range g.Blocks {
			if i == 0 || in[i] == nil {
				continue
			}
			var fresh state
			for _, p := range before[i] {
				if s := r.block(p, in[p.Index], false); s != nil {
					fresh, _ = r.join(fresh, s, false)
				}
			}
			if fresh != nil {
				in[i] = fresh
			}
		}
	}
	for i, b := range g.Blocks {
		if in[i] != nil {
			r.block(b, in[i], true)
		}
	}
	return nil
}

// join is the state that holds where runs of both meet; a nil state is that of no run. A variable without an interval is
// only within its type.
func (r *ranges) join(old, s state, widen bool) (state, bool) {
	if old == nil {
		return s.clone(), true
	}
	out, changed := state{}, false
	for v, i := range old {
		j, ok := s[v]
		if !ok {
			changed = true
			continue
		}
		k := i.join(j)
		if widen {
			k = i.widen(j, r.thresholds)
		}
		if !k.equal(i) {
			changed = true
		}
		if !trivial(v, k) {
			out[v] = k
		}
	}
	return out, changed
}

// trivial tells whether an interval says no more than the variable's type.
func trivial(v *ast.Variable, i interval) bool {
	s := sortOf(v.Syntax)
	if s.shape == word {
		return span(s.word).in(i)
	}
	return i.low == nil && i.high == nil
}

func (s state) clone() state {
	out := make(state, len(s))
	for v, i := range s {
		out[v] = i
	}
	return out
}

// block is the state behind a block, nil if no run gets there. It records what statements find if asked to.
func (r *ranges) block(b *flow.Block, s state, record bool) state {
	s = s.clone()
	for _, c := range b.Commands {
		if record {
			if _, seen := r.before[c.Source]; !seen {
				r.before[c.Source] = s.clone()
			}
		}
		switch c.Kind {
		case flow.Assume, flow.Assert:
			if !r.assume(s, c.Cond, c.Negated) {
				return nil
			}
		case flow.Assign:
			r.assign(s, c.Source.(*ast.Assign))
		case flow.Havoc:
			for _, v := range c.Source.(*ast.Havoc).Variables {
				delete(s, v.Decl)
			}
		case flow.Call:
			call := c.Source.(*ast.Call)
			for _, v := range call.Results {
				if v != nil {
					delete(s, v.Decl)
				}
			}
			for _, g := range call.Procedure.Frame {
				delete(s, g)
			}
		}
	}
	return s
}

func (r *ranges) assign(s state, a *ast.Assign) {
	type change struct {
		v *ast.Variable
		i interval
	}
	var changes []change
	for k, left := range a.Left {
		id, ok := left.(*ast.Identifier)
		if !ok || isMap(id.Decl.Syntax) || sortOf(id.Decl.Syntax).shape == other {
			continue
		}
		changes = append(changes, change{id.Decl, r.eval(s, a.Right[k])})
	}
	for _, c := range changes {
		if trivial(c.v, c.i) {
			delete(s, c.v)
		} else {
			s[c.v] = c.i
		}
	}
}

// of is the interval of an expression where a statement is executed; outside of statements it is that of its type.
func (r *ranges) of(at ast.Stmt, e ast.Expr) interval {
	if r.o.Mode != Ranged {
		return interval{}
	}
	return r.eval(r.before[at], e)
}

// eval is an interval that an expression's value is in.
func (r *ranges) eval(s state, e ast.Expr) interval {
	whole := interval{}
	if t := sortOfExpr(e); t.shape == word {
		whole = span(t.word)
	}
	switch e := e.(type) {
	case *ast.Identifier:
		if i, ok := s[e.Decl]; ok {
			return i.meet(whole)
		}
	case *ast.IntLiteral:
		return point(e.Value)
	case *ast.Unary:
		if e.Op == ast.Negate {
			return r.eval(s, e.X).negate()
		}
	case *ast.Coercion:
		return r.eval(s, e.X)
	case *ast.IfThenElse:
		then, otherwise := s.clone(), s.clone()
		switch {
		case !r.assume(then, e.Cond, false):
			return r.eval(otherwise, e.Else)
		case !r.assume(otherwise, e.Cond, true):
			return r.eval(then, e.Then)
		}
		return r.eval(then, e.Then).join(r.eval(otherwise, e.Else))
	case *ast.Binary:
		x, y := r.eval(s, e.X), r.eval(s, e.Y)
		switch e.Op {
		case ast.Add:
			return x.add(y)
		case ast.Sub:
			return x.add(y.negate())
		case ast.Mul:
			return x.mul(y)
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok && !o.Fits && !o.Op.Comparison() {
			return r.operation(s, o, args, whole)
		}
	}
	return whole
}

// operation is the interval of an operation's result: that of the unbounded operation where it fits into the type, else
// the type's.
func (r *ranges) operation(s state, o machine.Operation, args []ast.Expr, whole interval) interval {
	x, y := r.eval(s, args[0]), interval{}
	if len(args) > 1 {
		y = r.eval(s, args[1])
	}
	raw := interval{}
	switch o.Op {
	case machine.Add:
		raw = x.add(y)
	case machine.Sub:
		raw = x.add(y.negate())
	case machine.Mul:
		raw = x.mul(y)
	case machine.Neg:
		raw = x.negate()
	case machine.Not:
		if o.Type.Signed {
			raw = x.negate().add(point(big.NewInt(-1)))
		} else {
			raw = point(o.Type.Max()).add(x.negate())
		}
	case machine.Convert, machine.Integer:
		raw = x
	case machine.Index:
		return x
	case machine.Address:
		if x.in(interval{low: new(big.Int)}) {
			return x
		}
		return interval{new(big.Int), machine.Type{Bits: r.o.PointerBits}.Max()}
	case machine.And:
		// A conjunction is no larger than an operand that is not negative.
		for _, i := range []interval{x, y} {
			if i.notNegative() {
				raw = raw.meet(interval{new(big.Int), i.high})
			}
		}
	case machine.Or, machine.Xor:
		if x.notNegative() && y.notNegative() && x.high != nil && y.high != nil {
			n := max(x.high.BitLen(), y.high.BitLen())
			raw = interval{new(big.Int), new(big.Int).Sub(power(n), big.NewInt(1))}
		}
	case machine.Shl:
		if n, ok := shiftCount(o.Type, args[1]); ok {
			raw = x.mul(point(power(n)))
		}
	case machine.Shr:
		raw = r.shifted(x, args[1])
	case machine.Div, machine.Rem:
		raw = divided(o.Op, x, y)
	}
	if raw.in(whole) {
		return raw
	}
	return whole
}

func (r *ranges) shifted(x interval, count ast.Expr) interval {
	n, ok := numeral(count)
	if !ok || n.Sign() < 0 || !n.IsInt64() || n.Int64() > 128 || x.low == nil || x.high == nil {
		if x.notNegative() {
			return interval{new(big.Int), x.high}
		}
		return interval{}
	}
	return interval{new(big.Int).Rsh(x.low, uint(n.Int64())), new(big.Int).Rsh(x.high, uint(n.Int64()))}
}

// divided is the interval of a quotient or remainder by what is not 0.
func divided(op machine.Op, x, y interval) interval {
	if x.low == nil || x.high == nil {
		return interval{}
	}
	if op == machine.Div {
		if y.low != nil && y.low.Sign() > 0 {
			// The least divisor leaves most, and large ones nothing.
			q := interval{new(big.Int).Quo(x.low, y.low), new(big.Int).Quo(x.high, y.low)}
			if y.isPoint() {
				return q
			}
			return q.join(point(new(big.Int)))
		}
		size := greatest(new(big.Int).Abs(x.low), new(big.Int).Abs(x.high))
		return interval{new(big.Int).Neg(size), size}
	}
	size := greatest(new(big.Int).Abs(x.low), new(big.Int).Abs(x.high))
	if y.low != nil && y.high != nil {
		most := new(big.Int).Sub(greatest(new(big.Int).Abs(y.low), new(big.Int).Abs(y.high)), big.NewInt(1))
		if most.Sign() >= 0 {
			size = least(size, most)
		}
	}
	out := interval{new(big.Int).Neg(size), size}
	if x.notNegative() {
		out.low = new(big.Int)
	}
	return out
}
