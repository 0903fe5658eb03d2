package bits

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/machine"
)

// ranges is an analysis of intervals: what each statement finds in globals and the variables of its procedure. A procedure
// is analysed once for all its calls: it finds what any of them gives it, and each call goes on with what any of them
// may leave.
type ranges struct {
	ctx    context.Context
	o      Options
	before map[ast.Stmt]state
	// heads are what is known at the heads of loops, by their procedure and label.
	heads map[head]state
	// reached are the labels that runs come to, as far as is known.
	reached map[head]bool
	globals []*ast.Variable
	// enters is what calls give a procedure: parameters and globals; nil if none is reached. leaves is what is known where
	// it returns, of the same variables and its results; nil if it never does.
	enters, leaves map[*ast.Procedure]state
	// rounds counts how often a procedure was analysed; callers are those whose analysis depends on it.
	rounds  map[*ast.Procedure]int
	callers map[*ast.Procedure][]*ast.Procedure
	work    []*ast.Procedure
	// spent counts the intervals that were joined; gaveUp says that this was too much, and nothing is known.
	spent  int
	gaveUp bool
	// thresholds are the constants of the program, where widening stops.
	thresholds []*big.Int
}

// head is a label of a procedure.
type head struct{ procedure, label string }

// state has an interval for each variable that is known better than by its type.
type state map[*ast.Variable]interval

// analyse finds the ranges of a program's variables. Where there are no bounds none are found.
func analyse(ctx context.Context, p *ast.Program, o Options) (*ranges, error) {
	r := &ranges{ctx: ctx, o: o, before: map[ast.Stmt]state{}, heads: map[head]state{}, reached: map[head]bool{}}
	for _, g := range p.Globals {
		if sortOf(g.Syntax).shape != other && !isMap(g.Syntax) {
			r.globals = append(r.globals, g)
		}
	}
	if !o.bounded() {
		return r, nil
	}
	r.findThresholds(p)
	r.enters, r.leaves = map[*ast.Procedure]state{}, map[*ast.Procedure]state{}
	r.rounds, r.callers = map[*ast.Procedure]int{}, map[*ast.Procedure][]*ast.Procedure{}
	graphs := map[*ast.Procedure][]*flow.Graph{}
	for _, q := range p.Procedures {
		for _, impl := range q.Implementations {
			graphs[q] = append(graphs[q], flow.Build(impl))
		}
		if q.Attributes.Has("entrypoint") {
			r.enters[q] = state{}
			r.work = append(r.work, q)
		}
	}
	for len(r.work) > 0 {
		q := r.work[0]
		r.work = r.work[1:]
		if r.rounds[q]++; r.rounds[q] > maxRounds {
			// This takes too long: nothing is known then.
			r.enters, r.gaveUp = map[*ast.Procedure]state{}, true
			return r, nil
		}
		switch err := r.summarise(q, graphs[q]); {
		case errors.Is(err, errTooMuch):
			r.enters, r.gaveUp = map[*ast.Procedure]state{}, true
			return r, nil
		case err != nil:
			return nil, err
		}
	}
	for _, q := range p.Procedures {
		if r.enters[q] == nil {
			continue
		}
		for _, g := range graphs[q] {
			if _, err := r.procedure(g, r.enters[q], true); err != nil {
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

// maxSpent is how many intervals are joined at most before an analysis is given up: half a second's work, which only very large
// programs need.
const maxSpent = 500_000

var errTooMuch = errors.New("the program is too large for an analysis of ranges")

// widenAfter is how often a block is looked at before its state is widened.
const widenAfter = 3

// procedure runs the analysis to its fixed point over one body that is entered with a state, and returns what is known at
// its exit, nil if that is not reached. It records what each statement finds if asked to.
func (r *ranges) procedure(g *flow.Graph, enter state, record bool) (state, error) {
	in := make([]state, len(g.Blocks))
	visits := make([]int, len(g.Blocks))
	in[0] = enter.clone()
	dirty := map[int]bool{0: true}
	for len(dirty) > 0 {
		if err := r.ctx.Err(); err != nil {
			return nil, fmt.Errorf("analyse ranges: %w", err)
		}
		if r.spent > maxSpent && !record {
			return nil, errTooMuch
		}
		next := -1
		for i := range dirty {
			if next < 0 || i < next {
				next = i
			}
		}
		delete(dirty, next)
		b := g.Blocks[next]
		s := r.block(g, b, in[next], false)
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
				if s := r.block(g, p, in[p.Index], false); s != nil {
					fresh, _ = r.join(fresh, s, false)
				}
			}
			if fresh != nil {
				in[i] = fresh
			}
		}
	}
	if record {
		for i, b := range g.Blocks {
			if in[i] != nil {
				r.block(g, b, in[i], true)
				if b.Label == "" {
					continue
				}
				at := head{g.Implementation.Procedure.Name, b.Label}
				r.reached[at] = true
				if b.Loop {
					r.heads[at] = in[i]
				}
			}
		}
	}
	if g.Exit == nil {
		return nil, nil
	}
	return in[g.Exit.Index], nil
}

// join is the state that holds where runs of both meet; a nil state is that of no run. A variable without an interval is
// only within its type.
func (r *ranges) join(old, s state, widen bool) (state, bool) {
	if old == nil {
		return s.clone(), true
	}
	out, changed := state{}, false
	r.spent += len(old)
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
		return i.ones == nil && !i.nonzero && !i.congruence.known() && span(s.word).in(i)
	}
	return i.low == nil && i.high == nil && i.ones == nil && !i.nonzero && !i.congruence.known()
}

func (s state) clone() state {
	out := make(state, len(s))
	for v, i := range s {
		out[v] = i
	}
	return out
}

// block is the state behind a block, nil if no run gets there. It records what statements find if asked to.
func (r *ranges) block(g *flow.Graph, b *flow.Block, s state, record bool) state {
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
			if !r.call(s, g.Implementation.Procedure, c.Source.(*ast.Call)) {
				return nil
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
