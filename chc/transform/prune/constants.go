package prune

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/simplify"
)

// Constants returns the pass "constants".
func Constants() transform.Pass {
	return transform.Pass{
		Name:   "constants",
		Doc:    "Removes arguments that always have one constant value or always differ by one constant from another argument.",
		Repeat: true,
		Run:    propagateConstants,
	}
}

// pattern is what holds for the arguments of everything derived so far of a predicate: which are constant, and which
// differ by a constant from another.
type pattern struct {
	pool *term.Pool
	// value[i] is the constant that argument i equals, or nil.
	value []*term.Term
	// class[i] is the first argument from which argument i differs by a constant; for numbers offset[i] is the constant
	// by which arguments of a class differ from something common, for others it is nil and they are equal.
	class   []int
	offset  []*term.Term
	changes int
}

// split returns a numeric term as base and constant; the base of a number is nil. Other terms have no constant.
func split(pool *term.Pool, t *term.Term) (base, offset *term.Term) {
	if t.Sort() != term.Int && t.Sort() != term.Real {
		return t, nil
	}
	l := pool.Linear(t)
	offset = pool.Numeral(l.Const, t.Sort())
	if l.IsConst() {
		return nil, offset
	}
	l.Const = term.Num{}
	return pool.FromLinear(l, t.Sort()), offset
}

// classKey tells classes of arguments apart; for numbers shift is how far the offset moved when patterns are joined.
type classKey struct {
	sort  *term.Sort
	class int
	base  *term.Term
	shift *term.Term
}

// patternOf is the pattern of one instance with these arguments.
func patternOf(pool *term.Pool, args []*term.Term) *pattern {
	n := len(args)
	p := &pattern{pool: pool, value: make([]*term.Term, n), class: make([]int, n), offset: make([]*term.Term, n)}
	first := map[classKey]int{}
	for i, t := range args {
		if t.IsValue() {
			p.value[i] = t
		}
		k := classKey{sort: t.Sort()}
		k.base, p.offset[i] = split(pool, t)
		if _, ok := first[k]; !ok {
			first[k] = i
		}
		p.class[i] = first[k]
	}
	return p
}

// join weakens p so that it holds for instances with these arguments, too; it reports whether p changed.
func (p *pattern) join(args []*term.Term) bool {
	first := map[classKey]int{}
	changed := false
	class := make([]int, len(args))
	for i, t := range args {
		k := classKey{sort: t.Sort(), class: p.class[i]}
		var offset *term.Term
		if k.base, offset = split(p.pool, t); offset != nil {
			k.shift = p.pool.Sub(offset, p.offset[i])
		}
		if _, ok := first[k]; !ok {
			first[k] = i
		}
		class[i] = first[k]
		if p.value[i] != nil && p.value[i] != t {
			p.value[i] = nil
			changed = true
		}
		changed = changed || class[i] != p.class[i]
	}
	if !changed {
		return false
	}
	p.class = class
	if p.changes++; p.changes > maxWeakenings {
		for i := range p.class {
			p.value[i], p.class[i] = nil, i
		}
	}
	return true
}

// facts returns the equalities that the pattern implies for an atom with these arguments.
func (p *pattern) facts(args []*term.Term) [][2]*term.Term {
	var out [][2]*term.Term
	for i, t := range args {
		switch c := p.class[i]; {
		case p.value[i] != nil:
			out = append(out, [2]*term.Term{t, p.value[i]})
		case c == i:
		case p.offset[i] == nil:
			out = append(out, [2]*term.Term{t, args[c]})
		default:
			out = append(out, [2]*term.Term{t, p.pool.Add(args[c], p.offset[i], p.pool.Neg(p.offset[c]))})
		}
	}
	return out
}

// kept marks the arguments that the pattern does not determine.
func (p *pattern) kept() []bool {
	keep := make([]bool, len(p.value))
	for i := range keep {
		keep[i] = p.value[i] == nil && p.class[i] == i
	}
	return keep
}

