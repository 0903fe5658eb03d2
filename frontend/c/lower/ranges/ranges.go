package ranges

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// Analysis has the ranges of a program's globals and local variables before each statement. A procedure is analysed once for all its
// calls: its entry state is the join of the states of its calls, and each call continues with the join of its exit states.
type Analysis struct {
	ctx     context.Context
	program *ast.Program
	o       Options
	before  map[ast.Stmt]*state
	// heads are the states at the heads of loops.
	heads map[head]*state
	// slots are the tracked variables. Globals have the first numbers; the local variables of different procedures share the numbers
	// behind these.
	slots   map[*ast.Variable]*slot
	Globals []*ast.Variable
	units   map[*ast.Procedure]*unit
	// work counts the blocks that were looked at and the facts that were joined; abandoned says that this was too much, and
	// nothing is known.
	work      int
	abandoned bool
	// thresholds are the constants of the program, ascending; widening stops at them.
	thresholds []*big.Int
	// values caches the intervals of expressions in the current statement; lowered is that statement once the analysis is done.
	values  map[evaluated]interval.Interval
	lowered ast.Stmt
}

// head is a label in a procedure.
type head struct{ procedure, label string }

// slot is a tracked variable.
type slot struct {
	number int
	word   bool
	// whole is the interval of its type.
	whole interval.Interval
	// recent are the last facts about the variable; equal facts are shared, so that comparisons of pointers mostly do.
	recent [recentFacts]*Fact
	next   int
}

// fact returns a fact about the variable, a recent one if it is equal.
func (s *slot) fact(v *ast.Variable, i interval.Interval) *Fact {
	for _, f := range s.recent {
		if f != nil && f.Variable == v && f.Equal(i) {
			return f
		}
	}
	f := &Fact{v, i}
	s.recent[s.next] = f
	s.next = (s.next + 1) % len(s.recent)
	return f
}

// IsOf reports whether an analysis is of a program, under the same options.
func (r *Analysis) IsOf(p *ast.Program, o Options) bool {
	return r != nil && r.program == p && r.o == o
}

