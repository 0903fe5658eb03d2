package intblast

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/transform/simplify"
	"hornbeam/chc/transform/specialise"
)

// Options bound the case splits of the pass int-blast.
type Options struct {
	// Bitwise is the number of bits up to which products, bitwise operations and shifts of two variables are spelled out
	// bit by bit; beyond it they have no linear translation.
	Bitwise int
	// Cases is the number of ways to wrap around that are spelled out as cases; more become div and mod.
	Cases int
}

// DefaultOptions spells out bytes and, for sums of up to four numbers, every way to overflow.
func DefaultOptions() Options { return Options{Bitwise: 8, Cases: 5} }

// Pass returns the pass "int-blast" with the default options.
func Pass() transform.Pass { return With(DefaultOptions()) }

// With returns the pass "int-blast". It makes integers of bit-vectors, exactly: arguments and variables of w bits
// become Int between 0 and 2^w-1 or between -2^(w-1) and 2^(w-1)-1, whichever suits the operations on them (Bool when
// w is 1), and every operation its meaning in linear arithmetic with div and mod by constants. A system for some term of
// which there is no such meaning is left alone as a whole. Models come back as formulas
// over bit-vectors that are wide enough for every sum, refutations by converting values.
func With(opts Options) transform.Pass {
	return transform.Pass{
		Name: "int-blast",
		Doc:  "Makes integers of bit-vectors, exactly, where every operation has a meaning in linear arithmetic; else does nothing.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			if !hasBitVectors(sys) {
				return sys, nil, nil
			}
			b, back, err := prepare(ctx, env, opts, sys)
			if err != nil {
				return nil, nil, err
			}
			if b.obstacle != "" {
				return sys, nil, nil
			}
			return b.next, append(back, b.translator()), nil
		},
	}
}

// prepare simplifies the system, by passes that do not depend on the theory, and translates the result. With
// Boolean arguments specialised each clause is about one case, in which most sums do not wrap around.
func prepare(ctx context.Context, env transform.Environment, opts Options, sys *chc.System) (*intBlast, transform.Composition, error) {
	simple, back, _, err := transform.Pipeline(ctx, env, sys, []transform.Pass{
		specialise.Pass(), simplify.Normalise(), prune.ConeOfInfluence(), simplify.Subsume(), prune.Constants(), prune.Slice(), prune.FreeArguments(), inline.Pass(), simplify.UnsatBodies(),
	})
	if err != nil {
		return nil, nil, err
	}
	b := &intBlast{opts: opts, pool: sys.Pool, old: simple}
	if err := b.run(ctx); err != nil {
		return nil, nil, err
	}
	return b, back.(transform.Composition), nil
}

// intBlast translates one system.
type intBlast struct {
	opts      Options
	pool      *term.Pool
	old, next *chc.System
	readings  *readings
	variables []map[*term.Term]transform.Recoding
	// obstacle is what stands in the way of a translation.
	obstacle string
}

// run sets next, unless there is an obstacle.
func (b *intBlast) run(ctx context.Context) error {
	preds := make([]*chc.Predicate, len(b.old.Predicates))
	for i, p := range b.old.Predicates {
		q := *p
		q.Sorts = make([]*term.Sort, len(p.Sorts))
		for j, s := range p.Sorts {
			if s.ContainsFunc((*term.Sort).IsBitVec) {
				b.obstacle = fmt.Sprintf("argument %d of %s has sort %s", j, term.QuoteSymbol(p.Name), s)
				return nil
			}
			q.Sorts[j] = blastedSort(s)
		}
		preds[i] = &q
	}
	b.readings = countVotes(b.old)
	next := *b.old
	next.Predicates = preds
	next.Clauses = make([]*chc.Clause, len(b.old.Clauses))
	b.variables = make([]map[*term.Term]transform.Recoding, len(b.old.Clauses))
	for i, c := range b.old.Clauses {
		if err := ctx.Err(); err != nil {
			return err
		}
		cb := newClauseBlast(b, c)
		next.Clauses[i] = cb.translate(preds)
		b.variables[i] = cb.codes
		if cb.obstacle != "" {
			b.obstacle = fmt.Sprintf("clause %d: %s", c.ID, cb.obstacle)
			return nil
		}
	}
	b.next = &next
	return nil
}

func (b *intBlast) translator() transform.Translator {
	return &transform.Retyping{Old: b.old, New: b.next, Interpret: b.interpret, Recode: func(clause int, x *term.Term) (transform.Recoding, bool) {
		code, ok := b.variables[clause][x]
		return code, ok
	}}
}