// constantAnalysis is the abstract interpretation of a system by patterns.
type constantAnalysis struct {
	sys *chc.System
	// patterns are by predicate ID; nil while nothing is derived.
	patterns []*pattern
	// drafts are by clause ID: the clause under the patterns of its body; nil while it does not fire.
	drafts []*simplify.Draft
	uses   [][]*chc.Clause
	queue  []*chc.Clause
	queued []bool
}

func analyseConstants(ctx context.Context, sys *chc.System) (*constantAnalysis, error) {
	a := &constantAnalysis{
		sys:      sys,
		patterns: make([]*pattern, len(sys.Predicates)),
		drafts:   make([]*simplify.Draft, len(sys.Clauses)),
		uses:     make([][]*chc.Clause, len(sys.Predicates)),
		queued:   make([]bool, len(sys.Clauses)),
	}
	for _, c := range sys.Clauses {
		if len(c.Body) == 0 {
			a.enqueue(c)
		}
		for _, b := range c.Body {
			a.uses[b.Pred.ID] = append(a.uses[b.Pred.ID], c)
		}
	}
	for len(a.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := a.queue[0]
		a.queue = a.queue[1:]
		a.queued[c.ID] = false
		a.visit(c)
	}
	return a, nil
}

func (a *constantAnalysis) enqueue(c *chc.Clause) {
	if !a.queued[c.ID] {
		a.queued[c.ID] = true
		a.queue = append(a.queue, c)
	}
}

// visit evaluates a clause under the patterns of its body and joins the result to its head's.
func (a *constantAnalysis) visit(c *chc.Clause) {
	pool := a.sys.Pool
	var facts [][2]*term.Term
	for _, b := range c.Body {
		p := a.patterns[b.Pred.ID]
		if p == nil {
			return
		}
		facts = append(facts, p.facts(b.Args)...)
	}
	d := simplify.NewDraft(pool, c)
	d.Assume(facts)
	d.Settle()
	if d.Constraint.IsFalse() {
		// What is known of the body only gets weaker, so the clause can never fire.
		a.drafts[c.ID] = nil
		return
	}
	a.drafts[c.ID] = d
	if d.Head == nil {
		return
	}
	id := d.Head.Pred.ID
	if a.patterns[id] == nil {
		a.patterns[id] = patternOf(pool, d.Head.Args)
	} else if !a.patterns[id].join(d.Head.Args) {
		return
	}
	for _, u := range a.uses[id] {
		a.enqueue(u)
	}
}

// conjoin returns the conjunction of equations.
func conjoin(pool *term.Pool, facts [][2]*term.Term) *term.Term {
	eqs := make([]*term.Term, len(facts))
	for i, f := range facts {
		eqs[i] = pool.Eq(f[0], f[1])
	}
	return pool.And(eqs...)
}

// propagateConstants removes the arguments that the analysis determines, the clauses that cannot fire and the predicates
// that nothing derives.
func propagateConstants(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	a, err := analyseConstants(ctx, sys)
	if err != nil {
		return nil, nil, err
	}
	pool := sys.Pool
	replacements := make([]transform.Replacement, len(sys.Predicates))
	narrowed := map[*chc.Predicate]*chc.Predicate{}
	var preds []*chc.Predicate
	for i, p := range sys.Predicates {
		pat := a.patterns[i]
		if pat == nil {
			continue
		}
		q := p
		if kept := selected(pat.kept()); len(kept) < p.Arity() {
			q = narrow(p, kept)
			narrowed[p] = q
			replacements[i].Keep = kept
			replacements[i].Also = func(params []*term.Term) *term.Term { return conjoin(pool, pat.facts(params)) }
		}
		preds = append(preds, q)
	}
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	for i, c := range sys.Clauses {
		if d := a.drafts[i]; d != nil {
			clauses = append(clauses, narrowClause(d.Clause(), narrowed, replacements))
			origins = append(origins, []transform.Origin{{Clause: c, Define: d.Define}})
		}
	}
	if len(narrowed) == 0 && len(preds) == len(sys.Predicates) && len(clauses) == len(sys.Clauses) {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, preds, clauses)
	j := 0
	for i := range replacements {
		if a.patterns[i] != nil {
			replacements[i].Pred = next.Predicates[j]
			j++
		}
	}
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: replacements, Origins: origins}, nil
}
