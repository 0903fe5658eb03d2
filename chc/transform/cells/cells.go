package cells

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/prune"
)

// Pass returns the pass "cells". The passes that simplify returns are run on the abstracted system, here as in the next two.
func Pass(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "cells",
		Doc: "Cell abstraction: array arguments become their value at one arbitrary index, the same for all arrays; sat " +
			"answers come back with quantified models.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return abstractCells(ctx, env, sys, simplify(), cellShape{ghosts: 1})
		},
	}
}

// Pairs returns the pass "cell-pairs".
func Pairs(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "cell-pairs",
		Doc: "Cell abstraction with two ordered indices, for properties that compare elements of one array, such as " +
			"sortedness; sat answers come back with quantified models.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return abstractCells(ctx, env, sys, simplify(), cellShape{ghosts: 2})
		},
	}
}

// Apart returns the pass "cells-apart".
func Apart(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "cells-apart",
		Doc: "Cell abstraction with an index of its own for each array, for properties that relate elements of several " +
			"arrays at different indices; sat answers come back with quantified models.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return abstractCells(ctx, env, sys, simplify(), cellShape{ghosts: 1, apart: true})
		},
	}
}

// Companions returns the pass "cell-companions".
func Companions(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "cell-companions",
		Doc: "Cell abstraction where every index has a companion, at which arrays are known, too, for loops that shift or " +
			"reverse; without loops that relate elements at such indices it changes nothing.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return abstractCells(ctx, env, sys, simplify(), cellShape{ghosts: 1, companions: true})
		},
	}
}

// cellShape is what the abstraction keeps of arrays: the values at this number of ghost indices, ordered when they are two.
// The ghosts are shared by all arrays of an index sort unless apart is set.
type cellShape struct {
	ghosts int
	apart  bool
	// companions says that arrays are kept at the ghosts' companions, too.
	companions bool
}

// cellsNote is the note on the approximation in the abstracted system.
const cellsNote = "arrays are known by their values at arbitrary but few indices"

// abstractCells replaces array arguments by cells until none is left, an array in an array by its own round, and
// simplifies the result. The result over-approximates sys.
func abstractCells(ctx context.Context, env transform.Environment, sys *chc.System, simplify []transform.Pass, shape cellShape) (*chc.System, transform.Translator, error) {
	if sys.Approximation == chc.Under {
		return sys, nil, nil // an over-approximation of an under-approximation proves nothing
	}
	if !hasArrayArgument(sys) {
		return sys, nil, nil
	}
	// Where arrays begin may have become known late, by what their predicates are used for.
	next, first, _, err := transform.Pipeline(ctx, env, sys, []transform.Pass{prune.Constants(), prune.Slice(), prune.Context()})
	if err != nil {
		return nil, nil, err
	}
	back := transform.Composition{first}
	var same map[*term.Term]bool
	for round := 0; hasArrayArgument(next); round++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		abstraction, err := newAbstraction(ctx, env, next, shape, round, same)
		if err != nil {
			return nil, nil, err
		}
		if shape.companions && round == 0 && abstraction.companion == nil {
			return sys, nil, nil
		}
		next, same = abstraction.new, abstraction.congruent
		back = append(back, abstraction)
	}
	next.Approximation = chc.Over
	next.Notes = append(slices.Clone(next.Notes), cellsNote)
	// Program counters were specialised before, when there were fewer clauses.
	passes := slices.DeleteFunc(simplify, func(p transform.Pass) bool { return p.Name == "specialise" })
	simple, inner, _, err := transform.Pipeline(ctx, transform.Environment{Open: env.Open}, next, passes)
	if err != nil {
		return nil, nil, err
	}
	return simple, append(back, inner), nil
}

func hasArrayArgument(sys *chc.System) bool {
	return slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool { return slices.ContainsFunc(p.Sorts, (*term.Sort).IsArray) })
}

// abstraction is the cell abstraction of Monniaux and Gonnord ("Cell morphing: from array programs to array-free Horn
// clauses") by default with the same ghost index for all arrays of an index sort, so that relations between arrays survive:
// p(x, a, b) stands for "for all k, p'(x, k, a[k], b[k])". Each head gets fresh ghosts. Each body atom gets an instance
// for every list of index terms that may matter: the head's ghosts and the indices that the clause reads. The clauses'
// own arrays are then gone but for their values at these indices, which are variables, equal at equal indices.
//
// A model of the result gives one of the old system by putting the quantifiers back: a body atom's instances all follow
// from its quantified interpretation, and the head's ghosts are arbitrary. It is the Translator for that.
type abstraction struct {
	env      transform.Environment
	old, new *chc.System
	// frames has the renumbering of the arrays.
	frames *framing
	// scalars has what the other arguments have to do with indices.
	scalars *scalars
	// round counts the abstractions before this one.
	round int
	// companion is nil for none.
	companion *companion
	// rows are the equalities of rows of one array at two indices, of which the round before said that they hold where the indices are
	// equal, and congruent those that this one leaves to the next.
	rows, congruent map[*term.Term]bool
	// predicates are by the old predicates' IDs.
	predicates []*predicate
	// atoms[c][i] are the body positions in clause c of the new system of the instances of atom i of clause c.
	atoms [][][]int
}