// blastedSort is what a sort of the old system becomes.
func blastedSort(s *term.Sort) *term.Sort {
	switch {
	case !s.IsBitVec():
		return s
	case s.Width == 1:
		return term.Bool
	}
	return term.Int
}

// hasBitVectors reports whether bit-vectors occur in a system: in a predicate's sorts or in a clause.
func hasBitVectors(sys *chc.System) bool {
	found := slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool { return slices.ContainsFunc(p.Sorts, (*term.Sort).IsBitVec) })
	sys.EachTerm(func(t *term.Term) { found = found || t.Sort().IsBitVec() })
	return found
}

// clauseBlast translates one clause.
type clauseBlast struct {
	*intBlast
	intervals *intervals
	clause    *chc.Clause
	// codes has what replaced each variable, new the variable itself; order has the old ones in order of occurrence.
	codes map[*term.Term]transform.Recoding
	new   map[*term.Term]*term.Term
	order []*term.Term
	// ranges has the intervals of the new variables, full those that their widths imply, refined the variables with a
	// smaller one.
	ranges  map[*term.Term]term.Interval
	refined map[*term.Term]bool
	full    map[*term.Term]term.Interval
	// residues and formulas remember translated terms, masks which bits of a term may be set.
	residues, formulas map[*term.Term]*term.Term
	masks              map[*term.Term]term.Num
	obstacle           string
}

func newClauseBlast(b *intBlast, c *chc.Clause) *clauseBlast {
	cb := &clauseBlast{
		intBlast: b, clause: c, codes: map[*term.Term]transform.Recoding{}, new: map[*term.Term]*term.Term{},
		ranges: map[*term.Term]term.Interval{}, refined: map[*term.Term]bool{}, full: map[*term.Term]term.Interval{}, masks: map[*term.Term]term.Num{},
	}
	cb.forget()
	return cb
}

// forget drops the translations so far, which were made for wider ranges.
func (b *clauseBlast) forget() {
	b.intervals = newIntervals(b.pool)
	for y, iv := range b.ranges {
		b.intervals.set(y, iv)
	}
	b.residues, b.formulas = map[*term.Term]*term.Term{}, map[*term.Term]*term.Term{}
}

// maxRefinements bounds how often a constraint is translated again because it narrows its variables' ranges.
const maxRefinements = 4

// translate returns the clause over the new predicates; its result is good when there is no obstacle.
//
// The ranges that the constraint's own literals imply leave out most of the ways to wrap around. They become conjuncts of
// the result, so that it does not matter how they were found. A variable that is an argument of atoms and is equated with
// others, and nothing else, needs no range: values beyond it stand for the values that they are congruent to.
func (b *clauseBlast) translate(preds []*chc.Predicate) *chc.Clause {
	constraint := b.formula(b.clause.Constraint)
	for range maxRefinements {
		if b.obstacle != "" {
			return nil
		}
		if !b.refine(constraint) {
			break
		}
		b.forget()
		constraint = b.formula(b.clause.Constraint)
	}
	out := b.clause.MapAtoms(func(a chc.App) chc.App { return b.app(preds, a) })
	if b.obstacle != "" {
		return nil
	}
	used := b.restricted(constraint)
	for _, a := range out.Atoms() {
		used = append(used, slices.DeleteFunc(slices.Clone(a.Args), (*term.Term).IsVar)...)
	}
	occurs := map[*term.Term]bool{}
	for _, y := range term.Vars(used...) {
		occurs[y] = true
	}
	parts := []*term.Term{constraint}
	for _, x := range b.order {
		y := b.new[x]
		if iv := b.ranges[y]; y.Sort() == term.Int && (occurs[y] || b.refined[y]) {
			parts = append(parts, b.pool.Le(b.pool.IntNum(*iv.Low), y), b.pool.Le(y, b.pool.IntNum(*iv.High)))
		}
	}
	out.Constraint = b.pool.And(parts...)
	return out
}

// restricted returns the parts of a constraint that may be true of numbers and false of those that they are congruent to:
// all but positive equations of two variables of one range, or of a variable and a number.
func (b *clauseBlast) restricted(constraint *term.Term) []*term.Term {
	var out []*term.Term
	term.Walk(constraint, func(t *term.Term) bool {
		if t.IsAnd() || t.IsOr() {
			return true
		}
		if !b.equatesVariables(t) {
			out = append(out, t)
		}
		return false
	})
	return out
}

