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

// Analysis is an analysis of intervals: what each statement finds in globals and the variables of its procedure. A procedure
// is analysed once for all its calls: it finds what any of them gives it, and each call goes on with what any of them
// may leave.
type Analysis struct {
	ctx     context.Context
	program *ast.Program
	o       Options
	before  map[ast.Stmt]*state
	// heads are what is known at the heads of loops, by their procedure and label.
	heads map[head]*state
	// slots are the variables that something may be known of. Globals, which are first, are known by all procedures, and the
	// others by their own: those of different procedures have the same numbers.
	slots   map[*ast.Variable]*slot
	Globals []*ast.Variable
	units   map[*ast.Procedure]*unit
	// spent counts the blocks that were looked at and the facts that were joined; gaveUp says that this was too much, and
	// nothing is known.
	spent  int
	gaveUp bool
	// thresholds are the constants of the program, where widening stops.
	thresholds []*big.Int
	// values are those of expressions in the statement that is looked at, which is lowered if that is done already.
	values  map[evaluated]interval.Interval
	lowered ast.Stmt
}

// head is a label of a procedure.
type head struct{ procedure, label string }

// slot is what an analysis knows of a variable from the beginning.
type slot struct {
	number int
	word   bool
	// whole is the interval of its type.
	whole interval.Interval
	// recent are facts about the variable. What says the same is the same fact then, mostly, so that it is seen to be.
	recent [recentFacts]*Fact
	next   int
}

// fact is one about the variable.
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

// IsOf tells whether an analysis is that of a program under some options.
func (r *Analysis) IsOf(p *ast.Program, o Options) bool {
	return r != nil && r.program == p && r.o == o
}

// Analyse finds the ranges of a program's variables. Where there are no bounds none are found.
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
		r.units, r.gaveUp = map[*ast.Procedure]*unit{}, true
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

// number gives a variable a number, if anything may be known of it.
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

// slot is that of a variable, nil for those of which nothing is known.
func (r *Analysis) slot(v *ast.Variable) *slot { return r.slots[v] }

// record keeps what the statements of a procedure find.
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

// CongruentAt are the facts about divisibility of words at the head of a loop, in the order of their variables' names.
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

func (r *Analysis) hasty() bool { return r.spent > workBeforeHaste }

var ErrTooLarge = errors.New("the program is too large for an analysis of ranges")

// trivial tells whether an interval says no more than the variable's type.
func (s *slot) trivial(i interval.Interval) bool {
	if i.Ones != nil || i.Nonzero || i.Congruence.Known() {
		return false
	}
	return s.word && s.whole.In(i) || i.Low == nil && i.High == nil
}

// get is what is known of a variable, and whether that is anything.
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

// put makes an interval what is known of a variable.
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

// block is the state behind a block, nil if no run gets there. It records what statements find if asked to.
func (r *Analysis) block(q *ast.Procedure, b *flow.Block, s *state, record bool) (*state, error) {
	s = s.clone()
	for _, c := range b.Commands {
		r.spent++
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
		if id, ok := left.(*ast.Identifier); ok && r.slot(id.Decl) != nil {
			changes = append(changes, change{id.Decl, r.eval(s, a.Right[k])})
		}
	}
	for _, c := range changes {
		r.put(s, c.v, c.i)
	}
}