// predicate says how the arguments of a predicate with arrays were replaced: new's arguments are the old ones at the
// positions scalars, and then what each group became.
type predicate struct {
	old, new *chc.Predicate
	scalars  []int
	groups   []group
}

// group are array arguments of one index sort with common ghosts: their arguments are the ghosts, and for each ghost the value there
// of each array.
type group struct {
	index  *term.Sort
	ghosts int
	// arrays are the old positions.
	arrays []int
	// companion is nil for none. With it, the values of the arrays at the ghosts' companions are arguments, too, after the others.
	companion *companion
}

// ordered reports whether pairs of ghosts of the sort are kept in order.
func ordered(s *term.Sort) bool { return s.IsArith() }

func newPredicate(p *chc.Predicate, shape cellShape, with *companion) *predicate {
	q := &predicate{old: p, new: p}
	for i, s := range p.Sorts {
		if !s.IsArray() {
			q.scalars = append(q.scalars, i)
			continue
		}
		g := slices.IndexFunc(q.groups, func(g group) bool { return g.index == s.Index })
		if g < 0 || shape.apart {
			g = len(q.groups)
			n := 1
			if ordered(s.Index) {
				n = shape.ghosts
			}
			q.groups = append(q.groups, group{index: s.Index, ghosts: n})
		}
		q.groups[g].arrays = append(q.groups[g].arrays, i)
	}
	if len(q.groups) == 0 {
		return q
	}
	for i := range q.groups {
		g := &q.groups[i]
		if with.of(p) && g.index == term.Int && !slices.ContainsFunc(g.arrays, func(i int) bool { return p.Sorts[i].Elem.IsArray() }) {
			g.companion = with
		}
	}
	n := *p
	n.Sorts, n.ArgNames = nil, nil
	for _, i := range q.scalars {
		n.Sorts = append(n.Sorts, p.Sorts[i])
	}
	for _, g := range q.groups {
		for range g.ghosts {
			n.Sorts = append(n.Sorts, g.index)
		}
		for range g.ghosts {
			for _, i := range g.arrays {
				n.Sorts = append(n.Sorts, p.Sorts[i].Elem)
			}
		}
		for range g.ghosts {
			for _, i := range g.arrays {
				if g.companion != nil {
					n.Sorts = append(n.Sorts, p.Sorts[i].Elem)
				}
			}
		}
	}
	q.new = &n
	return q
}

func newAbstraction(ctx context.Context, env transform.Environment, sys *chc.System, shape cellShape, round int, rows map[*term.Term]bool) (*abstraction, error) {
	t := &abstraction{env: env, old: sys, round: round, rows: rows, congruent: map[*term.Term]bool{}, frames: findFrames(sys), scalars: findScalars(sys), atoms: make([][][]int, len(sys.Clauses))}
	renumbered := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		renumbered[i] = t.frames.clause(i, c)
	}
	if shape.companions && round == 0 {
		t.companion = findCompanion(sys, renumbered)
	}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		q := newPredicate(p, shape, t.companion)
		t.predicates = append(t.predicates, q)
		preds[i] = q.new
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clauses[i], t.atoms[i] = t.clause(i, renumbered[i])
	}
	t.new = transform.Rebuild(sys, preds, clauses)
	return t, nil
}

// clause abstracts the clause of a number and returns where its atoms' instances are.
func (t *abstraction) clause(number int, c *chc.Clause) (*chc.Clause, [][]int) {
	positions := make([][]int, len(c.Body))
	touched := c.Head != nil && len(t.predicates[c.Head.Pred.ID].groups) > 0
	for i, a := range c.Body {
		positions[i] = []int{i}
		touched = touched || len(t.predicates[a.Pred.ID].groups) > 0
	}
	if !touched {
		return c, positions
	}
	d := newDraft(t, number, c)
	out := *c
	out.Body = nil
	for i, a := range c.Body {
		instances := d.bodyInstances(a)
		positions[i] = nil
		for _, b := range instances {
			positions[i] = append(positions[i], len(out.Body))
			out.Body = append(out.Body, b)
		}
	}
	if c.Head != nil {
		h := d.headInstance(*c.Head)
		out.Head = &h
	}
	out.Constraint = d.constraint()
	return &out, positions
}