// equatesVariables reports whether t is x = y or x = c for variables of one range and a number in it.
func (b *clauseBlast) equatesVariables(t *term.Term) bool {
	c, ok := b.pool.AsConstraint(t)
	if !ok || c.Rel != term.EQ || len(c.Monomials) > 2 {
		return false
	}
	x := c.Monomials[0]
	iv, known := b.full[x.Term]
	if len(c.Monomials) == 1 {
		return known
	}
	y := c.Monomials[1]
	other, alsoKnown := b.full[y.Term]
	return known && alsoKnown && c.Const.IsZero() && x.Coef.Add(y.Coef).IsZero() && iv.Within(other) && other.Within(iv)
}

// refine narrows the variables' ranges by the linear literals of the translated constraint and reports whether that
// changed any.
func (b *clauseBlast) refine(constraint *term.Term) bool {
	changed := false
	for _, lit := range term.Conjuncts(constraint) {
		c, ok := b.pool.AsConstraint(lit)
		if !ok || c.Sort != term.Int {
			continue
		}
		changed = b.narrow(c.Linear) || changed
		if c.Rel == term.EQ {
			changed = b.narrow(c.Linear.Scale(term.NewInt(-1))) || changed
		}
	}
	return changed
}

// narrow uses l <= 0: each variable is bounded by what the others leave.
func (b *clauseBlast) narrow(l term.Linear) bool {
	changed := false
	for _, m := range l.Monomials {
		iv, ok := b.ranges[m.Term]
		if !ok {
			continue
		}
		// coef*x <= -(the least value of the rest)
		rest := l.Without(m.Term).Range(b.intervals.of)
		if !rest.Bounded() {
			continue
		}
		end := rest.Low.Neg().Div(m.Coef)
		if m.Coef.Sign() > 0 && end.Floor().Cmp(*iv.High) < 0 {
			iv = term.Between(*iv.Low, end.Floor())
		} else if m.Coef.Sign() < 0 && end.Ceil().Cmp(*iv.Low) > 0 {
			iv = term.Between(end.Ceil(), *iv.High)
		} else {
			continue
		}
		b.ranges[m.Term] = iv
		b.refined[m.Term], changed = true, true
	}
	return changed
}

// app translates an atom. Arguments are numbers in the range of the predicate's argument.
func (b *clauseBlast) app(preds []*chc.Predicate, a chc.App) chc.App {
	out := chc.App{Pred: preds[a.Pred.ID], Args: make([]*term.Term, len(a.Args))}
	for i, t := range a.Args {
		switch w := t.Sort().Width; {
		case !t.Sort().IsBitVec():
			out.Args[i] = b.formula(t)
		case w == 1:
			out.Args[i] = b.isOne(t)
		default:
			out.Args[i] = b.number(t, b.readings.signed(place{pred: a.Pred, argument: i}, w))
		}
	}
	return out
}

// variable returns the new variable for an old one of a bit-vector sort.
func (b *clauseBlast) variable(x *term.Term) *term.Term {
	if y := b.new[x]; y != nil {
		return y
	}
	w := x.Sort().Width
	y := b.pool.Fresh(x.Name(), blastedSort(x.Sort()))
	pool := b.pool
	value := func(vs []term.Value) term.Value { return term.TermValue(pool.BVNum(vs[0].Num(), w)) }
	if w == 1 {
		value = func(vs []term.Value) term.Value {
			n := int64(0)
			if vs[0].Bool() {
				n = 1
			}
			return term.TermValue(pool.BVNum(term.NewInt(n), 1))
		}
	} else {
		b.ranges[y] = numberRange(w, b.readings.signed(place{clause: b.clause, variable: x}, w))
		b.full[y] = b.ranges[y]
		b.intervals.set(y, b.ranges[y])
	}
	b.new[x] = y
	b.codes[x] = transform.Recoding{Variables: []*term.Term{y}, Value: value}
	b.order = append(b.order, x)
	return y
}

// refuse records that a term has no exact translation and returns a term of the right sort to go on with.
func (b *clauseBlast) refuse(t *term.Term, why string) *term.Term {
	if b.obstacle == "" {
		b.obstacle = fmt.Sprintf("%s: %s", why, t)
	}
	switch s := blastedSort(t.Sort()); s {
	case term.Int:
		return b.pool.Int(0)
	case term.Bool:
		return b.pool.False()
	}
	return t
}