// Analyse finds the ranges of a program's variables. It finds none if integers are not bounded or the limit of work is reached.
func Analyse(ctx context.Context, p *ast.Program, o Options) (*Analysis, error) {
	r := &Analysis{
		ctx: ctx, program: p, o: o, before: map[ast.Stmt]*state{}, heads: map[head]*state{}, slots: map[*ast.Variable]*slot{},
		units: map[*ast.Procedure]*unit{}, values: map[evaluated]interval.Interval{},
	}
	for _, g := range p.Globals {
		if r.number(g, len(r.Globals)) {
			r.Globals = append(r.Globals, g)
		}
	}
	if !o.Bounded {
		return r, nil
	}
	r.findThresholds(p)
	switch err := r.procedures(p); {
	case errors.Is(err, ErrTooLarge):
		r.units, r.abandoned = map[*ast.Procedure]*unit{}, true
		return r, nil
	case err != nil:
		return nil, err
	}
	for _, q := range p.Procedures {
		if u := r.units[q]; u != nil {
			if err := r.record(u); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// number gives a variable a number, and reports false if it is not an integer or has one.
func (r *Analysis) number(v *ast.Variable, n int) bool {
	s := machine.SortOf(v.Syntax)
	if s.Shape == machine.OtherShape || machine.IsMap(v.Syntax) || r.slots[v] != nil {
		return false
	}
	r.slots[v] = &slot{number: n, word: s.Shape == machine.WordShape}
	if s.Shape == machine.WordShape {
		r.slots[v].whole = interval.OfType(s.Word)
	}
	return true
}

// record keeps the states before the statements of a procedure.
func (r *Analysis) record(u *unit) error {
	for _, body := range u.bodies {
		for i, b := range body.graph.Blocks {
			if body.in == nil || body.in[i] == nil {
				continue
			}
			if err := r.spend(); err != nil && !errors.Is(err, ErrTooLarge) {
				return err
			}
			if _, err := r.block(u.procedure, b, body.in[i], true); err != nil {
				return err
			}
			if b.Label != "" && b.Loop {
				r.heads[head{u.procedure.Name, b.Label}] = body.in[i]
			}
		}
	}
	return nil
}

// CongruentAt returns the facts with a congruence about words at the head of a loop, ordered by their variables' names.
func (r *Analysis) CongruentAt(procedure, label string) []*Fact {
	known := r.heads[head{procedure, label}]
	if known == nil {
		return nil
	}
	var facts []*Fact
	known.facts.each(func(_ int, f *Fact) {
		if f.Congruence.Known() && machine.SortOf(f.Variable.Syntax).Shape == machine.WordShape {
			facts = append(facts, f)
		}
	})
	slices.SortFunc(facts, func(f, g *Fact) int { return strings.Compare(f.Variable.Name, g.Variable.Name) })
	return facts
}

// findThresholds collects the program's constants with their neighbours, and the bounds of the types.
func (r *Analysis) findThresholds(p *ast.Program) {
	seen := map[string]bool{}
	add := func(n *big.Int) {
		if !seen[n.String()] && len(r.thresholds) < maxThresholds {
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
	machine.EachExpression(p, func(e ast.Expr) {
		if n, ok := e.(*ast.IntLiteral); ok {
			for _, d := range []int64{0, -1, 1} {
				add(new(big.Int).Add(n.Value, big.NewInt(d)))
			}
		}
	})
	slices.SortFunc(r.thresholds, (*big.Int).Cmp)
}

func (r *Analysis) dropsFacts() bool { return r.work > workBeforeDropping }

// ErrTooLarge says that the limit of work was reached.
var ErrTooLarge = errors.New("the program is too large for an analysis of ranges")

// trivial reports whether an interval says no more than the variable's type.
func (s *slot) trivial(i interval.Interval) bool {
	if i.Ones != nil || i.Nonzero || i.Congruence.Known() {
		return false
	}
	return s.word && s.whole.In(i) || i.Low == nil && i.High == nil
}

// get returns the interval of a variable, and false if there is no fact about it.
func (r *Analysis) get(s *state, v *ast.Variable) (interval.Interval, bool) {
	at := r.slots[v]
	if at == nil {
		return interval.Interval{}, false
	}
	if f := s.facts.get(at.number); f != nil {
		return f.Interval, true
	}
	return interval.Interval{}, false
}

// put sets the interval of a variable.
func (r *Analysis) put(s *state, v *ast.Variable, i interval.Interval) {
	at := r.slots[v]
	switch {
	case at == nil:
	case at.trivial(i):
		s.facts = s.facts.remove(at.number)
	default:
		s.facts = s.facts.put(at.number, at.fact(v, i))
	}
}

func (r *Analysis) forget(s *state, v *ast.Variable) {
	if at := r.slots[v]; at != nil {
		s.facts = s.facts.remove(at.number)
	}
}

// block returns the state behind a block, nil if it is unreachable. If record is set it keeps the states before its statements.
func (r *Analysis) block(q *ast.Procedure, b *flow.Block, s *state, record bool) (*state, error) {
	s = s.clone()
	for _, c := range b.Commands {
		r.work++
		if len(r.values) > 0 {
			clear(r.values)
		}
		if record {
			if _, seen := r.before[c.Source]; !seen {
				r.before[c.Source] = s.clone()
			}
		}
		switch c.Kind {
		case flow.Assume, flow.Assert:
			if !r.assume(s, c.Cond, c.Negated) {
				return nil, nil
			}
		case flow.Assign:
			r.assign(s, c.Source.(*ast.Assign))
		case flow.Havoc:
			for _, v := range c.Source.(*ast.Havoc).Variables {
				r.forget(s, v.Decl)
			}
		case flow.Call:
			if returns, err := r.call(s, q, c.Source.(*ast.Call)); err != nil || !returns {
				return nil, err
			}
		}
	}
	return s, nil
}

func (r *Analysis) assign(s *state, a *ast.Assign) {
	type change struct {
		v *ast.Variable
		i interval.Interval
	}
	var changes []change
	for k, left := range a.Left {
		if id, ok := left.(*ast.Identifier); ok && r.slots[id.Decl] != nil {
			changes = append(changes, change{id.Decl, r.eval(s, a.Right[k])})
		}
	}
	for _, c := range changes {
		r.put(s, c.v, c.i)
	}
}
